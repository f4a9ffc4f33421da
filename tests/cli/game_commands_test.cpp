// solve, verify, show, play and analyse for games in GDL and graphs, as a person or a script runs them.

#include <chrono>
#include <cstdlib>

#include "core/clock.hpp"
#include "core/random.hpp"
#include "program.hpp"

namespace zermelo {
namespace {

class GameCommands : public Program {
protected:
    static inline const std::string gdl = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    static inline const std::string graphs = std::string(ZERMELO_SOURCE_DIR) + "/games/graphs/";
    static inline const std::string tic_tac_toe = gdl + "tic-tac-toe.kif";
    static inline const std::string subtraction = graphs + "subtraction-13.json";
    static inline const std::string three_regions = graphs + "three-regions.dot";

    [[nodiscard]] static Ran played(const std::string& arguments, const std::string& input) {
        return run("printf '" + input + "' | " + binary + " play " + arguments);
    }
    // A plan of a game, and what is left of it.
    [[nodiscard]] std::string plan(const std::string& game, const std::string& name) const {
        const Ran ran = zermelo("solve " + game + " --strategy " + path(name));
        EXPECT_EQ(ran.code, 0) << ran.err;
        return path(name);
    }
    [[nodiscard]] std::string cut_off(const std::string& file, std::size_t size) const {
        return write("cut-" + std::filesystem::path(file).filename().string(),
                     read_file(file).substr(0, size));
    }
    [[nodiscard]] std::string altered(const std::string& file, std::size_t at) const {
        std::string bytes = read_file(file);
        bytes[at] = static_cast<char>(bytes[at] ^ 0x15);
        return write("altered-" + std::filesystem::path(file).filename().string(), bytes);
    }
};

TEST_F(GameCommands, TicTacToeIsADrawByEveryEngine) {
    for (const std::string engine : {"auto", "attractors", "alpha-beta", "proof-number"}) {
        const Ran ran = zermelo("solve --json --all-first-moves --engine " + engine + " " + tic_tac_toe);
        EXPECT_EQ(ran.code, 0) << ran.err;
        const auto object = json_of(ran);
        EXPECT_EQ(object["verdict"], "drawn") << engine;
        EXPECT_EQ(object["values"], nlohmann::json({{"x", 50}, {"o", 50}}));
        EXPECT_EQ(object["best"].size(), 9U) << engine;
        EXPECT_EQ(object["propagations"], 0);
        for (const char* key : {"nodes", "peak_bytes", "strategy_nodes"})
            EXPECT_GT(object.value(key, 0), 0) << key;
        for (const char* key : {"cpu_seconds", "wall_seconds"}) EXPECT_GE(object.value(key, -1.0), 0) << key;
        for (const char* key : {"engine", "reason", "edges", "bytes_per_state", "table_hits", "symmetries",
                                "threads", "continued"})
            EXPECT_TRUE(object.contains(key)) << key;
        ASSERT_EQ(object["checks"].size(), 2U);
        for (const auto& check : object["checks"]) {
            EXPECT_EQ(check["valid"], true);
            EXPECT_EQ(check["promise"], 50);
            EXPECT_TRUE(check["counterexample"].is_null());
        }
    }
}

TEST_F(GameCommands, SolveTellsClaimCostAndCheck) {
    const Ran drawn = zermelo("solve " + tic_tac_toe);
    EXPECT_TRUE(drawn.out.starts_with("drawn: x 50, o 50 — by attractors, 765 states, ")) << drawn.out;
    const Ran all = zermelo("solve --no-symmetry " + tic_tac_toe);
    EXPECT_TRUE(all.out.starts_with("drawn: x 50, o 50 — by attractors, 5,478 states, ")) << all.out;
    EXPECT_SAYS(drawn.out, "plan of o for 50: ");
    EXPECT_SAYS(drawn.out, "; checked by the rules alone: ");
    EXPECT_EQ(drawn.err, "");
    const Ran lost = zermelo("solve " + subtraction);
    EXPECT_TRUE(lost.out.starts_with("lost by Alice: Alice 0, Bob 100 — by attractors")) << lost.out;
    EXPECT_SAYS(lost.out, "plan of Bob for 100: 9 choices");
    const Ran unchecked = zermelo("solve --no-check " + subtraction);
    EXPECT_EQ(unchecked.out.find("checked"), std::string::npos) << unchecked.out;
}

TEST_F(GameCommands, GraphsAndGdlOfTheSameGameAgree) {
    const auto graph = json_of(zermelo("solve --json " + subtraction));
    const auto rules = json_of(zermelo("solve --json " + gdl + "subtraction.kif"));
    EXPECT_EQ(graph["verdict"], "lost");
    EXPECT_EQ(rules["verdict"], "lost");
    EXPECT_EQ(graph["best"].size(), rules["best"].size());
}

TEST_F(GameCommands, ModelsAreSolvedForwardsToo) {
    for (const int n : {4, 5, 7, 8}) {
        const std::string model = nim + " -D n=" + std::to_string(n);
        const auto quantified = json_of(zermelo("solve --json " + model));
        for (const std::string engine : {"attractors", "alpha-beta", "proof-number"}) {
            const auto forwards = json_of(zermelo("solve --json --engine " + engine + " " + model));
            EXPECT_EQ(forwards["verdict"], quantified["verdict"]) << engine << " n = " << n;
            EXPECT_EQ(forwards["engine"], engine);
        }
        const Ran named = zermelo("solve --no-check --engine quantified " + model);
        EXPECT_SAYS(named.out, "by ∃ in ");
    }
}

TEST_F(GameCommands, OptionsOfTheOtherSideAreRefused) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"solve --values random " + tic_tac_toe, "--values is for quantified models"},
        {"solve -D n=3 " + tic_tac_toe, "--define is for quantified models"},
        {"solve --maximise x " + subtraction, "--maximise is for quantified models"},
        {"solve --engine quantified " + subtraction, "--engine quantified is for quantified models"},
        {"solve --engine magic " + tic_tac_toe, "--engine magic: there is no such engine; choose from auto"},
        {"solve --table-size none " + tic_tac_toe, "--table-size none: this is not an amount of memory"},
        {"solve --table-size 1G " + nim + " -D n=4", "--table-size is for GDL, graphs, and models"},
        {"solve --engine attractors --strategy s.json " + nim + " -D n=4", "--strategy needs"},
        {"verify --reasoner " + nim + " -D n=4 s.json", "--reasoner is for games in GDL"},
        {"verify --reasoner " + subtraction + " s.json", "--reasoner is for games in GDL"},
        {"show --complete " + subtraction, "--complete is for quantified models"},
        {"show --regions " + nim + " -D n=4 s.json", "--regions is for games"},
        {"show " + nim + " -D n=4", "there is no strategy to show"},
        {"play --engine random " + nim + " -D n=4", "--engine is for GDL and graphs"},
        {"play --role exist " + nim + " -D n=4",
         "--role exist: nobody is called so in a model; did you mean exists? "},
        {"play --engine proof-number " + tic_tac_toe, "this engine does not play"},
        {"play --engine uct " + subtraction, "this engine does not play on graphs"},
        {"play --strategy s.json " + tic_tac_toe, "--strategy is for quantified models"},
        {"analyse --state A " + tic_tac_toe, "--state is for graphs"},
    };
    for (const auto& [arguments, complaint] : cases)
        expect_one_line_about(zermelo(arguments + " </dev/null"), complaint);
}

TEST_F(GameCommands, GamesThatCannotBeSolvedAreRefused) {
    expect_one_line_about(zermelo("solve --engine attractors " + gdl + "rock-paper-scissors.kif"),
                          "simultaneous moves");
    expect_one_line_about(zermelo("solve --engine alpha-beta " + gdl + "dice-race.kif"), "chance");
    expect_one_line_about(zermelo("solve " + path("none.kif")), "none.kif");
    expect_one_line_about(zermelo("solve " + write("broken.json", "{")), "broken.json:1:");
    expect_one_line_about(zermelo("solve " + tic_tac_toe + " --strategy " + path("no/such/place.json")),
                          "there is no folder for this file");
}

TEST_F(GameCommands, LimitsEndWithExitCodeThree) {
    const Ran time = zermelo("solve --json --time-limit 0.5 " + gdl + "othello.kif");
    EXPECT_EQ(time.code, 3);
    EXPECT_EQ(json_of(time)["verdict"], "unknown");
    EXPECT_EQ(json_of(time)["stop"], "time limit reached");
    const Ran memory = zermelo("solve --memory-limit 40M --engine attractors " + gdl + "othello.kif");
    EXPECT_EQ(memory.code, 3) << memory.err;
    EXPECT_SAYS(memory.out, "unknown: memory limit reached");
}

TEST_F(GameCommands, PlansAreCheckedByTheNetworkAndByTheReasoner) {
    for (const std::string name : {"plan.json", "plan.zplan"}) {
        const std::string file = plan(tic_tac_toe, name);
        const auto by_network = json_of(zermelo("verify --json " + tic_tac_toe + " " + file));
        const auto by_reasoner = json_of(zermelo("verify --json --reasoner " + tic_tac_toe + " " + file));
        EXPECT_EQ(by_network["valid"], true);
        EXPECT_EQ(by_network["plans"].size(), 2U);
        EXPECT_TRUE(by_network["counterexample"].is_null());
        for (const char* key : {"valid", "positions", "scenarios", "plans"})
            EXPECT_EQ(by_network[key], by_reasoner[key]) << key;
    }
    const Ran text = zermelo("verify " + subtraction + " " + plan(subtraction, "graph.json"));
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_TRUE(text.out.starts_with("valid: Bob gets at least 100 in 27 scenarios (13 positions"))
        << text.out;
}

TEST_F(GameCommands, VerifyNamesThePlayThatBreaksAPlan) {
    const std::string file = plan(tic_tac_toe, "plan.json");
    // Both promise more than they can; without its fingerprint a plan is believed to be meant so.
    const std::string greedy = path("greedy.json");
    ASSERT_EQ(
        run("sed '/\"fingerprint\"/d; s/\"promise\": 50/\"promise\": 60/' " + file + " > " + greedy).code, 0);
    for (const std::string how : {"", "--reasoner "}) {
        const Ran text = zermelo("verify " + how + tic_tac_toe + " " + greedy);
        EXPECT_EQ(text.code, 1) << text.out << text.err;
        EXPECT_TRUE(text.out.starts_with("not valid, the plan of x: (mark ")) << text.out;
        const auto object = json_of(zermelo("verify --json " + how + tic_tac_toe + " " + greedy));
        EXPECT_EQ(object["valid"], false);
        EXPECT_GT(object["counterexample"]["play"].size(), 0U);
        EXPECT_SAYS(object["counterexample"]["reason"].get<std::string>(), "60 was promised");
    }
}

TEST_F(GameCommands, PlansThatAreDamagedOrOfAnotherGameAreRefused) {
    for (const std::string name : {"plan.json", "plan.zplan"}) {
        const std::string file = plan(tic_tac_toe, name);
        expect_one_line_about(zermelo("verify " + gdl + "nim.kif " + file), "made for other rules");
        expect_one_line_about(zermelo("show " + gdl + "nim.kif " + file), "made for other rules");
        const std::size_t size = read_file(file).size();
        for (const std::size_t part : {std::size_t{0}, std::size_t{5}, size / 2, size - 2})
            expect_one_line_about(zermelo("verify " + tic_tac_toe + " " + cut_off(file, part)), name);
    }
    const std::string compact = plan(tic_tac_toe, "plan.zplan");
    const std::size_t size = read_file(compact).size();
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Random random(seed);
        const std::string file = altered(compact, random.below(size));
        SCOPED_TRACE("seed " + std::to_string(seed));
        expect_one_line_about(zermelo("verify " + tic_tac_toe + " " + file), "plan.zplan");
    }
    expect_one_line_about(zermelo("verify " + tic_tac_toe + " " + subtraction), "subtraction-13.json");
    expect_one_line_about(zermelo("verify " + tic_tac_toe + " " + path("none.json")), "none.json");
}

TEST_F(GameCommands, ShowDrawsPlans) {
    const std::string file = plan(tic_tac_toe, "plan.zplan");
    const Ran text = zermelo("show " + tic_tac_toe + " " + file);
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_SAYS(text.out, "x gets at least 50");
    EXPECT_SAYS(text.out, "o gets at least 50");
    const Ran unclear = zermelo("show " + tic_tac_toe + " " + file + " -o " + path("plan.svg"));
    expect_one_line_about(unclear, "several plans in this file, of x, o; choose one by --role");
    expect_one_line_about(zermelo("show --role y " + tic_tac_toe + " " + file), "no plan of y");
    expect_one_line_about(zermelo("show " + tic_tac_toe + " " + file + " -o " + path("plan.txt")),
                          "end the name");
    for (const std::string name : {"p.svg", "p.png", "p.pdf", "p.dot", "p.json", "p.zplan"}) {
        const Ran ran = zermelo("show --role x --nodes 20 " + tic_tac_toe + " " + file + " -o " + path(name));
        EXPECT_EQ(ran.code, 0) << name << ran.err;
        EXPECT_GT(read_file(path(name)).size(), 10U) << name;
    }
    const std::string dot = read_file(path("p.dot"));
    EXPECT_SAYS(dot, "… ");
    // A board with the move that led there marked, and moves in words.
    EXPECT_SAYS(dot, "\\l2  . [✕] .\\l");
    EXPECT_SAYS(dot, "[label=\"mark 2 2");
    EXPECT_EQ(dot.find("[label=\"x\""), std::string::npos) << dot;
    EXPECT_SAYS(read_file(path("p.svg")), "[✕]");
    for (const std::string name : {"p.json", "p.zplan"})
        EXPECT_EQ(zermelo("verify " + tic_tac_toe + " " + path(name)).code, 0) << name;
}

TEST_F(GameCommands, ShowColoursRegions) {
    const Ran dot = zermelo("show --regions " + three_regions);
    EXPECT_EQ(dot.code, 0) << dot.err;
    EXPECT_SAYS(dot.out, "blue: Alice wins, red: Bob wins");
    EXPECT_SAYS(dot.out, "penwidth=3");
    EXPECT_EQ(zermelo("show --regions " + three_regions + " -o " + path("r.svg")).code, 0);
    EXPECT_SAYS(read_file(path("r.svg")), "<svg");
    EXPECT_SAYS(zermelo("show --regions " + gdl + "subtraction.kif").out, "(matches 13)");
    expect_one_line_about(zermelo("show --regions " + tic_tac_toe), "more than 300 states");
    expect_one_line_about(zermelo("show --regions " + gdl + "eight-puzzle.kif --nodes 200000"),
                          "two players");
}

TEST_F(GameCommands, GraphsGoFromOneFormToTheOtherAndBack) {
    EXPECT_EQ(zermelo("show " + three_regions + " -o " + path("g.json")).code, 0);
    EXPECT_EQ(zermelo("show " + path("g.json") + " -o " + path("g.dot")).code, 0);
    EXPECT_EQ(zermelo("show " + path("g.dot") + " -o " + path("h.json")).code, 0);
    EXPECT_EQ(read_file(path("g.json")), read_file(path("h.json")));
    EXPECT_EQ(zermelo("show --json " + path("g.dot")).out, read_file(path("g.json")));
    EXPECT_EQ(json_of(zermelo("solve --json " + path("g.json")))["verdict"], "drawn");
}

TEST_F(GameCommands, AnalyseTellsWhatEveryMoveIsWorth) {
    const Ran text = zermelo("analyse " + tic_tac_toe + " --position '(mark 2 2); (MARK  1 2)'");
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_SAYS(text.out, "* mark 1 1      100      0  won in 5 moves");
    EXPECT_SAYS(text.out, "  mark 3 2       50     50  drawn");
    for (const std::string engine : {"attractors", "alpha-beta"}) {
        const auto object = json_of(zermelo("analyse --json --engine " + engine + " " + tic_tac_toe +
                                            " --position '(mark 2 2); (mark 1 2)'"));
        EXPECT_EQ(object["verdict"], "won");
        EXPECT_EQ(object["mover"], "x");
        ASSERT_EQ(object["moves"].size(), 7U);
        for (const auto& move : object["moves"]) {
            EXPECT_EQ(move["best"], move["move"] != "(mark 3 2)") << engine << move;
            EXPECT_EQ(move["values"]["x"], move["move"] == "(mark 3 2)" ? 50 : 100) << engine << move;
        }
    }
    const auto state = json_of(zermelo("analyse --json --state A6 " + subtraction));
    EXPECT_EQ(state["verdict"], "won");
    EXPECT_EQ(state["moves"][0]["best"], true);
    EXPECT_EQ(state["moves"][1]["best"], false);
    const Ran over = zermelo("analyse " + subtraction + " --state A1");
    EXPECT_EQ(over.code, 0);
    EXPECT_SAYS(over.out, "the play is over");
}

TEST_F(GameCommands, AnalyseSaysAndReadsMovesInWords) {
    const std::string chess = gdl + "chess.kif --time-limit 1 --position 'e2-e4; E7–e5'";
    const Ran text = zermelo("analyse " + chess);
    EXPECT_EQ(text.code, 3) << text.err;
    EXPECT_SAYS(text.out, "\n  g1–f3 ");
    EXPECT_EQ(text.out.find("(move"), std::string::npos) << text.out;
    const auto object = json_of(zermelo("analyse --json " + chess));
    EXPECT_EQ(object["position"], nlohmann::json({"(move e 2 e 4)", "(move e 7 e 5)"}));
    EXPECT_TRUE(object["moves"][0]["move"].get<std::string>().starts_with("(move ")) << object;
    const Ran dealt = zermelo("analyse " + gdl + "kuhn-poker.kif --position 'Deals queen, king'");
    EXPECT_EQ(dealt.code, 0) << dealt.err;
    EXPECT_SAYS(dealt.out, "* check ");
}

TEST_F(GameCommands, AnalyseRefusesMovesAndStatesThatAreNone) {
    const Ran ran = zermelo("analyse " + tic_tac_toe + " --position '(mark 2 2); (mark 2 2)'");
    expect_one_line_about(
        ran, "move 2 of --position, (mark 2 2), is none here; choose from (mark 1 1), (mark 1 2)");
    expect_one_line_about(zermelo("analyse " + subtraction + " --state Z"), "there is no state Z");
    expect_one_line_about(zermelo("analyse " + subtraction + " --state A1 --position go"),
                          "the play is over");
}

TEST_F(GameCommands, AnalyseEstimatesWhatItCannotSolve) {
    const Ran ran = zermelo("analyse --json --time-limit 2 " + gdl + "othello.kif");
    EXPECT_EQ(ran.code, 3) << ran.err;
    const auto object = json_of(ran);
    EXPECT_EQ(object["verdict"], "unknown");
    EXPECT_EQ(object["estimate"], true);
    ASSERT_EQ(object["moves"].size(), 4U);
    for (const auto& move : object["moves"]) {
        EXPECT_GE(move.value("estimate", -1.0), 0);
        EXPECT_LE(move.value("estimate", 101.0), 100);
    }
}

TEST_F(GameCommands, APersonPlaysAgainstTheProgram) {
    const Ran perfect = played(subtraction + " --role Alice", R"(1\ntake 3\n2\n)");
    EXPECT_EQ(perfect.code, 0) << perfect.err;
    EXPECT_SAYS(perfect.out, "plays perfectly, it knows all 24 states");
    EXPECT_SAYS(perfect.out, "The program wins: Alice 0, Bob 100");
    const Ran undone = played(tic_tac_toe, R"(undo\n5\nundo\n(MARK 1 1)\n99\nhint\nq\n)");
    EXPECT_EQ(undone.code, 0) << undone.err;
    EXPECT_SAYS(undone.out, "There is nothing to undo.");
    EXPECT_SAYS(undone.out, "99 is no move here.");
    EXPECT_SAYS(undone.out, "1 [✕] .  .\n");
    EXPECT_SAYS(undone.out, "Try mark ");
    EXPECT_SAYS(undone.out, "The game is not finished.");
    const Ran random = played(subtraction + " --role Bob --engine random --seed 5", "");
    EXPECT_SAYS(random.out, "plays random moves");
    EXPECT_SAYS(random.out, "The game is not finished.");
    const Ran searching = played(tic_tac_toe + " --role o --engine alpha-beta --seconds 0.1", "hint");
    EXPECT_SAYS(searching.out, "plays alpha-beta with a learned heuristic, 0.10 s a move");
    const Ran formula =
        played(tic_tac_toe + " --engine alpha-beta --seconds 0.1 --heuristic \"2 * (cell 2 2 x)\"", "q");
    EXPECT_SAYS(formula.out, "with the given heuristic");
    const Ran lines = played(tic_tac_toe + " --engine alpha-beta --seconds 0.1 --heuristic lines", "q");
    EXPECT_SAYS(lines.out, "with the lines of the rules as heuristic");
    const Ran wrong = played(tic_tac_toe + " --engine alpha-beta --heuristic \"2 * (cel 2 2 x)\"", "q");
    EXPECT_EQ(wrong.code, 2);
    EXPECT_SAYS(wrong.err, "--heuristic:1:");
    EXPECT_EQ(played(three_regions + " --engine alpha-beta --seconds 0.1", R"(1\n)").code, 0);
}

TEST_F(GameCommands, TheProgramNeverLosesTicTacToe) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Random random(seed);
        std::string input;
        // A number that is too large asks again, so that any sequence of numbers is a play.
        for (int i = 0; i < 60; ++i) input += std::to_string(random.between(1, 9)) + "\\n";
        const Ran ran = played(tic_tac_toe + (seed % 2 == 0 ? " --role x" : " --role o"), input);
        EXPECT_EQ(ran.out.find("You win"), std::string::npos) << "seed " << seed << ran.out;
        EXPECT_TRUE(ran.out.find("A draw") != std::string::npos ||
                    ran.out.find("The program wins") != std::string::npos)
            << "seed " << seed << ran.out;
    }
}

TEST_F(GameCommands, PlayRefusesStrangers) {
    expect_one_line_about(played(tic_tac_toe + " --role y", ""), "nobody is called y; choose from x, o");
    expect_one_line_about(played(subtraction + " --role Carol", ""),
                          "nobody is called Carol; choose from Alice, Bob");
}

// Each time from the start: killed while it proves, at a random moment, then continued to the end.
TEST_F(GameCommands, WorkThatWasKilledGoesOn) {
    const std::string game = connect_four(6, 5);
    const std::string checkpoint = path("checkpoint");
    const std::string solve = binary +
                              " solve --json --no-check --engine alpha-beta --threads 1 --checkpoint " +
                              checkpoint + " --checkpoint-seconds 0.01 " + game;
    // However fast the machine is, it is killed on the way: at a share of the time that all of the work takes.
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(run(solve).code, 0);
    const double whole = seconds_since(start);
    const char* asked = std::getenv("ZERMELO_KILLS");
    const int kills = asked != nullptr ? std::atoi(asked) : 3;
    Random random(7);
    int killed = 0;
    int continued = 0;
    for (int kill = 0; kill < kills; ++kill) {
        std::filesystem::remove(checkpoint);
        const double seconds = whole * static_cast<double>(random.between(10, 80)) / 100;
        killed += run("timeout -s KILL " + std::to_string(seconds) + " " + solve).code == 137 ? 1 : 0;
        const bool saved = std::filesystem::exists(checkpoint);
        const Ran ran = run(solve);
        EXPECT_EQ(ran.code, 0) << ran.err;
        const auto object = json_of(ran);
        EXPECT_EQ(object["verdict"], "drawn") << "killed after " << seconds;
        EXPECT_EQ(object["continued"], saved);
        continued += saved ? 1 : 0;
    }
    EXPECT_GT(killed, 0) << "it was always finished before";
    EXPECT_GT(continued, 0) << "no time was long enough";
}

TEST_F(GameCommands, InterruptedWorkIsSaved) {
    const std::string game = connect_four(7, 7);
    const std::string checkpoint = path("checkpoint");
    const std::string solve = binary + " solve --json --checkpoint " + checkpoint + " " + game;
    const Ran stopped = run("timeout --preserve-status -s INT 1 " + solve);
    EXPECT_EQ(stopped.code, 130) << stopped.out << stopped.err;
    EXPECT_EQ(json_of(stopped)["verdict"], "unknown");
    EXPECT_SAYS(stopped.err, "the work is saved in " + checkpoint);
    const Ran again = run(solve + " --time-limit 0.5");
    EXPECT_EQ(again.code, 3) << again.err;
    EXPECT_EQ(json_of(again)["continued"], true);

    // Whatever happens to the file, it is refused or left alone, never believed and never overwritten.
    const std::string bytes = read_file(checkpoint);
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const std::size_t at = Random(seed).below(bytes.size());
        const std::string file = seed % 2 == 0 ? cut_off(checkpoint, at) : altered(checkpoint, at);
        const std::string before = read_file(file);
        expect_one_line_about(zermelo("solve --time-limit 1 --checkpoint " + file + " " + game),
                              "checkpoint");
        EXPECT_EQ(read_file(file), before);
    }
    expect_one_line_about(
        zermelo("solve --time-limit 60 --checkpoint " + checkpoint + " " + gdl + "othello.kif"),
        "checkpoint");
}

TEST_F(GameCommands, CompletionKnowsTheNewOptions) {
    const std::string script = zermelo("completion bash").out;
    for (const char* word : {"analyse)", "--checkpoint", "--table-size", "--no-symmetry", "--reasoner",
                             "--regions", "--position", "--role"})
        EXPECT_SAYS(script, word);
}

}  // namespace
}  // namespace zermelo
