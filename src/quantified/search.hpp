// Depth-first search for a winning strategy: the recursion behind solve().
//
// One object solves one model once; several of them, one a thread, may share their state
// (parallel/shared_search_state.hpp).

#pragma once

#include <chrono>
#include <memory>

#include "core/clock.hpp"
#include "kernel/gecode/kernel.hpp"
#include "kernel/pure_values.hpp"
#include "kernel/residue.hpp"
#include "kernel/supports.hpp"
#include "kernel/trail/kernel.hpp"
#include "quantified/branching.hpp"
#include "quantified/learning/learned.hpp"
#include "quantified/parallel/frontier.hpp"
#include "quantified/parallel/shared_search_state.hpp"
#include "quantified/solve.hpp"
#include "quantified/value_order.hpp"
#include "strategy/check/verify.hpp"

namespace zermelo::quantified {

// Which part of the problem a search is for; without further words, all of it.
template <kernel::Kernel K>
struct Part {
    Line from = {};                      // values of the moves before it
    Frontier* frontier = nullptr;        // where it ends
    K* kernel = nullptr;                 // at a propagated position without moves, and left there again
    std::shared_ptr<Ordering> ordering;  // with what earlier parts have taught
};

// What has become of a position.
struct Outcome {
    Verdict verdict = Verdict::unknown;
    strategy::NodeId node = strategy::decided;
    bool legal = true;      // false: the last move broke a rule
    bool deferred = false;  // another thread is at work on it; unknown for now
    bool open = false;      // behind the frontier
};

// A moving average.
struct TreeSize {
    double nodes = 0;
    int seen = 0;
    void add(std::uint64_t size) {
        constexpr int last = 16;
        seen = std::min(seen + 1, last);
        nodes += (static_cast<double>(size) - nodes) / seen;
    }
};

template <kernel::Kernel K>
class Search {
private:
    // Of a search that learns.
    struct Lesson {
        MoveSet reason;                  // of the position that was closed last
        std::vector<std::size_t> place;  // by variable: of its move in the prefix
        kernel::Supports<K> supports;
        LearnedSets learned;
        std::vector<model::Value> gone;
        // Of Learning::automatic: values of losers since the last look, and how many of them were enough.
        int values = 0;
        int jumps = 0;
    };

public:
    Search(const kernel::Program& program, const SolveOptions& options, SharedSearchState& shared,
           Part<K> part = {});

    // No verdict when a limit was reached, when another thread was first, or when positions
    // behind the frontier would have to be known for it.
    Answer run();

    // Ids of strategy nodes that are still needed; to be called at a safepoint.
    void add_live_nodes(std::vector<strategy::NodeId*>& roots);
    // All threads of the search, whose nodes are live too.
    void set_peers(std::vector<Search*> members) { peers_ = std::move(members); }

private:
    // Block b and everything after it. The earlier blocks are played and propagated.
    Outcome enter(int b);
    // The rest of block b: its next variable, or the next block when all are played.
    Outcome inside(int b);
    // After a move in block b: propagate, and go on.
    Outcome after_move(int b);
    Outcome branch(int b, model::VarId variable);
    // Takes the next branching of the pool, and gives it back.
    class Open;
    [[nodiscard]] bool pays_to_look_ahead(const Branching& branching) const;
    void look_ahead(Branching& branching);
    void look_behind(const Branching& branching, Branching::Prospect& prospect);
    std::optional<Outcome> known_behind(model::Value value, const kernel::Residue& residue, bool last);
    std::optional<Outcome> try_value(Branching& branching, model::Value value, bool last, bool may_defer);
    std::optional<Outcome> take_in(Branching& branching, model::Value value, const Outcome& outcome);
    Outcome conclude(Branching& branching);
    Outcome forced(int b, model::VarId variable);
    // On the way to where the search begins: the move is known.
    Outcome follow(int b, model::VarId variable);
    [[nodiscard]] bool following() const { return play_.size() < part_.from.size(); }
    // What the frontier says of this position; nothing where the search goes on.
    [[nodiscard]] std::optional<Outcome> at_frontier(int b);
    void name_block(const kernel::Residue& residue);
    // Below the table: block b of a position that nobody has solved yet.
    Outcome solve_block(int b);

    [[nodiscard]] std::optional<Outcome> closed_before_table(int b);
    [[nodiscard]] std::optional<Outcome> look_up(const kernel::Residue& residue);
    void store(const kernel::Residue& residue, const Outcome& outcome, std::uint64_t nodes_below);
    [[nodiscard]] std::optional<bool> consistent(const kernel::Residue& residue);

    [[nodiscard]] bool activate(int b);  // false when a demand fails
    [[nodiscard]] bool demand_rule(int b);
    [[nodiscard]] bool forced_block(int b) const {  // one move is left
        const auto& own = program_.block(b).variables;
        return std::all_of(own.begin(), own.end(), [&](model::VarId v) { return kernel_.fixed(v); });
    }
    [[nodiscard]] bool is_won(int b, bool demands) const;
    [[nodiscard]] bool is_lost(int b) const;
    [[nodiscard]] const model::Cut* firing_cut(int b) const;
    Outcome checked_cut(int b, const model::Cut& cut);

    Outcome leaf(bool won, Reason reason, strategy::NodeId node = strategy::decided);
    Outcome blocked() {  // ∀ has no legal move
        ++answer_.statistics.blocked;
        return leaf(true, Reason::rule);
    }
    void illegal(model::Value value);
    Outcome illegal_move(int b);
    Outcome failed(int b);
    Outcome won_within(int b, Reason reason);
    strategy::NodeId node(model::VarId variable, std::vector<strategy::Edge> edges);
    strategy::NodeId node(model::VarId variable, model::Value value, strategy::NodeId to) {
        return options_.strategy ? shared_.node(variable, {strategy::Edge{{value}, to}}) : strategy::decided;
    }

    // ---- learning: each sets the reason of the position that is closed now (search_learning-inl.hpp)

    [[nodiscard]] std::unique_ptr<Lesson> prepare_lesson() const;
    template <class Variables>
    void add_to_reason(const Variables& variables);
    void reason_of_failure(bool won);
    void reason_of_success(int b);
    void reason_of_blocked(int b);
    void reason_of_loss(int b);
    void reason_of_entry(int b, bool won);
    void add_rule_to_reason(int b, Verdict verdict);
    void reason_of_move(const Branching& branching);
    [[nodiscard]] bool jumps_over(Branching& branching);
    void stop_where_it_does_not_pay();
    void reason_of_values(Branching& branching);
    [[nodiscard]] bool jumps_over_forced(model::VarId variable, bool winner_moves);
    void all_moves_are_reason();
    void add_prospect_to_reason(Branching& branching);
    [[nodiscard]] std::optional<Outcome> look_up_learned(int b, bool inside);
    void learn(int level, const Outcome& outcome);

    void play(model::VarId variable, model::Value value) {
        pass(variable, value);
        chosen_.back() = true;
        kernel_.play(variable, value);
    }
    void pass(model::VarId variable, model::Value value) {  // the only value that is left
        play_.push_back({variable, value});
        chosen_.push_back(false);
        if (lesson_ != nullptr) lesson_->learned.play(lesson_->place[variable], value);
    }
    void take_back() {
        if (lesson_ != nullptr) lesson_->learned.take_back();
        play_.pop_back();
        chosen_.pop_back();
    }
    void reach(int b);
    [[nodiscard]] bool stopped();
    void add_up_statistics();
    [[nodiscard]] Clock::duration between_progress() const {
        return clock_duration(options_.seconds_between_progress);
    }
    void collect_garbage();

    const kernel::Program& program_;
    const SolveOptions& options_;
    SharedSearchState& shared_;
    const Part<K> part_;
    std::vector<Search*> peers_;
    const Limits limits_;  // of this thread
    const bool strategic_;
    const std::shared_ptr<Ordering> ordering_;
    // Made with the search, where it is not borrowed: Gecode's first touch of a space is not for several
    // threads.
    const std::unique_ptr<K> own_kernel_;
    K& kernel_;
    const kernel::KernelStatistics before_;  // of a borrowed kernel
    kernel::ResidueReader<K> residues_;
    kernel::PureValues<K> pure_values_;
    std::unique_ptr<Lesson> lesson_;  // none: nothing is learned
    std::size_t collect_at_;
    int since_look_ = 0;
    std::vector<TreeSize> usual_size_;  // by block: of the trees below its branchings
    // The last block that was entered: its name at the frontier, and the moves before it.
    Hash128 block_name_;
    std::size_t moves_before_block_ = 0;
    bool may_defer_ = false;  // the next position that is entered, if another thread is at work on it
    std::vector<std::unique_ptr<Branching>> branchings_;  // a pool; these are open:
    std::size_t open_branchings_ = 0;
    std::vector<bool> played_;          // by variable
    std::vector<strategy::Move> play_;  // the moves so far
    std::vector<bool> chosen_;          // by move: there were others
    std::size_t depth_ = 0;
    int silent_cuts_ = 0;  // > 0 while a fired cut is being checked
    Stop stop_ = Stop::none;
    Answer answer_;
    Clock::time_point next_progress_;
};

}  // namespace zermelo::quantified
