// The cache of MAC-UCB (Koriche et al. 2015, section 3, "Élagage"): all micro-SCSPs that were met, what is known
// of their solutions, and which subtrees are explored completely.
//
// A micro-SCSP is the turn of one state. It is open until MAC has enumerated its solutions. A solution is an
// assignment of the decision variables, one move for each player; each outcome of it is a move of chance, with
// its probability and the micro-SCSP of the next turn. Several plays may lead to one micro-SCSP. Where the state
// is hidden in part and all players share what they know, the state variables are stochastic (Koriche et al. 2016,
// section 3), and a micro-SCSP has all states that are possible, with their probabilities.
//
// Every player that has a choice has an arm for each of its moves, for UCB1. Where one player chooses, its arms
// are the solutions; where several do, each chooses without knowing what the others choose.
//
// A micro-SCSP is exact if everything below it that matters is explored: its value is then the expected utility
// under best play, each player for itself (max^n, Luckhardt and Irani 1986).

#pragma once

#include <unordered_map>

#include "play/info_state.hpp"

namespace zermelo::play {

using MicroId = std::uint32_t;
using Utilities = std::vector<double>;  // by seat, 0 … 1

struct MicroNode {
    struct Possible {
        State state;
        double probability;
    };
    struct Outcome {
        MicroId child;
        double probability;
    };
    struct Solution {
        std::uint32_t first_outcome = 0;
        std::uint32_t outcomes = 0;
        bool exact = false;  // all outcomes are
        // The first solution with the same outcomes, perhaps itself: only that one is resolved and sampled.
        std::uint32_t twin_of = 0;
        bool removed = false;  // from c_s, by a pruning; it may come back while thresholds are estimates
        bool refuted = false;  // removed for certain: it is worth less than the best exact one
    };
    struct Arm {
        MoveId move;
        std::uint32_t pending = 0;  // tries whose utility is not known yet
        std::uint32_t visits = 0;
        double sum = 0;  // of the player's utilities
        [[nodiscard]] std::uint32_t tries() const { return visits + pending; }
        [[nodiscard]] double mean() const { return visits == 0 ? 0 : sum / visits; }
    };
    struct Chooser {
        std::size_t seat;
        std::uint32_t stride;   // between solutions whose moves of this player follow one another
        std::vector<Arm> arms;  // by move, ascending
    };

    std::vector<Possible> states;  // one, where nothing is hidden
    bool over = false;             // the game is; then it is exact
    bool resolved = false;
    bool too_wide = false;  // it has too many solutions, and stays open
    bool exact = false;
    Utilities value = {};  // where it is exact, or has been before a part of the cache was lost
    std::uint64_t visits = 0;
    std::uint64_t next_pruning = 0;  // at so many visits
    Utilities sum = {};              // over visits
    std::vector<Chooser> choosers = {};
    std::vector<Solution> solutions = {};  // by the arms of the choosers, mixed radix
    std::vector<Outcome> outcomes = {};
    std::optional<std::uint32_t> certain = {};  // the best exact solution of the only player who chooses

    [[nodiscard]] double mean(std::size_t seat) const {
        return exact ? value[seat] : visits == 0 ? 0 : sum[seat] / static_cast<double>(visits);
    }
    [[nodiscard]] std::span<const Outcome> outcomes_of(const Solution& solution) const {
        return std::span(outcomes).subspan(solution.first_outcome, solution.outcomes);
    }
};

// The key of the micro-SCSP of these states, `hidden` where there may be several: the hash of the one, or a sum over
// all.
[[nodiscard]] Hash128 weighed(const Hash128& state, double probability);  // a part of that sum
[[nodiscard]] Hash128 key_of(const std::vector<MicroNode::Possible>& states, bool hidden);

class MicroTree {
public:
    [[nodiscard]] MicroNode& operator[](MicroId id) { return *nodes_[id]; }
    [[nodiscard]] const MicroNode& operator[](MicroId id) const { return *nodes_[id]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::size_t states() const {
        return by_state_.size();
    }  // keys, symmetric ones counted apart
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    [[nodiscard]] std::optional<MicroId> find(const Hash128& key) const;
    // A new micro-SCSP with this key; and one more key of a micro-SCSP.
    MicroId add(const Hash128& key, MicroNode node);
    void name(const Hash128& key, MicroId id) { by_state_[key] = id; }
    // The micro-SCSP has been resolved: counts the memory of its solutions.
    void count(const MicroNode& node) { bytes_ += bytes_of_solutions(node); }
    // The memory of a micro-SCSP and its key.
    [[nodiscard]] static std::size_t bytes_of(const MicroNode& node);

    // Keeps what can be reached from here, and its keys. All numbers change; tells the new one of the root.
    [[nodiscard]] MicroId keep_below(MicroId root);

    // The value of a solution that is exact.
    [[nodiscard]] double exact_value(const MicroNode& node, const MicroNode::Solution& solution,
                                     std::size_t seat) const;
    // Notes what has become exact: the solution, and perhaps the micro-SCSP.
    void settle(MicroNode& node, std::size_t solution);
    // The same for all solutions, after the resolution; marks twins.
    void settle_all(MicroNode& node);
    // Notes that these solutions are worth less than the certain one; how much less does not matter any more.
    void refute(MicroNode& node, const std::vector<std::uint32_t>& solutions);

private:
    [[nodiscard]] static std::size_t bytes_of_solutions(const MicroNode& node);
    [[nodiscard]] bool all_exact(const MicroNode& node, const MicroNode::Solution& solution) const;
    void settle_node(MicroNode& node);
    void set_value(MicroNode& node, const MicroNode::Solution& solution);

    std::vector<std::unique_ptr<MicroNode>> nodes_;
    std::unordered_map<Hash128, MicroId, LowBitsHash> by_state_;
    std::size_t bytes_ = 0;
};

}  // namespace zermelo::play
