// The induction step believes no group that is fed to it: what it does not refute is checked against every turn of the
// machine from every state that respects the assumptions.

#include "scsp/mutex/induction.hpp"

#include <gtest/gtest.h>

#include "all_games.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/random_gdl.hpp"

namespace zermelo::scsp {
namespace {

using Group = MutexGroups::Group;

std::size_t count_held(const MutexGroups& groups, const Group& group, const gdl::State& state,
                       std::size_t fluents) {
    return static_cast<std::size_t>(std::ranges::count_if(
        group.fluents, [&](std::uint32_t f) { return groups.holds(f, state, fluents); }));
}

bool respects(const MutexGroups& groups, const gdl::State& state, std::size_t fluents) {
    return std::ranges::all_of(groups.groups, [&](const Group& group) {
        const std::size_t held = count_held(groups, group, state, fluents);
        return held == 1 || (held == 0 && !group.exact);
    });
}

std::uint32_t fluent(const gdl::Game& game, const std::string& text) {
    const auto& fluents = game.machine().network().fluents;
    for (std::uint32_t f = 0; f < fluents.size(); ++f) {
        if (game.text(fluents[f]) == text) return f;
    }
    throw std::logic_error("there is no fluent " + text);
}

Group group_of(const gdl::Game& game, const std::vector<std::string>& texts, bool exact) {
    Group group;
    for (const std::string& text : texts) group.fluents.push_back(fluent(game, text));
    std::ranges::sort(group.fluents);
    group.exact = exact;
    return group;
}

// What the turns of the machine do to a group that the induction looked at.
void expect_kept(const MutexInduction& induction, const MutexGroups& groups, const gdl::State& next,
                 std::size_t fluents, const std::string& what) {
    for (std::size_t g = 0; g < groups.groups.size(); ++g) {
        if (!induction.unproven()[g].empty()) continue;
        const std::size_t held = count_held(groups, groups.groups[g], next, fluents);
        ASSERT_LE(held, 1U) << what << ", group " << g;
        ASSERT_TRUE(held == 1 || !induction.exact()[g]) << what << ", group " << g;
    }
}

using Turns = std::vector<std::pair<gdl::State, Moves>>;

Turns turns_of(const gdl::Game& game, const std::vector<gdl::State>& states) {
    Turns turns;
    for (const gdl::State& state : states) turns.emplace_back(state, by_machine(game.machine(), state));
    return turns;
}

// All turns from those states that respect the groups.
void expect_sound(const MutexGroups& groups, const MutexInduction& induction, const Turns& turns,
                  std::size_t fluents, const std::string& what) {
    for (const auto& [state, moves] : turns) {
        if (!respects(groups, state, fluents)) continue;
        for (const auto& [joint, next] : moves) expect_kept(induction, groups, next, fluents, what);
    }
}

TEST(MutexInduction, RejectsWrongGroupsOfTicTacToeAndKeepsTheOthers) {
    const gdl::Game game(game_file("tic-tac-toe"));
    MutexGroups groups = find_mutex_groups(game.machine());
    const std::size_t right = groups.groups.size();
    for (auto& group : groups.groups) ASSERT_TRUE(group.exact);
    groups.groups.push_back(group_of(game, {"(cell 1 1 x)", "(cell 3 3 x)"}, false));  // both may be marked
    groups.groups.push_back(
        group_of(game, {"(cell 1 1 blank)", "(cell 2 2 blank)"}, true));  // neither, once it is marked
    groups.groups.push_back(group_of(game, {"(cell 2 2 o)", "(control x)"}, false));   // after o has marked
    groups.groups.push_back(group_of(game, {"(cell 1 2 x)", "(cell 1 2 o)"}, false));  // right
    MutexInduction induction(game.machine().network(), groups, 0, {});
    ASSERT_TRUE(induction.run());
    for (std::size_t g = 0; g < right; ++g) {
        EXPECT_TRUE(induction.unproven()[g].empty()) << g;
        EXPECT_TRUE(induction.exact()[g]) << g;
    }
    EXPECT_EQ(induction.unproven()[right].size(), 1U);
    EXPECT_TRUE(induction.unproven()[right + 1].empty());
    EXPECT_FALSE(induction.exact()[right + 1]);
    EXPECT_EQ(induction.unproven()[right + 2].size(), 1U);
    EXPECT_TRUE(induction.unproven()[right + 3].empty());
}

// In these games two fluents of different relations or places are drawn together.
TEST(MutexInduction, IsNotTakenInByGroupsOfShippedGames) {
    std::size_t rejected = 0;
    for (const char* name : {"tic-tac-toe", "connect-four", "nim", "subtraction", "dice-race", "guess-dice",
                             "four-in-turn", "kuhn-poker", "monty-hall", "eight-puzzle", "hex-small"}) {
        const gdl::Game game(game_file(name));
        const MutexGroups right = find_mutex_groups(game.machine());
        std::vector<gdl::State> states;
        for (std::uint64_t seed = 1; seed <= 3; ++seed)
            play_at_random(game.machine(), seed, 40, [&](const gdl::State& s) { states.push_back(s); });
        const Turns turns = turns_of(game, states);
        Random random(7);
        for (int draw = 0; draw < 5; ++draw) {
            MutexGroups groups = right;
            for (int i = 0; i < 4; ++i) {
                std::set<std::uint32_t> fluents;
                for (int f = 0; f < 3; ++f)
                    fluents.insert(
                        static_cast<std::uint32_t>(random.below(game.machine().network().fluents.size())));
                groups.groups.push_back({{fluents.begin(), fluents.end()}, random.chance(0.2)});
            }
            MutexInduction induction(game.machine().network(), groups, 0, {});
            ASSERT_TRUE(induction.run());
            expect_sound(groups, induction, turns, game.machine().network().fluents.size(), name);
            for (const auto& pairs : induction.unproven()) rejected += pairs.empty() ? 0 : 1;
        }
    }
    EXPECT_GT(rejected, 100U);
}

MutexGroups random_groups(Random& random, std::size_t fluents) {
    MutexGroups groups;
    const auto count = random.between(1, 5);
    for (std::int64_t i = 0; i < count; ++i) {
        Group group;
        for (std::uint32_t f = 0; f < fluents; ++f) {
            if (random.chance(0.35)) group.fluents.push_back(f);
        }
        group.exact = random.chance(0.3);
        if (group.fluents.size() > 1) groups.groups.push_back(std::move(group));
    }
    return groups;
}

// From states that need not be reachable: all of them, or 500.
TEST(MutexInduction, WhatItProvesHoldsAfterEveryTurnOfRandomGames) {
    std::size_t proven = 0;
    std::size_t rejected = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const gdl::Game game(gdl::parse(random_gdl(seed), "random.kif"));
        const std::size_t fluents = game.machine().network().fluents.size();
        Random random(seed);
        std::vector<gdl::State> states;
        for (std::uint64_t i = 0; i < 500 && i < std::uint64_t{1} << fluents; ++i)
            states.push_back({fluents < 9 ? i : random.below(std::uint64_t{1} << fluents)});
        const Turns turns = turns_of(game, states);
        for (int draw = 0; draw < 4; ++draw) {
            const MutexGroups groups = random_groups(random, fluents);
            MutexInduction induction(game.machine().network(), groups, 0, {});
            ASSERT_TRUE(induction.run());
            expect_sound(groups, induction, turns, fluents, "seed " + std::to_string(seed));
            if (HasFatalFailure()) return;
            for (const auto& pairs : induction.unproven()) ++(pairs.empty() ? proven : rejected);
        }
    }
    EXPECT_GT(proven, 100U);
    EXPECT_GT(rejected, 100U);
}

// Groups of which some members are conjunctions of two or three fluents and their negations.
MutexGroups random_groups_with_conditions(Random& random, std::size_t fluents) {
    MutexGroups groups = random_groups(random, fluents);
    for (auto& group : groups.groups) {
        while (random.chance(0.6)) {
            MutexGroups::Condition condition;
            const auto first = static_cast<std::uint32_t>(random.below(fluents));
            const auto count = static_cast<std::uint32_t>(random.between(2, 3));
            for (std::uint32_t i = 0; i < count && i < fluents; ++i)
                condition.emplace_back(static_cast<std::uint32_t>(1 + (first + i) % fluents),
                                       random.chance(0.5));
            group.fluents.push_back(static_cast<std::uint32_t>(fluents + groups.conditions.size()));
            groups.conditions.push_back(std::move(condition));
        }
    }
    return groups;
}

// The same with conditions, and with cases of the values of groups.
TEST(MutexInduction, WhatItProvesWithConditionsHoldsAfterEveryTurnOfRandomGames) {
    std::size_t proven = 0;
    std::size_t more = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const gdl::Game game(gdl::parse(random_gdl(seed), "random.kif"));
        const std::size_t fluents = game.machine().network().fluents.size();
        Random random(seed);
        std::vector<gdl::State> states;
        for (std::uint64_t i = 0; i < 500 && i < std::uint64_t{1} << fluents; ++i)
            states.push_back({fluents < 9 ? i : random.below(std::uint64_t{1} << fluents)});
        const Turns turns = turns_of(game, states);
        for (int draw = 0; draw < 4; ++draw) {
            const MutexGroups groups = random_groups_with_conditions(random, fluents);
            const MutexGroupsOptions hasty{.most_nodes_a_pair = 1, .most_nodes = 2};
            MutexInduction plain(game.machine().network(), groups, 0, hasty);
            MutexInduction by_value(game.machine().network(), groups, 0, hasty, true);
            ASSERT_TRUE(plain.run());
            ASSERT_TRUE(by_value.run());
            const std::string what = "seed " + std::to_string(seed);
            expect_sound(groups, plain, turns, fluents, what);
            expect_sound(groups, by_value, turns, fluents, what);
            if (HasFatalFailure()) return;
            for (std::size_t g = 0; g < groups.groups.size(); ++g) {
                proven += by_value.unproven()[g].empty() ? 1 : 0;
                more += by_value.unproven()[g].empty() && !plain.unproven()[g].empty() ? 1 : 0;
            }
        }
    }
    EXPECT_GT(proven, 100U);
    EXPECT_GT(more, 0U);
}

}  // namespace
}  // namespace zermelo::scsp
