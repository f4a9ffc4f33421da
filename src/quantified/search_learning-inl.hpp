// Learning: why a position is won or lost, as a set of moves.
//
// Conflict-directed and solution-directed backjumping for QCSP (Gent, Nightingale and Stergiou 2005; Bacchus
// and Stergiou 2007), extended to rules. A set of moves is a reason when every position in which they were made,
// and in which everybody has kept the rules so far, has the same winner with the same strategy. A failure is
// explained by the trail (kernel/trail/explanation.hpp), a success by the definitions that it rests on
// (kernel/supports.hpp). Where the winner chooses, the reason of the winning value stays, without the choice
// itself; this is universal reduction (Kleine Büning, Karpinski and Flögel 1995) and its dual. Where the other
// player chooses, the reasons of all values are united: a resolution for each of them. The values that he
// cannot choose are explained, too. When a reason does not contain the choice, it is the same for all values,
// and these need not be tried. At the end of a block, the winner's own rule joins the reason: he must be able
// to keep it.
//
// A position from the table has all moves for a reason that the rest can depend on. So has one that a cut closes:
// in another position the play might have failed before the cut is reached. And lost positions of models with
// cuts depend on all moves, because a cut might have saved ∃ in another position.

#pragma once

#include <algorithm>

#include "quantified/search.hpp"

namespace zermelo::quantified {

template <class K>
concept Explaining = requires(K& kernel, model::VarId v, model::Literal l) {
    { kernel.explains() } -> std::same_as<bool>;
    kernel.why_failed();
    kernel.why_true(l);
    kernel.why_fixed(v);
};

template <kernel::Kernel K>
std::unique_ptr<typename Search<K>::Lesson> Search<K>::prepare_lesson() const {
    if constexpr (Explaining<K>) {
        const bool whole = part_.frontier == nullptr && part_.from.empty();
        // Whoever looks at the tree, or wants algorithm 1, gets it as it is.
        const bool for_the_tree = options_.observer != nullptr || options_.success == Success::assigned;
        if (options_.learning == Learning::automatic && for_the_tree) return nullptr;
        if (options_.learning == Learning::off || !kernel_.explains() || strategic_ || !whole ||
            options_.all_first_moves || options_.check_cuts)
            return nullptr;
        auto lesson = std::make_unique<Lesson>(
            Lesson{{}, {}, kernel::Supports<K>(program_), LearnedSets(program_, options_.learned_sets), {}});
        lesson->reason.resize(program_.moves.size());
        lesson->place.resize(program_.model.variables.size());
        for (std::size_t i = 0; i < program_.moves.size(); ++i) lesson->place[program_.moves[i]] = i;
        return lesson;
    }
    return nullptr;
}

template <kernel::Kernel K>
template <class Variables>
void Search<K>::add_to_reason(const Variables& variables) {
    for (const model::VarId v : variables) lesson_->reason.insert(lesson_->place[v]);
}

template <kernel::Kernel K>
void Search<K>::all_moves_are_reason() {
    lesson_->reason.clear();
    for (const strategy::Move& move : play_) lesson_->reason.insert(lesson_->place[move.variable]);
}

// ---- leaves

template <kernel::Kernel K>
void Search<K>::reason_of_failure(bool won) {
    if (lesson_ == nullptr) return;
    if constexpr (Explaining<K>) {
        if (!won && options_.cuts && !program_.model.cuts.empty()) return all_moves_are_reason();
        lesson_->reason.clear();
        add_to_reason(kernel_.why_failed());
    }
}

// What `is_won` has found, and what was demanded before.
template <kernel::Kernel K>
void Search<K>::reason_of_success(int b) {
    if (lesson_ == nullptr) return;
    lesson_->reason.clear();
    auto& supports = lesson_->supports;
    supports.begin(kernel_, played_);
    for (const int c : program_.structure.winning) supports.add_constraint(c);
    bool to_the_end = true;
    for (int c = b; c < program_.blocks() && to_the_end; ++c) {
        const model::Block& block = program_.block(c);
        if (!block.rule) continue;
        if (block.quantifier == model::Quantifier::exists) {
            supports.add(*block.rule);
        } else if (kernel_.is_false(*block.rule)) {
            supports.add(*block.rule);
            to_the_end = false;
        }
    }
    if (to_the_end) {
        for (const model::Literal l : program_.model.win) supports.add(l);
    }
    add_to_reason(supports.moves());
}

template <kernel::Kernel K>
void Search<K>::reason_of_blocked(int b) {
    if (lesson_ == nullptr) return;
    if constexpr (Explaining<K>) {
        lesson_->reason.clear();
        add_to_reason(kernel_.why_true(!*program_.block(b).rule));
    }
}

// What `is_lost` has found.
template <kernel::Kernel K>
void Search<K>::reason_of_loss(int b) {
    if (lesson_ == nullptr) return;
    if constexpr (Explaining<K>) {
        if (options_.cuts && !program_.model.cuts.empty()) return all_moves_are_reason();
        lesson_->reason.clear();
        for (int c = program_.guard[b]; c < program_.blocks(); ++c) {
            const model::Block& block = program_.block(c);
            if (!block.rule) continue;
            if (block.quantifier == model::Quantifier::forall) {
                add_to_reason(kernel_.why_true(*block.rule));
            } else if (kernel_.is_false(*block.rule)) {
                return add_to_reason(kernel_.why_true(!*block.rule));
            }
        }
        for (const model::Literal l : program_.model.win) {
            if (kernel_.is_false(l)) return add_to_reason(kernel_.why_true(!l));
        }
    }
}

// The same rest has the same winner. What is decided already must not turn against the winner.
template <kernel::Kernel K>
void Search<K>::reason_of_entry(int b, bool won) {
    if (lesson_ == nullptr) return;
    if (!won && options_.cuts && !program_.model.cuts.empty()) return all_moves_are_reason();
    lesson_->reason.clear();
    auto& supports = lesson_->supports;
    add_to_reason(supports.read_after(b));
    supports.begin(kernel_, played_);
    for (const int c : program_.structure.winning) {
        if (won && program_.structure.due[c] < b) supports.add_constraint(c);
    }
    for (const model::Literal l : program_.model.win) {
        if (program_.structure.level[l.variable] < b && kernel_.is_true(l) == won) supports.add(l);
    }
    add_to_reason(supports.moves());
}

// ---- closing

template <kernel::Kernel K>
void Search<K>::add_rule_to_reason(int b, Verdict verdict) {
    if (lesson_ == nullptr || verdict == Verdict::unknown) return;
    const model::Block& block = program_.block(b);
    const Verdict winning = block.quantifier == model::Quantifier::exists ? Verdict::won : Verdict::lost;
    if (!block.rule || verdict != winning) return;
    lesson_->supports.begin(kernel_, played_);
    lesson_->supports.add(*block.rule);
    add_to_reason(lesson_->supports.moves());
}

// The winner has chosen this value.
template <kernel::Kernel K>
void Search<K>::reason_of_move(const Branching& branching) {
    if (lesson_ != nullptr) lesson_->reason.erase(lesson_->place[branching.variable]);
}

// A value of the loser: true if it does not matter which one.
template <kernel::Kernel K>
bool Search<K>::jumps_over(Branching& branching) {
    if (lesson_ == nullptr) return false;
    const std::size_t place = lesson_->place[branching.variable];
    ++lesson_->values;
    if (!lesson_->reason.contains(place)) {
        if (branching.left > 0) {
            ++answer_.statistics.backjumps;
            ++lesson_->jumps;
        }
        return true;
    }
    lesson_->reason.erase(place);
    branching.reason.unite(lesson_->reason);
    if (options_.learning == Learning::automatic) stop_where_it_does_not_pay();
    return false;
}

// A search that has stopped goes on as if it had never learned: reasons are only read by learning itself.
template <kernel::Kernel K>
void Search<K>::stop_where_it_does_not_pay() {
    constexpr int values_between_looks = 256;
    constexpr int values_for_a_jump = 32;
    if (lesson_->values < values_between_looks) return;
    const bool pays = lesson_->jumps * values_for_a_jump >= lesson_->values;
    lesson_->values = lesson_->jumps = 0;
    if (pays) return;
    lesson_.reset();
    if constexpr (Explaining<K>) kernel_.stop_explaining();
}

// All values of the loser.
template <kernel::Kernel K>
void Search<K>::reason_of_values(Branching& branching) {
    if (lesson_ == nullptr) return;
    if constexpr (Explaining<K>) {
        if (!branching.pure.empty()) return all_moves_are_reason();
        auto& gone = lesson_->gone;
        gone.clear();
        for (std::size_t i = 0; i < branching.removed.size(); ++i) {
            if (!kernel_.allows(branching.variable, branching.values[i])) gone.push_back(branching.values[i]);
        }
        lesson_->reason = branching.reason;
        if (!gone.empty()) add_to_reason(kernel_.why_gone(branching.variable, gone));
    }
}

// The only value that is left: true if it does not matter that the loser has no other.
template <kernel::Kernel K>
bool Search<K>::jumps_over_forced(model::VarId variable, bool winner_moves) {
    if (lesson_ == nullptr) return false;
    if constexpr (Explaining<K>) {
        const std::size_t place = lesson_->place[variable];
        if (!lesson_->reason.contains(place)) return !winner_moves;
        lesson_->reason.erase(place);
        if (!winner_moves) add_to_reason(kernel_.why_fixed(variable));
    }
    return false;
}

// Looking ahead has found that a value fails.
template <kernel::Kernel K>
void Search<K>::add_prospect_to_reason(Branching& branching) {
    if (lesson_ == nullptr) return;
    reason_of_failure(!branching.ours);
    lesson_->reason.erase(lesson_->place[branching.variable]);
    branching.reason.unite(lesson_->reason);
}

// ---- learned sets

template <kernel::Kernel K>
std::optional<Outcome> Search<K>::look_up_learned(int b, bool inside) {
    if (lesson_ == nullptr) return std::nullopt;
    const LearnedSets::Set* set = lesson_->learned.find(b, inside);
    if (set == nullptr) return std::nullopt;
    ++answer_.statistics.learned_hits;
    lesson_->reason.clear();
    for (const LearnedSets::Move& move : set->moves) lesson_->reason.insert(move.place);
    return leaf(set->won, set->won ? Reason::good : Reason::nogood, set->node);
}

// A set of all moves would say no more than the position itself.
template <kernel::Kernel K>
void Search<K>::learn(int level, const Outcome& outcome) {
    if (lesson_ == nullptr || options_.learning != Learning::nogoods) return;
    const std::size_t size = lesson_->reason.size();
    if (size == 0 || size >= play_.size()) return;
    lesson_->learned.add(lesson_->reason, outcome.verdict == Verdict::won, level, outcome.node);
    ++answer_.statistics.learned;
    answer_.statistics.learned_moves += size;
}

}  // namespace zermelo::quantified
