// A search that is a part of a larger one: it follows the moves that lead to its part, and ends at the
// frontier (parallel/frontier.hpp).

#pragma once

#include <algorithm>

#include "quantified/search.hpp"

namespace zermelo::quantified {

// Symmetric positions have different names: what is said about the moves behind them would not fit both.
template <kernel::Kernel K>
void Search<K>::name_block(const kernel::Residue& residue) {
    Hasher hasher;
    for (const std::uint64_t word : {residue.key.low, residue.key.high, std::uint64_t{residue.image}})
        hasher.add(word);
    block_name_ = hasher.value();
    moves_before_block_ = play_.size();
}

template <kernel::Kernel K>
std::optional<Outcome> Search<K>::at_frontier(int b) {
    Frontier& frontier = *part_.frontier;
    // Whoever wants all first moves wants to know about each of them, not about a part of one.
    if (b == 0 && options_.all_first_moves) return std::nullopt;
    Line since_block;
    for (std::size_t i = moves_before_block_; i < play_.size(); ++i) {
        if (chosen_[i]) since_block.push_back(play_[i].value);
    }
    // As long as nobody had a choice, this is the position that the question is about.
    const bool somewhere = std::find(chosen_.begin(), chosen_.end(), true) != chosen_.end();
    const bool in_first = !somewhere || moves_before_block_ == 0;
    const Hash128 name = Frontier::name_of(in_first ? frontier.question : block_name_, since_block);
    if (const auto known = frontier.known.find(name); known != frontier.known.end()) {
        const bool won = known->second.known == Goods::Known::won;
        return leaf(won, won ? Reason::good : Reason::nogood, known->second.node);
    }
    // Only forced moves since the beginning do not divide anything, unless a first move is to be told apart.
    const bool divided = open_branchings_ > 0 || (options_.all_first_moves && part_.from.empty());
    if (frontier.one_move ? !divided : frontier.inner.contains(name)) return std::nullopt;
    Line line;
    for (std::size_t i = part_.from.size(); i < play_.size(); ++i) line.push_back(play_[i].value);
    frontier.open.push_back({std::move(line), name});
    return Outcome{.open = true};
}

template <kernel::Kernel K>
Outcome Search<K>::follow(int b, model::VarId variable) {
    const model::Value value = part_.from[play_.size()];
    Outcome outcome;
    if (kernel_.fixed(variable)) {
        pass(variable, value);
        outcome = inside(b);
    } else {
        play(variable, value);
        outcome = after_move(b);
    }
    take_back();
    return outcome;
}

}  // namespace zermelo::quantified
