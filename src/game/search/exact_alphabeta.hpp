// Exact solving by null-window alpha-beta (the test of SCOUT, Pearl 1980) down to the ends of the game: what
// payoff can a player force? Values are found by binary search over null windows (C*, Coplan 1982).
//
// A null window asks one question, "at least t?", and has two answers, so a position of the player is
// decided by one move that says yes, and a position of the others by one that says no. A position is first
// tried on the terminal positions one move away, then on what the table knows of its successors, and only
// then searched. Moves are ordered by the threats that they make and the lines that they are part of, where the walk can tell
// them, and by the history heuristic (Schaeffer 1989); a move is identified by what it changes, so that the same disc in the same place is the
// same move wherever it is dropped from. Where the walk can prove that a payoff is out of reach, the
// position is decided without looking at its moves. Where it can look ahead (game/peek.hpp), it decides many positions
// before the table is asked, and these never enter the table.
//
// Several threads share the table, search the same tree, and defer moves that another one is searching
// (ABDADA, Weill 1996, in T. Kerrigan's simplified form), at depths where positions take a while. A thread that is still below a position which
// another one has decided returns to it.
//
// With partners (core/distributed_search.hpp), each of them searches positions some moves further on, and
// the answers go into the table of the first, which then needs next to no search of its own.
//
// What the table holds was proven from what had been proven before, never from an open position, so it is
// sound whatever the order. A position that repeats on its own path is refused: this search is for games
// that cannot repeat.

#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>
#include <utility>

#include "core/bounded_outbox.hpp"
#include "core/deep_stack.hpp"
#include "core/distributed_search.hpp"
#include "core/safepoint.hpp"
#include "game/explore/checkpoint.hpp"
#include "game/peek.hpp"
#include "game/search/bounds_table.hpp"
#include "game/search/path.hpp"

namespace zermelo::game {

struct ExactAlphaBetaOptions {
    std::size_t table_bytes = std::size_t{2} << 30;
    Limits limits = {};
    std::string checkpoint = {};
    CheckpointSubject subject = {};  // what a checkpoint is about
    double seconds_between_saves = 60;
    std::function<void(std::uint64_t positions)> progress = {};
    // Processes that solve the same game together; the first one writes the checkpoint.
    DistributedSearch* partners = nullptr;
};

struct ExactAlphaBetaStatistics {
    std::uint64_t positions = 0;  // entered
    std::uint64_t peeks = 0;      // successors looked at without entering them
    std::uint64_t table_hits = 0;
    std::uint64_t out_of_reach = 0;  // positions decided because a payoff can no longer be reached
    std::uint64_t looked_ahead = 0;  // positions decided by looking ahead
    std::uint64_t entries = 0;

    ExactAlphaBetaStatistics& operator+=(const ExactAlphaBetaStatistics& part) {
        positions += part.positions;
        peeks += part.peeks;
        table_hits += part.table_hits;
        out_of_reach += part.out_of_reach;
        looked_ahead += part.looked_ahead;
        entries += part.entries;
        return *this;
    }
};

// Searches for one player against all others. Walks with the same game behind them work side by side, one
// thread each. Instantiated in exact_alphabeta.cpp for the walks of this room; for any other walk include
// exact_alphabeta-inl.hpp.
template <Walk W>
class ExactAlphaBeta {
public:
    static constexpr std::size_t longest_play = 20'000;

    ExactAlphaBeta(std::vector<W*> walks, Player player, const ExactAlphaBetaOptions& options = {});

    // Can the player get at least `payoff` from the current position of the walks? Together with the
    // partners, if there are any. Throws LimitReached, Repetition, Error.
    [[nodiscard]] bool at_least(int payoff);
    // The greatest of `payoffs`, ascending, that the player can force.
    [[nodiscard]] int value(const std::vector<int>& payoffs);

    // For building plans, on the first walk: in a position from which the player gets at least `payoff` (or,
    // with `reached` false, does not), a move after which this is still so.
    [[nodiscard]] std::size_t move_towards(int payoff, bool reached);

    [[nodiscard]] ExactAlphaBetaStatistics statistics() const;
    [[nodiscard]] bool continued() const { return continued_; }
    void save();  // writes the checkpoint, if one is wanted; not during a search

private:
    static constexpr std::size_t nowhere = ~std::size_t{0};

    struct Worker {
        W& walk;
        Limits limits;
        bool first;
        ExactAlphaBetaStatistics statistics = {};
        std::uint64_t fresh = 0;                    // table entries not yet reported
        std::vector<std::vector<Candidate>> plies;  // candidate buffers, by depth
        Path path;
        std::size_t return_to = nowhere;  // the depth of an ancestor that another thread has decided
        std::vector<float> work = {};  // by depth: how many positions a search of one takes, a running mean
    };
    struct Finished {};         // another thread has the answer
    class DistributedQuestion;  // for partners

    static constexpr std::size_t effects = 1 << 14;
    static constexpr std::int32_t threat_bonus = 100;
    static constexpr std::int32_t line_bonus = 1000;
    static constexpr std::int32_t most_history = 2 * line_bonus;
    static constexpr std::uint64_t positions_between_housekeeping = 1024;
    static constexpr std::uint64_t positions_between_ancestor_checks = 256;
    static constexpr float least_shared_work = 64;  // of positions whose moves threads share among them
    static constexpr std::uint64_t peeks_between_questions = 64;  // about limits

    [[nodiscard]] bool decide(int payoff);
    [[nodiscard]] bool decide_with_partners(int payoff);
    [[nodiscard]] Split split(int payoff);
    bool run(Worker& worker, int payoff);
    [[nodiscard]] static bool sooner(const Candidate& a, const Candidate& b) {
        return a.score != b.score ? a.score > b.score : a.move < b.move;
    }
    std::optional<bool> peek_at_moves(Worker& worker, int payoff, const Turn& turn,
                                      std::vector<Candidate>& candidates, std::size_t& move);
    std::optional<bool> look_up(Worker& worker, int payoff, const Turn& turn,
                                std::vector<Candidate>& candidates, std::size_t& move);
    std::optional<bool> generate_candidates(Worker& worker, int payoff, const Turn& turn,
                                            std::vector<Candidate>& candidates, std::size_t& move);
    void credit(Player mover, const std::vector<Candidate>& candidates, std::size_t best);
    static void enter(Worker& worker, const Hash128& key, std::size_t depth);
    bool search(Worker& worker, int payoff, std::size_t depth);
    bool conclude(Worker& worker, const Hash128& key, Bounds bounds, int payoff, bool reached,
                  std::size_t move, std::uint64_t since);
    static void stay_within_limits(Worker& worker);
    void do_housekeeping(Worker& worker);
    void check_ancestors(Worker& worker, int payoff);
    [[nodiscard]] bool shared(const Worker& worker, std::size_t depth) const {
        if (workers_.size() < 2) return false;
        return depth >= worker.work.size() || worker.work[depth] >= least_shared_work;
    }
    void learn_work(Worker& worker, std::size_t depth, std::uint64_t since) const;
    void load();
    [[nodiscard]] bool saves() const {
        return !options_.checkpoint.empty() && (options_.partners == nullptr || options_.partners->first());
    }
    [[nodiscard]] static bool decides(const std::optional<Bounds>& bounds, int payoff) {
        return bounds && (bounds->low >= payoff || bounds->high < payoff);
    }

    [[nodiscard]] std::atomic<std::uint64_t>& busy(const Hash128& key) {
        return busy_[key.low % busy_.size()];
    }

    Player player_;
    ExactAlphaBetaOptions options_;
    BoundsTable table_;
    std::vector<Worker> workers_;
    std::unique_ptr<Safepoint> safepoint_;
    // By player and effect, shared by all threads: those that order moves alike find each other's results.
    std::vector<std::atomic<std::int32_t>> history_;
    std::vector<std::atomic<std::uint64_t>> busy_ = std::vector<std::atomic<std::uint64_t>>(1 << 14);
    std::atomic<bool> finished_ = false;
    std::atomic<std::uint64_t> used_ = 0;
    std::atomic<std::uint64_t> positions_ = 0;
    std::uint64_t positions_before_ = 0;  // searched before the checkpoint that is continued
    bool continued_ = false;
    BoundedOutbox<BoundsTable::Record> outbox_{256, 4096};
    Clock::time_point saved_ = Clock::now();
};

}  // namespace zermelo::game
