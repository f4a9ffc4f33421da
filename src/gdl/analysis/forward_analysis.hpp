// Forward analysis: abstract interpretation (Cousot and Cousot 1977) of a game in three-valued logic.
//
// The network is run from one state over the values no, yes and unknown: a move that may be legal may be
// made, so what depends on it is unknown. What all plays have in common stays known: whose turn it is, a
// step counter, and with it perhaps that no play goes on after a certain step.

#pragma once

#include "gdl/circuit/machine.hpp"

namespace zermelo::gdl {

enum class Truth : std::uint8_t { no, yes, unknown };

[[nodiscard]] inline Truth operator!(Truth t) {
    return t == Truth::unknown ? t : t == Truth::yes ? Truth::no : Truth::yes;
}

struct ForwardAnalysis {
    struct Step {
        Truth terminal = Truth::unknown;
        std::vector<std::vector<MoveId>> possible;  // by role: the moves that may be legal

        [[nodiscard]] bool last() const;     // certainly terminal, or somebody has no move
        [[nodiscard]] bool in_turn() const;  // at most one role may have a choice
    };

    std::vector<Step> steps;  // until no play goes on, or an abstract state repeats
    bool ends = false;        // no play goes on after the last step
    bool repeats = false;     // the abstract state after the last step occurred before
};

[[nodiscard]] ForwardAnalysis forward_analysis(const Network& network, const State& start,
                                               const Limits& limits = {});

}  // namespace zermelo::gdl
