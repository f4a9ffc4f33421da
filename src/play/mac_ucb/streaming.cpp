// A search with a number of simulations: whenever one has ended, the next one is chosen.

#include <algorithm>

#include "play/mac_ucb/mac_ucb_search.hpp"

namespace zermelo::play {

namespace {

constexpr std::uint64_t few_at_work = 8;
constexpr std::uint64_t part_at_work = 8;  // of those that the position at hand has had
constexpr double goal_unit = 0.01;         // of a utility

}  // namespace

void MacUcbSearch::search_by_count() {
    leaves_.clear();
    free_leaves_.clear();
    planned_.clear();
    at_work_.clear();
    free_tickets_.clear();
    stream_.clear(options_.leaves > 0 ? options_.leaves : allowance_.playouts / part_at_work);
    merged_ = symmetric_ == nullptr;
    if (!merged_ && tree_[root_].resolved) merged_ = merge_symmetric_solutions(tree_[root_]);
    const auto at_work = [&] { return at_work_.size() - free_tickets_.size(); };
    const auto begun = [&] { return done_ + planned_.size() + at_work(); };
    // The more is known, the less it matters that some choices do not know the latest of it.
    const auto has_room = [&] {
        if (stream_.full()) return false;
        return options_.leaves > 0 || at_work() < std::max(few_at_work, tree_[root_].visits / part_at_work);
    };
    const auto ended = [&] { return tree_[root_].exact || tree_[root_].too_wide || deadline_.passed(); };
    for (bool more = true; !ended();) {
        while (more && has_room() && !ended()) {
            if (planned_.empty())
                more = begun() < allowance_.playouts && plan(allowance_.playouts - begun());
            else
                launch();
        }
        if (stream_.idle()) break;
        for (const PlayoutStream::Ended& one : stream_.step()) {
            land(at_work_[one.ticket], one.goals);
            free_tickets_.push_back(one.ticket);
        }
        more = true;
    }
    // What is still at work does not count.
    std::vector<bool> landed(at_work_.size(), false);
    for (const std::uint32_t ticket : free_tickets_) landed[ticket] = true;
    for (std::size_t i = 0; i < at_work_.size(); ++i) {
        if (!landed[i]) close(at_work_[i]);
    }
    for (const Simulation& one : planned_) close(one);
}

// A descent, and simulations from the leaf where it ended. False where nothing is left to do.
bool MacUcbSearch::plan(std::uint64_t most) {
    const std::size_t before = leaves_.size();
    if (!descend()) return false;
    if (!merged_ && tree_[root_].resolved) merged_ = merge_symmetric_solutions(tree_[root_]);
    if (leaves_.size() == before) return true;
    std::size_t leaf = before;
    if (!free_leaves_.empty()) {
        leaf = free_leaves_.back();
        free_leaves_.pop_back();
        leaves_[leaf] = std::move(leaves_.back());
        leaves_.pop_back();
    }
    simulations_.clear();
    sample(leaf, std::min(most, wanted(leaves_[leaf], 0)));
    leaves_[leaf].open = simulations_.size();
    planned_.insert(planned_.end(), simulations_.begin(), simulations_.end());
    return true;
}

void MacUcbSearch::launch() {
    const Simulation next = planned_.front();
    planned_.pop_front();
    if (next.state == nullptr) {
        land(next, {});
        return;
    }
    if (free_tickets_.empty()) {
        free_tickets_.push_back(static_cast<std::uint32_t>(at_work_.size()));
        at_work_.emplace_back();
    }
    const std::uint32_t ticket = free_tickets_.back();
    free_tickets_.pop_back();
    at_work_[ticket] = next;
    stream_.start(*next.state, ticket);
}

// The utility of a simulation is known: its end is exact, or its play has ended so.
void MacUcbSearch::land(const Simulation& simulation, std::span<const int> goals) {
    Utilities value = tree_[simulation.end].value;
    if (simulation.state != nullptr) {
        value.assign(rules_.seats().size(), 0);  // a play without end is worth 0
        for (std::size_t seat = 0; !goals.empty() && seat < value.size(); ++seat)
            value[seat] = goal_unit * std::max(0, goals[rules_.seats()[seat]]);
    }
    ++done_;
    take_back(simulation, std::move(value));
    close(simulation);
}

// It is not pending any more; nor is the path to its leaf, after the last one.
void MacUcbSearch::close(const Simulation& simulation) {
    if (simulation.step) pend(*simulation.step, -1);
    Leaf& leaf = leaves_[simulation.leaf];
    if (--leaf.open > 0) return;
    for (const Step& step : leaf.path) pend(step, -1);
    free_leaves_.push_back(simulation.leaf);
}

}  // namespace zermelo::play
