// Full disks, interrupted calls, short memory, jumping clocks and sudden death: files that the program keeps stay whole, it
// says what is wrong, and what it goes on with afterwards has the same answer.
//
// ZERMELO_KILLS and ZERMELO_FAULT_RUNS in the environment ask for so many kills and runs with faults of each kind of work.

#include <signal.h>

#include <map>
#include <set>

#include "cli/program.hpp"
#include "core/random.hpp"
#include "support/seeds.hpp"

namespace zermelo {
namespace {

std::uint64_t asked_for(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

class Faults : public Program {
protected:
    // How often something of this test was tried: few, unless the environment asks for more.
    static std::uint64_t runs() { return asked_for("ZERMELO_FAULT_RUNS", 6); }
    static std::uint64_t kills() { return asked_for("ZERMELO_KILLS", 3); }

    void SetUp() override {
        if (sanitized) GTEST_SKIP() << "a sanitizer has an allocator of its own";
    }

    // The environment in which calls fail that are about files in the folder of this test.
    [[nodiscard]] std::string with_faults(std::uint64_t seed) const {
        static const std::vector<std::pair<std::string, int>> kinds = {
            {"short", 300},           {"space", 60},    {"eintr", 200}, {"sync", 300},
            {"rename", 500},          {"memory", 2000}, {"clock", 500}, {"short,eintr,clock", 200},
            {"space,sync,memory", 60}};
        const auto& [kind, rate] = kinds[seed % kinds.size()];
        return "env LD_PRELOAD=" ZERMELO_FAULTS_LIBRARY " ZERMELO_FAULTS=" + kind +
               " ZERMELO_FAULTS_RATE=" + std::to_string(rate) +
               " ZERMELO_FAULTS_SEED=" + std::to_string(seed) + " ZERMELO_FAULTS_IN=" + path("") + " ";
    }
    // It ended well, or said what was wrong in words of its own.
    void expect_told(const Ran& ran, std::uint64_t seed) {
        EXPECT_LT(ran.code, 126) << "seed " << seed << ": " << ran.out << ran.err;
        if (ran.code == 0) return;
        ++failed_;
        EXPECT_FALSE(ran.err.empty()) << "seed " << seed;
        for (const char* inner : {"terminate called", "std::", "bad_alloc", "basic_ios", "iostream error"})
            EXPECT_EQ(ran.err.find(inner), std::string::npos) << "seed " << seed << ": " << ran.err;
    }
    // Only what is named may be in the folder: nothing half written beside it.
    void expect_only(const std::set<std::string>& names, std::uint64_t seed) const {
        for (const auto& entry : std::filesystem::directory_iterator(path(""))) {
            EXPECT_TRUE(names.contains(entry.path().filename().string()))
                << "seed " << seed << " leaves " << entry.path();
        }
    }

    std::uint64_t failed_ = 0;  // runs that could not do what was asked
};

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

// The matches of a record, by number.
std::map<int, std::string> matches_in(const std::string& report) {
    std::map<int, std::string> all;
    const auto object = nlohmann::json::parse(report, nullptr, false);
    if (!object.is_object()) return all;
    all[0] = object["players"].dump();
    all[1] = object["matches"].dump();
    return all;
}

TEST_F(Faults, ARecordLosesNoMatchAndTheTournamentGoesOn) {
    const std::string record = path("record.sqlite");
    const std::string tournament =
        " tournament --json --games " ZERMELO_SOURCE_DIR
        "/games/gdl/nim.kif --players random greedy --playouts 5 --rounds 6 --seed 3 --record ";
    const auto expected = matches_in(zermelo(tournament + path("reference.sqlite")).out);
    ASSERT_EQ(expected.size(), 2U);
    std::filesystem::remove(path("reference.sqlite"));
    for (std::uint64_t seed = 1; seed <= runs(); ++seed) {
        std::filesystem::remove(record);
        std::filesystem::remove(record + "-journal");
        expect_told(run(with_faults(seed) + binary + tournament + record), seed);
        const Ran last = run(binary + tournament + record);
        EXPECT_EQ(last.code, 0) << "seed " << seed << ": " << last.err;
        const auto found = matches_in(last.out);
        ASSERT_EQ(found.size(), 2U) << "seed " << seed << last.out;
        EXPECT_EQ(found.at(1), expected.at(1)) << "seed " << seed;
    }
}

// --- sudden death ---

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
        for (int life = 0; life < 3; ++life) {
            const double seconds = static_cast<double>(random.between(20, 600)) / 1000;
            killed += run("timeout -s KILL " + std::to_string(seconds) + " " + solve).code == 137 ? 1 : 0;
        }
        const Ran last = run(solve);
        ASSERT_EQ(last.code, 0) << last.err;
        ASSERT_EQ(json_of(last)["verdict"], "drawn");
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
