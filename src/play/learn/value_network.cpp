#include "play/learn/value_network.hpp"

#include <bit>
#include <cmath>

#include "core/random.hpp"

namespace zermelo::play {

namespace {

constexpr float step = 0.03F;
constexpr float step_inside = 0.02F;
constexpr float moved_before = 4;  // the first steps are not to undo what random plays taught
constexpr float moved_before_inside = 0.3F;
constexpr float first_weights = 0.2F;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

template <class Visit>
void each_fluent(const gdl::State& state, Visit visit) {
    for (std::size_t word = 0; word < state.size(); ++word) {
        for (std::uint64_t bits = state[word]; bits != 0; bits &= bits - 1)
            visit(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }
}

void descend(float& weight, float& moved, float gradient, float by) {
    moved += gradient * gradient;
    weight -= by * gradient / std::sqrt(moved);
}

}  // namespace

ValueNetwork::ValueNetwork(const game::LearnedHeuristic& learned) {
    const game::Weights& weights = learned.of_player.front();
    base_.weight = static_cast<float>(weights.base);
    rows_.resize(weights.of_fluent.size());
    for (std::size_t f = 0; f < rows_.size(); ++f) rows_[f].weight = static_cast<float>(weights.of_fluent[f]);
}

double ValueNetwork::sum(const gdl::State& state, Units& inside) const {
    float total = base_.weight;
    if (rows_.empty()) return double{total};
    inside = base_.in;
    each_fluent(state, [&](std::size_t f) {
        const Row& row = rows_[f];
        total += row.weight;
        for (std::size_t u = 0; u < units; ++u) inside[u] += row.in[u];
    });
    for (std::size_t u = 0; u < units; ++u) total += out_[u] * inside[u] / (1 + std::abs(inside[u]));
    return double{total};
}

double ValueNetwork::value(const gdl::State& state) const {
    Units inside;
    return sigmoid(sum(state, inside));
}

void ValueNetwork::begin(std::uint64_t seed) {
    Random random(seed);
    const auto any = [&] {
        return first_weights * (2 * static_cast<float>(random.next() >> 40) / 0x1p24F - 1);
    };
    for (Row& row : rows_) {
        for (float& weight : row.in) weight = any();
    }
    for (float& weight : out_) weight = any();
    Row moved;
    moved.weight = moved_before;
    moved.in.fill(moved_before_inside);
    moved_.assign(rows_.size(), moved);
    base_moved_ = moved;
    out_moved_.fill(moved_before_inside);
}

double ValueNetwork::learn(const gdl::State& state, double target) {
    Units inside;
    const double value = sigmoid(sum(state, inside));
    const auto gradient = static_cast<float>(value - target);
    Units below;
    for (std::size_t u = 0; u < units; ++u) {
        const float damped = 1 / (1 + std::abs(inside[u]));
        below[u] = gradient * out_[u] * damped * damped;
        descend(out_[u], out_moved_[u], gradient * inside[u] * damped, step_inside);
    }
    const auto descend_row = [&](Row& row, Row& moved) {
        descend(row.weight, moved.weight, gradient, step);
        for (std::size_t u = 0; u < units; ++u) descend(row.in[u], moved.in[u], below[u], step_inside);
    };
    descend_row(base_, base_moved_);
    each_fluent(state, [&](std::size_t f) { descend_row(rows_[f], moved_[f]); });
    return value;
}

}  // namespace zermelo::play
