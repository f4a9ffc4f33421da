// An answer whose certificate fails the check: `solve --json` tells nothing of it but what was claimed. No problem is known
// that an engine answers wrongly, so the certificates claim more here than was found.

#include <gtest/gtest.h>

#include "cli/solve/report.hpp"

namespace zermelo::cli {
namespace {

SolveReport solved(const Problem& problem) {
    SolveReport report;
    report.problem = &problem;
    report.together.verdict = solve(problem);
    return report;
}

// The keys that say what the players get, or how.
std::vector<std::string> told(const nlohmann::json& object) {
    std::vector<std::string> keys;
    for (const char* key : {"values", "exact", "decimals", "bounds", "intervals", "guaranteed", "best",
                            "mixture", "decisions"}) {
        if (object.contains(key) && !object[key].empty()) keys.emplace_back(key);
    }
    return keys;
}

// Lets `boast` change the certificate, which then fails; `keys` were told before.
template <class Proof, class Boast>
void expect_taken_back(const Problem& problem, const std::vector<std::string>& keys, Boast boast) {
    SolveReport report = solved(problem);
    Certificate& certificate = report.together.verdict.certificate;
    ASSERT_NE(certificate.as<Proof>(), nullptr) << certificate.kind();
    report.check = check(problem, certificate);
    ASSERT_TRUE(report.check->valid);
    const nlohmann::json before = report.json();
    EXPECT_EQ(told(before), keys) << before.dump(2);

    boast(std::get<Proof>(certificate.proof));
    report.check = check(problem, certificate);
    ASSERT_TRUE(report.refuted());
    const nlohmann::json after = report.json();
    EXPECT_EQ(after["verdict"], "unknown");
    EXPECT_EQ(after["claimed"], before["verdict"]);
    EXPECT_EQ(after["counterexample"], *report.check->counterexample);
    EXPECT_EQ(told(after), std::vector<std::string>{}) << after.dump(2);
    for (const auto& [key, value] : before.items()) {
        EXPECT_TRUE(after.contains(key)) << key;
        EXPECT_TRUE(after[key].is_null() || after[key].type() == value.type()) << key;
    }
    EXPECT_EQ(report.exit_code(), check_failed);
}

TEST(RefutedAnswer, OfAPlanIsTakenBack) {
    expect_taken_back<Plans>(read(ZERMELO_SOURCE_DIR "/games/gdl/nim.kif"), {"values", "best"},
                             [](Plans& plans) {
                                 for (auto& plan : plans) ++plan.promise;
                             });
}

TEST(RefutedAnswer, OfAPolicyOfAGameIsTakenBack) {
    const char* graph =
        R"({"format": "zermelo-graph", "version": 1, "players": ["A", "B"], "initial": "s", "states": [
            {"name": "s", "player": "A", "moves": ["u", "l"]},
            {"name": "u", "player": "chance", "moves": ["w", {"to": "l", "weight": 2}]},
            {"name": "w", "winner": "A"}, {"name": "l", "winner": "B"}]})";
    expect_taken_back<ChancePolicies>(read_text(graph, Language::graph, "graph.json"),
                                      {"values", "exact", "bounds", "best"}, [](ChancePolicies& policies) {
                                          for (auto& policy : policies) policy.values.front() += 1;
                                      });
}

TEST(RefutedAnswer, OfAPolicyOfAModelIsTakenBack) {
    const char* model =
        "var 1..2: x; var 0..1: y; var 0..3: z;\n"
        "constraint zermelo_decision(1, [x], [1..2], 1);\n"
        "constraint zermelo_chance(2, [y], [0..1], [1,2], [], []);\n"
        "constraint int_lin_eq([1,1,-1], [x,y,z], 0);\nconstraint zermelo_worth(1, z, 1);\nsolve satisfy;\n";
    expect_taken_back<stochastic::Policy>(read_text(model, Language::flatzinc, "chance.fzn"),
                                          {"values", "decimals", "best"},
                                          [](stochastic::Policy& policy) { policy.utilities.front() += 1; });
}

TEST(RefutedAnswer, OfAnEquilibriumIsTakenBack) {
    expect_taken_back<equilibrium::Equilibrium>(read(ZERMELO_SOURCE_DIR "/games/gdl/matching-pennies.kif"),
                                                {"values", "exact", "intervals", "mixture", "decisions"},
                                                [](equilibrium::Equilibrium& mixed) {
                                                    mixed.lower += 1;
                                                    mixed.upper += 1;
                                                });
}

}  // namespace
}  // namespace zermelo::cli
