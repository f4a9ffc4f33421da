// Expectimax with *-minimax pruning (Ballard 1983) and iterative deepening: solves the micro-SCSPs of the
// coming turns, one inside the other.
//
// A turn's decision variable takes the moves of whoever is to move, a chance variable its outcomes; the value
// of a state is the best one for us, the worst where the opponent decides, and the mean over chance. At the
// depth limit a network (play/learn/value_network.hpp or learn/judgement.hpp) estimates the rest of the sequence. The
// threshold rises as in Piette et al. (2015): a move counts only if it is better than what is certain
// already, and everything that cannot be is pruned (alpha-beta with null windows; at chance nodes the rest is
// bounded by the best and the worst payoff). Equal outcomes of chance are merged, and with symmetries the
// transposition table holds one state for all that are symmetric.
//
// For games in which everything is seen, at most one seat moves at a time, and there are one or two seats.

#pragma once

#include "game/heuristic/learned.hpp"
#include "game/search/transposition_table.hpp"
#include "gdl/stepper.hpp"
#include "learn/judgement.hpp"
#include "play/player.hpp"

namespace zermelo::play {

// What a search knows of a state. Values are goals in units of a hundredth of a percent.
struct ExpectimaxResult {
    enum class Bound : std::uint8_t { lower, exact, upper };
    std::int32_t value = 0;
    MoveId move = 0;
    std::uint16_t depth = 0;
    Bound bound = Bound::exact;
    bool exact = false;  // it holds at any depth
    [[nodiscard]] std::uint64_t worth() const { return std::uint64_t{2} * depth + (exact ? 1 : 0); }
};

class Expectimax {
public:
    struct Options {
        std::vector<gdl::Stepper::Permutation> symmetries = {};  // the table takes symmetric states for one
        std::size_t table_bytes = std::size_t{64} << 20;
        bool table = true;
        std::shared_ptr<const learn::Judgement> judgement = {};  // estimates in place of the value network
    };

    [[nodiscard]] static bool supports(const GameContext& rules);

    Expectimax(const GameContext& rules, std::size_t role, const Options& options);

    struct Result {
        std::optional<MoveId> best = {};  // of the role; none where there was no time for any
        double value = 0;                 // 0 … 1
        bool exact = false;               // it rests on ends of the game only
        int depth = 0;                    // of the last search that was finished
        std::uint64_t positions = 0;
        std::uint64_t table_hits = 0;
    };
    // The role is to move in the state. Stops at the deadline, or after so many positions (0: no limit); a
    // search of depth one is finished anyway. Throws Error where roles move at the same time.
    [[nodiscard]] Result search(const State& root, const ValueNetwork& network, const Deadline& deadline,
                                std::uint64_t most_positions, int most_depth = 100);

private:
    using Value = std::int32_t;
    using Bound = ExpectimaxResult::Bound;
    static constexpr Value worst = 0;
    static constexpr Value best = 1'000'000;  // a goal of 100

    struct Evaluation {
        Value value = 0;
        bool exact = true;  // it holds at any depth
    };
    struct Choice {
        MoveId move;
        std::uint64_t priority;
    };
    struct Outcome {
        MoveId move;
        Hash128 key;
        Value weight;
    };
    struct Ply {
        Hash128 key;       // exact
        bool chance_node;  // chance moved here: a state that comes again after it is no circle
        std::vector<MoveId> legal;
        std::vector<Choice> choices;
        std::vector<Outcome> outcomes;
        std::array<MoveId, 2> killers;
    };
    struct Stopped {};

    // Values are those of the role; `low` and `high` bound what is of interest.
    Evaluation evaluate(int depth, std::size_t ply, Value low, Value high);
    Evaluation choose(std::size_t mover, int depth, std::size_t ply, Value low, Value high, MoveId hint);
    Evaluation average(std::size_t chance, int depth, std::size_t ply, Value low, Value high);
    Evaluation follow(std::size_t mover, MoveId move, int depth, std::size_t ply, Value low, Value high);
    [[nodiscard]] Value estimate();
    [[nodiscard]] bool repeated(std::size_t ply) const;
    void order(std::size_t mover, std::size_t ply, MoveId hint);
    void merge_outcomes(std::size_t chance, std::size_t ply);
    void check_limits();

    static constexpr MoveId no_move = ~MoveId{0};

    const GameContext& rules_;
    std::size_t role_;
    gdl::Stepper stepper_;
    game::TranspositionTable<ExpectimaxResult> table_;
    bool use_table_;
    std::vector<Ply> plies_;
    std::vector<std::vector<std::uint64_t>> history_;  // by role and move
    const ValueNetwork* network_ = nullptr;
    std::unique_ptr<learn::Judge> judge_;
    State state_;
    const Deadline* deadline_ = nullptr;
    std::uint64_t most_positions_ = 0;
    int iteration_ = 0;
    MoveId best_move_ = no_move;
    Result result_;
};

}  // namespace zermelo::play
