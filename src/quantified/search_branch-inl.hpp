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
        if (search.lesson_ != nullptr) at_->reason.resize(search.program_.moves.size());
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
    if (pays_to_look_ahead(branching)) look_ahead(branching);
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
        // What was unknown when the search looked ahead may have been solved behind another value.
        std::optional<Outcome> outcome;
        if (i < branching.prospects.size() && branching.prospects[i].residue)
            outcome = known_behind(value, *branching.prospects[i].residue, last);
        if (!outcome) outcome = try_value(branching, value, last, i < first_round && !last);
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

// Looking ahead costs a propagation for each value, so it pays only where much is below: in blocks whose
// branchings have had many nodes of late, or where none is finished yet.
template <kernel::Kernel K>
bool Search<K>::pays_to_look_ahead(const Branching& branching) const {
    constexpr double nodes_for_a_value = 16;
    const TreeSize& usual = usual_size_[static_cast<std::size_t>(branching.block)];
    return options_.guide == nullptr && !strategic_ &&
           ordering_->looks_ahead(branching.variable, branching.left) &&
           (usual.seen == 0 || usual.nodes >= nodes_for_a_value * static_cast<double>(branching.left));
}

// Orders the values by what propagation does to them one move ahead. First comes the value that leaves the next
// player the fewest replies, as in proof-number search (Allis 1994); among equals, the one with the greatest
// impact (Refalo 2004), here the number of constraints that it settles relative to the average. The usual order
// counts half as much: its first value is half an average impact ahead of its last. A value behind which the
// table knows the verdict goes before all others if it decides the branching, and behind them if it does not
// (enhanced transposition cutoffs, Schaeffer and Plaat 1996).
template <kernel::Kernel K>
void Search<K>::look_ahead(Branching& branching) {
    if (branching.block + 1 >= program_.blocks()) return;
    const bool guarded = !branching.ours && program_.block(branching.block).rule;
    double impacts = 0;
    for (std::size_t i = 0; i < branching.values.size(); ++i) {
        Branching::Prospect prospect{0, 0, branching.values[i], branching.removed[i], {}, {}};
        if (!prospect.removed) {
            kernel_.push();
            kernel_.play(branching.variable, prospect.value);
            if (kernel_.propagate()) {
                look_behind(branching, prospect);
                impacts += static_cast<double>(prospect.impact);
            } else {
                // For ∀ without a rule, and for ∃ where ∀ has a refutation, this is for `failed` to say.
                prospect.removed = guarded || (branching.ours && kernel_.refutation().variable < 0);
                if (prospect.removed) {
                    --branching.left;
                    add_prospect_to_reason(branching);
                }
            }
            kernel_.pop();
        }
        branching.prospects.push_back(prospect);
    }
    const auto last = static_cast<double>(branching.values.size() - 1);
    const double average = impacts / static_cast<double>(std::max<std::ptrdiff_t>(branching.left, 1));
    constexpr double reply = 16;         // weighs more than any usual difference of impacts
    constexpr double verdict = 1 << 20;  // and this more than any number of replies
    for (std::size_t i = 0; i < branching.prospects.size(); ++i) {
        Branching::Prospect& prospect = branching.prospects[i];
        prospect.score = reply * prospect.score + static_cast<double>(i) / (2 * last) -
                         static_cast<double>(prospect.impact) / std::max(average, 1.0);
        if (prospect.closes) prospect.score += *prospect.closes ? -verdict : verdict;
    }
    std::stable_sort(branching.prospects.begin(), branching.prospects.end(),
                     [](const auto& x, const auto& y) { return x.score < y.score; });
    for (std::size_t i = 0; i < branching.prospects.size(); ++i) {
        branching.values[i] = branching.prospects[i].value;
        branching.removed[i] = branching.prospects[i].removed;
    }
}

// The value of the prospect is played and propagated: how many replies are there, and is the verdict known?
template <kernel::Kernel K>
void Search<K>::look_behind(const Branching& branching, Branching::Prospect& prospect) {
    const int next = branching.block + 1;
    const auto& own = program_.block(branching.block).variables;
    if (!std::all_of(own.begin(), own.end(), [&](model::VarId v) { return played_[v]; })) return;
    if (!activate(next) || !demand_rule(next)) return;  // no reply
    prospect.score = static_cast<double>(kernel_.size(program_.block(next).variables.front()));
    if (!options_.goods || silent_cuts_ > 0 || part_.frontier != nullptr || forced_block(next)) return;
    const kernel::Residue residue = residues_.read(kernel_, next);
    prospect.impact = residues_.closed();
    if (options_.cutoffs) {
        // All first moves are played, so that they are listed.
        if (branching.block > 0 || !options_.all_first_moves) prospect.residue = residue;
        if (const auto entry = shared_.goods.find(residue.key))
            prospect.closes = (entry->known == Goods::Known::won) == branching.ours;
    }
    residues_.back();
}

// What the table knows of the position behind a value, without going there. What learns has to go there, to see
// which moves the entry depends on.
template <kernel::Kernel K>
std::optional<Outcome> Search<K>::known_behind(model::Value value, const kernel::Residue& residue,
                                               bool last) {
    if (lesson_ != nullptr || !shared_.goods.find(residue.key)) return std::nullopt;
    if (!last) ++answer_.statistics.splits;
    if (options_.observer) options_.observer->branch(value);
    return look_up(residue);
}

// Plays the value and solves what follows; nothing if the value is pure. A universal value is pure when it
// satisfies every constraint that its variable takes part in, whatever the others do: ∀ gains nothing by it
// as long as there is another value.
template <kernel::Kernel K>
std::optional<Outcome> Search<K>::try_value(Branching& branching, model::Value value, bool last,
                                            bool may_defer) {
    const int b = branching.block;
    if (!last) ++answer_.statistics.splits;
    const bool wanted =
        options_.pure_values.value_or(lesson_ == nullptr && options_.success == Success::entailed);
    const bool pure_values = wanted && !branching.ours && !program_.block(b).rule && !strategic_;
    if (options_.observer) options_.observer->branch(value);
    const bool look_for_pure = pure_values && !(last && branching.children.empty());
    typename kernel::PureValues<K>::Sizes sizes;
    if (look_for_pure) sizes = pure_values_.sizes_around(branching.variable, kernel_);
    kernel_.push(last);
    play(branching.variable, value);
    may_defer_ = may_defer;
    std::optional<Outcome> outcome = look_up_learned(b, true);
    if (outcome) {
        // Nothing more to do.
    } else if (!look_for_pure) {
        outcome = after_move(b);
    } else if (!kernel_.propagate()) {
        outcome = failed(b);
    } else if (!pure_values_.satisfied_by(branching.variable, sizes, kernel_)) {
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
        reason_of_move(branching);
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
    } else if (jumps_over(branching)) {
        return outcome;
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
    reason_of_values(branching);
    const Verdict verdict = branching.ours ? Verdict::lost : Verdict::won;
    const auto learned = [&](const Outcome& outcome) {
        learn(branching.block + 1, outcome);
        return outcome;
    };
    if (!options_.strategy) return learned({verdict, strategy::decided});
    std::vector<strategy::Edge> edges;
    for (const auto& [value, to] : branching.children) edges.push_back({{value}, to});
    if (!branching.hopeless.empty()) edges.push_back({branching.hopeless, strategy::decided});
    // What answers another value answers a pure one too.
    if (!branching.pure.empty()) {
        auto& values = edges.front().values;
        values.insert(values.end(), branching.pure.begin(), branching.pure.end());
    }
    return learned({verdict, node(branching.variable, std::move(edges))});
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
    if (jumps_over_forced(variable, ours == (outcome.verdict == Verdict::won))) return outcome;
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
