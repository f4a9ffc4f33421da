// What the nodes of a plan show when it is drawn.

#include "catalogue/plan_picture.hpp"

#include <gtest/gtest.h>

#include "game/views/gdl_game.hpp"
#include "support/shipped.hpp"

namespace zermelo::catalogue {
namespace {

// A node for each position along a line, with the move of the line as its only one.
game::PlanGraph along(const gdl::Game& rules, const std::vector<std::string>& line) {
    game::GdlGame game(rules);
    game::PlanGraph plan;
    plan.root = 1;
    gdl::State state = game.initial();
    for (const std::string& made : line) {
        game.look(state);
        const bool last = plan.nodes.size() + 1 == line.size();
        const auto to =
            last ? game::PlanGraph::ended : static_cast<game::PlanGraph::Id>(plan.nodes.size() + 2);
        plan.nodes.push_back(
            {game.player_name(game.turn().player), game.state_name(state), {{{made}, to, {}}}});
        std::size_t move = 0;
        while (game.move_name(move) != made) ++move;
        gdl::State next = state;
        game.successor(move, next);
        state = next;
    }
    return plan;
}

TEST(PlanPicture, ANodeShowsItsBoardAndWhatTheMoveBeforeChanged) {
    const gdl::Game rules = shipped_game("tic-tac-toe");
    game::PlanGraph plan = along(rules, {"(mark 2 2)", "(mark 1 3)"});
    show_positions(plan, rules, {hints_beside(shipped("tic-tac-toe")), "fr"});
    EXPECT_EQ(plan.nodes[0].picture, "   1  2  3\n1  .  .  .\n2  .  .  .\n3  .  .  .\n");
    EXPECT_EQ(plan.nodes[1].picture, "   1  2  3\n1  .  .  .\n2  . [✕] .\n3  .  .  .\n");
    EXPECT_EQ(plan.nodes[0].edges[0].moves, (std::vector<std::string>{"marque 2 2"}));
    EXPECT_EQ(plan.nodes[1].player, "o");
}

TEST(PlanPicture, WithoutABoardANodeShowsTheFactsThatBecameTrue) {
    const gdl::Game rules = shipped_game("nim");
    game::PlanGraph plan = along(rules, {"(leave a 0)", "(leave b 0)"});
    show_positions(plan, rules, {});
    EXPECT_NE(plan.nodes[0].picture.find("(heap b "), std::string::npos) << plan.nodes[0].picture;
    EXPECT_NE(plan.nodes[1].picture.find("(heap a 0)\n"), std::string::npos) << plan.nodes[1].picture;
    EXPECT_EQ(plan.nodes[1].picture.find("(heap b "), std::string::npos) << plan.nodes[1].picture;
}

TEST(PlanPicture, AForcedMoveBelongsToWhoeverMakesIt) {
    const gdl::Game rules = shipped_game("nim");
    game::GdlGame game(rules);
    gdl::State state = game.initial();
    for (const std::string made : {"(leave a 0)", "(leave b 0)", "(leave c 1)"}) {
        game.look(state);
        std::size_t move = 0;
        while (game.move_name(move) != made) ++move;
        gdl::State next = state;
        game.successor(move, next);
        state = next;
    }
    game.look(state);
    ASSERT_EQ(game.moves(), 1U);
    game::PlanGraph plan;
    plan.root = 1;
    plan.nodes.push_back({game.player_name(game.turn().player),
                          game.state_name(state),
                          {{{game.move_name(0)}, game::PlanGraph::ended, {}}}});
    show_positions(plan, rules, {});
    EXPECT_EQ(plan.nodes[0].player, "bob");
    EXPECT_EQ(plan.nodes[0].edges[0].moves, (std::vector<std::string>{"(leave c 0)"}));
}

// The node that stands for those that are not drawn is none of the game's.
TEST(PlanPicture, WhatIsNotDrawnIsLeftAsItIs) {
    const gdl::Game rules = shipped_game("tic-tac-toe");
    game::PlanGraph plan = nearest_positions(along(rules, {"(mark 2 2)", "(mark 1 3)", "(mark 1 1)"}), 1);
    ASSERT_EQ(plan.nodes.size(), 2U);
    show_positions(plan, rules, {});
    EXPECT_EQ(plan.nodes[1].player, "… 2 more");
    EXPECT_EQ(plan.nodes[1].picture, "");
}

}  // namespace
}  // namespace zermelo::catalogue
