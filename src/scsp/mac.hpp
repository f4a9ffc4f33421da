// MAC, maintaining arc consistency (Sabin and Freuder 1994), on one turn: all its solutions, as in MAC-UCB
// (Koriche, Lagrue, Piette and Tabary 2015, section 3).
//
// The players' moves are the decision variables; the move of chance follows. Players are assigned one after
// the other, the one with the fewest moves left first, with propagation after each assignment. A complete
// assignment of the players is then joined with the stochastic part: each move of chance is tried, and gives
// a next state. Thresholds keep only assignments that may still be good enough: the goal of a next state
// counts where the game is over in it, and as 100 where it is not; the mean over the moves of chance, all
// equally likely, must not be below the threshold of any role. Where chance has no choice, thresholds are
// propagated from the start.

#pragma once

#include <functional>

#include "scsp/filter.hpp"

namespace zermelo::scsp {

struct Outcome {
    gdl::MoveId chance = 0;  // where there is a chance role
    gdl::State next;
    bool over = false;       // the game is over in it
    std::vector<int> goals;  // by role, where it is over; -1 where none is stated
};

struct MacOptions {
    std::optional<std::uint32_t> chance;  // the role
    std::vector<int> thresholds;          // by role; empty, or 0, for none
    // Orders the moves of a role that are tried, or removes some.
    std::function<void(std::size_t role, std::vector<gdl::MoveId>& moves)> order;
};

class Mac {
public:
    // Where the filter's turn has no next outcome, `over` and `goals` of outcomes are not set, and there can
    // be no thresholds. The filter may be used otherwise between calls.
    Mac(Filter& filter, MacOptions options);

    // Visits each solution: the joint move, whose entry of chance is meaningless, and the outcomes, one for
    // each move of chance, or a single one. The visitor returns false to stop; then this returns false.
    using Visit = std::function<bool(const gdl::JointMove& moves, std::span<const Outcome> outcomes)>;
    bool solve(const gdl::State& state, const Visit& visit);

    // Of all calls so far.
    struct Counts {
        std::uint64_t nodes = 0;     // assignments of a move to a player
        std::uint64_t failures = 0;  // assignments that filtering refuted
        std::uint64_t rejected = 0;  // complete assignments below a threshold
        std::uint64_t solutions = 0;
    };
    [[nodiscard]] const Counts& counts() const { return counts_; }

private:
    bool assign(std::size_t depth, const Visit& visit);
    bool join(const Visit& visit);
    void read(Outcome& outcome) const;
    [[nodiscard]] bool good_enough(std::size_t tried, std::size_t all) const;

    Filter& filter_;
    MacOptions options_;
    Counts counts_;
    gdl::JointMove joint_;
    std::vector<bool> assigned_;                   // by role
    std::vector<std::vector<gdl::MoveId>> moves_;  // by depth
    std::vector<Outcome> outcomes_;
};

// Whether all players always see the same: the fragment of GDL-II in which a turn is a micro-SCSP (Koriche,
// Lagrue, Piette and Tabary 2016, section 2). `shared` is proven; otherwise `seer` may see the percept
// without `other` seeing it, or the proof was too hard.
struct SharedInformation {
    bool shared = true;
    std::uint32_t seer = 0;
    std::uint32_t other = 0;
    gdl::TermId percept = 0;
};

[[nodiscard]] SharedInformation shared_information(const gdl::Network& network,
                                                   const MutexGroups& mutex_groups = {},
                                                   const Limits& limits = {});

}  // namespace zermelo::scsp
