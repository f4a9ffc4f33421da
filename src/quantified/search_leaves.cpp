// Where branches of the search end: rules, the winning condition, cuts, and failed propagation.
//
// A rule is demanded when its block is reached, so that propagation sees it; a position is closed as soon as
// what is demanded is entailed or violated whatever follows.

#include <algorithm>

#include "quantified/search.hpp"

namespace zermelo::quantified {

// Demands what follows from reaching block b: right after a ∀ block with a rule (or at the start), the rules
// of the ∃ blocks up to the next such block, and the winning condition when there is none.
bool Search::activate(kernel::Position& position, int b) {
    const auto guarded = [&](int c) { return c >= 0 && program_.guard[c] == c; };
    if (b != 0 && !guarded(b - 1)) return true;
    const int end = program_.guard[b];
    bool demanded = false;
    const auto insist = [&](model::Literal literal) {
        if (position.is_true(literal)) return;
        demand(position, literal);
        demanded = true;
    };
    for (int c = b; c < end; ++c) {
        const model::Block& block = program_.block(c);
        if (block.quantifier == model::Quantifier::exists && block.rule) insist(*block.rule);
    }
    if (end == program_.blocks()) {
        for (const model::Literal literal : program_.model.win) insist(literal);
    }
    return !demanded || propagate(position);
}

// Won whatever follows: walking ahead, a ∀ player without a legal move loses; up to there no ∃ rule may fail,
// and at the end the winning condition must hold.
bool Search::is_won(const kernel::Position& position, int b, bool demands) const {
    if (demands) return false;
    const auto condition_holds = [&] {
        return std::all_of(program_.model.win.begin(), program_.model.win.end(),
                           [&](model::Literal l) { return position.is_true(l); });
    };
    if (strategic_) return condition_holds();
    const int end = program_.guard[b];
    for (int c = end; c < program_.blocks(); ++c) {
        const model::Block& block = program_.block(c);
        if (!block.rule) continue;
        if (block.quantifier == model::Quantifier::forall) {
            if (position.is_false(*block.rule)) return true;
        } else if (!position.is_true(*block.rule)) {
            return false;
        }
    }
    return end == program_.blocks() || condition_holds();
}

// Lost whatever follows, although it is not demanded yet: every ∀ rule on the way is certainly obeyed.
bool Search::is_lost(const kernel::Position& position, int b) const {
    const int end = program_.guard[b];
    for (int c = end; c < program_.blocks(); ++c) {
        const model::Block& block = program_.block(c);
        if (!block.rule) continue;
        if (block.quantifier == model::Quantifier::forall) {
            if (!position.is_true(*block.rule)) return false;
        } else if (position.is_false(*block.rule)) {
            return true;
        }
    }
    return end < program_.blocks() && std::any_of(program_.model.win.begin(), program_.model.win.end(),
                                                  [&](model::Literal l) { return position.is_false(l); });
}

// A cut speaks about a move, and about the play up to it. Propagation may decide its literals much earlier,
// and it may do so because the winning condition demands it rather than because the moves entail it. Theorem
// 1 of Barichard and Stéphan (2017) holds only for a cut that the moves entail, when its move is due; so this
// is when it fires.
const model::Cut* Search::firing_cut(const kernel::Position& position, int b) const {
    if (!options_.cuts || silent_cuts_ > 0) return nullptr;
    for (std::size_t i = 0; i < program_.model.cuts.size(); ++i) {
        const model::Cut& cut = program_.model.cuts[i];
        if (program_.cut_level[i] <= b && position.is_false(cut.claim) &&
            std::all_of(cut.when.begin(), cut.when.end(),
                        [&](model::Literal l) { return position.is_true(l); }) &&
            !residues_.demands(position, program_.cut_cone[i])) {
            return &cut;
        }
    }
    return nullptr;
}

// Solves below a cut that fired, with all cuts silent, and remembers it when its claim was wrong.
Search::Outcome Search::checked_cut(PositionPtr position, int b, const model::Cut& cut) {
    ++answer_.statistics.cuts;
    ++silent_cuts_;
    const Outcome outcome = enter(std::move(position), b);
    --silent_cuts_;
    if (outcome.verdict == Verdict::lost) {
        BrokenCut broken{cut.place, {}};
        for (const strategy::Move& move : play_) broken.play.emplace_back(move.variable, move.value);
        answer_.broken_cuts.push_back(std::move(broken));
    }
    return outcome;
}

Search::Outcome Search::leaf(bool won, Reason reason, strategy::NodeId node) {
    ++answer_.statistics.nodes;
    if (reason == Reason::failure) ++answer_.statistics.failures;
    if (reason == Reason::success) ++answer_.statistics.successes;
    if (options_.observer) options_.observer->leaf(won, reason);
    return {won ? Verdict::won : Verdict::lost, node};
}

// Whoever plays block b has made a move of a strategic model that is not consistent.
Search::Outcome Search::illegal_move(int b) {
    const bool ours = b < 0 || program_.block(b).quantifier == model::Quantifier::exists;
    if (!ours) ++answer_.statistics.illegal;
    Outcome outcome = leaf(!ours, ours ? Reason::failure : Reason::rule);
    outcome.legal = false;
    return outcome;
}

// Propagation failed in block b. While a ∀ block with a rule is being played, nothing but its rule can fail:
// the move was illegal, and ∃ wins. Otherwise ∃ has lost, perhaps because a value of a later ∀ variable
// refutes it.
Search::Outcome Search::failed(const kernel::Position& position, int b) {
    if (strategic_) return illegal_move(b);
    const bool in_rule = b >= 0 && b < program_.blocks() && program_.guard[b] == b &&
                         std::any_of(program_.block(b).variables.begin(), program_.block(b).variables.end(),
                                     [&](model::VarId v) { return played_[v]; });
    if (in_rule) {
        ++answer_.statistics.illegal;
        return leaf(true, Reason::rule);
    }
    const kernel::Refutation& refutation = position.refutation();
    if (refutation.variable < 0) return leaf(false, Reason::failure);
    return leaf(false, Reason::failure,
                node(refutation.variable, {strategy::Edge{{refutation.value}, strategy::decided}}));
}

// Won with every choice inside the current domains: where these are smaller than declared, ∃ must stay
// inside.
Search::Outcome Search::won_within(const kernel::Position& position, int b, Reason reason) {
    strategy::NodeId rest = strategy::decided;
    for (int c = program_.blocks() - 1; c >= b && options_.strategy; --c) {
        const model::Block& block = program_.block(c);
        if (block.quantifier != model::Quantifier::exists) continue;
        for (auto v = block.variables.rbegin(); v != block.variables.rend(); ++v) {
            if (position.size(*v) < program_.domain(*v).size()) {
                rest = node(*v, {strategy::Edge{{position.bounds(*v).low}, rest}});
            }
        }
    }
    return leaf(true, reason, rest);
}

strategy::NodeId Search::node(model::VarId variable, std::vector<strategy::Edge> edges) {
    if (!options_.strategy || edges.empty()) return strategy::decided;
    return shared_.node(variable, std::move(edges));
}

}  // namespace zermelo::quantified
