// Kernels: the inner loops of a network, compiled for each width of vector registers and chosen by the processor.
//
// Whole numbers have the same sums everywhere; sums of floats depend on the width in their last bits. All widths of rows
// are multiples of `row_step`.

#pragma once

#include <cstddef>
#include <cstdint>

namespace zermelo::learn {

inline constexpr std::size_t row_step = 32;

struct Adam {  // step sizes of one update (Kingma and Ba 2015)
    float rate;
    float first;     // how much of the mean of gradients is kept
    float second;    // and of their squares
    float correct1;  // 1 / (1 - first^steps)
    float correct2;
    float shrink;  // weight decay (Loshchilov and Hutter 2019)
    float most;    // bound of a weight
};

struct Kernels {
    // sum += rows[which[0]] + …
    void (*add_rows)(std::int16_t* sum, const std::int16_t* rows, const std::uint32_t* which,
                     std::size_t count, std::size_t width);
    void (*subtract_rows)(std::int16_t* sum, const std::int16_t* rows, const std::uint32_t* which,
                          std::size_t count, std::size_t width);
    // The clipped ReLU: out = sum · by / 2^16, rounded; sums below 0 count as 0, and those above `cap` as `cap`.
    void (*clip)(const std::int16_t* sum, std::int32_t cap, std::int32_t by, std::int16_t* out,
                 std::size_t width);
    std::int32_t (*dot)(const std::int16_t* a, const std::int16_t* b, std::size_t width);

    void (*add_float_rows)(float* sum, const float* rows, const std::uint32_t* which, std::size_t count,
                           std::size_t width);
    void (*add_to_rows)(float* rows, const std::uint32_t* which, std::size_t count, const float* what,
                        std::size_t width);
    float (*float_dot)(const float* a, const float* b, std::size_t width);
    void (*add_scaled)(float* to, const float* what, float by, std::size_t width);
    void (*adam)(float* weights, float* means, float* squares, const float* gradient, std::size_t size,
                 const Adam& step);
};

// The widest that this processor runs.
[[nodiscard]] const Kernels& kernels();

}  // namespace zermelo::learn
