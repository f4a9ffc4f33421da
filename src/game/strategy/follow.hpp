// Following a plan: what the owner plays in a state, for every state that can arise under the plan.

#pragma once

#include <optional>

#include "core/limits.hpp"
#include "game/strategy/positional_strategy.hpp"
#include "game/strategy/table.hpp"

namespace zermelo::game {

// Instantiated in positional_strategy.cpp for the games of this room; for any other game include
// graph-inl.hpp.
template <Game G>
class PlanFollower {
public:
    // Walks the whole plan once. Throws Error where the plan does not fit the game, LimitReached.
    PlanFollower(G& game, const Plan& plan, const Limits& limits = {});

    // The owner's move; nothing in states of others, and in those that do not arise under the plan.
    [[nodiscard]] std::optional<std::size_t> move(const typename G::State& state) const {
        const std::uint32_t* choice = choice_.find(game_.key(state));
        if (choice == nullptr) return std::nullopt;
        return *choice;
    }

private:
    struct Visitor;

    G& game_;
    PlanTable choice_;
};

}  // namespace zermelo::game
