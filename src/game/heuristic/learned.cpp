#include "game/heuristic/learned.hpp"

#include <bit>

#include "core/random.hpp"
#include "gdl/circuit/bitsliced_playouts.hpp"

namespace zermelo::game {

namespace {

constexpr std::size_t examples_between_limit_checks = 256;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

struct Examples {
    std::size_t words = 0;                    // of a state
    std::vector<std::uint64_t> states;        // one after the other
    std::vector<std::uint32_t> playout;       // by example
    std::vector<std::vector<double>> payoff;  // by playout and player, 0 … 1

    [[nodiscard]] std::size_t size() const { return playout.size(); }
};

// Random plays in lock-step, a lane each; plays that do not come to an end add nothing.
class ExampleGenerator {
public:
    ExampleGenerator(const gdl::Machine& machine, const LearnOptions& options)
        : machine_(machine), options_(options) {
        const auto& network = machine.network();
        for (std::size_t role = 0; role < network.roles.size(); ++role) {
            if (network.terms.symbol(network.roles[role]) != gdl::kw_random) roles_.push_back(role);
        }
        examples_.words = machine.initial().size();
    }

    [[nodiscard]] std::size_t players() const { return roles_.size(); }

    Examples play() {
        if (examples_.words == 0) return std::move(examples_);  // there is nothing to learn from
        const auto playouts = gdl::BitslicedPlayouts::make(machine_, options_.seed);
        while (examples_.payoff.size() < options_.playouts && !over()) {
            const std::size_t wanted =
                std::min(playouts->lanes(), options_.playouts - examples_.payoff.size());
            if (!play_together(*playouts, wanted)) break;
        }
        return std::move(examples_);
    }

private:
    [[nodiscard]] bool over() const {
        return options_.limits.reached() != Stop::none || options_.playing.reached() != Stop::none;
    }

    // False where no play came to an end.
    bool play_together(gdl::BitslicedPlayouts& playouts, std::size_t lanes) {
        const std::vector<const gdl::State*> start(lanes, &machine_.initial());
        std::vector<std::vector<std::uint64_t>> states(lanes);
        std::vector<bool> ended(lanes, false);
        std::size_t running = lanes;
        const std::size_t before = examples_.payoff.size();
        playouts.assign_groups(start, 1, false);
        for (std::size_t moves = 0; moves < options_.most_moves && running > 0 && !over(); ++moves) {
            playouts.group_states(looks_);
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                if (ended[lane]) continue;
                const auto& look = looks_[lane];
                if (look.terminal) {
                    ended[lane] = true;
                    --running;
                    add(states[lane], look.goals);
                } else {
                    states[lane].insert(states[lane].end(), look.state.begin(), look.state.end());
                }
            }
            (void)playouts.drain(tally_, 1);
        }
        return examples_.payoff.size() > before;
    }

    void add(const std::vector<std::uint64_t>& states, const std::vector<int>& goals) {
        examples_.states.insert(examples_.states.end(), states.begin(), states.end());
        examples_.playout.resize(examples_.states.size() / examples_.words,
                                 static_cast<std::uint32_t>(examples_.payoff.size()));
        auto& payoff = examples_.payoff.emplace_back();
        for (const std::size_t role : roles_) payoff.push_back(std::max(0, goals[role]) / double{win});
    }

    const gdl::Machine& machine_;
    const LearnOptions& options_;
    std::vector<std::size_t> roles_;  // by player
    std::vector<gdl::BitslicedPlayouts::GroupState> looks_;
    gdl::Tally tally_;
    Examples examples_;
};

// The weights of one player, and how far each has been moved.
class Fit {
public:
    Fit(std::size_t fluents, const LearnOptions& options)
        : options_(options), weights_{0, std::vector<double>(fluents, 0)}, moved_(fluents + 1, 1e-8) {}

    void learn(std::span<const std::uint64_t> state, double payoff) {
        double total = weights_.base;
        for_each_fluent(state, [&](std::size_t f) { total += weights_.of_fluent[f]; });
        const double gradient = sigmoid(total) - payoff;
        descend(weights_.base, moved_.back(), gradient);
        for_each_fluent(state, [&](std::size_t f) {
            descend(weights_.of_fluent[f], moved_[f], gradient + options_.shrink * weights_.of_fluent[f]);
        });
    }
    [[nodiscard]] const Weights& weights() const { return weights_; }

private:
    template <class Visit>
    static void for_each_fluent(std::span<const std::uint64_t> state, Visit visit) {
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

double LearnedHeuristic::payoff(const gdl::State& state, Player player) const {
    return win * sigmoid(of_player[player].sum(state));
}

LearnedHeuristic learn(const gdl::Machine& machine, const LearnOptions& options) {
    ExampleGenerator generator(machine, options);
    const std::size_t players = generator.players();
    const Examples examples = generator.play();
    std::vector<Fit> fits(players, Fit(machine.network().fluents.size(), options));
    std::vector<std::size_t> order(examples.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    Random random(options.seed + 1);
    for (std::size_t round = 0; round < options.rounds && options.limits.reached() == Stop::none; ++round) {
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        std::size_t seen = 0;
        for (const std::size_t i : order) {
            if (++seen % examples_between_limit_checks == 0 && options.limits.reached() != Stop::none) break;
            const std::span state(examples.states.data() + i * examples.words, examples.words);
            const auto& payoff = examples.payoff[examples.playout[i]];
            for (std::size_t p = 0; p < players; ++p) fits[p].learn(state, payoff[p]);
        }
    }
    LearnedHeuristic learned;
    for (const Fit& fit : fits) learned.of_player.push_back(fit.weights());
    return learned;
}

}  // namespace zermelo::game
