#include "scsp/mutex_groups.hpp"

#include <gtest/gtest.h>

#include <set>

#include "all_games.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/random_gdl.hpp"

namespace zermelo::scsp {
namespace {

std::set<std::set<std::string>> names(const gdl::Game& game, bool exact) {
    std::set<std::set<std::string>> result;
    for (const auto& group : find_mutex_groups(game.machine()).groups) {
        std::set<std::string> fluents;
        for (const auto f : group.fluents) fluents.insert(game.text(game.machine().network().fluents[f]));
        if (group.exact == exact) result.insert(fluents);
    }
    return result;
}

TEST(MutexGroups, CellsAndControlOfTicTacToeHaveOneValueEach) {
    const gdl::Game game(game_file("tic-tac-toe"));
    const auto found = names(game, true);
    EXPECT_EQ(found.size(), 10U);
    EXPECT_TRUE(found.contains({"(control x)", "(control o)"}));
    EXPECT_TRUE(found.contains({"(cell 2 3 x)", "(cell 2 3 o)", "(cell 2 3 blank)"}));
}

TEST(MutexGroups, AnEmptyCellIsNoneOfItsFluents) {
    const auto found = names(gdl::Game(game_file("connect-four")), false);
    EXPECT_EQ(found.size(), 42U);
    EXPECT_TRUE(found.contains({"(cell 4 1 yellow)", "(cell 4 1 red)"}));
}

// Random plays never see that the lamps can be lit together: it takes thirty right moves in a row.
TEST(MutexGroups, DoesNotBelieveWhatRandomPlaysSeem) {
    std::string rules = R"(
        (role r)
        (init (at 0)) (init (lamp red))
        (legal r on) (legal r off)
        (<= (next (lamp red)) (true (lamp red)))
        (<= (next (lamp green)) (true (at 30)))
        (<= (next (at 0)) (does r off))
        (<= (next (at ?m)) (does r on) (true (at ?n)) (succ ?n ?m))
        (<= terminal (true (lamp green)))
        (goal r 100)
    )";
    for (int n = 0; n < 30; ++n) rules += "(succ " + std::to_string(n) + " " + std::to_string(n + 1) + ")";
    const gdl::Game game(gdl::parse(rules, "lamps.kif"));
    const MutexGroups found = find_mutex_groups(game.machine());
    EXPECT_EQ(found.tried, 2U);
    ASSERT_EQ(found.groups.size(), 1U);
    EXPECT_EQ(found.groups[0].fluents.size(), 31U);
    EXPECT_FALSE(found.groups[0].exact);  // nothing follows thirty lamps on
}

// The lamps of a row are lit one after the other. That at most one number
// has been rung needs the fact that no lamp of a row is lit without the one before it.
TEST(MutexGroups, ANumberMayDependOnWhatNoLampIsLitWithout) {
    const gdl::Game game(gdl::parse(R"(
        (role r)
        (after 1 2) (after 2 3) (after 3 4)
        (colour red) (colour green)
        (init (rung 0))
        (<= (legal r (light ?c)) (colour ?c))
        (<= (lit ?n) (true (lamp ?n ?c)))
        (<= (free 1) (not (lit 1)))
        (<= (free ?m) (lit ?n) (after ?n ?m) (not (lit ?m)))
        (<= (next (lamp ?n ?c)) (true (lamp ?n ?c)))
        (<= (next (lamp ?n ?c)) (free ?n) (does r (light ?c)))
        (<= (next (rung ?n)) (free ?n))
        (<= terminal (true (lamp 4 ?c)))
        (goal r 100)
    )",
                                    "row.kif"));
    EXPECT_TRUE(names(game, false).contains({"(rung 0)", "(rung 1)", "(rung 2)", "(rung 3)", "(rung 4)"}) ||
                names(game, true).contains({"(rung 0)", "(rung 1)", "(rung 2)", "(rung 3)", "(rung 4)"}));
}

// The cheese of a player, and of the turn: sums of what lies in the room where the mouse comes.
TEST(MutexGroups, WhatThePlayersOfKaseklauHaveIsOneNumberEach) {
    const gdl::Game game(game_file("kaseklau"));
    const MutexGroups found = find_mutex_groups(game.machine());
    std::size_t sums = 0;
    std::size_t variables = game.machine().network().fluents.size();
    for (const auto& group : found.groups) {
        sums += group.fluents.size() == 61 ? 1 : 0;
        variables -= group.fluents.size() - 1;
    }
    EXPECT_EQ(sums, 3U);
    EXPECT_LE(variables, 25U);
}

TEST(MutexGroups, HoldsInAllStatesOfRandomGames) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const gdl::Game game(gdl::parse(random_gdl(seed), "random.kif"));
        const gdl::Machine& machine = game.machine();
        const MutexGroups found = find_mutex_groups(machine);
        gdl::Runner runner(machine);
        std::set<gdl::State> seen = {machine.initial()};
        std::vector<gdl::State> todo = {machine.initial()};
        while (!todo.empty()) {
            const gdl::State state = todo.back();
            todo.pop_back();
            for (const auto& group : found.groups) {
                const auto held = std::ranges::count_if(
                    group.fluents, [&](auto f) { return (state[f / 64] >> (f % 64) & 1) != 0; });
                ASSERT_TRUE(held == 1 || (held == 0 && !group.exact)) << "seed " << seed;
            }
            runner.load(state);
            for (const auto& joint : legal_joint_moves(machine, runner)) {
                runner.play(joint);
                gdl::State next;
                runner.next(next);
                if (seen.insert(next).second) todo.push_back(next);
            }
        }
    }
}

TEST(MutexGroups, HoldsInRandomPlaysOfAllGames) {
    for (const std::string& file : all_games()) {
        const gdl::Game game(file);
        const MutexGroups found = quick_mutex_groups(game.machine());
        for (std::uint64_t seed = 100; seed < 110; ++seed) {
            play_at_random(game.machine(), seed, 200, [&](const gdl::State& state) {
                for (const auto& group : found.groups) {
                    const auto held = std::ranges::count_if(
                        group.fluents, [&](auto f) { return (state[f / 64] >> (f % 64) & 1) != 0; });
                    ASSERT_TRUE(held == 1 || (held == 0 && !group.exact)) << file << " seed " << seed;
                }
            });
        }
    }
}

}  // namespace
}  // namespace zermelo::scsp
