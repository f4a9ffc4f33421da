// A tournament over the processes that mpirun starts: the same matches with the same results as in one
// process, whatever the number of processes, and whichever of them dies on the way.

#include <chrono>
#include <csignal>
#include <future>
#include <iterator>

#include "arena/record.hpp"
#include "program.hpp"

namespace zermelo {
namespace {

class TogetherInATournament : public Program {
protected:
    static inline const std::string gdl = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";

    void SetUp() override {
        if (const std::string why = no_mpi(); !why.empty()) GTEST_SKIP() << why;
    }

    // A command line. `exec`, so that who runs it in the background has its process, and not a shell's.
    [[nodiscard]] static std::string over(int processes, const std::string& arguments) {
        return "exec " + (processes == 1 ? "" : mpirun(processes)) + binary + " tournament " + arguments;
    }
    [[nodiscard]] static Ran tournament(int processes, const std::string& arguments) {
        return run("( " + over(processes, arguments) + " )");
    }

    // What is in a record, but for the times.
    [[nodiscard]] static std::vector<arena::MatchResult> timeless(const std::string& record) {
        auto matches = arena::Record::results_of(record);
        for (arena::MatchResult& match : matches) {
            match.seconds = 0;
            for (arena::SeatResult& seat : match.seats) seat.seconds = seat.longest_move = 0;
        }
        return matches;
    }
    static void expect_same(const std::vector<arena::MatchResult>& some,
                            const std::vector<arena::MatchResult>& others) {
        ASSERT_EQ(some.size(), others.size());
        for (std::size_t m = 0; m < some.size(); ++m) {
            EXPECT_EQ(some[m].match, m);
            EXPECT_EQ(some[m].moves, others[m].moves) << "match " << m;
            EXPECT_TRUE(some[m] == others[m]) << "match " << m;
        }
    }

    // A tournament in the background, with a record.
    class Running {
    public:
        Running(const TogetherInATournament& test, int processes, const std::string& arguments,
                std::string record)
            : record_(std::move(record)), before_(recorded()), pid_(test.path("pid")) {
            std::filesystem::remove(pid_);
            ran_ = std::async(std::launch::async, [=, pid = pid_, file = record_] {
                return run("( " + over(processes, arguments + " --record " + file) + " ) & echo $! > " + pid +
                           "\nwait $!");
            });
        }
        // Until it has added so many to the record; false where it has ended before.
        [[nodiscard]] bool wait_for_matches(std::size_t count) const {
            using namespace std::chrono_literals;
            while (ran_.wait_for(5ms) != std::future_status::ready) {
                if (recorded() >= before_ + count) return true;
            }
            return false;
        }
        void signal(int number, std::size_t rank) const {
            const auto all = processes();
            ASSERT_LT(rank, all.size());
            EXPECT_EQ(kill(all[rank], number), 0);
        }
        [[nodiscard]] Ran end() { return ran_.get(); }

    private:
        // Those that mpirun has started, in this order.
        [[nodiscard]] std::vector<pid_t> processes() const {
            std::string mpirun;
            std::istringstream(read_file(pid_)) >> mpirun;
            std::istringstream children(read_file("/proc/" + mpirun + "/task/" + mpirun + "/children"));
            return {std::istream_iterator<pid_t>(children), {}};
        }
        [[nodiscard]] std::size_t recorded() const {
            try {
                return arena::Record::results_of(record_).size();
            } catch (const Error&) {  // it is not there yet
                return 0;
            }
        }
        std::string record_;
        std::size_t before_;  // matches
        std::string pid_;
        std::future<Ran> ran_;
    };

    // 4 matches a round, without clocks; one at a time in each process, or else it could be over too soon.
    [[nodiscard]] static std::string matches(int rounds, int playouts) {
        return "--games " + gdl + "tic-tac-toe.kif " + gdl +
               "subtraction.kif --players uct:bounds=0 random " + "--parallel 1 --rounds " +
               std::to_string(rounds) + " --playouts " + std::to_string(playouts);
    }
};

TEST_F(TogetherInATournament, ResultsDoNotDependOnTheProcesses) {
    const std::string asked = "--json --check --games " + gdl + "tic-tac-toe.kif " + gdl + "nim.kif " + gdl +
                              "dice-race.kif --players uct cfr random --rounds 2 --playouts 20 --record ";
    const Ran alone = tournament(1, asked + path("1.sqlite"));
    ASSERT_EQ(alone.code, 0) << alone.err;
    const auto expected = timeless(path("1.sqlite"));
    EXPECT_EQ(expected.size(), 36U);
    for (const int processes : {2, 3}) {
        const std::string record = path(std::to_string(processes) + ".sqlite");
        const Ran ran = tournament(processes, asked + record + " --parallel 2");
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(ran.err, "");
        expect_same(timeless(record), expected);
        EXPECT_EQ(json_of(ran)["points"], json_of(alone)["points"]);
    }
}

TEST_F(TogetherInATournament, WhatWasKilledGoesOnWithAnyNumberOfProcesses) {
    const std::string asked = matches(120, 8000);
    const std::string record = path("record.sqlite");
    struct Kill {
        int processes;
        std::size_t victim;
    };
    for (const Kill& kill : {Kill{3, 2}, Kill{2, 0}}) {
        Running running(*this, kill.processes, asked, record);
        ASSERT_TRUE(running.wait_for_matches(3)) << running.end().err;
        running.signal(SIGKILL, kill.victim);
        EXPECT_NE(running.end().code, 0);
        EXPECT_LT(arena::Record::results_of(record).size(), 480U);
    }
    for (const int processes : {3, 1}) {  // the second one finds nothing left to do
        const Ran ran = tournament(processes, asked + " --record " + record);
        EXPECT_EQ(ran.code, 0) << ran.err;
    }
    EXPECT_EQ(tournament(1, asked + " --record " + path("alone.sqlite")).code, 0);
    expect_same(timeless(record), timeless(path("alone.sqlite")));
}

TEST_F(TogetherInATournament, AnyProcessMayBeInterrupted) {
    const std::string record = path("record.sqlite");
    for (const std::size_t interrupted : {1, 0}) {
        Running running(*this, 2, matches(500, 2000), record);
        ASSERT_TRUE(running.wait_for_matches(3)) << running.end().err;
        running.signal(SIGINT, interrupted);
        const Ran ran = running.end();
        EXPECT_EQ(ran.code, 130) << ran.err;
        EXPECT_SAYS(ran.out, "of 2000 matches: interrupted");
        EXPECT_SAYS(ran.out, "Go on with: zermelo tournament --record " + record);
    }
}

TEST_F(TogetherInATournament, OneProcessSaysWhatIsWrong) {
    const Ran ran = tournament(2, "--playouts 5 --games " + path("none.kif") + " --players uct random");
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_SAYS(ran.err, "none.kif: cannot be read");
    EXPECT_EQ(ran.err.find("process 1 of 2"), std::string::npos) << ran.err;
    EXPECT_EQ(ran.out, "");
}

TEST_F(TogetherInATournament, OneProcessReports) {
    const std::string record = path("record.sqlite");
    ASSERT_EQ(tournament(2, matches(1, 5) + " --record " + record).code, 0);
    const Ran ran = tournament(2, "--report-only --json --record " + record);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(json_of(ran)["matches"], 4);
    EXPECT_EQ(json_of(tournament(2, "--json --record " + record))["matches"], 4);
}

TEST_F(TogetherInATournament, SequentialTestsEndIt) {
    const Ran ran =
        tournament(3, "--json --games " + gdl +
                          "nim.kif --players random perfect --playouts 50 --rounds 5000 --sprt 0 100");
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto object = json_of(ran);
    EXPECT_EQ(object["scheduled"], 10'000);
    EXPECT_LT(object.value("matches", 10'000), 10'000);
    EXPECT_SAYS(object.value("sprt", ""), "H0");
}

}  // namespace
}  // namespace zermelo
