#include "game/graph/regions.hpp"

#include <bit>

#include "game/parallel.hpp"

namespace zermelo::game {

namespace {

constexpr std::size_t states_a_word = 32;
constexpr std::size_t words_at_once = 1 << 11;                  // words
constexpr std::uint64_t lower_bits = 0x5555'5555'5555'5555ULL;  // the lower of the two bits of every state

// Forward rounds end when they get smaller and decide less than this part of what is open, and when each edge
// has been visited so often on average. A random graph of four moves a state is nearly finished after four.
constexpr std::uint64_t small_gain = 8;
constexpr std::uint64_t visits_per_edge = 8;

// The lower bit of every state that nobody has won.
std::uint64_t open_states(std::uint64_t won) { return ~(won | won >> 1) & lower_bits; }

// Decides open states from their successors, round by round, and finishes by retrograde analysis.
class RegionSearch {
public:
    RegionSearch(const Graph& graph, const Limits& limits, unsigned threads)
        : graph_(graph), limits_(limits), workers_{threads, limits, "while computing the winning regions"} {}

    Regions run() {
        set_up();
        std::uint64_t budget = visits_per_edge * (graph_.edges() + result_.won.size());
        std::uint64_t gained_before = 0;
        while (joined_ && budget >= open_edges_ + result_.won.size()) {
            budget -= open_edges_ + result_.won.size();
            const std::uint64_t before = open_edges_;
            run_forward_round();
            const std::uint64_t gained = before - open_edges_;
            if (gained < gained_before && gained < before / small_gain) break;
            gained_before = gained;
        }
        if (joined_) finish_retrograde();
        return std::move(result_);
    }

private:
    // work(word) for all of them; adds up the joined states and open edges that it reports.
    struct Tally {
        std::uint64_t joined = 0;
        std::uint64_t open_edges = 0;
    };
    template <class Work>
    void for_words(const Work& work) {
        std::atomic<std::uint64_t> joined{0};
        std::atomic<std::uint64_t> open_edges{0};
        parallel_for(workers_, result_.won.size(), words_at_once,
                     [&](unsigned worker, std::size_t begin, std::size_t end) {
                         Tally tally;
                         for (std::size_t word = begin; word < end; ++word) work(worker, word, tally);
                         joined += tally.joined;
                         open_edges += tally.open_edges;
                     });
        joined_ = joined != 0;
        open_edges_ = open_edges;
    }

    void set_up() {
        std::vector<unsigned> winner;  // by outcome, as bits
        for (const auto& payoffs : graph_.outcomes) {
            winner.push_back(payoffs[0] > payoffs[1] ? 1 : payoffs[0] < payoffs[1] ? 2 : 0);
        }
        result_.rank.resize(graph_.states());
        result_.won.resize((graph_.states() + states_a_word - 1) / states_a_word);
        next_.resize(result_.won.size());
        for_words([&](unsigned, std::size_t word, Tally& tally) {
            const std::size_t first = word * states_a_word;
            std::uint64_t won = 0;
            for (std::size_t i = 0; i < states_a_word; ++i) {
                const std::size_t s = first + i;
                // The places behind the last state are marked as decided, so that they are skipped.
                if (s >= graph_.states()) {
                    won |= std::uint64_t{3} << 2 * i;
                    continue;
                }
                const bool over = graph_.label[s] >= Graph::ended;
                const std::uint64_t bits = over ? winner[graph_.label[s] - Graph::ended] : 0;
                won |= bits << 2 * i;
                result_.rank[s] = bits != 0 ? 0 : outside();
                if (bits != 0) ++tally.joined;
                tally.open_edges += graph_.start[s + 1] - graph_.start[s];
            }
            result_.won[word] = won;
        });
    }

    // One round for both players: reads `won`, writes `next`.
    void run_forward_round() {
        ++round_;
        for_words([&](unsigned, std::size_t word, Tally& tally) {
            fetch(word);
            const std::uint64_t won = result_.won[word];
            std::uint64_t fresh = 0;
            for (std::uint64_t open = open_states(won); open != 0; open &= open - 1) {
                const auto shift = static_cast<unsigned>(std::countr_zero(open));
                const auto s = static_cast<StateId>(word * states_a_word + shift / 2);
                const std::uint64_t verdict = winner_from_successors(s);
                fresh |= verdict << shift;
                tally.open_edges += verdict == 0 ? graph_.start[s + 1] - graph_.start[s] : 0;
            }
            // Not in the loop above, which would wait at every state to learn whether it has joined.
            for (std::uint64_t rest = fresh; rest != 0; rest &= rest - 1) {
                result_.rank[word * states_a_word + static_cast<unsigned>(std::countr_zero(rest)) / 2] =
                    round_;
            }
            tally.joined += static_cast<unsigned>(std::popcount(fresh));
            next_[word] = won | fresh;
        });
        std::swap(result_.won, next_);
    }

    // Asks the memory for what the open states of the words to come will need: first for where their moves
    // are, then for the moves, then for what the moves lead to. A state that had to wait for all three in
    // turn would take longer than everything else.
    void fetch(std::size_t word) const {
        constexpr std::size_t far = 32;
        constexpr std::size_t near = 16;
        constexpr std::size_t next = 2;
        constexpr std::size_t states_a_line = 8;
        if (word + far >= result_.won.size()) return;
        if (open_states(result_.won[word + far]) != 0) {
            const std::size_t first = (word + far) * states_a_word;
            __builtin_prefetch(&graph_.label[first]);
            for (std::size_t i = 0; i < states_a_word; i += states_a_line) {
                __builtin_prefetch(&graph_.start[first + i]);
            }
        }
        for_open(word + near, [&](StateId s) { __builtin_prefetch(graph_.to.data() + graph_.start[s]); });
        for_open(word + next, [&](StateId s) {
            for (const StateId t : graph_.successors(s)) __builtin_prefetch(&result_.won[t / states_a_word]);
        });
    }

    template <class Visit>
    void for_open(std::size_t word, const Visit& visit) const {
        for (std::uint64_t open = open_states(result_.won[word]); open != 0; open &= open - 1) {
            visit(static_cast<StateId>(word * states_a_word +
                                       static_cast<unsigned>(std::countr_zero(open)) / 2));
        }
    }

    // Who wins, as bits, when only the successors are known: the mover if one of them is won by the mover,
    // the other if all are won by the other.
    [[nodiscard]] unsigned winner_from_successors(StateId s) const {
        const auto successors = graph_.successors(s);
        if (successors.empty()) return 0;
        std::uint64_t any = 0;
        std::uint64_t all = 3;
        for (const StateId t : successors) {
            const std::uint64_t bits = result_.won[t / states_a_word] >> (t % states_a_word * 2);
            any |= bits;
            all &= bits;
        }
        const unsigned mover = 1U << graph_.label[s];
        const auto lost = static_cast<unsigned>(all) & ~mover;
        return (any & mover) != 0 ? mover : lost;
    }

    void finish_retrograde() {
        const LargeVector<std::uint64_t> open = open_with_moves();
        const Predecessors predecessors(graph_, workers_.threads, limits_, open);
        LargeVector<std::uint32_t> needs(graph_.states());
        for (const Player player : {Player{0}, Player{1}}) {
            std::vector<StateId> frontier = count_needs(player, needs);
            Retrograde{predecessors, workers_.threads, limits_}.run(std::move(frontier), round_ + 1, needs,
                                                                    result_.rank);
            mark_joined(player);
        }
    }

    // A bit a state.
    [[nodiscard]] LargeVector<std::uint64_t> open_with_moves() const {
        constexpr std::size_t states_a_bit_word = 2 * states_a_word;
        LargeVector<std::uint64_t> result((result_.won.size() + 1) / 2);
        parallel_for(
            workers_, result.size(), words_at_once, [&](unsigned, std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    result[i] = 0;
                    for (std::size_t word = 2 * i; word < std::min(2 * i + 2, result_.won.size()); ++word) {
                        for_open(word, [&](StateId s) {
                            if (!graph_.over(s)) result[i] |= std::uint64_t{1} << s % states_a_bit_word;
                        });
                    }
                }
            });
        return result;
    }

    // The next round for one player, forwards; who does not join learns what it still needs.
    std::vector<StateId> count_needs(Player player, LargeVector<std::uint32_t>& needs) {
        PerWorker<StateId> joined(workers_);
        for_words([&](unsigned worker, std::size_t word, Tally&) {
            for_open(word, [&](StateId s) {
                const auto successors = graph_.successors(s);
                if (successors.empty()) return;
                std::uint32_t still_outside = 0;
                for (const StateId t : successors) still_outside += result_.winner(t) != player ? 1 : 0;
                const bool ours = graph_.label[s] == player;
                needs[s] = ours ? (still_outside == successors.size() ? 1 : 0) : still_outside;
                if (needs[s] != 0) return;
                result_.rank[s] = round_ + 1;
                joined[worker].push_back(s);
            });
        });
        return joined.take();
    }

    // Retrograde analysis wrote ranks; the open states that have one now are the player's.
    void mark_joined(Player player) {
        for_words([&](unsigned, std::size_t word, Tally&) {
            for (std::uint64_t open = open_states(result_.won[word]); open != 0; open &= open - 1) {
                const auto shift = static_cast<unsigned>(std::countr_zero(open));
                if (result_.rank[word * states_a_word + shift / 2] == outside()) continue;
                result_.won[word] |= (std::uint64_t{1} << player) << shift;
            }
        });
    }

    const Graph& graph_;
    const Limits& limits_;
    Workers workers_;
    Regions result_;
    LargeVector<std::uint64_t> next_;  // `won` after the round in work
    Rank round_ = 0;
    bool joined_ = false;           // whether anybody joined in the last round
    std::uint64_t open_edges_ = 0;  // moves of open states
};

}  // namespace

Regions regions(const Graph& graph, const Limits& limits, unsigned threads) {
    if (graph.players.size() != 2) {
        throw Error(
            "regions are for games of two players, but this game has " + std::to_string(graph.players.size()),
            "ask for the attractor of one player");
    }
    require_turns(graph, "the search for regions", threads, limits);
    return RegionSearch(graph, limits, threads).run();
}

std::uint32_t derived_move(const Graph& graph, const Regions& regions, StateId s) {
    if (graph.over(s)) return no_move();
    const Player player = graph.label[s];
    return derived_move(
        graph, [&](StateId t) { return regions.rank_for(player, t); }, player, s);
}

}  // namespace zermelo::game
