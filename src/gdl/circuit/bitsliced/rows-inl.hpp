// From words to rows: columns of bits, a lane each, become rows of numbers, by matrices of 8 × 8 bits.

#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "gdl/circuit/bitsliced/word.hpp"

namespace zermelo::gdl {
namespace {

// An 8 × 8 matrix of bits on its side (Hacker's Delight, 7-3).
inline std::uint64_t transpose(std::uint64_t x) {
    std::uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAULL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCULL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ULL;
    return x ^ t ^ (t << 28);
}

// By byte: its eight bits as numbers.
template <class T>
const std::array<std::array<T, 8>, 256>& bits_of_bytes() {
    static const auto table = [] {
        std::array<std::array<T, 8>, 256> all{};
        for (unsigned byte = 0; byte < 256; ++byte) {
            for (unsigned k = 0; k < 8; ++k) all[byte][k] = static_cast<T>(byte >> k & 1U);
        }
        return all;
    }();
    return table;
}

// The first `lanes` rows of these columns.
template <class T>
void write_rows(const Word* columns, std::size_t count, std::size_t lanes, T* out) {
    const auto& bits = bits_of_bytes<T>();
    for (std::size_t first = 0; first < count; first += 8) {
        const std::size_t here = std::min<std::size_t>(8, count - first);
        for (std::size_t byte = 0; byte * 8 < lanes; ++byte) {
            std::uint64_t matrix = 0;
            for (std::size_t c = 0; c < here; ++c) {
                const auto* bytes = reinterpret_cast<const std::uint8_t*>(columns + first + c);
                matrix |= static_cast<std::uint64_t>(bytes[byte]) << (8 * c);
            }
            matrix = transpose(matrix);
            const std::size_t rows = std::min<std::size_t>(8, lanes - byte * 8);
            T* at = out + byte * 8 * count + first;
            for (std::size_t k = 0; k < rows; ++k, at += count) {
                const auto& row = bits[matrix >> (8 * k) & 0xFF];
                if (here == 8) {
                    std::memcpy(at, row.data(), sizeof(row));
                } else {
                    std::memcpy(at, row.data(), here * sizeof(T));
                }
            }
        }
    }
}

}  // namespace
}  // namespace zermelo::gdl
