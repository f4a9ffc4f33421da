// Compiled stepper: makes and unmakes moves by machine code. For depth-first search.
//
// What the moves of a role change is a circuit over the state (Effects, circuit/effects.hpp), and so is whether the game
// is over after a move: the terminal condition with the changed fluents put in, a cofactor for each move. All of it is
// compiled into a few queries (compiled/state_query.hpp), so that one call tells for every move which fluents it flips
// and whether it ends the game. A position is a row of words: making a move flips bits and exclusive-ors keys, undoing
// it drops a row.
//
// Threats, for the order of moves, come from the goal multiplied out into lines of facts: a line that lacks two facts
// becomes a threat when a move brings one of them, unless it can be proven that the other will never hold.
//
// It answers what the Stepper (stepper.hpp) answers, with the same keys. The Stepper runs the games that this one
// cannot, and is its oracle. CompiledMoves is shared by threads; each thread has a stepper of its own.

#pragma once

#include <mutex>

#include "gdl/circuit/lines.hpp"
#include "gdl/compiled/state_query.hpp"
#include "gdl/move_analysis.hpp"

namespace zermelo::gdl {

// Moves that turned up during a search are too many to compile; the Stepper can run them.
class TooManyMoves : public Error {
    using Error::Error;
};

class CompiledMoves {
public:
    using Permutation = std::vector<std::uint32_t>;  // image of each fluent

    // Nothing where there is no machine code, and for networks that are recursive or too large. The game must outlive
    // it. Symmetries: as for the Stepper.
    [[nodiscard]] static std::shared_ptr<CompiledMoves> make(const Game& game,
                                                             const std::vector<Permutation>& symmetries = {});

private:
    friend class CompiledStepper;
    explicit CompiledMoves(const Game& game, const std::vector<Permutation>& symmetries);

    // Where the changes of a move lie in the answers: one word under a mask, or several words.
    struct Span {
        std::uint32_t word;
        std::uint32_t words;
        std::uint64_t mask;
    };
    // All moves of a role beside the same moves of the others. The answers are the next values of the fluents that
    // may change, their present values, and which moves end the game.
    struct MoveSet {
        JointMove joint;                     // the role's own move is 0
        std::vector<Span> spans;             // by place of the move
        std::vector<std::uint32_t> fluents;  // by lane of the next values
        std::vector<Hash128> keys;           // by lane and symmetry
        std::uint32_t change_words = 0;
        std::uint32_t end_words = 0;  // 0: it is not known which moves end the game
        std::unique_ptr<StateQuery> query;
    };
    // Pairs of facts that are all that a line of a role's best goal lacks.
    struct Threats {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // of fluents, by lane
        std::vector<std::uint16_t> lines;                            // by fluent: how many it is part of
        std::unique_ptr<StateQuery> query;                           // null: none are known
    };
    struct Answer {
        int value;
        std::size_t lane;
    };

    [[nodiscard]] bool ask_position();
    [[nodiscard]] bool ask_outcome();
    void ask_threats();
    [[nodiscard]] std::unique_ptr<MoveSet> compile(std::size_t role, const JointMove& joint);
    void lay_out(const std::vector<std::vector<Effects::Change>>& changes, MoveSet& set,
                 std::vector<Signal>& outputs) const;
    [[nodiscard]] bool ask_ends(const std::vector<std::vector<Effects::Change>>& changes,
                                std::vector<Signal>& outputs);
    // Throws TooManyMoves.
    const MoveSet& find_or_compile(std::size_t role, const JointMove& joint);

    const Game& game_;
    const Network& network_;
    Effects effects_;
    GoalReachability reachability_;
    Lines lines_;
    std::vector<std::vector<MoveId>> order_;         // by role: its moves, bytewise by name
    std::vector<std::vector<std::uint32_t>> place_;  // by role and move: where it is there
    std::vector<std::uint32_t> first_legal_;  // by role: the words of its legal moves, by place; one more
    std::size_t symmetries_ = 1;              // with the identity
    std::vector<Hash128> zobrist_;            // by symmetry and fluent

    std::unique_ptr<StateQuery> position_;         // legal moves, and which goals are out of reach
    std::vector<std::vector<Answer>> impossible_;  // by role
    std::uint32_t position_words_ = 0;
    std::unique_ptr<StateQuery> outcome_;     // terminal, and goals
    std::vector<std::vector<Answer>> goals_;  // by role
    std::vector<Threats> threats_;            // by role
    std::vector<Signal> ends_;                // what the terminal condition is a disjunction of
    std::vector<std::uint32_t> ends_cone_;    // their gates, ascending

    std::mutex mutex_;                                         // of the sets, and of the circuit behind them
    std::vector<std::vector<std::unique_ptr<MoveSet>>> sets_;  // by role
};

class CompiledStepper {
public:
    explicit CompiledStepper(std::shared_ptr<CompiledMoves> moves);

    void load(const State& state);  // a new root: earlier moves cannot be undone
    [[nodiscard]] State state() const;

    [[nodiscard]] std::size_t roles() const { return moves_->order_.size(); }
    [[nodiscard]] bool terminal() const { return here().terminal; }
    [[nodiscard]] int goal(std::size_t role) const;  // -1 where none is stated
    [[nodiscard]] std::size_t choices(std::size_t role) const { return known().choices[role]; }
    // The legal moves, bytewise by name.
    void legal(std::size_t role, std::vector<MoveId>& moves) const;
    [[nodiscard]] Hash128 exact_key() const { return here().keys.front(); }
    [[nodiscard]] Hash128 key() const { return *std::min_element(here().keys.begin(), here().keys.end()); }
    // The least and the greatest goal that the role can still get, as far as can be proven.
    [[nodiscard]] std::pair<int, int> goal_bounds(std::size_t role) const;

    // `role` makes the move, and every other role its only legal one.
    void play(std::size_t role, MoveId move);
    void undo() { --depth_; }

    struct Peek {
        Hash128 key;
        Hash128 effect;  // identifies the set of changes, in any position
        bool terminal;
        int goal;     // of the role that was asked for, when terminal
        int goals;    // of all roles, added up
        int threats;  // lines of the mover's best goal that now lack one fact, and can still be made
        int lines;    // of that goal, through the facts that the move makes true
    };
    [[nodiscard]] Peek peek(std::size_t role, MoveId move, std::size_t whose_goal);

private:
    using MoveSet = CompiledMoves::MoveSet;

    struct Ply {
        std::vector<std::uint64_t> state;
        std::vector<Hash128> keys;  // by symmetry, the identity first
        bool terminal = false;
        bool known = false;                   // what follows
        std::vector<std::uint64_t> position;  // answers of the query
        std::vector<std::uint32_t> choices;   // by role
        const MoveSet* set = nullptr;         // whose answers follow
        std::vector<std::uint64_t> flips;     // the fluents that change, by lane
        std::vector<std::uint64_t> nexts;     // their next values
        std::vector<std::uint64_t> ends;      // by place of the move
        std::vector<std::uint16_t> threats;   // by fluent that would make them
    };

    [[nodiscard]] Ply& here() const { return plies_[depth_]; }
    [[nodiscard]] Ply& known() const;
    void enter(std::size_t depth);
    [[nodiscard]] const MoveSet& find_set(Ply& ply, std::size_t role);
    [[nodiscard]] const MoveSet& add_set(std::size_t role);
    void find_changes(Ply& ply, std::size_t role);
    void find_threats(Ply& ply, std::size_t role);
    [[nodiscard]] bool over(const std::vector<std::uint64_t>& state) const;
    template <class Visit>
    static void each_change(const Ply& ply, const CompiledMoves::Span& span, Visit visit);  // visit(lane)

    std::shared_ptr<CompiledMoves> moves_;
    std::vector<std::vector<const MoveSet*>> sets_;  // by role, those that this thread knows
    std::size_t state_words_;
    mutable std::vector<Ply> plies_;  // by depth
    std::size_t depth_ = 0;
    mutable StateQuery::Words words_;
    std::vector<std::uint64_t> aside_;  // the state after a move that was looked at
};

}  // namespace zermelo::gdl
