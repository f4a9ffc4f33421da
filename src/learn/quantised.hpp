// A network in whole numbers: 16 bits for the rows of the first layer, 8 for what comes after it.
//
// The first layer is a sum of rows with a scale so that no sum of features overflows; it is exact, so rows can be added and
// subtracted as features come and go. Its clipped output has 7 bits, and products of 8-bit weights with it are summed up in
// 32 bits. The few numbers behind the second layer stay floats.

#pragma once

#include "learn/network.hpp"

namespace zermelo::learn {

// All that a file holds of a network.
struct QuantisedWeights {
    Shape shape;
    std::vector<std::int16_t> rows;
    std::vector<std::int16_t> bias1;
    float row_scale = 1;  // what 1 is in the first layer
    std::vector<std::int8_t> second;
    float second_scale = 1;
    std::vector<float> bias2;
    std::vector<float> values;
    std::vector<float> value_bias;
    std::vector<std::int8_t> policy;
    float policy_scale = 1;
    std::vector<float> policy_bias;
};

[[nodiscard]] QuantisedWeights quantise(const Network& network);

class QuantisedNetwork {
public:
    explicit QuantisedNetwork(QuantisedWeights weights);

    [[nodiscard]] const QuantisedWeights& weights() const { return weights_; }
    [[nodiscard]] const Shape& shape() const { return weights_.shape; }
    [[nodiscard]] std::size_t hidden() const { return weights_.shape.hidden; }

    // The sums of the first layer, `hidden` numbers each.
    void begin(std::int16_t* sums) const;  // of no feature
    void add(std::int16_t* sums, std::span<const std::uint32_t> features) const;
    void subtract(std::int16_t* sums, std::span<const std::uint32_t> features) const;

    // What follows from them.
    void activate(const std::int16_t* sums, std::int16_t* active) const;
    void values(const std::int16_t* active, std::span<float> out) const;  // by seat
    // Of the role's legal moves, adding up to one.
    void policy(const std::int16_t* active, std::size_t role, std::span<const std::uint32_t> legal,
                std::span<float> out) const;

private:
    QuantisedWeights weights_;
    Layout layout_;
    std::vector<std::int16_t> second_;  // widened
    std::vector<std::int16_t> policy_;
    std::int32_t cap_ = 0;
    std::int32_t clip_by_ = 0;
};

}  // namespace zermelo::learn
