// Supports: which moves make a condition true, whatever else was played and whatever follows?
//
// The counterpart of an explanation for won positions. Initial terms of solution learning in QBF (Zhang and Malik
// 2002; Giunchiglia, Narizzano and Tacchella 2006 shrink them in the same way) are literals that satisfy the
// matrix; here conditions are definitions on definitions, so a support goes down from a condition that holds to
// the moves that its value comes from: of a disjunction one true literal is enough, of a sum the bounds that are
// needed, of anything else all inputs. Only definitions are used and nothing that is merely demanded, so the
// condition holds again wherever these moves are played again. Where open ∃ variables have lost values, it
// holds as long as ∃ stays within what is left.
//
// The conditions must not demand anything any more (ResidueReader). A support costs the definitions below it.

#pragma once

#include "kernel/kernel.hpp"
#include "kernel/program.hpp"

namespace zermelo::kernel {

template <class Position>
class Supports {
public:
    explicit Supports(const Program& program)
        : program_(program), visited_(program.model.variables.size(), 0) {}

    // A new question; `played` says by variable which moves are made.
    void begin(const Position& position, const std::vector<bool>& played) {
        position_ = &position;
        played_ = &played;
        moves_.clear();
        ++question_;
    }
    void add(model::Literal literal) { add(literal.variable); }  // its value, true or false
    void add_constraint(int c);                                  // that it holds
    // The moves that are needed for all that was added.
    [[nodiscard]] const std::vector<model::VarId>& moves();

    // All moves before block `b` that the rest of the play can depend on: what lies below the conditions that
    // are still to be decided there.
    [[nodiscard]] const std::vector<model::VarId>& read_after(int b);

private:
    void add(model::VarId v);
    void add_clause(const model::Clause& clause, bool holds);
    void add_linear(const model::Linear& linear, bool holds);
    [[nodiscard]] bool add_greatest(const model::Linear& linear, model::Value sign, model::Value bound);
    void add_all(int c, model::VarId but);
    void go_down(model::VarId v);

    const Program& program_;
    const Position* position_ = nullptr;
    const std::vector<bool>* played_ = nullptr;
    std::vector<std::uint32_t> visited_;  // by variable: the last question that came by
    std::uint32_t question_ = 0;
    std::vector<model::VarId> open_;  // to be supported
    std::vector<model::VarId> moves_;
    std::vector<std::optional<std::vector<model::VarId>>> read_after_;  // by block
};

}  // namespace zermelo::kernel
