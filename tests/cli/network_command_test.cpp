// zermelo gdl network: what it prints, draws and refuses.

#include "program.hpp"

namespace zermelo {
namespace {

class NetworkCommand : public Program {
protected:
    static inline const std::string directory = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    static inline const std::string tic_tac_toe = directory + "tic-tac-toe.kif";

    [[nodiscard]] static Ran network(const std::string& arguments) {
        return zermelo("gdl network " + arguments);
    }
};

TEST_F(NetworkCommand, CountsVariablesDomainsAndConstraints) {
    const Ran ran = network("--json " + tic_tac_toe);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto object = json_of(ran);
    EXPECT_EQ(object["variables"], 25);
    EXPECT_EQ(object["largest_domain"], 10);
    EXPECT_EQ(object["kinds"]["now"], 10);
    EXPECT_EQ(object["groups_proven"], 10);
    EXPECT_EQ(object["constraints"], 57);
    EXPECT_EQ(object["preprocessing"]["merged"], 23);
    EXPECT_EQ(object["after"]["constraints"], 33);
    EXPECT_EQ(object["shared_information"], true);
    EXPECT_EQ(object["consistent"], true);
    const Ran text = network(tic_tac_toe);
    EXPECT_EQ(text.code, 0);
    EXPECT_SAYS(text.out, "25 variables (1 terminal, 10 now, 10 next, 2 action, 2 goal), largest domain 10");
    EXPECT_SAYS(text.out, "merged       23 constraints");
}

TEST_F(NetworkCommand, EveryStepCanBeLeftOut) {
    const auto object = json_of(
        network("--json --no-merge --no-unary --no-universal --no-sac " + directory + "kuhn-poker.kif"));
    for (const char* step : {"merged", "unary", "unary_values", "universal", "emptied", "singleton_values"})
        EXPECT_EQ(object["preprocessing"][step], 0) << step;
    EXPECT_EQ(object["before"], object["after"]);
    const auto all = json_of(network("--json " + directory + "kuhn-poker.kif"));
    for (const char* step : {"merged", "unary", "unary_values", "universal", "emptied", "singleton_values"})
        EXPECT_GT(all["preprocessing"].value(step, 0), 0) << step;
    EXPECT_EQ(all["shared_information"], false);
    EXPECT_EQ(all["not_shared"]["percept"], "(card jack)");
    EXPECT_SAYS(network("--no-sac " + tic_tac_toe).out, "singleton    off");
}

TEST_F(NetworkCommand, ListsVariablesAndConstraints) {
    const Ran ran = network("--list " + tic_tac_toe);
    EXPECT_SAYS(ran.out, "now      (cell 2 2 ?) in {");
    EXPECT_SAYS(ran.out, "next     next (control ?) in {");
    EXPECT_SAYS(ran.out, "action   (does x) in {");
    EXPECT_SAYS(ran.out, "legal: [(control ?), (does x)]");
    EXPECT_SAYS(network("--list --tuples 10 " + tic_tac_toe).out, "gates for (does x) = ");
}

TEST_F(NetworkCommand, AStateLeavesOnlyItsMoves) {
    const auto start = json_of(network("--json --list --state init " + tic_tac_toe));
    EXPECT_SAYS(start["list"].get<std::string>(), "action   (does o) in {wait}");
    // One cell is free, and x is to move: everything is decided.
    std::string facts = "(CONTROL  x)(cell 3 3 blank)";
    const std::string marks = "xoxoxooxb";
    for (int i = 0; i < 8; ++i)
        facts +=
            " (cell " + std::to_string(i / 3 + 1) + " " + std::to_string(i % 3 + 1) + " " + marks[i] + ")";
    const Ran last = network("--json --state '" + facts + "' " + tic_tac_toe);
    EXPECT_EQ(last.code, 0) << last.err;
    EXPECT_EQ(json_of(last)["after"]["open_variables"], 0) << last.out;
    EXPECT_EQ(json_of(last)["consistent"], true);
    // A game that is over.
    facts.replace(facts.find("3 3 blank"), 9, "3 3 x");
    EXPECT_EQ(json_of(network("--json --state '" + facts + "' " + tic_tac_toe))["consistent"], false);
    EXPECT_SAYS(network("--state '" + facts + "' " + tic_tac_toe).out, "no turn can be played");
}

TEST_F(NetworkCommand, RefusesStatesThatAreNone) {
    for (const auto& [state, about] : {std::pair{"(cell 1 1 z)", "(cell 1 1 z) never holds"},
                                       {"(control x", "( too many"},
                                       {"(control x))", ") too many"},
                                       {"(control x)", "no value to (cell 1 1 ?)"},
                                       {"(cell 1 1 x) (cell 1 1 o)", "at once"}}) {
        const Ran ran = network(std::string("--state '") + state + "' " + tic_tac_toe);
        EXPECT_EQ(ran.code, 2) << state;
        EXPECT_EQ(ran.out, "");
        EXPECT_SAYS(ran.err, about);
    }
}

TEST_F(NetworkCommand, DrawsTheConstraintGraph) {
    const Ran ran = network("--dot " + path("graph.dot") + " --svg " + path("graph.svg") + " " + tic_tac_toe);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_SAYS(read_file(path("graph.dot")), "graph network {");
    EXPECT_SAYS(read_file(path("graph.dot")), " -- ");
    EXPECT_SAYS(read_file(path("graph.svg")), "</svg>");
    EXPECT_EQ(network("--svg " + path("graph.txt") + " " + tic_tac_toe).code, 2);
    EXPECT_EQ(network("--dot " + path("none/graph.dot") + " " + tic_tac_toe).code, 2);
}

TEST_F(NetworkCommand, TranslatesEveryGame) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        if (entry.path().extension() != ".kif") continue;
        const Ran ran = network("--json --no-sac " + entry.path().string());
        EXPECT_EQ(ran.code, 0) << entry.path() << ran.err;
        const auto object = json_of(ran);
        EXPECT_EQ(object["consistent"], true) << entry.path();
        EXPECT_GT(object.value("variables", 0), 5) << entry.path();
        EXPECT_EQ(object["kinds"]["now"], object["kinds"]["next"]) << entry.path();
        ++count;
    }
    EXPECT_GT(count, 20);
}

TEST_F(NetworkCommand, TellsBadFilesInOneLine) {
    const Ran ran = network(path("no-such.kif"));
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(network(write("broken.kif", "(role r")).code, 2);
}

}  // namespace
}  // namespace zermelo
