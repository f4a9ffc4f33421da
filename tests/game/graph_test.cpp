#include "game/graph/graph.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/random_graph.hpp"

namespace zermelo::game {
namespace {

Graph from_json(const std::string& text) {
    std::istringstream in(text);
    return read_graph_json(in, "g.json");
}

Graph from_dot(const std::string& text) {
    std::istringstream in(text);
    return read_graph_dot(in, "g.dot");
}

std::string to_json(const Graph& graph) {
    std::ostringstream out;
    write_graph_json(out, graph);
    return out.str();
}

std::string to_dot(const Graph& graph) {
    std::ostringstream out;
    write_graph_dot(out, graph);
    return out.str();
}

template <class Read>
std::string reading_complaint(const Read& read, const std::string& text) {
    try {
        (void)read(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no complaint";
}

// A JSON graph with these states.
std::string with_states(const std::string& states, const std::string& players = R"(["Alice", "Bob"])") {
    return R"({"format": "zermelo-graph", "version": 1, "players": )" + players +
           R"(, "initial": "s", "states": [)" + states + "]}";
}

std::string with_nodes(const std::string& nodes) {
    return "digraph {\n players=\"Alice,Bob\"; initial=s;\n" + nodes + "\n}\n";
}

TEST(Graph, IsReadFromJson) {
    const Graph graph = from_json(with_states(R"(
        {"name": "s", "player": "Alice", "moves": ["z", {"to": "t", "name": "a"}, "t"]},
        {"name": "t", "winner": "Bob"}, {"name": "z"}, {"name": "p", "payoffs": [70, 30]},
        {"name": "c", "player": "chance", "moves": ["s"]})"));
    EXPECT_EQ(graph.players, (std::vector<std::string>{"Alice", "Bob"}));
    EXPECT_EQ(graph.states(), 5U);
    EXPECT_EQ(graph.initial, 0U);
    EXPECT_EQ(graph.turn(0), (Turn{Turn::Kind::player, 0}));
    EXPECT_EQ(graph.turn(4).kind, Turn::Kind::chance);
    EXPECT_TRUE(graph.turn(1).over());
    EXPECT_EQ(graph.payoffs(1), (std::vector<int>{0, 100}));
    EXPECT_EQ(graph.payoffs(2), (std::vector<int>{50, 50}));
    EXPECT_EQ(graph.payoffs(3), (std::vector<int>{70, 30}));
}

TEST(Graph, HasItsMovesInBytewiseOrderOfTheirNames) {
    const Graph graph = from_json(with_states(R"(
        {"name": "s", "player": "Alice", "moves": ["z", {"to": "t", "name": "b"}, {"to": "z", "name": "b"}, "Z", "t"]},
        {"name": "t"}, {"name": "z"}, {"name": "Z"})"));
    EXPECT_EQ(std::vector<StateId>(graph.to.begin(), graph.to.end()), (std::vector<StateId>{3, 1, 2, 1, 2}));
    GraphGame game(graph);
    game.look(0);
    std::vector<std::string> names;
    for (std::size_t move = 0; move < game.moves(); ++move) names.push_back(game.move_name(move));
    EXPECT_EQ(names, (std::vector<std::string>{"Z", "b", "b", "t", "z"}));
}

TEST(Graph, PaysNothingForADrawToAPlayerWhoIsAlone) {
    const Graph graph = from_json(with_states(R"({"name": "s"})", R"(["Robot"])"));
    EXPECT_EQ(graph.payoffs(0), std::vector<int>{0});
}

TEST(Graph, IsReadFromDot) {
    const Graph graph = from_dot(R"(digraph {
        // a comment
        players="Alice, Bob"; initial=b; comment="two words";
        node [player=Bob];
        a [player=Alice];
        a -> b [label="over"]; a -> b; b -> { w x };
        w [winner=Alice]; x [payoffs="10,90"];
        subgraph cluster_1 { y [player=chance]; y -> a }
    })");
    EXPECT_EQ(graph.description, "two words");
    EXPECT_EQ(graph.players, (std::vector<std::string>{"Alice", "Bob"}));
    EXPECT_EQ(graph.names, (std::vector<std::string>{"a", "b", "w", "x", "y"}));
    EXPECT_EQ(graph.initial, 1U);
    EXPECT_EQ(graph.turn(1), (Turn{Turn::Kind::player, 1}));
    EXPECT_EQ(graph.turn(4).kind, Turn::Kind::chance);
    EXPECT_EQ(graph.successors(0).size(), 2U);
    EXPECT_EQ(graph.move_name(0), "b");
    EXPECT_EQ(graph.move_name(1), "over");
    EXPECT_EQ(graph.payoffs(2), (std::vector<int>{100, 0}));
    EXPECT_EQ(graph.payoffs(3), (std::vector<int>{10, 90}));
}

TEST(Graph, ShippedOnesComeBackFromBothFormats) {
    std::size_t graphs = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(ZERMELO_SOURCE_DIR) + "/games/graphs")) {
        if (entry.path().string().ends_with(".hints.json"))
            continue;  // how the page shows the graph beside it
        const Graph graph = read_graph(entry.path().string());
        EXPECT_EQ(from_json(to_json(graph)), graph) << entry.path();
        EXPECT_EQ(from_dot(to_dot(graph)), graph) << entry.path();
        EXPECT_FALSE(graph.description.empty()) << entry.path();
        ++graphs;
    }
    EXPECT_GE(graphs, 5U);
}

TEST(Graph, RandomOnesComeBackFromBothFormats) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        // Reading sorts the moves, so what has been read once comes back.
        Graph graph = random_graph(seed, 1 + seed % 4);
        if (seed % 5 == 0) graph.label[0] = graph.over(0) ? graph.label[0] : Graph::chance;
        graph = from_json(to_json(graph));
        ASSERT_EQ(from_json(to_json(graph)), graph) << "seed " << seed;
        ASSERT_EQ(from_dot(to_dot(graph)), graph) << "seed " << seed;
    }
}

// Both a state and a move are called so.
Graph with_name(const std::string& name) {
    const std::string quoted = nlohmann::json(name).dump();
    return from_json(with_states(fmt::format(
        R"({{"name": "s", "player": "Bob", "moves": [{0}, {{"to": "s", "name": {0}}}]}}, {{"name": {0}}})",
        quoted)));
}

TEST(Graph, KeepsStrangeNames) {
    for (const std::string name :
         {"\"", "a b", "->", "node", "é 漢", "a\nb", "a\\b", "<b>", "\\\\", "\\\\\"", "//", "\t"}) {
        const Graph graph = with_name(name);
        EXPECT_EQ(from_json(to_json(graph)), graph) << name;
        EXPECT_EQ(from_dot(to_dot(graph)), graph) << name;
    }
}

TEST(Graph, RefusesToWriteNamesThatDotCannotSay) {
    for (const std::string name : {"\\", "a\\\"", "\\\\\\", "\\\n", "\n", "%0"}) {
        const Graph graph = with_name(name);
        EXPECT_EQ(from_json(to_json(graph)), graph) << name;
        EXPECT_THROW((void)to_dot(graph), Error) << name;
    }
}

TEST(Graph, SaysWhereJsonIsBroken) {
    EXPECT_NE(reading_complaint(from_json, "{\n  \"format\": ,\n}").find("g.json:2:13: this is not JSON"),
              std::string::npos);
    EXPECT_NE(reading_complaint(from_json, "").find("g.json:1:1: "), std::string::npos);
    EXPECT_NE(reading_complaint(from_json, "{\"format\": \"\xff\"}").find("g.json:1:"), std::string::npos);
    EXPECT_NE(reading_complaint(from_json, std::string(100'000, '[')).find("nested too deeply"),
              std::string::npos);
    EXPECT_NE(
        reading_complaint(from_json, "{\"players\": " + std::string(100'000, '[')).find("nested too deeply"),
        std::string::npos);
}

TEST(Graph, SaysWhatIsWrongInJson) {
    const std::pair<std::string, std::string> cases[] = {
        {"[]", "this should be an object"},
        {"{}", "/format"},
        {R"({"format": "zermelo-graph"})", "/version"},
        {R"({"format": "zermelo-graph", "version": 2})", "/version: this version of the format is unknown"},
        {R"({"format": "zermelo-graph", "version": 1})", "/states: there are no states"},
        {R"({"format": "zermelo-graph", "version": 1, "states": {}})", "/states: this should be a list"},
        {R"({"format": "zermelo-graph", "version": 1, "states": []})", "/players: no player is named"},
        {R"({"format": "zermelo-graph", "version": 1, "states": [], "players": ["A"]})",
         "/initial: the initial state is missing"},
        {R"({"format": "zermelo-graph", "version": 1, "states": [], "players": ["A"], "initial": "s"})",
         "/initial: the initial state is s, and there is no such state"},
        {R"({"format": "zermelo-graph", "version": 1, "state": []})", "/state: this is unknown here"},
        {with_states(R"({"name": "s"})", "[]"), "/players: no player is named"},
        {with_states(R"({"name": "s"})", R"(["A", "A"])"), "/players: two players are called A"},
        {with_states(R"({"name": "s"})", R"(["chance"])"), "/players: \"chance\" has a meaning of its own"},
        {with_states(R"({"name": "s"})", R"(["A,B"])"), "/players: \"A,B\" cannot be the name of a player"},
        {with_states(R"({"name": "s"})", R"([7])"), "/players: this should be a text"},
        {with_states("17"), "/states/0: this should be an object"},
        {with_states("{}"), "/states/0: \"name\" is missing"},
        {with_states(R"({"name": "s"}, {"name": "s"})"), "/states/1: two states are called s"},
        {with_states(R"({"name": "s", "player": "Carol"})"), "/states/0: there is no player Carol"},
        {with_states(R"({"name": "s", "winner": "Carol"})"), "/states/0: there is no player Carol"},
        {with_states(R"({"name": "s", "player": "Bob", "moves": ["t"]})"),
         "/states/0/moves/0: the target of this move is t, and there is no such state"},
        {with_states(R"({"name": "s", "player": "Bob", "moves": [{"name": "t"}]})"),
         "/states/0/moves/0: the target of this move is missing"},
        {with_states(R"({"name": "s", "player": "Bob", "moves": "s"})"),
         "/states/0/moves: this should be a list"},
        {with_states(R"({"name": "s", "moves": ["s"]})"),
         "/states/0: this state has moves, but it is nobody's turn"},
        {with_states(R"({"name": "s", "player": "Bob", "winner": "Bob", "moves": ["s"]})"),
         "/states/0: this state has an outcome, and moves that go on"},
        {with_states(R"({"name": "s", "player": "Bob", "payoffs": [1, 2], "moves": ["s"]})"),
         "/states/0: this state has an outcome, and moves that go on"},
        {with_states(R"({"name": "s", "winner": "Bob", "payoffs": [0, 100]})"),
         "/states/0: this state has a winner and payoffs"},
        {with_states(R"({"name": "s", "payoffs": [1]})"), "/states/0: there are 1 payoffs for 2 players"},
        {with_states(R"({"name": "s", "payoffs": [1, 101]})"), "/states/0/payoffs: 101 cannot be a payoff"},
        {with_states(R"({"name": "s", "payoffs": [1, -1]})"), "/states/0/payoffs: -1 cannot be a payoff"},
        {with_states(R"({"name": "s", "payoffs": [1, 1e30]})"), "cannot be a payoff"},
        {with_states(R"({"name": "s", "payoffs": [1, 99999999999999999999]})"), "cannot be a payoff"},
        {with_states(R"({"name": "s", "payoff": [1, 1]})"), "/states/0/payoff: this is unknown here"},
        {with_states(R"({"name": "s\u0000"})"), "/states/0/name: this text has a character of code 0"},
    };
    for (const auto& [text, expected] : cases) {
        const std::string said = reading_complaint(from_json, text);
        EXPECT_NE(said.find(expected), std::string::npos) << text << "\n" << said;
        EXPECT_TRUE(said.starts_with("g.json: ")) << said;
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
}

TEST(Graph, HasAtMost128Outcomes) {
    const auto with_outcomes = [](int n) {
        std::string states = R"({"name": "s"})";
        for (int i = 1; i < n; ++i) {
            states += fmt::format(R"(, {{"name": "{0}", "payoffs": [{1}, {2}]}})", i, i % 100, i / 100);
        }
        return with_states(states);
    };
    EXPECT_EQ(from_json(with_outcomes(128)).outcomes.size(), 128U);
    EXPECT_NE(
        reading_complaint(from_json, with_outcomes(129)).find("/states/128: this is outcome number 129"),
        std::string::npos);
}

TEST(Graph, HasAtMost64Players) {
    const auto with_players = [](int n) {
        std::string players = R"("p")";
        for (int i = 1; i < n; ++i) players += fmt::format(R"(, "p{}")", i);
        return with_states(R"({"name": "s"})", "[" + players + "]");
    };
    EXPECT_EQ(from_json(with_players(64)).players.size(), 64U);
    EXPECT_NE(reading_complaint(from_json, with_players(65)).find("/players: there are too many players"),
              std::string::npos);
}

TEST(Graph, SaysInWhichLineDotIsBroken) {
    testing::internal::CaptureStderr();
    EXPECT_NE(reading_complaint(from_dot, "digraph {\n a -> b\n b -> [\n}").find("g.dot:3: this is not DOT"),
              std::string::npos);
    EXPECT_NE(reading_complaint(from_dot, with_nodes("s [player=\"Bob]")).find("this is not DOT"),
              std::string::npos);
    EXPECT_NE(reading_complaint(from_dot, with_nodes("s") + "}").find("g.dot:5: this is not DOT"),
              std::string::npos);
    EXPECT_NE(reading_complaint(from_dot, "digraph {\n" + std::string(100'000, '{')).find("this is not DOT"),
              std::string::npos);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "the library must not print";
}

TEST(Graph, IsReadRightAfterAFileThatWasWrong) {
    for (const std::string wrong :
         {"digraph {", "digraph { a -> }", "digraph {} digraph { x }", "digraph {} rest", "graph { a -- b }",
          "\"", "/* never closed", "digraph { a [l=<<b>] }"}) {
        EXPECT_NE(reading_complaint(from_dot, wrong), "no complaint") << wrong;
        EXPECT_EQ(from_dot(with_nodes("s")).names, std::vector<std::string>{"s"}) << "after " << wrong;
    }
}

TEST(Graph, SaysWhatIsWrongInDot) {
    const std::pair<std::string, std::string> cases[] = {
        {"", "there is no graph in this file"},
        {"graph { a -- b }", "the edges of this graph have no direction"},
        {"digraph { a } digraph { b }", "there is more than one graph in this file"},
        {std::string("digraph { a\0 }", 14), "a character of code 0"},
        {"digraph { a [label=\"\xff\"] }", "not a text in UTF-8"},
        {"digraph { a }", "players: no player is named"},
        {"digraph { players=\"A,,B\"; a }", "players: \"\" cannot be the name of a player"},
        {"digraph { players=\"A\"; a }", "initial: the initial state is missing"},
        {"digraph { players=\"A\"; initial=b; a }",
         "initial: the initial state is b, and there is no such state"},
        {with_nodes("s [player=Carol]"), "state s: there is no player Carol"},
        {with_nodes("s -> t"), "state s: this state has moves, but it is nobody's turn"},
        {with_nodes("s [winner=Bob, player=Bob]; s -> t"),
         "state s: this state has an outcome, and moves that go on"},
        {with_nodes("s [payoffs=\"1\"]"), "state s: there are 1 payoffs for 2 players"},
        {with_nodes("s [payoffs=\"1,x\"]"), "state s: \"x\" cannot be a payoff"},
        {with_nodes("s [payoffs=\"1,\"]"), "state s: \"\" cannot be a payoff"},
        {with_nodes("s [payoffs=\"1,101\"]"), "state s: 101 cannot be a payoff"},
    };
    for (const auto& [text, expected] : cases) {
        const std::string said = reading_complaint(from_dot, text);
        EXPECT_NE(said.find(expected), std::string::npos) << text << "\n" << said;
        EXPECT_TRUE(said.starts_with("g.dot: ")) << said;
    }
}

TEST(Graph, IsReadByTheEndingOfItsFile) {
    EXPECT_NE(reading_complaint(read_graph, "graph.txt").find("graph.txt: the name does not tell"),
              std::string::npos);
    EXPECT_NE(reading_complaint(read_graph, "no-such-file.json").find("no-such-file.json: cannot be opened"),
              std::string::npos);
}

}  // namespace
}  // namespace zermelo::game
