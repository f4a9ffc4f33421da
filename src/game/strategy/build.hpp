// Building a plan: the walk that positional_strategy.hpp defines, with a function that chooses the owner's
// moves.

#pragma once

#include <deque>

#include "core/limits.hpp"
#include "game/search/path.hpp"
#include "game/search/scoped_move.hpp"
#include "game/strategy/positional_strategy.hpp"
#include "game/strategy/table.hpp"

namespace zermelo::game {

// From the current position of the walk. `choose(walk)` returns the owner's move, once for each state; it may
// move the walk, and has to take the moves back. Throws LimitReached, and Repetition where the choices lead
// into a cycle though the plan promises more than endless play pays.
template <Walk W, class Choose>
[[nodiscard]] Plan build_plan(W& walk, Player owner, int promise, Choose choose, const Limits& limits = {}) {
    struct Level {
        std::size_t next;  // the moves that are left: next … last - 1
        std::size_t last;
        bool on_path = false;
    };
    Plan plan{owner, promise, {}};
    PlanTable met;
    Path on_path;
    std::vector<Level> levels;
    std::deque<ScopedMove<W>> path;  // the moves between the levels
    const auto enter = [&] {
        const Turn turn = walk.turn();
        if (turn.kind == Turn::Kind::simultaneous) require_turns(turn, "a plan");
        Level level{0, walk.moves()};
        const Hash128 key = walk.exact_key();
        const bool fresh = met.insert(key, 0).fresh;
        level.on_path = fresh && on_path.enter(key);
        if (!fresh && promise > endless_payoff(walk.players()) && on_path.contains(key)) {
            throw Repetition("the choices that were found lead in a circle", "use --engine attractors");
        }
        if (!fresh || turn.over()) {
            level.last = 0;
        } else if (turn.kind == Turn::Kind::player && turn.player == owner) {
            const std::size_t choice = choose(walk);
            plan.choices.push_back(static_cast<std::uint32_t>(choice));
            level.next = choice;
            level.last = choice + 1;
        }
        levels.push_back(level);
    };
    enter();
    while (!levels.empty()) {
        if (const Stop stop = limits.reached(); stop != Stop::none) {
            throw LimitReached(stop, "while a plan was written", "allow more time or memory");
        }
        Level& level = levels.back();
        if (level.next < level.last) {
            path.emplace_back(walk, level.next++);
            enter();
        } else {
            if (level.on_path) on_path.leave();
            levels.pop_back();
            if (!path.empty()) path.pop_back();
        }
    }
    return plan;
}

}  // namespace zermelo::game
