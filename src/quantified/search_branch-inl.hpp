// Branching of the search on one variable, and pure values (Nightingale 2009).

#pragma once

#include <algorithm>

#include "quantified/branching.hpp"
#include "quantified/guide/guide.hpp"

namespace zermelo::quantified {

template <kernel::Kernel K>
class Search<K>::Open {
public:
    Open(Search& search, int b, model::VarId v) : search_(search) {
        if (search.open_branchings_ == search.branchings_.size())
            search.branchings_.push_back(std::make_unique<Branching>());
        at_ = search.branchings_[search.open_branchings_++].get();
        at_->begin(b, v, search.program_.block(b).quantifier == model::Quantifier::exists);
        search.ordering_->values(v, at_->values);
        if (search.options_.guide != nullptr) consult(*search.options_.guide, search.play_, v, at_->values);
        for (const model::Value value : at_->values) at_->removed.push_back(!search.kernel_.allows(v, value));
        ++search.answer_.statistics.choices;
        at_->left = std::count(at_->removed.begin(), at_->removed.end(), false);
    }
    ~Open() { --search_.open_branchings_; }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    Branching& operator*() const { return *at_; }

private:
    Search& search_;
    Branching* at_;
};

template <kernel::Kernel K>
Outcome Search<K>::branch(int b, model::VarId variable) {
    if (following()) return follow(b, variable);
    if (kernel_.fixed(variable)) return forced(b, variable);

    const Open open(*this, b, variable);
    Branching& branching = *open;
    if (part_.frontier != nullptr && open_branchings_ == 1) part_.frontier->ours = branching.ours;
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
template <kernel::Kernel K>
std::optional<Outcome> Search<K>::try_value(Branching& branching, model::Value value, bool last,
                                            bool may_defer) {
    const int b = branching.block;
    if (!last) ++answer_.statistics.splits;
    const bool pure_values =
        !branching.ours && options_.pure_values && !program_.block(b).rule && !strategic_;
    if (options_.observer) options_.observer->branch(value);
    const bool look_for_pure = pure_values && !(last && branching.children.empty());
    typename kernel::ResidueReader<K>::Sizes sizes;
    if (look_for_pure) sizes = residues_.sizes_around(branching.variable, kernel_);
    kernel_.push(last);
    play(branching.variable, value);
    may_defer_ = may_defer;
    std::optional<Outcome> outcome;
    if (!look_for_pure) {
        outcome = after_move(b);
    } else if (!kernel_.propagate()) {
        outcome = failed(b);
    } else if (!residues_.satisfied_by(branching.variable, sizes, kernel_)) {
        outcome = inside(b);
    } else {
        ++answer_.statistics.pure;
        leaf(true, Reason::pure);
        branching.pure.push_back(value);
    }
    kernel_.pop();
    may_defer_ = false;
    take_back();
    return outcome;
}

// Notes what a value leads to; an outcome where it decides the branching.
template <kernel::Kernel K>
std::optional<Outcome> Search<K>::take_in(Branching& branching, model::Value value, const Outcome& outcome) {
    const bool ours = branching.ours;
    const bool closes = outcome.verdict == (ours ? Verdict::won : Verdict::lost);
    if (closes) {
        ordering_->reward(branching.variable, value);
        const bool collect_all = ours && branching.block == 0 && options_.all_first_moves;
        if (!collect_all) {
            return Outcome{outcome.verdict, node(branching.variable, value, outcome.node)};
        }
        if (branching.verdict == Verdict::unknown) {
            branching.verdict = outcome.verdict;
            branching.found = node(branching.variable, value, outcome.node);
        }
    } else if (!outcome.legal) {
        if (ours) branching.hopeless.push_back(value);
    } else if (options_.strategy) {
        branching.children.emplace_back(value, outcome.node);
    }
    return std::nullopt;
}

// All values are tried.
template <kernel::Kernel K>
Outcome Search<K>::conclude(Branching& branching) {
    if (branching.some_open) {
        if (branching.verdict != Verdict::unknown) part_.frontier->enough = true;
        return {.open = true};
    }
    if (branching.verdict != Verdict::unknown) return {branching.verdict, branching.found};
    const Verdict verdict = branching.ours ? Verdict::lost : Verdict::won;
    if (!options_.strategy) return {verdict, strategy::decided};
    std::vector<strategy::Edge> edges;
    for (const auto& [value, to] : branching.children) edges.push_back({{value}, to});
    if (!branching.hopeless.empty()) edges.push_back({branching.hopeless, strategy::decided});
    // What answers another value answers a pure one too.
    if (!branching.pure.empty()) {
        auto& values = edges.front().values;
        values.insert(values.end(), branching.pure.begin(), branching.pure.end());
    }
    return {verdict, node(branching.variable, std::move(edges))};
}

// One value is left: no copy, no propagation.
template <kernel::Kernel K>
Outcome Search<K>::forced(int b, model::VarId variable) {
    const model::Value value = kernel_.value(variable);
    const bool ours = program_.block(b).quantifier == model::Quantifier::exists;
    Outcome outcome;
    const auto go_on = [&] {
        if (options_.observer) options_.observer->branch(value);
        pass(variable, value);
        outcome = inside(b);
        take_back();
    };
    if (ours) {
        go_on();
    } else {
        std::vector<model::Value> values;
        ordering_->values(variable, values);
        for (const model::Value v : values) {
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
    if (!options_.strategy) return {outcome.verdict, strategy::decided};
    std::vector<strategy::Edge> edges{{{value}, outcome.node}};
    if (ours && outcome.verdict == Verdict::lost) {
        std::vector<model::Value> others;
        ordering_->values(variable, others);
        std::erase(others, value);
        if (!others.empty()) edges.push_back({std::move(others), strategy::decided});
    }
    return {outcome.verdict, node(variable, std::move(edges))};
}

template <kernel::Kernel K>
void Search<K>::illegal(model::Value value) {
    if (options_.observer) options_.observer->branch(value);
    leaf(true, Reason::rule);
    ++answer_.statistics.illegal;
}

}  // namespace zermelo::quantified
