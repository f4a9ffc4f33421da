// Folded games: a GDL game in which symmetric states are one (symmetry/canonical.hpp).
//
// Moves lead to canonical states, so that whoever lists the states lists one for each class: of the 5,478
// states of tic-tac-toe, 765. Symmetric states are worth the same and need as many moves, so values and ranks
// are those of the game. The first state stays as it is, and with it the names of its moves.
//
// A plan is written against the game as it is. The walk below goes through the unfolded game and knows at
// each position which state of the folded graph stands for it, and which move there stands for a move here.

#pragma once

#include <memory>

#include "game/graph/graph.hpp"
#include "game/views/gdl_game.hpp"
#include "symmetry/canonical.hpp"

namespace zermelo::game {

class QuotientGame : public GdlGame {
public:
    QuotientGame(const gdl::Game& game, std::shared_ptr<const symmetry::Canonical> canonical)
        : GdlGame(game), canonical_(std::move(canonical)) {}

    void successor(std::size_t move, State& out) {
        GdlGame::successor(move, out);
        canonical_->turn(out);
    }
    [[nodiscard]] Hash128 fingerprint() const;
    [[nodiscard]] const symmetry::Canonical& canonical() const { return *canonical_; }

private:
    std::shared_ptr<const symmetry::Canonical> canonical_;  // shared by the copies of threads
};

// The game without folds, in which symmetric positions have the same key.
class SymmetricWalk : public Walker<GdlGame> {
public:
    SymmetricWalk(GdlGame& game, const symmetry::Canonical& canonical)
        : Walker(game), canonical_(canonical) {}
    [[nodiscard]] Hash128 key() const;

private:
    const symmetry::Canonical& canonical_;
};

// The game without folds, walked beside the graph of its folded states.
class LiftedWalk : public Walker<GdlGame> {
public:
    // Where the game starts is the state `root` of the graph.
    LiftedWalk(GdlGame& game, const symmetry::Canonical& canonical, const Graph& graph, StateId root)
        : Walker(game), canonical_(canonical), graph_(graph), folds_{{root, 0}} {}

    void make(std::size_t move);
    void unmake();

    [[nodiscard]] StateId folded() const { return folds_.back().state; }
    // The move here that is this one in the folded state.
    [[nodiscard]] std::size_t unfolded(std::size_t move) const;

private:
    struct Fold {
        StateId state;
        symmetry::Canonical::Turn turn;  // from the state here to the folded one
    };
    // By move here: its place among the moves of the folded state.
    [[nodiscard]] std::vector<std::size_t> places() const;

    const symmetry::Canonical& canonical_;
    const Graph& graph_;
    std::vector<Fold> folds_;  // by position between the start and here
};

static_assert(Game<QuotientGame> && Walk<SymmetricWalk> && Walk<LiftedWalk>);

}  // namespace zermelo::game
