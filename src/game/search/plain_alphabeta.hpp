// Alpha-beta pruning (Knuth and Moore 1975), fail-soft and without enhancements: the reference for the
// search with all of them (alphabeta.hpp).
//
// A position is asked for its score only between alpha, what the player is already sure of elsewhere, and
// beta, what the others will not let them exceed; once its score is known to lie outside, the rest of its
// moves is pruned. The whole window is passed down, max(alpha, v) and beta, so that deep cutoffs are found.
// Moves come in their order and nothing is memoised, so that the calls saved can be counted by hand.

#pragma once

#include "core/limits.hpp"
#include "game/heuristic/heuristic.hpp"
#include "game/scoped_move.hpp"

namespace zermelo::game {

struct Window {
    Score alpha = -Score::infinite();
    Score beta = Score::infinite();
    Window operator-() const { return {-beta, -alpha}; }  // seen by the other side
};

struct PlainResult {
    Score score;
    std::uint64_t calls = 0;
    std::uint64_t evaluations = 0;
};

namespace innards {

template <Walk W, Evaluates<W> H>
class PlainAlphaBeta {
public:
    PlainAlphaBeta(W& walk, Player player, H& heuristic, const Limits& limits)
        : walk_(walk), player_(player), heuristic_(heuristic), limits_(limits) {}

    PlainResult run(int depth) {
        result_.score = search(depth, {});
        return result_;
    }

private:
    Score search(int depth, Window window) {
        ++result_.calls;
        const Turn turn = walk_.turn();
        require_turns(turn, "alpha-beta search");
        if (turn.over()) return Score::of_payoff(walk_.payoff(player_));
        if (depth == 0) {
            ++result_.evaluations;
            return heuristic_(walk_, player_);
        }
        if (const Stop stop = limits_.reached(); stop != Stop::none) {
            throw LimitReached(stop, "during alpha-beta search", "lower the depth, or raise the time limit");
        }
        return turn.player == player_ ? maximum(depth, window) : minimum(depth, window);
    }

    Score maximum(int depth, Window window) {
        Score v = -Score::infinite();
        const std::size_t moves = walk_.moves();
        for (std::size_t move = 0; move < moves; ++move) {
            v = std::max(v, follow(move, depth, {std::max(window.alpha, v), window.beta}));
            if (v >= window.beta) break;
        }
        return v;
    }

    Score minimum(int depth, Window window) {
        Score v = Score::infinite();
        const std::size_t moves = walk_.moves();
        for (std::size_t move = 0; move < moves; ++move) {
            v = std::min(v, follow(move, depth, {window.alpha, std::min(window.beta, v)}));
            if (v <= window.alpha) break;
        }
        return v;
    }

    Score follow(std::size_t move, int depth, Window window) {
        const ScopedMove step(walk_, move);
        return search(depth - 1, window);
    }

    W& walk_;
    Player player_;
    H& heuristic_;
    const Limits& limits_;
    PlainResult result_;
};

}  // namespace innards

// Equal to minimax() of the same depth, and never with more calls. Throws as minimax() does.
template <Walk W, Evaluates<W> H>
[[nodiscard]] PlainResult plain_alphabeta(W& walk, Player player, H&& heuristic, int depth,
                                          const Limits& limits = {}) {
    return innards::PlainAlphaBeta<W, std::remove_reference_t<H>>(walk, player, heuristic, limits).run(depth);
}

}  // namespace zermelo::game
