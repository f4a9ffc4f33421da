// A 128-bit hash that is fed word by word: residual keys and strategy nodes are compared by it alone, so it
// has to be long enough that no two different things ever meet.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace zermelo {

struct Hash128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    friend bool operator==(const Hash128&, const Hash128&) = default;
    friend auto operator<=>(const Hash128&, const Hash128&) = default;
    friend Hash128 operator^(const Hash128& a, const Hash128& b) { return {a.low ^ b.low, a.high ^ b.high}; }
    friend Hash128 operator+(const Hash128& a, const Hash128& b) { return {a.low + b.low, a.high + b.high}; }
    friend Hash128 operator-(const Hash128& a, const Hash128& b) { return {a.low - b.low, a.high - b.high}; }
};

// For hash maps keyed by a Hash128: its bits are already mixed.
struct LowBitsHash {
    std::size_t operator()(const Hash128& hash) const noexcept { return hash.low; }
};

// 32 hexadecimal digits, the high word first; and what they say, nothing where these are not such digits.
[[nodiscard]] std::string hex(const Hash128& hash);
[[nodiscard]] std::optional<Hash128> read_hex(std::string_view digits);

namespace detail {

inline std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
    __extension__ using Product = unsigned __int128;
    const Product product = static_cast<Product>(x) * y;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace detail

// Two words at once, for hashes that are added up: three multiplications.
inline Hash128 mixed(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t both =
        detail::fold(a ^ 0x9E3779B97F4A7C15ULL, 0xD6E8FEB86659FD93ULL) + b * 0xA0761D6478BD642FULL;
    return {detail::fold(both ^ 0xE7037ED1A0B428DBULL, (b ^ 0x8EBC6AF09C88C6E3ULL) | 1) ^ both,
            detail::fold(both + 0x589965CC75374CC3ULL, (a + 0x1D8E4E27C47D124FULL) | 1) + both};
}

class Hasher {
public:
    void add(std::uint64_t word) {
        // Two multiply-and-fold lanes with different odd constants (the scheme of wyhash).
        a_ = fold(a_ ^ word ^ 0x9E3779B97F4A7C15ULL, 0xD6E8FEB86659FD93ULL);
        b_ = fold(b_ + word, 0xA0761D6478BD642FULL) ^ word;
    }
    void add(const Hash128& hash) {
        add(hash.low);
        add(hash.high);
    }
    void add(std::string_view text) {  // its characters; not how many there are
        for (const char c : text) add(static_cast<unsigned char>(c));
    }
    [[nodiscard]] Hash128 value() const {
        return {fold(a_ ^ 0xE7037ED1A0B428DBULL, b_ | 1), fold(b_ ^ 0x8EBC6AF09C88C6E3ULL, a_ | 1)};
    }

private:
    static std::uint64_t fold(std::uint64_t x, std::uint64_t y) { return detail::fold(x, y); }
    std::uint64_t a_ = 0x243F6A8885A308D3ULL;
    std::uint64_t b_ = 0x13198A2E03707344ULL;
};

}  // namespace zermelo
