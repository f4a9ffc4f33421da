// zermelo train as a process: it learns, goes on where it was killed, and says what is wrong.

#include <csignal>
#include <filesystem>

#include "program.hpp"

namespace zermelo {
namespace {

class Train : public Program {
protected:
    static inline const std::string small = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/tic-tac-toe.kif";
    [[nodiscard]] static std::string command(const std::string& file, int games, int matches = 0) {
        return "train " + small + " --threads 1 --matches " + std::to_string(matches) +
               " --simulations 32 --gates 16 --hidden 32 -o " + file + " --games " + std::to_string(games);
    }
};

TEST_F(Train, WritesANetThatThePlayerUses) {
    const TemporaryDirectory scratch;
    const std::string file = scratch.path("a.net");
    const auto answer = json_of(zermelo(command(file, 64, 2) + " --json"));
    EXPECT_EQ(answer["games"], 64);
    EXPECT_EQ(answer["file"], file);
    EXPECT_EQ(answer["progress"].size(), 1U);
    const auto match = json_of(zermelo("match " + small + " zermelo:adapt=0,net=" + file +
                                       " random --games 2 --playouts 50 --json"));
    EXPECT_EQ(match["games"], 2);
    EXPECT_EQ(match["illegal"], 0);
}

TEST_F(Train, GoesOnWhereItWasStopped) {
    const TemporaryDirectory scratch;
    ASSERT_EQ(zermelo(command(scratch.path("whole"), 96)).code, 0);
    ASSERT_EQ(zermelo(command(scratch.path("parts"), 64)).code, 0);
    ASSERT_EQ(zermelo(command(scratch.path("parts"), 96)).code, 0);
    EXPECT_EQ(read_file(scratch.path("whole")), read_file(scratch.path("parts")));
    EXPECT_FALSE(read_file(scratch.path("whole")).empty());
}

TEST_F(Train, EndsInOrderOnCtrlC) {
    const TemporaryDirectory scratch;
    const std::string file = scratch.path("a.net");
    const Ran ran = run("timeout --preserve-status -s INT 3 " + binary + " " + command(file, 1'000'000));
    EXPECT_EQ(ran.code, 130) << ran.err;
    EXPECT_TRUE(std::filesystem::exists(file));
    const Ran again = zermelo(command(file, 32));
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_SAYS(again.out, "goes on after");
}

TEST_F(Train, KilledItGoesOnAndLearnsTheSame) {
    const TemporaryDirectory scratch;
    const std::string often = " --checkpoint-seconds 0.0001";
    ASSERT_EQ(zermelo(command(scratch.path("whole"), 3200)).code, 0);
    const std::string file = scratch.path("parts");
    Ran dead;
    for (int life = 0; life < 10 && dead.code != 137; ++life) {
        for (const char* ending : {"", ".checkpoint"}) std::filesystem::remove(file + ending);
        dead = run("( exec " + binary + " " + command(file, 3200) + often + " ) & p=$!; until [ -s " + file +
                   " ]; do sleep 0.01; done; kill -KILL $p; wait $p");
    }
    ASSERT_EQ(dead.code, 137) << "it was always finished before";
    const Ran again = zermelo(command(file, 3200));
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_SAYS(again.out, "goes on after");
    EXPECT_EQ(read_file(scratch.path("whole")), read_file(file));
}

// Racing is kept in the cache folder where there are nets, and the next match begins with what was found out.
TEST_F(Train, TheNextMatchKnowsWhatRacingHasFoundOut) {
    const TemporaryDirectory scratch;
    const std::string here = "env XDG_CACHE_HOME=" + scratch.path("cache") + " " + binary + " ";
    const std::string game = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/subtraction.kif";
    const auto races = [&](const std::string& player, double start_clock) {
        const Ran ran = run(here + "match " + game + " " + player + " random --games 1 --clock 0.05 --json " +
                            "--start-clock " + std::to_string(start_clock));
        EXPECT_EQ(ran.code, 0) << ran.err;
        const auto object = json_of(ran);
        return object["players"][0]["counters"].value("races", 0.0);
    };
    EXPECT_GT(races("zermelo", 2), 0);
    EXPECT_FALSE(std::filesystem::exists(scratch.path("cache")));
    ASSERT_EQ(run(here + "train " + game + " --games 64 --threads 1 --matches 0").code, 0);
    const double first = races("zermelo:net=none", 2);
    EXPECT_GT(first, 0);
    EXPECT_GE(races("zermelo:net=none", 0.1), first);
    EXPECT_LT(races("zermelo:net=none,remember=0", 0.1), first);
}

TEST_F(Train, RefusesWhatItCannotUse) {
    const TemporaryDirectory scratch;
    const std::string file = scratch.path("a.net");
    ASSERT_EQ(zermelo(command(file, 64)).code, 0);
    const std::string other = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/nim.kif";
    expect_one_line_about(zermelo("match " + other + " zermelo:net=" + file + " random --playouts 10"),
                          "a.net");
    expect_one_line_about(
        zermelo("match " + small + " zermelo:net=" + scratch.path("none") + " random --playouts 10"), "none");
    expect_one_line_about(zermelo("train " + std::string(ZERMELO_SOURCE_DIR) +
                                  "/games/gdl/kuhn-poker.kif --games 1 -o " + file),
                          "hidden");
    expect_one_line_about(zermelo(command(file, 96) + " --seed 7"), "other options");
}

}  // namespace
}  // namespace zermelo
