// Quotient game: a GDL game modulo its symmetries (symmetry/canonical.hpp), in which symmetric states are
// one.
//
// Moves lead to canonical states, so that an exploration meets one state of each class: of the 5,478 states
// of tic-tac-toe, 765. Symmetric states have the same value and rank, so values and ranks are those of the
// game. The initial state stays as it is, and with it the names of its moves.
//
// A plan is written against the game itself. LiftedWalk walks through the original game and knows at each
// position which state of the quotient graph represents it, and which move there corresponds to a move here.

#pragma once

#include <memory>

#include "game/graph/graph.hpp"
#include "game/peek.hpp"
#include "game/views/gdl_game.hpp"
#include "symmetry/canonical.hpp"

namespace zermelo::game {

class QuotientGame : public GdlGame {
public:
    QuotientGame(const gdl::Game& game, std::shared_ptr<const symmetry::Canonical> canonical)
        : GdlGame(game), canonical_(std::move(canonical)) {}

    void successor(std::size_t move, State& out) {
        GdlGame::successor(move, out);
        canonical_->canonicalise(out);
    }
    [[nodiscard]] Hash128 fingerprint() const;
    [[nodiscard]] const symmetry::Canonical& canonical() const { return *canonical_; }

private:
    std::shared_ptr<const symmetry::Canonical> canonical_;  // shared by the copies of threads
};

// The game without folds, in which symmetric positions have the same key. It looks at a state when it is asked about it, and
// peeks look with a game of their own at where a move leads, and only whether it is over there.
class SymmetricWalk {
public:
    SymmetricWalk(GdlGame& game, const symmetry::Canonical& canonical)
        : canonical_(canonical), game_(game), after_(game), path_{game.initial()} {}

    [[nodiscard]] std::size_t players() const { return game_.players(); }
    [[nodiscard]] Turn turn() { return look().turn(); }
    [[nodiscard]] std::size_t moves() { return look().moves(); }
    [[nodiscard]] int payoff(Player player) { return look().payoff(player); }
    [[nodiscard]] Hash128 key() const { return key(path_.back()); }
    [[nodiscard]] Hash128 exact_key() const { return gdl::hash(path_.back()); }
    [[nodiscard]] std::uint32_t move_id(std::size_t move) const { return static_cast<std::uint32_t>(move); }
    [[nodiscard]] Peek peek(std::size_t move, Player whose);  // throws NotOpposed
    void make(std::size_t move);
    void unmake() {
        path_.pop_back();
        looked_ = false;
    }

private:
    [[nodiscard]] Hash128 key(gdl::State state) const;
    GdlGame& look() {
        if (!looked_) game_.look(path_.back());
        looked_ = true;
        return game_;
    }

    const symmetry::Canonical& canonical_;
    GdlGame& game_;
    GdlGame after_;
    std::vector<gdl::State> path_;
    gdl::State next_;
    bool looked_ = false;
};

// The original game, walked beside the quotient graph.
class LiftedWalk : public Walker<GdlGame> {
public:
    // Where the game starts is the state `root` of the graph.
    LiftedWalk(GdlGame& game, const symmetry::Canonical& canonical, const Graph& graph, StateId root)
        : Walker(game), canonical_(canonical), graph_(graph), folds_{{root, 0}} {}

    void make(std::size_t move);
    void unmake();

    [[nodiscard]] StateId quotient_state() const { return folds_.back().state; }
    // The move here that corresponds to this one in the quotient state.
    [[nodiscard]] std::size_t lifted_move(std::size_t move) const;

private:
    struct Fold {
        StateId state;
        symmetry::Canonical::SymmetryId turn;  // from the state here to the folded one
    };
    // By move here: its place among the moves of the quotient state.
    [[nodiscard]] std::vector<std::size_t> places() const;

    const symmetry::Canonical& canonical_;
    const Graph& graph_;
    std::vector<Fold> folds_;  // by position between the start and here
};

static_assert(Game<QuotientGame> && Walk<SymmetricWalk> && Walk<LiftedWalk>);

}  // namespace zermelo::game
