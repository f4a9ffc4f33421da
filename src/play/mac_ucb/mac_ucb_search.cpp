#include "play/mac_ucb/mac_ucb_search.hpp"

#include <algorithm>
#include <cmath>

#include "core/clock.hpp"

namespace zermelo::play {

namespace {

constexpr std::size_t leaves_of_round = 32;          // at most, where a clock decides
constexpr std::uint64_t paper_simulations = 10'000;  // of a micro-SCSP, at most, where a clock decides
constexpr std::size_t longest_descent = 500;         // a play may come back to a state
constexpr double memory_of_costs = 0.8;

}  // namespace

MacUcbSearch::MacUcbSearch(const GameContext& rules, const scsp::TurnProgram& program,
                           const Settings& settings, const MacUcbOptions& options, MicroTree& tree,
                           SymmetricMicros* symmetric)
    : rules_(rules),
      settings_(settings),
      options_(options),
      tree_(tree),
      symmetric_(symmetric),
      resolution_(rules, program, settings.role),
      playouts_(rules, settings.seed),
      stream_(rules, settings.seed),
      random_(mixed(settings.seed, settings.role).low) {}

std::uint64_t MacUcbSearch::search(std::vector<MicroNode::Possible> now, const TimeBudget& allowance) {
    allowance_ = allowance;
    deadline_ = allowance.deadline;
    spent_ = {};
    done_ = 0;
    root_ = place_root(std::move(now));
    if (allowance.playouts > 0)
        search_by_count();
    else
        search_in_rounds();
    counts_.resolution = resolution_.counts();
    counts_.simulations += done_;
    return done_;
}

void MacUcbSearch::search_in_rounds() {
    bool merged = symmetric_ == nullptr;
    while (!tree_[root_].exact && !tree_[root_].too_wide && !deadline_.passed()) {
        if (!round()) break;
        if (!merged) merged = merge_symmetric_solutions(tree_[root_]);
    }
}

bool MacUcbSearch::resolve(MicroNode& node) {
    const double symmetry_before = spent_.symmetry;
    const auto begun = Deadline::Clock::now();
    const bool done = resolution_.resolve(
        node, [this](MicroNode&& next) { return place(std::move(next)); }, deadline_);
    if (done && node.resolved) {
        tree_.settle_all(node);
        tree_.count(node);
    }
    spent_.resolution += seconds_since(begun) - (spent_.symmetry - symmetry_before);
    return done;
}

bool MacUcbSearch::round() {
    leaves_.clear();
    simulations_.clear();
    const std::uint64_t before = done_;
    do {
        if (!descend()) break;
        if (deadline_.passed() || tree_[root_].exact) break;
    } while (leaves_.size() < leaves_of_round && done_ - before < leaves_of_round);
    for (std::size_t i = 0; i < leaves_.size(); ++i) sample(i, wanted(leaves_[i], leaves_.size()));
    run_simulations();
    for (const Leaf& leaf : leaves_) {
        for (const Step& step : leaf.path) pend(step, -1);
    }
    return done_ > before;
}

// How many simulations a leaf gets. With a clock, so many that sampling gets its share of the time.
std::uint64_t MacUcbSearch::wanted(const Leaf& leaf, std::size_t leaves) const {
    const MicroNode& node = tree_[leaf.node];
    if (options_.each > 0) return options_.each;
    if (!deadline_.set() || leaves == 0) {
        if (!leaf.fresh) return 1;
        if (node.choosers.size() > 1) return node.choosers.front().arms.size();
        std::uint64_t count = 0;
        for (std::uint32_t i = 0; i < node.solutions.size(); ++i)
            count += node.solutions[i].twin_of == i && !node.solutions[i].exact ? 1 : 0;
        return std::max<std::uint64_t>(1, count);
    }
    const double share = std::max(0.01, 1 - options_.resolve - options_.symmetry_time);
    const double target = spent_.resolution * share / std::max(0.01, options_.resolve) - spent_.sampling;
    const double affordable =
        simulation_seconds_ > 0 ? target / simulation_seconds_ / static_cast<double>(leaves) : 1;
    return static_cast<std::uint64_t>(std::clamp(affordable, 1.0, static_cast<double>(paper_simulations)));
}

// Follows the greatest upper confidence bounds to a leaf, or to something exact, which counts as a simulation. False
// where the time is up.
bool MacUcbSearch::descend() {
    Leaf leaf{{}, root_, false, 0};
    for (;;) {
        MicroNode& node = tree_[leaf.node];
        if (node.exact) break;
        if (!node.resolved && !node.too_wide && tree_.bytes() < settings_.memory) {
            if (!resolve(node)) return false;
            if (node.too_wide && leaf.node == root_) return false;  // there is nothing to choose between
            if (node.exact) break;
            leaf.fresh = node.resolved;
        }
        if (!node.resolved || leaf.fresh || leaf.path.size() >= longest_descent) {
            for (const Step& step : leaf.path) pend(step, 1);
            leaves_.push_back(std::move(leaf));
            return true;
        }
        const Step step{leaf.node, select(node)};
        leaf.path.push_back(step);
        leaf.node = draw_outcome(node, step.solution);
    }
    MicroNode& node = tree_[leaf.node];
    ++done_;
    ++node.visits;
    for (std::size_t seat = 0; seat < node.sum.size(); ++seat) node.sum[seat] += node.value[seat];
    take_back(leaf.path, node.value);
    return true;
}

void MacUcbSearch::pend(const Step& step, int change) {
    for (auto& chooser : tree_[step.node].choosers) {
        auto& arm = chooser.arms[step.solution / chooser.stride % chooser.arms.size()];
        arm.pending = static_cast<std::uint32_t>(static_cast<int>(arm.pending) + change);
    }
}

MicroId MacUcbSearch::draw_outcome(const MicroNode& node, std::uint32_t solution) {
    const auto outcomes = node.outcomes_of(node.solutions[solution]);
    if (outcomes.size() == 1) return outcomes.front().child;
    double left = random_.fraction();
    for (const auto& outcome : outcomes) {
        left -= outcome.probability;
        if (left < 0) return outcome.child;
    }
    return outcomes.back().child;
}

std::uint32_t MacUcbSearch::select_arm(const MicroNode::Chooser& chooser) const {
    double tries = 0;
    for (const auto& arm : chooser.arms) tries += arm.tries();
    std::uint32_t best = 0;
    double greatest = -1;
    for (std::uint32_t i = 0; i < chooser.arms.size(); ++i) {
        const auto& arm = chooser.arms[i];
        if (arm.tries() == 0) return i;
        const double bound = arm.mean() + options_.exploration * std::sqrt(std::log(tries) / arm.tries());
        if (bound <= greatest) continue;
        best = i;
        greatest = bound;
    }
    return best;
}

std::uint32_t MacUcbSearch::select(MicroNode& node) {
    if (node.choosers.empty()) return 0;
    if (node.choosers.size() == 1) return select_single(node);
    std::uint32_t solution = 0;
    for (const auto& chooser : node.choosers) solution += select_arm(chooser) * chooser.stride;
    return solution;
}

// Of the solutions that are left in c_s and not exact; if there is none, of those that were removed without proof, and then
// the best of the exact ones.
std::uint32_t MacUcbSearch::select_single(MicroNode& node) {
    if (options_.pruning > 0 && node.visits >= node.next_pruning) prune(node);
    const auto& arms = node.choosers.front().arms;
    double tries = 0;
    for (const auto& arm : arms) tries += arm.tries();
    for (const bool removed : {false, true}) {
        std::optional<std::uint32_t> best;
        double greatest = -1;
        for (std::uint32_t i = 0; i < arms.size(); ++i) {
            const auto& solution = node.solutions[i];
            if (solution.twin_of != i || solution.exact || solution.refuted) continue;
            if (solution.removed != removed) continue;
            if (arms[i].tries() == 0) return i;
            const double bound =
                arms[i].mean() + options_.exploration * std::sqrt(std::log(tries) / arms[i].tries());
            if (bound <= greatest) continue;
            best = i;
            greatest = bound;
        }
        if (best) return *best;
    }
    return node.certain.value_or(0);
}

// UCB1 on the solutions of a leaf, or its states where it has none.
void MacUcbSearch::sample(std::size_t leaf, std::uint64_t simulations) {
    for (std::uint64_t i = 0; i < simulations; ++i) {
        Simulation one{leaf, {}, leaves_[leaf].node, nullptr};
        if (leaves_[leaf].fresh) {
            MicroNode& node = tree_[one.end];
            one.step = Step{one.end, select(node)};
            pend(*one.step, 1);
            one.end = draw_outcome(node, one.step->solution);
        }
        const MicroNode& end = tree_[one.end];
        if (!end.exact) {
            double left = random_.fraction();
            std::size_t at = 0;
            while (at + 1 < end.states.size() && (left -= end.states[at].probability) >= 0) ++at;
            one.state = &end.states[at].state;
        }
        simulations_.push_back(one);
    }
}

void MacUcbSearch::run_simulations() {
    if (simulations_.empty()) return;
    const auto begun = Deadline::Clock::now();
    starts_.clear();
    for (const Simulation& one : simulations_) {
        if (one.state != nullptr) starts_.push_back(one.state);
    }
    playouts_.run(starts_, 1, false, deadline_, results_);
    std::size_t next = 0;
    for (const Simulation& one : simulations_) {
        if (one.step) pend(*one.step, -1);
        Utilities value = tree_[one.end].value;
        if (one.state != nullptr) {
            const Playouts::Result& result = results_[next++];
            if (result.playouts == 0 && deadline_.passed()) continue;
            value.clear();
            for (const std::size_t role : rules_.seats())
                value.push_back(result.playouts == 0 ? 0
                                                     : result.goals[role]);  // a play without end is worth 0
        }
        ++done_;
        take_back(one, std::move(value));
    }
    const double seconds = seconds_since(begun);
    spent_.sampling += seconds;
    const double each = seconds / static_cast<double>(simulations_.size());
    simulation_seconds_ = simulation_seconds_ == 0
                              ? each
                              : memory_of_costs * simulation_seconds_ + (1 - memory_of_costs) * each;
}

void MacUcbSearch::take_back(const Simulation& simulation, Utilities value) {
    MicroNode& end = tree_[simulation.end];
    ++end.visits;
    for (std::size_t seat = 0; seat < value.size(); ++seat) end.sum[seat] += value[seat];
    std::vector<Step> path = leaves_[simulation.leaf].path;
    if (simulation.step) path.push_back(*simulation.step);
    take_back(path, std::move(value));
}

void MacUcbSearch::take_back(const std::vector<Step>& path, Utilities value) {
    for (std::size_t i = path.size(); i-- > 0;) {
        MicroNode& node = tree_[path[i].node];
        for (auto& chooser : node.choosers) {
            auto& arm = chooser.arms[path[i].solution / chooser.stride % chooser.arms.size()];
            ++arm.visits;
            arm.sum += value[chooser.seat];
        }
        tree_.settle(node, path[i].solution);
        if (node.exact) {
            value = node.value;
        } else if (node.certain && options_.pruning > 0) {
            // Who chooses here would not have taken less than what is certain.
            const auto& certain = node.solutions[*node.certain];
            const std::size_t chooser = node.choosers.front().seat;
            if (tree_.exact_value(node, certain, chooser) > value[chooser]) {
                for (std::size_t seat = 0; seat < value.size(); ++seat)
                    value[seat] = tree_.exact_value(node, certain, seat);
            }
        }
        ++node.visits;
        for (std::size_t seat = 0; seat < value.size(); ++seat) node.sum[seat] += value[seat];
    }
}

std::vector<Estimate> MacUcbSearch::estimates() {
    const MicroNode& node = tree_[root_];
    const std::size_t seat = rules_.seat_of(settings_.role);
    const auto chooser = std::ranges::find(node.choosers, seat, &MicroNode::Chooser::seat);
    if (chooser == node.choosers.end()) return {};
    constexpr double full = 100;
    constexpr double deviations = 1.96;
    std::vector<Estimate> result;
    for (std::uint32_t i = 0; i < chooser->arms.size(); ++i) {
        const bool single = node.choosers.size() == 1;
        const auto& arm = chooser->arms[single ? node.solutions[i].twin_of : i];
        Estimate one{.move = chooser->arms[i].move, .visits = arm.visits};
        if (symmetric_ != nullptr && root_image_ != 0)
            one.move = symmetric_->preimage(root_image_, settings_.role, one.move);
        one.mean = full * arm.mean();
        if (single && node.solutions[i].exact) {
            one.proven = true;
            one.mean = one.low = one.high = full * tree_.exact_value(node, node.solutions[i], seat);
        } else if (arm.visits > 0) {
            const double half = full * deviations * 0.5 / std::sqrt(static_cast<double>(arm.visits));
            one.low = std::max(0.0, one.mean - half);
            one.high = std::min(full, one.mean + half);
        }
        if (single && node.solutions[i].refuted && !one.proven) {
            // However lucky its simulations were.
            one.high = full * bound(node, node.solutions[i], seat, {});
            one.mean = std::min(one.mean, one.high);
            one.low = std::min(one.low, one.high);
        }
        result.push_back(one);
    }
    for (std::size_t i = result.size(); i > 1; --i) std::swap(result[i - 1], result[random_.below(i)]);
    std::ranges::stable_sort(result, [](const Estimate& a, const Estimate& b) {
        const bool known_a = a.proven || a.visits > 0;
        const bool known_b = b.proven || b.visits > 0;
        return known_a != known_b ? known_a : a.mean > b.mean + 1e-7;
    });
    return result;
}

}  // namespace zermelo::play
