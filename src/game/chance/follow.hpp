// Following a policy: what its owners play in a state, for every state that can arise under the policy.

#pragma once

#include <optional>

#include "core/limits.hpp"
#include "game/chance/policy.hpp"
#include "game/strategy/table.hpp"

namespace zermelo::game {

// Instantiated in policy.cpp for graphs and for games in GDL on the machine.
template <Game G>
class PolicyFollower {
public:
    // Walks the whole policy once. Throws Error where the policy does not fit the game, LimitReached.
    PolicyFollower(G& game, const ChancePolicy& policy, const Limits& limits = {});

    // An owner's move; nothing in states of others, and in those that do not arise under the policy.
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
