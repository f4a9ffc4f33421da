// Lines: a signal of a circuit multiplied out into conjunctions of facts, its disjunctive normal form.
//
// The network shares what rules have in common, which makes long chains of gates. Multiplied out, all lines of a board lie
// side by side, a machine word evaluates 64 of them at once, and it can be seen what a line lacks.

#pragma once

#include <optional>

#include "gdl/circuit/effects.hpp"

namespace zermelo::gdl {

using Line = std::vector<Signal>;  // all of them hold

class Lines {
public:
    explicit Lines(Circuit& circuit) : circuit_(circuit) {}

    // Null where there would be too many; valid until the next call.
    [[nodiscard]] const std::vector<Line>* of(Signal s);
    // The same signal, multiplied out wherever this does not make it much longer. Adds gates to the circuit.
    [[nodiscard]] Signal flat(Signal s);

private:
    [[nodiscard]] std::optional<std::vector<Line>> multiplied_out(Signal s);
    [[nodiscard]] std::optional<Signal> disjunction_of(Signal s);
    [[nodiscard]] std::size_t inputs_below(Signal s) const;

    Circuit& circuit_;
    std::unordered_map<std::uint32_t, std::optional<std::vector<Line>>> known_;  // by code
    std::unordered_map<std::uint32_t, Signal> flat_;                             // by node
};

}  // namespace zermelo::gdl
