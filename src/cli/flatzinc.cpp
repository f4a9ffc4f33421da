// fzn-zermelo: the solver behind `minizinc --solver zermelo`.
//
// MiniZinc expects assignments, one `----------` for each, and `==========` when there are no more. A
// solution of a quantified model is a line of play: the moves of the strategy against the first legal moves
// of the opponent. With -a, there is one for each winning assignment of the first block. The strategy itself
// is what `zermelo solve` gives. Nothing is printed whose strategy fails the check.

#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "cli/solve/report.hpp"
#include "core/format/json_text.hpp"
#include "solve/second_opinion.hpp"
#include "strategy/follow.hpp"

namespace zermelo::cli {

namespace {

struct Arguments {
    std::string file;
    bool all = false;
    bool statistics = false;
    std::optional<double> seconds;
};

double milliseconds(const std::string& text) {
    std::size_t used = 0;
    double number = -1;
    try {
        number = std::stod(text, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    if (used == 0 || used != text.size() || !(number >= 0)) {
        throw Error(fmt::format("fzn-zermelo: -t {}: this is not a time", text),
                    "give milliseconds, for example -t 5000");
    }
    return number;
}

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "-a") {
            arguments.all = true;
        } else if (word == "-s") {
            arguments.statistics = true;
        } else if (word == "-t" && i + 1 < argc) {
            arguments.seconds = milliseconds(argv[++i]) / 1000;
        } else if (word == "-v") {
            continue;
        } else if (!word.starts_with("-")) {
            arguments.file = word;
        } else {
            throw Error(fmt::format("fzn-zermelo: unknown option {}", word),
                        "the options are -a, -s, -t MILLISECONDS, -v");
        }
    }
    if (arguments.file.empty()) throw Error("fzn-zermelo: no FlatZinc file is given", "name one");
    return arguments;
}

std::string show(const model::Model& model, model::VarId v, model::Value value) {
    if (!model.variables[v].boolean) return std::to_string(value);
    return value != 0 ? "true" : "false";
}

void print_solution(const model::Model& model, const strategy::Strategy& strategy) {
    const model::Structure structure = analyse(model);
    strategy::Follower game(model, structure, strategy);
    while (const auto v = game.turn())
        game.play(*v, game.owners_turn(*v) ? game.move(*v) : game.legal(*v).front());
    for (const model::Output& output : model.outputs) {
        std::vector<std::string> values;
        for (const model::VarId v : output.variables) values.push_back(show(model, v, game.rules()[v].low));
        if (!output.array) {
            std::cout << fmt::format("{} = {};\n", output.name, values.front());
            continue;
        }
        std::vector<std::string> sets;
        for (const model::Domain& set : output.index_sets) {
            sets.push_back(set.empty() ? "1..0" : fmt::format("{}..{}", set.low(), set.high()));
        }
        std::cout << fmt::format("{} = array{}d({}, [{}]);\n", output.name, sets.size(),
                                 fmt::join(sets, ", "), fmt::join(values, ", "));
    }
    std::cout << "----------\n";
}

constexpr double seconds_to_check = 5;

// What the search found, unless its strategy fails the check with both kernels: then nothing is known.
Verdict solve_and_check(const Problem& problem, const SolveOptions& options) {
    const CheckOptions checking{.limits = Limits(seconds_to_check, options.limits.memory())};
    CheckedVerdict answer = solve_checked(problem, options, checking, [](const CheckedVerdict& refuted) {
        std::cerr << fmt::format("the search found \"{}\", but its strategy fails the check: {}\n",
                                 name(refuted.found.outcome), *refuted.report->counterexample);
    });
    if (!answer.refuted()) return std::move(answer.found);
    Verdict nothing;
    nothing.details = quantified::Answer();
    return nothing;
}

// One solution, or one for each winning first move; false when one of them could not be shown.
bool print_solutions(const Problem& problem, const Verdict& verdict, const SolveOptions& options) {
    const model::Model& model = *problem.model();
    const auto& first_moves = verdict.as<quantified::Answer>()->first_moves;
    if (first_moves.empty()) {
        print_solution(model, *verdict.certificate.as<strategy::Strategy>());
        return true;
    }
    // Only one of them has its strategy at hand; the others are solved again with the first block fixed.
    SolveOptions one = options;
    one.all_first_moves = false;
    for (const auto& first : first_moves) {
        model::Model fixed = model;
        for (std::size_t i = 0; i < first.size(); ++i) {
            fixed.variables[model.prefix.front().variables[i]].domain = model::Domain(first[i], first[i]);
        }
        const Problem part(problem.file(), std::make_shared<const model::Model>(std::move(fixed)));
        const Verdict found = solve_and_check(part, one);
        if (found.outcome != Outcome::won) return false;
        print_solution(*part.model(), *found.certificate.as<strategy::Strategy>());
    }
    return true;
}

std::string contents(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw Error({file}, "cannot be read", "check the name");
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int run_flatzinc(int argc, char** argv) {
    const Arguments arguments = parse(argc, argv);
    catch_interrupts();
    SolveOptions options;
    options.limits = Limits(arguments.seconds, std::nullopt);
    const Problem problem = read_text(contents(arguments.file), Language::flatzinc, arguments.file);
    if (problem.model() == nullptr) {
        throw Error({arguments.file},
                    "this model has chance variables, and FlatZinc output cannot express a policy",
                    "use zermelo solve");
    }
    const model::Model& model = *problem.model();
    // The best guaranteed value has one solution: the play that reaches it.
    options.all_first_moves = arguments.all && !model.objective && !model.prefix.empty() &&
                              model.prefix.front().quantifier == model::Quantifier::exists;
    const Verdict verdict = solve_and_check(problem, options);
    const auto& answer = *verdict.as<quantified::Answer>();
    switch (verdict.outcome) {
        case Outcome::won:
            if (print_solutions(problem, verdict, options)) std::cout << "==========\n";
            break;
        case Outcome::lost:
            std::cout << "=====UNSATISFIABLE=====\n";
            break;
        default:
            // A value that can be guaranteed is an answer, even if a greater one may be possible.
            if (answer.best) {
                print_solution(model, *verdict.certificate.as<strategy::Strategy>());
            } else {
                std::cout << "=====UNKNOWN=====\n";
            }
    }
    if (arguments.statistics) {
        const auto statistics = to_json(answer.statistics);
        for (const auto& [key, value] : statistics.items())
            std::cout << fmt::format("%%%mzn-stat: {}={}\n", key, json_text(value));
        std::cout << fmt::format("%%%mzn-stat: strategy_nodes={}\n%%%mzn-stat-end\n",
                                 verdict.certificate.size());
    }
    return answered;
}

}  // namespace zermelo::cli
