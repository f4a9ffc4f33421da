// Learned goods and nogoods: sets of moves after which a position is won, or lost, whatever else was played.
//
// Nogood learning for quantified constraints (Bacchus and Stergiou 2007) keeps conflicts and solutions as the
// clauses and cubes of QBF solvers are kept (Zhang and Malik 2002). A set has a level: all moves of the blocks
// before it may have been made, and none behind it. Earlier than that it decides, too, as long as no rule of
// the winner lies in between: a rule might leave the winner without a move.
//
// A set is watched by one of its moves that is not made (Moskewicz et al. 2001 watch two, to find the last
// move, too). A move costs the sets that watch it. The number of sets is bounded: when it is reached, the
// half that has decided the least goes.

#pragma once

#include <unordered_map>

#include "kernel/program.hpp"
#include "quantified/learning/move_set.hpp"
#include "strategy/strategy.hpp"

namespace zermelo::quantified {

class LearnedSets {
public:
    struct Move {
        std::uint32_t place;  // in the prefix
        model::Value value;
        friend bool operator==(const Move&, const Move&) = default;
    };
    struct Set {
        std::vector<Move> moves;
        bool won = false;
        int level = 0;
        strategy::NodeId node = strategy::decided;
        std::uint32_t hits = 0;
    };

    LearnedSets(const kernel::Program& program, std::size_t most);

    // The moves as they are made and taken back.
    void play(std::size_t place, model::Value value);
    void take_back();
    [[nodiscard]] std::size_t depth() const { return made_.size(); }

    // These of the moves that are made now decide a position of that level.
    void add(const MoveSet& reason, bool won, int level, strategy::NodeId node);

    // A set that decides the position: before block `b`, or inside it. Counts as a hit.
    [[nodiscard]] const Set* find(int b, bool inside);

    [[nodiscard]] std::vector<Set>& sets() { return sets_; }

private:
    struct Complete {  // all moves of the set are made
        std::uint32_t set;
        std::size_t depth;
    };
    [[nodiscard]] bool made(const Move& move) const {
        return depth_[move.place] > 0 && value_[move.place] == move.value;
    }
    static std::uint64_t key(const Move& move) {
        return std::uint64_t{move.place} << 32 | static_cast<std::uint32_t>(move.value);
    }
    void watch(std::uint32_t set);
    void reduce();

    const std::size_t most_;
    std::vector<int> guard_[2];  // by block: the next block with a rule of ∀, and of ∃, at or after it
    std::vector<Set> sets_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> watches_;
    std::vector<std::size_t> made_;   // places, in the order of the play
    std::vector<std::size_t> depth_;  // by place: 0 where the move is not made
    std::vector<model::Value> value_;
    std::vector<Complete> complete_;  // the latest last
};

}  // namespace zermelo::quantified
