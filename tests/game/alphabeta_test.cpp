#include "game/search/alphabeta-inl.hpp"

#include <gtest/gtest.h>

#include "game/alice_and_bob.hpp"
#include "game/search/minimax.hpp"
#include "support/random_tree.hpp"

namespace zermelo::game {
namespace {

constexpr int unlimited = 1000;

// Trees of the seed's section 2.3: Alice at the root, sides in turn, and numbers at the leaves, which are
// what the heuristic says where depth runs out.
class Drawing {
public:
    std::uint32_t leaf(int judgement, Player player) {
        const std::uint32_t s = listed.add(player, judgement);
        listed.positions[s].next = {over_};
        return s;
    }
    std::uint32_t node(Player player, std::vector<std::uint32_t> next) {
        const std::uint32_t s = listed.add(player);
        listed.positions[s].next = std::move(next);
        return s;
    }
    std::uint32_t max_of(std::vector<int> leaves) {
        std::vector<std::uint32_t> next;
        for (const int judgement : leaves) next.push_back(leaf(judgement, bob));
        return node(alice, std::move(next));
    }
    void root(std::vector<std::uint32_t> next) { listed.positions[0].next = std::move(next); }

    Listed listed = [] {
        Listed start;
        start.add(alice);
        return start;
    }();

private:
    std::uint32_t over_ = listed.add_end(50);
};

// Bob's first answer to Alice's second move is worth 1 at most, and her first move is worth 2 (example 2.8).
TEST(PlainAlphaBeta, GivesUpAMinimumAtOneAgainstAKnownTwo) {
    Drawing d;
    const auto left = d.node(bob, {d.max_of({2, 0}), d.max_of({3})});
    const auto star = d.max_of({3, 4});
    const auto right = d.node(bob, {d.max_of({1, -1}), star});
    d.root({left, right});
    ListedGame game(d.listed);
    ListedWalk walk(game);
    const auto whole = minimax(walk, alice, Listing{d.listed}, {.depth = 3});
    game.looks.assign(game.looks.size(), 0);
    const auto found = plain_alphabeta(walk, alice, Listing{d.listed}, 3);
    EXPECT_EQ(found.score, Score(2));
    EXPECT_EQ(whole.score, Score(2));
    EXPECT_EQ(whole.calls, 14U);
    EXPECT_EQ(found.calls, whole.calls - 3);  // the star and its two leaves
    EXPECT_EQ(game.looks[star], 0);
}

// Alice's second answer is worth 8 at least, and Bob already has one worth 2 (example 2.9).
TEST(PlainAlphaBeta, GivesUpAMaximumAtEightAgainstAKnownTwo) {
    Drawing d;
    const auto star = d.leaf(5, bob);
    const auto abandoned = d.node(alice, {d.leaf(8, bob), star});
    d.root({d.node(bob, {d.max_of({2, 0}), abandoned})});
    ListedGame game(d.listed);
    ListedWalk walk(game);
    const auto whole = minimax(walk, alice, Listing{d.listed}, {.depth = 3});
    game.looks.assign(game.looks.size(), 0);
    const auto found = plain_alphabeta(walk, alice, Listing{d.listed}, 3);
    EXPECT_EQ(found.score, Score(2));
    EXPECT_EQ(whole.calls, 8U);
    EXPECT_EQ(found.calls, whole.calls - 1);
    EXPECT_EQ(game.looks[star], 0);
    EXPECT_EQ(game.looks[abandoned], 1);
}

// Both in one tree, as in figure 9.
TEST(PlainAlphaBeta, SavesBothKindsOfCallsInOneTree) {
    Drawing d;
    const auto left = d.node(bob, {d.max_of({2, 0}), d.max_of({8, 5})});
    const auto right = d.node(bob, {d.max_of({1, -1}), d.max_of({3, 4})});
    d.root({left, right});
    ListedGame game(d.listed);
    ListedWalk walk(game);
    const auto found = plain_alphabeta(walk, alice, Listing{d.listed}, 3);
    EXPECT_EQ(found.score, Score(2));
    EXPECT_EQ(found.calls, 15U - 1 - 3);
    EXPECT_EQ(found.evaluations, 8U - 1 - 2);
}

// The bound of the root reaches a minimum three levels below; with v and +∞ passed down it would be
// forgotten.
TEST(PlainAlphaBeta, KeepsTheOuterBoundThreeLevelsDown) {
    Drawing d;
    const auto star = d.leaf(9, alice);
    const auto deep = d.node(bob, {d.leaf(1, alice), star});
    const auto middle = d.node(alice, {deep});
    const auto right = d.node(bob, {middle});
    d.root({d.leaf(5, bob), right});
    ListedGame game(d.listed);
    // The leaf beside the deep branch is an end of play worth as much at any depth.
    const auto end = d.listed.add_end(60);
    d.listed.positions[0].next[0] = end;
    game.looks.resize(d.listed.positions.size());
    ListedWalk walk(game);
    EXPECT_EQ(plain_alphabeta(walk, alice, Listing{d.listed}, 4).score, Score::of_payoff(60));
    EXPECT_EQ(game.looks[star], 0);
}

TEST(PlainAlphaBeta, EqualsMinimaxOnRandomGamesAndNeverCallsMore) {
    std::uint64_t saved = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Listed listed =
            random_listed(seed, {.positions = 40, .tree = seed % 2 == 0, .payoffs = {0, 20, 50, 70, 100}});
        ListedGame game(listed);
        ListedWalk walk(game);
        for (Player player = 0; player < listed.players; ++player) {
            for (const int depth : {1, 2, 4, 7}) {
                const auto whole = minimax(walk, player, Listing{listed}, {.depth = depth});
                const auto found = plain_alphabeta(walk, player, Listing{listed}, depth);
                ASSERT_EQ(text(found.score), text(whole.score))
                    << "seed " << seed << " player " << int{player} << " depth " << depth;
                ASSERT_LE(found.calls, whole.calls) << "seed " << seed << " depth " << depth;
                saved += whole.calls - found.calls;
            }
        }
    }
    EXPECT_GT(saved, 0U);
}

AlphaBetaOptions options_of(unsigned choice, int depth) {
    return {.most_depth = static_cast<std::uint16_t>(depth),
            .table_bytes = (choice & 32) != 0 ? std::size_t{0} : std::size_t{1} << 14,
            .deepen = (choice & 1) != 0,
            .table = (choice & 2) != 0,
            .killers = (choice & 4) != 0,
            .history = (choice & 8) != 0,
            .null_window = (choice & 16) != 0};
}

// With a table a position may be judged from further than asked for, so depths are compared where all ways to
// a position are equally long.
TEST(AlphaBeta, EqualsMinimaxAtEveryDepthWithAllOptionsOnAndOff) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const Listed listed = random_listed(seed, {.positions = 40,
                                                   .tree = seed % 2 == 0,
                                                   .layers = seed % 2 == 1,
                                                   .payoffs = {0, 20, 50, 70, 100}});
        ListedGame game(listed);
        ListedWalk walk(game);
        const auto player = static_cast<Player>(seed % listed.players);
        const int depth = 1 + static_cast<int>(seed % 7);
        const auto whole = minimax(walk, player, Listing{listed}, {.depth = depth, .remember = true});
        for (unsigned choice = 0; choice < 64; choice += 1 + static_cast<unsigned>(seed % 3)) {
            AlphaBeta search(walk, player, Listing{listed}, options_of(choice, depth));
            const auto found = search.search();
            ASSERT_EQ(text(found.score), text(whole.score))
                << "seed " << seed << " depth " << depth << " options " << choice;
            ASSERT_TRUE(found.best.has_value());
        }
    }
}

TEST(AlphaBeta, FindsTheExactScoreOfRandomGamesAndAMoveThatKeepsIt) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const Listed listed = random_listed(seed, {.positions = 50, .payoffs = {0, 20, 50, 100}});
        ListedGame game(listed);
        ListedWalk walk(game);
        const auto player = static_cast<Player>(seed % listed.players);
        const std::vector<Score> scores = scores_by_definition(listed, player);
        for (const unsigned choice : {31U, 63U, 29U, 15U}) {
            AlphaBeta search(walk, player, Listing{listed}, options_of(choice, unlimited));
            const auto found = search.search();
            ASSERT_TRUE(found.exact) << "seed " << seed << " options " << choice;
            ASSERT_EQ(text(found.score), text(scores[0])) << "seed " << seed << " options " << choice;
            ASSERT_EQ(found.best, found.variation.front());
            const std::uint32_t after = listed.positions[0].next[*found.best];
            ASSERT_EQ(text(scores[after]), text(scores[0])) << "seed " << seed;
            ASSERT_EQ(walk.state(), 0U);
        }
    }
}

TEST(AlphaBeta, NamesAVariationThatLeadsToItsScore) {
    std::size_t complete = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Listed listed = random_listed(seed, {.positions = 50, .payoffs = {20, 40, 50, 70}});
        ListedGame game(listed);
        ListedWalk walk(game);
        AlphaBeta search(walk, alice, Listing{listed}, options_of(31, unlimited));
        const auto found = search.search();
        std::uint32_t at = 0;
        for (const std::size_t move : found.variation) {
            ASSERT_LT(move, listed.positions[at].next.size()) << "seed " << seed;
            at = listed.positions[at].next[move];
        }
        ASSERT_EQ(text(scores_by_definition(listed, alice)[at]), text(found.score)) << "seed " << seed;
        if (listed.positions[at].turn.over()) ++complete;
    }
    EXPECT_GT(complete, 400U);
}

TEST(AlphaBeta, CallsFarLessThanMinimaxWithMemory) {
    std::uint64_t minimax_calls = 0;
    std::uint64_t calls = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Listed listed = random_listed(seed, {.positions = 2000});
        ListedGame game(listed);
        ListedWalk walk(game);
        minimax_calls += minimax(walk, alice, Listing{listed}, {.depth = 12, .remember = true}).calls;
        AlphaBeta search(walk, alice, Listing{listed}, {.most_depth = 12});
        calls += search.search().calls;
    }
    EXPECT_LT(calls, minimax_calls / 2);
}

// Alice can go round with Bob for ever, or lose.
TEST(AlphaBeta, CountsARepetitionOnThePathAsADrawAndDoesNotCallItExact) {
    Listed listed;
    listed.add(alice, -5);
    listed.add(bob, -5);
    listed.positions[0].next = {2, 1};
    listed.add_end(0);
    listed.positions[1].next = {0};
    ListedGame game(listed);
    ListedWalk walk(game);
    AlphaBeta search(walk, alice, Listing{listed}, {.table_bytes = 1000});
    const auto found = search.search();
    EXPECT_EQ(found.score, Score());
    EXPECT_EQ(found.best, 1U);
    EXPECT_FALSE(found.exact);
    EXPECT_LT(found.depth, 10);  // nothing is left to be seen further down
}

TEST(AlphaBeta, ProvesAWinThroughACircle) {
    Listed listed;
    listed.add(alice);
    listed.add(bob);
    listed.add(alice);
    listed.add_end(100);
    listed.positions[0].next = {1};
    listed.positions[1].next = {0, 2};
    listed.positions[2].next = {0, 3};
    // Bob may go back to the start, so this is a draw; from the third position Alice wins.
    ListedGame game(listed);
    ListedWalk start(game);
    AlphaBeta from_start(start, alice, Listing{listed}, {.table_bytes = 1000});
    EXPECT_EQ(from_start.search().score, Score());
    ListedWalk third(game, 2);
    AlphaBeta from_third(third, alice, Listing{listed}, {.table_bytes = 1000});
    const auto found = from_third.search();
    EXPECT_EQ(found.score, Score::infinite());
    EXPECT_TRUE(found.exact);
    EXPECT_EQ(found.best, 1U);
}

// Every move loses; the second takes longer.
TEST(AlphaBeta, PutsOffALossThatItCannotAvoid) {
    Listed listed;
    listed.add(alice);
    const auto soon = listed.add(bob);
    const auto later = listed.add(bob);
    const auto reply = listed.add(alice);
    const auto last = listed.add(bob);
    const auto lost = listed.add_end(0);
    listed.positions[0].next = {soon, later};
    listed.positions[soon].next = {lost};
    listed.positions[later].next = {reply};
    listed.positions[reply].next = {last};
    listed.positions[last].next = {lost};
    ListedGame game(listed);
    ListedWalk walk(game);
    AlphaBeta search(walk, alice, Listing{listed}, {.table_bytes = 1000});
    const auto found = search.search();
    EXPECT_EQ(found.score, -Score::infinite());
    EXPECT_TRUE(found.exact);
    EXPECT_EQ(found.best, 1U);
}

TEST(AlphaBeta, HasAMoveEvenWhenTheTimeIsOver) {
    Listed listed;  // one play, three moves long
    for (const std::uint32_t next : {1U, 2U, 3U}) {
        listed.add(alice);
        listed.positions.back().next = {next};
    }
    listed.add_end(100);
    ListedGame game(listed);
    ListedWalk walk(game);
    AlphaBeta search(walk, alice, Listing{listed}, {.table_bytes = 1000});
    const auto found = search.search(Limits(0.0, std::nullopt));
    EXPECT_EQ(found.best, 0U);
    EXPECT_EQ(found.depth, 1);
    EXPECT_FALSE(found.exact);
    EXPECT_EQ(found.stop, Stop::time);
    EXPECT_EQ(walk.state(), 0U);
}

TEST(AlphaBeta, SaysNothingButThePayoffWhenThePlayIsOver) {
    Listed listed;
    listed.add_end(100);
    ListedGame game(listed);
    ListedWalk walk(game);
    AlphaBeta search(walk, bob, Listing{listed}, {.table_bytes = 1000});
    const auto found = search.search();
    EXPECT_EQ(found.score, -Score::infinite());
    EXPECT_TRUE(found.exact);
    EXPECT_FALSE(found.best.has_value());
}

TEST(AlphaBeta, RefusesChanceAndSimultaneousMoves) {
    for (const Turn::Kind kind : {Turn::Kind::chance, Turn::Kind::simultaneous}) {
        Listed listed;
        listed.positions.push_back({{kind, 0}, {}, {1}, 0});
        listed.add_end(100);
        ListedGame game(listed);
        ListedWalk walk(game);
        AlphaBeta search(walk, alice, Listing{listed}, {.table_bytes = 1000});
        EXPECT_THROW(search.search(), Error);
        EXPECT_THROW((void)plain_alphabeta(walk, alice, Listing{listed}, 2), Error);
    }
}

}  // namespace
}  // namespace zermelo::game
