// Judgement: what a network says about the states of a game. Features, weights in whole numbers, and what is known of the
// seats.
//
// It never changes, and is shared by any number of threads; each thread asks through a Judge of its own. Values are
// 0 … 1, a goal of 0 … 100, for the seats, the roles other than `random`. In games whose two seats are opponents their
// values add up to 1.

#pragma once

#include "learn/features.hpp"
#include "learn/quantised.hpp"

namespace zermelo::learn {

class Judgement {
public:
    // `opposed`: two seats whose goals add up to 100.
    Judgement(Features features, QuantisedWeights weights, bool opposed, bool trusted = false);

    [[nodiscard]] const Features& features() const { return features_; }
    [[nodiscard]] const QuantisedNetwork& network() const { return network_; }
    [[nodiscard]] std::size_t seats() const { return network_.shape().seats; }
    [[nodiscard]] bool opposed() const { return opposed_; }
    // It has won more than it lost against the same player without it, after it was trained.
    [[nodiscard]] bool trusted() const { return trusted_; }
    // Makes the values of two opponents add up to one.
    void settle(std::span<float> values) const;

private:
    Features features_;
    QuantisedNetwork network_;
    bool opposed_;
    bool trusted_;
};

class Judge {
public:
    explicit Judge(std::shared_ptr<const Judgement> judgement);

    // Any number of states at once; then the functions below tell about them.
    void look_at(std::span<const State* const> states);
    [[nodiscard]] std::span<const float> values(std::size_t state) const;  // by seat
    void policy(std::size_t state, std::size_t role, std::span<const MoveId> legal,
                std::span<float> out) const;

    // One state, close to the one that was asked about last: only what differs is added up anew (an efficiently updatable
    // network, Nasu 2018).
    [[nodiscard]] std::span<const float> nearby(const State& state);

private:
    std::shared_ptr<const Judgement> judgement_;
    std::vector<std::uint64_t> rows_;
    std::vector<std::uint32_t> some_;
    std::vector<std::int16_t> active_;  // by state
    std::vector<float> values_;
    std::vector<std::uint64_t> last_row_;
    std::vector<std::int16_t> last_sums_;
    std::vector<std::int16_t> last_active_;
    std::vector<float> last_values_;
};

}  // namespace zermelo::learn
