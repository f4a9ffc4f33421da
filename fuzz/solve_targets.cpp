// Graphs, certificates, and models in the dialect of share/minizinc: from the text to a verdict whose certificate stands.

#include <sstream>

#include "game/graph/graph.hpp"
#include "gdl/syntax/parse.hpp"
#include "solve/solve.hpp"
#include "targets.hpp"

namespace zermelo::fuzz {

namespace {

void solve_and_check(const Problem& problem) {
    SolveOptions options;
    options.limits = small_limits();
    options.threads = 1;
    options.table_bytes = std::size_t{1} << 20;
    options.search.goods_bytes = std::size_t{1} << 20;
    const Verdict verdict = solve(problem, options);
    if (verdict.outcome == Outcome::unknown || verdict.certificate.empty()) return;
    CheckOptions checking;
    checking.limits = small_limits();
    promise(!check(problem, verdict.certificate, checking).counterexample, "the certificate fails");
}

// A problem for each kind of certificate.
const std::vector<Problem>& problems() {
    static const std::vector<Problem> all = {
        read_text("(role a) (role b) (init (turn a)) (init (left 3)) (succ 1 0) (succ 2 1) (succ 3 2)\n"
                  "(<= (legal ?r take) (role ?r) (true (turn ?r))) (<= (legal ?r pass) (role ?r) (true (turn "
                  "?r)))\n"
                  "(<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))\n"
                  "(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))\n"
                  "(<= (next (left ?m)) (true (left ?n)) (succ ?n ?m))\n"
                  "(<= (next taken) (does a take)) (<= (next taken) (true taken) (does b pass))\n"
                  "(<= terminal (true (left 0)))\n"
                  "(<= (goal a 100) (true taken)) (<= (goal a 0) (not (true taken)))\n"
                  "(<= (goal b 0) (true taken)) (<= (goal b 100) (not (true taken)))\n",
                  Language::gdl, "game.kif"),
        read_text("(role a) (role b) (init (step 0))\n"
                  "(<= (legal ?r left) (role ?r)) (<= (legal ?r right) (role ?r))\n"
                  "(<= (next (step 1)) (true (step 0))) (<= (next equal) (does a ?m) (does b ?m))\n"
                  "(<= terminal (true (step 1)))\n"
                  "(<= (goal a 100) (true equal)) (<= (goal a 0) (not (true equal)))\n"
                  "(<= (goal b 0) (true equal)) (<= (goal b 100) (not (true equal)))\n",
                  Language::gdl, "matching.kif"),
        read_text(
            R"({"format": "zermelo-graph", "version": 1, "players": ["A", "B"], "initial": "s", "states": [
                       {"name": "s", "player": "A", "moves": ["t", "u"]},
                       {"name": "t", "player": "B", "moves": ["s", "w"]},
                       {"name": "u", "player": "chance", "moves": ["w", {"to": "l", "weight": 2}]},
                       {"name": "w", "winner": "A"}, {"name": "l", "winner": "B"}]})",
            Language::graph, "graph.json"),
        read_text("var 1..2: x; var 1..3: y; var 0..3: z; var bool: b;\n"
                  "constraint zermelo_block(1, false, [x], [1..2]);\n"
                  "constraint zermelo_block(2, true, [y], [1..3]);\n"
                  "constraint zermelo_block(3, false, [z], [0..3]);\n"
                  "constraint int_lin_eq_reif([1,1,1], [x,y,z], 4, b);\nconstraint zermelo_win(b);\nsolve "
                  "satisfy;\n",
                  Language::flatzinc, "model.fzn"),
        read_text("var 1..2: x; var 0..1: y; var 0..3: z;\n"
                  "constraint zermelo_decision(1, [x], [1..2], 1);\n"
                  "constraint zermelo_chance(2, [y], [0..1], [1,2], [], []);\n"
                  "constraint int_lin_eq([1,1,-1], [x,y,z], 0);\nconstraint zermelo_worth(1, z, 1);\nsolve "
                  "satisfy;\n",
                  Language::flatzinc, "chance.fzn")};
    return all;
}

}  // namespace

void annotations(const std::string& text) {
    static const std::string variables =
        "var 1..3: x1; var 1..3: x2; var 0..2: x3; var -2..6: x4; var bool: b1; var bool: b2; var bool: b3;\n"
        "constraint int_lin_eq([1,1,-1], [x1,x2,x4], 0);\nconstraint int_le_reif(x4, 3, b1);\n"
        "constraint int_eq_reif(x1, x3, b2);\n";
    try {
        const bool solves = text.find("solve ") != std::string::npos;
        // A cut is a promise that nobody made here.
        if (text.find("zermelo_cut") != std::string::npos) {
            std::istringstream in(variables + text + (solves ? "" : "\nsolve satisfy;\n"));
            (void)read_text(in.str(), Language::flatzinc, "fuzz.fzn");
            return;
        }
        solve_and_check(read_text(variables + text + (solves ? "" : "\nsolve satisfy;\n"), Language::flatzinc,
                                  "fuzz.fzn"));
    } catch (const Error&) {
        // what damaged text deserves
    }
}

void graph(const std::string& text) {
    try {
        const Problem problem = read_text(text, Language::graph, "fuzz");
        std::stringstream json;
        write_graph_json(json, *problem.graph());
        promise(game::read_graph_json(json, "again.json") == *problem.graph(), "the graph changes in JSON");
        solve_and_check(problem);
    } catch (const Error&) {
        // what damaged text deserves
    }
}

// The first letter, from a to e, says which of the problems it is for; what kind of certificate it is, the file says.
void certificate(const std::string& text) {
    if (text.empty()) return;
    const Problem& problem =
        problems()[(static_cast<unsigned char>(text.front()) - 'a' + 100U) % problems().size()];
    try {
        const bool json = text.find('{') != std::string::npos;
        const Certificate certificate =
            load(file_with(text.substr(1), json ? ".json" : ".bin"), problem, small_limits());
        CheckOptions checking;
        checking.limits = small_limits();
        const Report report = check(problem, certificate, checking);
        promise(report.valid || report.counterexample || report.stop != Stop::none,
                "refused without a reason");
        (void)to_json_text(problem, certificate, small_limits());
    } catch (const Error&) {
        // what damaged text deserves
    }
}

}  // namespace zermelo::fuzz
