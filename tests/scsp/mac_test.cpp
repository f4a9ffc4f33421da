#include "scsp/mac.hpp"

#include <gtest/gtest.h>

#include "gdl/syntax/parse.hpp"
#include "support/random_gdl.hpp"
#include "turns.hpp"

namespace zermelo::scsp {
namespace {

TEST(Mac, FindsTheLegalJointMovesAndNextStatesOfEveryGame) {
    for (const std::string& file : all_games()) {
        const gdl::Game game(file);
        const Turn turn(game.machine().network(), quick_mutex_groups(game.machine()));
        Filter filter(turn);
        Mac mac(filter, {.chance = chance_role(game.machine().network()), .thresholds = {}, .order = {}});
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
            play_at_random(game.machine(), seed, 25, [&](const gdl::State& state) {
                gdl::Runner runner(game.machine());
                runner.load(state);
                if (legal_joint_moves(game.machine(), runner).size() > 3000) return;
                expect_turn_of_machine(game, mac, state);
            });
            if (HasFailure()) return;
        }
    }
}

TEST(Mac, FindsTheSameOnRandomGames) {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        const gdl::Game game(gdl::parse(random_gdl(seed), "random.kif"));
        const Turn turn(game.machine().network(), find_mutex_groups(game.machine()));
        Filter filter(turn);
        Mac mac(filter, {});
        for (std::uint64_t play = 1; play <= 5; ++play) {
            play_at_random(game.machine(), play, 10,
                           [&](const gdl::State& state) { expect_turn_of_machine(game, mac, state); });
        }
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
}

// A threshold keeps the players' moves whose mean over chance, with 100 for games that go on, reaches it.
TEST(Mac, ThresholdsKeepWhatMayStillBeGoodEnough) {
    std::size_t refused = 0;
    for (const char* name : {"tic-tac-toe", "tic-tac-toe-2x2", "guess-dice", "dice-race", "monty-hall",
                             "matching-pennies", "subtraction", "rock-paper-scissors-once", "kuhn-poker"}) {
        const gdl::Game game(game_file(name));
        const gdl::Machine& machine = game.machine();
        const auto chance = chance_role(machine.network());
        const Turn turn(machine.network(), find_mutex_groups(machine));
        Filter filter(turn);
        for (const int threshold : {1, 30, 50, 67, 100}) {
            for (std::size_t role = 0; role < machine.roles(); ++role) {
                if (role == chance) continue;
                MacOptions options;
                options.chance = chance;
                options.thresholds.assign(machine.roles(), 0);
                options.thresholds[role] = threshold;
                Mac mac(filter, options);
                for (std::uint64_t seed = 1; seed <= 8; ++seed) {
                    play_at_random(machine, seed, 30, [&](const gdl::State& state) {
                        GoalSums sums = goal_sums(machine, role, state);
                        const std::size_t all = sums.size();
                        std::erase_if(sums, [&](const auto& entry) {
                            return entry.second.first < threshold * entry.second.second;
                        });
                        refused += all - sums.size();
                        GoalSums found;
                        mac.solve(state, [&](gdl::JointMove joint, std::span<const Outcome> outcomes) {
                            if (chance) joint[*chance] = 0;
                            auto& [sum, count] = found[joint];
                            for (const Outcome& outcome : outcomes)
                                sum += outcome.over ? std::max(outcome.goals[role], 0) : 100;
                            count += static_cast<int>(outcomes.size());
                            return true;
                        });
                        ASSERT_EQ(found, sums) << name << ", threshold " << threshold << ", seed " << seed;
                    });
                }
            }
        }
    }
    EXPECT_GT(refused, 100U);
}

TEST(Mac, TriesMovesInTheGivenOrderAndStopsWhenToldTo) {
    const gdl::Game game(game_file("tic-tac-toe"));
    const Turn turn(game.machine().network());
    Filter filter(turn);
    MacOptions options;
    options.order = [](std::size_t, std::vector<gdl::MoveId>& moves) { std::ranges::reverse(moves); };
    Mac mac(filter, options);
    std::vector<gdl::MoveId> tried;
    EXPECT_FALSE(mac.solve(game.machine().initial(), [&](const gdl::JointMove& joint, auto) {
        tried.push_back(joint[0]);
        return tried.size() < 3;
    }));
    ASSERT_EQ(tried.size(), 3U);
    EXPECT_TRUE(std::ranges::is_sorted(tried, std::greater<>()));
    EXPECT_EQ(mac.counts().solutions, 3U);
}

// Where chance has no choice, a threshold prunes before all players have moved: o must not let x complete a
// line, so no move of x that does is ever combined with anything.
TEST(Mac, FiltersThresholdsFromTheStartWhereThereIsNoChance) {
    const gdl::Game game(game_file("rock-paper-scissors-once"));
    const Turn turn(game.machine().network());
    Filter filter(turn);
    MacOptions options;
    options.thresholds = {100, 0};
    Mac mac(filter, options);
    mac.solve(game.machine().initial(), [](const auto&, auto) { return true; });
    EXPECT_EQ(mac.counts().solutions, 3U);  // each sign beats one
    EXPECT_EQ(mac.counts().rejected, 0U);   // the others were never completed
    EXPECT_EQ(mac.counts().nodes, 6U);
}

TEST(SharedInformation, IsProvenFromTheRulesOrSaysWhoSeesWhat) {
    const auto of = [](const std::string& name) {
        const gdl::Game game(game_file(name));
        return shared_information(game.machine().network(), find_mutex_groups(game.machine()));
    };
    EXPECT_TRUE(of("tic-tac-toe").shared);  // nobody sees anything but the moves
    EXPECT_TRUE(of("mastermind").shared);   // one player
    const gdl::Game kuhn(game_file("kuhn-poker"));
    const SharedInformation cards = shared_information(kuhn.machine().network());
    EXPECT_FALSE(cards.shared);
    EXPECT_NE(cards.seer, cards.other);
    EXPECT_NE(kuhn.text(cards.percept), "");

    // Both see the coin, written differently; then only one of them does.
    const std::string coin = R"((role a) (role b) (role random) (init start)
        (<= (legal a go) (true start)) (<= (legal b go) (true start))
        (<= (legal random ?s) (true start) (side ?s)) (side heads) (side tails)
        (<= (next (lies ?s)) (does random ?s))
        (<= (sees a up) (does random heads))
        (<= terminal (true (lies ?s)))
        (goal a 100) (goal b 100)
    )";
    const auto shared = [](const std::string& text) {
        const gdl::Game game(gdl::parse(text, "coin.kif"));
        return shared_information(game.machine().network()).shared;
    };
    EXPECT_TRUE(shared(coin + "(<= (sees b up) (true start) (not (does random tails)))"));
    EXPECT_FALSE(shared(coin + "(<= (sees b up) (does random tails))"));
    EXPECT_FALSE(shared(coin));
}

}  // namespace
}  // namespace zermelo::scsp
