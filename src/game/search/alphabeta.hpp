// Iterative deepening alpha-beta (Slate and Atkin 1977), for playing under a time limit.
//
// To the pruning of plain_alphabeta.hpp it adds
// - a transposition table (transposition_table.hpp) that keeps a bound, its depth, and the best move;
// - move ordering: first the table's move, then two killer moves a ply (Akl and Newborn 1977), then the
//   history heuristic (Schaeffer 1983);
// - principal variation search (Marsland and Campbell 1982): after the first move the others are searched
//   with a null window, and only those that turn out better are searched again.
//
// A position that occurred before on the same path is a draw. Scores are those of one player against all
// others.
//
// The search tracks what a score rests on: a score is *settled* when it rests on terminal positions only,
// and then holds at any depth. A score that rests on a repetition holds on one path, and through the table
// it may be met on another (the graph-history interaction problem, Palay 1983), so it is played by but never
// called exact.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/deep_stack.hpp"
#include "core/limits.hpp"
#include "game/heuristic/heuristic.hpp"
#include "game/scoped_move.hpp"
#include "game/search/plain_alphabeta.hpp"
#include "game/search/transposition_table.hpp"

namespace zermelo::game {

struct AlphaBetaOptions {
    std::uint16_t most_depth = 1000;
    std::uint64_t most_calls = 0;  // a search ends after so many calls as at a limit; 0: no such limit
    std::size_t table_bytes = std::size_t{64} << 20;
    bool deepen = true;  // otherwise one search of most_depth, and no move if a limit ends it
    bool table = true;
    bool killers = true;
    bool history = true;
    bool null_window = true;
};

struct AlphaBetaResult {
    Score score;
    // The best move found; when all moves lose, that of the last iteration which did not know it yet.
    // None when the game is over.
    std::optional<std::size_t> best;
    std::vector<std::size_t> variation;  // best play as far as it is known, `best` first
    int depth = 0;                       // of the last iteration that was completed
    bool exact = false;                  // the score is that of the game: it rests on terminal positions only
    Stop stop = Stop::none;              // why deepening ended early, if it did
    std::uint64_t calls = 0;
    std::uint64_t evaluations = 0;
    std::uint64_t table_hits = 0;  // calls answered by the table
    std::uint64_t cuts = 0;        // cutoffs: positions left before their last move
    std::uint64_t first_cuts = 0;  // of these, after the first move: the measure of move ordering
};

// Instantiated in alphabeta.cpp for the walks and heuristics of this room; for others include
// alphabeta-inl.hpp.
template <Walk W, Evaluates<W> H>
class AlphaBeta {
public:
    // The table and the move history are kept between searches.
    AlphaBeta(W& walk, Player player, H heuristic, const AlphaBetaOptions& options = {})
        : walk_(walk),
          player_(player),
          heuristic_(std::move(heuristic)),
          options_(options),
          table_(options.table ? options.table_bytes : 0) {}

    // From the current position of the walk. The first iteration is completed whatever the limits and calls,
    // so that there is a move. Throws Error where chance or several players at once move.
    AlphaBetaResult search(const Limits& limits = {});

private:
    // What a score rests on, from weak to strong.
    enum class Basis : std::uint8_t { heuristic, path, settled };
    enum class Bound : std::uint8_t { lower, exact, upper };
    struct NodeScore {
        Score score;
        Basis basis = Basis::settled;
        NodeScore operator-() const { return {-score, basis}; }
    };
    static constexpr std::uint32_t no_move = ~std::uint32_t{0};
    static constexpr int fits_any_stack = 1000;  // plies

    struct Entry {
        Score score;  // of the side that moves
        std::uint32_t move = no_move;
        std::uint16_t depth = 0;
        Bound bound = Bound::exact;
        Basis basis = Basis::heuristic;
        [[nodiscard]] std::uint64_t worth() const {
            return std::uint64_t{2} * depth + (bound == Bound::exact ? 1 : 0);
        }
    };
    struct Candidate {
        std::uint32_t move;
        std::uint32_t id;
        std::uint64_t priority;
    };
    struct Ply {
        Hash128 key;
        std::vector<Candidate> moves;
        std::vector<std::size_t> variation;
        std::array<std::uint32_t, 2> killers{no_move, no_move};
    };
    struct Stopped {};

    void iterate();
    [[nodiscard]] bool call_limit_reached() const {
        return options_.most_calls != 0 && result_.calls >= options_.most_calls;
    }
    void finish(int depth, NodeScore found);
    NodeScore search_node(int depth, std::size_t ply, Window window);
    NodeScore probe_and_search(int depth, std::size_t ply, Window window, Turn turn);
    NodeScore search_moves(int depth, std::size_t ply, Window window, Turn turn);
    NodeScore search_move(std::size_t move, int depth, std::size_t ply, Window window, bool ours);
    NodeScore search_null_window(std::size_t move, int depth, std::size_t ply, Window window, bool ours);
    [[nodiscard]] bool repeated(std::size_t ply) const;
    void order_moves(std::size_t ply, Player mover, std::uint32_t first);
    void record_cutoff(std::size_t ply, Player mover, std::uint32_t id, int depth);
    [[nodiscard]] std::uint64_t& history_of(Player mover, std::uint32_t id);
    void update_variation(std::size_t ply, std::size_t move);
    void extend_variation(std::vector<std::size_t>& variation, std::size_t ply);

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
