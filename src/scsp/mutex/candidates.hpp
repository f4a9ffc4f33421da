// Candidates for mutex groups: fluents that are the same term but for some of its arguments.
//
// Each relation and each choice of its argument places gives a family of groups: the fluents that agree in
// all other places. (cell 3 4 ?) is what stands on a square, (cell 3 4 ? ?) the same where a piece has an
// owner and a kind, (cell ? ? white king) where the king stands. A group is a candidate if at most one of its
// fluents holds in the initial state and in every state of some random plays: plays only reject. What is left
// is a guess until mutex_groups.hpp has proven it.
//
// Phases are fluents that tell how far a turn or a game has come: those without arguments, such as `dealing`,
// and those of small relations with one argument, such as (control x). A group may only be provable together
// with the phases in which none of its fluents holds: before the cards are dealt, nobody holds one.

#pragma once

#include "gdl/circuit/machine.hpp"

namespace zermelo::scsp {

struct MutexCandidates {
    using Fluents = std::vector<std::uint32_t>;  // ascending
    // Groups of two or more fluents, largest first; they may overlap, and one may contain another.
    std::vector<Fluents> groups;
    struct Phase {
        std::uint32_t fluent;
        gdl::State together;  // the fluents that held at the same time as it in some state
    };
    std::vector<Phase> phases;
    std::vector<gdl::State> sample;  // some of the states

    // The phases that were never seen with one of these fluents, nor with each other.
    [[nodiscard]] Fluents phases_without(const Fluents& fluents) const;
};

[[nodiscard]] MutexCandidates mutex_candidates(const gdl::Machine& machine, const Limits& limits = {});

}  // namespace zermelo::scsp
