#include "game/search/proof_number-inl.hpp"

#include <gtest/gtest.h>

#include "game/alice_and_bob.hpp"
#include "support/random_tree.hpp"

namespace zermelo::game {
namespace {

void expect_the_answers_of_minimax(std::size_t games, const RandomShape& shape, std::size_t table_bytes) {
    for (std::uint64_t seed = 0; seed < games; ++seed) {
        const Listed listed = random_listed(seed, shape);
        ListedGame game(listed);
        ListedWalk walk(game);
        for (Player player = 0; player < listed.players; ++player) {
            const std::vector<Score> scores = scores_by_definition(listed, player);
            for (const int payoff : {draw, win}) {
                ProofNumberSearch search(walk, player, payoff, {.table_bytes = table_bytes});
                const ProofResult found = search.search();
                const bool proven = scores[0] >= Score::of_payoff(payoff);
                ASSERT_EQ(found.answer, proven ? Answer::proven : Answer::disproven)
                    << "seed " << seed << " player " << int{player} << " payoff " << payoff;
                const bool own = listed.positions[0].turn.player == player;
                ASSERT_EQ(found.best.has_value(), own == proven) << "seed " << seed;
                if (!found.best) continue;
                const std::uint32_t after = listed.positions[0].next[*found.best];
                ASSERT_EQ(scores[after] >= Score::of_payoff(payoff), proven) << "seed " << seed;
            }
        }
    }
}

TEST(ProofNumberSearch, EqualsMinimaxOnRandomTrees) {
    expect_the_answers_of_minimax(2000, {.positions = 60, .tree = true}, 1 << 14);
}

TEST(ProofNumberSearch, EqualsMinimaxOnRandomGraphsWithoutCircles) {
    expect_the_answers_of_minimax(2000, {.positions = 60}, 1 << 14);
}

TEST(ProofNumberSearch, AnswersRightWithATableOfFourPositions) {
    expect_the_answers_of_minimax(1000, {.positions = 30}, 0);
    expect_the_answers_of_minimax(500, {.positions = 40, .layers = true}, 0);
}

TEST(ProofNumberSearch, RefusesAGameInWhichAPositionComesAgain) {
    Listed listed;
    listed.add(alice);
    listed.add(1);
    listed.add_end(0);
    listed.positions[0].next = {1};
    listed.positions[1].next = {0};
    ListedGame game(listed);
    ListedWalk walk(game);
    ProofNumberSearch search(walk, alice, win, {.table_bytes = 0});
    try {
        (void)search.search();
        FAIL() << "a circle was not noticed";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("attractors"), std::string::npos) << error.what();
    }
    EXPECT_EQ(walk.state(), 0U);
}

// Random graphs with circles: whatever is answered is right. The oracle is the least fixpoint of what a
// player can force, so an endless play is good for neither.
TEST(ProofNumberSearch, IsNeverWrongOnGamesWithCircles) {
    std::size_t refused = 0;
    std::size_t answered = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Listed listed = random_listed(seed, {.positions = 30, .payoffs = {0, 100}});
        Random random(seed + 1);
        for (auto& position : listed.positions) {
            if (!position.turn.over() && random.chance(0.2)) {
                position.next.push_back(static_cast<std::uint32_t>(random.below(listed.positions.size())));
            }
        }
        std::vector<bool> forced(listed.positions.size(), false);
        std::vector<bool> prevented(listed.positions.size(), false);
        for (std::size_t round = 0; round < listed.positions.size(); ++round) {
            for (std::size_t s = 0; s < listed.positions.size(); ++s) {
                const auto& position = listed.positions[s];
                const auto in = [](const std::vector<bool>& set) {
                    return [&set](std::uint32_t to) { return set[to]; };
                };
                const auto& next = position.next;
                if (position.turn.over()) {
                    (position.payoff[alice] >= win ? forced : prevented)[s] = true;
                } else if (position.turn.player == alice) {
                    if (std::any_of(next.begin(), next.end(), in(forced))) forced[s] = true;
                    if (std::all_of(next.begin(), next.end(), in(prevented))) prevented[s] = true;
                } else {
                    if (std::all_of(next.begin(), next.end(), in(forced))) forced[s] = true;
                    if (std::any_of(next.begin(), next.end(), in(prevented))) prevented[s] = true;
                }
            }
        }
        ListedGame game(listed);
        ListedWalk walk(game);
        ProofNumberSearch search(walk, alice, win, {.table_bytes = 1 << 12});
        try {
            const Answer answer = search.search().answer;
            ++answered;
            ASSERT_EQ(answer == Answer::proven, forced[0]) << "seed " << seed;
            ASSERT_EQ(answer == Answer::disproven, prevented[0]) << "seed " << seed;
        } catch (const Error&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 50U);
    EXPECT_GT(answered, 50U);
}

TEST(ProofNumberSearch, SaysWhyItDoesNotKnow) {
    const Listed listed = random_listed(3, {.positions = 5000, .layers = true});
    ListedGame game(listed);
    ListedWalk walk(game);
    ProofNumberSearch search(walk, alice, win, {.limits = Limits(0.0, std::nullopt)});
    const ProofResult found = search.search();
    EXPECT_EQ(found.answer, Answer::unknown);
    EXPECT_EQ(found.stop, Stop::time);
    EXPECT_EQ(walk.state(), 0U);
}

TEST(ProofNumberSearch, RefusesAPlayThatIsTooLong) {
    Listed listed;
    for (int i = 0; i < 100; ++i) {
        listed.add(alice);
        listed.positions.back().next = {static_cast<std::uint32_t>(i + 1)};
    }
    listed.add_end(100);
    ListedGame game(listed);
    ListedWalk walk(game);
    ProofNumberSearch bounded(walk, alice, win, {.table_bytes = 0, .longest_play = 50});
    EXPECT_THROW((void)bounded.search(), Error);
    ProofNumberSearch roomy(walk, alice, win, {.table_bytes = 0, .longest_play = 100});
    EXPECT_EQ(roomy.search().answer, Answer::proven);
}

TEST(ProofNumberSearch, RefusesChanceAndSimultaneousMoves) {
    for (const Turn::Kind kind : {Turn::Kind::chance, Turn::Kind::simultaneous}) {
        Listed listed;
        listed.add(alice);
        listed.positions[0].next = {1};
        listed.positions.push_back({{kind, 0}, {}, {2}, 0});
        listed.add_end(100);
        ListedGame game(listed);
        ListedWalk walk(game);
        ProofNumberSearch search(walk, alice, win, {.table_bytes = 0});
        EXPECT_THROW((void)search.search(), Error);
    }
}

}  // namespace
}  // namespace zermelo::game
