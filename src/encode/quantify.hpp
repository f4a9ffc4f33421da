// Encoding of a GDL game as a quantified constraint problem: QCSP+ (Benedetti, Lallouet and Vautard 2007) or
// strategic CSP (Bessiere and Verger 2006), so that the constraint engines solve and certify it, too.
//
// The question is whether one role can force a goal of at least a threshold within a number of moves. The
// game is unrolled (unroll.hpp); the moves of that role are ∃ variables, all others' are ∀ variables, one
// for each step at which there is a choice, and everything else is a Boolean function of them.
//
// A play is *good* when a terminal state was reached and the role's goal there is at least the threshold,
// and *bad* when one was reached and it is less. As a QCSP+, the rule of an ∃ block says: the play is good,
// or it is not bad and the move is legal; that of a ∀ block the same with good and bad exchanged. So a play
// that has ended leaves the loser without a legal value at once. The winning condition is that the play is
// good.
//
// As a strategic model the same is said by one constraint for each move: if it is made, then the rule holds.
// These constraints mention the move, so they act when it is due and restrain nobody else. Whether the play
// is good at the end is asked of a last ∃ variable, like the variable F of Bessiere and Verger's
// Tic-tac-toe: a constraint on the last state would otherwise restrain whoever moved last.
//
// Where the rules state several goals at once, the greatest counts here; a role that the rules leave without
// a legal move in a state that is not terminal has lost.

#pragma once

#include <iosfwd>

#include "encode/unroll.hpp"
#include "model/model.hpp"

namespace zermelo::encode {

enum class ModelForm : std::uint8_t { quantified, strategic };

struct Question {
    std::size_t role = 0;
    int threshold = 100;
    ModelForm form = ModelForm::quantified;
};

// Moves as values of variables: a role's moves, counted from 1 in the order of their names, so that a number
// depends on the rules alone.
class MoveNumbers {
public:
    explicit MoveNumbers(const gdl::Game& game);
    [[nodiscard]] model::Value value(std::size_t role, gdl::MoveId move) const { return value_[role][move]; }
    [[nodiscard]] const std::string& text(std::size_t role, model::Value value) const {
        return text_[role][static_cast<std::size_t>(value - 1)];
    }

private:
    std::vector<std::vector<model::Value>> value_;  // by role and move
    std::vector<std::vector<std::string>> text_;    // by role and value - 1
};

struct QuantifiedGame {
    struct Turn {
        model::VarId variable;
        std::size_t step;  // from 1
        std::size_t role;
    };

    model::Model model;
    Question question;
    std::size_t horizon = 0;  // moves that a play has at most in the model
    std::vector<Turn> turns;  // of all variables that stand for moves

    [[nodiscard]] const Turn* turn_of(model::VarId variable) const;  // none: it stands for no move
};

// The model of a game that was unrolled; see require_perfect_information.
[[nodiscard]] QuantifiedGame quantify(const gdl::Game& game, const Unrolling& unrolling,
                                      const Question& question);

// Throws Error unless the game has perfect information and no chance: no role `random`, no rules for `sees`.
void require_perfect_information(const gdl::Game& game);

// The values that the role's goals may have, ascending.
[[nodiscard]] std::vector<int> goal_values(const gdl::Network& network, std::size_t role);

// Whether the rules prove that the goals of two roles always add up to 100. They may do so without this
// proof.
[[nodiscard]] bool opposed(const gdl::Network& network);

// The model as MiniZinc; zermelo reads it back.
void write_minizinc(std::ostream& out, const gdl::Game& game, const QuantifiedGame& quantified);

}  // namespace zermelo::encode
