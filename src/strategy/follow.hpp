// Following a strategy move by move: whose turn it is, what may be played, what the strategy plays, who has
// won.
//
// For whoever plays by a strategy: a person at the terminal, a referee, or a front end that prints one line
// of play.

#pragma once

#include <optional>

#include "strategy/referee.hpp"
#include "strategy/strategy.hpp"

namespace zermelo {

class Follower {
public:
    Follower(const Model& model, const Structure& structure,
             const Strategy& strategy);  // all must outlive it

    // The variable to be played next; none when the play is over.
    [[nodiscard]] std::optional<VarId> turn();
    [[nodiscard]] bool owners_turn(VarId variable) const;  // is it the turn of the strategy's owner?
    [[nodiscard]] std::vector<Value> legal(VarId variable) { return referee_.legal(variable); }
    [[nodiscard]] Value move(VarId variable);  // what the owner plays
    void play(VarId variable, Value value);

    [[nodiscard]] std::optional<Quantifier> winner() const { return winner_; }
    [[nodiscard]] bool settled() const { return at_ == decided; }  // the owner has won whatever follows
    [[nodiscard]] const Referee& outlook() const { return referee_; }

private:
    void end(Quantifier winner);

    const Structure& structure_;
    const Strategy& strategy_;
    Referee referee_;
    std::size_t block_ = 0;
    NodeId at_;
    std::optional<Quantifier> winner_;
};

}  // namespace zermelo
