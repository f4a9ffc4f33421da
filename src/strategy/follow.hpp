// Stepping through a play beside a strategy: whose turn it is, which values are legal, what the strategy
// plays, and who has won.
//
// Used by a person at the terminal, a referee, or a front end that prints one line of play.

#pragma once

#include <optional>

#include "strategy/rules/model_rules.hpp"
#include "strategy/strategy.hpp"

namespace zermelo::strategy {

class Follower {
public:
    Follower(const model::Model& model, const model::Structure& structure,
             const Strategy& strategy);  // all must outlive it

    // The variable to be played next; none when the play is over.
    [[nodiscard]] std::optional<model::VarId> turn();
    [[nodiscard]] bool owners_turn(model::VarId variable) const;  // is it the turn of the strategy's owner?
    [[nodiscard]] std::vector<model::Value> legal(model::VarId variable) { return rules_.legal(variable); }
    [[nodiscard]] model::Value move(model::VarId variable);  // what the owner plays
    // The strategy skips it: every legal value will do.
    [[nodiscard]] bool leaves_open(model::VarId variable) const {
        return strategy_.nodes[at_].variable != variable;
    }
    void play(model::VarId variable, model::Value value);

    [[nodiscard]] std::optional<model::Quantifier> winner() const { return winner_; }
    [[nodiscard]] bool settled() const { return at_ == decided; }  // the owner has won whatever follows
    [[nodiscard]] const ModelRules& rules() const { return rules_; }

private:
    void end(model::Quantifier winner);

    const model::Structure& structure_;
    const Strategy& strategy_;
    ModelRules rules_;
    std::size_t block_ = 0;
    NodeId at_;
    std::optional<model::Quantifier> winner_;
};

}  // namespace zermelo::strategy
