// Quantified search (QCSP+, Benedetti, Lallouet and Vautard 2007): does ∃ have a winning strategy, and which?
//
// This is algorithm 1 of Barichard and Stéphan (2017) with four differences. Rules are literals: a rule is
// demanded as soon as its block is reached, so an illegal move of either player closes its branch at once and
// in the right player's favour. A position is won as soon as nothing that is demanded can be violated any
// more, not only when all variables are assigned. What is left of the problem is looked up in a table of goods
// and nogoods before it is solved. And every closed branch leaves its strategy or counter-strategy behind.
// Propagation is that of one of two kernels (kernel/kernel.hpp).
//
// A strategic CSP (Bessiere and Verger 2006) is searched in the same way. Its constraints act when their last
// move is due, and a move is legal when what acts by then is consistent.
//
// Time is exponential in the worst case, memory is bounded by `goods_bytes` and the size of the strategy.

#pragma once

#include <functional>

#include "core/limits.hpp"
#include "model/globals.hpp"
#include "model/model.hpp"
#include "strategy/strategy.hpp"

namespace zermelo {
class DistributedSearch;
}

namespace zermelo::quantified {

class Guide;

enum class Verdict { won, lost, unknown };  // seen from ∃
[[nodiscard]] const char* name(Verdict verdict);

enum class ValueOrder {
    ascending,
    descending,
    middle,  // from the middle of the domain outwards
    random,
    history,  // the model's preference, or else the value that closed most branches so far first
    impact,   // one move ahead: the value that leaves the fewest replies, then the one that fixes most
};

enum class VariableOrder {  // inside a block
    input,
    smallest_domain,
    most_constrained,  // most constraints first
};

enum class Success {
    entailed,  // as soon as nothing demanded can be violated any more
    assigned,  // when every variable of the prefix is assigned, as in algorithm 1
};

enum class KernelChoice {
    trail,   // kernel/trail: made for this search
    gecode,  // kernel/gecode: copied Gecode spaces
};
[[nodiscard]] const char* name(KernelChoice kernel);

// What is learned from won and lost positions (learning/).
enum class Learning {
    off,
    automatic,  // backjump, until too few values are skipped; not with an observer or Success::assigned, and not
                // where rules are propagated in one direction (SolveOptions::half_reified)
    backjump,  // the moves that they depend on: a variable that is none of them is not tried again
    nogoods,   // and these sets of moves are kept, and close other positions
};

// Why a branch was closed.
enum class Reason { failure, success, rule, cut, good, nogood, pure };

// Watches the search tree grow: variable nodes with branches below them, leaves with the reason.
class SearchObserver {
public:
    virtual ~SearchObserver() = default;
    virtual void open(model::VarId variable) = 0;
    virtual void branch(model::Value value) = 0;
    virtual void leaf(bool won, Reason reason) = 0;
    virtual void close(bool won) = 0;
};

struct SearchStatistics {
    std::uint64_t nodes = 0;    // of the search tree: variables opened and leaves
    std::uint64_t choices = 0;  // of these, the variables with more than one value left
    std::uint64_t splits = 0;   // the same in two parts at a time: a value, or the values that are left
    std::uint64_t failures = 0;
    std::uint64_t successes = 0;
    std::uint64_t illegal = 0;  // branches closed by a rule
    std::uint64_t blocked = 0;  // leaves where ∀ has no legal move
    std::uint64_t cuts = 0;
    std::uint64_t pure = 0;  // universal values skipped because they cannot hurt
    std::uint64_t propagations = 0;
    std::uint64_t copies = 0;          // of a copying kernel
    model::GlobalCounts foreign = {};  // constraints that Gecode propagates for another kernel
    std::uint64_t depth = 0;
    std::uint64_t goods = 0;  // positions answered by the table
    std::uint64_t nogoods = 0;
    std::uint64_t lookups = 0;
    std::uint64_t stored = 0;
    // Of learning: variables whose further values were not tried, positions closed by learned sets, and the sets.
    std::uint64_t backjumps = 0;
    std::uint64_t learned_hits = 0;
    std::uint64_t learned = 0;
    std::uint64_t learned_moves = 0;  // in all of them
    std::uint64_t collections = 0;    // times that unused strategy nodes were thrown away
    // Of a strategic model: how often consistency was asked for, and how it was answered.
    std::uint64_t consistency = 0;
    std::uint64_t by_propagation = 0;  // nothing that acts demands anything (failures are not counted)
    std::uint64_t by_values = 0;       // the last solution's values, tried at once
    std::uint64_t by_search = 0;       // a nested search, with so many nodes in all:
    std::uint64_t nested_nodes = 0;
    std::uint64_t inconsistent = 0;  // moves that a nested search found to be illegal
    std::uint64_t deferred = 0;      // positions put off because another thread was at work on them
    std::uint64_t symmetries = 0;    // used for the keys of the table
    double cpu_seconds = 0;
    double wall_seconds = 0;

    // What Gecode counts for a search in two parts: each space, whether it is divided, failed or won. Illegal moves
    // have none.
    [[nodiscard]] std::uint64_t spaces() const {
        return splits + failures + successes + blocked + cuts + goods + nogoods + learned_hits;
    }

    SearchStatistics& operator+=(const SearchStatistics& part);
};

struct SolveOptions {
    Limits limits = {};
    KernelChoice kernel = KernelChoice::trail;
    ValueOrder values = ValueOrder::history;
    VariableOrder variables = VariableOrder::input;
    Success success = Success::entailed;
    bool goods = true;
    std::size_t goods_bytes = std::size_t{256} << 20;
    bool cutoffs = true;  // where values are ordered by looking ahead, look into the table, too
    // Of the kernel trail: a rule is propagated in one direction (kernel/program.hpp), unless the search learns.
    bool half_reified = true;
    // Without effect in strategic models, with the kernel gecode, with all_first_moves and check_cuts, and where
    // processes share a search.
    Learning learning = Learning::automatic;
    std::size_t learned_sets = std::size_t{1} << 14;  // at most; the half that helped least is dropped
    bool cuts = true;
    bool check_cuts = false;  // solve below every cut that fires, and report the wrong ones
    // Skip values of ∀ that cannot hurt. Not given: where nothing is learned (a branching with pure values depends on
    // all moves), and not by algorithm 1.
    std::optional<bool> pure_values;
    bool strategy = true;  // build the strategy; without it only the verdict is found
    std::size_t strategy_nodes = std::size_t{1} << 20;  // when there are more, unused ones are thrown away
    bool all_first_moves = false;
    int recompute = 1;  // of a copying kernel: copy only every so many levels, and recompute in between
    std::uint64_t seed = 1;
    unsigned threads = 1;
    bool symmetry = false;   // look for symmetries of the model, and let symmetric positions be one
    Guide* guide = nullptr;  // says which values to try first (guide.hpp)
    DistributedSearch* partners =
        nullptr;  // who search with us (core/distributed_search.hpp); only the first gets the strategy
    SearchObserver* observer = nullptr;                               // with one thread only
    std::function<void(const SearchStatistics&)> progress = nullptr;  // called now and then:
    double seconds_between_progress = 0.2;
};

struct BrokenCut {
    Place place;
    std::vector<std::pair<model::VarId, model::Value>> play;  // the moves after which the cut claimed a win
};

struct Answer {
    Verdict verdict = Verdict::unknown;
    Stop stop = Stop::none;                              // why the verdict is unknown
    std::optional<KernelChoice> kernel;                  // that answered; none was asked by other engines
    strategy::Strategy strategy;                         // of the winner
    bool uncertified = false;                            // the verdict is known, but the strategy is not
    std::vector<std::vector<model::Value>> first_moves;  // winning assignments of the first block, if it is ∃
    std::vector<BrokenCut> broken_cuts;
    std::optional<model::Value>
        best;  // the best guaranteed value, from maximise(); the least where it minimises
    SearchStatistics statistics;
};

[[nodiscard]] Answer solve(const model::Model& model, const SolveOptions& options = {});

// The greatest value of the model's objective that ∃ can guarantee while winning, by bisection over
// thresholds (Barichard and Stéphan 2017, end of section 5). The strategy is the one for that value; `lost`
// when not even a win is possible.
[[nodiscard]] Answer maximise(const model::Model& model, const SolveOptions& options = {});

}  // namespace zermelo::quantified
