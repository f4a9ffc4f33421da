// MAC-UCB (Koriche, Lagrue, Piette and Tabary 2015, section 3): a game as a sequence of micro-SCSPs, resolved by MAC
// and estimated by UCB1 (Auer, Cesa-Bianchi and Fischer 2002); with symmetry, MAC-UCB-SYM (Koriche et al. 2016,
// section 4).
//
// One round: from the micro-SCSP at hand, go on into the solution of the greatest upper confidence bound
// x̄ + √(2 ln n / nᵢ), each player by its own utility (Sturtevant 2008), until one is reached that is not resolved.
// MAC resolves it. UCB1 then samples its solutions: each once, then the one of the greatest bound, by random plays
// to the end of the game. The utilities count for all solutions on the way.
//
// The threshold θ of a player at a micro-SCSP starts at 0 and rises to the best expected utility found there. As it
// rises, the micro-SCSP is resolved again (pruning.cpp): P″ meets the values of the stochastic variables with what the
// cache knows of the turns that they lead to, and MAC enumerates the solutions that may still reach θ. The others are
// removed from c_s. The certain pruning goes by exact values alone; what it removes is gone for good, and need not be
// explored. The probable one goes by upper confidence bounds; a solution comes back where θ falls again, or where nothing
// else is left to explore.
//
// The time is split between resolution and sampling (and symmetry). With a number of simulations instead of a
// clock, a resolved micro-SCSP gets one for each solution, and there are exactly so many; several are at work at the
// same time, 8 at first and then an eighth of those that have ended (play/mcts/playout_stream.hpp; streaming.cpp).

#pragma once

#include <deque>
#include <numbers>

#include "play/mac_ucb/resolution.hpp"
#include "play/mac_ucb/symmetric_micros.hpp"
#include "play/mcts/playout_stream.hpp"
#include "play/mcts/playouts.hpp"
#include "play/player.hpp"

namespace zermelo::play {

struct MacUcbOptions {
    double resolve = 0.9;      // share of the time
    double symmetry_time = 0;  // share of the time
    unsigned symmetry = 0;     // 0: none, 1: automorphisms of the game, 2: also of microstructures
    double exploration = std::numbers::sqrt2;
    std::size_t each = 0;    // simulations of a resolved micro-SCSP; 0: by the budget
    std::size_t leaves = 0;  // simulations at work at the same time, where they are counted; 0: by the budget
    unsigned pruning = 2;    // 0: none, 1: the certain one, 2: also the probable one
    bool keep = false;       // the cache lives as long as the process, not only for a match
    std::string file = {};   // where it is kept beyond the process; empty: nowhere
};

// All of them add up over moves and matches.
struct MacUcbCounts {
    Resolution::Counts resolution = {};
    std::uint64_t simulations = 0;
    std::int64_t nogoods = 0;     // solutions removed from c_s, less those that came back
    std::uint64_t symmetric = 0;  // states whose micro-SCSP is a symmetric one that was there
    std::uint64_t states = 0;     // micro-SCSPs there would be without symmetry
    std::uint64_t micros = 0;     // micro-SCSPs there are
    std::uint64_t analysed = 0;   // micro-SCSPs whose symmetric images were counted: those at hand
    std::uint64_t images = 0;     // of these
    std::uint64_t twins = 0;      // solutions at hand that are symmetric to others, with the nogoods
};

class MacUcbSearch {
public:
    // Everything must outlive it. `symmetric` may be null.
    MacUcbSearch(const GameContext& rules, const scsp::TurnProgram& program, const Settings& settings,
                 const MacUcbOptions& options, MicroTree& tree, SymmetricMicros* symmetric);

    // The states that are possible now. Returns the number of simulations.
    std::uint64_t search(std::vector<MicroNode::Possible> now, const TimeBudget& allowance);

    // Of the role's moves; the best first, one of several at random. Empty where nothing was found.
    [[nodiscard]] std::vector<Estimate> estimates();
    [[nodiscard]] bool solved() const { return tree_[root_].exact; }
    [[nodiscard]] const MicroNode& root() const { return tree_[root_]; }
    [[nodiscard]] double threshold() const;  // of the role, at the root; 0 … 1
    [[nodiscard]] const MacUcbCounts& counts() const { return counts_; }

private:
    struct Step {
        MicroId node;
        std::uint32_t solution;
    };
    struct Leaf {  // where a descent ended
        std::vector<Step> path;
        MicroId node;
        bool fresh;              // its solutions are to be sampled; otherwise only its states
        std::uint64_t open = 0;  // simulations whose utility is not known yet
    };
    struct Simulation {
        std::size_t leaf;
        std::optional<Step> step;  // out of the leaf
        MicroId end;               // what is sampled
        const State* state;        // from here; null: the end is exact
    };
    struct Spent {  // seconds of this search
        double resolution = 0;
        double sampling = 0;
        double symmetry = 0;
    };

    [[nodiscard]] MicroId place(MicroNode&& node);
    [[nodiscard]] std::optional<MicroId> met_before(const State& state) const;
    [[nodiscard]] MicroId place_root(std::vector<MicroNode::Possible> now);
    [[nodiscard]] Hash128 key_of(const std::vector<MicroNode::Possible>& states) const;
    [[nodiscard]] std::vector<Hash128> keys_of_images(const std::vector<MicroNode::Possible>& states) const;
    [[nodiscard]] std::optional<Hash128> micro_key(const State& state);
    [[nodiscard]] bool has_time_for_nauty() const;
    [[nodiscard]] SymmetricMicros::Nogoods nogoods_of(const MicroNode& node) const;
    [[nodiscard]] bool merge_symmetric_solutions(MicroNode& node);

    [[nodiscard]] bool resolve(MicroNode& node);
    void search_in_rounds();
    void search_by_count();
    [[nodiscard]] bool plan(std::uint64_t most);
    void launch();
    void land(const Simulation& simulation, std::span<const int> goals);
    void close(const Simulation& simulation);
    // One round: descends to leaves, samples them, and takes the utilities back. False where nothing is left to do.
    [[nodiscard]] bool round();
    [[nodiscard]] bool descend();
    [[nodiscard]] std::uint32_t select(MicroNode& node);
    [[nodiscard]] std::uint32_t select_single(MicroNode& node);
    [[nodiscard]] std::uint32_t select_arm(const MicroNode::Chooser& chooser) const;
    void prune(MicroNode& node);
    void refute(MicroNode& node);
    [[nodiscard]] std::vector<bool> left_in_cs(const MicroNode& node, double threshold,
                                               std::optional<double> log_visits);
    [[nodiscard]] double threshold_of(const MicroNode& node) const;
    [[nodiscard]] double certain_of(const MicroNode& node) const;
    // Without visits, what is certain.
    [[nodiscard]] double bound(const MicroNode& node, std::size_t seat,
                               std::optional<double> log_visits) const;
    [[nodiscard]] double bound(const MicroNode& node, const MicroNode::Solution& solution, std::size_t seat,
                               std::optional<double> log_visits) const;
    [[nodiscard]] MicroId draw_outcome(const MicroNode& node, std::uint32_t solution);
    void pend(const Step& step, int change);
    void sample(std::size_t leaf, std::uint64_t simulations);
    [[nodiscard]] std::uint64_t wanted(const Leaf& leaf, std::size_t leaves) const;
    void run_simulations();
    void take_back(const Simulation& simulation, Utilities value);
    void take_back(const std::vector<Step>& path, Utilities value);

    const GameContext& rules_;
    Settings settings_;
    MacUcbOptions options_;
    MicroTree& tree_;
    SymmetricMicros* symmetric_;
    Resolution resolution_;
    Playouts playouts_;
    PlayoutStream stream_;
    Random random_;
    MicroId root_ = 0;
    symmetry::Canonical::SymmetryId root_image_ = 0;
    TimeBudget allowance_;
    Deadline deadline_;
    Spent spent_;
    double simulation_seconds_ = 0;  // lately
    double key_seconds_ = 0;         // lately
    std::uint64_t done_ = 0;         // simulations of this search
    MacUcbCounts counts_;
    std::vector<Leaf> leaves_;
    std::vector<Simulation> simulations_;
    // While simulations are counted:
    std::deque<Simulation> planned_;   // not at work yet
    std::vector<Simulation> at_work_;  // by ticket
    std::vector<std::uint32_t> free_tickets_;
    std::vector<std::size_t> free_leaves_;
    bool merged_ = false;  // symmetric solutions at hand
    std::vector<Playouts::Result> results_;
    std::vector<const State*> starts_;
};

}  // namespace zermelo::play
