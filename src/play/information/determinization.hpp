// Determinization (Ginsberg 1999): a game with chance, hidden or simultaneous moves, made a deterministic
// game of turns with perfect information.
//
// One role, the hero, moves first in every step, then the others one after another, each knowing what was
// chosen before, so that the hero's opponents are never underestimated. Chance is settled beforehand: the
// seed and the step determine the outcome, so that a determinization has one future for each sequence of
// moves. A position and a seed make a determinization. The move that is best in most of them is often good;
// but a player who follows it never moves to gain information, nor hides what it knows (strategy fusion,
// Frank and Basin 1998).
//
// Moves come in the order of their numbers, not of their names.

#pragma once

#include "game/game.hpp"
#include "play/info_state.hpp"

namespace zermelo::play {

class Determinization {
public:
    struct State {
        play::State at;
        std::vector<MoveId> chosen;  // in this step so far, in the order of the movers
    };

    Determinization(const GameContext& rules, std::size_t hero, const play::State& start, std::uint64_t seed);

    [[nodiscard]] std::size_t players() const { return info_.rules().seats().size(); }
    [[nodiscard]] State initial() const { return {start_, {}}; }
    // Throws Error where a role has no legal move though the game is not over.
    void look(const State& state);
    [[nodiscard]] game::Turn turn() const { return turn_; }
    [[nodiscard]] std::size_t moves() const { return turn_.over() ? 0 : info_.legal(mover_).size(); }
    void successor(std::size_t move, State& out);
    [[nodiscard]] int payoff(game::Player player) const { return info_.goal(info_.rules().seats()[player]); }
    // The step that the last successor completed; empty where it only began one.
    [[nodiscard]] const JointMove& completed() const { return completed_; }
    [[nodiscard]] MoveId move(std::size_t place) const { return info_.legal(mover_)[place]; }

    [[nodiscard]] Hash128 key(const State& state) const;
    [[nodiscard]] std::string player_name(game::Player player) const;
    [[nodiscard]] std::string move_name(std::size_t move) const;
    [[nodiscard]] std::string state_name(const State& state) const;

private:
    void roll(const State& from, JointMove& joint) const;

    mutable InfoState info_;  // lists moves when it is asked
    play::State start_;
    std::uint64_t seed_;
    std::vector<std::size_t> order_;  // seats' roles, the hero first
    State here_;
    std::vector<std::size_t> movers_;  // roles that have a choice in this step
    std::size_t mover_ = 0;            // a role
    game::Turn turn_;
    JointMove completed_;
};

static_assert(game::Game<Determinization>);

}  // namespace zermelo::play
