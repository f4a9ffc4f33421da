// A quantified model as a Game: ∃ and ∀ give values to the variables of the prefix, one after the other.
//
// The meaning is that of model.hpp, read off the constraints themselves (outlook.hpp); no propagation and no
// solver has a part in it. A move gives the next variable a value with which the rule of its block can still
// be kept. Who has no such value has lost; after the last block ∃ has won if the winning condition holds.
// Auxiliary variables are computed where they are defined and are ∃'s innermost moves where they are free.

#pragma once

#include <memory>

#include "game/game.hpp"
#include "strategy/outlook.hpp"

namespace zermelo::game {

class ModelGame {
public:
    using State = std::vector<Value>;  // what has been played, in the order of the prefix
    static constexpr Player exists = 0;
    static constexpr Player forall = 1;

    explicit ModelGame(const Model& model);  // which must outlive it; throws Error as `analyse` does

    [[nodiscard]] std::size_t players() const { return 2; }
    [[nodiscard]] State initial() const { return {}; }
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
    [[nodiscard]] bool rule_can_be_kept(std::size_t block);
    [[nodiscard]] Player owner(std::size_t block) const;

    const Model& model_;
    std::shared_ptr<const Structure> structure_;  // shared by copies, since the outlook points to it
    std::vector<VarId> order_;                    // the variables of the prefix
    Outlook outlook_;
    std::vector<Outlook::Mark> marks_;  // before each move of `at_`
    State at_;
    Turn turn_;
    std::vector<Value> legal_;
    Player winner_ = exists;
};

static_assert(Game<ModelGame>);

}  // namespace zermelo::game
