#include "kernel/trail/store.hpp"

#include <algorithm>

namespace zermelo::kernel::trail {

namespace {

// A wider domain has bounds only, and so has every domain that is not small once all bit sets together are large.
constexpr std::uint64_t widest_bit_set = std::uint64_t{1} << 20;
constexpr std::uint64_t small_bit_set = std::uint64_t{1} << 12;
constexpr std::size_t most_words = std::size_t{1} << 22;

}  // namespace

Store::Store(std::size_t variables, bool explaining)
    : cells_(variables),
      truth_(2 * variables, Truth::open),
      watches_(variables),
      sums_of_(variables),
      clauses_(2 * variables),
      short_clauses_(2 * variables),
      explaining_(explaining) {}

// ---- making

void Store::create(VarId v, const model::Domain& domain) {
    Cell& c = cells_[index(v)];
    c.low = static_cast<std::int32_t>(domain.low());
    c.high = static_cast<std::int32_t>(domain.high());
    c.told_low = c.low;
    c.told_high = c.high;
    c.boolean = c.low >= 0 && c.high <= 1;
    note_truth(index(v), c);
    const auto width = static_cast<std::uint64_t>(domain.high() - domain.low()) + 1;
    if (width <= 2 || width > widest_bit_set) return;
    if (width > small_bit_set && bits_.size() + width / 64 > most_words) return;
    c.base = c.low;
    c.first = static_cast<std::uint32_t>(bits_.size());
    c.words = static_cast<std::uint32_t>((width + 63) / 64);
    bits_.resize(bits_.size() + c.words, 0);
    domain.each([&](model::Value value) {
        const auto at = static_cast<std::uint64_t>(value - c.base);
        bits_[c.first + at / 64] |= std::uint64_t{1} << (at % 64);
    });
}

std::uint32_t Store::add(std::unique_ptr<Propagator> propagator, const std::vector<Watched>& watched, int due,
                         bool slow) {
    const auto id = static_cast<std::uint32_t>(propagators_.size());
    propagators_.push_back(std::move(propagator));
    scheduling_.push_back({due, slow, false});
    for (const Watched& w : watched) {
        if (!fixed(w.variable)) watches_.add(index(w.variable), {id, w.events});
    }
    if (explaining_) {
        auto& scope = scopes_.emplace_back();
        for (const Watched& w : watched) scope.push_back(w.variable);
    }
    if (due >= 0) {
        if (due_at_.size() <= static_cast<std::size_t>(due))
            due_at_.resize(static_cast<std::size_t>(due) + 1);
        due_at_[static_cast<std::size_t>(due)].push_back(id);
    }
    queue(id);
    return id;
}

std::uint32_t Store::add_sum(const std::vector<model::Term>& terms, std::uint32_t propagator) {
    const auto id = static_cast<std::uint32_t>(activities_.size());
    Activity& activity = activities_.emplace_back();
    propagator_of_.push_back(propagator);
    for (const model::Term& term : terms) {
        const Cell& c = cell(term.variable);
        const Number at_low = term.coefficient * c.low;
        const Number at_high = term.coefficient * c.high;
        activity.least += std::min(at_low, at_high);
        activity.greatest += std::max(at_low, at_high);
        if (c.low != c.high) sums_of_.add(index(term.variable), {term.coefficient, id});
    }
    return id;
}

void Store::add_clause(const std::vector<model::Literal>& literals) {
    std::vector<LiteralIndex> open;
    for (const model::Literal l : literals) {
        if (is_true(l)) return;
        if (!is_false(l)) open.push_back(index(l));
    }
    std::sort(open.begin(), open.end());
    open.erase(std::unique(open.begin(), open.end()), open.end());
    for (std::size_t i = 1; i < open.size(); ++i) {
        if (open[i] == (open[i - 1] ^ 1)) return;  // a literal and its negation
    }
    if (open.empty()) return fail();
    if (open.size() == 1) {
        units_.push_back({static_cast<VarId>(open[0] / 2), open[0] % 2 == 0});
        return;
    }
    const auto at = static_cast<std::uint32_t>(literals_.size());
    literals_.push_back(static_cast<LiteralIndex>(open.size()));
    literals_.insert(literals_.end(), open.begin(), open.end());
    if (open.size() <= 3) {
        for (std::size_t i = 0; i < open.size(); ++i) {
            const LiteralIndex next = open[(i + 1) % open.size()];
            short_clauses_.add(open[i], {next, open.size() == 2 ? next : open[(i + 2) % open.size()], at});
        }
        return;
    }
    clauses_[open[0]].push_back({open[1], at});
    clauses_[open[1]].push_back({open[0], at});
}

// ---- domains

std::uint64_t Store::size(VarId v) const {
    const Cell& c = cell(v);
    if (c.words == 0) return static_cast<std::uint64_t>(Number{c.high} - c.low) + 1;
    const auto from = static_cast<std::uint32_t>(c.low - c.base);
    const auto to = static_cast<std::uint32_t>(c.high - c.base);
    std::uint64_t count = 0;
    for (std::uint32_t word = from / 64; word <= to / 64; ++word) {
        std::uint64_t bits = bits_[c.first + word];
        if (word == from / 64) bits &= ~std::uint64_t{0} << (from % 64);
        if (word == to / 64) bits &= ~std::uint64_t{0} >> (63 - to % 64);
        count += static_cast<std::uint64_t>(std::popcount(bits));
    }
    return count;
}

// The next value of the bit set from here on; the caller knows that there is one.
std::int32_t Store::next_allowed(const Cell& c, Number from) const {
    auto at = static_cast<std::uint32_t>(from - c.base);
    std::uint64_t bits = bits_[c.first + at / 64] & (~std::uint64_t{0} << (at % 64));
    for (std::uint32_t word = at / 64;; bits = bits_[c.first + ++word]) {
        if (bits != 0) return c.base + static_cast<std::int32_t>(word * 64 + std::countr_zero(bits));
    }
}

std::int32_t Store::last_allowed(const Cell& c, Number from) const {
    auto at = static_cast<std::uint32_t>(from - c.base);
    std::uint64_t bits = bits_[c.first + at / 64] & (~std::uint64_t{0} >> (63 - at % 64));
    for (std::uint32_t word = at / 64;; bits = bits_[c.first + --word]) {
        if (bits != 0) return c.base + static_cast<std::int32_t>(word * 64 + 63 - std::countl_zero(bits));
    }
}

// A watched variable lost this value; playing it refutes the position.
bool Store::lost(VarId v, Number value) {
    refuted_ = v;
    refuting_ = static_cast<std::int32_t>(value);
    return refused(Fact::Kind::gone, v, value);
}

bool Store::refused(Fact::Kind kind, VarId v, Number value) {
    refused_ = {kind, v, value};
    return false;
}

// A run that has changed nothing is forgotten.
void Store::log(Origin origin) {
    const auto first = static_cast<std::uint32_t>(changes_.size());
    if (runs_.empty() || runs_.back().first < first) {
        runs_.push_back({first, origin});
    } else {
        runs_.back().origin = origin;
    }
}

bool Store::change_low(VarId v, Number low) {
    Cell& c = cells_[index(v)];
    if (c.watched && v != played_ && c.low != c.high) return lost(v, c.low);
    if (low > c.high) return refused(Fact::Kind::low, v, low);
    record(v, c);
    c.low = c.words == 0 ? static_cast<std::int32_t>(low) : next_allowed(c, low);
    note_truth(index(v), c);
    return true;
}

bool Store::change_high(VarId v, Number high) {
    Cell& c = cells_[index(v)];
    if (c.watched && v != played_ && c.low != c.high) return lost(v, c.high);
    if (high < c.low) return refused(Fact::Kind::high, v, high);
    record(v, c);
    c.high = c.words == 0 ? static_cast<std::int32_t>(high) : last_allowed(c, high);
    note_truth(index(v), c);
    return true;
}

bool Store::assign(VarId v, Number value) {
    Cell& c = cells_[index(v)];
    if (c.low == c.high) return c.low == value || refused(Fact::Kind::equal, v, value);
    if (c.watched && v != played_) return lost(v, c.low != value ? c.low : c.high);
    if (!allows(v, value)) return refused(Fact::Kind::equal, v, value);
    record(v, c);
    c.low = c.high = static_cast<std::int32_t>(value);
    note_truth(index(v), c);
    return true;
}

bool Store::remove(VarId v, Number value) {
    const Cell& c = cell(v);
    if (!allows(v, value)) return true;
    if (value == c.low) return raise(v, value + 1);
    if (value == c.high) return lower(v, value - 1);
    if (c.watched && v != played_) return lost(v, value);
    if (c.words == 0) return true;  // bounds only
    const auto at = static_cast<std::uint64_t>(value - c.base);
    bits_[c.first + at / 64] &= ~(std::uint64_t{1} << (at % 64));
    changes_.push_back({v, static_cast<std::int32_t>(value), 0, Change::Kind::hole});
    return true;
}

// ---- search

// Brings the activities of the variable's sums up to date, forwards and backwards.
inline void Store::tell_sums(std::size_t v) {
    Cell& c = cells_[v];
    const Number low = Number{c.low} - c.told_low;
    const Number high = Number{c.high} - c.told_high;
    if (low == 0 && high == 0) return;
    c.told_low = c.low;
    c.told_high = c.high;
    for (const TermWatch& watch : sums_of_.of(v)) {
        Activity& activity = activities_[watch.sum];
        activity.least += watch.coefficient * (watch.coefficient > 0 ? low : high);
        activity.greatest += watch.coefficient * (watch.coefficient > 0 ? high : low);
    }
}

void Store::pop() {
    const Mark mark = marks_.back();
    marks_.pop_back();
    for (std::size_t i = changes_.size(); i-- > mark.changes;) {
        const Change& change = changes_[i];
        Cell& c = cells_[index(change.variable)];
        if (change.kind == Change::Kind::bounds) {
            c.low = change.low;
            c.high = change.high;
            note_truth(index(change.variable), c);
        } else {
            const auto at = static_cast<std::uint64_t>(change.low - c.base);
            bits_[c.first + at / 64] |= std::uint64_t{1} << (at % 64);
        }
    }
    for (std::size_t i = mark.changes; i < changes_.size(); ++i) tell_sums(index(changes_[i].variable));
    changes_.resize(mark.changes);
    while (numbers_.size() > mark.numbers) {
        *numbers_.back().where = numbers_.back().value;
        numbers_.pop_back();
    }
    refuted_ = mark.refuted;
    played_ = -1;
    notified_ = changes_.size();
    clear_queues();
    failed_ = false;
    if (explaining_) {
        while (!runs_.empty() && runs_.back().first >= changes_.size()) runs_.pop_back();
        unchanged_ = std::min(unchanged_, changes_.size());
        refused_ = {};
    }
}

void Store::clear_queues() {
    for (std::size_t i = next_quick_; i < quick_.size(); ++i) scheduling_[quick_[i]].queued = false;
    for (const std::uint32_t id : slow_) scheduling_[id].queued = false;
    quick_.clear();
    slow_.clear();
    next_quick_ = 0;
}

void Store::reach(int level) {
    const int before = static_cast<int>(level_);
    set(level_, level);
    for (int b = before; b < level && b < static_cast<int>(due_at_.size()); ++b) {
        for (const std::uint32_t id : due_at_[static_cast<std::size_t>(b)]) queue(id);
    }
}

bool Store::propagate() {
    if (failed_) return false;
    if (!joined_) {
        joined_ = true;
        watches_.join();
        sums_of_.join();
        short_clauses_.join();
    }
    for (; !units_.empty(); units_.pop_back()) {
        if (!assume(units_.back())) {
            failed_ = true;
            return false;
        }
    }
    for (;;) {
        while (notified_ < changes_.size()) {
            const Change change = changes_[notified_++];
            if (!notify(change)) {
                failed_ = true;
                return false;
            }
        }
        std::uint32_t id = 0;
        if (next_quick_ < quick_.size()) {
            id = quick_[next_quick_++];
        } else if (!slow_.empty()) {
            id = slow_.back();
            slow_.pop_back();
        } else {
            break;
        }
        scheduling_[id].queued = false;
        ++propagations_;
        begin({Origin::Kind::propagator, id});
        if (!propagators_[id]->propagate(*this)) {
            failed_ = true;
            return false;
        }
    }
    quick_.clear();
    next_quick_ = 0;
    return true;
}

bool Store::notify(const Change& change) {
    const auto v = index(change.variable);
    const Cell& c = cells_[v];
    if (change.kind == Change::Kind::hole) {
        wake(v, hole_event);
        return true;
    }
    // Of several changes in a row the first one tells them all.
    std::uint8_t events = 0;
    if (c.low != c.told_low) events |= low_event;
    if (c.high != c.told_high) events |= high_event;
    if (events == 0) return true;
    tell_sums(v);
    for (const TermWatch& watch : sums_of_.of(v)) {
        const Activity& activity = activities_[watch.sum];
        if (activity.least > activity.least_limit || activity.greatest < activity.greatest_limit)
            queue(propagator_of_[watch.sum]);
    }
    if (c.low == c.high) {
        events |= fix_event;
        const auto now_false = static_cast<LiteralIndex>(2 * v + (c.low != 0 ? 1 : 0));
        if (!visit_short_clauses(now_false)) return false;
        if (!clauses_[now_false].empty() && !visit_clauses(now_false)) return false;
    }
    if (!watches_.of(v).empty()) wake(v, events);
    return true;
}

void Store::wake(std::size_t v, std::uint8_t events) {
    for (const Watch watch : watches_.of(v)) {
        if ((watch.events & events) != 0) queue(watch.propagator);
    }
}

// Most clauses of a model are short: one that is satisfied is left with a look at two truth values.
bool Store::visit_short_clauses(LiteralIndex now_false) {
    for (const ShortWatch& watch : short_clauses_.of(now_false)) {
        const Truth first = truth_[watch.first];
        const Truth second = truth_[watch.second];
        if (first == Truth::yes || second == Truth::yes) continue;
        if (first == Truth::open && second == Truth::open && watch.first != watch.second) continue;
        ++propagations_;
        const LiteralIndex last = first == Truth::open ? watch.first : watch.second;
        begin({Origin::Kind::clause, watch.clause});
        if (!assume({static_cast<VarId>(last / 2), last % 2 == 0})) return false;
    }
    return true;
}

// The literal has become false: every clause that watches it finds another, or gives its last one.
bool Store::visit_clauses(LiteralIndex now_false) {
    std::vector<ClauseWatch>& list = clauses_[now_false];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const ClauseWatch watch = list[i];
        if (literal_true(watch.other)) {
            list[kept++] = watch;
            continue;
        }
        ++propagations_;
        LiteralIndex* const clause = &literals_[watch.clause + 1];
        if (clause[0] == now_false) std::swap(clause[0], clause[1]);
        const LiteralIndex first = clause[0];
        if (first != watch.other && literal_true(first)) {
            list[kept++] = {first, watch.clause};
            continue;
        }
        const LiteralIndex length = literals_[watch.clause];
        bool moved = false;
        for (LiteralIndex j = 2; j < length; ++j) {
            if (literal_false(clause[j])) continue;
            std::swap(clause[1], clause[j]);
            clauses_[clause[1]].push_back({first, watch.clause});
            moved = true;
            break;
        }
        if (moved) continue;
        list[kept++] = watch;
        begin({Origin::Kind::clause, watch.clause});
        if (!assume({static_cast<VarId>(first / 2), first % 2 == 0})) {
            for (++i; i < list.size(); ++i) list[kept++] = list[i];
            list.resize(kept);
            return false;
        }
    }
    list.resize(kept);
    return true;
}

}  // namespace zermelo::kernel::trail
