// zermelo player and zermelo manage as processes: matches over loopback, and a player that is killed.

#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "net/client.hpp"
#include "program.hpp"
#include "support/seeds.hpp"

namespace zermelo {
namespace {

// A player in a process of its own.
class Process {
public:
    Process(const std::string& binary, std::vector<std::string> arguments, const std::string& output) {
        arguments.insert(arguments.begin(), binary);
        child_ = fork();
        if (child_ == 0) {
            std::vector<char*> argv;
            for (std::string& each : arguments) argv.push_back(each.data());
            argv.push_back(nullptr);
            if (std::freopen(output.c_str(), "w", stdout) == nullptr) _exit(126);
            execv(argv[0], argv.data());
            _exit(127);
        }
        // The first line says where it waits.
        for (int i = 0; i < 1000 && port_ == 0; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            std::ifstream in(output);
            std::string line;
            if (std::getline(in, line) && line.ends_with('/')) {
                const std::size_t colon = line.rfind(':');
                port_ = static_cast<std::uint16_t>(std::stoi(line.substr(colon + 1)));
            }
        }
    }
    ~Process() { (void)end(SIGKILL); }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    int end(int signal) {
        if (child_ <= 0) return 0;
        kill(child_, signal);
        int status = 0;
        waitpid(child_, &status, 0);
        child_ = -1;
        return status;
    }
    // The most memory that it has held so far.
    [[nodiscard]] std::size_t peak_bytes() const {
        std::ifstream status("/proc/" + std::to_string(child_) + "/status");
        std::size_t kilobytes = 0;
        for (std::string word; status >> word && kilobytes == 0;) {
            if (word == "VmHWM:") status >> kilobytes;
        }
        return kilobytes << 10;
    }
    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

private:
    pid_t child_ = -1;
    std::uint16_t port_ = 0;
};

class PlayerProgram : public Program {
protected:
    static inline const std::string gdl = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";

    [[nodiscard]] std::unique_ptr<Process> player(std::vector<std::string> options) {
        std::vector<std::string> all = {"player"};
        if (std::ranges::find(options, "--port") == options.end()) all.insert(all.end(), {"--port", "0"});
        all.insert(all.end(), options.begin(), options.end());
        auto process = std::make_unique<Process>(binary, all, path("player" + std::to_string(count_++)));
        EXPECT_NE(process->port(), 0);
        return process;
    }
    int count_ = 0;
};

TEST_F(PlayerProgram, TwoPlayersPlayAllKindsOfGames) {
    const auto a = player({"--no-journal", "--matches", "4", "--strategy", "uct"});
    const auto b = player({"--no-journal", "--matches", "4", "--strategy", "zermelo"});
    const std::map<std::string, int> seats = {
        {"tic-tac-toe", 2},  {"nim", 2},          {"monty-hall", 1},         {"kuhn-poker", 2},
        {"eight-puzzle", 1}, {"four-in-turn", 4}, {"rock-paper-scissors", 2}};
    for (const auto& [game, count] : seats) {
        std::string command = "manage " + gdl + game + ".kif";
        for (int seat = 0; seat < count; ++seat) command += " " + (seat % 2 == 0 ? a : b)->url();
        const Ran ran =
            zermelo(command + " --startclock 1 --playclock 0.6 --json --matches " + path("played"));
        ASSERT_EQ(ran.code, 0) << game << ran.err;
        const auto report = json_of(ran);
        EXPECT_EQ(report["matches"][0]["faults"].size(), 0U) << game << report;
        EXPECT_EQ(report["matches"][0]["error"], "") << game;
    }
    EXPECT_EQ(a->end(SIGINT), 0);
    EXPECT_EQ(b->end(SIGTERM), 0);
}

// Killed in the middle of a match and started again, it goes on from its journal, or is not there for a
// while; the manager goes on in both cases.
TEST_F(PlayerProgram, APlayerThatIsKilledTakesTheMatchUpAgain) {
    const std::string journal = path("journal");
    auto first = player({"--journal", journal, "--strategy", "uct:bounds=0"});
    const std::string url = first->url();
    const std::string port = std::to_string(first->port());
    std::atomic<bool> finished = false;
    Ran ran;
    std::jthread match([&] {
        ran = zermelo("manage " + gdl + "connect-four.kif " + url +
                      " uct:bounds=0 --startclock 1 --playclock 1 --json");
        finished = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(3500));
    ASSERT_FALSE(finished);
    (void)first->end(SIGKILL);
    const auto second = player({"--journal", journal, "--strategy", "uct:bounds=0", "--port", port});
    match.join();
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto report = json_of(ran);
    const auto& played = report["matches"][0];
    EXPECT_EQ(played["error"], "");
    // While it was away it could not answer; what it said after that was a move, and legal.
    for (const auto& fault : played["faults"]) EXPECT_EQ(fault["fault"], "CE");
    EXPECT_LE(played["faults"].size(), 2U);
    const auto metrics = net::request({"127.0.0.1", second->port(), "/metrics"}, std::nullopt);
    EXPECT_SAYS(metrics.response.body, "zermelo_matches_total{what=\"resumed\"} 1");
    EXPECT_SAYS(metrics.response.body, "zermelo_matches_total{what=\"stopped\"} 1");
    EXPECT_TRUE(std::filesystem::is_empty(journal));
}

// A rule whose body has 40⁸ instances: it fits into no memory as a network, and is no end of work as it stands.
TEST_F(PlayerProgram, StaysWithinItsMemoryWhereRulesAreWide) {
    if (sanitized) GTEST_SKIP() << "a sanitizer has memory of its own";
    std::string rules =
        "(role r) (role s) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (legal r go) (legal r stay) (legal "
        "s go) "
        "(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (<= terminal (true (at 3))) (goal s 0) ";
    for (int i = 0; i < 40; ++i) rules += "(d e" + std::to_string(i) + ") ";
    const std::string body =
        "(d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h) "
        "(distinct ?a ?b) (distinct ?c ?d) (distinct ?e ?f) (distinct ?g ?h)";
    const std::string wide = "(wide ?a ?b ?c ?d ?e ?f ?g ?h)";
    const std::vector<std::string> ways = {
        "(<= " + wide + " " + body + ") (<= (goal r 100) " + wide + ")",  // the same in all states
        "(<= " + wide + " " + body + " (true (at ?n))) (<= (goal r 100) " + wide + ")",  // and not
        "(goal r 100) (<= (next " + wide + ") " + body + " (does r go))",                // as fluents
        "(goal r 100) (<= (legal r " + wide + ") " + body + ")"};                        // and as moves
    constexpr std::size_t limit = std::size_t{300} << 20;
    const auto process =
        player({"--no-journal", "--memory", "32M", "--memory-limit", "300M", "--matches", "8"});
    const auto ask = [&](const std::string& message) {
        const net::Reply reply = net::request({"127.0.0.1", process->port(), "/"}, message);
        EXPECT_EQ(reply.kind, net::Reply::Kind::answered) << message.substr(0, 40) << ": " << reply.problem;
        return reply.response.body;
    };
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const std::string match = "wide" + std::to_string(i);
        EXPECT_FALSE(ask("(START " + match + " r (" + rules + ways[i] + ") 2 1)").empty());
        (void)ask("(PLAY " + match + " NIL)");
        (void)ask("(ABORT " + match + ")");
        EXPECT_LE(process->peak_bytes(), limit + limit / 10) << ways[i];
    }
    // It is as ready for others as before.
    EXPECT_SAYS(ask("(INFO)"), "available");
    const Ran ran = zermelo("manage " + gdl + "tic-tac-toe.kif " + process->url() +
                            " random --startclock 1 --playclock 1 --json");
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(json_of(ran)["matches"][0]["faults"].size(), 0U) << ran.out;
    EXPECT_LE(process->peak_bytes(), limit + limit / 10);
}

TEST_F(PlayerProgram, SaysWhatIsWrong) {
    expect_one_line_about(zermelo("player --strategy nobody"), "there is no player nobody");
    expect_one_line_about(zermelo("player --strategy http://127.0.0.1:1"), "is somewhere else");
    expect_one_line_about(zermelo("player --address nowhere"), "nowhere");
    const auto taken = player({"--no-journal"});
    expect_one_line_about(zermelo("player --no-journal --port " + std::to_string(taken->port())), "port");
    expect_one_line_about(zermelo("player --log " + path("no/such/folder")), "cannot be written");
}

}  // namespace
}  // namespace zermelo
