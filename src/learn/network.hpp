// The network that judges states: its weights, what it computes, and the gradient of its loss.
//
//     a  = clip(b₁ + Σ rows of the features that hold)        the first layer, a sum of rows (Nasu 2018)
//     c  = clip(b₂ + W₂ a)
//     value of a seat  = σ(b + v · c)                          0 … 1, a goal of 0 … 100
//     policy of a role = softmax over its legal moves m of  (b_m + row_m · a)
//
// clip(x) lies within 0 and 1. The loss of an example is the cross entropy between values and their targets, plus that
// between policies and their targets (as in Silver et al. 2017). All weights lie in one array, so that an optimiser and a
// file need not know what they mean.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace zermelo::learn {

struct Shape {
    std::size_t inputs = 0;
    std::size_t hidden = 64;  // units of the first layer, a multiple of row_step
    std::size_t second = 32;  // of the second, a multiple of row_step
    std::size_t seats = 0;
    std::vector<std::size_t> moves;  // by role; 0: no policy for this role

    [[nodiscard]] std::size_t all_moves() const;
    friend bool operator==(const Shape&, const Shape&) = default;
};

// Where the weights are.
struct Layout {
    std::size_t rows = 0;
    std::size_t bias1 = 0;
    std::size_t second = 0;
    std::size_t bias2 = 0;
    std::size_t values = 0;
    std::size_t value_bias = 0;
    std::size_t policy = 0;
    std::size_t policy_bias = 0;
    std::size_t size = 0;
    std::vector<std::size_t> first_move;  // by role: the row of its first move

    explicit Layout(const Shape& shape);
};

// What is to be learned from a state.
struct PolicyTarget {
    std::uint32_t role = 0;
    std::vector<std::uint32_t> moves;  // legal
    std::vector<float> shares;         // adding up to one
};
struct Example {
    std::vector<std::uint32_t> features;
    std::vector<float> values;  // by seat
    std::vector<PolicyTarget> policies;
};

struct Loss {
    double value = 0;
    double policy = 0;
    Loss& operator+=(const Loss& other) {
        value += other.value;
        policy += other.policy;
        return *this;
    }
};

class Network {
public:
    // Random weights; all moves are equally likely, and all values are close to one half.
    Network(const Shape& shape, std::uint64_t seed);
    Network(const Shape& shape, std::vector<float> weights);

    [[nodiscard]] const Shape& shape() const { return shape_; }
    [[nodiscard]] const Layout& layout() const { return layout_; }
    [[nodiscard]] const std::vector<float>& weights() const { return weights_; }
    [[nodiscard]] std::vector<float>& weights() { return weights_; }

    struct Answer {
        std::vector<float> values;                 // by seat
        std::vector<std::vector<float>> policies;  // of the roles and moves that the example names
    };
    [[nodiscard]] Answer answer(const Example& example) const;

    // Adds the gradient of the loss of the example to `gradient`, which has a place for each weight.
    Loss add_gradient(const Example& example, std::span<float> gradient) const;

private:
    struct Pass;
    void forward(const Example& example, Pass& pass) const;

    Shape shape_;
    Layout layout_;
    std::vector<float> weights_;
};

}  // namespace zermelo::learn
