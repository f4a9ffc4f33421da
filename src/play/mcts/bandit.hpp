// Bandits for Monte Carlo tree search: UCB1 (Auer, Cesa-Bianchi and Fischer 2002) and GRAVE (Cazenave 2015),
// and what Mcts and Ismcts share besides: batches of leaves, and threads.

#pragma once

#include <functional>
#include <mutex>

#include "learn/judgement.hpp"
#include "play/player.hpp"

namespace zermelo::play {

struct MctsOptions {
    std::optional<double> exploration = {};  // of UCT, in goals 0 … 1; otherwise by the batch
    double explore = 1;                      // times the exploration
    bool grave = false;
    std::uint64_t reference = 50;  // GRAVE: visits of the node whose counts are used
    double bias = 1e-5;            // GRAVE: how soon an arm's own mean takes over
    std::size_t leaves = 0;        // descents in one batch; 0: by what is asked for
    std::size_t each = 0;          // playouts of a leaf; 0: what a batch has room for
    bool bounds = true;            // prove what can be proven
    bool saddle = false;           // prove also where two opponents move at the same time
    bool slices = true;            // playouts in lock-step
    double blend = 0;              // AMAF values count by how well they predict (Transfer); this factor
                                   // multiplies their measured bias; 0: as in GRAVE
    bool balance = false;          // chance draws each outcome equally often
    double cut = 0;                // standard deviations by which an arm must look worse to be cut; 0: never
    bool symmetry = false;         // symmetric states are one
    // PUCT (Rosin 2011; Silver et al. 2017): a network says which moves are likely to be good, and what leaves are worth.
    std::shared_ptr<const learn::Judgement> judgement = {};  // null: there is none
    double playouts_share = 0;  // of the value of a leaf that playouts tell; the network tells the rest
    double trust = 0.8;         // PUCT: how much the policy counts, for goals 0 … 1
    // Of the value of a leaf, what `values` tells of the state, for the first seat; playouts tell the rest (as in Silver et
    // al. 2016). For one seat, or two that are opponents.
    std::function<double(const State&)> values = {};
    double values_share = 0;
    double root_noise = 0;  // of the policy at the root that is drawn at random, for self-play
    const symmetry::Canonical* canonical = nullptr;  // these; null: what is found without a deadline
    bool thrifty = false;  // with memory: nodes and statistics about moves come later where they are large
    unsigned threads = 1;
    std::size_t memory = std::size_t{256} << 20;
    std::uint64_t seed = 1;
};

// Pondering leaves the rest of the memory to the search that follows it.
inline constexpr double pondering_share = 0.75;

struct Batch {
    std::size_t leaves = 1;
    std::size_t each = 0;      // playouts of a leaf; 0: as many as there is room for
    double exploration = 0.5;  // less where a leaf gets many playouts, which tell more
};

// Where a clock decides, few leaves with many playouts each; where a number of playouts does, one playout a
// leaf and only so many leaves at once that the search still gets enough turns.
[[nodiscard]] Batch batch_for(const MctsOptions& options, const TimeBudget& allowance, std::size_t lanes);

struct Arm {
    MoveId move;
    float prior = 0;  // PUCT: how likely it is to be good
    std::uint32_t visits = 0;
    std::uint32_t pending = 0;  // tries whose value is not there yet; they count as lost
    double sum = 0;             // of values 0 … 1
    double squares = 0;

    void add(double value) {
        --pending;
        ++visits;
        sum += value;
        squares += value * value;
    }
    [[nodiscard]] Estimate estimate() const;
    // Its mean, so many standard deviations less and more; 0 and 1 while it has hardly been tried.
    [[nodiscard]] std::pair<double, double> range(double deviations) const;
};

// PUCT: the mean of an arm, and what it promises by its prior. `untried`: what an arm is worth that was not tried.
[[nodiscard]] inline double promise(const Arm& arm, double trust, double root_of_visits, double untried) {
    const double tries = arm.visits + arm.pending;
    return (tries > 0 ? arm.sum / tries : untried) + trust * double{arm.prior} * root_of_visits / (1 + tries);
}

// AMAF statistics: playouts that contain a move, and the sum of their values for its role.
struct Count {
    float playouts = 0;
    float sum = 0;
};

// The selection value of an arm. `count` may be null.
[[nodiscard]] double worth(const MctsOptions& options, double exploration, const Arm& arm, double log_visits,
                           const Count* count);

// The bias of AMAF values (all moves as first, Gelly and Silver 2007): how far a move's mean over all
// playouts that contain it is from its mean here, relative to the variance of values; measured while
// searching.
class Transfer {
public:
    // An arm that has been tried, and its AMAF statistics.
    void compare(const Arm& arm, const Count& count);
    [[nodiscard]] double bias() const;

private:
    double differences_ = 0;  // squares, beyond what the number of tries explains
    double variances_ = 0;
};

// The mean of an arm's own tries and of its AMAF value, weighted by their precision, plus the exploration
// bonus.
[[nodiscard]] double blended_worth(double exploration, double bias, const Arm& arm, double log_visits,
                                   const Count* count);

// Runs work(0) … work(n - 1), each in a thread of its own, and throws what one of them threw.
void run_threads(std::size_t n, const std::function<void(std::size_t)>& work);

}  // namespace zermelo::play
