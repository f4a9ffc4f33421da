// Files of plans give back what was put into them, and are refused when they have been altered; pictures.

#include "game/strategy/file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "game/positional_strategy_cases.hpp"

namespace zermelo::game {
namespace {

constexpr Hash128 some_rules{7, 9};

std::string json_of(GraphGame& game, const PlanFile& file) {
    PlanText text{file.game, file.rules, {}};
    for (const Plan& plan : file.plans) text.plans.push_back(plan_graph_of(game, plan, 1000));
    return plan_file::text_of(text);
}

TEST(PlanFile, GivesBackWhatWasPutIntoIt) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const auto all = cases(seed);
        if (all.empty()) continue;
        PlanFile file{"a graph", some_rules, {}};
        for (const Case& c : all) {
            file.plans.push_back(c.plan);
            GraphGame game(c.graph);
            ASSERT_EQ(read_plans(encode_plans(file), "file", game, some_rules), file) << "seed " << seed;
            ASSERT_EQ(read_plans(json_of(game, file), "file", game, some_rules), file) << "seed " << seed;
        }
    }
}

// Either it is refused with an Error, or it says the same.
void expect_refused_or_equal(const std::string& bytes, const PlanFile& file, const Graph& graph) {
    GraphGame game(graph);
    try {
        ASSERT_EQ(read_plans(bytes, "file", game, some_rules).plans, file.plans);
    } catch (const Error& error) {
        ASSERT_EQ(std::string(error.what()).rfind("file:", 0), 0U) << error.what();
    }
}

TEST(PlanFile, ThatWasCutOffOrAlteredIsRefusedOrSaysTheSame) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const auto all = cases(seed);
        if (all.empty() || all.front().graph.states() > 12) continue;
        const Graph& graph = all.front().graph;
        PlanFile file{"a graph", some_rules, {}};
        for (const Case& c : all) file.plans.push_back(c.plan);
        GraphGame game(graph);
        Random random(seed);
        for (const std::string& good : {encode_plans(file), json_of(game, file)}) {
            for (std::size_t i = 0; i < good.size(); ++i) {
                SCOPED_TRACE("seed " + std::to_string(seed) + ", byte " + std::to_string(i));
                expect_refused_or_equal(good.substr(0, i), file, graph);
                std::string altered = good;
                altered[i] = static_cast<char>(random.below(256));
                expect_refused_or_equal(altered, file, graph);
                altered[i] = static_cast<char>('0' + random.below(10));
                expect_refused_or_equal(altered, file, graph);
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(PlanFile, InCompactFormIsRefusedAtEveryLength) {
    const Graph graph = circle();
    GraphGame game(graph);
    const std::string good = encode_plans({"circle", some_rules, {{0, draw, {0}}}});
    for (std::size_t i = 0; i < good.size(); ++i) {
        EXPECT_THROW((void)read_plans(good.substr(0, i), "file", game, some_rules), Error) << i;
    }
    EXPECT_THROW((void)read_plans(good + "x", "file", game, some_rules), Error);
}

// The checksum as game/strategy/binary.hpp has it, for files that lie and are consistent.
std::string signed_by_a_forger(std::string bytes) {
    Hasher hasher;
    hasher.add(bytes.size());
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
        std::uint64_t word = 0;
        for (std::size_t b = 0; b < 8; ++b)
            word |= std::uint64_t{static_cast<unsigned char>(bytes[i + b])} << (8 * b);
        hasher.add(word);
    }
    for (; i < bytes.size(); ++i) hasher.add(static_cast<unsigned char>(bytes[i]));
    for (const std::uint64_t word : {hasher.value().low, hasher.value().high}) {
        for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift);
    }
    return bytes;
}

TEST(PlanFile, ThatIsForgedIsRefusedOrReadWithoutHarm) {
    const Graph graph = circle();
    GraphGame game(graph);
    const PlanFile file{"circle", some_rules, {{0, draw, {0}}}};
    const std::string good = encode_plans(file);
    const std::string body = good.substr(0, good.size() - 16);
    ASSERT_EQ(signed_by_a_forger(body), good);
    const std::string huge(8, '\xff');
    for (std::size_t i = 8; i < body.size(); ++i) {
        for (const std::string& lie : {huge + "\x7f", std::string("\0", 1), std::string("\x7f")}) {
            std::string forged = body;
            forged.replace(i, 1, lie);
            try {
                (void)read_plans(signed_by_a_forger(forged), "file", game, some_rules);
            } catch (const Error& error) {
                EXPECT_EQ(std::string(error.what()).rfind("file:", 0), 0U) << error.what();
            }
        }
    }
}

std::string plan_complaint(const std::string& bytes, Hash128 rules = some_rules) {
    const Graph graph = circle();
    GraphGame game(graph);
    try {
        (void)read_plans(bytes, "my.zplan", game, rules);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(PlanFile, OfAnotherKindOrForOtherRulesIsRefusedWithAReason) {
    const Graph graph = circle();
    GraphGame game(graph);
    const PlanFile file{"circle", some_rules, {{0, draw, {0}}}};
    EXPECT_EQ(plan_complaint(encode_plans(file)), "");
    EXPECT_EQ(plan_complaint(json_of(game, file)), "");
    for (const std::string& bytes : {encode_plans(file), json_of(game, file)}) {
        EXPECT_EQ(plan_complaint(bytes, {1, 1}),
                  "my.zplan: this plan was made for other rules, those of circle; give the game that it was "
                  "made for");
    }
    EXPECT_NE(
        plan_complaint(R"({"format": "zermelo-strategy", "version": 1, "model": "nim", "owner": "exists"})")
            .find("quantified model"),
        std::string::npos);
    EXPECT_NE(plan_complaint("").find("not a plan"), std::string::npos);
    EXPECT_NE(plan_complaint("hello").find("my.zplan:1:1: this is not JSON"), std::string::npos);
    EXPECT_NE(plan_complaint(std::string(100'000, '[')).find("nested too deeply"), std::string::npos);
    EXPECT_NE(plan_complaint(encode_plans({"circle", some_rules, {}})).find("no plan"), std::string::npos);
    EXPECT_NE(plan_complaint(encode_plans({"circle", some_rules, {{5, draw, {0}}}})).find("no player 6"),
              std::string::npos);
}

TEST(PlanFile, TellsByAPointerWhatIsWrongInJson) {
    const Graph graph = circle();
    GraphGame game(graph);
    const std::string good = json_of(game, {"circle", some_rules, {{0, draw, {0}}}});
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from << " in " << text;
        if (at != std::string::npos) text.replace(at, from.size(), to);
        return plan_complaint(text);
    };
    EXPECT_NE(with("\"owner\": \"P0\"", "\"owner\": \"P7\"").find("/owner: the game has no player P7"),
              std::string::npos);
    EXPECT_NE(with("\"to\": 2", "\"to\": 9").find("/nodes/0/edges/0/to: node 9 does not exist"),
              std::string::npos);
    EXPECT_NE(with("\"to\": 2", "\"to\": 0").find("not over"), std::string::npos);
    EXPECT_NE(with("\"promise\": 50", "\"promise\": 40").find("/fingerprint: the plan has been altered"),
              std::string::npos);
    EXPECT_NE(with("\"promise\": 50", "\"promise\": 101").find("/promise: "), std::string::npos);
    EXPECT_NE(with("\"id\": 2", "\"id\": 1").find("/nodes/1/id: two nodes have the id 1"), std::string::npos);
    EXPECT_NE(
        with("\"player\": \"P1\"", "\"player\": \"P0\"").find("/nodes/1/edges: the owner makes one move"),
        std::string::npos);
}

TEST(PlanFile, IsJsonOrCompactByItsName) {
    const Graph graph = circle();
    GraphGame game(graph);
    const PlanFile file{"circle", some_rules, {{0, draw, {0}}}};
    const auto folder =
        std::filesystem::temp_directory_path() / ("zermelo-plan-test-" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    for (const char* name : {"plan.json", "plan.zplan"}) {
        const std::string path = folder / name;
        save_plans(path, game, file);
        EXPECT_EQ(load_plans(path, game, some_rules), file) << name;
        EXPECT_EQ(plan_file::contents(path).front(), path.ends_with(".json") ? '{' : 'z');
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2)
        << "nothing is left beside them";
    EXPECT_THROW((void)load_plans(folder, game, some_rules), Error);
    EXPECT_THROW((void)load_plans(folder / "missing", game, some_rules), Error);
    EXPECT_THROW(save_plans(folder / "missing" / "plan.zplan", game, file), Error);
    std::filesystem::remove_all(folder);
}

TEST(PlanDot, ShowsWhoMovesWhereAndWhoGotWhat) {
    const Graph graph = circle();
    GraphGame game(graph);
    std::ostringstream out;
    write_plan_dot(out, plan_graph_of(game, {0, draw, {0}}, 10));
    const std::string dot = out.str();
    EXPECT_NE(dot.find("n1 [label=\"P0\\n0\", tooltip=\"0\", shape=box"), std::string::npos) << dot;
    EXPECT_NE(dot.find("n2 [label=\"P1\\n1\", tooltip=\"1\", shape=ellipse"), std::string::npos) << dot;
    EXPECT_NE(dot.find("n2 -> n1 "), std::string::npos) << dot;
    EXPECT_NE(dot.find("label=\"100 : 0\""), std::string::npos) << dot;
    EXPECT_THROW((void)plan_graph_of(game, {0, draw, {0}}, 1), Error);
}

// Pictures of positions are flush left, in letters of one width; long names of states are told on pointing at them only.
TEST(PlanDot, ShowsPicturesOfPositions) {
    const Graph graph = circle();
    GraphGame game(graph);
    PlanGraph plan = plan_graph_of(game, {0, draw, {0}}, 10);
    plan.nodes[0].picture = "x .\n. \"\n";
    plan.nodes[1].state = std::string(60, 's');
    std::ostringstream out;
    write_plan_dot(out, plan);
    const std::string dot = out.str();
    EXPECT_NE(dot.find(R"(n1 [label="P0\nx .\l. \"\l", tooltip="0", fontname="monospace", shape=box)"),
              std::string::npos)
        << dot;
    EXPECT_NE(dot.find("n2 [label=\"P1\", tooltip=\"sss"), std::string::npos) << dot;
}

}  // namespace
}  // namespace zermelo::game
