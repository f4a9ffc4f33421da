// MAC, maintaining arc consistency (Sabin and Freuder 1994), on the micro-SCSP of one state, with compact
// tables (Demeulenaere et al. 2016): all its solutions, as in MAC-UCB (Koriche, Lagrue, Piette and Tabary
// 2015, section 3).
//
// With the state known, the decision variables of a turn are the moves of the players. Legality is a unary
// constraint on each, and every variable of the next state is a function of all moves: a constraint whose
// tuples are the joint moves. One pass over the compiled circuit (turn_program.hpp) fills these tables for
// up to 4096 joint moves; where there are more, players are assigned before until so few are left. The
// problem is divided as in the paper:
//
// - P″ has the constraints that chance takes part in. Forward checking (Balafoutis and Stergiou 2006) gives
//   each combination of decisions the values of the chance variable one after the other, all equally likely,
//   and drops it as soon as its expected goal can no longer reach a threshold; the goal of a next state
//   counts where the game is over in it, and as 100 where it is not, or what is known of it. What is left is
//   the constraint c_s, a table over the decision variables. Tuples can be removed from it: pruning.
// - P′ has the decisions, the variables of the next state, and c_s. A reversible bit set, kept by a trail,
//   has the joint moves that all constraints still allow; a value of a variable is left while one of its
//   supports is in it. Since all tables have the same tuples, this is arc consistency of their join, and the
//   search meets no dead end.
//
// Cost: loading evaluates what has changed in the state; then gates / 64 operations for each joint move.

#pragma once

#include <functional>
#include <unordered_set>

#include "scsp/mac.hpp"
#include "scsp/turn_program.hpp"

namespace zermelo::scsp {

// An upper bound on a role's expected goal from a next state on, in which the game is not over.
using GoalBound = std::function<double(std::size_t role, const gdl::State& next)>;

struct TurnSolverOptions {
    std::vector<double> thresholds = {};  // by role; empty, or 0, for none
    bool stochastic_first = true;  // c_s is part of P′; otherwise solutions of P′ are checked one by one
    // Orders the moves of a role that are tried, or removes some.
    std::function<void(std::size_t role, std::vector<gdl::MoveId>& moves)> order = {};
};

class TurnSolver {
public:
    // The program has to outlive this. Throws Error where there are thresholds and the program has no outcome.
    explicit TurnSolver(const TurnProgram& program, TurnSolverOptions options = {});

    // Takes the state. False where no turn can be played in it: the game is over, a role has no move, or the
    // state violates a mutex group. What was removed is forgotten.
    bool load(const gdl::State& state);
    // The legal moves of a role in the state.
    [[nodiscard]] const std::vector<gdl::MoveId>& moves(std::size_t role) const { return legal_[role]; }
    // Combinations of the players' moves, without chance; the moves of chance.
    [[nodiscard]] std::uint64_t decisions() const;
    [[nodiscard]] std::size_t outcomes() const { return chances_.size(); }

    // Takes a combination of the players' moves out of c_s; the entry of chance is not read.
    void remove(const gdl::JointMove& joint);
    // Without a bound, a game that goes on may still be worth 100.
    void set_thresholds(std::vector<double> thresholds, GoalBound bound = {});

    // Visits each solution: the joint move, whose entry of chance is meaningless, and the outcomes, one for
    // each move of chance, or a single one. The visitor returns false to stop; then this returns false. It
    // may remove tuples; those that were not visited yet then do not come.
    using Visit = Mac::Visit;
    bool enumerate(const Visit& visit);
    bool solve(const gdl::State& state, const Visit& visit) { return !load(state) || enumerate(visit); }

    // While a visitor runs or, without one, for the state: is there a solution below in which this holds
    // after the turn, for some move of chance? Only where the state has no more than 4096 joint moves.
    [[nodiscard]] bool may_hold_next(std::uint32_t fluent);
    [[nodiscard]] bool may_fail_next(std::uint32_t fluent);

    // Of all calls so far.
    struct Counts {
        std::uint64_t states = 0;        // that were loaded
        std::uint64_t nodes = 0;         // assignments of a move to a player
        std::uint64_t propagations = 0;  // tables that were filtered, and domains
        std::uint64_t failures = 0;      // values without a support
        std::uint64_t rejected = 0;      // combinations that P″ refused
        std::uint64_t removed = 0;       // tuples that pruning took out
        std::uint64_t solutions = 0;
    };
    [[nodiscard]] const Counts& counts() const { return counts_; }

private:
    // A player with several moves, in the tables at hand.
    struct Choice {
        std::size_t role;
        std::size_t stride;                // of its moves among the combinations
        std::vector<std::uint64_t> masks;  // by move: its supports
        bool assigned = false;
    };

    bool assign_outer(std::size_t role, const Visit& visit);
    void make_tables(std::size_t from);
    void make_choices(std::size_t from);
    void make_alive(std::size_t from);
    void fill_tables();
    template <int W>
    void fill(std::vector<std::uint64_t>& words);
    void find_base();
    void solve_stochastic();
    bool search(std::size_t depth, const Visit& visit);
    bool visit_solution(const Visit& visit);
    void read(std::size_t pair, Outcome& outcome) const;
    void read_next(std::size_t pair, gdl::State& next) const;
    [[nodiscard]] int goal(std::size_t role, std::size_t pair) const;
    [[nodiscard]] bool good_enough(std::size_t tuple);
    [[nodiscard]] double most(std::size_t role, std::size_t pair);
    [[nodiscard]] bool is_supported(const Choice& choice, std::size_t move) const;
    [[nodiscard]] std::size_t count_domain(const Choice& choice);
    bool assign(const Choice& choice, std::size_t move);
    void undo(std::size_t mark);
    void drop(std::size_t tuple);
    [[nodiscard]] std::size_t position(std::size_t role, gdl::MoveId move) const;
    [[nodiscard]] bool respects_groups(const gdl::State& state) const;
    [[nodiscard]] bool has_thresholds() const;
    [[nodiscard]] bool any_alive(std::uint32_t fluent, bool holds);
    [[nodiscard]] bool bit(std::size_t row, std::size_t pair) const {
        return (table_[row * width_ + pair / 64] >> (pair % 64) & 1) != 0;
    }

    const TurnProgram& program_;
    TurnSolverOptions options_;
    GoalBound bound_;
    gdl::State bounded_;  // the next state that is asked about
    Counts counts_;
    gdl::Runner runner_;                           // of the gates that depend on the state alone
    std::vector<std::vector<gdl::MoveId>> legal_;  // by role, ascending
    std::vector<gdl::MoveId> chances_;             // of the chance role; one that means nothing without it
    using Masks = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
    std::vector<Masks> groups_;  // by mutex group: its fluents in words of states

    // The tables have a row for each fluent, for the end of the game and for each goal, and a bit for each
    // pair of a combination of decisions and a move of chance, which varies fastest.
    gdl::JointMove joint_;
    std::vector<Choice> choices_;
    std::size_t tuples_ = 0;  // combinations of decisions
    std::size_t width_ = 0;   // words of a row
    std::vector<std::uint64_t> table_;
    std::vector<std::size_t> goal_rows_;     // by role: the row of the first goal
    gdl::State base_;                        // what holds in all next states
    std::vector<std::uint32_t> varying_;     // fluents that hold in some of them
    bool filled_ = false;                    // for the state, where one table is enough for it
    std::vector<std::uint64_t> words_;       // of places
    std::vector<std::uint64_t> wide_words_;  // four for each place

    std::vector<std::uint64_t> alive_;  // c_s, and what the assignments leave of it
    std::vector<std::uint64_t> gone_;   // taken out of it during the search
    std::vector<std::pair<std::uint32_t, std::uint64_t>> trail_;
    std::unordered_set<std::uint64_t> removed_;    // combinations, numbered over all players
    std::vector<std::vector<gdl::MoveId>> tried_;  // by depth
    std::vector<Outcome> results_;
};

}  // namespace zermelo::scsp
