// What a network says about the leaves of the tree: their values, and a policy over their moves.

#include <algorithm>
#include <cmath>

#include "play/mcts/mcts_internal.hpp"

namespace zermelo::play {

namespace {

constexpr double noise_shape = 10;  // of a Dirichlet distribution, divided by the number of moves (Wu 2019)

// Gamma distributed (Marsaglia and Tsang 2000), for shapes below one, too.
double draw_gamma(Random& random, double shape) {
    constexpr double least = 1e-12;
    if (shape < 1)
        return draw_gamma(random, shape + 1) * std::pow(std::max(least, random.fraction()), 1 / shape);
    const double d = shape - 1.0 / 3;
    const double c = 1 / std::sqrt(9 * d);
    for (;;) {
        // Normally distributed (Box and Muller 1958).
        constexpr double two_pi = 6.283185307179586;
        const double radius = std::sqrt(-2 * std::log(std::max(least, random.fraction())));
        const double x = radius * std::cos(two_pi * random.fraction());
        const double v = std::pow(1 + c * x, 3);
        if (v <= 0) continue;
        if (std::log(std::max(least, random.fraction())) < 0.5 * x * x + d - d * v + d * std::log(v))
            return d * v;
    }
}

}  // namespace

void Mcts::set_priors(Node& at, const learn::Judge& judge, std::size_t place) const {
    std::vector<MoveId> moves;
    std::vector<float> priors;
    const std::span<const float> values = judge.values(place);
    for (Bandit& bandit : at.bandits) {
        if (rules_.chance(bandit.role)) continue;
        moves.clear();
        for (const Arm& arm : bandit.arms) moves.push_back(arm.move);
        priors.resize(moves.size());
        judge.policy(place, bandit.role, moves, priors);
        for (std::size_t a = 0; a < moves.size(); ++a) bandit.arms[a].prior = priors[a];
        bandit.judged = values[rules_.seat_of(bandit.role)];
    }
}

void Mcts::judge_root(Worker& worker) {
    const State* state = &node(root_).state;
    worker.judge->look_at({&state, 1});
    set_priors(node(root_), *worker.judge, 0);
}

// So that self-play tries moves that the policy thinks little of (Silver et al. 2017).
void Mcts::add_root_noise() {
    Random& random = workers_.front()->random;
    for (Bandit& bandit : node(root_).bandits) {
        if (rules_.chance(bandit.role)) continue;
        const double shape = noise_shape / static_cast<double>(bandit.arms.size());
        std::vector<double> drawn;
        double sum = 0;
        for (std::size_t a = 0; a < bandit.arms.size(); ++a)
            sum += drawn.emplace_back(draw_gamma(random, shape));
        if (sum <= 0) continue;
        for (std::size_t a = 0; a < drawn.size(); ++a) {
            float& prior = bandit.arms[a].prior;
            prior = static_cast<float>((1 - options_.root_noise) * double{prior} +
                                       options_.root_noise * drawn[a] / sum);
        }
    }
}

// The leaves that are no ends of the game.
void Mcts::judge(Worker& worker) const {
    worker.judged.clear();
    for (Descent& descent : worker.in_use()) {
        if (descent.known || descent.look->state.empty()) continue;
        descent.judged = true;
        descent.judge = worker.judge.get();
        descent.place = worker.judged.size();
        worker.judged.push_back(&descent.look->state);
    }
    worker.judge->look_at(worker.judged);
    const auto& seats = rules_.seats();
    for (Descent& descent : worker.in_use()) {
        if (!descent.judged) continue;
        const std::span<const float> values = worker.judge->values(descent.place);
        const double share = descent.result->playouts > 0 ? options_.playouts_share : 0;
        descent.values.resize(rules_.roles());
        for (std::size_t s = 0; s < seats.size(); ++s) {
            double& value = descent.values[seats[s]];
            value = share > 0 ? share * value + (1 - share) * double{values[s]} : double{values[s]};
        }
    }
}

std::vector<Mcts::RootChoice> Mcts::root_choices() const {
    std::vector<RootChoice> all;
    for (const Bandit& bandit : node(root_).bandits) {
        if (rules_.chance(bandit.role)) continue;
        RootChoice& choice = all.emplace_back();
        choice.role = bandit.role;
        double sum = 0;
        double visits = 0;
        for (const Arm& arm : bandit.arms) {
            choice.moves.push_back(canonical_ ? canonical_->preimage(root_turn_, bandit.role, arm.move)
                                              : arm.move);
            choice.visits.push_back(arm.visits);
            sum += arm.sum;
            visits += arm.visits;
        }
        choice.mean = visits > 0 ? sum / visits : double{bandit.judged};
    }
    return all;
}

}  // namespace zermelo::play
