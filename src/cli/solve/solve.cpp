// zermelo solve: who wins, by which strategy, and does the strategy stand up to a check?

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>

#include "cli/processes.hpp"
#include "cli/solve/report.hpp"
#include "cli/usage/values.hpp"
#include "solve/equilibria.hpp"
#include "solve/second_opinion.hpp"

namespace zermelo::cli {

namespace {

// Whether something is proven: bounds of expected values are, even where they do not tell who is ahead.
bool claims(const Verdict& verdict) {
    return verdict.outcome != Outcome::unknown || verdict.certificate.as<ChancePolicies>() != nullptr ||
           verdict.as<equilibrium::Solution>() != nullptr;
}

constexpr const char* for_games_as_models = "games in GDL that are solved as models";
constexpr const char* for_chance = "models with chance";

struct Solve {
    CLI::App* app = nullptr;
    ModelOptions model;
    LimitOptions limits;
    SearchFlags search;
    ForwardFlags forward;
    std::string engine = "auto";
    std::string maximise;
    std::string strategy_file;
    std::string role;
    std::optional<int> threshold;
    std::optional<std::size_t> horizon;
    bool all_first_moves = false;
    bool as_qcsp = false;
    bool best_policy = false;
    bool json = false;
    bool verbose = false;
    bool check = true;
    std::optional<double> check_seconds;

    int run();

private:
    enum class Way { forward, model, encoded };  // by a forward engine, as a model, or a game encoded as one

    [[nodiscard]] Way way(const cluster::TogetherOptions& options) const;
    void refuse_by_language(Way way) const;
    void refuse_by_rules(const Problem& problem, Way way) const;
    [[nodiscard]] cluster::TogetherOptions options(const Limits& bounds) const;
    void check_certificate(SolveReport& report, const Limits& bounds) const;
    void ask_other_kernel(SolveReport& report, cluster::TogetherOptions how, const Limits& bounds) const;
    [[nodiscard]] std::string save(const SolveReport& report, const Limits& bounds) const;
    void tell(const SolveReport& report) const;
    void report_qbf(const SolveReport& report) const;
    [[nodiscard]] bool is_qdimacs() const { return language_of(model.file) == Language::qdimacs; }
    [[nodiscard]] bool is_qbf() const { return is_qdimacs() || language_of(model.file) == Language::qcir; }
    [[nodiscard]] double check_limit(Way way) const {
        return check_seconds.value_or(way == Way::model ? 5 : 10);
    }
};

Solve::Way Solve::way(const cluster::TogetherOptions& options) const {
    const Engine wanted = options.solve.engine;
    const bool constraints =
        wanted == Engine::quantified || wanted == Engine::strategic || is_stochastic(wanted);
    if (is_model(language_of(model.file)))
        return is_forward(wanted) ? Way::forward
                                  : Way::model;  // models have an engine that is better for them
    return constraints ? Way::encoded : Way::forward;
}

// Options that have no meaning for rules in this language, or for the engine.
void Solve::refuse_by_language(Way way) const {
    if (way == Way::encoded) {
        refuse_option(*app, "--checkpoint", model.file, "is not for games that are solved as models");
        refuse_group(*app, for_models, model.file);
        refuse_group(*app, for_forward_engines, model.file);
        refuse_option(*app, "--maximise", model.file, "is for models: the greatest goal is sought anyway");
        if (!is_stochastic(*engine_named(engine))) return;
        refuse_group(*app, for_quantified_search, model.file);
        for (const char* option : {"--role", "--threshold", "--strategy", "--all-first-moves"})
            refuse_option(*app, option, model.file, "is not for games that are solved as models with chance");
        return;
    }
    refuse_group(*app, for_games_as_models, model.file);
    if (way == Way::model) {
        if (search.search.check_cuts) require_one_process(model.file, "--check-cuts");
        refuse_group(*app, for_forward_engines, model.file);
        return;
    }
    refuse_group(*app, for_quantified_search, model.file);
    refuse_group(*app, for_chance, model.file);
    if (!is_model(language_of(model.file))) {
        refuse_group(*app, for_models, model.file);
    } else {
        refuse_option(*app, "--strategy", model.file, "needs --engine quantified when a model is solved");
    }
}

// The same for what only the rules themselves tell.
void Solve::refuse_by_rules(const Problem& problem, Way way) const {
    if (way == Way::forward && !forward.checkpoint.empty() &&
        (engine == "equilibrium" || (engine == "auto" && calls_for_equilibrium(problem))))
        refuse_option(*app, "--checkpoint", model.file,
                      "is not for games that are solved by mixed strategies");
    if (way != Way::model) return;
    if (problem.stochastic() == nullptr) return refuse_group(*app, for_chance, model.file);
    refuse_option(*app, "--checkpoint", model.file, "is not for models with chance");
    refuse_group(*app, for_quantified_search, model.file);
    refuse_option(*app, "--all-first-moves", model.file, "is not for models with chance");
}

cluster::TogetherOptions Solve::options(const Limits& bounds) const {
    cluster::TogetherOptions options = forward.options(*app, engine, bounds);
    options.solve.search = search.options();
    options.solve.all_first_moves = all_first_moves;
    options.solve.role = role;
    options.solve.threshold = threshold;
    options.solve.horizon = horizon;
    options.solve.best_policy = best_policy;
    return options;
}

int Solve::run() {
    const Limits bounds = limits.start();
    cluster::TogetherOptions how = options(bounds);
    const Way chosen = way(how);
    require_engine(how.solve.engine, language_of(model.file), model.file);
    refuse_by_language(chosen);
    // A model's strategy comes with its verdict; plans are written for their own sake.
    if (chosen == Way::forward || is_stochastic(how.solve.engine))
        how.solve.certificate = check || !strategy_file.empty();
    if (!strategy_file.empty()) require_folder(strategy_file);
    if (!forward.checkpoint.empty()) require_folder(forward.checkpoint);
    const auto guide = search.make_guide();
    how.solve.search.guide = guide.get();
    SolveReport report;
    report.check_seconds = check_limit(chosen);
    report.all_first_moves = all_first_moves;
    report.certified = check;
    report.check_cuts = search.search.check_cuts;
    report.best_policy = best_policy;
    report.verbose = verbose;
    std::optional<Problem> problem;
    std::string complaint;
    bool searched = false;
    try {
        ReadOptions reading = model.reading_options(bounds);
        reading.objective = maximise;
        const double start = cpu_seconds();
        problem = made_by_all(
            cluster::agreement(processes()), [&] { return zermelo::read(model.file, reading); },
            chosen == Way::model ? "while the model was read" : "while the rules were read");
        if (const gdl::Game* game = problem->gdl(); game != nullptr && processes().first())
            warn_of_repairs(game->description());
        if (as_qcsp) problem = as_plain_qcsp(*problem);
        report.setup_cpu_seconds = cpu_seconds() - start;
        report.problem = &*problem;
        refuse_by_rules(*problem, chosen);
        report.together = solve_with_progress(*problem, how);
        searched = true;
        if (!processes().first())
            return answered;  // the first one has the certificate, and tells how it went
        // Who wins as expected has made no mistake.
        const model::Model* asked = problem->model();
        if (asked != nullptr && report.verdict().outcome == Outcome::lost) warn_of_horizon(*asked);
        check_certificate(report, bounds);
        if (report.refuted()) ask_other_kernel(report, how, bounds);
        if (!report.refuted()) complaint = save(report, bounds);
    } catch (const LimitReached& limit) {
        // While the rules were read: an answer too, if a poor one.
        Verdict& verdict = report.together.verdict;
        verdict.stop = limit.stop();
        if (chosen == Way::encoded && is_stochastic(how.solve.engine)) {
            game::ChanceSolution none;
            none.stop = limit.stop();
            verdict.engine = how.solve.engine;
            verdict.details = std::move(none);
        } else if (chosen == Way::model) {
            quantified::Answer none;
            none.stop = limit.stop();
            verdict.details = std::move(none);
        } else if (chosen == Way::forward) {
            game::Solution none;
            none.stop = limit.stop();
            verdict.details = std::move(none);
        }
    }
    tell(report);
    if (searched && chosen == Way::forward) tell_about_checkpoint(report.verdict().stop, forward.checkpoint);
    if (!complaint.empty()) {
        std::cerr << complaint << '\n';
        return bad_input;
    }
    const int code = report.exit_code();
    if (!is_qbf() || code != answered) return code;
    return report.verdict().outcome == Outcome::won ? 10 : 20;
}

void Solve::check_certificate(SolveReport& report, const Limits& bounds) const {
    const Verdict& verdict = report.verdict();
    if (!check || !claims(verdict) || verdict.certificate.empty()) return;
    const auto* proofs = verdict.certificate.as<ThresholdProofs>();
    const double parts = proofs == nullptr ? 1 : static_cast<double>(proofs->size());
    report.check = check_with_progress(*report.problem, verdict.certificate,
                                       Limits(report.check_seconds * parts, bounds.memory()));
}

void Solve::ask_other_kernel(SolveReport& report, cluster::TogetherOptions how, const Limits& bounds) const {
    if (processes().size() > 1) return;
    report = with_second_opinion(report, [&] {
        const bool own = how.solve.search.kernel == quantified::KernelChoice::trail;
        std::cerr << fmt::format(
            "the strategy found with the kernel {} fails the check; asking the kernel {}\n",
            own ? "trail" : "gecode", own ? "gecode" : "trail");
        ask_otherwise(how.solve);
        SolveReport second = report;
        second.check.reset();
        second.together = solve_with_progress(*report.problem, how);
        check_certificate(second, bounds);
        return second;
    });
}

// What went wrong, if something did: the verdict is worth telling all the same.
std::string Solve::save(const SolveReport& report, const Limits& bounds) const {
    const Verdict& verdict = report.verdict();
    const bool nothing = !claims(verdict) || verdict.stop != Stop::none;
    if (strategy_file.empty() || nothing) return "";
    try {
        if (verdict.certificate.empty() && verdict.as<game::Solution>() != nullptr) {
            throw Error({strategy_file}, "there is no plan to write: the players' interests are not opposite",
                        "leave --strategy out");
        }
        if (verdict.certificate.empty() && verdict.as<ThresholdSolution>() != nullptr) {
            throw Error({strategy_file}, "there is no strategy to write: nothing had to be shown",
                        "leave --strategy out");
        }
        if (!verdict.certificate.empty())
            zermelo::save(strategy_file, *report.problem, verdict.certificate,
                          Limits(std::nullopt, bounds.memory()));
    } catch (const Error& problem) {
        return line_of(problem);
    }
    return "";
}

void Solve::tell(const SolveReport& report) const {
    if (json) return report.print_json();
    if (!is_qdimacs()) return report.print_text();
    report_qbf(report);
    const auto* answer = report.verdict().as<quantified::Answer>();
    if (answer != nullptr && answer->uncertified && report.verdict().outcome != Outcome::unknown)
        std::cout << "c not certified: the strategy is too large, or a limit was reached\n";
    if (report.check && report.check->counterexample)
        std::cout << fmt::format("c THE CHECK FAILED: {}\n", *report.check->counterexample);
}

// QDIMACS 1.1: the result line repeats the numbers of the problem line.
void Solve::report_qbf(const SolveReport& report) const {
    const Outcome outcome = report.refuted() ? Outcome::unknown : report.verdict().outcome;
    const int value = outcome == Outcome::won ? 1 : outcome == Outcome::lost ? 0 : -1;
    std::ifstream file(model.file);
    std::string word;
    std::string variables;
    std::string clauses;
    while (file >> word && word != "p") std::getline(file, word);
    file >> word >> variables >> clauses;
    std::cout << fmt::format("s cnf {} {} {}\n", value, variables, clauses);
}

}  // namespace

Command add_solve(CLI::App& app) {
    auto* command = app.add_subcommand("solve", "Find out who wins, and by which strategy");
    auto solve = std::make_shared<Solve>();
    solve->app = command;
    solve->model.add_to(*command);
    command
        ->add_option(
            "--engine", solve->engine,
            fmt::format(
                "for games in GDL and graphs: {} (default: auto), with chance also value-iteration (default) "
                "or "
                "expectimax; for models: one of "
                "these, quantified (default), or for QBFs qcdcl; for models with chance: mac (default) or "
                "fc; quantified and strategic, with chance mac and fc, also solve games in GDL, as models, "
                "and "
                "equilibrium those with simultaneous or hidden moves",
                forward_engines))
        ->check(suggesting(all_engine_names()));
    solve->limits.add_to(*command);
    command->add_option("--strategy", solve->strategy_file,
                        "write the winner's strategy to this file: JSON, for games also .zplan or .zpolicy");
    command->add_flag("--all-first-moves", solve->all_first_moves,
                      "find all winning moves of the first ∃ block, or all best first moves, instead of one");
    command->add_flag("--check,!--no-check", solve->check,
                      "check the strategy without the solver (default: yes)");
    command
        ->add_option("--check-seconds", solve->check_seconds,
                     "time limit for the check in seconds (default: 5, for games 10)")
        ->check(more_than(0));
    command->add_flag("--json", solve->json, "print one JSON object");
    command->add_flag("-v,--verbose", solve->verbose, "print all statistics");
    solve->forward.add_to(*command);
    in_group(*command, for_quantified_search, [&] {
        solve->search.add_to(*command);
        command->add_option("--maximise", solve->maximise,
                            "find the greatest value of this expression that ∃ can guarantee");
        command->add_flag("--as-qcsp", solve->as_qcsp,
                          "translate the rules into constraints and cuts first: a plain QCSP");
    });
    in_group(*command, for_games_as_models, [&] {
        command->add_option("--role", solve->role, "the role whose goal to solve for (default: the first)");
        command->add_option("--threshold", solve->threshold,
                            "only decide whether the role can force at least this goal");
        command->add_option(
            "--horizon", solve->horizon,
            "number of moves to consider (default: the length of the longest play, if known)");
    });
    in_group(*command, for_chance, [&] {
        command->add_flag("--best", solve->best_policy,
                          "find the best policy instead of one that reaches the thresholds");
    });
    command->footer(
        "Examples:\n"
        "  zermelo solve games/quantified/nim-fibonacci.mzn -D n=20\n"
        "  zermelo solve games/quantified/nim-fibonacci.mzn -D n=20 --all-first-moves\n"
        "  zermelo solve games/quantified/connect-four.mzn -D columns=4 -D rows=4 -D aligned=4 --json\n"
        "  zermelo solve formula.qdimacs        (exit code 10: true, 20: false)\n"
        "  zermelo solve games/gdl/tic-tac-toe.kif --strategy plan.json\n"
        "  zermelo solve games/gdl/tic-tac-toe.kif --engine quantified --strategy proof.json\n"
        "  zermelo solve games/graphs/subtraction-13.json\n"
        "  zermelo solve games/gdl/kuhn-poker.kif --strategy mixed.json\n"
        "  zermelo solve games/stochastic/example-1.mzn --best --strategy policy.json");
    return {command, [solve] { return solve->run(); }, true};
}

}  // namespace zermelo::cli
