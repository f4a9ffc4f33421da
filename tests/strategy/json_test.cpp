#include "strategy/format/json.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "games.hpp"

namespace zermelo {

namespace {

std::string written(const model::Model& model, const strategy::Strategy& strategy) {
    std::ostringstream out;
    write_json(out, model, strategy);
    return out.str();
}

strategy::Strategy read(const model::Model& model, const std::string& text) {
    std::istringstream in(text);
    return strategy::read_json(in, model, "file.json");
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const auto at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what << " is not in " << text;
    return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

std::string complaint(const model::Model& model, const std::string& text) {
    try {
        (void)read(model, text);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(StrategyJson, ComesBackAsItWas) {
    for (const model::Model& model : {fibonacci_nim_4(), section_two()}) {
        const strategy::Strategy strategy =
            model.name == "nim-4" ? compact_nim_strategy(model) : section_two_strategy(model);
        for (const strategy::Strategy& each : {strategy, completed(model, strategy), strategy::Strategy{}}) {
            const strategy::Strategy again = read(model, written(model, each));
            EXPECT_EQ(again.size(), each.size());
            EXPECT_EQ(again.owner, each.owner);
            EXPECT_EQ(fingerprint(model, again), fingerprint(model, each));
            EXPECT_EQ(written(model, again), written(model, each));
        }
    }
}

TEST(StrategyJson, WritesLongRunsAsRanges) {
    model::ModelBuilder game("ranges");
    game.forall("y", 0, 20);
    game.win(true);
    const model::Model model = game.build();
    strategy::StrategyBuilder builder;
    std::vector<model::Value> values{0, 2};
    for (model::Value v = 4; v <= 20; ++v) values.push_back(v);
    const strategy::Strategy strategy = builder.extract(
        builder.node(variable(model, "y"), {{values, strategy::decided}}), model::Quantifier::exists);
    const std::string text = written(model, strategy);
    EXPECT_NE(text.find("\"values\": [0, 2, [4, 20]]"), std::string::npos) << text;
    EXPECT_EQ(read(model, text).nodes[1].edges.front().values, values);
}

TEST(StrategyJson, AcceptsNodesInAnyOrder) {
    const model::Model nim = fibonacci_nim_4();
    const std::string text = R"({
        "nodes": [
            {"id": 9, "variable": "x1", "edges": [{"to": 7, "values": [1]}]},
            {"id": 7, "variable": "y1", "edges": [{"to": 20, "values": [2]}, {"to": 30, "values": [1]}]},
            {"id": 20, "variable": "x2", "edges": [{"to": 0, "values": [1]}]},
            {"id": 30, "variable": "x2", "edges": [{"to": 0, "values": [2]}]}],
        "root": 9, "owner": "exists", "version": 1, "format": "zermelo-strategy",
        "prefix": [{"name": "x1", "quantifier": "exists", "domain": [[1, 3]]},
                   {"name": "y1", "quantifier": "forall", "domain": [1, 2, 3]},
                   {"name": "x2", "quantifier": "exists", "domain": [[1, 3]]},
                   {"name": "y2", "quantifier": "forall", "domain": [[1, 2], 3]}]})";
    EXPECT_EQ(fingerprint(nim, read(nim, text)), fingerprint(nim, compact_nim_strategy(nim)));
}

TEST(StrategyJson, SaysWhereAFileIsWrong) {
    const model::Model nim = fibonacci_nim_4();
    const std::string good = written(nim, compact_nim_strategy(nim));
    const auto expect = [&](const std::string& what, const std::string& with, const std::string& message) {
        const std::string got = complaint(nim, replaced(good, what, with));
        EXPECT_NE(got.find(message), std::string::npos) << "expected: " << message << "\ngot: " << got;
    };
    EXPECT_EQ(complaint(nim, good), "accepted");
    expect("\"version\": 1", "\"version\": 2", "file.json: /version: ");
    expect("zermelo-strategy", "something", "file.json: /format: ");
    expect("\"owner\": \"exists\"", "\"owner\": \"nobody\"", "/owner: ");
    expect("\"owner\": \"exists\"", "\"owner\": \"forall\"", "belongs to the strategy's owner");
    expect("\"root\": 4", "\"root\": 44", "/root: node 44 does not exist");
    expect("\"root\": 4,", "", "\"root\" is missing");
    expect("\"variable\": \"x2\"", "\"variable\": \"x9\"",
           "/nodes/0/variable: the model has no variable \"x9\"");
    expect("\"variable\": \"x2\"", "\"variable\": 3",
           "/nodes/0/variable: this should be the name of a variable");
    expect("{\"values\": [2]", "{\"values\": [4]",
           "/nodes/0/edges/0/values/0: 4 is outside the domain 1..3 of x2");
    expect("{\"values\": [2]", "{\"values\": [[0, 99999999999]]", "is outside the domain");
    expect("{\"values\": [2]", "{\"values\": [[3, 1]]", "this range is empty");
    expect("{\"values\": [2]", "{\"values\": []", "an edge of x2 has no value");
    expect("{\"values\": [2]", "{\"values\": [1, 2]", "/nodes/0: x2 belongs to the strategy's owner");
    expect("{\"values\": [2]", "{\"values\": [\"2\"]", "this should be an integer");
    expect("{\"values\": [1], \"to\": 1}, {\"values\": [2], \"to\": 2}",
           "{\"values\": [1], \"to\": 1}, {\"values\": [1], \"to\": 2}", "y1 = 1 is named twice");
    expect("{\"values\": [1], \"to\": 1}, {\"values\": [2], \"to\": 2}", "{\"values\": [1], \"to\": 17}",
           "/nodes/2/edges/0/to: node 17 does not exist");
    expect("{\"values\": [2], \"to\": 0}", "{\"values\": [2], \"to\": 4}", "leads back to itself");
    expect("\"id\": 1", "\"id\": 2", "two nodes have the id 2");
    expect("\"id\": 1", "\"id\": -1", "a node needs a positive id");
    expect("\"edges\": [", "\"hedges\": [", "/nodes/0: \"edges\" is missing");
    expect("[[1, 3]]", "[[1, 4]]", "/prefix/0/domain: the model has the domain 1..3");
    expect("\"quantifier\": \"exists\"", "\"quantifier\": \"forall\"", "/prefix/0/quantifier");
    expect("  \"owner\": \"exists\",\n", "  \"owner\": \"exists\" oops\n", "file.json:5:");
    expect("]\n}", "]\n", "file.json:");
}

TEST(StrategyJson, ReadsHalfAMillionNodes) {
    model::ModelBuilder game("large");
    game.exists("x", 1000, 0, 500);
    game.win(true);
    const model::Model model = game.build();
    strategy::Strategy strategy;  // a deep path, and nodes beside it that reading leaves out
    for (model::VarId v = 999; v >= 0; --v) {
        for (model::Value value = 0; value < 500; ++value)
            strategy.nodes.push_back({v, {strategy::Edge{{value}, strategy.root}}});
        strategy.root = static_cast<strategy::NodeId>(strategy.nodes.size()) - 1;
    }
    const strategy::Strategy again = read(model, written(model, strategy));
    EXPECT_EQ(again.size(), 1000u);
    EXPECT_EQ(fingerprint(model, again), fingerprint(model, strategy));
}

TEST(Fingerprint, DependsOnEveryMoveButNotOnTheNumbersOfNodes) {
    const model::Model nim = fibonacci_nim_4();
    const strategy::Strategy strategy = compact_nim_strategy(nim);
    EXPECT_EQ(fingerprint(nim, strategy).size(), 32u);
    strategy::Strategy other = strategy;
    other.nodes[1].edges[0].values[0] = 3;
    EXPECT_NE(fingerprint(nim, other), fingerprint(nim, strategy));
    other = strategy;
    other.owner = model::Quantifier::forall;
    EXPECT_NE(fingerprint(nim, other), fingerprint(nim, strategy));
    other = strategy;
    std::swap(other.nodes[1], other.nodes[2]);
    std::swap(other.nodes[3].edges[0].to, other.nodes[3].edges[1].to);
    EXPECT_EQ(fingerprint(nim, other), fingerprint(nim, strategy));
}

}  // namespace

}  // namespace zermelo
