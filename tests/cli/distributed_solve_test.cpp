// zermelo solve under mpirun: the same answers as one process, whatever becomes of the others.

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>

#include "cli/distributed.hpp"

namespace zermelo {
namespace {

using nlohmann::json;

class TogetherCommands : public Together {};

TEST_F(TogetherCommands, AnyNumberOfProcessesFindsTheSame) {
    const std::string game = connect_four(4, 4);
    const std::string solve = binary + " solve --json --no-symmetry " + game;
    const json one = json_of(run(solve + " --engine attractors"));
    const json levels = json_of(run(solve + " --engine levels"));
    // A count that was made without solving.
    const json perft = json_of(run(binary + " gdl perft --json --depth 16 " + game));
    std::uint64_t counted = 0;
    for (const json& level : perft["states"]) counted += level.get<std::uint64_t>();
    EXPECT_EQ(one["states"], counted);
    for (const int processes : {1, 2, 4}) {
        SCOPED_TRACE(processes);
        const Ran ran = run(mpirun(processes) + solve + " --engine levels");
        ASSERT_EQ(ran.code, 0) << ran.err;
        const json many = json_of(ran);
        EXPECT_EQ(many["processes"], processes);
        EXPECT_EQ(many["digest"], levels["digest"]);
        EXPECT_EQ(many["states"], one["states"]);
        EXPECT_EQ(many["edges"], one["edges"]);
        for (const char* key : {"verdict", "values", "best", "rank"}) EXPECT_EQ(many[key], one[key]) << key;
        for (const json& check : many["checks"]) EXPECT_EQ(check["valid"], true);
        EXPECT_EQ(many["checks"].size(), one["checks"].size());
    }
}

TEST_F(TogetherCommands, StrategiesOfManyStandUpToACheck) {
    const std::string game = ZERMELO_SOURCE_DIR "/games/gdl/tic-tac-toe.kif";
    const std::string plan = path("plan.json");
    const Ran solved = run(mpirun(3) + binary + " solve " + game + " --strategy " + plan);
    ASSERT_EQ(solved.code, 0) << solved.err;
    EXPECT_EQ(std::count(solved.out.begin(), solved.out.end(), '\n'), 4) << solved.out;
    EXPECT_EQ(run(binary + " verify " + game + " " + plan).code, 0);
}

// Killed at some moment while states are explored, and while values go backwards; then continued to the end
// by another number of processes.
TEST_F(TogetherCommands, WhoeverDiesTheWorkGoesOn) {
    const std::string game = connect_four(5, 4);
    const std::string folder = path("work");
    const std::string solve = binary + " solve --json --no-check --engine levels " + game + " --checkpoint " +
                              folder + " --checkpoint-seconds 0.01";
    const json expected = json_of(run(binary + " solve --json --no-check --engine levels " + game));
    const double seconds = expected["explore_seconds"].get<double>();
    int killed = 0;
    int continued = 0;
    for (const int victim : {0, 1, 2}) {
        const double part = 0.2 + 0.3 * victim;
        SCOPED_TRACE(part);
        std::filesystem::remove_all(folder);
        const Ran dead = with_a_death(mpirun(3) + solve, 0.3 + part * seconds, victim);
        if (dead.code == 0) continue;
        ++killed;
        EXPECT_SAYS(dead.err, "signal 9");
        const Ran ran = run(mpirun(2) + solve);
        ASSERT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(json_of(ran)["digest"], expected["digest"]);
        continued += json_of(ran)["continued"] == true ? 1 : 0;
    }
    EXPECT_GT(killed, 0) << "it was always finished before";
    EXPECT_GT(continued, 0) << "no time was long enough";
    // Now everything is explored, and what is killed is on its way backwards.
    killed = 0;
    for (const double after : {0.4, 0.8}) {
        SCOPED_TRACE(after);
        killed += with_a_death(mpirun(4) + solve, after, 1).code == 0 ? 0 : 1;
        const Ran ran = run(solve);
        ASSERT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(json_of(ran)["continued"], true);
        EXPECT_EQ(json_of(ran)["digest"], expected["digest"]);
    }
    EXPECT_GT(killed, 0) << "it was always finished before";
}

// The values are known, and the first process asks the others for what plans are made of.
TEST_F(TogetherCommands, WhoeverDiesWhilePlansAreWrittenTheyAreWrittenAgain) {
    const std::string game = connect_four(5, 4);
    const std::string plan = path("plan.zplan");
    const std::string solve = mpirun(2) + binary + " solve --json --no-check --engine levels " + game +
                              " --checkpoint " + path("work") + " --strategy " + plan;
    const json whole = json_of(run(solve));
    // What was explored is there from now on; how long the rest takes shows when it is done once more, and
    // again whenever it was finished before anybody was killed.
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    auto begun = Clock::now();
    const json rest = json_of(run(solve));
    double seconds = since(begun);
    const double share_of_plans = std::min(1.0, rest["plan_cpu_seconds"].get<double>() / seconds);
    for (const int victim : {0, 1}) {
        SCOPED_TRACE(victim);
        Ran dead{.code = 0, .out = {}, .err = {}};
        // Where the plan is there, death came too late, and it is whole: half a plan is none.
        for (int attempt = 1; dead.code == 0 || std::filesystem::exists(plan); ++attempt) {
            ASSERT_LE(attempt, 10) << "it was always finished before";
            if (attempt > 1 && std::filesystem::exists(plan)) {
                EXPECT_EQ(run(binary + " verify " + game + " " + plan).code, 0) << "half a plan";
            }
            std::filesystem::remove(plan);
            begun = Clock::now();
            dead = with_a_death(solve, seconds * (1 - 0.05 * (9 + attempt) * share_of_plans), victim);
            if (dead.code == 0) seconds = since(begun);
        }
        EXPECT_SAYS(dead.err, "signal 9");
        const Ran ran = run(solve);
        ASSERT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(json_of(ran)["digest"], whole["digest"]);
        EXPECT_EQ(run(binary + " verify " + game + " " + plan).code, 0);
    }
}

TEST_F(TogetherCommands, WhatDoesNotFitIntoMemoryGoesToTheDisk) {
    const std::string game = connect_four(5, 4);
    const std::string solve = binary + " solve --json --no-check --engine levels " + game;
    const json expected = json_of(run(solve));
    const Ran ran = run(mpirun(2) + solve + " --memory-limit 60M --spill " + path("spill"));
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json object = json_of(ran);
    EXPECT_EQ(object["digest"], expected["digest"]);
    EXPECT_EQ(object["forgotten"], true);
    for (const json& share : object["shares"]) EXPECT_GT(share["bytes_stored"].get<std::uint64_t>(), 0U);
    EXPECT_TRUE(std::filesystem::is_empty(path("spill"))) << "nothing is left";
}

TEST_F(TogetherCommands, LimitsEndAllOfThem) {
    const std::string game = connect_four(6, 6);
    const Ran ran = run(mpirun(2) + binary + " solve --json " + game + " --time-limit 1");
    EXPECT_EQ(ran.code, 3) << ran.err;
    EXPECT_EQ(json_of(ran)["verdict"], "unknown");
}

TEST_F(TogetherCommands, WhatIsNotForManyIsRefusedOnce) {
    const Ran other = run(mpirun(2) + binary + " gdl info " ZERMELO_SOURCE_DIR "/games/gdl/nim.kif");
    EXPECT_EQ(other.code, 2);
    EXPECT_SAYS(other.err, "gdl runs in one process; start it without mpirun");
    EXPECT_EQ(other.out, "");
    const Ran missing = run(mpirun(2) + binary + " solve no-such.kif");
    EXPECT_EQ(missing.code, 2);
    EXPECT_EQ(missing.err.find("no-such.kif"), missing.err.rfind("no-such.kif")) << missing.err;
    const Ran chance = run(mpirun(2) + binary + " solve " ZERMELO_SOURCE_DIR "/games/gdl/dice-race.kif");
    EXPECT_EQ(chance.code, 2);
    EXPECT_SAYS(chance.err, "chance");
}

// Without the library that speaks MPI, as where the program was built without it.
class WithoutMpi : public Program {};

TEST_F(WithoutMpi, TheProgramSaysWhatMpirunWouldNeed) {
    const std::string copy = path("zermelo");
    std::filesystem::copy_file(ZERMELO_BINARY, copy);
    const std::string game = ZERMELO_SOURCE_DIR "/games/gdl/nim.kif";
    EXPECT_EQ(run(copy + " solve " + game).code, 0);
    const Ran ran = run("OMPI_COMM_WORLD_SIZE=4 " + copy + " solve " + game);
    expect_one_line_about(ran, "this program was built without MPI; install libopenmpi-dev and openmpi-bin");
}

}  // namespace
}  // namespace zermelo
