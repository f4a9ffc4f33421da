// Where branches of the search end: rules, the winning condition, cuts, and failed propagation.
//
// A rule is demanded when its block is reached, so that propagation sees it; a position is closed as soon as
// what is demanded is entailed or violated whatever follows.

#pragma once

#include <algorithm>

#include "quantified/search.hpp"

namespace zermelo::quantified {

// Demands what follows from reaching block b: right after a ∀ block with a rule (or at the start), the rules
// of the ∃ blocks up to the next such block, and the winning condition when there is none.
template <kernel::Kernel K>
bool Search<K>::activate(int b) {
    const auto guarded = [&](int c) { return c >= 0 && program_.guard[c] == c; };
    if (b != 0 && !guarded(b - 1)) return true;
    const int end = program_.guard[b];
    bool demanded = false;
    const auto insist = [&](model::Literal literal) {
        if (kernel_.is_true(literal)) return;
        kernel_.demand(literal);
        demanded = true;
    };
    for (int c = b; c < end; ++c) {
        const model::Block& block = program_.block(c);
        if (block.quantifier == model::Quantifier::exists && block.rule) insist(*block.rule);
    }
    if (end == program_.blocks()) {
        for (const model::Literal literal : program_.model.win) insist(literal);
    }
    return !demanded || kernel_.propagate();
}

// Won whatever follows: walking ahead, a ∀ player without a legal move loses; up to there no ∃ rule may fail,
// and at the end the winning condition must hold.
template <kernel::Kernel K>
bool Search<K>::is_won(int b, bool demands) const {
    if (demands) return false;
    const auto condition_holds = [&] {
        return std::all_of(program_.model.win.begin(), program_.model.win.end(),
                           [&](model::Literal l) { return entailed(program_, kernel_, l); });
    };
    if (strategic_) return condition_holds();
    const int end = program_.guard[b];
    for (int c = end; c < program_.blocks(); ++c) {
        const model::Block& block = program_.block(c);
        if (!block.rule) continue;
        if (block.quantifier == model::Quantifier::forall) {
            if (kernel_.is_false(*block.rule)) return true;
        } else if (!entailed(program_, kernel_, *block.rule)) {
            return false;
        }
    }
    return end == program_.blocks() || condition_holds();
}

// Lost whatever follows, although it is not demanded yet: every ∀ rule on the way is certainly obeyed.
template <kernel::Kernel K>
bool Search<K>::is_lost(int b) const {
    const int end = program_.guard[b];
    for (int c = end; c < program_.blocks(); ++c) {
        const model::Block& block = program_.block(c);
        if (!block.rule) continue;
        if (block.quantifier == model::Quantifier::forall) {
            if (!entailed(program_, kernel_, *block.rule)) return false;
        } else if (kernel_.is_false(*block.rule)) {
            return true;
        }
    }
    return end < program_.blocks() && std::any_of(program_.model.win.begin(), program_.model.win.end(),
                                                  [&](model::Literal l) { return kernel_.is_false(l); });
}

// A cut speaks about a move, and about the play up to it. Propagation may decide its literals much earlier,
// and it may do so because the winning condition demands it rather than because the moves entail it. Theorem
// 1 of Barichard and Stéphan (2017) holds only for a cut that the moves entail, when its move is due; so this
// is when it fires.
template <kernel::Kernel K>
const model::Cut* Search<K>::firing_cut(int b) const {
    if (!options_.cuts || silent_cuts_ > 0) return nullptr;
    for (std::size_t i = 0; i < program_.model.cuts.size(); ++i) {
        const model::Cut& cut = program_.model.cuts[i];
        if (program_.cut_level[i] <= b && kernel_.is_false(cut.claim) &&
            std::all_of(cut.when.begin(), cut.when.end(),
                        [&](model::Literal l) { return kernel_.is_true(l); }) &&
            !pure_values_.demands(kernel_, program_.cut_cone[i])) {
            return &cut;
        }
    }
    return nullptr;
}

// Solves below a cut that fired, with all cuts silent, and remembers it when its claim was wrong.
template <kernel::Kernel K>
Outcome Search<K>::checked_cut(int b, const model::Cut& cut) {
    ++answer_.statistics.cuts;
    ++silent_cuts_;
    kernel_.push();
    const Outcome outcome = enter(b);
    kernel_.pop();
    --silent_cuts_;
    if (outcome.verdict == Verdict::lost) {
        BrokenCut broken{cut.place, {}};
        for (const strategy::Move& move : play_) broken.play.emplace_back(move.variable, move.value);
        answer_.broken_cuts.push_back(std::move(broken));
    }
    return outcome;
}

template <kernel::Kernel K>
Outcome Search<K>::leaf(bool won, Reason reason, strategy::NodeId node) {
    ++answer_.statistics.nodes;
    if (reason == Reason::failure) ++answer_.statistics.failures;
    if (reason == Reason::success) ++answer_.statistics.successes;
    if (options_.observer) options_.observer->leaf(won, reason);
    return {won ? Verdict::won : Verdict::lost, node};
}

// Whoever plays block b has made a move of a strategic model that is not consistent.
template <kernel::Kernel K>
Outcome Search<K>::illegal_move(int b) {
    const bool ours = b < 0 || program_.block(b).quantifier == model::Quantifier::exists;
    if (!ours) ++answer_.statistics.illegal;
    Outcome outcome = leaf(!ours, ours ? Reason::failure : Reason::rule);
    outcome.legal = false;
    return outcome;
}

// Propagation failed in block b. While a ∀ block with a rule is being played, nothing but its rule can fail:
// the move was illegal, and ∃ wins. Otherwise ∃ has lost, perhaps because a value of a later ∀ variable
// refutes it.
template <kernel::Kernel K>
Outcome Search<K>::failed(int b) {
    if (strategic_) return illegal_move(b);
    const bool in_rule = b >= 0 && b < program_.blocks() && program_.guard[b] == b &&
                         std::any_of(program_.block(b).variables.begin(), program_.block(b).variables.end(),
                                     [&](model::VarId v) { return played_[v]; });
    reason_of_failure(in_rule);
    if (in_rule) {
        ++answer_.statistics.illegal;
        return leaf(true, Reason::rule);
    }
    const kernel::Refutation refutation = kernel_.refutation();
    if (refutation.variable < 0) return leaf(false, Reason::failure);
    return leaf(false, Reason::failure, node(refutation.variable, refutation.value, strategy::decided));
}

// Won with every choice inside the current domains: where these are smaller than declared, ∃ must stay
// inside.
template <kernel::Kernel K>
Outcome Search<K>::won_within(int b, Reason reason) {
    strategy::NodeId rest = strategy::decided;
    for (int c = program_.blocks() - 1; c >= b && options_.strategy; --c) {
        const model::Block& block = program_.block(c);
        if (block.quantifier != model::Quantifier::exists) continue;
        for (auto v = block.variables.rbegin(); v != block.variables.rend(); ++v) {
            if (kernel_.size(*v) < program_.domain(*v).size()) {
                rest = node(*v, kernel_.bounds(*v).low, rest);
            }
        }
    }
    return leaf(true, reason, rest);
}

template <kernel::Kernel K>
strategy::NodeId Search<K>::node(model::VarId variable, std::vector<strategy::Edge> edges) {
    if (!options_.strategy || edges.empty()) return strategy::decided;
    return shared_.node(variable, std::move(edges));
}

}  // namespace zermelo::quantified
