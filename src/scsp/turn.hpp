// Turn: the circuit of one turn, extended by the outcome of the state after it.
//
// The gates of the game's network lead from the state now and the moves to the next state. A second copy of
// the gates that depend on the state alone reads the next state instead, so that the circuit also tells
// whether the game will be over after the turn, with which goals, and which moves will be legal. A filter
// can then ask which moves lead at once to a good end.

#pragma once

#include "scsp/mutex_groups.hpp"

namespace zermelo::scsp {

struct TurnOptions {
    bool next_outcome = true;  // terminal and goals of the next state
    bool next_legal = false;   // and its legal moves
    bool next_groups = true;   // mutex groups hold after the turn, too
};

struct Turn {
    // Signals of which at most one holds, or exactly one.
    struct Group {
        std::vector<gdl::Signal> members;
        bool exact;
    };
    // A lower bound on the goal of a role after the turn.
    struct Threshold {
        int value;
        gdl::Signal reached;    // the game is over, with a goal of at least `value`
        gdl::Signal tolerable;  // the game is not over with less
    };

    // The network has to outlive this.
    explicit Turn(const gdl::Network& network, const MutexGroups& mutex_groups = {},
                  const TurnOptions& options = {});

    [[nodiscard]] std::span<const gdl::Signal> inputs_of(std::uint32_t gate) const {
        const std::uint32_t at = gate - network.first_gate;
        return {inputs.data() + start[at], start[at + 1] - start[at]};
    }
    // Signals for a goal of at least `value` after the turn; `reached` is never where no goal is so high.
    [[nodiscard]] Threshold at_least(std::size_t role, int value) const;

    const gdl::Network& network;
    // Nodes are numbered as in the network; the copies follow its last gate.
    std::uint32_t nodes = 0;
    std::vector<std::uint32_t> start;
    std::vector<gdl::Signal> inputs;
    std::vector<gdl::Network::Stretch> loops;
    std::vector<Group> groups;  // of fluents now and next; then the moves of each role
    // Of a fluent, or a condition of the mutex groups: that it holds now, and after the turn.
    [[nodiscard]] gdl::Signal now(std::uint32_t member) const {
        return member < network.next.size() ? gdl::Signal(1 + member, false)
                                            : conditions_[member - network.next.size()].now;
    }
    [[nodiscard]] gdl::Signal next(std::uint32_t member) const {
        return member < network.next.size() ? network.next[member]
                                            : conditions_[member - network.next.size()].next;
    }

    bool has_next_outcome = false;
    gdl::Signal next_terminal;                                // with the next outcome
    std::vector<std::vector<gdl::Signal>> next_legal;         // by role and move, where wanted
    std::vector<std::vector<gdl::Network::Goal>> next_goals;  // by role
    std::vector<std::vector<Threshold>> thresholds;  // by role; ascending, one for each goal it may have

private:
    [[nodiscard]] gdl::Signal conjunction(std::vector<gdl::Signal> conjuncts);
    std::uint32_t add_gate(const std::vector<gdl::Signal>& conjuncts);
    void add_conditions(const MutexGroups& mutex_groups);
    void copy_early(bool legal);
    void add_thresholds();

    struct Condition {
        gdl::Signal now;
        gdl::Signal next;
    };
    std::vector<Condition> conditions_;
    std::vector<gdl::Signal> image_;  // by node of the network: its copy over the next state
};

}  // namespace zermelo::scsp
