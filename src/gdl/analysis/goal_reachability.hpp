// Goal reachability: which goals can no longer be reached from a state, however everybody plays.
//
// Some fluents are fixed for good in some states: a disc that lies on the board stays there, and then no
// other disc will ever lie in its place. This is proven on the network. For each candidate mutex group (what
// a cell contains), assume that one member holds and the others do not, leave everything else unknown except
// that moves are legal, and evaluate the next state in three-valued logic; if it says the same of the group,
// then the group will never change again. Fixed fluents then make gates fixed, and goals impossible. Which
// groups to try is a guess from random playouts; what is claimed of them is checked in the state itself.

#pragma once

#include <unordered_map>

#include "gdl/circuit/effects.hpp"

namespace zermelo::gdl {

class GoalReachability {
public:
    // Adds gates to the circuit of `effects`, which must be that of the machine's network and outlive this.
    GoalReachability(const Machine& machine, Effects& effects);

    // A signal that holds only if `s`, a signal of the circuit, holds now and for ever.
    [[nodiscard]] Signal certain(Signal s);

private:
    [[nodiscard]] bool stays(const std::vector<std::uint32_t>& group, std::uint32_t holding) const;

    const Network& network_;
    Circuit& circuit_;
    std::vector<Signal> always_;                       // by fluent: it holds for ever
    std::vector<Signal> never_;                        // by fluent: it will never hold
    std::unordered_map<std::uint32_t, Signal> known_;  // by the code of the signal
};

}  // namespace zermelo::gdl
