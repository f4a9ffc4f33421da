// zermelo new and zermelo help: starts that work, and a manual that tells everything that --help does.

#include <set>

#include "program.hpp"

namespace zermelo {
namespace {

class Start : public Program {
protected:
    [[nodiscard]] Ran here(const std::string& arguments) const {
        return run("cd " + path("") + " && " + binary + " " + arguments);
    }
};

TEST_F(Start, RulesThatCheckRunAndSolve) {
    EXPECT_EQ(here("new gdl pebbles").code, 0);
    const auto check = json_of(here("gdl check --json pebbles.kif"));
    EXPECT_EQ(check["findings"], nlohmann::json::array());
    EXPECT_EQ(here("gdl check --strict pebbles.kif").code, 0);
    EXPECT_EQ(here("gdl fmt pebbles.kif").code, 0);
    // Nine is a multiple of three: the second player wins by what completes three.
    const auto solved = json_of(here("solve --json pebbles.kif"));
    EXPECT_EQ(solved["verdict"], "lost");
    EXPECT_EQ(solved["values"]["bob"], 100);
    EXPECT_EQ(here("match pebbles.kif uct:playouts=20 random --games 1").code, 0);
    EXPECT_SAYS(read_file(path("pebbles.kif")), "; pebbles\n");
}

TEST_F(Start, AModelThatSolvesAndPlays) {
    EXPECT_EQ(here("new model").code, 0);
    EXPECT_EQ(json_of(here("solve --json mine.mzn"))["verdict"], "won");
    std::string text = read_file(path("mine.mzn"));
    text.replace(text.find("int: n = 7;"), 11, "int: n;");
    (void)write("mine.mzn", text);
    // Lost for multiples of three.
    for (int n = 1; n <= 9; ++n)
        EXPECT_EQ(json_of(here("solve --json mine.mzn -D n=" + std::to_string(n)))["verdict"],
                  n % 3 == 0 ? "lost" : "won")
            << n;
    EXPECT_EQ(here("solve mine.mzn -D n=7").err, "");
    EXPECT_SAYS(run("cd " + path("") + " && echo q | " + binary + " play mine.mzn -D n=7").out, "taken: ");
}

TEST_F(Start, AGraphThatSolves) {
    EXPECT_EQ(here("new graph maze").code, 0);
    EXPECT_EQ(json_of(here("solve --json maze.json"))["verdict"], "drawn");
    EXPECT_EQ(here("show --regions maze.json -o maze.svg").code, 0);
}

TEST_F(Start, NothingIsOverwrittenOrMisnamed) {
    (void)write("old.kif", "(role x)\n");
    expect_one_line_about(here("new gdl old"), "old.kif: is there already; choose another name");
    EXPECT_EQ(read_file(path("old.kif")), "(role x)\n");
    EXPECT_EQ(here("new gdl given.kif").code, 0);
    EXPECT_TRUE(std::filesystem::exists(path("given.kif")));
    EXPECT_EQ(here("new graph 'a\"b'").code, 2);
    EXPECT_SAYS(here("new modle").err, "did you mean model? ");
}

// ---- the manual

class Manual : public Program {
protected:
    // Options and subcommands that --help of a command lists.
    struct Told {
        std::set<std::string> options;
        std::set<std::string> subcommands;
    };
    static Told told_by_help(const std::string& command) {
        Told told;
        std::istringstream lines(zermelo(command + " --help").out);
        bool subcommands = false;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("Example")) break;
            if (line.starts_with("Subcommands:")) subcommands = true;
            if (!line.starts_with("  ") || line.starts_with("   ")) continue;
            std::istringstream words(line);
            std::string word;
            words >> word;
            if (subcommands) {
                told.subcommands.insert(word);
            } else if (word.starts_with("-")) {
                for (std::size_t at = 0; at < word.size();) {
                    const std::size_t end = std::min(word.find(',', at), word.size());
                    const std::string given = word.substr(at, end - at);
                    const std::string name = given.substr(0, given.find('{'));  // --no-goods{false}
                    if (name.starts_with("-")) told.options.insert(name);
                    at = end + 1;
                }
            }
        }
        return told;
    }
    static std::string rendered(const std::string& page) {
        // Hyphens as they are typed.
        return run("groff -Kutf8 -man -Tutf8 -P-cbou " + page + " | sed -e 's/−/-/g' -e 's/‐/-/g'").out;
    }
};

TEST_F(Manual, HasEverySubcommandAndOption) {
    if (run("command -v groff").code != 0) GTEST_SKIP() << "there is no groff here (packages/test.txt)";
    EXPECT_EQ(zermelo("help --man -o " + path("man1")).code, 0);
    const std::string main = rendered(path("man1/zermelo.1"));
    const Told all = told_by_help("");
    EXPECT_GT(all.subcommands.size(), 18U);
    for (const std::string& command : all.subcommands) {
        SCOPED_TRACE(command);
        EXPECT_SAYS(main, command);
        const std::string file = path("man1/zermelo-" + command + ".1");
        const Ran warnings = run("groff -Kutf8 -man -Tutf8 -ww " + file + " >/dev/null");
        EXPECT_EQ(warnings.err, "");
        const std::string page = rendered(file);
        const Told told = told_by_help(command);
        EXPECT_FALSE(told.options.empty());
        for (const std::string& option : told.options) EXPECT_SAYS(page, option);
        for (const std::string& below : told.subcommands) {
            EXPECT_SAYS(page, "zermelo " + command + " " + below);
            for (const std::string& option : told_by_help(command + " " + below).options)
                EXPECT_SAYS(page, option);
        }
        EXPECT_SAYS(page, "EXIT STATUS");
    }
}

TEST_F(Manual, HelpIsAWordToo) {
    EXPECT_EQ(zermelo("help gdl perft").out, zermelo("gdl perft --help").out);
    EXPECT_EQ(zermelo("help").out, zermelo("--help").out);
    EXPECT_TRUE(zermelo("help --man solve").out.starts_with(".\\\""));
    expect_one_line_about(zermelo("help slove"), "there is no subcommand slove; did you mean solve? ");
}

}  // namespace
}  // namespace zermelo
