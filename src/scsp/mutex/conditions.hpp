// Conditions: under which none of a group's fluents holds, for groups that fluents alone do not prove.
//
// The induction step may need to know more about a state than that a group has one value. Two kinds of facts are tried,
// both of them conjunctions that take part in a group like a fluent (auxiliary invariants: cf. Bradley 2011). Two
// phases: while the cards are laid out and it is the first room's turn, the second room has none. And that a group of the
// same kind has no value: there is no third tile on a stack without a second one.
//
// They are guesses from the states of random plays, as the groups are.

#pragma once

#include "scsp/mutex/candidates.hpp"
#include "scsp/mutex_groups.hpp"

namespace zermelo::scsp {

class MutexConditions {
public:
    // Both have to outlive this.
    MutexConditions(const gdl::Network& network, const MutexCandidates& candidates);

    // Conditions that were met, never with one of these fluents nor with each other, and with none of the phases.
    [[nodiscard]] std::vector<MutexGroups::Condition> without(const MutexCandidates::Fluents& fluents,
                                                              const MutexCandidates::Fluents& phases) const;

    // That no fluent of a group of other phases holds: conditions that were met, but never with this phase.
    [[nodiscard]] std::vector<MutexGroups::Condition> without(std::uint32_t phase) const;

private:
    using Bits = std::vector<std::uint64_t>;  // by state of the sample
    struct Shape {  // of a group: its relation, and the places in which its fluents differ
        gdl::Symbol relation;
        std::uint64_t places;
        friend bool operator==(const Shape&, const Shape&) = default;
    };

    [[nodiscard]] Shape shape_of(const MutexCandidates::Fluents& group) const;
    [[nodiscard]] Bits some_of(const MutexCandidates::Fluents& group) const;

    [[nodiscard]] Bits when_none_of(const MutexCandidates::Fluents& group) const;

    const gdl::Network& network_;
    const MutexCandidates& candidates_;
    std::vector<Bits> held_;  // by fluent
    Bits all_;
    std::vector<Shape> shapes_;  // by candidate
};

}  // namespace zermelo::scsp
