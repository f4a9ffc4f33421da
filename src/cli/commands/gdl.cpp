// zermelo gdl: what is in a GDL description, and how it runs.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>
#include <set>

#include "cli/command.hpp"
#include "cli/commands/gdl_network.hpp"
#include "core/random.hpp"
#include "gdl/analysis/invariants.hpp"
#include "gdl/game.hpp"
#include "gdl/perft.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/simulate.hpp"
#include "gdl/syntax/check.hpp"
#include "gdl/syntax/parse.hpp"
#include "solve/threshold_questions.hpp"

namespace zermelo::cli {

namespace {

using namespace gdl;

// What every gdl command takes.
struct Common {
    std::string file;
    LimitOptions limits;
    bool json = false;

    void add_to(CLI::App& app) {
        app.add_option("FILE", file, "the game description (.kif)")->required();
        limits.add_to(app);
        app.add_flag("--json", json, "print one JSON object");
    }
    [[nodiscard]] GroundOptions grounding(const Limits& bounds) const {
        GroundOptions options;
        options.limits = bounds;
        return options;
    }
};

std::vector<std::string> role_names(const Game& game) {
    std::vector<std::string> names;
    for (const TermId role : game.machine().network().roles) names.push_back(game.text(role));
    return names;
}

// The machine where the game can be grounded, and with a warning the reasoner where it cannot.
struct Runnable {
    std::optional<Game> game;
    std::optional<Reasoner> reasoner;
    double set_up_seconds = 0;

    Runnable(const Common& options, const Limits& bounds) {
        const double start = cpu_seconds();
        try {
            game.emplace(options.file, options.grounding(bounds));
        } catch (const TooLarge& problem) {
            std::cerr << fmt::format(
                "warning: {}\nwarning: running without a propositional network, which is slow\n",
                problem.what());
            ReasonerOptions how;
            how.limits = bounds;
            reasoner.emplace(gdl::read(options.file), how);
        }
        set_up_seconds = cpu_seconds() - start;
    }
    [[nodiscard]] std::vector<std::string> roles() const {
        if (game) return role_names(*game);
        std::vector<std::string> names;
        for (const auto role : reasoner->roles()) names.push_back(reasoner->text(role));
        return names;
    }
};

// ------------------------------------------------------------------------------------------ info

// What random playouts show about the course of a game.
struct Observed {
    bool simultaneous = false;  // two roles had a choice at the same time
    bool constant_sum = true;   // the goals of all terminal states add up to the same
    std::uint64_t longest = 0;
    double branching = 0;  // choices a move, of the role that has most
    std::uint64_t playouts = 0;
};

Observed observe(const Machine& machine, const Limits& limits) {
    Observed seen;
    Runner runner(machine);
    Random random(1);
    std::set<int> sums;
    double choices = 0;
    std::uint64_t moves = 0;
    const double start = cpu_seconds();
    while (seen.playouts < 100 && cpu_seconds() - start < 1 && limits.reached() == Stop::none) {
        State state = machine.initial();
        JointMove joint(machine.roles());
        std::vector<MoveId> legal;
        std::uint64_t length = 0;
        bool stuck = false;
        for (runner.load(state); !runner.terminal() && !stuck && length < 10000;
             runner.load(state), ++length) {
            int choosing = 0;
            std::size_t most = 0;
            for (std::size_t r = 0; r < joint.size() && !stuck; ++r) {
                runner.legal(r, legal);
                stuck = legal.empty();
                if (stuck) break;
                choosing += legal.size() > 1 ? 1 : 0;
                most = std::max(most, legal.size());
                joint[r] = legal[random.below(legal.size())];
            }
            if (stuck) break;
            seen.simultaneous = seen.simultaneous || choosing > 1;
            choices += static_cast<double>(most);
            ++moves;
            runner.play(joint);
            runner.next(state);
        }
        ++seen.playouts;
        seen.longest = std::max(seen.longest, length);
        if (!runner.terminal()) continue;
        int sum = 0;
        for (std::size_t r = 0; r < machine.roles(); ++r) sum += std::max(0, runner.goal(r));
        sums.insert(sum);
    }
    seen.constant_sum = sums.size() <= 1;
    seen.branching = moves > 0 ? choices / static_cast<double>(moves) : 0;
    return seen;
}

int info(const Common& options) {
    const Limits bounds = options.limits.start();
    const Game game(options.file, options.grounding(bounds));
    const gdl::Network& network = game.machine().network();
    const Observed seen = observe(game.machine(), bounds);
    const Invariants always = find_invariants(game.machine(), 20, bounds);
    std::size_t exclusive = 0;
    for (const auto& group : always.mutex_candidates) exclusive += group.size();
    const bool second = information(game.description()).is_gdl2();
    std::size_t moves = 0;
    for (const auto& role : network.moves) moves += role.size();
    const std::size_t loops = static_cast<std::size_t>(std::count_if(
        network.stretches.begin(), network.stretches.end(), [](const auto& s) { return s.loop; }));
    const std::size_t bytes = network.inputs.size() * sizeof(Signal) + network.nodes * 8;
    const SetUp& set_up = game.set_up();
    if (options.json) {
        print({{"file", options.file},
               {"roles", role_names(game)},
               {"language", second ? "GDL-II" : "GDL"},
               {"simultaneous", seen.simultaneous},
               {"constant_sum", seen.constant_sum},
               {"longest_sampled", seen.longest},
               {"sampled_playouts", seen.playouts},
               {"branching", seen.branching},
               {"fluents", network.fluents.size()},
               {"moves", moves},
               {"gates", network.gates()},
               {"inputs", network.inputs.size()},
               {"loops", loops},
               {"stay_true", always.stay_true.size()},
               {"stay_false", always.stay_false.size()},
               {"exclusive_groups", always.mutex_candidates.size()},
               {"exclusive_fluents", exclusive},
               {"ground_atoms", set_up.atoms},
               {"ground_rules", set_up.rules},
               {"network_bytes", bytes},
               {"setup_cpu_seconds", set_up.seconds()}});
        return answered;
    }
    std::cout << fmt::format("{}: {}, {} {}: {}\n", options.file, second ? "GDL-II" : "GDL",
                             network.roles.size(), network.roles.size() == 1 ? "role" : "roles",
                             fmt::join(role_names(game), ", "));
    std::cout << fmt::format(
        "  moves      {}, {:.1f} choices a move; in {} random playouts at most {} moves\n",
        seen.simultaneous ? "simultaneous" : "in turn", seen.branching, seen.playouts, seen.longest);
    std::cout << fmt::format("  goals      {} in all terminal states that were seen\n",
                             seen.constant_sum ? "add up to the same" : "do not add up to the same");
    std::cout << fmt::format("  ground     {} atoms, {} rules\n", count_text(set_up.atoms),
                             count_text(set_up.rules));
    std::cout << fmt::format("  network    {} fluents, {} moves, {} gates with {} inputs, {} loops, {} KiB\n",
                             count_text(network.fluents.size()), count_text(moves),
                             count_text(network.gates()), count_text(network.inputs.size()), loops,
                             count_text(bytes / 1024));
    std::cout << fmt::format(
        "  fluents    {} stay true once they are, {} stay false; {} are in {} groups of which at most one "
        "was seen to hold\n",
        count_text(always.stay_true.size()), count_text(always.stay_false.size()), count_text(exclusive),
        always.mutex_candidates.size());
    std::cout << fmt::format("  set-up     {:.3f} s\n", set_up.seconds());
    return answered;
}

// ------------------------------------------------------------------------------------------ ground

int print_ground(const Common& options) {
    const Limits bounds = options.limits.start();
    const Description description = gdl::read(options.file);
    const Grounding grounding = ground(description, options.grounding(bounds));
    if (options.json) {
        print({{"atoms", grounding.atoms()},
               {"rules", grounding.rule_count},
               {"facts", grounding.facts.size()}});
        return answered;
    }
    const auto name = [&](AtomId a) {
        const auto term = [&] { return grounding.terms.text(description.symbols, grounding.term[a]); };
        const auto with_role = [&](const char* word) {
            return fmt::format("({} {} {})", word,
                               grounding.terms.text(description.symbols, grounding.roles[grounding.role[a]]),
                               term());
        };
        switch (grounding.kind[a]) {
            case AtomKind::fluent:
                return fmt::format("(true {})", term());
            case AtomKind::next:
                return fmt::format("(next {})", term());
            case AtomKind::move:
                return with_role("does");
            case AtomKind::legal:
                return with_role("legal");
            case AtomKind::goal:
                return with_role("goal");
            case AtomKind::sees:
                return with_role("sees");
            case AtomKind::terminal:
                return std::string("terminal");
            case AtomKind::derived:
                break;
        }
        return fmt::format("atom-{}", a);
    };
    for (const AtomId a : grounding.facts) std::cout << name(a) << '\n';
    grounding.each_rule([&](const Grounding::Rule& rule) {
        std::cout << "(<= " << name(rule.head);
        for (const AtomId a : rule.positive) std::cout << ' ' << name(a);
        for (const AtomId a : rule.negative) std::cout << " (not " << name(a) << ')';
        std::cout << ")\n";
    });
    return answered;
}

// ------------------------------------------------------------------------------------------ fmt and check

std::string read_text(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error({file}, "cannot be read", "check the name");
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

int print_formatted(const std::string& file, bool in_place) {
    const std::string formatted = format(read_text(file), file);
    if (!in_place) {
        std::cout << formatted;
        return answered;
    }
    std::ofstream out(file, std::ios::binary);
    out << formatted;
    if (!out.flush()) throw Error({file}, "cannot be written", "check its permissions");
    return answered;
}

int print_findings(const Common& options) {
    PlayOptions how;
    how.limits = options.limits.start();
    const Description description = gdl::read(options.file);
    auto findings = check(description);
    const auto played = check_by_playing(description, how);
    findings.insert(findings.end(), played.begin(), played.end());
    const Information known = information(description, how);
    const char* sharing = known.sharing == Sharing::yes  ? "yes"
                          : known.sharing == Sharing::no ? "no"
                                                         : "unknown";
    const auto severity = [](const Finding& finding) {
        return finding.severity == Finding::Severity::error     ? "error"
               : finding.severity == Finding::Severity::warning ? "warning"
                                                                : "note";
    };
    const bool broken = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.severity == Finding::Severity::error;
    });
    if (options.json) {
        auto list = nlohmann::json::array();
        for (const Finding& finding : findings) {
            list.push_back({{"severity", severity(finding)},
                            {"place", finding.place.text()},
                            {"message", finding.message},
                            {"remedy", finding.remedy}});
        }
        print({{"findings", list}, {"gdl2", known.is_gdl2()}, {"shared_information", sharing}});
    } else {
        for (const Finding& finding : findings) std::cout << finding.text() << '\n';
        std::cout << fmt::format("{}: {} findings; {}; players share their information: {}\n", options.file,
                                 findings.size(), known.is_gdl2() ? "GDL-II" : "GDL", sharing);
    }
    return broken ? check_failed : answered;
}

// -------------------------------------------------------------------------------------- perft and simulate

int run_perft(const Common& options, std::size_t depth) {
    const Limits bounds = options.limits.start();
    Runnable run(options, bounds);
    const Perft result =
        run.game ? perft(run.game->machine(), depth, bounds) : perft(*run.reasoner, depth, bounds);
    if (options.json) {
        auto paths = nlohmann::json::array();
        auto states = nlohmann::json::array();
        auto terminals = nlohmann::json::array();
        auto goals = nlohmann::json::array();
        for (const PerftLevel& level : result.levels) {
            paths.push_back(level.paths);
            states.push_back(level.states);
            terminals.push_back(level.terminal_paths);
            auto by_goal = nlohmann::json::array();
            for (const auto& [values, count] : level.goals)
                by_goal.push_back({{"goals", values}, {"paths", count}});
            goals.push_back(by_goal);
        }
        print({{"joint_moves", paths},
               {"states", states},
               {"terminals", terminals},
               {"goals", goals},
               {"distinct_states", result.distinct},
               {"stop", describe(result.stop)}});
    } else {
        std::cout << fmt::format("{:>5} {:>20} {:>14} {:>16}\n", "depth", "joint moves", "states",
                                 "terminal");
        for (std::size_t d = 0; d < result.levels.size(); ++d) {
            const PerftLevel& level = result.levels[d];
            std::cout << fmt::format("{:>5} {:>20} {:>14} {:>16}\n", d, count_text(level.paths),
                                     count_text(level.states), count_text(level.terminal_paths));
        }
        if (result.stop != Stop::none) std::cout << describe(result.stop) << '\n';
    }
    return exit_code(result.stop);
}

const char* engine_name(Engine engine) {
    switch (engine) {
        case Engine::sliced:
            return "sliced";
        case Engine::reasoner:
            return "reasoner";
        default:
            return "scalar";
    }
}

int run_simulate(const Common& options, const SimulateOptions& given) {
    SimulateOptions how = given;
    how.limits = options.limits.start();
    Runnable run(options, how.limits);
    const Simulation result = run.game ? simulate(run.game->machine(), how) : simulate(*run.reasoner, how);
    const Tally& tally = result.tally;
    const auto playouts = static_cast<double>(std::max<std::uint64_t>(tally.playouts, 1));
    const double seconds = std::max(result.cpu_seconds, 1e-9);
    std::vector<double> goals;
    for (const double sum : tally.goals) goals.push_back(sum / playouts);
    if (options.json) {
        auto histogram = nlohmann::json::object();
        for (std::size_t n = 0; n < tally.lengths.size(); ++n) {
            if (tally.lengths[n] != 0) histogram[std::to_string(n)] = tally.lengths[n];
        }
        print({{"playouts", tally.playouts},
               {"playouts_per_cpu_second", static_cast<double>(tally.playouts) / seconds},
               {"states_per_cpu_second", static_cast<double>(tally.states) / seconds},
               {"setup_cpu_seconds", run.set_up_seconds},
               {"mean_length", static_cast<double>(tally.length) / playouts},
               {"mean_goals", goals},
               {"roles", run.roles()},
               {"engine", engine_name(result.engine)},
               {"lanes", result.lanes},
               {"given_up", tally.stuck},
               {"cpu_seconds", result.cpu_seconds},
               {"lengths", histogram},
               {"stop", describe(result.stop)}});
        return exit_code(result.stop);
    }
    std::cout << fmt::format(
        "{} playouts in {:.2f} CPU seconds after {:.3f} s of set-up, {} ({} at a time)\n",
        count_text(tally.playouts), result.cpu_seconds, run.set_up_seconds, engine_name(result.engine),
        result.lanes);
    std::cout << fmt::format(
        "  {} playouts/s, {} states/s, {:.2f} moves a playout\n",
        count_text(static_cast<std::uint64_t>(static_cast<double>(tally.playouts) / seconds)),
        count_text(static_cast<std::uint64_t>(static_cast<double>(tally.states) / seconds)),
        static_cast<double>(tally.length) / playouts);
    const auto names = run.roles();
    for (std::size_t r = 0; r < names.size(); ++r)
        std::cout << fmt::format("  {:<20} mean goal {:.2f}\n", names[r], goals[r]);
    if (tally.stuck != 0)
        std::cout << fmt::format("  {} playouts given up: a role had no legal move\n", tally.stuck);

    // Lengths in up to twenty classes, as bars.
    std::size_t low = tally.lengths.size();
    std::size_t high = 0;
    for (std::size_t n = 0; n < tally.lengths.size(); ++n) {
        if (tally.lengths[n] == 0) continue;
        low = std::min(low, n);
        high = n;
    }
    if (low <= high) {
        const std::size_t width = (high - low) / 20 + 1;
        std::vector<std::uint64_t> classes((high - low) / width + 1, 0);
        for (std::size_t n = low; n <= high; ++n) classes[(n - low) / width] += tally.lengths[n];
        const std::uint64_t most = *std::max_element(classes.begin(), classes.end());
        for (std::size_t c = 0; c < classes.size(); ++c) {
            std::string bar;
            for (std::uint64_t i = 0; i < classes[c] * 40 / most; ++i) bar += "█";
            std::cout << fmt::format("  {:>5} {}\n", low + c * width, bar);
        }
    }
    return exit_code(result.stop);
}

// ------------------------------------------------------------------------------------------ model

struct AsModel {
    std::string role;  // empty: the first
    int threshold = 100;
    std::optional<std::size_t> horizon;
    bool strategic = false;
};

int print_model(const Common& options, const AsModel& how) {
    const Limits bounds = options.limits.start();
    const auto game = std::make_shared<const Game>(options.file, options.grounding(bounds));
    const ThresholdQuestions questions(game, how.horizon, bounds);
    encode::Question question;
    question.role = how.role.empty() ? 0 : questions.role_named(how.role);
    question.threshold = how.threshold;
    question.form = how.strategic ? encode::ModelForm::strategic : encode::ModelForm::quantified;
    const encode::QuantifiedGame quantified = questions.model(question);
    if (!options.json) {
        encode::write_minizinc(std::cout, *game, quantified);
        return answered;
    }
    auto turns = nlohmann::json::array();
    for (const auto& turn : quantified.turns) {
        turns.push_back({{"variable", quantified.model.name_of(turn.variable)},
                         {"move", turn.step},
                         {"role", questions.role_name(turn.role)},
                         {"values", quantified.model.domain(turn.variable).size()}});
    }
    print({{"role", questions.role_name(question.role)},
           {"threshold", question.threshold},
           {"horizon", questions.horizon()},
           {"complete", questions.complete()},
           {"form", how.strategic ? "strategic" : "quantified"},
           {"variables", quantified.model.variables.size()},
           {"constraints", quantified.model.constraints.size()},
           {"turns", turns}});
    return answered;
}

}  // namespace

Command add_gdl(CLI::App& app) {
    auto* command = app.add_subcommand("gdl", "Read, check and run games in the Game Description Language");
    command->require_subcommand(1);
    auto common = std::make_shared<Common>();
    auto chosen = std::make_shared<std::function<int()>>();

    const auto add = [&](const char* name, const char* description, const char* example,
                         std::function<int()> run) {
        auto* sub = command->add_subcommand(name, description);
        sub->footer(fmt::format("Example:\n  {}", example));
        sub->final_callback([chosen, run = std::move(run)] { *chosen = run; });
        return sub;
    };
    common->add_to(*add("info", "Show the roles, size, features and set-up time of a game",
                        "zermelo gdl info games/gdl/tic-tac-toe.kif", [common] { return info(*common); }));
    common->add_to(*add("check", "Check a description against the GDL specification",
                        "zermelo gdl check games/gdl/tic-tac-toe.kif",
                        [common] { return print_findings(*common); }));
    common->add_to(*add("ground", "Print the ground rules", "zermelo gdl ground games/gdl/tic-tac-toe.kif",
                        [common] { return print_ground(*common); }));

    auto in_place = std::make_shared<bool>(false);
    auto* fmt_command = add("fmt", "Format a description", "zermelo gdl fmt games/gdl/tic-tac-toe.kif",
                            [common, in_place] { return print_formatted(common->file, *in_place); });
    fmt_command->add_option("FILE", common->file, "the game description (.kif)")->required();
    fmt_command->add_flag("-i,--in-place", *in_place, "rewrite the file instead of printing");

    auto depth = std::make_shared<std::size_t>(4);
    auto* perft_command = add("perft", "Count sequences of joint moves and states by depth",
                              "zermelo gdl perft games/gdl/tic-tac-toe.kif --depth 9",
                              [common, depth] { return run_perft(*common, *depth); });
    common->add_to(*perft_command);
    perft_command->add_option("--depth", *depth, "depth in joint moves")->capture_default_str();

    auto as_model = std::make_shared<AsModel>();
    auto* model_command = add(
        "model", "Print a MiniZinc model that asks whether a role can force a goal",
        "zermelo gdl model games/gdl/tic-tac-toe.kif --role o --threshold 50 > o.mzn && zermelo solve o.mzn",
        [common, as_model] { return print_model(*common, *as_model); });
    common->add_to(*model_command);
    model_command->add_option("--role", as_model->role,
                              "the role that has to reach the goal (default: the first)");
    model_command->add_option("--threshold", as_model->threshold, "the least goal value to force")
        ->capture_default_str();
    model_command->add_option(
        "--horizon", as_model->horizon,
        "number of moves to consider (default: the length of the longest play, if known)");
    model_command->add_flag("--strategic", as_model->strategic,
                            "write a strategic model (every_consistent, hold) instead of one with rules");

    auto how = std::make_shared<SimulateOptions>();
    auto engine = std::make_shared<std::string>("auto");
    auto* simulate_command =
        add("simulate", "Run random playouts and report speed, length and goals",
            "zermelo gdl simulate games/gdl/tic-tac-toe.kif --seconds 2", [common, how, engine] {
                how->engine = *engine == "scalar"   ? Engine::scalar
                              : *engine == "sliced" ? Engine::sliced
                                                    : Engine::automatic;
                return run_simulate(*common, *how);
            });
    common->add_to(*simulate_command);
    simulate_command->add_option("--seconds", how->seconds, "stop after this many CPU seconds")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    simulate_command->add_option("--playouts", how->playouts, "stop after this many playouts instead");
    simulate_command->add_option("--seed", how->seed, "random seed")->capture_default_str();
    simulate_command
        ->add_option("--engine", *engine,
                     "how playouts are run: auto, scalar (one at a time) or sliced (bit-parallel)")
        ->check(CLI::IsMember({"auto", "scalar", "sliced"}))
        ->capture_default_str();

    const Command network = add_gdl_network(*command);
    network.app->final_callback([chosen, network] { *chosen = network.run; });
    return {command, [chosen] { return (*chosen)(); }};
}

}  // namespace zermelo::cli
