// MacUcbEngine: how MAC-UCB thinks about one state: resolution, then sampling.
//
// Resolution solves the micro-SCSPs of the coming turns (resolver.hpp); sampling estimates their solutions by
// upper confidence bounds and bit-sliced playouts (tree.hpp), on a network from which moves that are certain
// to be bad have been filtered (scsp/win_loss_filter.hpp). The part that has more of the time decides, except
// that what the other one has proven is believed. What a way of thinking leaves open is said by
// `MacUcbConfig`.

#pragma once

#include "play/mac_ucb/expectimax.hpp"
#include "play/mcts/mcts.hpp"

namespace zermelo::play {

struct MacUcbConfig {
    double resolve = 0.9;   // the part of the time for resolution
    double explore = 1;     // times the exploration that sampling starts with
    unsigned filter = 3;    // how far filtering looks ahead (scsp/win_loss_filter.hpp), 0 to 3
    unsigned transfer = 1;  // what a move is worth anywhere counts, by how well this predicts (bandit.hpp):
                            // 0 not at all, 1 cautiously, 2 fully
    bool symmetry = false;  // symmetric states are one
    friend bool operator==(const MacUcbConfig&, const MacUcbConfig&) = default;
};

[[nodiscard]] std::string describe(const MacUcbConfig& way);

// Sets what a level of transfer means.
void transfer(MctsOptions& options, unsigned level);

struct MacUcbEngineOptions {
    MctsOptions tree = {};        // how sampling goes, as far as the way does not say it
    double symmetry_time = 0.25;  // of a move, at most, to look for symmetries if they are not known yet
    bool table = true;            // resolution remembers states
};

class MacUcbEngine {
public:
    MacUcbEngine(const GameContext& rules, const Settings& settings, const MacUcbEngineOptions& options,
                 const MacUcbConfig& way);

    // What the way needs to know about the game, as far as there is time to find it.
    void prepare(const Deadline& deadline);

    // The role is to move in the state, and has these moves.
    [[nodiscard]] MoveId think(const State& state, const std::vector<MoveId>& legal,
                               const TimeBudget& allowance, Thought& thought);

    [[nodiscard]] const MacUcbConfig& way() const { return way_; }

private:
    [[nodiscard]] std::optional<Expectimax::Result> resolve(const State& state, const Deadline& deadline,
                                                            std::uint64_t positions);
    void find_symmetries(const Deadline& deadline);
    void make_resolver();

    const GameContext& rules_;
    Settings settings_;
    MacUcbEngineOptions options_;
    MacUcbConfig way_;
    bool prepared_ = false;
    bool resolving_;  // the game is one for the resolver
    const symmetry::Canonical* canonical_ = nullptr;
    std::unique_ptr<Expectimax> resolver_;
    std::unique_ptr<Mcts> tree_;
};

}  // namespace zermelo::play
