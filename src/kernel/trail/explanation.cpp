#include "kernel/trail/explanation.hpp"

#include <algorithm>

namespace zermelo::kernel::trail {

void Propagator::explain(const Fact&, Explanation& why) const { why.need_scope(); }

// ---- the changes of one variable as a list

// Only what is new since the last explanation.
void Explanation::link() {
    while (links_.size() > store_.unchanged_) {
        last_[Store::index(links_.back().variable)] = links_.back().previous;
        links_.pop_back();
    }
    while (links_.size() < store_.changes_.size()) {
        const VarId v = store_.changes_[links_.size()].variable;
        Index& last = last_[Store::index(v)];
        const auto now = static_cast<Index>(links_.size());
        links_.push_back({v, last});
        last = now;
    }
    store_.unchanged_ = links_.size();
    base_ = base();
    now_ = static_cast<Index>(links_.size());
}

Explanation::View Explanation::before(VarId v) const {
    const Store::Cell& cell = store_.cell(v);
    View view{cell.low, cell.high, last_[Store::index(v)]};
    for (; view.last >= now_; view.last = previous(view.last)) {
        const Store::Change& c = change(view.last);
        if (c.kind != Store::Change::Kind::bounds) continue;
        view.low = c.low;
        view.high = c.high;
    }
    return view;
}

model::Interval Explanation::root(VarId v) const {
    const Store::Cell& cell = store_.cell(v);
    model::Interval bounds{cell.low, cell.high};
    for (Index i = last_[Store::index(v)]; i >= base_; i = previous(i)) {
        const Store::Change& c = change(i);
        if (c.kind == Store::Change::Kind::bounds) bounds = {c.low, c.high};
    }
    return bounds;
}

const Store::Origin& Explanation::origin(Index i) const {
    const auto after =
        std::upper_bound(store_.runs_.begin(), store_.runs_.end(), static_cast<std::uint32_t>(i),
                         [](std::uint32_t change, const Store::Run& run) { return change < run.first; });
    return std::prev(after)->origin;
}

// ---- what is needed: finds the change that made the fact true

void Explanation::wait_for(Index i, const Fact& fact) {
    if (premises_ != nullptr) {
        premises_->push_back(fact);
        return;
    }
    if (i < base_) return;
    waiting_.push_back({i, fact});
    std::push_heap(waiting_.begin(), waiting_.end(), sooner);
}

void Explanation::need_low(VarId v, Number least) {
    for (Index i = before(v).last; i >= base_; i = previous(i)) {
        const Store::Change& c = change(i);
        if (c.kind == Store::Change::Kind::bounds && c.low < least)
            return wait_for(i, {Fact::Kind::low, v, least});
    }
}

void Explanation::need_high(VarId v, Number greatest) {
    for (Index i = before(v).last; i >= base_; i = previous(i)) {
        const Store::Change& c = change(i);
        if (c.kind == Store::Change::Kind::bounds && c.high > greatest)
            return wait_for(i, {Fact::Kind::high, v, greatest});
    }
}

// The value became a hole, or a bound passed it; what came first.
void Explanation::need_gone(VarId v, Number value) {
    View view = before(v);
    Index passed = none;
    Fact bound;
    for (Index i = view.last; i >= base_; i = previous(i)) {
        const Store::Change& c = change(i);
        if (c.kind == Store::Change::Kind::hole) {
            if (c.low == value) return wait_for(i, {Fact::Kind::gone, v, value});
            continue;
        }
        if ((value < view.low || value > view.high) && value >= c.low && value <= c.high) {
            passed = i;
            bound =
                value < view.low ? Fact{Fact::Kind::low, v, value + 1} : Fact{Fact::Kind::high, v, value - 1};
        }
        view.low = c.low;
        view.high = c.high;
    }
    if (passed != none) wait_for(passed, bound);
}

void Explanation::need_domain(VarId v) {
    const View view = before(v);
    need_low(v, view.low);
    need_high(v, view.high);
    for (Index i = view.last; i >= base_; i = previous(i)) {
        const Store::Change& c = change(i);
        if (c.kind == Store::Change::Kind::hole && c.low > view.low && c.low < view.high)
            wait_for(i, {Fact::Kind::gone, v, c.low});
    }
}

void Explanation::need_scope() {
    for (const VarId v : store_.scopes_[propagator_]) need_domain(v);
}

// ---- the walk

void Explanation::add_move(VarId v) {
    if (std::find(moves_.begin(), moves_.end(), v) == moves_.end()) moves_.push_back(v);
}

void Explanation::explain(const Store::Origin& origin, const Fact& fact) {
    switch (origin.kind) {
        case Store::Origin::Kind::move:
            return add_move(fact.variable);
        case Store::Origin::Kind::demand:
            return;
        case Store::Origin::Kind::clause:
            for (Store::LiteralIndex j = 1; j <= store_.literals_[origin.id]; ++j) {
                const Store::LiteralIndex l = store_.literals_[origin.id + j];
                const auto v = static_cast<VarId>(l / 2);
                if (v != fact.variable) need_true({v, l % 2 != 0});
            }
            return;
        case Store::Origin::Kind::propagator:
            propagator_ = origin.id;
            store_.propagators_[origin.id]->explain(fact, *this);
            return;
    }
}

// By strength where a change has made several facts true: the strongest says the others too.
bool Explanation::sooner(const Waiting& a, const Waiting& b) {
    if (a.change != b.change) return a.change < b.change;
    if (a.fact.kind != b.fact.kind) return a.fact.kind < b.fact.kind;
    return a.fact.kind == Fact::Kind::low ? a.fact.value < b.fact.value : a.fact.value > b.fact.value;
}

void Explanation::walk() {
    Waiting said{none, {}};
    while (!waiting_.empty()) {
        std::pop_heap(waiting_.begin(), waiting_.end(), sooner);
        const Waiting next = waiting_.back();
        waiting_.pop_back();
        const bool bound = next.fact.kind != Fact::Kind::gone;
        if (next.change == said.change && next.fact.kind == said.fact.kind &&
            (bound || next.fact.value == said.fact.value))
            continue;
        said = next;
        now_ = next.change;
        explain(origin(next.change), next.fact);
    }
    now_ = static_cast<Index>(links_.size());
}

// What was known about the variable when the change was refused. A watched variable, of which a value was to be
// lost, need not have lost anything.
void Explanation::contradict(const Fact& refused) {
    switch (refused.kind) {
        case Fact::Kind::low:
            return need_high(refused.variable, refused.value - 1);
        case Fact::Kind::high:
            return need_low(refused.variable, refused.value + 1);
        case Fact::Kind::equal:
            return need_gone(refused.variable, refused.value);
        case Fact::Kind::gone:
        case Fact::Kind::failure:
            return;
    }
}

void Explanation::explain_failure() {
    if (store_.runs_.empty()) return;
    const Fact refused = store_.refused_;
    const Store::Origin by = store_.runs_.back().origin;
    contradict(refused);
    if (refused.kind != Fact::Kind::equal || by.kind != Store::Origin::Kind::propagator)
        return explain(by, refused);
    explain(by, {Fact::Kind::low, refused.variable, refused.value});
    explain(by, {Fact::Kind::high, refused.variable, refused.value});
}

// ---- questions

void Explanation::begin() {
    link();
    moves_.clear();
    waiting_.clear();
}

const std::vector<VarId>& Explanation::failure() {
    begin();
    explain_failure();
    return moves();
}

const std::vector<VarId>& Explanation::truth(model::Literal literal) {
    begin();
    need_true(literal);
    return moves();
}

const std::vector<VarId>& Explanation::moves() {
    walk();
    return moves_;
}

std::vector<Explanation::Step> Explanation::steps_of(std::size_t at) {
    begin();
    const auto i = static_cast<Index>(at);
    now_ = i + 1;
    const VarId v = change(i).variable;
    const View after = before(v);
    now_ = i;
    const View earlier = before(v);
    std::vector<Fact> facts;
    if (change(i).kind == Store::Change::Kind::hole) {
        facts.push_back({Fact::Kind::gone, v, change(i).low});
    } else {
        if (after.low > earlier.low) facts.push_back({Fact::Kind::low, v, after.low});
        if (after.high < earlier.high) facts.push_back({Fact::Kind::high, v, after.high});
    }
    std::vector<Step> steps;
    for (const Fact& fact : facts) {
        Step& step = steps.emplace_back();
        step.fact = fact;
        step.moved = origin(i).kind == Store::Origin::Kind::move;
        premises_ = &step.premises;
        if (!step.moved) explain(origin(i), fact);
    }
    premises_ = nullptr;
    return steps;
}

Explanation::Step Explanation::step_of_failure() {
    begin();
    Step step;
    premises_ = &step.premises;
    explain_failure();
    premises_ = nullptr;
    return step;
}

}  // namespace zermelo::kernel::trail
