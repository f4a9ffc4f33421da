// The other subcommands, help, completion and the terminal.

#include "program.hpp"

namespace zermelo {
namespace {

class Commands : public Program {};

TEST_F(Commands, HelpHasExamplesForEverySubcommand) {
    for (const char* command : {"", "solve", "verify", "show", "play", "generate", "bench",
                                "bench quantified", "examples", "completion"}) {
        const Ran ran = zermelo(std::string(command) + " --help");
        EXPECT_EQ(ran.code, 0) << command;
        EXPECT_SAYS(ran.out, "Example");
        EXPECT_SAYS(ran.out.substr(ran.out.rfind("Example")), "zermelo ");
        EXPECT_EQ(ran.err, "");
    }
    EXPECT_TRUE(zermelo("--version").out.starts_with("zermelo "));
}

TEST_F(Commands, BadUsageEndsWithExitCodeTwo) {
    for (const char* usage : {"", "dance", "solve", "solve --engine", "solve a.mzn --values best",
                              "verify a.mzn", "generate chess", "solve a.mzn --time-limit soon",
                              "completion tcsh", "bench", "solve a.mzn --no-such-option"}) {
        const Ran ran = zermelo(usage);
        EXPECT_EQ(ran.code, 2) << usage;
        EXPECT_NE(ran.err, "") << usage;
    }
}

TEST_F(Commands, GenerateWritesTheSameBoardForTheSameSeed) {
    const Ran once = zermelo("generate matrix-game --depth 2 --density 0.5 --seed 3");
    EXPECT_EQ(once.code, 0);
    EXPECT_SAYS(once.out, "depth = 2;\nboard = [\n");
    EXPECT_EQ(std::count(once.out.begin(), once.out.end(), ','), 15);
    EXPECT_EQ(zermelo("generate matrix-game --depth 2 --density 0.5 --seed 3").out, once.out);
    EXPECT_NE(zermelo("generate matrix-game --depth 2 --density 0.5 --seed 4").out, once.out);
    EXPECT_EQ(zermelo("generate matrix-game --depth 2 --density 0.5 --seed 3 -o " + path("b.dzn")).code, 0);
    EXPECT_EQ(read_file(path("b.dzn")), once.out);
    EXPECT_EQ(zermelo("generate matrix-game -o " + path("no/such/place")).code, 2);
}

// We keep the upper or the lower half, then they keep the left or the right one.
bool matrix_won(const std::string& cells, std::size_t side, std::size_t row, std::size_t column,
                std::size_t left) {
    if (left == 1) return cells[row * side + column] == '1';
    const std::size_t half = left / 2;
    for (const std::size_t down : {std::size_t{0}, half}) {
        if (matrix_won(cells, side, row + down, column, half) &&
            matrix_won(cells, side, row + down, column + half, half))
            return true;
    }
    return false;
}

TEST_F(Commands, GenerateReadsBoardsOfQuaCode) {
    const std::string game = std::string(ZERMELO_SOURCE_DIR) + "/games/quantified/matrix-game.mzn";
    int won = 0;
    for (const std::string cells :
         {"1011011111011011", "0110101111010110", "1111000000001111", "0001111000011110"}) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            text += cells[i];
            text += i % 4 == 3 ? " \n" : " ";
        }
        const std::string board = write("matrix.txt", text);
        ASSERT_EQ(zermelo("generate matrix-game --board " + board + " -o " + path("b.dzn")).code, 0);
        EXPECT_SAYS(read_file(path("b.dzn")), "depth = 2;");
        const bool expected = matrix_won(cells, 4, 0, 0, 4);
        won += expected ? 1 : 0;
        EXPECT_EQ(json_of(zermelo("solve --json " + game + " --data " + path("b.dzn")))["verdict"],
                  expected ? "won" : "lost")
            << cells;
    }
    EXPECT_TRUE(won > 0 && won < 4);
    expect_one_line_about(zermelo("generate matrix-game --board " + write("odd.txt", "1 0 1")),
                          "has 3 cells");
    expect_one_line_about(zermelo("generate matrix-game --board " + write("two.txt", "1 0 2 1")),
                          "cell 3 is 2");
    expect_one_line_about(zermelo("generate matrix-game --board " + path("none.txt")), "cannot be read");
    EXPECT_EQ(zermelo("generate matrix-game --depth 2 --board " + path("odd.txt")).code, 2);
}

constexpr const char* small_list = R"([
    {"name": "four variables", "file": "quantified/four-variables.mzn", "question": "who wins?", "options": true},
    {"name": "nim 5", "file": "quantified/nim-fibonacci.mzn", "define": ["n=5"], "theirs": {"propagations": 100, "cpu_seconds": 1}}
])";

TEST_F(Commands, ExamplesAreSolvedAndChecked) {
    const std::string list = write("list.json", small_list);
    const Ran text = zermelo("examples --list " + list);
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_SAYS(text.out, "question");
    EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 3) << text.out;
    EXPECT_EQ(text.err, "");
    const auto rows = json_of(zermelo("examples --json --list " + list))["examples"];
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["verdict"], "won");
    EXPECT_EQ(rows[1]["verdict"], "lost");
    for (const auto& row : rows) EXPECT_EQ(row["checked"], true);
}

TEST_F(Commands, ExamplesStopWhenTheTimeIsUp) {
    const std::string list = write(
        "list.json", R"([{"name": "nim", "file": "quantified/nim-fibonacci.mzn", "define": ["n=4000"]}])");
    EXPECT_EQ(zermelo("examples --time-limit 0.5 --list " + list).code, 3);
}

TEST_F(Commands, BrokenListsAreRefused) {
    for (const char* text :
         {"[{}]", "{", "7", R"([{"name": 3, "file": 4}])", R"([{"name": "a", "file": "nowhere.mzn"}])"}) {
        const Ran ran = zermelo("examples --list " + write("list.json", text));
        EXPECT_EQ(ran.code, 2) << text;
        EXPECT_NE(ran.err, "") << text;
    }
    EXPECT_EQ(zermelo("bench quantified --list " + path("none.json")).code, 2);
}

TEST_F(Commands, BenchPrintsOursBesideTheirsAndTheEffectOfEachOption) {
    const std::string list = write("list.json", small_list);
    const Ran text = zermelo("bench quantified --seconds 5 --list " + list);
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_SAYS(text.out, "nim 5");
    EXPECT_SAYS(text.out, "four variables: each technique against the row above, as ratios");
    EXPECT_SAYS(text.out, "without goods");
    const auto object = json_of(zermelo("bench quantified --seconds 5 --json --list " + list));
    EXPECT_EQ(object["instances"][1]["verdict"], "lost");
    EXPECT_EQ(object["instances"][1]["theirs"]["propagations"], 100);
    EXPECT_EQ(object["options"].size(), 1U);
    EXPECT_EQ(json_of(zermelo("bench quantified --no-options --json --list " + list))["options"].size(), 0U);
}

TEST_F(Commands, BenchLeavesOutWhatNeedsMoreTimeAndSaysSo) {
    const std::string list = write("list.json", R"([{"name": "nim 5", "file": "quantified/nim-fibonacci.mzn",
        "define": ["n=5"], "needs_seconds": 60}])");
    const Ran without = zermelo("bench quantified --seconds 5 --list " + list);
    EXPECT_EQ(without.code, 0) << without.err;
    EXPECT_SAYS(without.out, "needs --seconds 60");
    EXPECT_EQ(json_of(zermelo("bench quantified --seconds 5 --json --list " + list))["instances"].size(), 0U);
    EXPECT_EQ(json_of(zermelo("bench quantified --seconds 60 --json --list " + list))["instances"].size(),
              1U);
}

TEST_F(Commands, BashCompletesSubcommandsOptionsAndFiles) {
    const auto completions = [&](const std::string& words, int at) {
        const Ran ran =
            run("cd " + path("") + " && bash -c 'source <(" + binary + " completion bash); COMP_WORDS=(" +
                words + "); COMP_CWORD=" + std::to_string(at) + "; _zermelo; echo \"${COMPREPLY[@]}\"'");
        EXPECT_EQ(ran.err, "");
        return ran.out;
    };
    EXPECT_EQ(completions("zermelo so", 1), "solve\n");
    EXPECT_EQ(completions("zermelo solve --all", 2), "--all-first-moves\n");
    EXPECT_EQ(completions("zermelo solve --no-g", 2), "--no-goods\n");
    EXPECT_EQ(completions("zermelo bench quan", 2), "quantified\n");
    EXPECT_EQ(completions("zermelo bench quantified --sec", 3), "--seconds\n");
    (void)write("my-game.mzn", "");
    EXPECT_EQ(completions("zermelo solve my", 2), "my-game.mzn\n");
    // Values: engines, players, games, kinds.
    EXPECT_EQ(completions("zermelo solve x.kif --engine attr", 4), "attractors\n");
    EXPECT_EQ(completions("zermelo solve x.mzn --values asc", 4), "ascending\n");
    EXPECT_EQ(completions("zermelo gdl simulate x.kif --engine sl", 5), "sliced\n");
    EXPECT_EQ(completions("zermelo player --strategy gra", 3), "grave\n");
    EXPECT_EQ(completions("zermelo match connect-four gree", 3), "greedy\n");
    EXPECT_EQ(completions("zermelo solve breakthrough-su", 2), "breakthrough-suicide\n");
    EXPECT_EQ(completions("zermelo new gra", 2), "graph\n");
}

TEST_F(Commands, FishAndZshHaveScriptsToo) {
    const Ran fish = zermelo("completion fish");
    EXPECT_SAYS(fish.out,
                "complete -c zermelo -n __fish_use_subcommand -a solve -d 'Find out who wins, and by which "
                "strategy'\n");
    EXPECT_SAYS(fish.out, "complete -c zermelo -n '__fish_seen_subcommand_from verify' -l json\n");
    EXPECT_SAYS(fish.out, "complete -c zermelo -n '__fish_seen_subcommand_from bench' -a quantified\n");
    EXPECT_SAYS(fish.out,
                "'__fish_seen_subcommand_from solve' -l learning -x -a 'auto backjump nogoods off'\n");
    const Ran zsh = zermelo("completion zsh");
    EXPECT_TRUE(zsh.out.starts_with("#compdef zermelo\nautoload -U +X bashcompinit && bashcompinit\n"))
        << zsh.out;
}

TEST_F(Commands, ProgressIsShownOnATerminalOnly) {
    const std::string long_solve = binary + " solve " + nim + " -D n=80 --no-goods --time-limit 2";
    EXPECT_EQ(run(long_solve).err, "");
    const Ran terminal = run("script -qec '" + long_solve + "' /dev/null </dev/null");
    EXPECT_SAYS(terminal.out, "\r\033[K");
    EXPECT_SAYS(terminal.out, " propagations, ");
    EXPECT_SAYS(terminal.out, "\r\033[Kunknown: time limit reached");
}

}  // namespace
}  // namespace zermelo
