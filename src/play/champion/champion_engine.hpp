// The player `zermelo` on one state: resolution, then sampling.
//
// Resolution searches the coming turns (expectimax.hpp); sampling estimates moves
// by upper confidence bounds and bit-sliced playouts (mcts/mcts.hpp), on a network from which moves that are
// certain to be bad have been filtered (scsp/win_loss_filter.hpp). The part that has more of the time
// decides, except that a proof by the other part overrides it. `ChampionConfig` holds the settings that may
// differ from game to game. What was learned about the game (learn/judgement.hpp) guides both parts, if the configuration
// says so.

#pragma once

#include "play/champion/expectimax.hpp"
#include "play/mcts/mcts.hpp"

namespace zermelo::play {

struct ChampionConfig {
    double resolve = 0.9;   // the part of the time for resolution
    double explore = 1;     // times the exploration that sampling starts with
    unsigned filter = 3;    // how far filtering looks ahead (scsp/win_loss_filter.hpp), 0 to 3
    unsigned transfer = 1;  // how much AMAF values count, by how well they predict (bandit.hpp):
                            // 0 not at all, 1 cautiously, 2 fully, 3 as in GRAVE
    double value = 0;  // of the value of a leaf that the value network tells, while playouts tell the rest
    bool symmetry = false;  // symmetric states are one
    unsigned net = 0;  // what was learned: 0 is not used, 1 takes the place of playouts, 2 is mixed with them
    friend bool operator==(const ChampionConfig&, const ChampionConfig&) = default;
};

[[nodiscard]] std::string describe(const ChampionConfig& config);

// Sets what a level of transfer means.
void transfer(MctsOptions& options, unsigned level);

struct ChampionEngineOptions {
    MctsOptions tree = {};        // of sampling, as far as the configuration leaves it open
    double symmetry_time = 0.25;  // of a move, at most, to look for symmetries if they are not known yet
    bool table = true;            // resolution uses a transposition table
    std::shared_ptr<const learn::Judgement> judgement = {};  // what was learned about the game; null: nothing
};

class ChampionEngine {
public:
    ChampionEngine(const GameContext& rules, const Settings& settings, const ChampionEngineOptions& options,
                   const ChampionConfig& config);

    // Computes what the configuration needs of the game, as far as there is time.
    void prepare(const Deadline& deadline);

    // The role is to move in the state, and has these moves.
    [[nodiscard]] MoveId think(const State& state, const std::vector<MoveId>& legal,
                               const TimeBudget& allowance, Thought& thought);

    // Looks at the state in advance, which is the first one of the match. Returns playouts.
    std::uint64_t look_ahead(const State& state, const TimeBudget& allowance);

    // The role has made this move in the state. Both parts go on from there, in the same proportion, as long as there is
    // something to gain. Returns positions and playouts.
    std::uint64_t ponder(const State& state, MoveId made, const TimeBudget& allowance);

    [[nodiscard]] const ChampionConfig& config() const { return config_; }

    // Whether the value network can be mixed with playouts: it knows one seat, or two that are opponents.
    [[nodiscard]] static bool has_values(const GameContext& rules);

private:
    [[nodiscard]] std::optional<Expectimax::Result> resolve(const State& state, const Deadline& deadline,
                                                            std::uint64_t positions);
    void find_symmetries(const Deadline& deadline);
    void make_expectimax();
    [[nodiscard]] double share_of_table() const;

    const GameContext& rules_;
    Settings settings_;
    ChampionEngineOptions options_;
    ChampionConfig config_;
    bool prepared_ = false;
    bool resolving_;   // the game is one for expectimax
    bool has_values_;  // the value network knows the seats
    const symmetry::Canonical* canonical_ = nullptr;
    std::unique_ptr<Expectimax> expectimax_;
    std::unique_ptr<Mcts> tree_;
};

}  // namespace zermelo::play
