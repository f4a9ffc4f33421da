#include "learn/quantised.hpp"

#include <algorithm>
#include <cmath>

#include "learn/kernels/kernels.hpp"

namespace zermelo::learn {

namespace {

constexpr float most_scale = 4096;
constexpr float most_sum = 32000;  // of 16 bits, with room for rounding
constexpr float active_scale = 127;
constexpr float byte_range = 127;
constexpr float clip_unit = 65536;

// The largest scale at which no sum of rows, whichever of them, leaves 16 bits.
float scale_of_rows(const Network& network) {
    const Shape& shape = network.shape();
    const float* w = network.weights().data();
    float most = 0;
    for (std::size_t h = 0; h < shape.hidden; ++h) {
        const float bias = w[network.layout().bias1 + h];
        float up = std::max(0.0F, bias);
        float down = std::max(0.0F, -bias);
        for (std::size_t i = 0; i < shape.inputs; ++i) {
            const float x = w[network.layout().rows + i * shape.hidden + h];
            (x > 0 ? up : down) += std::abs(x);
        }
        most = std::max({most, up, down});
    }
    const float rounding = 0.5F * static_cast<float>(shape.inputs + 1);
    return std::min(most_scale,
                    std::max(1.0F, (most_sum - std::min(most_sum / 2, rounding)) / std::max(1e-6F, most)));
}

std::vector<std::int16_t> to_words(const float* from, std::size_t count, float scale) {
    std::vector<std::int16_t> out(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<std::int16_t>(std::clamp(std::round(from[i] * scale), -most_sum, most_sum));
    return out;
}

std::vector<std::int8_t> to_bytes(const float* from, std::size_t count, float& scale) {
    float most = 1e-6F;
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::abs(from[i]));
    scale = byte_range / most;
    std::vector<std::int8_t> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::int8_t>(std::round(from[i] * scale));
    return out;
}

}  // namespace

QuantisedWeights quantise(const Network& network) {
    const Shape& shape = network.shape();
    const Layout& at = network.layout();
    const float* w = network.weights().data();
    const auto floats = [&](std::size_t first, std::size_t count) {
        return std::vector<float>(w + first, w + first + count);
    };
    QuantisedWeights out;
    out.shape = shape;
    out.row_scale = scale_of_rows(network);
    out.rows = to_words(w + at.rows, shape.inputs * shape.hidden, out.row_scale);
    out.bias1 = to_words(w + at.bias1, shape.hidden, out.row_scale);
    out.second = to_bytes(w + at.second, shape.second * shape.hidden, out.second_scale);
    out.bias2 = floats(at.bias2, shape.second);
    out.values = floats(at.values, shape.seats * shape.second);
    out.value_bias = floats(at.value_bias, shape.seats);
    out.policy = to_bytes(w + at.policy, shape.all_moves() * shape.hidden, out.policy_scale);
    out.policy_bias = floats(at.policy_bias, shape.all_moves());
    return out;
}

QuantisedNetwork::QuantisedNetwork(QuantisedWeights weights)
    : weights_(std::move(weights)),
      layout_(weights_.shape),
      second_(weights_.second.begin(), weights_.second.end()),
      policy_(weights_.policy.begin(), weights_.policy.end()),
      cap_(static_cast<std::int32_t>(std::lround(weights_.row_scale))),
      clip_by_(static_cast<std::int32_t>(std::lround(clip_unit * active_scale / weights_.row_scale))) {}

void QuantisedNetwork::begin(std::int16_t* sums) const {
    std::copy(weights_.bias1.begin(), weights_.bias1.end(), sums);
}

void QuantisedNetwork::add(std::int16_t* sums, std::span<const std::uint32_t> features) const {
    kernels().add_rows(sums, weights_.rows.data(), features.data(), features.size(), hidden());
}

void QuantisedNetwork::subtract(std::int16_t* sums, std::span<const std::uint32_t> features) const {
    kernels().subtract_rows(sums, weights_.rows.data(), features.data(), features.size(), hidden());
}

void QuantisedNetwork::activate(const std::int16_t* sums, std::int16_t* active) const {
    kernels().clip(sums, cap_, clip_by_, active, hidden());
}

void QuantisedNetwork::values(const std::int16_t* active, std::span<float> out) const {
    const Kernels& k = kernels();
    const std::size_t second = weights_.shape.second;
    const float scale = 1 / (active_scale * weights_.second_scale);
    std::copy(weights_.value_bias.begin(), weights_.value_bias.end(), out.begin());
    for (std::size_t i = 0; i < second; ++i) {
        const auto sum = static_cast<float>(k.dot(second_.data() + i * hidden(), active, hidden()));
        const float unit = std::clamp(weights_.bias2[i] + scale * sum, 0.0F, 1.0F);
        if (unit == 0) continue;
        for (std::size_t s = 0; s < out.size(); ++s) out[s] += unit * weights_.values[s * second + i];
    }
    for (float& value : out) value = 1 / (1 + std::exp(-value));
}

void QuantisedNetwork::policy(const std::int16_t* active, std::size_t role,
                              std::span<const std::uint32_t> legal, std::span<float> out) const {
    if (weights_.shape.moves[role] == 0) {
        std::fill(out.begin(), out.end(), 1 / static_cast<float>(legal.size()));
        return;
    }
    const Kernels& k = kernels();
    const float scale = 1 / (active_scale * weights_.policy_scale);
    float most = -1e30F;
    for (std::size_t i = 0; i < legal.size(); ++i) {
        const std::size_t move = layout_.first_move[role] + legal[i];
        out[i] = weights_.policy_bias[move] +
                 scale * static_cast<float>(k.dot(policy_.data() + move * hidden(), active, hidden()));
        most = std::max(most, out[i]);
    }
    float sum = 0;
    for (float& x : out) sum += x = std::exp(x - most);
    for (float& x : out) x /= sum;
}

}  // namespace zermelo::learn
