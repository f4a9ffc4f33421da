#include "learn/network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.hpp"
#include "learn/kernels/kernels.hpp"

namespace zermelo::learn {

namespace {

float clip(float x) { return std::clamp(x, 0.0F, 1.0F); }
bool inside(float x) { return x > 0 && x < 1; }
float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

void softmax(std::vector<float>& logits) {
    const float most = *std::max_element(logits.begin(), logits.end());
    float sum = 0;
    for (float& x : logits) sum += x = std::exp(x - most);
    for (float& x : logits) x /= sum;
}

double cross_entropy(double target, double estimate) {
    constexpr double least = 1e-7;
    const double p = std::clamp(estimate, least, 1 - least);
    return -target * std::log(p) - (1 - target) * std::log(1 - p);
}

}  // namespace

std::size_t Shape::all_moves() const { return std::accumulate(moves.begin(), moves.end(), std::size_t{0}); }

Layout::Layout(const Shape& shape) {
    const auto take = [&](std::size_t count) {
        const std::size_t at = size;
        size += count;
        return at;
    };
    rows = take(shape.inputs * shape.hidden);
    bias1 = take(shape.hidden);
    second = take(shape.second * shape.hidden);
    bias2 = take(shape.second);
    values = take(shape.seats * shape.second);
    value_bias = take(shape.seats);
    policy = take(shape.all_moves() * shape.hidden);
    policy_bias = take(shape.all_moves());
    std::size_t move = 0;
    for (const std::size_t count : shape.moves) {
        first_move.push_back(move);
        move += count;
    }
}

Network::Network(const Shape& shape, std::uint64_t seed)
    : shape_(shape), layout_(shape), weights_(layout_.size, 0.0F) {
    Random random(seed);
    const auto fill = [&](std::size_t first, std::size_t count, double spread) {
        for (std::size_t i = first; i < first + count; ++i)
            weights_[i] = static_cast<float>((2 * random.fraction() - 1) * spread);
    };
    constexpr double features_at_once = 40;  // an order of magnitude
    const auto spread = [](double inputs) { return std::sqrt(2 / inputs); };
    fill(layout_.rows, shape.inputs * shape.hidden, 0.5 * spread(features_at_once));
    std::fill_n(weights_.begin() + static_cast<std::ptrdiff_t>(layout_.bias1), shape.hidden, 0.25F);
    fill(layout_.second, shape.second * shape.hidden, spread(static_cast<double>(shape.hidden)));
    std::fill_n(weights_.begin() + static_cast<std::ptrdiff_t>(layout_.bias2), shape.second, 0.25F);
    fill(layout_.values, shape.seats * shape.second, 0.1 * spread(static_cast<double>(shape.second)));
}

Network::Network(const Shape& shape, std::vector<float> weights)
    : shape_(shape), layout_(shape), weights_(std::move(weights)) {}

struct Network::Pass {
    std::vector<float> sum1, first, sum2, second, values;
    std::vector<std::vector<float>> policies;
};

void Network::forward(const Example& example, Pass& pass) const {
    const Kernels& k = kernels();
    const float* w = weights_.data();
    const std::size_t hidden = shape_.hidden;
    pass.sum1.assign(w + layout_.bias1, w + layout_.bias1 + hidden);
    k.add_float_rows(pass.sum1.data(), w + layout_.rows, example.features.data(), example.features.size(),
                     hidden);
    pass.first.resize(hidden);
    std::transform(pass.sum1.begin(), pass.sum1.end(), pass.first.begin(), clip);
    pass.sum2.resize(shape_.second);
    pass.second.resize(shape_.second);
    for (std::size_t i = 0; i < shape_.second; ++i) {
        pass.sum2[i] =
            w[layout_.bias2 + i] + k.float_dot(w + layout_.second + i * hidden, pass.first.data(), hidden);
        pass.second[i] = clip(pass.sum2[i]);
    }
    pass.values.resize(shape_.seats);
    for (std::size_t s = 0; s < shape_.seats; ++s)
        pass.values[s] =
            sigmoid(w[layout_.value_bias + s] +
                    k.float_dot(w + layout_.values + s * shape_.second, pass.second.data(), shape_.second));
    pass.policies.resize(example.policies.size());
    for (std::size_t p = 0; p < example.policies.size(); ++p) {
        const PolicyTarget& target = example.policies[p];
        auto& out = pass.policies[p];
        out.assign(target.moves.size(), 0.0F);
        if (out.empty()) continue;
        if (shape_.moves[target.role] > 0) {
            for (std::size_t i = 0; i < out.size(); ++i) {
                const std::size_t move = layout_.first_move[target.role] + target.moves[i];
                out[i] = w[layout_.policy_bias + move] +
                         k.float_dot(w + layout_.policy + move * hidden, pass.first.data(), hidden);
            }
        }
        softmax(out);
    }
}

Network::Answer Network::answer(const Example& example) const {
    Pass pass;
    forward(example, pass);
    return {std::move(pass.values), std::move(pass.policies)};
}

Loss Network::add_gradient(const Example& example, std::span<float> gradient) const {
    const Kernels& k = kernels();
    thread_local Pass pass;
    thread_local std::vector<float> to_first;
    thread_local std::vector<float> to_second;
    forward(example, pass);
    const float* w = weights_.data();
    float* g = gradient.data();
    const std::size_t hidden = shape_.hidden;
    Loss loss;
    to_first.assign(hidden, 0.0F);
    to_second.assign(shape_.second, 0.0F);
    for (std::size_t s = 0; s < shape_.seats; ++s) {
        const float target = example.values[s];
        loss.value += cross_entropy(target, pass.values[s]) / static_cast<double>(shape_.seats);
        const float error = (pass.values[s] - target) / static_cast<float>(shape_.seats);
        g[layout_.value_bias + s] += error;
        k.add_scaled(g + layout_.values + s * shape_.second, pass.second.data(), error, shape_.second);
        k.add_scaled(to_second.data(), w + layout_.values + s * shape_.second, error, shape_.second);
    }
    for (std::size_t i = 0; i < shape_.second; ++i) {
        if (!inside(pass.sum2[i])) continue;
        const float error = to_second[i];
        g[layout_.bias2 + i] += error;
        k.add_scaled(g + layout_.second + i * hidden, pass.first.data(), error, hidden);
        k.add_scaled(to_first.data(), w + layout_.second + i * hidden, error, hidden);
    }
    for (std::size_t p = 0; p < example.policies.size(); ++p) {
        const PolicyTarget& target = example.policies[p];
        if (shape_.moves[target.role] == 0) continue;
        for (std::size_t i = 0; i < target.moves.size(); ++i) {
            constexpr float least = 1e-9F;
            const float estimate = pass.policies[p][i];
            loss.policy -= double{target.shares[i]} * std::log(std::max(least, estimate));
            const float error = estimate - target.shares[i];
            const std::size_t move = layout_.first_move[target.role] + target.moves[i];
            g[layout_.policy_bias + move] += error;
            k.add_scaled(g + layout_.policy + move * hidden, pass.first.data(), error, hidden);
            k.add_scaled(to_first.data(), w + layout_.policy + move * hidden, error, hidden);
        }
    }
    for (std::size_t i = 0; i < hidden; ++i) {
        if (!inside(pass.sum1[i])) to_first[i] = 0;
    }
    k.add_scaled(g + layout_.bias1, to_first.data(), 1, hidden);
    k.add_to_rows(g + layout_.rows, example.features.data(), example.features.size(), to_first.data(),
                  hidden);
    return loss;
}

}  // namespace zermelo::learn
