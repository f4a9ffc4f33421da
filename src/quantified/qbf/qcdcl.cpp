#include "quantified/qbf/qcdcl.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace zermelo::quantified {

// ------------------------------------------------------------------------------------------ propagation

void Qcdcl::assign(Lit l, ClauseId reason) {
    const std::size_t v = var(l);
    values_[v] = (l & 1) != 0 ? -1 : 1;
    levels_[v] = static_cast<std::uint32_t>(level());
    positions_[v] = static_cast<std::uint32_t>(trail_.size());
    reasons_[v] = reason;
    trail_.push_back(l);
}

// A learned clause all of whose literals of the loser were assumed does not tell how the winner goes on.
bool Qcdcl::conflicting(ClauseId id) {
    const Clause& c = clauses_[id];
    if (!c.learned) return true;
    const Lit* const lits = this->literals(c);
    return std::any_of(lits, lits + c.size, [&](Lit l) { return owns(c.owner, l) && !assumed_[var(l)]; }) ||
           next_block_ == 0;
}

// A pure literal has made a learned clause of its owner unfit for derivations. What was false before is open again
// before the pure literal is, so the watches may stay.
bool Qcdcl::disregarded(const Clause& c) const {
    if (!with_pure_ || !c.learned) return false;
    return std::any_of(arena_.begin() + c.first, arena_.begin() + c.first + c.size,
                       [&](Lit l) { return value(l) < 0 && reasons_[var(l)] == pure && owns(c.owner, l); });
}

Qcdcl::Visit Qcdcl::visit(ClauseId id, Lit falsified, Lit& blocker) {
    const Clause& c = clauses_[id];
    if (c.merged_at < next_block_) return Visit::keep;
    Lit* const lits = this->literals(c);
    if (lits[0] == falsified) std::swap(lits[0], lits[1]);
    if (lits[1] != falsified) return Visit::moved;  // it is watched elsewhere by now
    const Lit other = lits[0];
    if (value(other) > 0) return blocker = other, Visit::keep;
    const bool own_other = owns(c.owner, other) && value(other) == 0;
    // Open literals: the owner's two of the latest blocks, and the opponent's of the earliest.
    std::uint32_t own = 0;
    std::uint32_t second = 0;
    std::uint32_t foreign = 0;
    const auto block = [&](std::uint32_t i) { return block_[var(lits[i])]; };
    for (std::uint32_t i = 2; i < c.size; ++i) {
        const int v = value(lits[i]);
        if (v > 0) return blocker = lits[i], Visit::keep;
        if (v < 0) continue;
        if (!owns(c.owner, lits[i])) {
            if (foreign == 0 || block(i) < block(foreign)) foreign = i;
        } else if (own_other) {
            std::swap(lits[1], lits[i]);
            watch(lits[1], id, other);
            return Visit::moved;
        } else if (own == 0 || block(i) > block(own)) {
            second = own;
            own = i;
        } else {
            second = i;
        }
    }
    if (own_other) {
        if (foreign == 0 || block(foreign) > block_[var(other)]) {
            if (!disregarded(c)) assign(other, id);
            return Visit::keep;
        }
        std::swap(lits[1], lits[foreign]);
        watch(lits[1], id, other);
        return Visit::moved;
    }
    if (own == 0) return conflicting(id) && !disregarded(c) ? Visit::conflict : Visit::keep;
    const bool other_serves = value(other) == 0 && block_[var(other)] < block(own);
    if (!other_serves) {
        const std::uint32_t partner = second != 0                                   ? second
                                      : foreign != 0 && block(foreign) < block(own) ? foreign
                                                                                    : 0;
        if (partner == 0) {
            if (!disregarded(c)) assign(lits[own], id);
            return Visit::keep;
        }
        std::swap(lits[0], lits[partner]);
        watch(lits[0], id, lits[own]);
    }
    std::swap(lits[1], lits[own]);
    watch(lits[1], id, lits[0]);
    return Visit::moved;
}

Qcdcl::ClauseId Qcdcl::propagate() {
    while (head_ < trail_.size()) {
        const Lit falsified = trail_[head_++] ^ 1U;
        ++statistics_.propagations;
        auto& list = watches_[falsified];
        std::size_t kept = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            Watch w = list[i];
            if (value(w.blocker) > 0) {
                list[kept++] = w;
                continue;
            }
            const Visit result = visit(w.clause, falsified, w.blocker);
            if (result != Visit::moved) list[kept++] = w;
            if (result != Visit::conflict) continue;
            for (++i; i < list.size(); ++i) list[kept++] = list[i];
            list.resize(kept);
            return w.clause;
        }
        list.resize(kept);
    }
    return no_clause;
}

void Qcdcl::assign_pure(Lit gone) {
    ++statistics_.pure;
    assign(gone ^ 1U, pure);
}

bool Qcdcl::assign_pure() {
    if (!with_pure_) return false;
    const std::size_t before = trail_.size();
    if (pure_head_ == 0) {
        for (std::size_t v = 0; v < inputs_; ++v) {
            for (const Lit l : {static_cast<Lit>(2 * v), static_cast<Lit>(2 * v + 1)}) {
                if (values_[v] == 0 && !pure_literals_.occurs(l)) assign_pure(l);
            }
        }
    }
    while (pure_head_ < trail_.size()) {
        pure_literals_.satisfied(
            trail_[pure_head_++], [&](Lit l) { return value(l); }, [&](Lit l) { assign_pure(l); });
    }
    return trail_.size() > before;
}

// ------------------------------------------------------------------------------------------ decisions

void Qcdcl::insert(std::size_t variable) {
    if (heap_index_[variable] >= 0) return;
    auto& heap = heaps_[static_cast<std::size_t>(block_[variable])];
    heap.push_back(variable);
    heap_index_[variable] = static_cast<std::int32_t>(heap.size() - 1);
    sift_up(heap, heap.size() - 1);
}

void Qcdcl::sift_up(std::vector<std::size_t>& heap, std::size_t at) {
    const std::size_t moving = heap[at];
    while (at > 0 && before(moving, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        heap_index_[heap[at]] = static_cast<std::int32_t>(at);
        at = (at - 1) / 2;
    }
    heap[at] = moving;
    heap_index_[moving] = static_cast<std::int32_t>(at);
}

void Qcdcl::sift_down(std::vector<std::size_t>& heap, std::size_t at) {
    const std::size_t moving = heap[at];
    while (2 * at + 1 < heap.size()) {
        std::size_t child = 2 * at + 1;
        if (child + 1 < heap.size() && before(heap[child + 1], heap[child])) ++child;
        if (!before(heap[child], moving)) break;
        heap[at] = heap[child];
        heap_index_[heap[at]] = static_cast<std::int32_t>(at);
        at = child;
    }
    heap[at] = moving;
    heap_index_[moving] = static_cast<std::int32_t>(at);
}

void Qcdcl::bump(std::size_t variable) {
    activity_[variable] += step_;
    if (activity_[variable] > 1e100) {
        for (double& a : activity_) a *= 1e-100;
        step_ *= 1e-100;
    }
    if (heap_index_[variable] >= 0)
        sift_up(heaps_[static_cast<std::size_t>(block_[variable])],
                static_cast<std::size_t>(heap_index_[variable]));
}

void Qcdcl::decide() {
    for (auto& heap : heaps_) {
        while (!heap.empty()) {
            const std::size_t v = heap.front();
            heap_index_[v] = -1;
            heap.front() = heap.back();
            heap.pop_back();
            if (!heap.empty() && heap.front() != v) sift_down(heap, 0);
            if (values_[v] != 0) continue;
            ++statistics_.decisions;
            level_starts_.push_back(trail_.size());
            assign(static_cast<Lit>(2 * v + (phase_[v] ? 0 : 1)), no_clause);
            return;
        }
    }
    throw std::logic_error("a full assignment satisfies a formula and its negation");
}

void Qcdcl::undo(std::size_t to) {
    if (level() <= to) return;
    const std::size_t from = level_starts_[to];
    for (std::size_t i = trail_.size(); i-- > from;) {
        const std::size_t v = var(trail_[i]);
        phase_[v] = values_[v] > 0;
        values_[v] = 0;
        if (v < inputs_) insert(v);
    }
    trail_.resize(from);
    level_starts_.resize(to);
    head_ = from;
    pure_head_ = std::min(pure_head_, from);
}

// Everything, what was assumed and its consequences included.
void Qcdcl::undo_all() {
    level_starts_.insert(level_starts_.begin(), 0);
    undo(0);
}

Qcdcl::ClauseId Qcdcl::start(const std::vector<Signal>& assumptions) {
    undo_all();
    assumed_.assign(assumed_.size(), false);
    next_block_ = 0;
    for (const Signal s : assumptions) {
        const Lit l = static_cast<Lit>(2 * (std::abs(s) - 1) + (s < 0 ? 1 : 0));
        assumed_[var(l)] = true;
        next_block_ = std::max(next_block_, block_[var(l)] + 1);
        assign(l, no_clause);
    }
    for (const ClauseId id : units_) {
        const Clause& c = clauses_[id];
        if (c.merged_at < next_block_) continue;
        const Lit* const lits = this->literals(c);
        if (std::any_of(lits, lits + c.size, [&](Lit l) { return value(l) > 0; })) continue;
        const bool open = c.size > 0 && owns(c.owner, lits[0]) && value(lits[0]) == 0;
        if (open) assign(lits[0], id);
        if (!open && conflicting(id)) return id;
    }
    return propagate();
}

// ------------------------------------------------------------------------------------------ learning

void Qcdcl::add_literal(Lit l) {
    if (place_[l] >= 0) return;
    place_[l] = static_cast<std::int32_t>(derived_.size());
    derived_.push_back(l);
    if (var(l) < inputs_) bump(var(l));
}

void Qcdcl::drop_literal(Lit l) {
    const Lit last = derived_.back();
    derived_[static_cast<std::size_t>(place_[l])] = last;
    place_[last] = place_[l];
    derived_.pop_back();
    place_[l] = -1;
}

// The opponent's literals behind all of the owner's.
void Qcdcl::reduce() {
    int latest = -1;
    for (const Lit l : derived_) {
        if (owns(loser_, l)) latest = std::max(latest, block_[var(l)]);
    }
    for (std::size_t i = derived_.size(); i-- > 0;) {
        const Lit l = derived_[i];
        if (!owns(loser_, l) && block_[var(l)] > latest) drop_literal(l);
    }
}

void Qcdcl::resolve(Lit pivot, ClauseId reason) {
    bump_clause(reason);
    drop_literal(pivot);
    const Clause& c = clauses_[reason];
    merged_at_ = std::min(merged_at_, c.merged_at);
    for (std::uint32_t i = 0; i < c.size; ++i) {
        const Lit l = arena_[c.first + i];
        if (l == (pivot ^ 1U)) continue;
        if (place_[l ^ 1U] >= 0) merged_at_ = std::min(merged_at_, block_[var(pivot)]);
        add_literal(l);
    }
}

// Is there one literal of the loser at this level, the highest, that the others imply at a lower one?
bool Qcdcl::asserting(std::size_t most) {
    const Lit decision = trail_[level_starts_[most - 1]];
    if (!owns(loser_, decision)) return false;
    asserted_ = no_literal;
    for (const Lit l : derived_) {
        if (!owns(loser_, l) || levels_[var(l)] != most) continue;
        if (asserted_ != no_literal) return false;
        asserted_ = l;
    }
    back_ = 0;
    for (const Lit l : derived_) {
        if (l == asserted_) continue;
        const bool own = owns(loser_, l);
        if (!own && block_[var(l)] > block_[var(asserted_)]) continue;
        if (!own && (value(l) >= 0 || levels_[var(l)] >= most)) return false;
        back_ = std::max<std::size_t>(back_, levels_[var(l)]);
    }
    return true;
}

bool Qcdcl::analyse(ClauseId conflict) {
    loser_ = clauses_[conflict].owner;
    ++(loser_ ? statistics_.solutions : statistics_.conflicts);
    for (const Lit l : derived_) place_[l] = -1;
    derived_.clear();
    bump_clause(conflict);
    merged_at_ = clauses_[conflict].merged_at;
    for (std::uint32_t i = 0; i < clauses_[conflict].size; ++i)
        add_literal(arena_[clauses_[conflict].first + i]);
    std::size_t at = trail_.size();
    while (true) {
        std::size_t most = 0;
        bool implied = false;
        for (const Lit l : derived_) {
            if (!owns(loser_, l)) continue;
            most = std::max<std::size_t>(most, levels_[var(l)]);
            implied = implied || reasons_[var(l)] != no_clause;
        }
        if (most == 0 && !implied) return false;
        reduce();
        if (most > 0 && asserting(most)) return true;
        Lit pivot = no_literal;
        while (pivot == no_literal && at > 0) {
            const Lit l = trail_[--at] ^ 1U;
            if (place_[l] >= 0 && owns(loser_, l)) pivot = l;
        }
        if (pivot == no_literal || reasons_[var(pivot)] == no_clause)
            throw std::logic_error("a conflict whose reasons end before it can be learned from");
        resolve(pivot, reasons_[var(pivot)]);
    }
}

void Qcdcl::learn() {
    undo(back_);
    // Watched: the literal that is asserted, and the last of those that imply it.
    std::vector<Lit> lits = derived_;
    std::iter_swap(lits.begin(), std::ranges::find(lits, asserted_));
    std::size_t partner = 0;
    for (std::size_t i = 1; i < lits.size(); ++i) {
        const bool serves = owns(loser_, lits[i]) || block_[var(lits[i])] < block_[var(asserted_)];
        if (serves && (partner == 0 || levels_[var(lits[i])] > levels_[var(lits[partner])])) partner = i;
    }
    if (partner != 0) std::swap(lits[1], lits[partner]);
    const ClauseId id = add_clause(loser_, lits, true);
    clauses_[id].merged_at = merged_at_;
    ++learned_;
    if (partner == 0) {
        units_.push_back(id);
    } else {
        watch(lits[0], id, lits[1]);
        watch(lits[1], id, lits[0]);
    }
    assign(lits[0], id);
    step_ /= 0.95;
    clause_step_ /= 0.999F;
}

// The loser is false under what was assumed: its literals are all assumed, and the winner makes its own false.
Qcdcl::Result Qcdcl::finish() const {
    Result result;
    result.truth = loser_;
    for (const Lit l : derived_) {
        const Signal s = static_cast<int>(var(l)) + 1;
        const Signal opposite = (l & 1) != 0 ? s : -s;
        if (assumed_[var(l)]) {
            result.reason.push_back(opposite);
        } else if (block_[var(l)] == next_block_ && !owns(loser_, l)) {
            result.moves.push_back(opposite);
        }
    }
    return result;
}

// Restarts after the sequence of Luby, Sinclair and Zuckerman (1993), in units of 64 conflicts.
Qcdcl::Result Qcdcl::solve(const std::vector<Signal>& assumptions) {
    const auto luby = [](std::uint64_t i) {
        std::uint64_t size = 1;
        std::uint64_t power = 0;
        for (; size < i + 1; size = 2 * size + 1) ++power;
        while (size - 1 != i) {
            size = (size - 1) / 2;
            --power;
            i %= size;
        }
        return std::uint64_t{1} << power;
    };
    std::uint64_t runs = 0;
    std::uint64_t left = 64;
    ClauseId conflict = start(assumptions);
    while (true) {
        if (conflict == no_clause && assign_pure()) {
            // Propagated below.
        } else if (conflict == no_clause) {
            if (left == 0) {
                ++statistics_.restarts;
                left = 64 * luby(++runs);
                undo(0);
            }
            if (learned_ > most_learned_) forget();
            decide();
        } else {
            if (!analyse(conflict)) return finish();
            learn();
            left -= left > 0 ? 1 : 0;
            if (limits_.reached() != Stop::none) return {};
        }
        conflict = propagate();
    }
}

}  // namespace zermelo::quantified
