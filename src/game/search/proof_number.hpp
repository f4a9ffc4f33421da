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

#include <optional>
#include <unordered_set>
#include <vector>

#include "core/limits.hpp"
#include "game/peek.hpp"
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

// Instantiated in proof_number.cpp for the walks of this room; for any other walk include
// proof_number-inl.hpp.
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
    static constexpr std::uint64_t positions_between_questions = 64;  // about limits

    // Proof and disproof number: seen from the player between positions, and from the side that moves within one.
    struct Numbers {
        Count prove = 1;
        Count refute = 1;
        [[nodiscard]] Numbers seen_by(bool own) const { return own ? *this : Numbers{refute, prove}; }
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
        Numbers numbers;  // seen from the side that moves in the position above
        Numbers asked{0, 0};
    };
    struct Stopped {};

    Entry solve(Numbers limit, std::size_t ply);
    Entry expand(Numbers limit, std::size_t ply);
    [[nodiscard]] std::vector<Successor> evaluate_successors();
    [[nodiscard]] Numbers after(std::size_t move);
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

}  // namespace zermelo::game
