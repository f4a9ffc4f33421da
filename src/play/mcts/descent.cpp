// Selection and playouts: down the tree by upper confidence bounds (UCT: Kocsis and Szepesvári 2006; GRAVE:
// Cazenave 2015), and on from there at random.

#include <algorithm>
#include <cmath>

#include "play/mcts/mcts_internal.hpp"

namespace zermelo::play {

namespace {

constexpr std::uint32_t visits_before_cuts = 256;
constexpr double pessimism = 0.1;  // about arms that were not tried, once most of the policy was

// What an arm is worth that was not tried: what the others brought, and less the more of the policy has been tried.
double untried_worth(double judged, const std::vector<Arm>& arms) {
    double sum = judged;
    double visits = 1;
    double tried = 0;
    for (const Arm& arm : arms) {
        if (arm.visits == 0) continue;
        sum += arm.sum;
        visits += arm.visits;
        tried += double{arm.prior};
    }
    return std::max(0.0, sum / visits - pessimism * std::sqrt(tried));
}

}  // namespace

// What the best arm is worth with some confidence.
double Mcts::sure_of(const Node& at, const Bandit& bandit, bool alone) const {
    double most = 0;
    for (std::uint32_t a = 0; a < bandit.arms.size(); ++a) {
        double low = bandit.arms[a].range(options_.cut).first;
        const NodeId to = alone ? child(at, a) : none;
        if (to != none) low = std::min<double>(low, node(to).bounds[bandit.role].high);
        most = std::max(most, low);
    }
    return most;
}

// The outcome that came least often so far, from a random one on.
std::uint32_t Mcts::least_drawn(const Bandit& bandit, std::uint32_t from) {
    const auto drawn = [&](std::uint32_t a) { return bandit.arms[a].visits + bandit.arms[a].pending; };
    std::uint32_t least = from;
    for (std::uint32_t i = 1; i < bandit.arms.size(); ++i) {
        const auto a = static_cast<std::uint32_t>((from + i) % bandit.arms.size());
        if (drawn(a) < drawn(least)) least = a;
    }
    return least;
}

std::uint32_t Mcts::select(Worker& worker, const Node& at, std::size_t which, const Node* reference,
                           std::span<const Turn> turns) const {
    const Bandit& bandit = at.bandits[which];
    if (rules_.chance(bandit.role)) {
        const auto drawn = static_cast<std::uint32_t>(worker.random.below(bandit.arms.size()));
        return options_.balance ? least_drawn(bandit, drawn) : drawn;
    }
    const bool alone = at.bandits.size() == 1 && options_.bounds;
    // What one of the arms is sure of.
    float sure = -1;
    if (alone || at.saddle) {
        for (std::uint32_t a = 0; a < bandit.arms.size(); ++a)
            sure = std::max(sure, known_of_arm(at, which, a).low);
    }
    const double log_visits = std::log(static_cast<double>(at.visits + at.pending + 1));
    const bool guided = options_.judgement != nullptr;
    const double untried = guided ? untried_worth(bandit.judged, bandit.arms) : 0;
    const double root_of_visits = std::sqrt(static_cast<double>(at.visits + at.pending + 1));
    const double floor = options_.cut > 0 && at.visits >= visits_before_cuts ? sure_of(at, bandit, alone) : 0;
    const double bias = options_.blend * transfer_.bias();
    double best = -1;
    double best_cut = -1;
    std::optional<std::uint32_t> cut;  // the best of those that were
    std::uint32_t surest = 0;
    worker.ties.clear();
    for (std::uint32_t a = 0; a < bandit.arms.size(); ++a) {
        if (sure >= 0) {
            const Bounds bounds = known_of_arm(at, which, a);
            if (bounds.low >= sure - tolerance) surest = a;
            if (bounds.high <= sure + tolerance) continue;  // cannot be better
        }
        const Arm& arm = bandit.arms[a];
        if (floor > 0 && arm.range(options_.cut).second < floor) {
            if (arm.sum > best_cut * arm.visits) {
                best_cut = arm.sum / arm.visits;
                cut = a;
            }
            continue;
        }
        const Count* count = nullptr;
        if (reference != nullptr) {
            MoveId there = arm.move;
            for (std::size_t t = turns.size(); t-- > 0;)
                there = canonical_->preimage(turns[t], bandit.role, there);
            count = &reference->counts[first_count_[bandit.role] + there];
        }
        const double value = guided ? promise(arm, options_.trust, root_of_visits, untried)
                             : options_.blend
                                 ? blended_worth(batch_.exploration, bias, arm, log_visits, count)
                                 : worth(options_, batch_.exploration, arm, log_visits, count);
        if (value > best) {
            best = value;
            worker.ties.clear();
        }
        if (value == best) worker.ties.push_back(a);
    }
    if (worker.ties.empty()) return cut.value_or(surest);
    return worker.ties[worker.ties.size() == 1 ? 0 : worker.random.below(worker.ties.size())];
}

void Mcts::descend(Worker& worker, Descent& descent) {
    descent.length = 0;
    descent.leaf = none;
    descent.known = false;
    descent.judged = false;
    const Node* reference = nullptr;
    worker.turns.clear();
    for (NodeId id = root_;;) {
        Node& at = node(id);
        at.era = era_;
        // What is certain needs no playouts; nor does a play that goes in circles.
        if ((certain(at) && id != root_) || descent.length == longest_path) {
            descent.known = true;
            descent.leaf = id;
            descent.values.resize(rules_.roles());
            for (std::size_t r = 0; r < descent.values.size(); ++r)
                descent.values[r] = 0.5 * (double{at.bounds[r].low} + double{at.bounds[r].high});
            return;
        }
        if (options_.grave && !at.counts.empty() &&
            (reference == nullptr || at.visits >= options_.reference)) {
            reference = &at;
            worker.turns.clear();
        }
        if (descent.path.size() == descent.length) descent.path.emplace_back();
        Step& step = descent.path[descent.length++];
        step.node = id;
        step.edge = 0;
        step.arms.resize(at.bandits.size());
        ++at.pending;
        for (std::size_t b = 0; b < at.bandits.size(); ++b) {
            step.arms[b] = select(worker, at, b, reference, worker.turns);
            ++at.bandits[b].arms[step.arms[b]].pending;
            step.edge = step.edge * static_cast<std::uint32_t>(at.bandits[b].arms.size()) + step.arms[b];
        }
        NodeId to = child(at, step.edge);
        step.turn = to == none ? Turn{0} : at.edges[step.edge].turn;
        if (to == none) {
            descent.joint = at.forced;
            for (std::size_t b = 0; b < at.bandits.size(); ++b)
                descent.joint[at.bandits[b].role] = at.bandits[b].arms[step.arms[b]].move;
            descent.from = &at.state;
            if (!at.widely) return;
            // No edges are kept here: the next state tells which node it is.
            worker.info_state.load(at.state);
            State next = at.state;
            worker.info_state.play(descent.joint, next);
            if (canonical_) step.turn = canonical_->canonicalise(next);
            to = find(gdl::hash(next));
            if (to == none) return;
        }
        if (step.turn != 0 && reference != nullptr) worker.turns.push_back(step.turn);
        id = to;
    }
}

// Where the descents left the tree, and what it is worth there.
void Mcts::play_out(Worker& worker, const Deadline& deadline) const {
    worker.exits.clear();
    for (const Descent& descent : worker.in_use()) {
        if (!descent.known) worker.exits.push_back({descent.from, &descent.joint});
    }
    if (worker.judge && options_.playouts_share == 0)
        worker.playouts.look(worker.exits, deadline, worker.looks, worker.results);
    else
        worker.playouts.run(worker.exits, batch_.each, options_.grave, deadline, worker.looks,
                            worker.results);
    std::size_t played = 0;
    for (Descent& descent : worker.in_use()) {
        descent.result = nullptr;
        if (descent.known) continue;
        descent.look = &worker.looks[played];
        descent.turn = make_canonical(*descent.look);
        descent.result = &worker.results[played++];
        if (!descent.look->terminal) {
            descent.values = descent.result->goals;
            continue;
        }
        descent.known = true;
        descent.values.clear();
        for (const int goal : descent.look->goals) descent.values.push_back(0.01 * std::max(0, goal));
    }
    if (worker.judge) judge(worker);
    if (options_.values_share > 0) mix_in_values(worker);
}

// Playouts have noise and no bias, the network has a bias and no noise.
void Mcts::mix_in_values(Worker& worker) const {
    const double share = options_.values_share;
    const auto& seats = rules_.seats();
    for (Descent& descent : worker.in_use()) {
        if (descent.known || descent.judged || descent.look->state.empty()) continue;
        if (descent.result->playouts == 0) continue;
        const double first = options_.values(descent.look->state);
        for (std::size_t s = 0; s < seats.size(); ++s) {
            double& value = descent.values[seats[s]];
            value += share * ((s == 0 ? first : 1 - first) - value);
        }
    }
}

}  // namespace zermelo::play
