// Alpha-beta as it is played with: deeper and deeper until the time is over.
//
// What plain_alphabeta.hpp leaves out because it cannot matter (seed 004, section 2.3), and around it
//   - a table of positions (table.hpp) that keeps a bound, the depth it was found with, and the best move;
//   - moves in order of promise: the table's, then those that lately refuted a sibling (two killers a ply),
//     then those that refuted most often anywhere (history);
//   - principal variation search: after the first move the others only have to be shown not to be better,
//     with a window in which no score fits; the few that are better get a second look.
// A position that occurred before on the same path is a draw. Scores are those of one player against all
// others.
//
// What an answer rests on is followed through the search: a score is *settled* when it rests on ends of play
// only, and then holds at any depth. A score that rests on a repetition holds on one path, and through the
// table it may be met on another (the graph-history interaction), so it is played by but never called exact.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/deep_stack.hpp"
#include "core/limits.hpp"
#include "game/heuristic/heuristic.hpp"
#include "game/search/plain_alphabeta.hpp"
#include "game/search/scoped_move.hpp"
#include "game/search/transposition_table.hpp"

namespace zermelo::game {

struct AlphaBetaOptions {
    std::uint16_t most_depth = 1000;
    std::uint64_t most_calls = 0;  // of a search, which ends there as at a limit; 0: as many as it takes
    std::size_t table_bytes = std::size_t{64} << 20;
    bool deepen = true;  // otherwise one search of most_depth, and no move if a limit ends it
    bool table = true;
    bool killers = true;
    bool history = true;
    bool null_window = true;
};

struct AlphaBetaResult {
    Score score;
    // The best move found; when all lose, the one that was last seen not to. None when it is over.
    std::optional<std::size_t> best;
    std::vector<std::size_t> variation;  // best play as far as it is known, `best` first
    int depth = 0;                       // of the last search that was finished
    bool exact = false;                  // the score is that of the game: it rests on ends of play only
    Stop stop = Stop::none;              // why deepening ended before its time, if it did
    std::uint64_t calls = 0;
    std::uint64_t evaluations = 0;
    std::uint64_t table_hits = 0;  // calls answered by the table
    std::uint64_t cuts = 0;        // positions given up before their last move
    std::uint64_t first_cuts = 0;  // of these, after the first move: the measure of the order
};

// Instantiated in alphabeta.cpp for the walks and heuristics of this room; for others include
// alphabeta-inl.hpp.
template <Walk W, Evaluates<W> H>
class AlphaBeta {
public:
    // The table and the history of moves stay between searches.
    AlphaBeta(W& walk, Player player, H heuristic, const AlphaBetaOptions& options = {})
        : walk_(walk),
          player_(player),
          heuristic_(std::move(heuristic)),
          options_(options),
          table_(options.table ? options.table_bytes : 0) {}

    // From where the walk stands. A search of depth one is finished whatever the limits and calls, so that
    // there is a move. Throws Error where chance or several players at once move.
    AlphaBetaResult search(const Limits& limits = {});

private:
    // What a score rests on, from weak to strong.
    enum class Ground : std::uint8_t { heuristic, path, settled };
    enum class Bound : std::uint8_t { lower, exact, upper };
    struct Judgement {
        Score score;
        Ground ground = Ground::settled;
        Judgement operator-() const { return {-score, ground}; }
    };
    static constexpr std::uint32_t no_move = ~std::uint32_t{0};
    static constexpr int fits_any_stack = 1000;  // plies

    struct Entry {
        Score score;  // of the side that moves
        std::uint32_t move = no_move;
        std::uint16_t depth = 0;
        Bound bound = Bound::exact;
        Ground ground = Ground::heuristic;
        [[nodiscard]] std::uint64_t worth() const {
            return std::uint64_t{2} * depth + (bound == Bound::exact ? 1 : 0);
        }
    };
    struct Candidate {
        std::uint32_t move;
        std::uint32_t id;
        std::uint64_t promise;
    };
    struct Ply {
        Hash128 key;
        std::vector<Candidate> moves;
        std::vector<std::size_t> variation;
        std::array<std::uint32_t, 2> killers{no_move, no_move};
    };
    struct Stopped {};

    void iterate();
    [[nodiscard]] bool called_enough() const {
        return options_.most_calls != 0 && result_.calls >= options_.most_calls;
    }
    void finish(int depth, Judgement judgement);
    Judgement judge(int depth, std::size_t ply, Window window);
    Judgement expand(int depth, std::size_t ply, Window window, Turn turn);
    Judgement choose(int depth, std::size_t ply, Window window, Turn turn);
    Judgement follow(std::size_t move, int depth, std::size_t ply, Window window, bool ours);
    Judgement compare(std::size_t move, int depth, std::size_t ply, Window window, bool ours);
    [[nodiscard]] bool repeated(std::size_t ply) const;
    void order(std::size_t ply, Player mover, std::uint32_t first);
    void praise(std::size_t ply, Player mover, std::uint32_t id, int depth);
    [[nodiscard]] std::uint64_t& past(Player mover, std::uint32_t id);
    void lead(std::size_t ply, std::size_t move);
    void lengthen(std::vector<std::size_t>& variation, std::size_t ply);

    W& walk_;
    Player player_;
    H heuristic_;
    AlphaBetaOptions options_;
    TranspositionTable<Entry> table_;
    std::vector<Ply> plies_;
    std::vector<std::vector<std::uint64_t>> history_;  // by player and move id
    const Limits* limits_ = nullptr;
    int iteration_ = 0;
    AlphaBetaResult result_;
};

}  // namespace zermelo::game
