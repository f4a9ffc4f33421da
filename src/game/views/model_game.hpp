// A quantified model as a Game: ∃ and ∀ give values to the variables of the prefix, one after the other.
//
// The meaning is that of model.hpp, read off the constraints themselves (referee.hpp); no solver has a part
// in it. A move gives the next variable a value with which its block can still be legal: with which its rule
// can be kept, or, in a strategic model, with which there is a state. Who has no such value has lost; after
// the last block ∃ has won if the winning condition holds, and in a strategic model in any case. Auxiliary
// variables are computed where they are defined; where they are free they are ∃'s innermost moves, or part of
// the state.

#pragma once

#include <memory>

#include "game/game.hpp"
#include "strategy/rules/model_rules.hpp"

namespace zermelo::game {

class ModelGame {
public:
    using State = std::vector<model::Value>;  // what has been played, in the order of the prefix
    static constexpr Player exists = 0;
    static constexpr Player forall = 1;

    explicit ModelGame(const model::Model& model);  // which must outlive it; throws Error as `analyse` does

    [[nodiscard]] std::size_t players() const { return 2; }
    [[nodiscard]] const State& initial() const { return start_; }
    void start_at(const State& state) { start_ = state; }  // which is initial() from now on
    void look(const State& state);
    [[nodiscard]] Turn turn() const { return turn_; }
    [[nodiscard]] std::size_t moves() const { return legal_.size(); }
    void successor(std::size_t move, State& out) const;
    [[nodiscard]] int payoff(Player player) const { return player == winner_ ? win : loss; }

    [[nodiscard]] Hash128 key(const State& state) const;
    [[nodiscard]] std::string player_name(Player player) const { return player == exists ? "∃" : "∀"; }
    [[nodiscard]] std::string move_name(std::size_t move) const;
    [[nodiscard]] std::string state_name(const State& state) const;

private:
    void go_to(const State& state);
    void find_legal_moves();
    void lose(Player player) { winner_ = player == exists ? forall : exists; }
    [[nodiscard]] Player owner(std::size_t block) const;

    const model::Model& model_;
    std::shared_ptr<const model::Structure> structure_;  // shared by copies, since the referee points to it
    std::vector<model::VarId> order_;                    // the variables of the prefix
    strategy::ModelRules referee_;
    State start_;
    State at_;
    Turn turn_;
    std::vector<model::Value> legal_;
    Player winner_ = exists;
};

static_assert(Game<ModelGame>);

}  // namespace zermelo::game
