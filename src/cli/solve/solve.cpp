// zermelo solve: who wins, by which strategy, and does the strategy stand up to a check?

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>
#include <thread>

#include "cli/processes.hpp"
#include "cli/solve/solve_as_model.hpp"
#include "cli/solve/solve_game.hpp"
#include "cli/solve/solve_stochastic.hpp"
#include "cli/solve/solving.hpp"
#include "strategy/format/json.hpp"

namespace zermelo::cli {

namespace {

struct Solve {
    CLI::App* app = nullptr;
    ModelOptions model;
    LimitOptions limits;
    SearchOptions search;
    SolveGame forwards;
    SolveAsModel as_model;
    SolveStochastic with_chance;
    std::string engine;  // empty: quantified search for models, auto for games
    std::string maximise;
    std::string strategy_file;
    bool json = false;
    bool verbose = false;
    bool check = true;
    std::optional<double> check_seconds;
    nlohmann::json together = nullptr;  // where several processes worked, or parts were kept

    int run();
    void take_common_options();
    int run_forwards();
    int run_quantified();
    int run_as_model();
    int run_stochastic(model::Model m, const Limits& bounds);
    [[nodiscard]] double check_limit() const { return check_seconds.value_or(5); }
    [[nodiscard]] model::Model read(const Limits& bounds);
    [[nodiscard]] int exit_code_of(const quantified::Answer& answer,
                                   const std::optional<strategy::Verification>& check) const;
    void report_qbf(const quantified::Answer& answer) const;
    void report(const model::Model& m, const quantified::Answer& answer,
                const std::optional<strategy::Verification>& check) const;
    void report_text(const model::Model& m, const quantified::Answer& answer,
                     const std::optional<strategy::Verification>& check) const;
    void report_json(const model::Model& m, const quantified::Answer& answer,
                     const std::optional<strategy::Verification>& check) const;
};

constexpr const char* for_games_as_models = "games in GDL with --engine quantified or strategic";

bool is_qbf(const std::string& file) { return file.ends_with(".qdimacs") || file.ends_with(".cnf"); }

std::string moves_text(const model::Model& model, const std::vector<strategy::Move>& moves) {
    std::string text;
    for (const strategy::Move& move : moves) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", model.name_of(move.variable), move.value);
    }
    return text;
}

nlohmann::json moves_json(const model::Model& model, const std::vector<strategy::Move>& moves) {
    auto object = nlohmann::json::object();
    for (const strategy::Move& move : moves) object[model.name_of(move.variable)] = move.value;
    return object;
}

std::vector<std::vector<strategy::Move>> best_moves(const model::Model& model,
                                                    const quantified::Answer& answer) {
    std::vector<std::vector<strategy::Move>> all;
    for (const auto& values : answer.first_moves) {
        auto& moves = all.emplace_back();
        for (std::size_t i = 0; i < values.size(); ++i)
            moves.push_back({model.prefix.front().variables[i], values[i]});
    }
    if (all.empty() && answer.verdict != quantified::Verdict::unknown) {
        if (auto moves = first_moves(model, answer.strategy); !moves.empty()) all.push_back(std::move(moves));
    }
    return all;
}

model::Model Solve::read(const Limits& bounds) {
    if (!maximise.empty())
        model.reading.extra += "\ninclude \"zermelo.mzn\";\nconstraint zermelo_value(" + maximise + ");\n";
    model::Model m = model.read(bounds);
    if (!maximise.empty() && !model.file.ends_with(".mzn")) {
        const auto named = std::find_if(m.variables.begin(), m.variables.end(),
                                        [&](const model::Variable& v) { return v.name == maximise; });
        if (named == m.variables.end()) {
            throw Error({model.file}, fmt::format("there is no variable {} to maximise", maximise),
                        "name a variable of the model; expressions need a .mzn file");
        }
        m.objective = static_cast<model::VarId>(named - m.variables.begin());
    }
    if (search.solve.all_first_moves &&
        (m.prefix.empty() || m.prefix.front().quantifier != model::Quantifier::exists)) {
        throw Error({model.file}, "--all-first-moves asks for the moves of ∃, but ∃ does not move first",
                    "leave the option out");
    }
    return m;
}

// The engines have two options in common; searching models, they are off unless somebody asks for them.
void Solve::take_common_options() {
    if (app->count("--symmetry") > 0) search.solve.symmetry = forwards.forward.solve.symmetry;
    if (app->count("--threads") == 0) return;
    const unsigned wanted = forwards.forward.solve.threads;
    search.solve.threads = wanted > 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

int Solve::run() {
    take_common_options();
    const bool is_model = kind_of(model.file) == Kind::model;
    const bool for_constraints = engine == "quantified" || engine == "strategic";
    if (for_constraints && kind_of(model.file) == Kind::gdl) return run_as_model();
    refuse_group(*app, for_games_as_models, model.file);
    if (engine == "strategic") {
        throw Error({model.file}, "--engine strategic turns a game in GDL into a strategic model",
                    "leave it out: a model says itself whether it is strategic");
    }
    if (is_stochastic_engine(engine) && !is_model) {
        throw Error({model.file}, fmt::format("--engine {} is for models with chance", engine),
                    fmt::format("choose from {}", forward_engines));
    }
    if (engine == "quantified" && !is_model) {
        throw Error({model.file}, "--engine quantified is for quantified models",
                    fmt::format("choose from {}", forward_engines));
    }
    // Models know one engine that is better for them than all others.
    const bool quantified = is_model && (engine.empty() || engine == "auto" || engine == "quantified" ||
                                         is_stochastic_engine(engine));
    return quantified ? run_quantified() : run_forwards();
}

int Solve::run_forwards() {
    refuse_group(*app, for_quantified_search, model.file);
    refuse_group(*app, for_chance, model.file);
    if (kind_of(model.file) != Kind::model) {
        refuse_group(*app, for_models, model.file);
    } else {
        refuse_option(*app, "--strategy", model.file, "needs --engine quantified when a model is solved");
    }
    if (!engine.empty()) forwards.engine = engine;
    forwards.strategy_file = strategy_file;
    forwards.all_first_moves = search.solve.all_first_moves;
    forwards.json = json;
    forwards.verbose = verbose;
    forwards.check = check;
    if (check_seconds) forwards.check_seconds = *check_seconds;
    return forwards.run(model, limits.start());
}

int Solve::run_as_model() {
    refuse_option(*app, "--checkpoint", model.file, "is not for games that are solved as models");
    refuse_group(*app, for_models, model.file);
    refuse_group(*app, for_forward_engines, model.file);
    refuse_option(*app, "--maximise", model.file, "is for models: the greatest goal is sought anyway");
    if (engine == "strategic") as_model.form = encode::ModelForm::strategic;
    as_model.search = search;
    as_model.strategy_file = strategy_file;
    as_model.json = json;
    as_model.verbose = verbose;
    as_model.check = check;
    if (check_seconds) as_model.check_seconds = *check_seconds;
    return as_model.run(model.file, limits.start());
}

int Solve::run_quantified() {
    if (search.solve.check_cuts) require_one_process(model.file, "--check-cuts");
    refuse_group(*app, for_forward_engines, model.file);
    const Limits bounds = limits.start();
    model::Model m;
    quantified::Answer answer;
    try {
        m = made_by_all([&] { return read(bounds); }, "while the model was read");
        if (stochastic::is_stochastic(m)) return run_stochastic(std::move(m), bounds);
        refuse_group(*app, for_chance, model.file);
        if (is_stochastic_engine(engine)) {
            throw Error({model.file}, fmt::format("--engine {} is for models with chance", engine),
                        "leave it out: this model has none");
        }
        const auto guide = search.make_guide();
        quantified::SolveOptions options = search.options(bounds);
        options.guide = guide.get();
        const std::string& kept = forwards.forward.solve.checkpoint;
        if (!kept.empty()) require_folder(kept);
        answer =
            solve_with_progress(m, options, {kept, forwards.forward.solve.seconds_between_saves}, &together);
    } catch (const LimitReached& limit) {
        answer.stop = limit.stop();  // while the model was read: an answer too, if a poor one
    }
    if (!processes().first()) return answered;  // the first one has the strategy, and tells how it went
    const bool strategy = answer.verdict != quantified::Verdict::unknown && search.solve.strategy;
    if (strategy && !strategy_file.empty()) save_strategy(strategy_file, m, answer.strategy);
    std::optional<strategy::Verification> checked;
    // A strategy for a threshold wins the game itself, so it is checked against the model as it stands.
    if (strategy && check)
        checked = verify_with_progress(m, answer.strategy, Limits(check_limit(), bounds.memory()));
    report(m, answer, checked);
    return exit_code_of(answer, checked);
}

int Solve::run_stochastic(model::Model m, const Limits& bounds) {
    require_one_process(model.file, "what is done about chance");
    refuse_option(*app, "--checkpoint", model.file, "is not for models with chance");
    refuse_group(*app, for_quantified_search, model.file);
    refuse_option(*app, "--all-first-moves", model.file, "is not for models with chance");
    if (engine == "quantified") {
        throw Error({model.file}, "--engine quantified knows no chance", "choose mac or fc");
    }
    with_chance.engine = is_stochastic_engine(engine) ? engine : "";
    with_chance.policy_file = strategy_file;
    with_chance.json = json;
    with_chance.verbose = verbose;
    with_chance.check = check;
    with_chance.check_seconds = check_limit();
    return with_chance.run(std::move(m), bounds);
}

int Solve::exit_code_of(const quantified::Answer& answer,
                        const std::optional<strategy::Verification>& checked) const {
    if (answer.stop != Stop::none) return exit_code(answer.stop);
    if (!answer.broken_cuts.empty() || (checked && checked->counterexample)) return check_failed;
    if (is_qbf(model.file)) return answer.verdict == quantified::Verdict::won ? 10 : 20;
    return answered;
}

void Solve::report(const model::Model& m, const quantified::Answer& answer,
                   const std::optional<strategy::Verification>& checked) const {
    if (json) {
        report_json(m, answer, checked);
    } else if (is_qbf(model.file)) {
        report_qbf(answer);
        if (checked && checked->counterexample) {
            std::cout << fmt::format("c THE CHECK FAILED: {}\n", checked->counterexample->text(m));
        }
    } else {
        report_text(m, answer, checked);
    }
}

// QDIMACS 1.1: the result line repeats the numbers of the problem line.
void Solve::report_qbf(const quantified::Answer& answer) const {
    const int value = answer.verdict == quantified::Verdict::won    ? 1
                      : answer.verdict == quantified::Verdict::lost ? 0
                                                                    : -1;
    std::ifstream file(model.file);
    std::string word;
    std::string variables;
    std::string clauses;
    while (file >> word && word != "p") std::getline(file, word);
    file >> word >> variables >> clauses;
    std::cout << fmt::format("s cnf {} {} {}\n", value, variables, clauses);
}

void Solve::report_text(const model::Model& m, const quantified::Answer& answer,
                        const std::optional<strategy::Verification>& checked) const {
    const quantified::SearchStatistics& s = answer.statistics;
    const std::string cost = fmt::format("{} nodes, {}", count_text(s.nodes), seconds_text(s.cpu_seconds));
    if (answer.verdict == quantified::Verdict::unknown) {
        std::cout << fmt::format("unknown: {} after {}", describe(answer.stop), cost);
        if (answer.best) std::cout << fmt::format(" — at least {} is guaranteed", *answer.best);
        std::cout << '\n';
    } else {
        const auto best = best_moves(m, answer);
        std::cout << fmt::format("{} in {}",
                                 answer.verdict == quantified::Verdict::won ? "won by ∃" : "lost by ∃", cost);
        if (answer.best) std::cout << fmt::format(" — the best guaranteed value is {}", *answer.best);
        if (best.size() == 1) std::cout << fmt::format(" — first move {}", moves_text(m, best.front()));
        std::cout << '\n';
        if (search.solve.all_first_moves) {
            std::cout << fmt::format("winning first moves: {}\n", answer.first_moves.size());
            for (const auto& moves : best) std::cout << "  " << moves_text(m, moves) << '\n';
        }
    }
    if (answer.verdict != quantified::Verdict::unknown && search.solve.strategy) {
        std::cout << fmt::format("{}: {}",
                                 answer.verdict == quantified::Verdict::won ? "strategy" : "counter-strategy",
                                 plural(count_text(answer.strategy.size()), "position"));
        if (checked && checked->valid) {
            std::cout << fmt::format("; checked without the solver: {}, all {}\n",
                                     plural(checked->scenarios, "scenario"),
                                     answer.verdict == quantified::Verdict::won ? "won" : "lost");
        } else if (checked && checked->counterexample) {
            std::cout << fmt::format("; THE CHECK FAILED: {}\n", checked->counterexample->text(m));
        } else if (checked) {
            std::cout << fmt::format("; not checked to the end in {} (raise --check-seconds)\n",
                                     seconds_text(check_limit()));
        } else {
            std::cout << '\n';
        }
    }
    for (const quantified::BrokenCut& cut : answer.broken_cuts) {
        std::vector<strategy::Move> play;
        for (const auto& [variable, value] : cut.play) play.push_back({variable, value});
        std::cout << fmt::format("{}wrong cut: it claims a win after {}, which is lost\n",
                                 cut.place.file.empty() ? "" : cut.place.text() + ": ", moves_text(m, play));
    }
    if (search.solve.check_cuts && answer.broken_cuts.empty() &&
        answer.verdict != quantified::Verdict::unknown) {
        std::cout << fmt::format("cuts: {} fired, all of them rightly\n", count_text(s.cuts));
    }
    if (verbose) {
        const auto statistics = to_json(s);
        for (const auto& [key, value] : statistics.items())
            std::cout << fmt::format("  {:<14}{}\n", key, value.dump());
    }
}

void Solve::report_json(const model::Model& m, const quantified::Answer& answer,
                        const std::optional<strategy::Verification>& checked) const {
    nlohmann::json object = to_json(answer.statistics);
    object["verdict"] = name(answer.verdict);
    object["stop"] = describe(answer.stop);
    object["best"] = nlohmann::json::array();
    for (const auto& moves : best_moves(m, answer)) object["best"].push_back(moves_json(m, moves));
    if (answer.best) object["best_value"] = *answer.best;
    object["peak_bytes"] = peak_bytes();
    object["strategy_nodes"] = answer.strategy.size();
    object["strategy_owner"] = answer.strategy.owner == model::Quantifier::exists ? "exists" : "forall";
    object["checked"] = nullptr;
    if (checked && checked->stop == Stop::none) object["checked"] = checked->valid;
    if (checked) object["scenarios"] = checked->scenarios;
    object["wrong_cuts"] = nlohmann::json::array();
    for (const quantified::BrokenCut& cut : answer.broken_cuts) {
        auto play = nlohmann::json::object();
        for (const auto& [variable, value] : cut.play) play[m.name_of(variable)] = value;
        object["wrong_cuts"].push_back({{"place", cut.place.text()}, {"play", play}});
    }
    if (!together.is_null()) object.update(together);
    print(object);
}

}  // namespace

Command add_solve(CLI::App& app) {
    auto* command = app.add_subcommand("solve", "Find out who wins, and by which strategy");
    auto solve = std::make_shared<Solve>();
    solve->app = command;
    solve->model.add_to(*command);
    command->add_option(
        "--engine", solve->engine,
        fmt::format("for games in GDL and graphs {} (default: auto); for models one of these "
                    "or quantified (default), with chance mac (default) or fc; games in GDL also "
                    "become models, quantified or strategic",
                    forward_engines));
    solve->limits.add_to(*command);
    command->add_option("--strategy", solve->strategy_file,
                        "write the winner's strategy to this file: JSON, or for games also .zplan");
    command->add_flag("--all-first-moves", solve->search.solve.all_first_moves,
                      "find every winning move of the first ∃ block, or every best first move, not just one");
    command->add_flag("--check,!--no-check", solve->check,
                      "check the strategy without the solver (default: yes)");
    command
        ->add_option("--check-seconds", solve->check_seconds,
                     "give up checking after so long (default: 5, for games 10)")
        ->check(CLI::PositiveNumber);
    command->add_flag("--json", solve->json, "print one JSON object");
    command->add_flag("-v,--verbose", solve->verbose, "print all statistics");
    solve->forwards.forward.add_to(*command);
    in_group(*command, for_quantified_search, [&] {
        solve->search.add_to(*command);
        command->add_option("--maximise", solve->maximise,
                            "find the greatest value of this expression that ∃ can guarantee");
    });
    in_group(*command, for_games_as_models, [&] {
        command->add_option("--role", solve->as_model.role, "whose goal is asked for (default: the first)");
        command->add_option("--threshold", solve->as_model.threshold,
                            "ask only whether the role can force a goal of at least so much");
        command->add_option("--horizon", solve->as_model.horizon,
                            "look at so many moves (default: the longest play, where it is known)");
    });
    in_group(*command, for_chance, [&] {
        command->add_flag("--best", solve->with_chance.best,
                          "find the best policy, not just one that reaches the thresholds");
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
        "  zermelo solve games/stochastic/example-1.mzn --best --strategy policy.json");
    return {command, [solve] { return solve->run(); }, true};
}

}  // namespace zermelo::cli
