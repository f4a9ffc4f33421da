// MD5 (RFC 1321), by which published traces identify states; nothing here needs it to be secure.

#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

namespace zermelo {

// The first `digits` hexadecimal digits of the MD5 of the text.
inline std::string md5(std::string text, std::size_t digits = 32) {
    constexpr std::array<std::array<int, 4>, 4> turns{
        {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
    std::array<std::uint32_t, 4> sum{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    const std::uint64_t bits = 8 * static_cast<std::uint64_t>(text.size());
    text += '\x80';
    while (text.size() % 64 != 56) text += '\0';
    for (int i = 0; i < 8; ++i) text += static_cast<char>(bits >> (8 * i));

    for (std::size_t block = 0; block < text.size(); block += 64) {
        std::array<std::uint32_t, 16> word{};
        for (std::size_t i = 0; i < 64; ++i) {
            word[i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[block + i]))
                           << (8 * (i % 4));
        }
        auto [a, b, c, d] = sum;
        for (std::uint32_t i = 0; i < 64; ++i) {
            const std::uint32_t round = i / 16;
            const std::uint32_t mix = round == 0   ? (b & c) | (~b & d)
                                      : round == 1 ? (d & b) | (~d & c)
                                      : round == 2 ? b ^ c ^ d
                                                   : c ^ (b | ~d);
            const std::uint32_t from = round == 0   ? i
                                       : round == 1 ? 5 * i + 1
                                       : round == 2 ? 3 * i + 5
                                                    : 7 * i;
            const auto sine = static_cast<std::uint32_t>(std::abs(std::sin(i + 1.0)) * 4294967296.0);
            const std::uint32_t turned = b + std::rotl(a + mix + sine + word[from % 16], turns[round][i % 4]);
            a = d;
            d = c;
            c = b;
            b = turned;
        }
        sum = {sum[0] + a, sum[1] + b, sum[2] + c, sum[3] + d};
    }
    std::string result;
    for (const std::uint32_t part : sum) {
        for (int i = 0; i < 8; ++i)
            result += "0123456789abcdef"[part >> (8 * (i / 2) + (i % 2 == 0 ? 4 : 0)) & 15];
    }
    return result.substr(0, digits);
}

}  // namespace zermelo
