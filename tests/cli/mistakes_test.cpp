// Mistakes of people on the command line, and the help that they get: what is wrong, and the nearest that is right.

#include "program.hpp"

namespace zermelo {
namespace {

class Mistakes : public Program {
protected:
    static inline const std::string gdl = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    static inline const std::string tic_tac_toe = gdl + "tic-tac-toe.kif";

    // The first line of what is said; exit code 2, and nothing on stdout.
    [[nodiscard]] static std::string said(const std::string& arguments) {
        const Ran ran = zermelo(arguments);
        EXPECT_EQ(ran.code, 2) << arguments << "\n" << ran.out << ran.err;
        EXPECT_EQ(ran.out, "") << arguments;
        return ran.err.substr(0, ran.err.find('\n'));
    }
};

TEST_F(Mistakes, NamesOfSubcommandsAndOptions) {
    EXPECT_SAYS(said("slove " + tic_tac_toe), "there is no subcommand slove; did you mean solve? ");
    EXPECT_SAYS(said("gdl prft " + tic_tac_toe), "there is no subcommand prft; did you mean perft? ");
    EXPECT_SAYS(said("frobnicate"), "there is no subcommand frobnicate; choose one of solve, verify, ");
    EXPECT_SAYS(said(""), "a subcommand is required; choose one of solve, verify, ");
    EXPECT_SAYS(said("solve " + tic_tac_toe + " --engin alpha-beta"),
                "there is no option --engin in solve; did you mean --engine? ");
    EXPECT_SAYS(said("solve " + tic_tac_toe + " --time-limt=3"),
                "there is no option --time-limt in solve; did you mean --time-limit? ");
    EXPECT_SAYS(said("solve " + tic_tac_toe + " --zzzzzz"),
                "there is no option --zzzzzz in solve; see solve --help");
    EXPECT_SAYS(said("solve " + tic_tac_toe + " further.kif"), "further.kif was not expected");
    EXPECT_SAYS(zermelo("slove").err, "Run with --help for more information.");
}

TEST_F(Mistakes, NumbersOutOfRange) {
    EXPECT_EQ(said("solve " + tic_tac_toe + " --time-limit -1"),
              "--time-limit: -1 is too small; give a number, 0 or more");
    EXPECT_EQ(said("solve " + tic_tac_toe + " --time-limit soon"),
              "--time-limit: soon is not a number; give a number, 0 or more");
    EXPECT_EQ(said("solve " + tic_tac_toe + " --time-limit inf"),
              "--time-limit: inf is not a number; give a number, 0 or more");
    EXPECT_EQ(said("match " + tic_tac_toe + " uct random --games 2.5"),
              "--games: 2.5 is not a whole number; give a whole number from 1 to 1,000,000");
    EXPECT_EQ(said("match " + tic_tac_toe + " uct random --games 0"),
              "--games: 0 is too small; give a whole number from 1 to 1,000,000");
    EXPECT_EQ(said("match " + tic_tac_toe + " uct random --games 1000001"),
              "--games: 1000001 is too large; give a whole number from 1 to 1,000,000");
    EXPECT_EQ(said("solve " + tic_tac_toe + " --checkpoint-seconds 0"),
              "--checkpoint-seconds: 0 is too small; give a number greater than 0");
}

TEST_F(Mistakes, NamesOfPlayersKeysAndValues) {
    EXPECT_SAYS(said("match " + tic_tac_toe + " uct grvae"),
                "there is no player grvae; did you mean grave? ");
    EXPECT_SAYS(said("match " + tic_tac_toe + " uct:explortion=1 grave"), "did you mean exploration? ");
    EXPECT_SAYS(said("solve " + nim + " -D n=5 --values acending"),
                "--values: there is no acending; did you mean ascending? choose from ");
    EXPECT_SAYS(said("gdl simulate " + tic_tac_toe + " --engine saclar"), "did you mean scalar? ");
}

TEST_F(Mistakes, NamesOfGames) {
    const Ran solved = zermelo("solve tic-tac-toe");
    EXPECT_EQ(solved.code, 0) << solved.err;
    EXPECT_SAYS(solved.out, "drawn: x 50, o 50");
    EXPECT_EQ(zermelo("solve quantified/nim-fibonacci -D n=5").code, 0);
    EXPECT_EQ(zermelo("gdl info nim").code, 0);
    EXPECT_EQ(zermelo("match nim greedy random --games 1 --clock 0.01 --start-clock 0.01").code, 0);
    EXPECT_SAYS(said("solve tick-tac-toe"),
                "there is no file and no shipped game tick-tac-toe; did you mean tic-tac-toe? ");
    EXPECT_SAYS(said("solve qwertyuiop"), "zermelo games lists those that are shipped");
}

// A file of this name comes first.
TEST_F(Mistakes, AFileHidesAShippedGame) {
    const std::string folder = path("");
    const Ran ran = run("cd " + folder + " && echo 'no game' > nim && " + binary + " solve nim");
    EXPECT_EQ(ran.code, 2);
    EXPECT_SAYS(ran.err, "nim: the format of this file is not known");
}

TEST_F(Mistakes, FilesThatCannotBeRead) {
    std::filesystem::create_directory(path("folder.kif"));
    std::filesystem::create_directory(path("folder.json"));
    EXPECT_SAYS(said("solve " + path("folder.kif")),
                "folder.kif: cannot be read; it is a folder; name a file");
    EXPECT_SAYS(said("solve " + path("none.kif")), "none.kif: cannot be read; check the name of the file");
    const std::string secret = write("secret.kif", "(role x)");
    std::filesystem::permissions(secret, std::filesystem::perms::none);
    if (run("test -r " + secret).code == 0) GTEST_SKIP() << "whoever runs this may read all files";
    EXPECT_SAYS(said("solve " + secret),
                "secret.kif: cannot be read; the file is there, but you are not allowed");
}

TEST_F(Mistakes, ParametersOfModels) {
    EXPECT_SAYS(said("solve " + nim),
                "nim-fibonacci.mzn:12:1: the parameter n has no value; give it one with "
                "--define n=VALUE, or in a data file");
    EXPECT_SAYS(said("solve " + nim + " -D n"), "--define n: syntax error, n has no value; write n=VALUE");
    EXPECT_SAYS(said("solve " + nim + " -D 'n=3; m'"), "m has no value");
    EXPECT_SAYS(said("solve " + write("empty.mzn", "% nothing\n")), "the model is empty");
}

TEST_F(Mistakes, AreObjectsWithJson) {
    const auto error = [](const std::string& arguments) {
        const Ran ran = zermelo(arguments);
        EXPECT_EQ(ran.code, 2) << ran.err;
        EXPECT_FALSE(ran.err.empty());
        return json_of(ran)["error"];
    };
    const auto broken = error("solve --json " + write("broken.kif", "(role x)\n(<= (legal x ?m))\n"));
    EXPECT_EQ(broken["file"], path("broken.kif"));
    EXPECT_EQ(broken["line"], 2);
    EXPECT_GT(broken["column"], 0);
    EXPECT_FALSE(broken["message"].get<std::string>().empty());
    EXPECT_FALSE(broken["remedy"].get<std::string>().empty());
    EXPECT_EQ(error("slove --json")["message"], "there is no subcommand slove");
    EXPECT_SAYS(error("solve --json tic-tac-toe --engine foo")["message"].get<std::string>(), "--engine foo");
}

// The same as text and as an object, whatever was mistaken.
class ListOfMistakes : public Mistakes {
protected:
    using List = std::vector<std::pair<std::string, std::string>>;  // arguments, what is said

    static std::string line_of(const nlohmann::json& error) {
        std::string line;
        for (const char* part : {"file", "line", "column"}) {
            if (!error.contains(part)) continue;
            line += (line.empty() ? "" : ":") +
                    (error[part].is_string() ? error[part].get<std::string>() : error[part].dump());
        }
        line += (line.empty() ? "" : ": ") + error["message"].get<std::string>();
        return error.contains("remedy") ? line + "; " + error["remedy"].get<std::string>() : line;
    }

    static void expect(const List& mistakes) {
        for (const auto& [arguments, text] : mistakes) {
            SCOPED_TRACE(arguments);
            const std::string line = said(arguments);
            EXPECT_SAYS(line, text);
            const Ran ran = zermelo(arguments + " --json");
            EXPECT_EQ(ran.code, 2);
            const auto object = json_of(ran);
            ASSERT_TRUE(object.contains("error")) << ran.out;
            EXPECT_EQ(line_of(object["error"]), line);
        }
    }
};

TEST_F(ListOfMistakes, OnTheCommandLine) {
    const std::string wrong_games = "give a whole number from 1 to 1,000,000";
    expect({
        {"slove " + tic_tac_toe, "there is no subcommand slove; did you mean solve? "},
        {"gdl prft " + tic_tac_toe, "there is no subcommand prft; did you mean perft? "},
        {"frobnicate", "there is no subcommand frobnicate; choose one of solve, "},
        {"solve " + tic_tac_toe + " --engin alpha-beta",
         "there is no option --engin in solve; did you mean --engine? "},
        {"solve " + tic_tac_toe + " --zzzzzz", "there is no option --zzzzzz in solve; see solve --help"},
        {"solve " + tic_tac_toe + " further.kif", "further.kif was not expected; leave it out"},
        {"solve " + tic_tac_toe + " --time-limit=-1",
         "--time-limit: -1 is too small; give a number, 0 or more"},
        {"solve " + tic_tac_toe + " --time-limit soon",
         "--time-limit: soon is not a number; give a number, 0 or more"},
        {"solve " + tic_tac_toe + " --checkpoint-seconds 0",
         "--checkpoint-seconds: 0 is too small; give a number greater than 0"},
        {"solve " + tic_tac_toe + " --memory-limit lots",
         "--memory-limit lots: this is not an amount of memory; write bytes, or a number with K, M or G"},
        {"match " + tic_tac_toe + " uct random --games 2.5",
         "--games: 2.5 is not a whole number; " + wrong_games},
        {"match " + tic_tac_toe + " uct random --games 0", "--games: 0 is too small; " + wrong_games},
        {"match " + tic_tac_toe + " uct random --games 1000001",
         "--games: 1000001 is too large; " + wrong_games},
        {"gdl perft " + tic_tac_toe + " --depth=-1",
         "--depth: -1 is too small; give a whole number from 0 to 10,000"},
        {"gdl perft " + tic_tac_toe + " --depth many", "--depth: many is not a whole number; "},
        {"match " + tic_tac_toe + " uct grvae", "there is no player grvae; did you mean grave? "},
        {"match " + tic_tac_toe + " uct:explortion=1 grave", "did you mean exploration? "},
        {"gdl simulate " + tic_tac_toe + " --engine saclar",
         "--engine: there is no saclar; did you mean scalar? "},
        {"solve " + tic_tac_toe + " --engine quantifed",
         "--engine quantifed: there is no such engine; did you mean quantified? "},
        {"solve " + nim + " -D n=5 --engine attractor",
         "--engine attractor: there is no such engine; did you mean attractors? "},
        {"solve " + nim + " -D n=5 --values acending",
         "--values: there is no acending; did you mean ascending? "},
    });
    // The value that is missing has to be the last word.
    EXPECT_EQ(zermelo("solve --json " + tic_tac_toe + " --time-limit").code, 2);
    EXPECT_EQ(said("solve " + tic_tac_toe + " --time-limit"),
              "--time-limit: a value is missing; see solve --help");
}

TEST_F(ListOfMistakes, InFilesAndParameters) {
    std::filesystem::create_directory(path("folder.kif"));
    expect({
        {"solve tick-tac-toe",
         "there is no file and no shipped game tick-tac-toe; did you mean tic-tac-toe? "},
        {"solve qwertyuiop", "there is no file and no shipped game qwertyuiop; zermelo games lists those "},
        {"solve " + path("none.kif"), "none.kif: cannot be read; check the name of the file"},
        {"solve " + path("folder.kif"), "folder.kif: cannot be read; it is a folder; name a file"},
        {"verify " + tic_tac_toe + " " + path("none.json"), "none.json: cannot be opened; "},
        {"gdl perft " + nim, "nim-fibonacci.mzn is no game in GDL; zermelo solve takes it"},
        {"solve " + write("empty.mzn", "% nothing\n"), "the model is empty"},
        {"solve " + write("open.kif", "(role x)\n(legal x"),
         "open.kif:2:1: parenthesis is never closed; add the missing `)`"},
        {"solve " + write("arity.kif", "(role x)\n(legal x)"),
         "arity.kif:2:1: `legal` has 1 argument here; it takes 2"},
        {"solve " + nim, "the parameter n has no value; give it one with --define n=VALUE"},
        {"solve " + nim + " -D n", "--define n: syntax error, n has no value; write n=VALUE"},
        {"solve " + nim + " -D n=", "--define n=: syntax error, n has no value; write n=VALUE"},
        {"solve " + nim + " -D =5", "--define =5: the name of the parameter is missing; write NAME=VALUE"},
        {"solve " + nim + " -D n=many",
         "--define n=many: type error: undefined identifier `many'; give a value of the type "},
        {"solve " + nim + " -D n=2.5", "--define n=2.5: type error: "},
        {"solve " + nim + " -D n=5 -D n=6", "--define n=6: n has a value already; give it once"},
        {"solve " + nim + " -D N=5", "--define N=5: the model has no parameter N; did you mean n? "},
        {"solve " + nim + " -D n=5 -D m=3", "--define m=3: the model has no parameter m; did you mean n? "},
        {"solve " + nim + " --data " + path("none.dzn"), "none.dzn: the file cannot be opened; "},
        {"solve " + tic_tac_toe + " -D n=5",
         "tic-tac-toe.kif: --define is for quantified models; leave it out"},
        {"solve " + tic_tac_toe + " --strategy " + path("no/such/plan.json"),
         "there is no folder for this file; "},
        {"analyse " + tic_tac_toe + " --position '(mark 9 9)'",
         "move 1 of --position, (mark 9 9), is none here; choose from (mark 1 1), "},
        {"analyse " + tic_tac_toe + " --position '(mark 1 1); (mark 1 1)'",
         "move 2 of --position, (mark 1 1), is none here; choose from (mark 1 2), "},
    });
}

}  // namespace
}  // namespace zermelo
