// The order of things that a loss of power asks for: a file is written beside its place, brought to the disk, renamed, and its
// folder is brought to the disk. Whatever of that was done when the power fails, the old file is there or the new one.

#include <sstream>

#include "faults/faults.hpp"

namespace zermelo {
namespace {

struct Deed {
    std::string call;
    std::string path;
    std::string to;  // of a rename
};

class PowerLoss : public Faults {
protected:
    void SetUp() override {
        Faults::SetUp();
        std::filesystem::create_directory(kept());
    }
    [[nodiscard]] std::string kept() const { return path("kept"); }
    // The environment in which nothing fails, and all is noted that becomes of the files in that folder.
    [[nodiscard]] std::string noted() const {
        return "ZERMELO_FAULTS_LOG=" + path("log") + " " + with_faults("none", 0, 1, kept());
    }
    [[nodiscard]] std::vector<Deed> deeds() const {
        std::istringstream lines(read_file(path("log")));
        std::vector<Deed> all;
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            Deed& deed = all.emplace_back();
            words >> deed.call >> deed.path >> deed.to;
        }
        return all;
    }
    // How often the file was replaced, each time in this order.
    std::size_t replaced(const std::string& file) const {
        const std::vector<Deed> all = deeds();
        std::size_t times = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].call == "rename" && all[i].to == file) {
                ++times;
                expect_order(all, i);
            }
            EXPECT_FALSE(all[i].call == "write" && all[i].path == file) << file << " is written in its place";
        }
        return times;
    }

    static void expect_order(const std::vector<Deed>& all, std::size_t rename) {
        const Deed& renamed = all[rename];
        std::size_t last = rename;  // of what was done to the file before
        while (last > 0 && all[last - 1].path != renamed.path) --last;
        ASSERT_GT(last, 0U) << renamed.path << " was never written";
        EXPECT_EQ(all[last - 1].call, "sync") << renamed.path << " is renamed before it is on the disk";
        const std::string folder = std::filesystem::path(renamed.to).parent_path().string();
        std::size_t next = rename + 1;  // of what is done to the folder, or to the file
        while (next < all.size() && all[next].path != folder && all[next].path != renamed.to &&
               all[next].path != renamed.path)
            ++next;
        ASSERT_LT(next, all.size()) << "the folder of " << renamed.to << " is not brought to the disk";
        EXPECT_EQ(all[next].call + " " + all[next].path, "sync " + folder);
    }
};

TEST_F(PowerLoss, FindsCertificatesWholeOrNotAtAll) {
    const std::string model = " " + nim + " -D n=12 ";
    const std::string dice = " " ZERMELO_SOURCE_DIR "/games/gdl/monty-hall.kif ";
    const std::string coins = " " ZERMELO_SOURCE_DIR "/games/gdl/matching-pennies.kif ";
    const std::string stochastic = " " ZERMELO_SOURCE_DIR "/games/stochastic/example-1.mzn ";
    const std::vector<std::pair<std::string, std::string>> works = {{model, "strategy.json"},
                                                                    {" " + tic_tac_toe + " ", "plan.json"},
                                                                    {" " + tic_tac_toe + " ", "a.zplan"},
                                                                    {dice, "policy.json"},
                                                                    {dice, "a.zpolicy"},
                                                                    {coins, "mixed.json"},
                                                                    {stochastic, "best.json"}};
    for (const auto& [problem, name] : works) {
        const std::string file = kept() + "/" + name;
        const Ran ran = run(noted() + binary + " solve" + problem + "--strategy " + file);
        ASSERT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(replaced(file), 1U) << name;
    }
}

TEST_F(PowerLoss, FindsCheckpointsWholeOrNotAtAll) {
    const std::string game = connect_four(4, 4);
    for (const std::string engine : {"attractors", "alpha-beta"}) {
        const std::string file = kept() + "/" + engine;
        (void)run(noted() + "timeout -s INT 0.3 " + binary + " solve --no-check --engine " + engine + " " +
                  game + " --checkpoint " + file + " --checkpoint-seconds 0.01");
        EXPECT_GT(replaced(file), 0U) << engine;
    }
}

TEST_F(PowerLoss, FindsNetsAndTrainingsWholeOrNotAtAll) {
    const std::string file = kept() + "/a.net";
    const Ran ran = run(noted() + binary + " " + training(file, 128));
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_GT(replaced(file), 1U);
    EXPECT_GT(replaced(file + ".checkpoint"), 1U);
}

TEST_F(PowerLoss, FindsAMatchThatHasBegunInTheJournal) {
    const Ran ran = run("folder=" + path("") + "\n" + noted() + binary +
                        " player --port 0 --strategy random --journal " + kept() +
                        " >$folder/out 2>&1 & p=$!\n"
                        "until grep -q http $folder/out || ! kill -0 $p 2>/dev/null; do sleep 0.02; done\n" +
                        binary + " manage " + tic_tac_toe +
                        " http://127.0.0.1:$(grep -o '[0-9]*/$' $folder/out | tr -d /) random --startclock 1 "
                        "--playclock 1 --json\ncode=$?; kill $p; wait 2>/dev/null; exit $code");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const std::vector<Deed> all = deeds();
    const auto begun = std::ranges::find(all, "rename", &Deed::call);
    ASSERT_NE(begun, all.end());
    expect_order(all, static_cast<std::size_t>(begun - all.begin()));
}

}  // namespace
}  // namespace zermelo
