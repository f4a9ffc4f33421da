// Stepper: makes and unmakes moves on the rule circuit, updating only what a move changes. For depth-first
// search.
//
// Where the Runner evaluates dirty gates in order, the stepper counts (as in Dowling and Gallier 1984): each
// gate knows how many of its inputs are false, a change of a node moves the counters of the gates that read
// it by one, and a gate changes when its counter leaves or reaches zero. What a move does to the state comes
// from Effects, so moves are not nodes here. Everything that belongs to a position (values, counters, legal
// moves, Zobrist keys) lies in one block of memory: playing a move copies the block and updates the copy,
// undoing it drops the copy. A peek tells how a move ends and where it leads without making it: only what
// terminal and goals depend on is copied and updated.
//
// A stepper belongs to one thread. Symmetries are permutations of the fluents that map the game onto itself;
// the key of a state is then the least of the keys of its images.

#pragma once

#include <algorithm>
#include <memory>

#include "gdl/move_analysis.hpp"

namespace zermelo::gdl {

class Stepper {
public:
    using Permutation = std::vector<std::uint32_t>;  // image of each fluent

    // Throws Error for networks that it does not support.
    explicit Stepper(const Game& game, const std::vector<Permutation>& symmetries = {});
    [[nodiscard]] static bool supports(const Network& network);

    void load(const State& state);  // a new root: earlier moves cannot be undone
    [[nodiscard]] State state() const;
    void state(State& out) const;  // the same, without an allocation

    [[nodiscard]] std::size_t roles() const { return order_.size(); }
    [[nodiscard]] bool terminal() const { return holds(here_, terminal_); }
    [[nodiscard]] int goal(std::size_t role) const { return goal(here_, role); }  // -1 where none is stated
    [[nodiscard]] std::size_t choices(std::size_t role) const { return here_.choices[role]; }
    // The legal moves, bytewise by name.
    void legal(std::size_t role, std::vector<MoveId>& moves) const;
    [[nodiscard]] Hash128 exact_key() const { return *here_.keys; }
    [[nodiscard]] Hash128 key() const { return *std::min_element(here_.keys, here_.keys + symmetries_); }

    // The least and the greatest goal that the role can still get, as far as can be proven.
    [[nodiscard]] std::pair<int, int> goal_bounds(std::size_t role) const;

    // `role` makes the move, and every other role its only legal one.
    void play(std::size_t role, MoveId move);
    void undo();

    struct Peek {
        Hash128 key;
        Hash128 effect;  // identifies the set of changes, in any position
        bool terminal;
        int goal;     // of the role that was asked for, when terminal
        int goals;    // of all roles, added up
        int threats;  // conjunctions in the mover's best goal that now lack one input, and can still hold
    };
    [[nodiscard]] Peek peek(std::size_t role, MoveId move, std::size_t whose_goal);

    [[nodiscard]] std::size_t block_bytes() const { return block_words_ * sizeof(std::uint64_t); }

private:
    using Counter = std::uint16_t;

    // A position: pointers into its block.
    struct Position {
        Hash128* keys;           // by symmetry, the identity first
        std::uint64_t* legal;    // by role from first_legal_: bits by place in order_
        std::uint32_t* choices;  // by role
        Counter* open;           // by gate: inputs that are false
        std::uint8_t* value;     // by node
    };
    struct Watch {
        std::uint32_t role;
        std::uint32_t place;  // among the role's moves in order
        bool negated;
    };
    struct Variant {  // of a move, by what the others do
        JointMove joint;
        std::uint32_t program;
        std::vector<std::pair<std::size_t, std::uint64_t>> others;  // word and bit of their legal moves
    };

    [[nodiscard]] static bool holds(const Position& p, Signal s) {
        return (p.value[s.node()] != 0) != s.negated();
    }
    [[nodiscard]] int goal(const Position& p, std::size_t role) const;
    void compile_seen_moves();
    std::uint32_t compile(std::size_t role, const JointMove& joint);
    void link();
    [[nodiscard]] Signal local(Signal s) const;  // a signal of the circuit in our numbering
    void list_watches(std::uint32_t nodes);
    void list_readers(const std::vector<std::uint32_t>& gates);
    [[nodiscard]] Position position_in(std::vector<std::uint64_t>& block) const;
    void fill(const Position& p, const std::vector<std::uint8_t>& fluents) const;
    void enter(std::size_t depth);
    [[nodiscard]] std::uint32_t program(std::size_t role, MoveId move);
    void find_toggles(std::uint32_t program);
    void set_legal(const Position& p, const Watch& watch, bool legal) const;
    template <bool outcome_only>
    int toggle(const Position& p, std::uint8_t mover);

    const Game& game_;
    const Machine& machine_;
    Effects effects_;
    GoalReachability reachability_;
    std::vector<std::vector<MoveId>> order_;         // by role: its moves, bytewise by name
    std::vector<std::vector<std::uint32_t>> place_;  // by role and move: where it is there

    // In the numbering of the circuit, which grows.
    std::vector<Effects::Change> circuit_changes_;
    std::vector<std::uint32_t> change_start_{0};                            // by program
    std::vector<std::vector<std::vector<Variant>>> variants_;               // by role and move
    std::unordered_map<std::uint32_t, GoalConjunction> goal_conjunctions_;  // by gate

    // In our numbering: the constant, the fluents, gates that outcomes depend on, other gates.
    std::vector<std::uint32_t> local_;  // by node of the circuit
    Signal terminal_;
    std::vector<std::vector<Network::Goal>> goals_;       // by role
    std::vector<std::vector<Network::Goal>> impossible_;  // by role: the goal is out of reach
    std::vector<Effects::Change> changes_;
    std::uint32_t first_gate_ = 0;
    std::uint32_t nodes_ = 0;
    std::uint32_t outcome_gates_ = 0;
    std::vector<std::uint32_t> fan_start_;  // by node: its readers, those that outcomes depend on first
    std::vector<std::uint32_t> fan_mid_;    // where these end
    std::vector<std::uint32_t> fan_out_;    // gate * 2 + negated
    std::vector<GoalConjunction> conjunction_of_;  // by gate that outcomes depend on
    std::vector<std::vector<Signal>> inputs_;      // by gate
    std::vector<std::uint32_t> watch_start_;
    std::vector<Watch> watches_;
    std::vector<std::size_t> first_legal_;  // by role, one more at the end

    std::size_t symmetries_ = 1;    // with the identity
    std::vector<Hash128> zobrist_;  // by symmetry and fluent
    std::size_t block_words_ = 0;
    std::vector<std::vector<std::uint64_t>> blocks_;  // by depth
    std::vector<std::uint64_t> scratch_;
    std::size_t depth_ = 0;
    Position here_{};
    Position aside_{};  // in scratch_
    std::vector<std::uint32_t> toggles_;
    std::vector<std::uint32_t> queue_;
    JointMove joint_;
};

}  // namespace zermelo::gdl
