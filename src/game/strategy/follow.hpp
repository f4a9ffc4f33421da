// Following a plan: what the owner plays in a state, for every state that can arise under the plan.

#pragma once

#include "game/strategy/walk.hpp"

namespace zermelo::game {

template <Game G>
class PlanFollower {
public:
    // Walks the whole plan once. Throws Error where the plan does not fit the game, LimitReached.
    PlanFollower(G& game, const Plan& plan, const Limits& limits = {}) : game_(game) {
        Visitor visitor{Choices(plan), game, *this};
        PlanWalk<G> walk(game, plan.owner, limits);
        const auto end = walk.run(visitor);
        if (end == PlanWalk<G>::End::limit) {
            throw LimitReached(walk.stop(), "while a plan was read", "allow more time or memory");
        }
        if (end != PlanWalk<G>::End::complete || visitor.left() > 0) {
            throw Error("the plan does not fit the game", "take the plan of this game");
        }
    }

    // The owner's move; nothing in states of others, and in those that do not arise under the plan.
    [[nodiscard]] std::optional<std::size_t> move(const typename G::State& state) const {
        const std::uint32_t* choice = choice_.find(game_.key(state));
        if (choice == nullptr) return std::nullopt;
        return *choice;
    }

private:
    struct Visitor : Choices {
        G& game;
        PlanFollower& follower;
        Hash128 key = {};

        Visitor(Choices choices, G& its_game, PlanFollower& its_follower)
            : Choices(choices), game(its_game), follower(its_follower) {}
        bool enter(std::uint32_t, const typename G::State& state, std::uint32_t, std::size_t) {
            key = game.key(state);
            return true;
        }
        std::optional<std::size_t> choose(std::uint32_t number) {
            const auto choice = Choices::choose(number);
            if (choice) (void)follower.choice_.insert(key, static_cast<std::uint32_t>(*choice));
            return choice;
        }
        bool meet(std::uint32_t, std::size_t, std::uint32_t, bool) { return true; }
    };

    G& game_;
    PlanTable choice_;
};

}  // namespace zermelo::game
