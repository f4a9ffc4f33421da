// A random legal move in every lane at once, by vertical counters (one word for each binary digit).
//
// The legal moves of a role are counted, each lane draws a number below its count (xorshift: Marsaglia 2003;
// multiply and shift: Lemire 2019), and a second pass counts these numbers down; the move at which a lane
// reaches zero is its move.

#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "gdl/circuit/bitsliced/gates-inl.hpp"

namespace zermelo::gdl {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // words are passed only inside one source file

class RandomMoves {
public:
    RandomMoves(const Network& network, std::uint64_t seed) : network_(network) {
        for (std::uint64_t& word : random_) {
            seed += 0x9E3779B97F4A7C15ULL;
            std::uint64_t z = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9ULL;
            word = (z ^ (z >> 27)) * 0x94D049BB133111EBULL | 1;
        }
    }

    // One random legal move in every lane; the lanes without any come back.
    Word choose(WordGates& gates, std::size_t role) {
        const std::vector<Network::Move>& moves = network_.moves[role];
        const bool all = network_.likely.empty();
        const auto open_to = [&](std::size_t m) {
            return gates.signal(all ? moves[m].legal : network_.likely[role][m]);
        };
        std::array<Word, most_planes> planes{};
        std::size_t used = 0;
        for (std::size_t m = 0; m < moves.size(); ++m) {
            Word carry = open_to(m);
            for (std::size_t p = 0; any(carry); ++p) {
                if (p == used) {
                    if (used == most_planes) break;
                    planes[used++] = Word();
                }
                const Word next = planes[p] & carry;
                planes[p] ^= carry;
                carry = next;
            }
        }
        Word some{};
        for (std::size_t p = 0; p < used; ++p) some |= planes[p];
        if (used <= 1) {
            // At most one move everywhere.
            for (std::size_t m = 0; m < moves.size(); ++m) gates.values[moves[m].node] = open_to(m);
            return ~some;
        }
        draw(planes, used);
        Word open = some;
        for (std::size_t m = 0; m < moves.size(); ++m) {
            Word borrow = open_to(m) & open;
            Word& chosen = gates.values[moves[m].node];
            if (!any(borrow)) {
                chosen = Word();
                continue;
            }
            for (std::size_t p = 0; p < used; ++p) {
                const Word next = borrow & ~planes[p];
                planes[p] ^= borrow;
                borrow = next;
                if (!any(borrow)) break;
            }
            chosen = borrow;  // the counter stood at zero
            open &= ~borrow;
        }
        return ~some;
    }

private:
    static constexpr std::size_t most_planes = 16;

    // Each lane's count becomes a random number below it.
    void draw(std::array<Word, most_planes>& planes, std::size_t used) {
        alignas(64) std::uint16_t numbers[lanes_of_word];
        to_numbers(planes, used, numbers);
        for (std::size_t i = 0; i < lanes_of_word; i += 2) {
            std::uint64_t& state = random_[(i / 2) % random_.size()];
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            numbers[i] = static_cast<std::uint16_t>((state & 0xFFFFFFFFULL) * numbers[i] >> 32);
            numbers[i + 1] = static_cast<std::uint16_t>((state >> 32) * numbers[i + 1] >> 32);
        }
        to_planes(numbers, planes, used);
    }

    // An 8 × 8 matrix of bits on its side (Hacker's Delight, 7-3).
    static std::uint64_t transpose(std::uint64_t x) {
        std::uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAULL;
        x ^= t ^ (t << 7);
        t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCULL;
        x ^= t ^ (t << 14);
        t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ULL;
        return x ^ t ^ (t << 28);
    }

    static void to_numbers(const std::array<Word, most_planes>& planes, std::size_t used,
                           std::uint16_t* numbers) {
        std::memset(numbers, 0, lanes_of_word * sizeof(*numbers));
        for (std::size_t half = 0; half * 8 < used; ++half) {
            const std::size_t count = std::min<std::size_t>(8, used - half * 8);
            for (std::size_t byte = 0; byte < bytes_of_word; ++byte) {
                std::uint64_t matrix = 0;
                for (std::size_t p = 0; p < count; ++p) {
                    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&planes[half * 8 + p]);
                    matrix |= static_cast<std::uint64_t>(bytes[byte]) << (8 * p);
                }
                matrix = transpose(matrix);
                for (std::size_t k = 0; k < 8; ++k) {
                    numbers[byte * 8 + k] |=
                        static_cast<std::uint16_t>((matrix >> (8 * k) & 0xFF) << (8 * half));
                }
            }
        }
    }

    static void to_planes(const std::uint16_t* numbers, std::array<Word, most_planes>& planes,
                          std::size_t used) {
        for (std::size_t half = 0; half * 8 < used; ++half) {
            const std::size_t count = std::min<std::size_t>(8, used - half * 8);
            for (std::size_t byte = 0; byte < bytes_of_word; ++byte) {
                std::uint64_t matrix = 0;
                for (std::size_t k = 0; k < 8; ++k) {
                    matrix |= static_cast<std::uint64_t>(numbers[byte * 8 + k] >> (8 * half) & 0xFF)
                              << (8 * k);
                }
                matrix = transpose(matrix);
                for (std::size_t p = 0; p < count; ++p) {
                    auto* bytes = reinterpret_cast<std::uint8_t*>(&planes[half * 8 + p]);
                    bytes[byte] = static_cast<std::uint8_t>(matrix >> (8 * p));
                }
            }
        }
    }

    const Network& network_;
    std::array<std::uint64_t, lanes_of_word / 2> random_{};
};

#pragma GCC diagnostic pop

}  // namespace
}  // namespace zermelo::gdl
