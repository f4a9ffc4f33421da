// Rules of a model as a game: which moves are legal and who has won, in quantified and in strategic models
// alike.
//
// In a quantified model the rules of the blocks decide (partial_assignment.hpp): a move is legal as long as
// the rule of its block can still be kept, and the winning condition decides at the end. In a strategic model
// a move is legal as long as its block can still be completed so that there is a state (consistency.hpp), and
// ∃ wins with the last move. Moves are made in the order of the blocks.

#pragma once

#include <variant>

#include "strategy/rules/consistency.hpp"
#include "strategy/rules/partial_assignment.hpp"

namespace zermelo::strategy {

class ModelRules {
public:
    ModelRules(const model::Model& model, const model::Structure& structure);  // both must outlive it

    void play(model::VarId variable, model::Value value);
    void take_back();  // the latest move

    [[nodiscard]] bool played(model::VarId v) const;
    [[nodiscard]] const model::Interval& operator[](
        model::VarId v) const;        // what can be said about a variable
    [[nodiscard]] Hash128 residue();  // names the future of the position

    // What the moves made say about the rule of a block; in a strategic model, whether the block can still be
    // legal.
    [[nodiscard]] Truth rule(std::size_t block);
    // Can the open moves of a block be made so that it is legal? Nobody moves in a block without variables,
    // but its rule may be broken.
    [[nodiscard]] bool can_finish(std::size_t block);
    [[nodiscard]] bool legal(model::VarId variable, model::Value value);
    [[nodiscard]] std::vector<model::Value> legal(model::VarId variable);  // ascending

    [[nodiscard]] model::Quantifier winner();  // when all moves are made
    void settle();  // on a state of a strategic model, for whoever wants to see one

private:
    template <class View>
    struct Followed {
        View view;
        std::vector<typename View::Mark> marks = {};  // before each move
    };

    const model::Model& model_;
    const model::Structure& structure_;
    std::variant<Followed<PartialAssignment>, Followed<PossibleStates>> moves_;
};

}  // namespace zermelo::strategy
