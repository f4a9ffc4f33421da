// Proof-number search (Allis, van der Meulen and van den Herik 1994): can a player force a payoff of at
// least so much?
//
// Every open position has two numbers: how much is left to do to prove it (that the player gets the payoff),
// and to disprove it. Search always goes where least is left in both. This is its depth-first form, df-pn
// (Nagai 2002): a position is searched until one of its numbers reaches a threshold that tells when a
// sibling has become more promising; numbers are kept in a bounded transposition table
// (transposition_table.hpp, worth: the positions searched below), and lost ones are found again. A new leaf
// starts with its number of moves, for the side that has to refute all of them, and 1 for the other.
//
// Where all successors must be refuted, their numbers are not added up, which would count what they share
// many times over: it is the greatest of them, and 1 for each other successor that is open (weak
// proof-number search, Ueda, Hashimoto, Hashimoto and Iida 2008).
//
// Two measures avoid repeated work. Thresholds leave a quarter of room above the second best sibling (the 1
// + ε trick, Pawlewicz and Lew 2006). And each position on the current path holds the numbers of its
// successors itself and never searches one of them again with lower thresholds than before: whatever the
// table loses, thresholds grow until the question is answered, so a table of any size will do.
//
// The answer is for plays that end. A position that repeats on one path is refused with an Error.

#pragma once

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "core/deep_stack.hpp"
#include "core/limits.hpp"
#include "game/search/scoped_move.hpp"
#include "game/search/transposition_table.hpp"

namespace zermelo::game {

enum class Answer { proven, disproven, unknown };

struct ProofOptions {
    std::size_t table_bytes = std::size_t{64} << 20;
    std::size_t longest_play = 20'000;  // a longer one is refused: its recursion would not fit the stack
    Limits limits = {};
};

struct ProofResult {
    Answer answer = Answer::unknown;
    // The move that does it, when it is the player's turn and proven, or not the player's turn and disproven.
    std::optional<std::size_t> best;
    Stop stop = Stop::none;        // why the answer is unknown
    std::uint64_t calls = 0;       // searches of a position
    std::uint64_t positions = 0;   // successors looked at
    std::uint64_t table_hits = 0;  // of these, known to the table
    std::size_t longest = 0;       // moves from the root
};

template <Walk W>
class ProofNumberSearch {
public:
    ProofNumberSearch(W& walk, Player player, int payoff, const ProofOptions& options = {})
        : walk_(walk), player_(player), payoff_(payoff), options_(options), table_(options.table_bytes) {}

    // From the current position of the walk. Throws Error where chance or several players at once move, or a
    // position repeats.
    ProofResult search();

private:
    using Count = std::uint32_t;
    static constexpr Count infinite = ~Count{0};

    // Proof and disproof number, seen from the side that moves.
    struct Numbers {
        Count prove = 1;
        Count refute = 1;
        [[nodiscard]] Numbers swapped() const { return {refute, prove}; }
        [[nodiscard]] bool below(const Numbers& limit) const {
            return prove < limit.prove && refute < limit.refute;
        }
    };
    struct Entry {
        Numbers numbers;
        std::uint32_t work = 0;
        [[nodiscard]] std::uint64_t worth() const { return work; }
    };
    struct Successor {
        Numbers numbers;  // seen from the position above
        Numbers asked{0, 0};
    };
    struct Stopped {};

    Entry solve(Numbers limit, std::size_t ply);
    Entry expand(Numbers limit, std::size_t ply);
    [[nodiscard]] std::vector<Successor> evaluate_successors();
    [[nodiscard]] Numbers first_numbers();
    [[nodiscard]] static Numbers combine(const std::vector<Successor>& successors);
    [[nodiscard]] static Count other_open(const std::vector<Successor>& successors);
    [[nodiscard]] static Numbers thresholds(const std::vector<Successor>& successors, std::size_t chosen,
                                            Numbers limit);
    [[nodiscard]] bool ours() const { return walk_.turn().player == player_; }
    void check(std::size_t ply);

    W& walk_;
    Player player_;
    int payoff_;
    ProofOptions options_;
    TranspositionTable<Entry> table_;
    std::unordered_set<Hash128, LowBitsHash> path_;
    ProofResult result_;
};

template <Walk W>
ProofResult ProofNumberSearch<W>::search() {
    result_ = {};
    path_.clear();
    table_.new_search();
    require_turns(walk_.turn(), "proof-number search");
    if (walk_.turn().over()) {
        result_.answer = walk_.payoff(player_) >= payoff_ ? Answer::proven : Answer::disproven;
        return result_;
    }
    const bool own = ours();
    try {
        with_deep_stack(options_.longest_play, [&] {
            const Numbers numbers = solve({infinite, infinite}, 0).numbers;
            result_.answer = (numbers.prove == 0) == own ? Answer::proven : Answer::disproven;
        });
    } catch (const Stopped&) {
        result_.stop = options_.limits.reached();
    }
    return result_;
}

template <Walk W>
void ProofNumberSearch<W>::check(std::size_t ply) {
    constexpr std::uint64_t calls_per_limit_check = 64;
    if (result_.calls % calls_per_limit_check == 0 && options_.limits.reached() != Stop::none)
        throw Stopped();
    if (ply > options_.longest_play) {
        throw Error(
            "proof-number search met a play of more than " + std::to_string(options_.longest_play) + " moves",
            "allow longer plays, or solve the game by attractors");
    }
    result_.longest = std::max(result_.longest, ply);
    ++result_.calls;
}

// Searches the position until one of its numbers reaches its limit.
template <Walk W>
auto ProofNumberSearch<W>::solve(Numbers limit, std::size_t ply) -> Entry {
    check(ply);
    const Hash128 key = walk_.key();
    if (!path_.insert(key).second) {
        throw Error(
            "proof-number search met the same position twice in one play, and a play could go on for ever",
            "solve the game by attractors, which can handle circles");
    }
    const Entry* known = table_.find(key);
    const bool search = ply == 0 || known == nullptr || known->numbers.below(limit);
    const Entry entry = search ? expand(limit, ply) : *known;
    path_.erase(key);
    if (search) table_.store(key, entry);
    return entry;
}

template <Walk W>
auto ProofNumberSearch<W>::expand(Numbers limit, std::size_t ply) -> Entry {
    const bool own = ours();
    std::uint64_t work = 1;
    std::vector<Successor> successors = evaluate_successors();
    Numbers here = combine(successors);
    while (here.below(limit)) {
        const auto easiest = std::min_element(
            successors.begin(), successors.end(),
            [](const Successor& a, const Successor& b) { return a.numbers.prove < b.numbers.prove; });
        const auto chosen = static_cast<std::size_t>(easiest - successors.begin());
        Numbers& asked = easiest->asked;
        const Numbers fresh = thresholds(successors, chosen, limit);
        asked = {std::max(asked.prove, fresh.prove), std::max(asked.refute, fresh.refute)};
        const ScopedMove step(walk_, chosen);
        const bool same_side = ours() == own;
        const Entry found = solve(same_side ? asked : asked.swapped(), ply + 1);
        easiest->numbers = same_side ? found.numbers : found.numbers.swapped();
        work += found.work;
        here = combine(successors);
    }
    if (ply == 0 && here.prove == 0) {
        const auto won = std::find_if(successors.begin(), successors.end(),
                                      [](const Successor& s) { return s.numbers.prove == 0; });
        result_.best = static_cast<std::size_t>(won - successors.begin());
    }
    return {here, static_cast<std::uint32_t>(std::min<std::uint64_t>(work, infinite))};
}

template <Walk W>
auto ProofNumberSearch<W>::evaluate_successors() -> std::vector<Successor> {
    const bool own = ours();
    std::vector<Successor> successors(walk_.moves());
    for (std::size_t move = 0; move < successors.size(); ++move) {
        const ScopedMove step(walk_, move);
        ++result_.positions;
        const Turn turn = walk_.turn();
        require_turns(turn, "proof-number search");
        Numbers& numbers = successors[move].numbers;
        if (turn.over()) {
            const bool good = (walk_.payoff(player_) >= payoff_) == own;
            numbers = good ? Numbers{0, infinite} : Numbers{infinite, 0};
        } else {
            numbers = ours() == own ? first_numbers() : first_numbers().swapped();
        }
        if (numbers.prove == 0) break;  // one proven successor is enough
    }
    return successors;
}

template <Walk W>
auto ProofNumberSearch<W>::first_numbers() -> Numbers {
    if (const Entry* known = table_.find(walk_.key())) {
        ++result_.table_hits;
        return known->numbers;
    }
    return {1, static_cast<Count>(std::min<std::size_t>(walk_.moves(), infinite - 1))};
}

// One proven successor is enough to prove; to disprove, all must be disproven.
template <Walk W>
auto ProofNumberSearch<W>::combine(const std::vector<Successor>& successors) -> Numbers {
    Count prove = infinite;
    Count hardest = 0;
    for (const Successor& s : successors) {
        prove = std::min(prove, s.numbers.prove);
        if (s.numbers.refute != infinite) hardest = std::max(hardest, s.numbers.refute);
    }
    if (prove == 0) return {0, infinite};
    if (hardest == 0) return {infinite, 0};
    return {prove, hardest + other_open(successors)};
}

template <Walk W>
auto ProofNumberSearch<W>::other_open(const std::vector<Successor>& successors) -> Count {
    const auto open = std::count_if(successors.begin(), successors.end(),
                                    [](const Successor& s) { return s.numbers.refute != 0; });
    return static_cast<Count>(open - 1);
}

// The thresholds of the chosen successor: it is searched until it is no longer the easiest to prove, or this
// position has become too hard to disprove.
template <Walk W>
auto ProofNumberSearch<W>::thresholds(const std::vector<Successor>& successors, std::size_t chosen,
                                      Numbers limit) -> Numbers {
    Count second = infinite;
    for (std::size_t i = 0; i < successors.size(); ++i) {
        if (i != chosen) second = std::min(second, successors[i].numbers.prove);
    }
    const std::uint64_t with_room = std::uint64_t{second} + second / 4 + 1;
    return {static_cast<Count>(std::min<std::uint64_t>(limit.prove, with_room)),
            limit.refute == infinite ? infinite : limit.refute - other_open(successors)};
}

}  // namespace zermelo::game
