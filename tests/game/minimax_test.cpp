#include "game/search/minimax.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "game/alice_and_bob.hpp"
#include "support/random_tree.hpp"

namespace zermelo::game {
namespace {

// The subtraction game as an implicit graph: states are computed, not listed.
class Subtraction {
public:
    struct State {
        int matches = 0;
        Player player = alice;
    };
    explicit Subtraction(int matches) : first_{matches, alice}, at_(first_) {}

    [[nodiscard]] std::size_t players() const { return 2; }
    [[nodiscard]] State initial() const { return first_; }
    void look(const State& state) { at_ = state; }
    [[nodiscard]] Turn turn() const {
        return at_.matches == 1 ? Turn{} : Turn{Turn::Kind::player, at_.player};
    }
    [[nodiscard]] std::size_t moves() const { return static_cast<std::size_t>(std::min(3, at_.matches - 1)); }
    void successor(std::size_t move, State& out) const {
        out = {at_.matches - 1 - static_cast<int>(move), other(at_.player)};
    }
    [[nodiscard]] int payoff(Player player) const { return player == at_.player ? loss : win; }
    [[nodiscard]] Hash128 key(const State& state) const {
        Hasher hasher;
        hasher.add(static_cast<std::uint64_t>(state.matches) * 2 + state.player);
        return hasher.value();
    }
    [[nodiscard]] std::string player_name(Player player) const { return player == alice ? "Alice" : "Bob"; }
    [[nodiscard]] std::string move_name(std::size_t move) const { return std::to_string(move + 1); }
    [[nodiscard]] std::string state_name(const State& state) const { return std::to_string(state.matches); }

private:
    static Player other(Player player) { return player == alice ? bob : alice; }

    State first_;
    State at_;
};

static_assert(Game<Subtraction>);

MinimaxResult solve_subtraction(int matches, bool remember) {
    Subtraction game(matches);
    Walker<Subtraction> walk(game);
    return minimax(walk, alice, ZeroHeuristic{}, {.depth = matches, .remember = remember});
}

// How many calls MinMax makes when every order of moves is followed: one, and those of the successors.
std::uint64_t calls_of_the_tree(int matches) {
    std::uint64_t calls = 1;
    for (int taken = 1; taken <= 3 && matches - taken >= 1; ++taken)
        calls += calls_of_the_tree(matches - taken);
    return calls;
}

TEST(Minimax, BobWinsTheSubtractionGameWithThirteenMatches) {
    EXPECT_EQ(solve_subtraction(13, false).score, -Score::infinite());
    EXPECT_EQ(solve_subtraction(13, true).score, -Score::infinite());
}

TEST(Minimax, AliceWinsTheSubtractionGameUnlessTheMatchesAreOneMoreThanAMultipleOfFour) {
    for (int matches = 1; matches <= 16; ++matches) {
        const MinimaxResult plain = solve_subtraction(matches, false);
        const MinimaxResult remembering = solve_subtraction(matches, true);
        EXPECT_EQ(plain.score, matches % 4 == 1 ? -Score::infinite() : Score::infinite()) << matches;
        EXPECT_EQ(remembering.score, plain.score) << matches;
        if (matches % 4 != 1) {
            EXPECT_EQ(plain.best, static_cast<std::size_t>((matches + 3) % 4 - 1)) << matches;
        }
    }
}

TEST(Minimax, WithoutMemoryFollowsEveryOrderOfMoves) {
    const MinimaxResult result = solve_subtraction(13, false);
    EXPECT_EQ(result.calls, calls_of_the_tree(13));
    EXPECT_EQ(result.calls, 2031U);
    EXPECT_EQ(result.remembered, 0U);
    EXPECT_EQ(result.evaluations, 0U);
}

// With all the depth that is needed the depth left still tells positions apart, so count the pairs (position,
// depth left): each of them that is not over is expanded once.
TEST(Minimax, WithMemoryExpandsEachPositionOnceForEachDepth) {
    std::set<std::tuple<int, int>> met;  // matches and moves made; these two tell whose turn it is
    std::uint64_t calls = 0;
    const std::function<void(int, int)> visit = [&](int matches, int made) {
        ++calls;
        if (matches == 1 || !met.insert({matches, made}).second) return;
        for (int taken = 1; taken <= 3 && matches - taken >= 1; ++taken) visit(matches - taken, made + 1);
    };
    visit(13, 0);
    const MinimaxResult result = solve_subtraction(13, true);
    EXPECT_EQ(result.calls, calls);
    EXPECT_LT(result.calls, solve_subtraction(13, false).calls / 10);
    EXPECT_GT(result.remembered, 0U);
}

TEST(Minimax, AsksTheHeuristicWhereDepthRunsOutAndNowhereElse) {
    Subtraction game(13);
    Walker<Subtraction> walk(game);
    const auto matches_left = [](const Walker<Subtraction>& w, Player) { return Score(w.state().matches); };
    const MinimaxResult result = minimax(walk, alice, matches_left, {.depth = 2});
    // Alice takes one and leaves 12, Bob takes three; after two or three of Alice he leaves less.
    EXPECT_EQ(result.score, Score(9));
    EXPECT_EQ(result.best, 0U);
    EXPECT_EQ(result.evaluations, 9U);
    EXPECT_EQ(result.calls, 13U);
}

TEST(Minimax, EqualsTheDefinitionOnRandomGamesAtEveryDepth) {
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const Listed listed =
            random_listed(seed, {.positions = 30, .tree = seed % 2 == 0, .payoffs = {0, 30, 50, 100}});
        ListedGame game(listed);
        ListedWalk walk(game);
        for (Player player = 0; player < listed.players; ++player) {
            for (const int depth : {0, 1, 2, 3, 6}) {
                const Score expected = scores_by_definition(listed, player, depth).front();
                for (const bool remember : {false, true}) {
                    const auto found =
                        minimax(walk, player, Listing{listed}, {.depth = depth, .remember = remember});
                    ASSERT_EQ(text(found.score), text(expected))
                        << "seed " << seed << " player " << int{player} << " depth " << depth;
                }
            }
        }
    }
}

TEST(Minimax, LeavesTheWalkWhereItWasWhenALimitEndsIt) {
    Subtraction game(40);
    Walker<Subtraction> walk(game);
    const Limits limits(0.0, std::nullopt);
    EXPECT_THROW((void)minimax(walk, alice, ZeroHeuristic{}, {.depth = 40, .limits = limits}), LimitReached);
    EXPECT_EQ(walk.state().matches, 40);
}

TEST(Minimax, RefusesChanceAndSimultaneousMoves) {
    for (const Turn::Kind kind : {Turn::Kind::chance, Turn::Kind::simultaneous}) {
        Listed listed;
        listed.add(alice);
        listed.positions[0].next = {1};
        listed.positions.push_back({{kind, 0}, {}, {2}, 0});
        listed.add_end(100);
        ListedGame game(listed);
        ListedWalk walk(game);
        EXPECT_THROW((void)minimax(walk, alice, ZeroHeuristic{}, {.depth = 5}), Error);
    }
}

TEST(Score, OrdersPayoffsWithADrawAtZero) {
    EXPECT_EQ(Score::of_payoff(0), -Score::infinite());
    EXPECT_EQ(Score::of_payoff(50), Score(0));
    EXPECT_EQ(Score::of_payoff(100), Score::infinite());
    for (int payoff = 0; payoff < 100; ++payoff) {
        EXPECT_LT(Score::of_payoff(payoff), Score::of_payoff(payoff + 1));
    }
    EXPECT_LT(Score(std::numeric_limits<std::int64_t>::max()), Score::infinite());
    EXPECT_GT(Score(std::numeric_limits<std::int64_t>::min()), -Score::infinite());
}

}  // namespace
}  // namespace zermelo::game
