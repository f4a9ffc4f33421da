// QCDCL: conflict-driven learning for quantified Boolean formulas (Zhang and Malik 2002; Giunchiglia, Narizzano and Tacchella
// 2006; Lonsing and Biere 2010), on both a formula and its negation (Goultiaeva, Seidl and Biere 2013).
//
// The matrix is a circuit. Each player has clauses that it must satisfy: ∃ those of the circuit, ∀ those of its negation, each
// translated by Plaisted and Greenbaum (1986) with gates of its own, innermost. So a cube of ∃ is a clause of ∀, solutions are
// conflicts of ∀, and one procedure does for both:
//
// - unit literals: all literals of a player's clause are false but one of its own, and the opponent's literals that are left
//   are of later blocks (universal reduction);
// - conflict: none of its own literals is left. Long-distance Q-resolution with the clauses that implied its literals gives a
//   clause that is asserted at an earlier level;
// - pure literals, if asked for: what stands in no open clause of its owner any more, its owner makes false, in whatever block.
//   With learning this needs care (Giunchiglia, Narizzano and Tacchella 2004): a learned clause may still contain the literal.
//   Here learned clauses do not count, and those of the owner that contain it are disregarded until it is open again. So no
//   derivation meets a pure literal of the loser, which has no reason; for the winner it is a move like any other;
// - decisions from the outermost block with open variables, by activity, with saved phases; restarts; forgetting.
//
// With all variables of the prefix assigned, propagation alone finds the conflict of one of the two. Gates are never decided.
//
// Assumptions give the variables of the first blocks values. Then the last clause derived shows how the winner plays the next
// block, if that is its own: such that all its literals of that block become false (as DepQBF's partial assignments). Learned
// clauses follow from the formula alone and stay for other assumptions.
//
// Time is exponential in the worst case; memory is bounded by `most_learned`.

#pragma once

#include <array>

#include "core/limits.hpp"
#include "model/qbf/circuit.hpp"
#include "quantified/qbf/pure_literals.hpp"

namespace zermelo::quantified {

struct QcdclStatistics {
    std::uint64_t decisions = 0;
    std::uint64_t propagations = 0;
    std::uint64_t conflicts = 0;  // of ∃
    std::uint64_t solutions = 0;  // conflicts of ∀
    std::uint64_t restarts = 0;
    std::uint64_t forgotten = 0;
    std::uint64_t pure = 0;  // pure literals
};

class Qcdcl {
public:
    using Signal = model::QuantifiedCircuit::Signal;

    // The circuit must outlive it.
    Qcdcl(const model::QuantifiedCircuit& circuit, const Limits& limits, bool pure_literals = false);

    struct Result {
        std::optional<bool> truth;   // none: a limit was reached
        std::vector<Signal> reason;  // the values of assumed variables that this follows from
        std::vector<Signal> moves;   // of the first block that was not assumed, if it is the winner's
    };
    // The first blocks in the order of the prefix, all variables of a block.
    [[nodiscard]] Result solve(const std::vector<Signal>& assumptions);

    [[nodiscard]] const QcdclStatistics& statistics() const { return statistics_; }

private:
    using Lit = std::uint32_t;  // 2 × variable + (1 for negated)
    using ClauseId = std::uint32_t;
    static constexpr ClauseId no_clause = ~ClauseId{0};
    static constexpr ClauseId pure = no_clause - 1;  // instead of a reason
    static constexpr Lit no_literal = ~Lit{0};
    static constexpr int never_merged = 0x7fffffff;

    struct Clause {
        std::uint32_t first = 0;  // of its literals; the first two are watched
        std::uint32_t size = 0;
        bool owner = false;  // whose it is: false for ∃, true for ∀
        bool learned = false;
        bool gone = false;
        float activity = 0;
        // The first block of a pivot on which both literals of an opponent's variable met (long-distance resolution): how the
        // opponent plays that variable depends on the pivot, which the clause does not tell any more. So it is of no use where
        // the pivot is assumed.
        int merged_at = never_merged;
    };

    struct Watch {
        ClauseId clause;
        Lit blocker;  // satisfied where this is
    };
    class Encoder;

    // ---- variables
    static std::size_t var(Lit l) { return l >> 1; }
    [[nodiscard]] int value(Lit l) const {  // 1 true, -1 false, 0 open
        const int v = values_[var(l)];
        return (l & 1) != 0 ? -v : v;
    }
    [[nodiscard]] bool owns(bool player, Lit l) const { return universal_[var(l)] == player; }
    std::size_t add_variable(bool universal, int block);

    // ---- clauses
    ClauseId add_clause(bool owner, const std::vector<Lit>& literals, bool learned);
    void attach(ClauseId id);
    void watch(Lit l, ClauseId id, Lit blocker) { watches_[l].push_back({id, blocker}); }
    [[nodiscard]] Lit* literals(const Clause& c) { return arena_.data() + c.first; }
    void forget();

    // ---- search
    void assign(Lit l, ClauseId reason);
    [[nodiscard]] ClauseId propagate();
    enum class Visit : std::uint8_t { keep, moved, conflict };
    [[nodiscard]] Visit visit(ClauseId id, Lit falsified, Lit& blocker);
    [[nodiscard]] bool conflicting(ClauseId id);
    [[nodiscard]] bool disregarded(const Clause& c) const;
    [[nodiscard]] bool assign_pure();  // whether there are any
    void assign_pure(Lit gone);
    [[nodiscard]] std::size_t level() const { return level_starts_.size(); }
    void undo(std::size_t level);
    void undo_all();
    void decide();
    [[nodiscard]] ClauseId start(const std::vector<Signal>& assumptions);

    // ---- order of decisions: a heap for each block
    [[nodiscard]] bool before(std::size_t a, std::size_t b) const { return activity_[a] > activity_[b]; }
    void insert(std::size_t variable);
    void sift_up(std::vector<std::size_t>& heap, std::size_t at);
    void sift_down(std::vector<std::size_t>& heap, std::size_t at);
    void bump(std::size_t variable);

    // ---- learning
    [[nodiscard]] bool analyse(ClauseId conflict);  // false: the loser has lost everything
    void learn();
    void resolve(Lit pivot, ClauseId reason);
    void reduce();
    void add_literal(Lit l);
    void drop_literal(Lit l);
    [[nodiscard]] bool asserting(std::size_t most);
    void bump_clause(ClauseId id);
    [[nodiscard]] Result finish() const;

    const model::QuantifiedCircuit& circuit_;
    const Limits limits_;
    QcdclStatistics statistics_;
    std::vector<bool> universal_;  // by variable
    std::vector<int> block_;       // by variable
    std::size_t inputs_ = 0;       // variables of the prefix come first

    std::vector<Clause> clauses_;
    std::vector<Lit> arena_;
    std::vector<std::vector<Watch>> watches_;  // by literal, visited when it becomes false
    std::vector<ClauseId> units_;              // clauses that imply something, or fail, before any decision
    std::size_t learned_ = 0;
    std::size_t most_learned_ = 0;
    float clause_step_ = 1;

    std::vector<std::int8_t> values_;
    std::vector<std::uint32_t> levels_;     // by variable
    std::vector<std::uint32_t> positions_;  // by variable: in the trail
    std::vector<ClauseId> reasons_;
    std::vector<Lit> trail_;
    std::vector<std::size_t> level_starts_;
    std::size_t head_ = 0;

    const bool with_pure_;
    PureLiterals pure_literals_;
    std::size_t pure_head_ = 0;  // so much of the trail is known to `pure_literals_`

    std::vector<double> activity_;
    std::vector<bool> phase_;
    double step_ = 1;
    std::vector<std::vector<std::size_t>> heaps_;  // by block
    std::vector<std::int32_t> heap_index_;         // by variable; -1: not there

    std::vector<bool> assumed_;  // by variable
    int next_block_ = 0;         // the first that is not assumed

    // The clause that is being derived, and where it is to be asserted.
    bool loser_ = false;
    std::vector<Lit> derived_;
    std::vector<std::int32_t> place_;  // by literal: in `derived_`, or -1
    int merged_at_ = never_merged;
    Lit asserted_ = no_literal;
    std::size_t back_ = 0;
};

}  // namespace zermelo::quantified
