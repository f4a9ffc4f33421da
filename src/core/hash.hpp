// A 128-bit hash that is fed word by word: residual keys and strategy nodes are compared by it alone, so it
// has to be long enough that no two different things ever meet.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace zermelo {

struct Hash128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    friend bool operator==(const Hash128&, const Hash128&) = default;
    friend auto operator<=>(const Hash128&, const Hash128&) = default;
    friend Hash128 operator^(const Hash128& a, const Hash128& b) { return {a.low ^ b.low, a.high ^ b.high}; }
};

// For hash maps keyed by a Hash128: its bits are already mixed.
struct TakeLowBits {
    std::size_t operator()(const Hash128& hash) const noexcept { return hash.low; }
};

class Hasher {
public:
    void add(std::uint64_t word) {
        // Two multiply-and-fold lanes with different odd constants (the scheme of wyhash).
        a_ = fold(a_ ^ word ^ 0x9E3779B97F4A7C15ULL, 0xD6E8FEB86659FD93ULL);
        b_ = fold(b_ + word, 0xA0761D6478BD642FULL) ^ word;
    }
    [[nodiscard]] Hash128 value() const {
        return {fold(a_ ^ 0xE7037ED1A0B428DBULL, b_ | 1), fold(b_ ^ 0x8EBC6AF09C88C6E3ULL, a_ | 1)};
    }

private:
    static std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
        __extension__ using Wide = unsigned __int128;
        const Wide product = static_cast<Wide>(x) * y;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
    std::uint64_t a_ = 0x243F6A8885A308D3ULL;
    std::uint64_t b_ = 0x13198A2E03707344ULL;
};

}  // namespace zermelo
