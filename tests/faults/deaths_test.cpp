// Sudden death: a program that is killed leaves whole files, and what goes on from them has the same answer.

#include <signal.h>

#include "cli/distributed.hpp"
#include "core/random.hpp"
#include "faults/faults.hpp"

namespace zermelo {
namespace {

// Runs it and kills it after a random time, so many times. How often it was killed before it was finished.
std::uint64_t killed_lives(const std::string& command, int lives, int most_milliseconds, Random& random) {
    std::uint64_t killed = 0;
    for (int life = 0; life < lives; ++life) {
        const double seconds = static_cast<double>(random.between(20, most_milliseconds)) / 1000;
        killed += run("timeout -s KILL " + std::to_string(seconds) + " " + command).code == 137 ? 1 : 0;
    }
    return killed;
}

TEST_F(Faults, AKilledSolverGoesOnFromItsCheckpoint) {
    const std::string game = connect_four(5, 4);
    const std::string file = path("work");
    Random random(7);
    std::uint64_t killed = 0;
    for (std::uint64_t i = 0; i < kills(); ++i) {
        const std::string engine = i % 2 == 0 ? "attractors" : "alpha-beta";
        const std::string solve = binary + " solve --json --no-check --engine " + engine + " " + game +
                                  " --checkpoint " + file + " --checkpoint-seconds 0.01";
        std::filesystem::remove(file);
        killed += killed_lives(solve, 3, 600, random);
        const Ran last = run(solve);
        ASSERT_EQ(last.code, 0) << last.err;
        ASSERT_EQ(json_of(last)["verdict"], "drawn");
    }
    EXPECT_GT(killed, 0U) << "it was always finished before";
    std::cout << killed << " kills\n";
}

TEST_F(Faults, AKilledTrainingLearnsTheSameInTheEnd) {
    constexpr int plays = 3200;
    const std::string file = path("a.net");
    ASSERT_EQ(zermelo(training(path("reference"), plays)).code, 0);
    const std::string expected = read_file(path("reference"));
    Random random(11);
    std::uint64_t killed = 0;
    std::uint64_t resumed = 0;
    for (std::uint64_t i = 0; i < kills(); ++i) {
        for (const std::string& old : {file, file + ".checkpoint"}) std::filesystem::remove(old);
        killed += killed_lives(binary + " " + training(file, plays), 3, 500, random);
        const Ran last = zermelo(training(file, plays));
        ASSERT_EQ(last.code, 0) << last.err;
        resumed += last.out.find("goes on after") != std::string::npos ? 1 : 0;
        EXPECT_EQ(read_file(file), expected);
    }
    EXPECT_GT(killed, 0U) << "it was always finished before";
    EXPECT_GT(resumed, 0U) << "it never went on";
    std::cout << killed << " kills\n";
}

TEST_F(Faults, AKilledTournamentLosesNoMatchAndGoesOn) {
    const std::string record = path("record.sqlite");
    const std::string tournament =
        " tournament --json --games " + tic_tac_toe +
        " --players uct greedy --playouts 2000 --rounds 100 --seed 3 --parallel 2 --record ";
    ASSERT_EQ(zermelo(tournament + path("reference.sqlite")).code, 0);
    const Matches expected = matches_of(path("reference.sqlite"));
    ASSERT_EQ(expected.size(), 2 * 2 * 100U);  // seatings, seats, rounds
    Random random(13);
    std::uint64_t killed = 0;
    for (std::uint64_t i = 0; i < kills(); ++i) {
        for (const char* ending : {"", "-journal", "-wal", "-shm"}) std::filesystem::remove(record + ending);
        std::size_t before = 0;
        for (int life = 0; life < 3; ++life) {
            killed += killed_lives(binary + tournament + record, 1, 100, random);
            const Matches found = matches_of(record);
            EXPECT_GE(found.size(), before);
            EXPECT_TRUE(std::ranges::includes(expected, found));
            before = found.size();
        }
        const Ran last = run(binary + tournament + record);
        ASSERT_EQ(last.code, 0) << last.err;
        EXPECT_EQ(matches_of(record), expected);
    }
    EXPECT_GT(killed, 0U) << "it was always finished before";
    std::cout << killed << " kills\n";
}

// One of three processes dies, the coordinator or a helper, and mpirun ends the others.
TEST_F(Together, AKilledSolveGoesOnFromItsCheckpoint) {
    const std::string file = path("work");
    const std::string alone = " solve --json " + games + "connect-four-rules.mzn -D columns=5 -D rows=4";
    const auto expected = json_of(zermelo(alone))["verdict"];
    const std::string solve = binary + alone + " --checkpoint " + file + " --checkpoint-seconds 0.02";
    Random random(17);
    std::uint64_t killed = 0;
    for (std::uint64_t i = 0; i < kills(); ++i) {
        std::filesystem::remove(file);
        for (int life = 0; life < 2; ++life) {
            const double seconds = static_cast<double>(random.between(300, 1500)) / 1000;
            const Ran dead = with_a_death(mpirun(3) + solve, seconds, static_cast<int>(random.below(3)));
            killed += dead.code != 0 ? 1 : 0;
        }
        const Ran last = run(mpirun(2) + solve);
        ASSERT_EQ(last.code, 0) << last.err;
        EXPECT_EQ(json_of(last)["verdict"], expected);
        EXPECT_EQ(json_of(last)["checked"], true);
    }
    EXPECT_GT(killed, 0U) << "it was always finished before";
    std::cout << killed << " kills\n";
}

TEST_F(Faults, AKilledWriterLeavesAnOldCertificateOrANewOne) {
    const std::string game = " " ZERMELO_SOURCE_DIR "/games/gdl/tic-tac-toe.kif ";
    const std::string file = path("plan.json");
    Random random(9);
    for (std::uint64_t i = 0; i < 3 * kills(); ++i) {
        std::ofstream(file) << "old";
        const double seconds = static_cast<double>(random.between(10, 200)) / 1000;
        (void)run("timeout -s KILL " + std::to_string(seconds) + " " + binary + " solve" + game +
                  "--engine attractors --no-check --strategy " + file);
        if (read_file(file) != "old") {
            ASSERT_EQ(zermelo("verify" + game + file).code, 0);
        }
    }
}

// A player that is killed every second or so, and comes back on the same port. Its faults are those of the moments when it was
// away; it takes matches up again, or declines them once.
TEST_F(Faults, AKilledPlayerTakesItsMatchesUpAgain) {
    const std::uint64_t rounds = 2 * kills();
    // The first life finds a port that is free, and the others take it.
    const std::string player =
        binary + " player --journal $folder/journal --strategy uct --memory 32M --log $folder/log";
    const std::string game = " " ZERMELO_SOURCE_DIR "/games/gdl/connect-four.kif ";
    const Ran ran =
        run("folder=" + path("") + "\nport=0\nkeep() { i=0; while :; do\n" + player +
            " --port $port >$folder/out.$i 2>&1 & p=$!\n"
            "until grep -q http $folder/out.$i || ! kill -0 $p 2>/dev/null; do sleep 0.05; done\n"
            "[ $port != 0 ] || port=$(grep -o '[0-9]*/$' $folder/out.0 | tr -d /); echo $port >$folder/port\n"
            "i=$((i + 1)); sleep 1.$((i * 37 % 10)); kill -KILL $p; echo >>$folder/kills; wait $p "
            "2>/dev/null; done; }\n"
            "keep & keeper=$!\nuntil [ -s $folder/port ]; do sleep 0.05; done\n" +
            binary + " manage" + game +
            "http://127.0.0.1:$(cat $folder/port) random --startclock 0.5 --playclock 0.4 --json --rounds " +
            std::to_string(rounds) +
            "\ncode=$?; pkill -KILL -P $keeper; kill -KILL $keeper; wait 2>/dev/null; exit $code");
    ASSERT_EQ(ran.code, 0) << ran.err;
    std::uint64_t faults = 0;
    std::uint64_t declined = 0;
    const auto report = json_of(ran);
    for (const auto& match : report["matches"]) {
        std::uint64_t nils = 0;
        for (const auto& fault : match["faults"]) {
            ++faults;
            nils += fault["fault"] == "IL nil" ? 1 : 0;
        }
        EXPECT_LE(nils, 1U) << match.dump(2);
        EXPECT_EQ(match["error"], "");
        declined += nils;
    }
    const std::string killed = read_file(path("kills"));
    EXPECT_FALSE(killed.empty()) << "it was never killed";
    std::cout << killed.size() << " kills in " << report["matches"].size() << " matches: " << faults
              << " faults, nil " << declined << " times\n";
}

}  // namespace
}  // namespace zermelo
