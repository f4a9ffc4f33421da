// Minimax (von Neumann 1928; Shannon 1950) to a fixed depth: the score of a position when both sides look a
// certain number of moves ahead.
//
// The player's positions are worth the maximum of their successors, all others the minimum; a position that
// is over is worth its payoff, and where the depth runs out a heuristic evaluates. Different orders of the
// same moves lead to the same position, so results can be memoised, each with the depth that was left when
// it was found: with another depth left it is another question.
//
// A reference: only tests use it.

#pragma once

#include <optional>
#include <unordered_map>

#include "core/limits.hpp"
#include "game/heuristic/heuristic.hpp"
#include "game/scoped_move.hpp"

namespace zermelo::game {

struct MinimaxOptions {
    int depth = 0;
    bool remember = false;
    Limits limits = {};
};

struct MinimaxResult {
    Score score;
    std::optional<std::size_t> best;  // the first of the best moves; none when it is over, or depth was 0
    std::uint64_t calls = 0;
    std::uint64_t evaluations = 0;  // calls of the heuristic
    std::uint64_t remembered = 0;   // calls answered by memoisation
};

namespace innards {

template <Walk W, Evaluates<W> H>
class Minimax {
public:
    Minimax(W& walk, Player player, H& heuristic, const MinimaxOptions& options)
        : walk_(walk), player_(player), heuristic_(heuristic), options_(options) {}

    MinimaxResult run() {
        result_.score = search(options_.depth, &result_.best);
        return result_;
    }

private:
    struct Question {
        Hash128 key;
        int depth;
        friend bool operator==(const Question&, const Question&) = default;
    };
    struct HashOf {
        std::size_t operator()(const Question& q) const noexcept {
            return q.key.low + static_cast<std::size_t>(q.depth) * 0x9E3779B97F4A7C15ULL;
        }
    };

    Score search(int depth, std::optional<std::size_t>* best = nullptr) {
        ++result_.calls;
        const Turn turn = walk_.turn();
        require_turns(turn, "minimax");
        if (turn.over()) return Score::of_payoff(walk_.payoff(player_));
        if (depth == 0) {
            ++result_.evaluations;
            return heuristic_(walk_, player_);
        }
        if (const Stop stop = options_.limits.reached(); stop != Stop::none) {
            throw LimitReached(stop, "during minimax search", "lower the depth, or raise the time limit");
        }
        if (!options_.remember) return expand(turn, depth, best);
        const Question question{walk_.exact_key(), depth};
        if (const auto known = memory_.find(question); known != memory_.end()) {
            ++result_.remembered;
            return known->second;
        }
        return memory_[question] = expand(turn, depth, best);
    }

    Score expand(Turn turn, int depth, std::optional<std::size_t>* best) {
        const bool ours = turn.player == player_;
        Score score = ours ? -Score::infinite() : Score::infinite();
        const std::size_t moves = walk_.moves();
        for (std::size_t move = 0; move < moves; ++move) {
            const Score child = [&] {
                const ScopedMove step(walk_, move);
                return search(depth - 1);
            }();
            const bool better = ours ? child > score : child < score;
            if (better) score = child;
            if (best != nullptr && (better || move == 0)) *best = move;
        }
        return score;
    }

    W& walk_;
    Player player_;
    H& heuristic_;
    const MinimaxOptions& options_;
    MinimaxResult result_;
    std::unordered_map<Question, Score, HashOf> memory_;
};

}  // namespace innards

// The score for `player` against all others. The recursion is as deep as `depth`. Throws Error where chance
// or several players at once move, LimitReached at a limit; the walk is then back where it was.
template <Walk W, Evaluates<W> H>
[[nodiscard]] MinimaxResult minimax(W& walk, Player player, H&& heuristic, const MinimaxOptions& options) {
    return innards::Minimax<W, std::remove_reference_t<H>>(walk, player, heuristic, options).run();
}

}  // namespace zermelo::game
