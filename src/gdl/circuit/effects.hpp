// Effects of moves by cofactors (Shannon 1949): what each joint move changes, as a circuit over the state
// alone.
//
// The next state is a function of the state and of the moves. With the moves fixed, most of it collapses: a
// fluent usually keeps its value. Fixing the moves in the network (taking the cofactor) therefore leaves,
// for each joint move, a short list of fluents that may change, each with a signal over the state that tells
// its next value. All cofactors live in one hash-consed circuit. Loops are not supported: networks that have
// them run on the Runner.

#pragma once

#include <span>
#include <vector>

#include "gdl/circuit/machine.hpp"

namespace zermelo::gdl {

// A growing hash-consed circuit of conjunctions over the fluents.
class Circuit {
public:
    explicit Circuit(std::size_t fluents) : fluents_(fluents) { start_.push_back(0); }

    [[nodiscard]] Signal conjunction(std::vector<Signal> inputs);  // simplified

    [[nodiscard]] std::uint32_t first_gate() const { return static_cast<std::uint32_t>(1 + fluents_); }
    [[nodiscard]] std::uint32_t nodes() const {
        return first_gate() + static_cast<std::uint32_t>(start_.size() - 1);
    }
    [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }  // of all gates
    [[nodiscard]] std::span<const Signal> inputs_of(std::uint32_t gate) const {
        const std::uint32_t at = gate - first_gate();
        return {inputs_.data() + start_[at], start_[at + 1] - start_[at]};
    }

private:
    // Where the gate of these inputs stands in the table, or where there is room for it.
    [[nodiscard]] std::uint32_t& place_of(std::span<const Signal> inputs);
    void grow_table();

    std::size_t fluents_;
    std::vector<std::uint32_t> start_;
    std::vector<Signal> inputs_;
    // Open addressing, at most half full: a gate by the hash of its inputs, or 0.
    std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(1024);
};

class Effects {
public:
    struct Change {
        std::uint32_t fluent;
        Signal next;  // in the circuit
    };

    // Throws Error when the network has loops.
    explicit Effects(const Network& network);
    [[nodiscard]] static bool supports(const Network& network);

    [[nodiscard]] const Circuit& circuit() const { return circuit_; }
    [[nodiscard]] Circuit& circuit() { return circuit_; }
    // The signal of the circuit for one of the network that depends on the state alone.
    [[nodiscard]] Signal of_state(Signal s) const;
    // The fluents that the joint move may change. A role may make no move at all, which is no joint move of the game, but
    // tells what the others' moves do by themselves.
    static constexpr MoveId no_move = ~MoveId{0};
    [[nodiscard]] std::vector<Change> changes(const JointMove& moves);

private:
    [[nodiscard]] Signal translate(Signal s) const;
    [[nodiscard]] Signal rebuild(std::uint32_t gate);

    const Network& network_;
    Circuit circuit_;
    std::vector<Signal> image_;  // by node of the network, with no move made
    std::vector<std::uint32_t> fan_start_;
    std::vector<std::uint32_t> fan_out_;             // by node: the late gates that read it
    std::vector<std::vector<std::uint32_t>> feeds_;  // by node: the fluents whose next value it is
    std::vector<std::uint32_t> moving_;              // fluents that change when nobody moves
};

}  // namespace zermelo::gdl
