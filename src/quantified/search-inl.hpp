// Definitions of Search: its way through blocks and moves. Instantiated for each kernel in search_*.cpp.

#pragma once

#include "quantified/search.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "quantified/branching.hpp"
#include "quantified/guide/guide.hpp"
#include "quantified/search_branch-inl.hpp"
#include "quantified/search_frontier-inl.hpp"
#include "quantified/search_learning-inl.hpp"
#include "quantified/search_leaves-inl.hpp"

namespace zermelo::quantified {

template <kernel::Kernel K>
Search<K>::Search(const kernel::Program& program, const SolveOptions& options, SharedSearchState& shared,
                  Part<K> part)
    : program_(program),
      options_(options),
      shared_(shared),
      part_(std::move(part)),
      limits_(options.limits),
      strategic_(program.model.strategic),
      ordering_(part_.ordering ? part_.ordering : std::make_shared<Ordering>(program, options)),
      own_kernel_(
          part_.kernel != nullptr
              ? nullptr
              : std::make_unique<K>(
                    program, kernel::KernelOptions{options.recompute, options.learning != Learning::off})),
      kernel_(part_.kernel != nullptr ? *part_.kernel : *own_kernel_),
      before_(kernel_.statistics()),
      residues_(program, shared.renamings),
      pure_values_(program),
      lesson_(prepare_lesson()),
      collect_at_(options.strategy_nodes),
      usual_size_(static_cast<std::size_t>(program.blocks())),
      played_(program.model.variables.size(), false),
      next_progress_(Clock::now() + between_progress()) {
    if constexpr (Explaining<K>) {
        if (lesson_ == nullptr) kernel_.stop_explaining();
    }
}

template <kernel::Kernel K>
Answer Search<K>::run() {
    if (own_kernel_ == nullptr) kernel_.push();
    const Outcome outcome =
        kernel_.propagate() ? enter(0) : failed(strategic_ && program_.blocks() > 0 ? 0 : -1);
    if (own_kernel_ == nullptr) kernel_.pop();
    answer_.verdict = outcome.verdict;
    answer_.stop = stop_;
    add_up_statistics();
    if (options_.strategy && outcome.verdict != Verdict::unknown) {
        const bool won = outcome.verdict == Verdict::won;
        answer_.strategy =
            shared_.extract(outcome.node, won ? model::Quantifier::exists : model::Quantifier::forall);
    }
    return std::move(answer_);
}

template <kernel::Kernel K>
void Search<K>::add_up_statistics() {
    const kernel::KernelStatistics now = kernel_.statistics();
    SearchStatistics& statistics = answer_.statistics;
    statistics.propagations = now.propagations - before_.propagations;
    statistics.copies = now.copies - before_.copies;
    statistics.foreign = now.foreign;
    statistics.by_values = now.by_values - before_.by_values;
    statistics.by_search = now.by_search - before_.by_search;
    statistics.nested_nodes = now.nested_nodes - before_.nested_nodes;
}

// ---- blocks and moves

template <kernel::Kernel K>
Outcome Search<K>::enter(int b) {
    const bool may_defer = std::exchange(may_defer_, false);
    if (stopped()) return {};
    const std::pair block_before(block_name_, moves_before_block_);
    bool has_read = false;
    const auto done = [&](Outcome outcome) {
        std::tie(block_name_, moves_before_block_) = block_before;
        if (has_read) residues_.back();
        return outcome;
    };
    if (const auto known = look_up_learned(b, false)) return done(*known);
    if (!strategic_) {
        if (const auto closed = closed_before_table(b)) return done(*closed);
    }

    kernel::Residue residue;
    const bool first_moves = b == 0 && options_.all_first_moves;
    const bool named = options_.goods && b > 0 && silent_cuts_ == 0;
    // What the table knows is not known at the frontier, where the answers of all parts come together.
    const bool look = named && part_.frontier == nullptr;
    const bool early =
        options_.success == Success::entailed && !first_moves && (strategic_ || is_won(b, false));
    if (look && !early && !strategic_ && !following()) {
        // Whoever has one move left makes it: the position after it is the one to look up.
        if (!demand_rule(b)) {
            reason_of_failure(true);
            return done(blocked());
        }
        if (forced_block(b)) {
            may_defer_ = may_defer;
            return done(inside(b));
        }
    }
    if (named || early || strategic_) {
        residue = residues_.read(kernel_, b);
        has_read = true;
    }
    if (named && part_.frontier != nullptr) name_block(residue);
    if (following()) return done(solve_block(b));
    if (look) {
        if (const auto known = look_up(residue)) {
            if (!known->legal) return done(illegal_move(b - 1));
            reason_of_entry(b, known->verdict == Verdict::won);
            return done(*known);
        }
    }
    if (strategic_ && (b > 0 || program_.blocks() == 0)) {
        const auto holds = consistent(residue);
        if (!holds) return done({});
        if (!*holds) {
            const Outcome outcome = illegal_move(b - 1);
            if (look) store(residue, outcome, 1);
            return done(outcome);
        }
        if (b == program_.blocks()) return done(leaf(true, Reason::success));
    }
    if (early && is_won(b, residue.demands)) {
        reason_of_success(b);
        return done(won_within(b, Reason::success));
    }

    const bool in_parallel = shared_.members > 1 && look;
    if (in_parallel && may_defer && shared_.busy(residue.key)) {
        ++answer_.statistics.deferred;
        return done({.deferred = true});
    }
    const std::uint64_t nodes_before = answer_.statistics.nodes;
    if (in_parallel) shared_.begin(residue.key);
    const Outcome outcome = solve_block(b);
    if (in_parallel) shared_.end(residue.key);
    if (outcome.verdict != Verdict::unknown) {
        if (options_.guide != nullptr) options_.guide->learn(play_, outcome.verdict == Verdict::won);
        if (look) store(residue, outcome, answer_.statistics.nodes - nodes_before);
        // Otherwise the loser's branching has been learned from.
        const bool ours = program_.block(b).quantifier == model::Quantifier::exists;
        if (ours == (outcome.verdict == Verdict::won)) learn(b, outcome);
    }
    return done(outcome);
}

// What the rules, the cuts and the end of the play decide at once.
template <kernel::Kernel K>
std::optional<Outcome> Search<K>::closed_before_table(int b) {
    if (!activate(b)) return failed(b);
    if (const model::Cut* cut = firing_cut(b)) {
        if (options_.check_cuts) return checked_cut(b, *cut);
        ++answer_.statistics.cuts;
        reason_of_entry(b, true);
        return won_within(b, Reason::cut);
    }
    if (b == program_.blocks()) {
        reason_of_success(b);
        return leaf(true, Reason::success);
    }
    const model::Block& block = program_.block(b);
    const bool guarded = block.quantifier == model::Quantifier::forall && block.rule;
    if (guarded && kernel_.is_false(*block.rule)) {
        reason_of_blocked(b);
        return blocked();
    }
    if (is_lost(b)) {
        reason_of_loss(b);
        return leaf(false, Reason::failure);
    }
    return std::nullopt;
}

template <kernel::Kernel K>
Outcome Search<K>::solve_block(int b) {
    const model::Block& block = program_.block(b);
    const bool ours = block.quantifier == model::Quantifier::exists;
    if (strategic_) {
        reach(b);
        if (!kernel_.propagate()) return leaf(!ours, ours ? Reason::failure : Reason::rule);
    } else if (!demand_rule(b)) {
        reason_of_failure(true);
        return blocked();
    }
    return inside(b);
}

// The rule of a ∀ block, if it is one; false when no move obeys it.
template <kernel::Kernel K>
bool Search<K>::demand_rule(int b) {
    const model::Block& block = program_.block(b);
    if (block.quantifier == model::Quantifier::exists || !block.rule || kernel_.is_true(*block.rule))
        return true;
    kernel_.demand(*block.rule);
    return kernel_.propagate();
}

// ---- the table

template <kernel::Kernel K>
std::optional<Outcome> Search<K>::look_up(const kernel::Residue& residue) {
    ++answer_.statistics.lookups;
    const auto entry = shared_.goods.find(residue.key);
    if (!entry) return std::nullopt;
    if (entry->known == Goods::Known::inconsistent) return Outcome{.legal = false};
    const bool won = entry->known == Goods::Known::won;
    ++(won ? answer_.statistics.goods : answer_.statistics.nogoods);
    const strategy::NodeId node =
        options_.strategy ? shared_.renamed(entry->node, entry->image, residue.image) : strategy::decided;
    return leaf(won, won ? Reason::good : Reason::nogood, node);
}

template <kernel::Kernel K>
void Search<K>::store(const kernel::Residue& residue, const Outcome& outcome, std::uint64_t nodes_below) {
    ++answer_.statistics.stored;
    Goods::Entry entry;
    entry.key = residue.key;
    entry.image = static_cast<std::uint16_t>(residue.image);
    entry.node = outcome.node;
    entry.known = !outcome.legal                    ? Goods::Known::inconsistent
                  : outcome.verdict == Verdict::won ? Goods::Known::won
                                                    : Goods::Known::lost;
    shared_.goods.store(entry, nodes_below);
    if (shared_.outbox.accepts(nodes_below)) shared_.outbox.push(entry);
}

template <kernel::Kernel K>
std::optional<bool> Search<K>::consistent(const kernel::Residue& residue) {
    ++answer_.statistics.consistency;
    if (!residue.acts) {
        ++answer_.statistics.by_propagation;
        return true;
    }
    const auto holds = kernel_.consistent(limits_);
    if (!holds) {
        stop_ = limits_.reached();
    } else if (!*holds) {
        ++answer_.statistics.inconsistent;
    }
    return holds;
}

template <kernel::Kernel K>
Outcome Search<K>::inside(int b) {
    const model::VarId variable = ordering_->next(kernel_, b, played_);
    if (variable >= 0 && part_.frontier != nullptr && !following() && !kernel_.fixed(variable)) {
        if (const auto outcome = at_frontier(b)) return *outcome;
    }
    if (variable < 0) {
        const Outcome outcome = enter(b + 1);
        add_rule_to_reason(b, outcome.verdict);
        const bool ours = program_.block(b).quantifier == model::Quantifier::exists;
        if (b == 0 && ours && options_.all_first_moves && outcome.verdict == Verdict::won) {
            std::vector<model::Value> values;
            for (const model::VarId v : program_.block(0).variables) {
                values.push_back(std::find_if(play_.begin(), play_.end(), [&](const strategy::Move& move) {
                                     return move.variable == v;
                                 })->value);
            }
            answer_.first_moves.push_back(std::move(values));
        }
        return outcome;
    }
    played_[variable] = true;
    ++depth_;
    answer_.statistics.depth = std::max<std::uint64_t>(answer_.statistics.depth, depth_);
    ++answer_.statistics.nodes;
    if (options_.observer) options_.observer->open(variable);
    if (options_.guide != nullptr) options_.guide->now_at(play_);
    const std::uint64_t nodes_before = answer_.statistics.nodes;
    const bool alone = kernel_.fixed(variable);
    const Outcome outcome = branch(b, variable);
    if (!alone) usual_size_[static_cast<std::size_t>(b)].add(answer_.statistics.nodes - nodes_before);
    if (options_.observer) options_.observer->close(outcome.verdict == Verdict::won);
    --depth_;
    played_[variable] = false;
    return outcome;
}

template <kernel::Kernel K>
Outcome Search<K>::after_move(int b) {
    if (!kernel_.propagate()) return failed(b);
    return inside(b);
}

// ---- housekeeping

// What waits for block b acts from now on.
template <kernel::Kernel K>
void Search<K>::reach(int b) {
    kernel_.reach(b);
    for (const model::Literal literal : program_.demanded_at[static_cast<std::size_t>(b)])
        kernel_.demand(literal);
}

template <kernel::Kernel K>
bool Search<K>::stopped() {
    constexpr int positions_between_looks = 16;
    if (stop_ == Stop::none) stop_ = limits_.reached();
    if (stop_ != Stop::none || shared_.done.load(std::memory_order_relaxed)) return true;
    shared_.safepoint.poll();
    if (++since_look_ >= positions_between_looks) {
        since_look_ = 0;
        if (options_.strategy && shared_.nodes() > collect_at_) collect_garbage();
    }
    if (options_.progress && Clock::now() >= next_progress_) {
        add_up_statistics();
        options_.progress(answer_.statistics);
        next_progress_ = Clock::now() + between_progress();
    }
    return false;
}

// Branches that were won or lost for nothing leave nodes behind; what is needed hangs on the stack or in the
// table.
template <kernel::Kernel K>
void Search<K>::collect_garbage() {
    shared_.safepoint.stop_the_world([&] {
        if (shared_.nodes() <= collect_at_) return;  // another thread has just done it
        std::vector<strategy::NodeId*> roots;
        for (Search* member : peers_) member->add_live_nodes(roots);
        shared_.collect(std::move(roots));
        ++answer_.statistics.collections;
    });
    collect_at_ = std::max(options_.strategy_nodes, 2 * shared_.nodes());
}

template <kernel::Kernel K>
void Search<K>::add_live_nodes(std::vector<strategy::NodeId*>& roots) {
    for (std::size_t i = 0; i < open_branchings_; ++i) {
        for (auto& [value, to] : branchings_[i]->children) roots.push_back(&to);
        roots.push_back(&branchings_[i]->found);
    }
    if (lesson_ == nullptr) return;
    for (LearnedSets::Set& set : lesson_->learned.sets()) roots.push_back(&set.node);
}

}  // namespace zermelo::quantified
