// Full disks, interrupted calls, short memory and jumping clocks: files that the program keeps stay whole, it says what is
// wrong, and what it goes on with afterwards has the same answer.
//
// ZERMELO_KILLS and ZERMELO_FAULT_RUNS in the environment ask for so many kills and runs with faults of each kind of work.

#include "faults/faults.hpp"

namespace zermelo {
namespace {

TEST_F(Faults, AnOldCertificateStaysWholeOrIsReplaced) {
    const std::string model = " " + nim + " -D n=12 ";
    const std::string game = " " ZERMELO_SOURCE_DIR "/games/gdl/tic-tac-toe.kif ";
    const std::vector<std::pair<std::string, std::string>> works = {{model, "strategy.json"},
                                                                    {game, "plan.json"}};
    for (std::uint64_t seed = 1; seed <= runs(); ++seed) {
        for (const auto& [problem, name] : works) {
            const std::string file = path(name);
            std::ofstream(file) << "old";
            expect_told(
                run(with_faults(seed) + binary + " solve" + problem + "--no-check --strategy " + file), seed);
            if (read_file(file) != "old") {
                EXPECT_EQ(zermelo("verify" + problem + file).code, 0) << "seed " << seed << ": " << name;
            }
            expect_only({"strategy.json", "plan.json"}, seed);
        }
    }
    EXPECT_GT(failed_, 0U) << "no fault was felt";
}

TEST_F(Faults, ACheckpointIsTheOldOneOrTheNewOne) {
    const std::string game = connect_four(4, 4);
    const std::string file = path("work");
    for (std::uint64_t seed = 1; seed <= runs(); ++seed) {
        for (const std::string engine : {"attractors", "alpha-beta"}) {
            std::filesystem::remove(file);
            const std::string solve = " solve --json --no-check --engine " + engine + " " + game +
                                      " --checkpoint " + file + " --checkpoint-seconds 0.01";
            const Ran first = run("timeout -s INT 0.2 " + binary + solve);
            (void)first;
            const Ran ran = run(with_faults(seed) + binary + solve);
            expect_told(ran, seed);
            if (ran.code == 0) {
                EXPECT_EQ(json_of(ran)["verdict"], "drawn") << "seed " << seed;
            }
            const Ran last = run(binary + solve);
            EXPECT_EQ(last.code, 0) << "seed " << seed << ": " << last.err;
            EXPECT_EQ(json_of(last)["verdict"], "drawn") << "seed " << seed;
            std::filesystem::remove(file);
            expect_only({"connect-four.kif"}, seed);
        }
    }
}

TEST_F(Faults, ARecordLosesNoMatchAndTheTournamentGoesOn) {
    const std::string record = path("record.sqlite");
    const std::string tournament =
        " tournament --json --games " ZERMELO_SOURCE_DIR
        "/games/gdl/nim.kif --players random greedy --playouts 5 --rounds 6 --seed 3 --record ";
    ASSERT_EQ(zermelo(tournament + path("reference.sqlite")).code, 0);
    const Matches expected = matches_of(path("reference.sqlite"));
    ASSERT_EQ(expected.size(), 2 * 2 * 6U);  // seatings, seats, rounds
    std::filesystem::remove(path("reference.sqlite"));
    for (std::uint64_t seed = 1; seed <= runs(); ++seed) {
        std::filesystem::remove(record);
        std::filesystem::remove(record + "-journal");
        expect_told(run(with_faults(seed) + binary + tournament + record), seed);
        const Ran last = run(binary + tournament + record);
        EXPECT_EQ(last.code, 0) << "seed " << seed << ": " << last.err;
        EXPECT_EQ(matches_of(record), expected) << "seed " << seed;
    }
}

TEST_F(Faults, ATrainingAndItsNetAreTheOldOnesOrTheNewOnes) {
    const std::string file = path("a.net");
    ASSERT_EQ(zermelo(training(path("reference"), 160)).code, 0);
    const std::string expected = read_file(path("reference"));
    for (const std::string name : {"reference", "reference.checkpoint"}) std::filesystem::remove(path(name));
    for (std::uint64_t seed = 1; seed <= runs(); ++seed) {
        std::filesystem::remove(file + ".checkpoint");
        ASSERT_EQ(zermelo(training(file, 64)).code, 0);
        expect_told(run(with_faults(seed) + binary + " " + training(file, 128)), seed);
        expect_only({"a.net", "a.net.checkpoint"}, seed);
        const Ran match = zermelo("match " + tic_tac_toe + " zermelo:adapt=0,net=" + file +
                                  " random --games 1 --playouts 5");
        EXPECT_EQ(match.code, 0) << "seed " << seed << ": " << match.err;
        const Ran last = zermelo(training(file, 160));
        EXPECT_EQ(last.code, 0) << "seed " << seed << ": " << last.err;
        EXPECT_SAYS(last.out, "goes on after");
        EXPECT_EQ(read_file(file), expected) << "seed " << seed;
    }
    EXPECT_GT(failed_, 0U) << "no fault was felt";
}

// A journal that cannot be written costs no match and no move; there is no half line in it that would hide those behind it.
TEST_F(Faults, AMatchGoesOnWithoutItsJournal) {
    const std::string game = " " ZERMELO_SOURCE_DIR "/games/gdl/tic-tac-toe.kif ";
    std::uint64_t lost = 0;
    for (std::uint64_t seed = 1; seed <= runs(); ++seed) {
        // Short memory is felt by all that a player does, not by its journal alone.
        const std::string kind =
            std::vector<std::string>{"short", "space", "eintr", "sync", "rename"}[seed % 5];
        const Ran ran =
            run("folder=" + path("") + "\nrm -rf $folder/journal $folder/out $folder/log\n" +
                with_faults(kind, 300, seed, path("journal")) + binary +
                " player --port 0 --strategy random --journal $folder/journal --log $folder/log "
                ">$folder/out 2>&1 & p=$!\n"
                "until grep -q http $folder/out || ! kill -0 $p 2>/dev/null; do sleep 0.02; done\n" +
                binary + " manage" + game +
                "http://127.0.0.1:$(grep -o '[0-9]*/$' $folder/out | tr -d /) random --startclock 1 "
                "--playclock 1 --json --rounds 4\ncode=$?; kill -KILL $p; wait 2>/dev/null; exit $code");
        ASSERT_EQ(ran.code, 0) << "seed " << seed << ": " << ran.err;
        const auto report = json_of(ran);
        for (const auto& match : report["matches"]) {
            EXPECT_EQ(match["error"], "") << "seed " << seed;
            EXPECT_EQ(match["faults"], nlohmann::json::array()) << "seed " << seed;
        }
        lost += read_file(path("log")).find("\"journal\"") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(lost, 0U) << "no fault was felt";
}

}  // namespace
}  // namespace zermelo
