// Constraint propagation on the circuit of one turn: unit propagation by counters (Dowling and Gallier
// 1984), and falsification of unfounded sets (Van Gelder, Ross and Schlipf 1991) in loops.
//
// Every node of the turn's circuit is true, false or open. What is known propagates through the gates in
// both directions: from the state and the moves to their consequences, and from what is wanted back to the
// moves that can bring it about. Besides the gates it is known that each role makes exactly one move, that
// this move is legal, that the game is not over now, and that at most one fluent of a mutex group holds.
// Atoms of a loop that nothing outside the loop supports are false. Propagation is sound: no solution is
// lost. With the whole state and all moves given, every node is decided.
//
// Each gate counts its inputs that are not known to hold, so an input costs the same whatever the size of
// its gates; a trail undoes everything. Nothing is allocated after the start.

#pragma once

#include <algorithm>

#include "gdl/analysis/forward_analysis.hpp"
#include "scsp/turn.hpp"

namespace zermelo::scsp {

class Filter {
public:
    explicit Filter(const Turn& turn);  // the turn has to outlive this

    // Starts anew with the state. False where no turn can be played in it: the game is over, a role has no
    // move, or the state violates a mutex group. Then only load() and undo() may be called.
    bool load(const gdl::State& state);
    // Assumes a signal on a new decision level, and propagates. False on a conflict; then the level has to be
    // undone.
    bool assume(gdl::Signal signal);
    // Posts a signal on the current level, and propagates. False on a conflict.
    bool post(gdl::Signal signal);
    bool post(const std::vector<gdl::Signal>& signals);
    // Before any level is opened: excludes all open nodes that do not matter from propagation. The inputs of
    // a node that matters have to matter, too. Propagation is then weaker, and faster.
    template <class Matters>
    void focus(const Matters& matters) {
        widen();
        for (std::uint32_t node = 0; node < value_.size(); ++node) {
            if (value_[node] == open && !matters(node)) value_[node] = left_out;
        }
    }
    // Before any level is opened: includes all nodes again.
    void widen() { std::ranges::replace(value_, left_out, open); }
    // Opens a level without an assumption.
    void push() { marks_.push_back(size_); }

    [[nodiscard]] std::size_t level() const { return marks_.size(); }
    void undo(std::size_t level);  // backtracks to this level
    [[nodiscard]] bool consistent() const { return !conflict_; }

    [[nodiscard]] gdl::Truth truth(gdl::Signal s) const {
        const std::uint8_t v = value_[s.node()];
        return v >= open ? gdl::Truth::unknown : (v != 0) != s.negated() ? gdl::Truth::yes : gdl::Truth::no;
    }
    // What the signal is equal to: a gate that waits for a single input is this input.
    [[nodiscard]] gdl::Signal resolve(gdl::Signal s) const;
    // The moves of a role that are not excluded.
    void possible(std::size_t role, std::vector<gdl::MoveId>& moves) const;
    [[nodiscard]] bool is_possible(std::size_t role, gdl::MoveId move) const {
        return value_[turn_.network.moves[role][move].node] != 0;
    }
    [[nodiscard]] std::size_t count_possible(std::size_t role) const { return left_[moves_of_ + role]; }
    // Singleton consistency of the moves: assumes each move that is left, and excludes those that fail, to a
    // fixpoint. False where nothing is left.
    bool probe();
    // The state after the turn; all moves and the state now have to be known.
    void next(gdl::State& state) const;

    [[nodiscard]] const Turn& turn() const { return turn_; }
    [[nodiscard]] std::uint64_t assignments() const { return assignments_; }  // so far: a measure of work

private:
    static constexpr std::uint8_t open = 2;
    static constexpr std::uint8_t left_out = 3;  // open, and excluded from propagation

    struct Membership {
        std::uint32_t group;
        bool negated;
    };

    void set(gdl::Signal s);
    void process(std::uint32_t node);
    void force_last(std::uint32_t gate);
    void force_member(std::uint32_t group);
    bool propagate();
    void refute_unfounded(const gdl::Network::Stretch& loop);
    void derive(std::uint32_t atom, const gdl::Network::Stretch& loop);

    const Turn& turn_;
    const std::uint32_t first_gate_;
    std::vector<std::uint8_t> value_;  // by node
    // Gates that read a node: twice the gate, plus one where it is negated there.
    std::vector<std::uint32_t> fan_start_;
    std::vector<std::uint32_t> fan_out_;
    std::vector<std::uint32_t> unsettled_;  // by gate: inputs that are not known to hold
    // Implications of a literal, by its code.
    std::vector<std::uint32_t> implied_start_;
    std::vector<gdl::Signal> implied_;
    // Groups by node.
    std::vector<std::uint32_t> member_start_;
    std::vector<Membership> member_of_;
    std::vector<std::uint32_t> left_;  // by group: members that are not known to be false
    std::size_t moves_of_ = 0;         // the group of the first role's moves
    std::vector<bool> near_loop_;      // by node: in a loop, or read by one

    std::vector<std::uint32_t> trail_;  // nodes in the order they were decided
    std::uint32_t size_ = 0;
    std::uint32_t head_ = 0;  // nodes before have been processed
    std::vector<std::uint32_t> marks_;
    bool conflict_ = false;
    bool broken_ = false;  // already at the start
    bool stale_ = false;   // the loops have to be checked for unfounded atoms
    std::uint64_t assignments_ = 0;

    std::vector<std::uint32_t> pending_;  // by gate of a loop: atoms of the loop that it still waits for
    std::vector<std::uint8_t> derived_;   // by gate of a loop: its atom can be derived
    std::vector<std::uint32_t> fresh_;    // gates whose readers are still to be updated
};

}  // namespace zermelo::scsp
