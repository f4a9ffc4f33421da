// Distributed breadth-first exploration by hash partitioning (Stern and Dill 1997): every reachable state is
// owned by the process that its hash names.
//
// It goes a level at a time. Every process expands its states of the level and sends their successors to the
// owners, in batches, while it receives what others send. Symmetric states are identified where the game has
// canonical forms.
//
// Memory is bounded. When more than half of the budget is taken and there is a folder, levels go there: first
// the moves, of which the current level needs none; and where the states have a ply counter
// (ply_counter.hpp), the states of all levels but the newest, too. A level that has more moves than memory is
// written in several pieces. So the budget must hold the widest level, or where there is no ply counter, all
// states.

#pragma once

#include <chrono>
#include <map>
#include <numeric>

#include "cluster/comm/exchange.hpp"
#include "cluster/retrograde/level_files.hpp"
#include "cluster/retrograde/ply_counter.hpp"
#include "core/random.hpp"
#include "game/explore/expand.hpp"

namespace zermelo::cluster {

struct Progress {
    const char* stage = "exploring";
    std::uint64_t states = 0;  // met by this process
    std::uint64_t level = 0;
};

struct ExploreOptions {
    Limits limits = {};       // of each process
    ShardId shards = 0;       // 0: enough for the processes
    std::string folder = {};  // where levels go; none: everything stays in memory
    bool keep = false;        // the folder is to be there for another run
    double seconds_between_saves = 60;
    std::size_t piece_bytes = std::size_t{32} << 20;  // worth a file of its own
    std::function<void(const Progress&)> progress = {};
    std::function<void(std::size_t level)> between_levels = {};  // called before a level is expanded
};

// The result of the exploration, as far as this process holds it.
struct Explored {
    Stop stop = Stop::none;  // why it is not complete
    bool needs_moves =
        false;  // given up: interests are not opposite, and then it matters who made which move
    bool continued = false;
    std::vector<std::string> players;
    Contents contents;  // agreed
    ShardLayout division;
    std::vector<Shard> shards;  // those of this process
    std::unique_ptr<LevelFiles> folder;
    std::vector<bool> stored;  // by level: its moves are in the folder and not here

    [[nodiscard]] Shard& shard(ShardId id) { return shards[id / division.processes]; }
    [[nodiscard]] const Shard& shard(ShardId id) const { return shards[id / division.processes]; }
    [[nodiscard]] bool holds(ShardId id, Rank rank) const { return division.holder(id) == rank; }
    [[nodiscard]] std::uint64_t states() const;  // of all processes
    [[nodiscard]] std::size_t bytes() const;     // of states and moves here
};

// The part of the exploration that does not depend on the kind of game.
class ExplorerBase {
public:
    ExplorerBase(Comm& comm, const ExploreOptions& options, Hash128 rules, std::size_t words,
                 std::vector<std::string> players, bool with_moves);

protected:
    static constexpr std::size_t states_per_question = 256;

    void begin(std::span<const std::uint64_t> root);
    [[nodiscard]] bool resume();
    void begin_level();  // moves that are delivered from now on lead to the next level
    void deliver(std::span<const std::byte> records);
    // Collective: the level is complete, or forgotten where anybody had to stop. Throws what failed anywhere.
    void end_level(const std::string& failure);
    [[nodiscard]] Label outcome(std::vector<int> payoffs);
    void now_and_then();
    void save();

    Comm& comm_;
    const ExploreOptions& options_;
    Explored result_;
    PlyCounter ply_counter_;
    std::uint64_t not_layered_ = 0;  // moves to states of earlier levels
    bool ply_counter_failed_ = false;
    Stop cut_ = Stop::none;      // why this process takes no more states of the level
    std::size_t expanding_ = 0;  // the level

private:
    using Time = Clock;

    // What all processes exchange about a level that has been expanded.
    struct Report {
        std::uint64_t stop;
        std::uint64_t failed;
        std::uint64_t met;  // states of the next level
        std::uint64_t moves;
        std::uint64_t new_outcomes;
        std::uint64_t backwards;  // moves to earlier levels, so far
        std::uint64_t ply_counter_failed;
        std::uint64_t in_pieces;  // moves of the next level are on the disk already
        std::uint64_t memory_short;
        std::uint64_t due;  // a checkpoint, as the first process decides
    };
    [[nodiscard]] Report report(bool failed) const;
    [[noreturn]] void tell_failure(const std::string& failure) const;
    void roll_back();
    void agree_on_outcomes();
    void load_states();
    void make_room(const Report& all);
    void forget_old_states();
    void write_levels();
    void write_moves_so_far();
    [[nodiscard]] bool memory_is_short(double part) const;

    std::map<std::vector<int>, Label> known_outcomes_;
    std::size_t agreed_outcomes_ = 0;
    std::size_t written_levels_ = 0;
    std::vector<game::RowBundle> incoming_;  // by shard here
    std::vector<std::vector<Origin>> incoming_origin_;
    Time::time_point saved_ = Time::now();
    Time::time_point reported_ = Time::now();
};

template <game::RowGame G>
class Explorer : private ExplorerBase {
public:
    Explorer(G& game, Comm& comm, const ExploreOptions& options, bool with_moves)
        : ExplorerBase(comm, options, fingerprint(game), game.row_words(), names(game), with_moves),
          game_(game) {}

    [[nodiscard]] static Hash128 fingerprint(const G& game) { return game.fingerprint(); }

    Explored run() {
        find_ply_counter();
        if (!resume()) {
            std::vector<std::uint64_t> root(game_.row_words());
            game_.pack(game_.initial(), root);
            begin(root);
        }
        while (!result_.contents.explored && !result_.needs_moves && result_.stop == Stop::none)
            expand_level();
        if (result_.stop != Stop::none && options_.keep) save();
        return std::move(result_);
    }

private:
    static std::vector<std::string> names(const G& game) {
        std::vector<std::string> all;
        for (std::size_t p = 0; p < game.players(); ++p)
            all.push_back(game.player_name(static_cast<game::Player>(p)));
        return all;
    }

    // The same plays in every process, so that all find the same ply counter.
    void find_ply_counter() {
        constexpr int plays = 400;
        constexpr int longest = 200;
        const std::size_t bits = 64 * game_.row_words();
        if (bits > PlyCounterBuilder::most_bits) return;
        PlyCounterBuilder maker(bits);
        Random random(1);
        std::vector<std::uint64_t> before(game_.row_words());
        std::vector<std::uint64_t> after(game_.row_words());
        typename G::State state;
        typename G::State next;
        for (int play = 0; play < plays && !maker.knows_enough(); ++play) {
            state = game_.initial();
            for (int move = 0; move < longest && !maker.knows_enough(); ++move) {
                game_.look(state);
                if (game_.turn().over() || game_.moves() == 0) break;
                game_.pack(state, before);
                game_.successor(random.below(game_.moves()), next);
                game_.pack(next, after);
                if (!maker.add(before, after)) return;
                state = next;
            }
        }
        ply_counter_ = maker.make();
    }

    void expand_level() {
        begin_level();
        if (options_.between_levels) options_.between_levels(expanding_);
        Exchange exchange(comm_, [this](Rank, std::span<const std::byte> records) { deliver(records); });
        std::string failure;
        try {
            if (const Stop stop = expand_states(exchange); stop != Stop::none) cut_ = stop;
        } catch (const Error& problem) {
            failure = problem.what();  // of the game; the others are told at the end of the level
        }
        exchange.finish();
        end_level(failure);
    }

    // Of each shard, states that are alike one after the other, because a game is quicker to look at when
    // little has changed since it was last looked at.
    Stop expand_states(Exchange& exchange) {
        std::vector<PlaceInShard> order;
        for (Shard& shard : result_.shards) {
            const PlaceInShard end = shard.level_end(expanding_);
            order.resize(end - shard.level_begin(expanding_));
            std::iota(order.begin(), order.end(), shard.level_begin(expanding_));
            std::ranges::sort(order, std::ranges::lexicographical_compare,
                              [&](PlaceInShard s) { return shard.row(s); });
            shard.label.resize(end);
            shard.degree.resize(end);
            for (std::size_t i = 0; i < order.size(); ++i) {
                if (i % states_per_question == 0) {
                    if (cut_ != Stop::none) return cut_;
                    if (const Stop stop = options_.limits.reached(); stop != Stop::none) return stop;
                    now_and_then();
                }
                expand(shard, order[i], exchange);
            }
        }
        return Stop::none;
    }

    void expand(Shard& shard, PlaceInShard s, Exchange& exchange) {
        const std::size_t words = game_.row_words();
        game_.unpack(shard.row(s), state_);
        game_.look(state_);
        const game::Turn turn = game_.turn();
        require_turns(turn, "solving");
        if (turn.over()) {
            std::vector<int> payoffs;
            for (std::size_t p = 0; p < game_.players(); ++p)
                payoffs.push_back(game_.payoff(static_cast<game::Player>(p)));
            shard.label[s] = outcome(std::move(payoffs));
            return;
        }
        const std::size_t moves = game_.moves();
        if (moves > 0xFFFF) throw Error("a state has more than 65,535 moves", "solve it in one process");
        shard.label[s] = turn.player;
        shard.degree[s] = static_cast<std::uint16_t>(moves);
        const std::uint64_t time =
            ply_counter_.exists() ? PlyCounter::after(ply_counter_.time(shard.row(s))) : 0;
        record_.resize(sizeof(Origin) + words * sizeof(std::uint64_t));
        for (std::size_t m = 0; m < moves; ++m) {
            game_.successor(m, next_);
            row_.clear();
            row_.add(game_, next_);
            if (ply_counter_.exists() && ply_counter_.time(row_.row(0)) != time) ply_counter_failed_ = true;
            const Origin origin{s, shard.id, static_cast<std::uint16_t>(m)};
            std::ranges::copy(std::as_bytes(std::span(&origin, 1)), record_.begin());
            std::ranges::copy(std::as_bytes(row_.row(0)), record_.begin() + sizeof(Origin));
            exchange.put(result_.division.holder(result_.division.shard_of(row_.hash(0))), record_);
        }
    }

    G& game_;
    typename G::State state_{};
    typename G::State next_{};
    game::RowBundle row_{game_.row_words()};
    Bytes record_;
};

}  // namespace zermelo::cluster
