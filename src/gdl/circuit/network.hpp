// Propositional network (Schkufza, Love and Genesereth 2008): a grounded game as an and-inverter circuit.
//
// Nodes are a constant, the fluents of the state, the moves of the roles, and gates. A gate is the
// conjunction of its inputs; an input may be negated, so a disjunction is a negated conjunction. Gates are
// hash-consed, constants are propagated, and gates that nothing depends on are removed. Inputs come before
// the gates that read them. Gates that depend on each other (positive recursion, as in connectivity) form a
// loop whose meaning is the least fixpoint. Gates that depend on the state alone come first: legality and
// goals can be read before moves are known.

#pragma once

#include "gdl/ground/ground.hpp"

namespace zermelo::gdl {

// A node, perhaps negated.
class Signal {
public:
    Signal() = default;
    Signal(std::uint32_t node, bool negated) : code_(node << 1 | (negated ? 1U : 0U)) {}
    [[nodiscard]] std::uint32_t node() const { return code_ >> 1; }
    [[nodiscard]] bool negated() const { return (code_ & 1) != 0; }
    [[nodiscard]] std::uint32_t code() const { return code_; }
    Signal operator!() const { return {node(), !negated()}; }
    friend bool operator==(Signal, Signal) = default;

private:
    std::uint32_t code_ = 0;
};

struct Network {
    static inline const Signal always{0, false};
    static inline const Signal never{0, true};

    struct Move {
        TermId term;
        Signal legal;
        std::uint32_t node;  // its input
    };
    struct Goal {
        int value;
        Signal holds;
    };
    struct Percept {
        TermId term;
        Signal seen;
    };
    // Consecutive gates, first … last - 1, that are evaluated together: once, or, as a loop, to the least
    // fixpoint. In a loop the first gates, up to `rules`, are its negated atoms: they start out true, and the
    // stretch is evaluated until they do not change any more.
    struct Stretch {
        std::uint32_t first;
        std::uint32_t last;
        bool loop;
        std::uint32_t rules;
    };

    Terms terms;
    std::vector<TermId> roles;
    std::vector<TermId> fluents;              // node 1 + i is fluent i
    std::vector<bool> initial;                // by fluent
    std::vector<Signal> next;                 // by fluent
    std::vector<std::vector<Move>> moves;     // by role
    std::vector<std::vector<Signal>> likely;  // by role and move: the legal moves that playouts choose from;
                                              // empty: all legal moves
    std::vector<std::vector<Goal>> goals;     // by role
    std::vector<std::vector<Percept>> sees;   // by role
    Signal terminal;

    std::uint32_t first_move = 0;  // nodes: 0 the constant, fluents, moves, gates
    std::uint32_t first_gate = 0;
    std::uint32_t first_late = 0;  // gates from here on depend on moves
    std::uint32_t nodes = 0;
    std::vector<std::uint32_t> start;  // by gate from first_gate: into inputs; one more at the end
    std::vector<Signal> inputs;
    std::vector<Stretch> stretches;  // all gates, in order; none crosses first_late
    std::size_t early_stretches = 0;

    [[nodiscard]] std::span<const Signal> inputs_of(std::uint32_t gate) const {
        const std::uint32_t at = gate - first_gate;
        return {inputs.data() + start[at], start[at + 1] - start[at]};
    }
    [[nodiscard]] std::size_t gates() const { return nodes - first_gate; }
};

// An atom depends on its own negation.
class NegativeLoop : public Error {
    using Error::Error;
};

// Throws NegativeLoop, and LimitReached where it is interrupted.
[[nodiscard]] Network build_network(Grounding grounding, const Symbols& symbols);

}  // namespace zermelo::gdl
