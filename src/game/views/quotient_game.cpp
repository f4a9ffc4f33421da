#include "game/views/quotient_game.hpp"

#include <algorithm>

namespace zermelo::game {

Hash128 QuotientGame::fingerprint() const {
    const Hash128 rules = GdlGame::fingerprint();
    if (canonical_->size() == 1) return rules;
    const Hash128 symmetries = canonical_->fingerprint();
    Hasher hasher;
    for (const std::uint64_t word : {rules.low, rules.high, symmetries.low, symmetries.high})
        hasher.add(word);
    return hasher.value();
}

Hash128 SymmetricWalk::key(gdl::State state) const {
    canonical_.canonicalise(state);
    return gdl::hash(state);
}

void SymmetricWalk::make(std::size_t move) {
    look().successor(move, next_);
    path_.push_back(next_);
    looked_ = false;
}

Peek SymmetricWalk::peek(std::size_t move, Player whose) {
    look().successor(move, next_);
    Peek seen{key(next_), static_cast<std::uint32_t>(move), after_.ends(next_)};
    if (!seen.over) return seen;
    seen.payoff = after_.payoff(whose);
    if (players() == 2) require_opposed(after_.payoff(0) + after_.payoff(1));
    return seen;
}

std::vector<std::size_t> LiftedWalk::places() const {
    return game().places(
        [&](std::size_t role, gdl::MoveId move) { return canonical_.image(folds_.back().turn, role, move); });
}

void LiftedWalk::make(std::size_t move) {
    const StateId next = graph_.successors(quotient_state())[places()[move]];
    Walker::make(move);
    gdl::State image = state();
    folds_.push_back({next, canonical_.canonicalise(image)});
}

void LiftedWalk::unmake() {
    Walker::unmake();
    folds_.pop_back();
}

std::size_t LiftedWalk::lifted_move(std::size_t move) const {
    const auto all = places();
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), move) - all.begin());
}

}  // namespace zermelo::game
