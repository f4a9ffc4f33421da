// The bodies of build.hpp.

#pragma once

#include <deque>

#include "game/scoped_move.hpp"
#include "game/strategy/build.hpp"
#include "game/strategy/table.hpp"

namespace zermelo::game {

template <Walk W>
Plan build_plan(W& walk, Player owner, int promise, const std::type_identity_t<Choose<W>>& choose,
                const Limits& limits) {
    struct Level {
        std::size_t next;  // the moves that are left: next … last - 1
        std::size_t last;
        bool on_path = false;
    };
    Plan plan{owner, promise, {}};
    PlanTable met;
    Path on_path;
    std::vector<Level> levels;
    std::deque<ScopedMove<W>> path;  // a level below the first is behind a step
    const auto enter = [&] {
        const Turn turn = walk.turn();
        if (turn.kind == Turn::Kind::simultaneous) require_turns(turn, "a plan");
        Level level{0, walk.moves()};
        const Hash128 key = walk.exact_key();
        const bool fresh = met.insert(key, 0).fresh;
        level.on_path = fresh && on_path.enter(key);
        if (!fresh && promise > endless_payoff(walk.players()) && on_path.contains(key)) {
            throw Repetition("the chosen moves form a cycle", "use " + setting("engine", "attractors"));
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
            throw LimitReached(stop, "while writing a plan", "raise the time or memory limit");
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
