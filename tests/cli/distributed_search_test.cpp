// zermelo solve under mpirun by search: models, and games by alpha-beta.

#include "cli/distributed.hpp"

namespace zermelo {
namespace {

using nlohmann::json;

class SearchedTogether : public Together {
protected:
    static inline const std::string source = ZERMELO_SOURCE_DIR;

    // The same command by one process and by several; what the several say.
    [[nodiscard]] std::vector<json> by_several(const std::string& arguments) const {
        std::vector<json> all;
        for (const int processes : {2, 4}) {
            const Ran ran = run(mpirun(processes) + binary + " solve --json " + arguments);
            EXPECT_EQ(ran.code, 0) << arguments << ran.err;
            all.push_back(json_of(ran));
            EXPECT_EQ(all.back()["processes"], processes) << arguments;
        }
        return all;
    }
};

TEST_F(SearchedTogether, ModelsHaveTheSameVerdictAndAStrategyThatStands) {
    for (const std::string model :
         {"games/quantified/nim-fibonacci.mzn -D n=20", "games/quantified/nim-fibonacci.mzn -D n=21",
          "games/quantified/connect-four.mzn -D columns=5 -D rows=4 --symmetry",
          "games/strategic/tic-tac-toe-1.mzn"}) {
        const json one = json_of(run(binary + " solve --json " + source + "/" + model));
        for (const json& many : by_several(source + "/" + model)) {
            EXPECT_EQ(many["verdict"], one["verdict"]) << model;
            EXPECT_EQ(many["checked"], true) << model;
        }
    }
}

TEST_F(SearchedTogether, AllFirstMovesAreFound) {
    const std::string file = write("first.mzn", R"(include "zermelo.mzn";
var 1..9: x; var 1..9: y; var 1..9: z;
constraint some(1, x, 1..9);
constraint every(2, y, 1..9);
constraint some(3, z, 1..9);
constraint rule(2, y < x);
constraint win((x + y) mod 3 != z mod 4 /\ z > y);
)");
    const json one = json_of(run(binary + " solve --json --all-first-moves " + file));
    EXPECT_GT(one["best"].size(), 1U);
    const auto sorted = [](const json& moves) {
        auto all = moves.get<std::vector<json>>();
        std::ranges::sort(all);
        return all;
    };
    for (const json& many : by_several("--all-first-moves " + file))
        EXPECT_EQ(sorted(many["best"]), sorted(one["best"]));
}

TEST_F(SearchedTogether, GamesHaveTheSameValue) {
    const std::string tic_tac_toe = source + "/games/gdl/tic-tac-toe.kif";
    for (const json& many : by_several("--engine quantified " + tic_tac_toe)) {
        EXPECT_EQ(many["verdict"], "drawn");
        for (const json& question : many["questions"]) {
            EXPECT_NE(question["checked"], false);
            EXPECT_GT(question["jobs"], 0);
        }
    }
    const std::string game = connect_four(5, 4);
    const json one = json_of(run(binary + " solve --json --engine attractors --no-check " + game));
    for (const json& many : by_several("--engine alpha-beta --table-size 64M " + game)) {
        EXPECT_EQ(many["values"], one["values"]);
        EXPECT_FALSE(many["checks"].empty());
        for (const json& check : many["checks"]) EXPECT_EQ(check["valid"], true);
    }
}

TEST_F(SearchedTogether, TheStrategyOfManyIsAFileLikeAnyOther) {
    const std::string model = nim + " -D n=20";
    const std::string file = path("nim.json");
    ASSERT_EQ(run(mpirun(3) + binary + " solve " + model + " --strategy " + file).code, 0);
    EXPECT_EQ(run(binary + " verify " + model + " " + file).code, 0);
    const std::string game = source + "/games/gdl/tic-tac-toe.kif";
    const std::string plan = path("plan.json");
    const Ran ran = run(mpirun(2) + binary + " solve --engine alpha-beta " + game + " --strategy " + plan);
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(run(binary + " verify " + game + " " + plan).code, 0);
}

// Killed while it searches, and continued by another number of processes: what was finished is not done
// again.
TEST_F(SearchedTogether, WhoeverDiesTheSearchGoesOn) {
    const std::string solve = binary + " solve --json " + games +
                              "connect-four-rules.mzn -D columns=5 -D rows=4 --checkpoint " + path("kept") +
                              " --checkpoint-seconds 0.05";
    const json expected =
        json_of(run(binary + " solve --json " + games + "connect-four-rules.mzn -D columns=5 -D rows=4"));
    int killed = 0;
    for (const int victim : {0, 2}) {
        SCOPED_TRACE(victim);
        std::filesystem::remove(path("kept"));
        const Ran dead = with_a_death_after(mpirun(3) + solve, file_of(path("kept"), 1000), victim);
        if (dead.code != 0) {
            ++killed;
            EXPECT_SAYS(dead.err, "signal 9");
        }
        const Ran ran = run(mpirun(2) + solve);
        ASSERT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(json_of(ran)["verdict"], expected["verdict"]);
        EXPECT_EQ(json_of(ran)["checked"], true);
        EXPECT_GT(json_of(ran)["continued_jobs"].get<int>(), 0);
    }
    EXPECT_GT(killed, 0) << "it was always finished before";
    // One process goes on, too.
    const Ran alone = run(solve);
    ASSERT_EQ(alone.code, 0) << alone.err;
    EXPECT_EQ(json_of(alone)["verdict"], expected["verdict"]);
    EXPECT_GT(json_of(alone)["continued_jobs"].get<int>(), 0);
}

TEST_F(SearchedTogether, AlphaBetaGoesOnFromItsCheckpoint) {
    const std::string game = connect_four(6, 5);
    const std::string solve = binary + " solve --json --engine alpha-beta --no-check " + game +
                              " --checkpoint " + path("bounds") + " --checkpoint-seconds 0.2";
    const Ran dead = with_a_death_after(mpirun(2) + solve, file_of(path("bounds"), 1000), 1);
    EXPECT_NE(dead.code, 0) << "it was finished before";
    EXPECT_SAYS(dead.err, "signal 9");
    const Ran ran = run(mpirun(3) + solve);
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(json_of(ran)["verdict"], "drawn");
    EXPECT_EQ(json_of(ran)["continued"], true);
}

TEST_F(SearchedTogether, LimitsEndAllOfThem) {
    for (const std::string& what :
         {games + "connect-four.mzn -D columns=7 -D rows=6", "--engine alpha-beta " + connect_four(7, 7)}) {
        const Ran ran = run(mpirun(2) + binary + " solve --json --time-limit 1 " + what);
        EXPECT_EQ(ran.code, 3) << what << ran.err;
        EXPECT_EQ(json_of(ran)["verdict"], "unknown") << what;
    }
}

TEST_F(SearchedTogether, WhatIsForOneProcessIsRefusedOnce) {
    const Ran chance = run(mpirun(2) + binary + " solve " + source + "/games/stochastic/monty-hall.mzn");
    EXPECT_EQ(chance.code, 2);
    EXPECT_SAYS(chance.err, "chance");
    const Ran proof =
        run(mpirun(2) + binary + " solve --engine proof-number " + source + "/games/gdl/nim.kif");
    EXPECT_EQ(proof.code, 2);
    EXPECT_SAYS(proof.err, "proof-number search runs in one process; start it without mpirun");
    const Ran cuts = run(mpirun(2) + binary + " solve --check-cuts " + nim + " -D n=5");
    EXPECT_EQ(cuts.code, 2);
    EXPECT_SAYS(cuts.err, "--check-cuts runs in one process");
}

}  // namespace
}  // namespace zermelo
