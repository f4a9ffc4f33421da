// Store: the domains of one position, changed in place and taken back by a trail (chronological backtracking
// as in the WAM, Warren 1983), with the propagators that narrow them.
//
// A domain is a pair of bounds, and a bit set where it may get holes; of a wide domain only the bounds are
// kept, which is weaker propagation but never a wrong one. Every change is an entry of the trail, with the
// propagator that made it. `propagate` walks along the new entries, as a SAT solver along its assignments
// (Moskewicz et al. 2001): clauses are visited at once by their two watched literals, sums get their new
// activities, and everything else that watches the variable is queued.
//
// `push` marks a position, `pop` takes back all that was done since. Nothing is ever copied.
//
// A store that can explain also logs who made which changes, one entry for each run of a propagator that
// changes something; explanation.hpp walks back along the two.

#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/globals.hpp"

namespace zermelo::kernel::trail {

using model::VarId;
using Number = std::int64_t;  // holds a coefficient times a value

class Store;
class Explanation;

// A statement about a domain.
struct Fact {
    enum class Kind : std::uint8_t {
        failure,  // there is no solution; about no variable
        low,      // the variable is at least `value`
        high,     // at most
        gone,     // not `value`
        equal,    // this value and no other
    };
    Kind kind = Kind::failure;
    VarId variable = -1;
    Number value = 0;
    // Of a Boolean: it is 1, not 0.
    [[nodiscard]] bool says_true() const { return kind == Kind::low || (kind == Kind::gone && value == 0); }
};

// What may happen to a variable, as bits of a mask.
enum Event : std::uint8_t { low_event = 1, high_event = 2, fix_event = 4, hole_event = 8 };
inline constexpr std::uint8_t bounds_events = low_event | high_event;
inline constexpr std::uint8_t any_event = bounds_events | hole_event;

// Narrows the domains of its variables to values that can still be part of a solution. It is run when a
// variable that it watches has changed, and must find every violation once all its variables are fixed.
class Propagator {
public:
    virtual ~Propagator() = default;
    [[nodiscard]] virtual bool propagate(Store& store) = 0;  // false: no solution is left
    // Names facts from before the change that imply it together with the constraint. Unless a form says it more
    // tightly, these are the domains that all variables of the propagator had.
    virtual void explain(const Fact& fact, Explanation& why) const;
};

class Store {
public:
    struct Change {
        enum class Kind : std::uint8_t { bounds, hole };
        VarId variable;
        std::int32_t low;  // the former bounds; or, first, the value that is gone
        std::int32_t high;
        Kind kind;
    };

    // Who makes changes. Demands need no reason; a move is one.
    struct Origin {
        enum class Kind : std::uint8_t { move, demand, clause, propagator };
        Kind kind;
        std::uint32_t id = 0;  // of the propagator; of a clause: where it begins
    };

    explicit Store(std::size_t variables, bool explaining = false);
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    // ---- making: before the first `propagate`

    void create(VarId v, const model::Domain& domain);
    // A ∀ variable without a rule: losing a value, except by `play`, is losing the game.
    void watch_values(VarId v) { cells_[index(v)].watched = true; }

    // A propagator that watches (variable, events) pairs; `due` is the block it waits for, -1 for none.
    struct Watched {
        VarId variable;
        std::uint8_t events;
    };
    std::uint32_t add(std::unique_ptr<Propagator> propagator, const std::vector<Watched>& watched, int due,
                      bool slow = false);
    // At least one literal holds: two watched literals. For constraints that act from the start. Making changes
    // no domain: a clause of one literal acts with the next `propagate`.
    void add_clause(const std::vector<model::Literal>& literals);
    // A sum whose activity is kept up to date. Its propagator is queued when the least activity is above
    // `least_limit` or the greatest below `greatest_limit`.
    struct Activity {
        Number least = 0;
        Number greatest = 0;
        Number least_limit = 0;
        Number greatest_limit = 0;
    };
    std::uint32_t add_sum(const std::vector<model::Term>& terms, std::uint32_t propagator);

    // ---- domains

    [[nodiscard]] bool fixed(VarId v) const { return cell(v).low == cell(v).high; }
    [[nodiscard]] std::int32_t low(VarId v) const { return cell(v).low; }
    [[nodiscard]] std::int32_t high(VarId v) const { return cell(v).high; }
    [[nodiscard]] bool allows(VarId v, Number value) const {
        const Cell& c = cell(v);
        return value >= c.low && value <= c.high && (c.words == 0 || bit(c, value));
    }
    [[nodiscard]] std::uint64_t size(VarId v) const;
    [[nodiscard]] bool has_holes(VarId v) const { return cell(v).words > 0; }  // or may get some
    [[nodiscard]] bool is_true(model::Literal l) const { return truth(l, true); }
    [[nodiscard]] bool is_false(model::Literal l) const { return truth(l, false); }
    template <class Visit>
    void each_value(VarId v, Visit visit) const;  // ascending
    template <class Visit>
    void each_range(VarId v, Visit visit) const;  // visit(low, high)
    // visit(place, word): the bit set in its words, without those that are 0. Only of a variable with holes.
    template <class Visit>
    void each_word(VarId v, Visit visit) const;
    [[nodiscard]] std::uint32_t words(VarId v) const { return cell(v).words; }

    // ---- changes; false when no value is left or a watched value is lost

    [[nodiscard]] bool raise(VarId v, Number low) { return low <= cell(v).low || change_low(v, low); }
    [[nodiscard]] bool lower(VarId v, Number high) { return high >= cell(v).high || change_high(v, high); }
    [[nodiscard]] bool assign(VarId v, Number value);
    [[nodiscard]] bool remove(VarId v, Number value);
    [[nodiscard]] bool assume(model::Literal l) {
        return l.positive ? raise(l.variable, 1) : lower(l.variable, 0);
    }

    // A number that belongs to the position: `set` takes it back with the rest.
    void set(Number& number, Number value) {
        if (number == value) return;
        numbers_.push_back({&number, number});
        number = value;
    }
    [[nodiscard]] Activity& activity(std::uint32_t sum) { return activities_[sum]; }

    // ---- search

    // What is done from here on has this origin.
    void begin(Origin origin) {
        if (explaining_) log(origin);
    }
    [[nodiscard]] bool explaining() const { return explaining_; }
    void stop_explaining() { explaining_ = false; }

    void push() { marks_.push_back({changes_.size(), numbers_.size(), refuted_}); }
    void pop();

    // The watched variable that is being played now; -1 for none.
    void playing(VarId v) { played_ = v; }
    // Constraints of all blocks below this one act; those that waited for it are queued.
    void reach(int level);
    [[nodiscard]] int level() const { return static_cast<int>(level_); }

    [[nodiscard]] bool propagate();
    void fail() { failed_ = true; }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] VarId refuted() const { return refuted_; }  // the watched variable that lost a value
    [[nodiscard]] std::int32_t refuting() const { return refuting_; }
    [[nodiscard]] std::uint64_t propagations() const { return propagations_; }
    // Constraints whose propagator is not ours.
    void count_foreign(const model::Global& global) { model::count(global, foreign_); }
    [[nodiscard]] const model::GlobalCounts& foreign() const { return foreign_; }

    // What has changed, in order; entries above a size that was asked for earlier are new.
    [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }

    void queue(std::uint32_t propagator) {
        Scheduling& scheduling = scheduling_[propagator];
        if (scheduling.queued || scheduling.due >= level_) return;
        scheduling.queued = true;
        (scheduling.slow ? slow_ : quick_).push_back(propagator);
    }

private:
    struct Cell {
        std::int32_t low = 0;
        std::int32_t high = 0;
        std::int32_t told_low = 0;  // the bounds that the activities of sums are made of
        std::int32_t told_high = 0;
        std::int32_t base = 0;    // the value of the first bit
        std::uint32_t first = 0;  // into bits_
        std::uint32_t words = 0;  // 0: bounds only
        bool watched = false;
        bool boolean = false;  // 0 or 1: its literals have a truth value
    };
    struct Watch {
        std::uint32_t propagator;
        std::uint8_t events;
    };
    struct Scheduling {    // of a propagator
        std::int32_t due;  // the block that it waits for, in a strategic model
        bool slow;         // runs after the others
        bool queued;
    };
    struct TermWatch {
        Number coefficient;
        std::uint32_t sum;
    };
    using LiteralIndex = std::uint32_t;  // 2 × variable, plus 1 for a negative literal
    struct ClauseWatch {
        LiteralIndex other;    // a literal of the clause: if it holds, the clause need not be looked at
        std::uint32_t clause;  // into literals_: its length, then its literals, the watched ones first
    };
    struct ShortWatch {  // of a clause with two or three literals, which all watch it: the others
        LiteralIndex first;
        LiteralIndex second;  // the same as `first` where there are two
        std::uint32_t clause;
    };
    // Lists by variable: first in pieces, then, from the first propagation on, in one piece.
    template <class T>
    class Lists {
    public:
        explicit Lists(std::size_t variables) : pieces_(variables), first_(variables + 1, 0) {}
        void add(std::size_t v, const T& item) { pieces_[v].push_back(item); }
        void join() {
            for (std::size_t v = 0; v < pieces_.size(); ++v) {
                items_.insert(items_.end(), pieces_[v].begin(), pieces_[v].end());
                first_[v + 1] = static_cast<std::uint32_t>(items_.size());
            }
            pieces_ = {};
        }
        [[nodiscard]] std::span<const T> of(std::size_t v) const {
            return {items_.data() + first_[v], items_.data() + first_[v + 1]};
        }

    private:
        std::vector<std::vector<T>> pieces_;
        std::vector<std::uint32_t> first_;
        std::vector<T> items_;
    };
    struct Mark {
        std::size_t changes;
        std::size_t numbers;
        VarId refuted;
    };
    struct OldNumber {
        Number* where;
        Number value;
    };
    struct Run {
        std::uint32_t first;  // its first change
        Origin origin;
    };

    static std::size_t index(VarId v) { return static_cast<std::size_t>(v); }
    static LiteralIndex index(model::Literal l) {
        return 2 * static_cast<LiteralIndex>(l.variable) + (l.positive ? 0 : 1);
    }
    [[nodiscard]] const Cell& cell(VarId v) const { return cells_[index(v)]; }
    [[nodiscard]] bool bit(const Cell& c, Number value) const {
        const auto at = static_cast<std::uint64_t>(value - c.base);
        return (bits_[c.first + at / 64] >> (at % 64) & 1) != 0;
    }
    [[nodiscard]] bool truth(model::Literal l, bool wanted) const {
        const Cell& c = cell(l.variable);
        return c.low == c.high && (c.low != 0) == (l.positive == wanted);
    }
    // Clauses look at truth values, which lie closer together than cells.
    enum class Truth : std::uint8_t { open, no, yes };
    [[nodiscard]] bool literal_true(LiteralIndex l) const { return truth_[l] == Truth::yes; }
    [[nodiscard]] bool literal_false(LiteralIndex l) const { return truth_[l] == Truth::no; }
    void note_truth(std::size_t v, const Cell& c) {
        if (!c.boolean) return;
        const bool open = c.low != c.high;
        truth_[2 * v] = open ? Truth::open : c.low != 0 ? Truth::yes : Truth::no;
        truth_[2 * v + 1] = open ? Truth::open : c.low != 0 ? Truth::no : Truth::yes;
    }
    [[nodiscard]] std::int32_t next_allowed(const Cell& c, Number from) const;
    [[nodiscard]] std::int32_t last_allowed(const Cell& c, Number from) const;
    [[nodiscard]] bool change_low(VarId v, Number low);
    [[nodiscard]] bool change_high(VarId v, Number high);
    [[nodiscard]] bool lost(VarId v, Number value);
    [[nodiscard]] bool refused(Fact::Kind kind, VarId v, Number value);
    void log(Origin origin);
    void record(VarId v, const Cell& before) {
        changes_.push_back({v, before.low, before.high, Change::Kind::bounds});
    }
    void tell_sums(std::size_t v);
    [[nodiscard]] bool notify(const Change& change);
    void wake(std::size_t v, std::uint8_t events);
    [[nodiscard]] bool visit_clauses(LiteralIndex now_false);
    [[nodiscard]] bool visit_short_clauses(LiteralIndex now_false);
    void clear_queues();

    std::vector<Cell> cells_;
    std::vector<Truth> truth_;  // by literal
    std::vector<std::uint64_t> bits_;
    Lists<Watch> watches_;
    Lists<TermWatch> sums_of_;
    bool joined_ = false;                            // the lists
    std::vector<std::vector<ClauseWatch>> clauses_;  // by literal: to be visited when it becomes false
    Lists<ShortWatch> short_clauses_;                // by literal
    std::vector<LiteralIndex> literals_;
    std::vector<model::Literal> units_;  // to be assumed first
    std::vector<Activity> activities_;
    std::vector<std::uint32_t> propagator_of_;  // by sum
    std::vector<std::unique_ptr<Propagator>> propagators_;
    std::vector<Scheduling> scheduling_;              // by propagator
    std::vector<std::vector<std::uint32_t>> due_at_;  // by block
    std::vector<std::uint32_t> quick_;
    std::vector<std::uint32_t> slow_;
    std::size_t next_quick_ = 0;
    std::vector<Change> changes_;
    std::vector<OldNumber> numbers_;
    std::vector<Mark> marks_;
    std::size_t notified_ = 0;  // of changes_
    Number level_ = 0;
    VarId played_ = -1;
    VarId refuted_ = -1;
    std::int32_t refuting_ = 0;
    bool failed_ = false;
    std::uint64_t propagations_ = 0;
    model::GlobalCounts foreign_ = {};

    friend class Explanation;
    bool explaining_;
    std::vector<Run> runs_;                   // by their first changes
    std::vector<std::vector<VarId>> scopes_;  // by propagator: the variables that it watches
    Fact refused_;                            // the change that could not be made
    std::size_t unchanged_ = 0;               // of changes_, since the last explanation
};

// ---------------------------------------------------------------------------------------------------------

template <class Visit>
void Store::each_value(VarId v, Visit visit) const {
    each_range(v, [&](std::int32_t low, std::int32_t high) {
        for (Number value = low; value <= high; ++value) visit(static_cast<std::int32_t>(value));
    });
}

// A word at a time: `word` holds the bits from `at` on that are not yet visited.
template <class Visit>
void Store::each_range(VarId v, Visit visit) const {
    const Cell c = cell(v);
    if (c.words == 0) {
        visit(c.low, c.high);
        return;
    }
    const auto end = static_cast<std::uint32_t>(c.high - c.base);  // the last bit, which is set
    auto at = static_cast<std::uint32_t>(c.low - c.base);
    for (;;) {
        const std::uint32_t first = at;
        // The end of the ones, then of the zeros.
        for (;;) {
            const auto ones = std::countr_one(bits_[c.first + at / 64] >> (at % 64));
            at += static_cast<std::uint32_t>(ones);
            if (ones == 0 || at % 64 != 0 || at > end) break;
        }
        if (at > end) {
            visit(static_cast<std::int32_t>(c.base + Number{first}), c.high);
            return;
        }
        visit(static_cast<std::int32_t>(c.base + Number{first}),
              static_cast<std::int32_t>(c.base + Number{at} - 1));
        at = static_cast<std::uint32_t>(next_allowed(c, c.base + Number{at}) - c.base);
    }
}

template <class Visit>
void Store::each_word(VarId v, Visit visit) const {
    const Cell c = cell(v);
    const auto low = static_cast<std::uint32_t>(c.low - c.base);
    const auto high = static_cast<std::uint32_t>(c.high - c.base);
    for (std::uint32_t place = low / 64; place <= high / 64; ++place) {
        std::uint64_t word = bits_[c.first + place];
        if (place == low / 64) word &= ~std::uint64_t{0} << (low % 64);
        if (place == high / 64) word &= ~std::uint64_t{0} >> (63 - high % 64);
        if (word != 0) visit(place, word);
    }
}

}  // namespace zermelo::kernel::trail
