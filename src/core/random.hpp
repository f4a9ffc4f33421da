// splitmix64 (Steele, Lea and Flood 2014): seeded random numbers that are the same on every machine, which
// the distributions of the standard library are not.

#pragma once

#include <cstdint>

namespace zermelo {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    // Uniform in 0 … n-1 up to a bias below n / 2^64; n > 0.
    std::uint64_t below(std::uint64_t n) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((static_cast<Wide>(next()) * n) >> 64);
    }
    // Uniform in low … high.
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
    }
    double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // from 0 to 1, without 1
    bool chance(double probability) { return fraction() < probability; }

private:
    std::uint64_t state_;
};

}  // namespace zermelo
