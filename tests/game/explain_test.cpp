// Explanations: the line is best play, distances are right, and every reply, threat and forced move is named.

#include "game/explain/explain.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "game/connect_four.hpp"
#include "game/graph/values.hpp"
#include "support/random_graph.hpp"
#include "support/seeds.hpp"
#include "support/shipped.hpp"

namespace zermelo::game {
namespace {

const ExplainedMove& move_named(const ExplainedPosition& position, const std::string& name) {
    for (const ExplainedMove& move : position.moves) {
        if (move.move == name) return move;
    }
    throw std::runtime_error("there is no move " + name);
}

// Replays the line by the rules: every position of it has all legal moves, who wins hurries, who loses delays.
template <class Rules>
void expect_sound(const Rules& rules, const std::vector<std::string>& line, const Explanation& explanation) {
    std::vector<std::string> moves = line;
    for (std::size_t place = explanation.at; place < explanation.play.size(); ++place) {
        const ExplainedPosition& position = explanation.play[place];
        ASSERT_TRUE(position.solved) << place;
        SolveOptions asked;
        asked.engine = Engine::attractors;
        asked.symmetry = false;
        asked.every_move = true;
        asked.plans = false;
        asked.line = moves;
        const Solution solution = solve(rules, asked);
        EXPECT_EQ(position.values, solution.values) << place;
        EXPECT_EQ(position.left.value_or(0), solution.rank.value_or(0)) << place;
        ASSERT_EQ(position.moves.size(), solution.moves.size()) << place;
        for (const MoveReport& report : solution.moves) {
            if (position.forced) break;  // it may have another name
            const ExplainedMove& move = move_named(position, report.move);
            EXPECT_EQ(move.values, report.values) << report.move;
            EXPECT_EQ(move.best, report.best) << report.move;
            EXPECT_EQ(move.left.has_value(), report.rank.has_value()) << report.move;
            if (move.left) {
                EXPECT_EQ(*move.left, *report.rank + 1) << report.move;
            }
        }
        if (position.choice == Choice::over) break;
        if (position.left && place + 1 < explanation.play.size()) {
            EXPECT_EQ(explanation.play[place + 1].left.value() + 1, *position.left) << place;
        }
        moves.push_back(position.forced ? solution.moves.front().move : position.made);
    }
}

TEST(Explain, FollowsTicTacToeToTheEndAndNamesTheOnlyAnswer) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    const std::vector<std::string> line = {"(mark 2 2)", "(mark 1 2)", "(mark 1 1)"};
    ExplainOptions options;
    options.line = line;
    const Explanation explanation = explain(game, options);
    ASSERT_TRUE(explanation.complete);
    expect_sound(game, line, explanation);
    const ExplainedPosition& asked = explanation.asked();
    EXPECT_EQ(explanation.players[*asked.mover], "o");
    ASSERT_EQ(asked.threats.size(), 1U);
    EXPECT_EQ(asked.threats.front().move, "(mark 3 3)");
    EXPECT_EQ(asked.threats.front().answers, std::vector<std::string>{"(mark 3 3)"});
    EXPECT_EQ(asked.choice, Choice::only_answer);
    EXPECT_EQ(asked.moves.front().move, "(mark 3 3)") << "the longest defence";
    EXPECT_EQ(asked.moves.front().left, 4U);
    const ExplainedMove& careless = move_named(asked, "(mark 2 3)");
    EXPECT_EQ(careless.loses_to, "(mark 3 3)");
    EXPECT_EQ(careless.left, 2U);
    EXPECT_EQ(careless.answer, "(mark 3 3)");
    // Then x has two threats, and nothing answers both.
    const ExplainedPosition& fork = explanation.play[2];
    EXPECT_EQ(fork.choice, Choice::none_holds);
    EXPECT_EQ(fork.threats.size(), 2U);
    EXPECT_EQ(explanation.play.back().values, (std::vector{100, 0}));
}

TEST(Explain, TellsHowThePlayStoodAfterEveryMove) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    ExplainOptions options;
    options.line = {"(mark 2 2)", "(mark 1 2)", "(mark 1 1)"};
    options.history = true;
    const Explanation explanation = explain(game, options);
    ASSERT_EQ(explanation.at, 3U);
    const std::vector<std::vector<int>> values = {{50, 50}, {50, 50}, {100, 0}, {100, 0}};
    for (std::size_t place = 0; place < values.size(); ++place)
        EXPECT_EQ(explanation.play[place].values, values[place]) << place;
    EXPECT_EQ(explanation.play[1].made, "(mark 1 2)");
    EXPECT_FALSE(move_named(explanation.play[1], "(mark 1 2)").best);
    EXPECT_EQ(explanation.play[2].left, 5U);
}

TEST(Explain, FollowsConnectFour5x4ToTheEnd) {
    const gdl::Game game = connect_four(5, 4);
    const std::vector<std::string> line = {"(drop 3)", "(drop 2)", "(drop 3)", "(drop 1)"};
    ExplainOptions options;
    options.line = line;
    const Explanation explanation = explain(game, options);
    ASSERT_TRUE(explanation.complete);
    expect_sound(game, line, explanation);
}

TEST(Explain, NamesWhoeverReallyMovesWhereNobodyHasAChoice) {
    const gdl::Game game = shipped_game("nim");
    ExplainOptions options;
    options.line = {"(leave a 0)", "(leave b 0)", "(leave c 1)"};
    const Explanation explanation = explain(game, options);
    const ExplainedPosition& asked = explanation.asked();
    EXPECT_TRUE(asked.forced);
    EXPECT_EQ(explanation.players[*asked.mover], "bob");
    EXPECT_EQ(asked.moves.front().move, "(leave c 0)");
    EXPECT_EQ(asked.choice, Choice::only_move);
}

TEST(Explain, SearchesWhereTheStatesAreTooMany) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    ExplainOptions options;
    options.line = {"(mark 2 2)", "(mark 1 2)"};
    options.most_states = 10;  // the rest is listed a move later
    options.history = true;
    const Explanation searched = explain(game, options);
    ASSERT_TRUE(searched.complete);
    options.most_states = 100'000;
    const Explanation listed = explain(game, options);
    for (std::size_t place = 0; place <= searched.at; ++place) {
        const ExplainedPosition& position = searched.play[place];
        ASSERT_TRUE(position.solved) << place;
        EXPECT_EQ(position.values, listed.play[place].values) << place;
        for (const ExplainedMove& move : position.moves)
            EXPECT_EQ(move.values, move_named(listed.play[place], move.move).values) << move.move;
    }
}

TEST(Explain, AListingServesAllPlaysOfAGame) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    std::shared_ptr<const ListedStates> listing;
    ExplainOptions sharing;
    sharing.history = true;
    sharing.listing = &listing;
    (void)explain(game, sharing);
    ASSERT_NE(listing, nullptr);
    const auto listed = listing;
    sharing.most_states = 1;  // nothing could be listed anew
    ExplainOptions alone;
    alone.history = true;
    for (const auto& line : std::vector<std::vector<std::string>>{
             {}, {"(mark 1 1)"}, {"(mark 2 2)", "(mark 1 2)"}, {"(mark 3 1)", "(mark 2 2)", "(mark 1 3)"}}) {
        sharing.line = alone.line = line;
        EXPECT_EQ(to_json(explain(game, sharing)), to_json(explain(game, alone))) << line.size();
    }
    EXPECT_EQ(listing, listed);
}

TEST(Explain, SaysWhereNobodyCanForceMoreThanEndlessPlay) {
    Graph graph;
    graph.players = {"alice", "bob"};
    graph.outcomes = {{0, 100}};
    graph.label = {0, 1, Graph::ended};
    graph.start = {0, 2, 3, 3};
    graph.to = {1, 2, 0};
    graph.names = {"here", "there", "lost"};
    const Explanation explanation = explain(graph);
    EXPECT_TRUE(explanation.repeats);
    EXPECT_EQ(explanation.asked().values, (std::vector{50, 50}));
    EXPECT_EQ(explanation.asked().choice, Choice::only_good);
}

TEST(Explain, AgreesWithTheValuesOfRandomGraphs) {
    for (const auto seed : seeds(300)) {
        const Graph graph = random_graph(seed);
        const Explanation explanation = explain(graph);
        ASSERT_TRUE(explanation.complete) << "seed " << seed;
        const Values values = find_values(graph);
        ASSERT_EQ(explanation.asked().values, values.payoffs(graph.initial)) << "seed " << seed;
        for (const ExplainedPosition& position : explanation.play)
            ASSERT_EQ(position.values, explanation.asked().values)
                << "seed " << seed << ": best play keeps the value";
    }
}

TEST(Explain, RefusesMovesThatAreNone) {
    ExplainOptions options;
    options.line = {"(mark 9 9)"};
    EXPECT_THROW(std::ignore = explain(shipped_game("tic-tac-toe"), options), Error);
}

TEST(Explain, StopsAtALimit) {
    ExplainOptions options;
    options.limits = Limits(0.0, std::nullopt);
    const Explanation explanation = explain(shipped_game("connect-four"), options);
    EXPECT_FALSE(explanation.asked().solved);
    EXPECT_EQ(explanation.stop, Stop::time);
}

}  // namespace
}  // namespace zermelo::game
