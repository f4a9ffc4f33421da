#include "game/learned.hpp"

#include <bit>

#include "core/random.hpp"
#include "gdl/steps.hpp"

namespace zermelo::game {

namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

struct Examples {
    std::size_t words = 0;                    // of a state
    std::vector<std::uint64_t> states;        // one after the other
    std::vector<std::uint32_t> playout;       // by example
    std::vector<std::vector<double>> payoff;  // by playout and player, 0 … 1

    [[nodiscard]] std::size_t size() const { return playout.size(); }
};

// Plays one game and adds its states; nothing is added when it does not come to an end.
class Playouts {
public:
    Playouts(const gdl::Machine& machine, const LearnOptions& options)
        : steps_(machine), options_(options), random_(options.seed), choice_(machine.roles()) {
        const auto& network = machine.network();
        for (std::size_t role = 0; role < network.roles.size(); ++role) {
            if (network.terms.symbol(network.roles[role]) != gdl::kw_random) roles_.push_back(role);
        }
        examples_.words = machine.initial().size();
    }

    [[nodiscard]] std::size_t players() const { return roles_.size(); }

    Examples play() {
        for (std::size_t i = 0; i < options_.playouts && options_.limits.reached() == Stop::none; ++i)
            play_one();
        return std::move(examples_);
    }

private:
    void play_one() {
        const std::size_t before = examples_.size();
        gdl::State state = steps_.initial();
        for (steps_.load(state); !steps_.terminal(); steps_.load(state)) {
            if (examples_.size() - before == options_.most_moves || !choose()) return forget(before);
            examples_.states.insert(examples_.states.end(), state.begin(), state.end());
            examples_.playout.push_back(static_cast<std::uint32_t>(examples_.payoff.size()));
            steps_.next(choice_, state);
        }
        auto& payoff = examples_.payoff.emplace_back();
        for (const std::size_t role : roles_) payoff.push_back(std::max(0, steps_.goal(role)) / double{win});
    }
    bool choose() {
        for (std::size_t role = 0; role < choice_.size(); ++role) {
            const std::size_t choices = steps_.choices(role);
            if (choices == 0) return false;
            choice_[role] = random_.below(choices);
        }
        return true;
    }
    void forget(std::size_t before) {
        examples_.states.resize(before * examples_.words);
        examples_.playout.resize(before);
    }

    gdl::MachineSteps steps_;
    const LearnOptions& options_;
    Random random_;
    std::vector<std::size_t> choice_;
    std::vector<std::size_t> roles_;  // by player
    Examples examples_;
};

// The weights of one player, and how far each has been moved.
class Fit {
public:
    Fit(std::size_t fluents, const LearnOptions& options)
        : options_(options), weights_{0, std::vector<double>(fluents, 0)}, moved_(fluents + 1, 1e-8) {}

    void learn(std::span<const std::uint64_t> state, double payoff) {
        double total = weights_.base;
        each_fluent(state, [&](std::size_t f) { total += weights_.of_fluent[f]; });
        const double gradient = sigmoid(total) - payoff;
        descend(weights_.base, moved_.back(), gradient);
        each_fluent(state, [&](std::size_t f) {
            descend(weights_.of_fluent[f], moved_[f], gradient + options_.shrink * weights_.of_fluent[f]);
        });
    }
    [[nodiscard]] const Weights& weights() const { return weights_; }

private:
    template <class Visit>
    static void each_fluent(std::span<const std::uint64_t> state, Visit visit) {
        for (std::size_t word = 0; word < state.size(); ++word) {
            for (std::uint64_t bits = state[word]; bits != 0; bits &= bits - 1) {
                visit(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
            }
        }
    }
    void descend(double& weight, double& moved, double gradient) const {
        moved += gradient * gradient;
        weight -= options_.step * gradient / std::sqrt(moved);
    }

    const LearnOptions& options_;
    Weights weights_;
    std::vector<double> moved_;
};

}  // namespace

double Learned::payoff(const gdl::State& state, Player player) const {
    return win * sigmoid(of_player[player].sum(state));
}

Learned learn(const gdl::Machine& machine, const LearnOptions& options) {
    Playouts playouts(machine, options);
    const std::size_t players = playouts.players();
    const Examples examples = playouts.play();
    std::vector<Fit> fits(players, Fit(machine.network().fluents.size(), options));
    std::vector<std::size_t> order(examples.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    Random random(options.seed + 1);
    for (std::size_t round = 0; round < options.rounds && options.limits.reached() == Stop::none; ++round) {
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        for (const std::size_t i : order) {
            const std::span state(examples.states.data() + i * examples.words, examples.words);
            const auto& payoff = examples.payoff[examples.playout[i]];
            for (std::size_t p = 0; p < players; ++p) fits[p].learn(state, payoff[p]);
        }
    }
    Learned learned;
    for (const Fit& fit : fits) learned.of_player.push_back(fit.weights());
    return learned;
}

}  // namespace zermelo::game
