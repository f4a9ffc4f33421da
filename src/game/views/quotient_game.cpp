#include "game/views/quotient_game.hpp"

#include <algorithm>

namespace zermelo::game {

Hash128 QuotientGame::fingerprint() const {
    const Hash128 rules = GdlGame::fingerprint();
    if (canonical_->size() == 1) return rules;
    const Hash128 folds = canonical_->fingerprint();
    Hasher hasher;
    for (const std::uint64_t word : {rules.low, rules.high, folds.low, folds.high}) hasher.add(word);
    return hasher.value();
}

LiftedWalk::LiftedWalk(const QuotientGame& game, const gdl::State& start, const Graph& graph, StateId root)
    : game_(game), canonical_(game.canonical()), graph_(graph), path_{{start, root, 0}} {
    game_.look(start);
}

std::vector<std::size_t> LiftedWalk::places() const {
    return game_.places(
        [&](std::size_t role, gdl::MoveId move) { return canonical_.there(path_.back().turn, role, move); });
}

void LiftedWalk::make(std::size_t move) {
    Place next{{}, graph_.successors(folded())[places()[move]], 0};
    game_.successor(move, next.state);
    gdl::State image = next.state;
    next.turn = canonical_.turn(image);
    path_.push_back(std::move(next));
    game_.look(path_.back().state);
}

void LiftedWalk::unmake() {
    path_.pop_back();
    game_.look(path_.back().state);
}

std::size_t LiftedWalk::unfolded(std::size_t move) const {
    const auto all = places();
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), move) - all.begin());
}

}  // namespace zermelo::game
