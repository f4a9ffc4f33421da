// Counterfactual regret minimisation (Zinkevich et al. 2007) while playing, for games with hidden and
// simultaneous moves.
//
// What a role knows when it has to choose is an information set. Each remembers for every legal move its
// regret, how much better the role would have done with it, and makes moves in proportion to their regrets
// where these are positive (regret matching, Hart and Mas-Colell 2000). Between two sides with opposite
// interests the average of these strategies over many plays converges to an equilibrium.
//
// The plays are sampled (outcome sampling, Lanctot et al. 2009). One role at a time is updated: it explores,
// the others play their strategies and chance its dice, and what the play tells is divided by how likely the
// role's own moves were to be sampled. Every move carries a baseline, and only the difference from it is
// divided so, which leaves the mean as it is and the variance small (Schmid et al. 2019). The others'
// strategies go into their averages. A play adds the information sets of one step to the known ones and goes
// on with random moves.
//
// Where all moves are seen, an information set is a state, which many paths may share. Then the guarantee
// above fails, because strategies cycle and those of different steps may do so together. So a state passes on
// the mean of the values found there, which converges (compare Kovařík and Lisý 2015).
//
// Before a move, plays start where the match stands: in a hidden game at the positions that are possible, as
// likely as they are under the average strategies, and some at the beginning (online outcome sampling, Lisý,
// Lanctot and Bowling 2015).

#pragma once

#include <array>
#include <atomic>
#include <unordered_map>

#include "play/mcts/bandit.hpp"
#include "play/mcts/playouts.hpp"

namespace zermelo::play {

struct CfrOptions {
    double exploration = 0.4;   // how often the updated role makes a random move
    double from_start = 0.5;    // the share of plays that start at the beginning, in hidden games
    double least_share = 0.02;  // moves that are less likely are not made
};

// The information sets, and the plays that teach them. Any number of threads may ask.
class Cfr {
public:
    // Where a play starts; the position must stay where it is during the play.
    using Start = std::function<const Position&(Random& random)>;
    struct Record {  // of one move of an information set
        std::uint64_t visits = 0;
        double mean = 0;      // what the role got after it, 0 … 1
        double variance = 0;  // of this
    };

    Cfr(const GameContext& rules, const CfrOptions& options, std::size_t memory, std::uint64_t seed);
    ~Cfr();

    // Plays so often, or until the deadline; how often. With one thread the seed decides everything. Plays
    // that leave what is known wait until there is a batch of them, and are then played out together.
    std::uint64_t iterate(std::uint64_t plays, const Start& start, const Deadline& deadline = {},
                          unsigned threads = 1, const Batch& batch = {.leaves = 1, .each = 1});
    [[nodiscard]] std::uint64_t playouts() const { return playouts_; }  // in all
    [[nodiscard]] std::size_t lanes() const;                            // of a batch

    // By legal move; equal where nothing is known.
    [[nodiscard]] std::vector<double> average(std::size_t role, const View& view,
                                              const std::vector<MoveId>& legal) const;
    [[nodiscard]] std::vector<Record> records(std::size_t role, const View& view,
                                              const std::vector<MoveId>& legal) const;
    [[nodiscard]] std::size_t size() const;  // information sets

    // A move has been made: if the memory is full, what no play met since the last one makes room.
    void next_move();

private:
    struct Choice {
        MoveId move = 0;
        double regret = 0;
        double average = 0;   // the sum of the strategies
        double expected = 0;  // what the role gets after it, lately
        std::uint64_t visits = 0;
        double sum = 0;
        double squares = 0;
    };
    struct InformationSet {
        std::vector<Choice> choices;
        std::uint32_t met = 0;  // before which move
        std::uint64_t values = 0;
        double mean = 0;  // of the values that plays found here
    };
    struct Shard {  // lock striping: sets are spread over shards, so that threads seldom wait
        mutable std::mutex mutex;
        std::unordered_map<Hash128, InformationSet, LowBitsHash> sets;
    };
    // A choice on the way of a play.
    struct Decision {
        InformationSet* set;
        Shard* shard;
        std::size_t seat;  // whose
        std::size_t chosen;
        double sampled;                // how likely the move was to be made
        double weight;                 // of the regrets, or of the strategy in the average
        std::vector<double> strategy;  // by legal move
    };
    class Play;
    struct Worker;
    [[nodiscard]] Worker& worker_of(std::size_t thread);

    [[nodiscard]] static Hash128 key(std::size_t role, const View& view);
    [[nodiscard]] Shard& shard(const Hash128& key) { return shards_[key.low >> 58]; }
    [[nodiscard]] const Shard& shard(const Hash128& key) const { return shards_[key.low >> 58]; }
    [[nodiscard]] bool find_or_insert(std::size_t role, const View& view, const std::vector<MoveId>& legal,
                                      Decision& decision, bool& fresh);
    template <class Visit>
    void visit(std::size_t role, const View& view, const std::vector<MoveId>& legal, Visit what) const;

    const GameContext& rules_;
    CfrOptions options_;
    std::size_t memory_;
    std::uint64_t seed_;
    std::array<Shard, 64> shards_;
    std::atomic<std::size_t> bytes_ = 0;
    std::atomic<bool> full_ = false;
    std::uint32_t moves_ = 1;
    std::uint64_t rounds_ = 0;  // of iterate
    std::atomic<std::uint64_t> playouts_ = 0;
    std::size_t lanes_ = 1;
    std::mutex workers_mutex_;
    std::vector<std::unique_ptr<Worker>> workers_;  // by thread
};

class CfrPlayer : public Player {
public:
    CfrPlayer(const GameContext& rules, const Settings& settings, const CfrOptions& options = {});

private:
    void prepare(const Deadline& deadline) override;
    void learn(const Observation& seen) override { past_.push_back(seen); }
    [[nodiscard]] Belief::Model model() override;
    [[nodiscard]] MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance,
                               Thought& thought) override;
    [[nodiscard]] std::uint64_t iterate(const TimeBudget& allowance);
    [[nodiscard]] Batch batch(const TimeBudget& allowance) const;
    [[nodiscard]] MoveId draw(const std::vector<MoveId>& legal, std::vector<double> odds);

    CfrOptions options_;
    Cfr cfr_;
    InfoState info_;
    Position start_;
    std::vector<Observation> past_;
};

}  // namespace zermelo::play
