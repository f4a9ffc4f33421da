// What a plan means, told again for graphs: the reference for its checker.

#pragma once

#include <algorithm>
#include <map>

#include "game/graph/graph.hpp"
#include "game/strategy/positional_strategy.hpp"

namespace zermelo::game {

// The meaning of a plan, told again: hand out the choices by recursion, then look at the graph that is left.
class Meaning {
public:
    Meaning(const Graph& graph, const Plan& plan) : graph_(graph), plan_(plan), seen_(graph.states(), false) {
        fits_ = plan.owner < graph.players.size() && hand_out(graph.initial) && used_ == plan.choices.size();
    }
    [[nodiscard]] bool holds() const {
        if (!fits_) return false;
        for (StateId s = 0; s < graph_.states(); ++s) {
            if (seen_[s] && graph_.over(s) && graph_.payoffs(s)[plan_.owner] < plan_.promise) return false;
        }
        return plan_.promise <= endless_payoff(graph_.players.size()) || !circular();
    }
    [[nodiscard]] std::uint64_t reached() const {
        return static_cast<std::uint64_t>(std::count(seen_.begin(), seen_.end(), true));
    }
    // Takes away states all of whose moves lead to states that are away.
    [[nodiscard]] bool circular() const {
        std::vector<bool> away(graph_.states(), false);
        for (bool changed = true; changed;) {
            changed = false;
            for (StateId s = 0; s < graph_.states(); ++s) {
                if (!seen_[s] || away[s]) continue;
                const auto next = followers(s);
                away[s] = std::all_of(next.begin(), next.end(), [&](StateId t) { return away[t]; });
                changed = changed || away[s];
            }
        }
        for (StateId s = 0; s < graph_.states(); ++s) {
            if (seen_[s] && !away[s]) return true;
        }
        return false;
    }
    [[nodiscard]] double plays(StateId s) const {
        if (graph_.over(s)) return 1;
        double sum = 0;
        for (const StateId t : followers(s)) sum += plays(t);
        return sum;
    }

private:
    bool hand_out(StateId s) {
        if (seen_[s]) return true;
        seen_[s] = true;
        if (graph_.label[s] == plan_.owner) {
            if (used_ == plan_.choices.size() || plan_.choices[used_] >= graph_.successors(s).size())
                return false;
            choice_[s] = plan_.choices[used_++];
        }
        for (const StateId t : followers(s)) {
            if (!hand_out(t)) return false;
        }
        return true;
    }
    [[nodiscard]] std::vector<StateId> followers(StateId s) const {
        const auto next = graph_.successors(s);
        if (const auto chosen = choice_.find(s); chosen != choice_.end()) return {next[chosen->second]};
        return {next.begin(), next.end()};
    }

    const Graph& graph_;
    const Plan& plan_;
    std::vector<bool> seen_;
    std::map<StateId, std::size_t> choice_;
    std::size_t used_ = 0;
    bool fits_ = false;
};

}  // namespace zermelo::game
