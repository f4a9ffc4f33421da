// Resolution of a micro-SCSP (Koriche et al. 2015, section 3, "MAC"): all its feasible solutions, by maintaining arc
// consistency on the decision variables and joining them with the moves of chance (scsp/turn_solver.hpp).
//
// The network of a turn is preprocessed and compiled once a game. For each state, what has changed is evaluated, P″
// gives c_s by forward checking, and MAC assigns the players' moves. Each solution comes with its outcomes, and each
// outcome with the next state, whether the game is over in it, and the goals.
//
// A micro-SCSP is resolved first with the threshold 0, which allows every feasible solution. Resolved again with a
// greater one, P″ drops the solutions whose expected utility cannot reach it by what is known of the next turns, and
// those that were removed are not in c_s at all: MAC enumerates what is left.
//
// Where states are hidden, MAC runs on each possible state. Outcomes of one solution are one micro-SCSP if the
// players see the same (Koriche et al. 2016, theorem 1). The cost is one assignment for each prefix of each
// solution, times the states.

#pragma once

#include <map>

#include "play/mac_ucb/micro_tree.hpp"
#include "scsp/turn_solver.hpp"

namespace zermelo::play {

struct ResolutionLimits {
    std::size_t solutions = 4096;  // of a micro-SCSP; one with more stays open
    std::size_t outcomes = 65536;
    std::size_t states = 512;  // that are possible
};

class Resolution {
public:
    // `role` is whose percepts tell hidden states apart. The rules and the program must outlive this.
    Resolution(const GameContext& rules, const scsp::TurnProgram& program, std::size_t role,
               const ResolutionLimits& limits = {});

    // Finds the solutions. `place` takes over each micro-SCSP of the next turn, and tells its number. False, and the
    // node is as it was, where the deadline passed.
    using Place = std::function<MicroId(MicroNode&&)>;
    [[nodiscard]] bool resolve(MicroNode& node, const Place& place, const Deadline& deadline);

    // What is known of a micro-SCSP in which one player chooses.
    struct Known {
        double threshold;                                // of that player; 0 … 1
        std::function<double(const State& next)> bound;  // on its utility from a next state on
        std::vector<bool> removed;                       // by solution: not in c_s
    };
    // Resolves a micro-SCSP of a single state again. Tells by solution whether it is left.
    [[nodiscard]] std::vector<bool> resolve_again(const MicroNode& node, const Known& known);

    struct Counts {
        std::uint64_t micro_scsps = 0;
        std::uint64_t again = 0;         // how often one was resolved again
        std::uint64_t rejected = 0;      // solutions that P″ dropped then
        std::uint64_t assignments = 0;   // of a move to a player, by MAC
        std::uint64_t propagations = 0;  // tables and domains that were filtered
        std::uint64_t solutions = 0;
    };
    [[nodiscard]] const Counts& counts() const { return counts_; }

private:
    struct Group {  // outcomes of one solution that are one micro-SCSP
        Hash128 seen;
        double probability = 0;
        bool over = false;
        Utilities goals = {};
        std::vector<MicroNode::Possible> states = {};
    };
    struct Draft {
        double probability = 0;  // of the states in which it is feasible
        std::vector<Group> groups = {};
    };
    using Drafts = std::map<JointMove, Draft>;  // by the players' moves, that of chance left out

    [[nodiscard]] bool list(const MicroNode& node, const Deadline& deadline, Drafts& drafts);
    [[nodiscard]] bool load(const State& state);
    void remove(const MicroNode& node, const std::vector<bool>& removed);
    void count();
    void add(Draft& draft, const JointMove& joint, const MicroNode::Possible& now,
             const scsp::Outcome& outcome, double probability);
    [[nodiscard]] Hash128 seen(const JointMove& joint, MoveId chance, const State& state);
    [[nodiscard]] bool list_choosers(MicroNode& node, const Drafts& drafts) const;
    void link(MicroNode& node, Drafts& drafts, const Place& place) const;

    const GameContext& rules_;
    std::size_t role_;
    ResolutionLimits limits_;
    std::optional<std::uint32_t> chance_;
    InfoState info_;
    scsp::TurnSolver solver_;
    State loaded_;  // by the solver; what was removed from it is worth nothing for good
    Counts counts_;
};

}  // namespace zermelo::play
