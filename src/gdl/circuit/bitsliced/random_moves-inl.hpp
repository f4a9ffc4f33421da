// A random legal move in every lane at once, by vertical counters (one word for each binary digit).
//
// The legal moves of a role are counted in blocks of sixteen by trees of adders, without a branch. Each lane draws
// a number below its count (xorshift: Marsaglia 2003; multiply and shift: Lemire 2019), its rank. Blocks take
// their counts off the ranks; the lanes whose rank is smaller find their move in that block by going down its
// tree, to the left where the rank is smaller than the count there. Blocks without a legal move in any lane are
// passed over, and so are those that no lane needs.

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "gdl/circuit/bitsliced/gates-inl.hpp"
#include "gdl/circuit/bitsliced/rows-inl.hpp"

namespace zermelo::gdl {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // words are passed only inside one source file

// How many of 2^depth words have a one, lane by lane, with all partial sums.
template <std::size_t depth>
struct CountTree {
    CountTree<depth - 1> left;
    CountTree<depth - 1> right;
    std::array<Word, depth + 1> count;  // by binary digit

    [[gnu::always_inline]] void add_up(const Word* open) {
        left.add_up(open);
        right.add_up(open + (std::size_t{1} << (depth - 1)));
        count[0] = left.count[0] ^ right.count[0];
        Word carry = left.count[0] & right.count[0];
        for (std::size_t p = 1; p < depth; ++p) {
            count[p] = odd(left.count[p], right.count[p], carry);
            carry = majority(left.count[p], right.count[p], carry);
        }
        count[depth] = carry;
    }

    // In these lanes, the word at which the rank-th one stands, counted from zero.
    [[gnu::always_inline]] void select(const Word* rank, const Word& lanes, Word* chosen) const {
        std::array<Word, depth> rest;
        rest[0] = rank[0] ^ left.count[0];
        Word smaller = left.count[0] & ~rank[0];
        for (std::size_t p = 1; p < depth; ++p) {
            rest[p] = odd(rank[p], left.count[p], smaller);
            smaller = majority(~rank[p], left.count[p], smaller);
        }
        left.select(rank, lanes & smaller, chosen);
        right.select(rest.data(), lanes & ~smaller, chosen + (std::size_t{1} << (depth - 1)));
    }
};

template <>
struct CountTree<0> {
    std::array<Word, 1> count;

    [[gnu::always_inline]] void add_up(const Word* open) { count[0] = *open; }
    [[gnu::always_inline]] void select(const Word*, const Word& lanes, Word* chosen) const {
        *chosen = lanes;
    }
};

class RandomMoves {
public:
    RandomMoves(const Network& network, std::uint64_t seed) {
        for (std::uint64_t& word : random_) {
            seed += 0x9E3779B97F4A7C15ULL;
            std::uint64_t z = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9ULL;
            word = (z ^ (z >> 27)) * 0x94D049BB133111EBULL | 1;
        }
        for (std::size_t r = 0; r < network.moves.size(); ++r) {
            Role& role = roles_.emplace_back();
            for (std::size_t m = 0; m < network.moves[r].size(); ++m) {
                role.open.push_back(network.likely.empty() ? network.moves[r][m].legal
                                                           : network.likely[r][m]);
                role.node.push_back(network.moves[r][m].node);
            }
            const std::size_t blocks = (role.node.size() + in_block - 1) / in_block;
            role.counts.resize(blocks);
            role.alive.resize(blocks);
            role.planes = std::min<std::size_t>(std::bit_width(role.node.size()), most_planes);
        }
    }

    // One random legal move in every lane; the lanes without any come back.
    Word choose(WordGates& gates, std::size_t number) {
        Role& role = roles_[number];
        if (role.node.size() <= in_block / 2) return choose_in_block<depth - 1>(gates, role);
        if (role.node.size() <= in_block) return choose_in_block<depth>(gates, role);
        std::array<Word, most_planes> planes{};
        count(gates, role, planes);
        Word some{};
        for (std::size_t p = 0; p < role.planes; ++p) some |= planes[p];
        const std::size_t used = digits_of(planes, role.planes);
        if (used <= 1) {
            make_only_moves(gates, role);
        } else {
            draw(planes, used);
            select(gates, role, planes, used, some);
        }
        return ~some;
    }

private:
    static constexpr std::size_t most_planes = 16;
    static constexpr std::size_t depth = 4;
    static constexpr std::size_t in_block = std::size_t{1} << depth;
    using Block = std::array<Word, in_block>;

    struct Count {
        std::array<Word, depth + 1> digits;
    };
    struct Role {
        std::vector<Signal> open;                              // by move: it may be chosen
        std::vector<std::uint32_t> node;                       // by move
        std::vector<Count, CacheLineAllocator<Count>> counts;  // by block
        std::vector<std::uint8_t> alive;                       // by block: some lane has a move there
        std::size_t planes = 0;
    };

    // The moves of a block that may be chosen, and their disjunction.
    template <std::size_t size>
    static Word read(const WordGates& gates, const Role& role, std::size_t first,
                     std::array<Word, size>& open) {
        const std::size_t here = std::min(size, role.open.size() - first);
        Word some{};
        for (std::size_t m = 0; m < here; ++m) {
            open[m] = gates.signal(role.open[first + m]);
            some |= open[m];
        }
        for (std::size_t m = here; m < size; ++m) open[m] = Word();
        return some;
    }

    // How many binary digits the largest of these numbers has.
    static std::size_t digits_of(const std::array<Word, most_planes>& planes, std::size_t most) {
        while (most > 0 && !any(planes[most - 1])) --most;
        return most;
    }

    // No lane has more than one move.
    static void make_only_moves(WordGates& gates, const Role& role) {
        for (std::size_t m = 0; m < role.node.size(); ++m)
            gates.values[role.node[m]] = gates.signal(role.open[m]);
    }

    // For a role with few moves.
    template <std::size_t height>
    Word choose_in_block(WordGates& gates, const Role& role) {
        std::array<Word, std::size_t{1} << height> open;
        CountTree<height> tree;
        const Word some = read(gates, role, 0, open);
        tree.add_up(open.data());
        std::array<Word, most_planes> planes{};
        std::copy(tree.count.begin(), tree.count.end(), planes.begin());
        const std::size_t used = digits_of(planes, height + 1);
        if (used <= 1) {
            make_only_moves(gates, role);
        } else {
            draw(planes, used);
            tree.select(planes.data(), some, open.data());
            for (std::size_t m = 0; m < role.node.size(); ++m) gates.values[role.node[m]] = open[m];
        }
        return ~some;
    }

    static void count(const WordGates& gates, Role& role, std::array<Word, most_planes>& planes) {
        Block open;
        CountTree<depth> tree;
        for (std::size_t b = 0; b < role.counts.size(); ++b) {
            role.alive[b] = any(read(gates, role, b * in_block, open)) ? 1 : 0;
            if (role.alive[b] == 0) continue;
            tree.add_up(open.data());
            role.counts[b].digits = tree.count;
            Word carry{};
            for (std::size_t p = 0; p < role.planes; ++p) {
                if (p <= depth) {
                    const Word sum = odd(planes[p], tree.count[p], carry);
                    carry = majority(planes[p], tree.count[p], carry);
                    planes[p] = sum;
                } else {
                    const Word sum = planes[p] ^ carry;
                    carry &= planes[p];
                    planes[p] = sum;
                }
            }
        }
    }

    static void select(WordGates& gates, const Role& role, std::array<Word, most_planes>& rank,
                       std::size_t used, Word waiting) {
        // Ranks of a block have `depth` digits.
        const std::size_t digits = std::max(used, depth + 1);
        Block open;
        Block chosen;
        CountTree<depth> tree;
        bool more = true;
        for (std::size_t b = 0; b < role.counts.size(); ++b) {
            const std::size_t first = b * in_block;
            const std::size_t here = std::min(in_block, role.node.size() - first);
            Word lanes{};
            std::array<Word, most_planes> rest;
            if (more && role.alive[b] != 0) {
                Word smaller{};
                for (std::size_t p = 0; p < digits; ++p) {
                    const Word taken = p <= depth ? role.counts[b].digits[p] : Word();
                    rest[p] = odd(rank[p], taken, smaller);
                    smaller = majority(~rank[p], taken, smaller);
                }
                lanes = waiting & smaller;
            }
            if (!any(lanes)) {
                for (std::size_t m = 0; m < here; ++m) gates.values[role.node[first + m]] = Word();
            } else {
                (void)read(gates, role, first, open);
                tree.add_up(open.data());
                tree.select(rank.data(), lanes, chosen.data());
                for (std::size_t m = 0; m < here; ++m) gates.values[role.node[first + m]] = chosen[m];
                waiting &= ~lanes;
                more = any(waiting);
            }
            if (more && role.alive[b] != 0) std::copy_n(rest.begin(), digits, rank.begin());
        }
    }

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

    std::vector<Role> roles_;
    std::array<std::uint64_t, lanes_of_word / 2> random_{};
};

#pragma GCC diagnostic pop

}  // namespace
}  // namespace zermelo::gdl
