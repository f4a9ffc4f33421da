// Quantified circuit: a QBF whose matrix is a circuit (Jordan, Klieber and Seidl 2016), hash-consed, of conjunctions and
// parities with negation on the wires.
//
// A signal is a number as in QDIMACS: v or -v, where 1 … inputs() are the variables and the gates follow, each after what it
// reads. Constants are folded away, so they occur only as the output.

#pragma once

#include <unordered_map>
#include <vector>

#include "core/hash.hpp"
#include "model/model.hpp"

namespace zermelo::model {

class QuantifiedCircuit {
public:
    using Signal = int;
    static constexpr Signal always = 0x7fffffff;
    static constexpr Signal never = -always;

    struct Block {
        Quantifier quantifier;
        std::vector<int> variables;
    };
    struct Gate {
        bool parity;  // of two inputs, both positive; otherwise a conjunction
        std::vector<Signal> inputs;
    };

    std::vector<Block> prefix;
    Signal output = always;
    std::vector<VarId> origin = {};  // by variable - 1: the variable of the model that it belongs to

    // Variables come before gates; the block joins the last one if that has the same quantifier.
    int add_variable(Quantifier quantifier, VarId of);

    [[nodiscard]] Signal conjunction(std::vector<Signal> signals);
    [[nodiscard]] Signal disjunction(std::vector<Signal> signals);
    [[nodiscard]] Signal exclusive(Signal a, Signal b);
    [[nodiscard]] Signal equivalent(Signal a, Signal b) { return -exclusive(a, b); }

    [[nodiscard]] int inputs() const { return static_cast<int>(origin.size()); }
    [[nodiscard]] const std::vector<Gate>& gates() const { return gates_; }
    [[nodiscard]] int nodes() const { return inputs() + static_cast<int>(gates_.size()); }
    [[nodiscard]] const Gate* gate(Signal s) const {  // none: a variable or a constant
        const int node = s < 0 ? -s : s;
        return node <= inputs() || node == always ? nullptr
                                                  : &gates_[static_cast<std::size_t>(node - inputs() - 1)];
    }
    void keep_reachable();  // forgets the gates that the output does not read

private:
    [[nodiscard]] Signal intern(Gate gate);

    std::vector<Gate> gates_;
    std::unordered_multimap<std::uint64_t, int> known_;
};

}  // namespace zermelo::model
