// The loops, to be compiled once for each width. Everything is static: units compiled for different processors must not
// share functions.

#include <cmath>

#include "learn/kernels/kernels.hpp"

namespace zermelo::learn {

namespace {

template <bool subtract>
void change_rows(std::int16_t* sum, const std::int16_t* rows, const std::uint32_t* which, std::size_t count,
                 std::size_t width) {
    for (std::size_t at = 0; at < width; at += row_step) {
        std::int16_t here[row_step];
        for (std::size_t i = 0; i < row_step; ++i) here[i] = sum[at + i];
        for (std::size_t n = 0; n < count; ++n) {
            const std::int16_t* row = rows + which[n] * width + at;
            for (std::size_t i = 0; i < row_step; ++i)
                here[i] = static_cast<std::int16_t>(subtract ? here[i] - row[i] : here[i] + row[i]);
        }
        for (std::size_t i = 0; i < row_step; ++i) sum[at + i] = here[i];
    }
}

void clip(const std::int16_t* sum, std::int32_t cap, std::int32_t by, std::int16_t* out, std::size_t width) {
    constexpr std::int32_t half = 1 << 15;
    for (std::size_t i = 0; i < width; ++i) {
        const std::int32_t positive = sum[i] > 0 ? sum[i] : 0;
        const std::int32_t capped = positive < cap ? positive : cap;
        out[i] = static_cast<std::int16_t>((capped * by + half) >> 16);
    }
}

std::int32_t dot(const std::int16_t* a, const std::int16_t* b, std::size_t width) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < width; ++i) sum += std::int32_t{a[i]} * std::int32_t{b[i]};
    return sum;
}

void add_float_rows(float* sum, const float* rows, const std::uint32_t* which, std::size_t count,
                    std::size_t width) {
    for (std::size_t n = 0; n < count; ++n) {
        const float* row = rows + which[n] * width;
        for (std::size_t i = 0; i < width; ++i) sum[i] += row[i];
    }
}

void add_to_rows(float* rows, const std::uint32_t* which, std::size_t count, const float* what,
                 std::size_t width) {
    for (std::size_t n = 0; n < count; ++n) {
        float* row = rows + which[n] * width;
        for (std::size_t i = 0; i < width; ++i) row[i] += what[i];
    }
}

float float_dot(const float* a, const float* b, std::size_t width) {
    float sum = 0;
    for (std::size_t i = 0; i < width; ++i) sum += a[i] * b[i];
    return sum;
}

void add_scaled(float* to, const float* what, float by, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) to[i] += by * what[i];
}

void adam(float* weights, float* means, float* squares, const float* gradient, std::size_t size,
          const Adam& step) {
    constexpr float epsilon = 1e-8F;
    for (std::size_t i = 0; i < size; ++i) {
        const float g = gradient[i];
        means[i] = step.first * means[i] + (1 - step.first) * g;
        squares[i] = step.second * squares[i] + (1 - step.second) * g * g;
        const float way = means[i] * step.correct1 / (std::sqrt(squares[i] * step.correct2) + epsilon);
        const float moved = weights[i] - step.rate * (way + step.shrink * weights[i]);
        weights[i] = moved > step.most ? step.most : moved < -step.most ? -step.most : moved;
    }
}

constexpr Kernels these{change_rows<false>, change_rows<true>, clip,       dot, add_float_rows,
                        add_to_rows,        float_dot,         add_scaled, adam};

}  // namespace

}  // namespace zermelo::learn
