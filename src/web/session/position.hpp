// Position of a play: replays the steps that a request carries, and describes the state that they lead to.

#pragma once

#include <unordered_map>

#include "gdl/analysis/forced_moves.hpp"
#include "play/info_state.hpp"
#include "web/session/game_cache.hpp"

namespace zermelo::web {

class Position {
public:
    // Throws Refusal 400 where the steps are none, 422 where one of them cannot be made.
    Position(std::shared_ptr<const GroundedGame> ground, const json& steps, const Limits& limits);

    [[nodiscard]] const GroundedGame& ground() const { return *ground_; }
    [[nodiscard]] const play::GameContext& rules() const { return ground_->rules; }
    [[nodiscard]] bool over() const { return info_.terminal(); }
    [[nodiscard]] std::size_t seat(const std::string& name) const;  // the role; Refusal 422 where it is none
    [[nodiscard]] bool has_choice(std::size_t role) { return info_.legal(role).size() > 1; }
    // Who really moves where nobody has a choice; nothing where somebody has one, and where the play is over.
    [[nodiscard]] std::optional<gdl::Deed> forced() const;
    [[nodiscard]] std::vector<std::string> choosing();  // the roles that have a choice
    [[nodiscard]] json goals() const;                   // by name of the role, chance left out

    // One more step: the given moves, the only move of a role that has one, and random moves of chance.
    // Throws Refusal 422 where a move is missing or not legal. Returns all moves.
    json make(const json& moves, Random& random);
    // The steps of a play as text: one a line or between semicolons, each the moves of those who had a choice (chance
    // among them), in the order of the roles or after `role:`, with & between. A step in which nobody had one is a
    // dash, and may be left out. Throws Refusal 422 about the first move that is none.
    void follow(const std::string& text, const Limits& limits);

    // What the role has learned, step by step.
    [[nodiscard]] std::vector<play::Observation> seen(std::size_t role) const;
    // The moves of the role on turn, as game/solve.hpp wants them.
    [[nodiscard]] const std::vector<std::string>& line() const { return line_; }
    [[nodiscard]] const play::State& state() const { return state_; }  // all of it, whoever may know it
    [[nodiscard]] const std::vector<play::JointMove>& steps() const { return steps_; }

    // Position of web/src/api.ts: as the role may know it, or all of it.
    [[nodiscard]] json describe(std::optional<std::size_t> as);
    [[nodiscard]] json fluents() const;  // every fact that can ever hold
    [[nodiscard]] json facts() const { return facts(state_); }

    [[nodiscard]] std::string move_text(std::size_t role, play::MoveId move) const {
        return ground_->game.move_text(role, move);
    }
    [[nodiscard]] json step_json(const play::JointMove& joint) const;

private:
    using Names = std::vector<std::unordered_map<std::string, play::MoveId>>;  // by role

    [[nodiscard]] play::MoveId find_move(std::size_t role, const json& moves);
    void require_roles(const json& moves) const;
    [[nodiscard]] json moves_from(const std::string& step);
    void play(const play::JointMove& joint);
    [[nodiscard]] json term(gdl::TermId id) const;
    [[nodiscard]] json facts(const play::State& state) const;
    [[nodiscard]] json legal(std::size_t role);
    [[nodiscard]] std::optional<play::State> known(std::size_t role) const;

    std::shared_ptr<const GroundedGame> ground_;
    std::shared_ptr<const Names> names_;
    play::InfoState info_;  // has loaded the state
    play::State state_;
    std::vector<play::JointMove> steps_;
    std::vector<std::vector<std::vector<gdl::TermId>>> percepts_;  // by step and role, where moves are hidden
    std::vector<std::string> line_;
};

}  // namespace zermelo::web
