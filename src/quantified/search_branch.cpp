// Branching of the search: copying and recomputation (Schulte 1999), and pure values (Nightingale 2009).

#include <algorithm>

#include "quantified/branching.hpp"
#include "quantified/guide/guide.hpp"

namespace zermelo::quantified {

Search::Branching::Branching(Search& s, PositionPtr p, int b, model::VarId v)
    : search(s),
      block(b),
      variable(v),
      ours(s.program_.block(b).quantifier == model::Quantifier::exists),
      position(std::move(p)),
      values(s.ordering_->values(v)) {
    if (search.options_.guide != nullptr) consult(*search.options_.guide, search.play_, variable, values);
    for (const model::Value value : values) removed.push_back(!position->allows(variable, value));
    left = std::count(removed.begin(), removed.end(), false);

    const auto& kept = search.checkpoints_;
    checkpoint = kept.empty() ||
                 search.depth_ - kept.back().depth >= static_cast<std::size_t>(search.options_.recompute);
    if (checkpoint) search.checkpoints_.push_back({std::move(position), search.steps_.size(), search.depth_});
    search.branchings_.push_back(this);
}

Search::PositionPtr Search::Branching::take(bool last) {
    if (position) return std::move(position);
    Checkpoint& from = search.checkpoints_.back();
    if (last && search.options_.recompute == 1) return std::move(from.position);
    ++search.answer_.statistics.copies;
    PositionPtr fresh(from.position->fork());
    for (std::size_t i = from.steps; i < search.steps_.size(); ++i) search.apply(*fresh, search.steps_[i]);
    return fresh;
}

Search::Outcome Search::branch(PositionPtr position, int b, model::VarId variable) {
    if (following()) return follow(std::move(position), b, variable);
    if (position->fixed(variable)) return forced(std::move(position), b, variable);

    Branching branching(*this, std::move(position), b, variable);
    if (part_.frontier != nullptr && branchings_.size() == 1) part_.frontier->ours = branching.ours;
    // Values that are deferred come once more behind the others.
    std::vector<model::Value>& values = branching.values;
    const std::size_t first_round = values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const model::Value value = values[i];
        if (i < first_round && branching.removed[i]) {
            if (branching.ours) {
                branching.hopeless.push_back(value);
            } else {
                illegal(value);
            }
            continue;
        }
        const bool last = --branching.left == 0;
        const auto outcome = try_value(branching, value, last, i < first_round && !last);
        if (!outcome) continue;  // pure
        if (outcome->deferred) {
            values.push_back(value);
            ++branching.left;
            continue;
        }
        if (outcome->open) {
            branching.some_open = true;
            continue;
        }
        if (outcome->verdict == Verdict::unknown) return {};
        if (const auto closed = take_in(branching, value, *outcome)) return *closed;
    }
    return conclude(branching);
}

// Plays the value and solves what follows; nothing if the value is pure. A universal value is pure when it
// satisfies every constraint that its variable takes part in, whatever the others do: ∀ gains nothing by it
// as long as there is another value.
std::optional<Search::Outcome> Search::try_value(Branching& branching, model::Value value, bool last,
                                                 bool may_defer) {
    const int b = branching.block;
    const bool pure_values =
        !branching.ours && options_.pure_values && !program_.block(b).rule && !strategic_;
    if (options_.observer) options_.observer->branch(value);
    PositionPtr child = branching.take(last);
    const kernel::Position* parent =
        pure_values && branching.checkpoint ? checkpoints_.back().position.get() : nullptr;
    play(*child, branching.variable, value);
    may_defer_ = may_defer;
    Outcome outcome;
    if (parent != nullptr && !(last && branching.edges.empty())) {
        if (!propagate(*child)) {
            outcome = failed(*child, b);
        } else if (residues_.satisfied_by(branching.variable, *parent, *child)) {
            ++answer_.statistics.pure;
            leaf(true, Reason::pure);
            branching.pure.push_back(value);
            take_back();
            return std::nullopt;
        } else {
            outcome = inside(std::move(child), b);
        }
    } else {
        outcome = after_move(std::move(child), b);
    }
    may_defer_ = false;
    take_back();
    return outcome;
}

// Notes what a value leads to; an outcome where it decides the branching.
std::optional<Search::Outcome> Search::take_in(Branching& branching, model::Value value,
                                               const Outcome& outcome) {
    const bool ours = branching.ours;
    const bool closes = outcome.verdict == (ours ? Verdict::won : Verdict::lost);
    if (closes) {
        ordering_->reward(branching.variable, value);
        const bool collect_all = ours && branching.block == 0 && options_.all_first_moves;
        if (!collect_all) {
            return Outcome{outcome.verdict,
                           node(branching.variable, {strategy::Edge{{value}, outcome.node}})};
        }
        if (branching.verdict == Verdict::unknown) {
            branching.verdict = outcome.verdict;
            branching.found = node(branching.variable, {strategy::Edge{{value}, outcome.node}});
        }
    } else if (!outcome.legal) {
        if (ours) branching.hopeless.push_back(value);
    } else if (options_.strategy) {
        branching.edges.push_back({{value}, outcome.node});
    }
    return std::nullopt;
}

// All values are tried.
Search::Outcome Search::conclude(Branching& branching) {
    if (branching.some_open) {
        if (branching.verdict != Verdict::unknown) part_.frontier->enough = true;
        return {.open = true};
    }
    if (branching.verdict != Verdict::unknown) return {branching.verdict, branching.found};
    if (options_.strategy) {
        if (!branching.hopeless.empty()) branching.edges.push_back({branching.hopeless, strategy::decided});
        // What answers another value answers a pure one too.
        if (!branching.pure.empty())
            branching.edges.front().values.insert(branching.edges.front().values.end(),
                                                  branching.pure.begin(), branching.pure.end());
    }
    return {branching.ours ? Verdict::lost : Verdict::won, node(branching.variable, branching.edges)};
}

// One value is left: no copy, no propagation.
Search::Outcome Search::forced(PositionPtr position, int b, model::VarId variable) {
    const model::Value value = position->value(variable);
    const bool ours = program_.block(b).quantifier == model::Quantifier::exists;
    Outcome outcome;
    const auto go_on = [&] {
        if (options_.observer) options_.observer->branch(value);
        pass(variable, value);
        outcome = inside(std::move(position), b);
        take_back();
    };
    if (ours) {
        go_on();
    } else {
        for (const model::Value v : ordering_->values(variable)) {
            if (v != value) {
                illegal(v);
                continue;
            }
            go_on();
            if (outcome.verdict != Verdict::won) break;
        }
    }
    if (outcome.verdict == Verdict::unknown) return {.deferred = outcome.deferred, .open = outcome.open};
    if (!outcome.legal && !ours) return {Verdict::won, strategy::decided};
    std::vector<strategy::Edge> edges{{{value}, outcome.node}};
    if (ours && outcome.verdict == Verdict::lost && options_.strategy) {
        std::vector<model::Value> others = ordering_->values(variable);
        std::erase(others, value);
        if (!others.empty()) edges.push_back({std::move(others), strategy::decided});
    }
    return {outcome.verdict, node(variable, std::move(edges))};
}

void Search::illegal(model::Value value) {
    if (options_.observer) options_.observer->branch(value);
    leaf(true, Reason::rule);
    ++answer_.statistics.illegal;
}

}  // namespace zermelo::quantified
