// zermelo analyse: what every move of a position is worth.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <utility>

#include "cli/commands/why.hpp"
#include "cli/moves.hpp"
#include "cli/play/adviser.hpp"
#include "cli/play/board.hpp"
#include "cli/play/forced.hpp"
#include "cli/solve/report.hpp"
#include "solve/chance.hpp"
#include "solve/equilibria.hpp"
#include "solve/problem/explain.hpp"
#include "solve/problem/model_view.hpp"

namespace zermelo::cli {

namespace {

// What a search that did not see all ends of play thinks of a move.
struct Estimate {
    std::string move;
    double payoff = 0;  // of the player who moves
    int depth = 0;
    bool exact = false;
};

double payoff_of(game::Score score) {
    if (!score.finite()) return score > game::Score() ? game::win : game::loss;
    return game::draw + static_cast<double>(score.number()) / game::Score::per_point;
}

struct Analyse {
    ModelOptions source;
    LimitOptions limits;
    ForwardFlags forward;
    std::string engine = "auto";
    std::string position;
    std::string state;
    bool json = false;
    bool why = false;
    CLI::App* app = nullptr;

    int run();
    [[nodiscard]] int explain(const Problem& problem, const Limits& bounds,
                              const std::vector<std::string>& line) const;
    [[nodiscard]] Problem read(const Limits& bounds);
    [[nodiscard]] std::vector<Estimate> estimate(const Problem& problem,
                                                 const std::vector<std::string>& line) const;
    void report_text(const Verdict& verdict, const std::vector<Estimate>& estimates) const;
    void report_equilibrium(const Verdict& verdict, const std::vector<std::string>& line) const;
    void report_json(const cluster::TogetherVerdict& together, const std::vector<Estimate>& estimates,
                     const std::vector<std::string>& line) const;
};

// Models have an engine of their own by default; what moves are worth, the forward engines tell.
void require_forward_engine(SolveOptions& options) {
    if (options.engine == Engine::automatic) options.engine = Engine::forward;
    if (is_forward(options.engine) || is_chance(options.engine) || options.engine == Engine::equilibrium)
        return;
    throw Error(fmt::format("--engine {}: there is no such engine", name(options.engine)),
                fmt::format("choose from {}", forward_engines));
}

// The position after the line.
template <game::Game G>
typename G::State state_after(G& game, const std::vector<std::string>& line) {
    typename G::State here = game.initial();
    typename G::State next = here;
    for (const std::string& name : line) {
        game.look(here);
        game.successor(find_move(move_names(game), name).value(), next);
        here = next;
    }
    game.look(here);
    return here;
}

// draw(state) for each position of an explanation; the line leads to the first.
template <game::Game G, class Draw>
std::vector<std::string> drawn_along(G& game, const game::Explanation& explanation,
                                     const std::vector<std::string>& line, const Draw& draw) {
    std::vector<std::string> all;
    typename G::State here = state_after(game, line);
    for (std::size_t place = explanation.at; place < explanation.play.size(); ++place) {
        all.push_back(draw(here));
        const std::string& made = explanation.play[place].made;
        if (made.empty()) break;
        // Of a forced move it may be told who really makes it.
        typename G::State next = here;
        game.look(here);
        game.successor(game.moves() == 1 ? 0 : find_move(move_names(game), made).value(), next);
        here = std::move(next);
    }
    return all;
}

// The boards along the line; what a move changed is marked.
std::vector<std::string> boards(const gdl::Game& rules, const game::Explanation& explanation,
                                const std::vector<std::string>& line) {
    game::GdlGame game(rules);
    const BoardView view(rules);
    std::vector<std::string> before;
    return drawn_along(game, explanation, line, [&](const gdl::State& state) {
        const std::vector<std::string> facts = rules.facts(state);
        return view.draw(facts, std::exchange(before, facts));
    });
}

// The positions of a model as its output item shows them; none where it has no such item.
std::vector<std::string> outputs(const Problem& problem, const game::Explanation& explanation,
                                 const std::vector<std::string>& line,
                                 const model::MiniZincOptions& reading) {
    constexpr double drawing_seconds = 10;  // a position
    const model::Structure structure = analyse(*problem.model());
    const ModelView view(model::OutputItem::compile(problem.file(), reading), *problem.model(), structure);
    game::ModelGame game(*problem.model());
    auto all = drawn_along(game, explanation, line, [&](const std::vector<model::Value>& played) {
        return view.draw(played, Limits(drawing_seconds, std::nullopt));
    });
    if (std::ranges::all_of(all, &std::string::empty)) all.clear();
    return all;
}

// Where nobody has a choice, whoever really does something is on turn.
void name_forced_move(const Problem& problem, const std::vector<std::string>& line, Verdict& verdict) {
    auto* solution = std::get_if<game::Solution>(&verdict.details);
    if (problem.gdl() == nullptr || solution == nullptr || solution->moves.size() != 1) return;
    game::GdlGame game(*problem.gdl());
    const auto deed = forced_deed(*problem.gdl(), state_after(game, line));
    if (!deed) return;
    const auto mover = std::ranges::find(solution->players, deed->role);
    if (mover == solution->players.end()) return;
    solution->mover = static_cast<game::Player>(mover - solution->players.begin());
    solution->moves.front().move = deed->move;
}

// For people; JSON keeps the names that the rules give to moves.
void put_in_words(Verdict& verdict, std::vector<Estimate>& estimates, const catalogue::Speech& speech) {
    const auto speak = [&](const std::string& move) { return speech.say(move); };
    const auto say = [&](auto& moves) {
        for (auto& one : moves) one.move = speak(one.move);
    };
    say(estimates);
    if (auto* solution = std::get_if<game::Solution>(&verdict.details)) say(solution->moves);
    if (auto* solution = std::get_if<game::ChanceSolution>(&verdict.details)) say(solution->moves);
    if (auto* solution = std::get_if<equilibrium::Solution>(&verdict.details)) {
        for (equilibrium::Decision& decision : solution->decisions) say(decision.moves);
        for (equilibrium::PairWorth& pair : solution->pairs) {
            for (auto& moves : pair.moves) std::ranges::transform(moves, moves.begin(), speak);
        }
    }
}

// Of a time limit, this part is kept for estimates.
constexpr double for_estimates = 0.2;

Problem Analyse::read(const Limits& bounds) {
    if (!is_model(language_of(source.file))) refuse_group(*app, for_models, source.file);
    const Problem problem = source.read(bounds);
    return state.empty() ? problem : problem.starting_at(state);
}

int Analyse::run() {
    LimitOptions solving = limits;
    if (solving.seconds) *solving.seconds *= 1 - for_estimates;
    const Limits bounds = solving.start();
    cluster::TogetherOptions options = forward.options(*app, engine, bounds);
    require_forward_engine(options.solve);
    const Problem problem = read(bounds);
    options.solve.all_first_moves = true;
    options.solve.certificate = false;
    const auto read_position = [&](auto& game) {
        if constexpr (std::same_as<std::remove_cvref_t<decltype(game)>, game::GdlGame>) {
            return read_line(game, position, problem.file(), [&](const gdl::State& here) {
                return forced_deed(*problem.gdl(), here).value_or(Deed{}).move;
            });
        } else {
            return read_line(game, position, problem.file());
        }
    };
    const bool chance = solves_chance(problem, options.solve.engine);
    // Where players mix, the reason is the mixture of the other.
    if (why && !calls_for_equilibrium(problem))
        return explain(problem, bounds, problem.with_game(read_position));
    const std::vector<std::string>& line = options.solve.line =
        chance ? with_chance_game(problem, read_position) : problem.with_game(read_position);
    cluster::TogetherVerdict together = solve_with_progress(problem, options);
    const Stop stop = together.verdict.stop;
    std::vector<Estimate> estimates;
    const catalogue::Speech speech = speech_of(problem.file());
    if (chance) {
        if (json) {
            print(chance_moves_json(together.verdict, line));
        } else {
            put_in_words(together.verdict, estimates, speech);
            print_chance_moves(together.verdict);
        }
        return exit_code(stop);
    }
    name_forced_move(problem, line, together.verdict);
    const bool mixed = together.verdict.as<equilibrium::Solution>() != nullptr;
    if (!mixed && (stop == Stop::time || stop == Stop::memory)) estimates = estimate(problem, line);
    if (!json) put_in_words(together.verdict, estimates, speech);
    if (mixed) {
        report_equilibrium(together.verdict, line);
    } else if (json) {
        report_json(together, estimates, line);
    } else {
        report_text(together.verdict, estimates);
    }
    tell_about_checkpoint(stop, options.solve.checkpoint);
    return exit_code(stop);
}

// The winning line with every reply.
int Analyse::explain(const Problem& problem, const Limits& bounds,
                     const std::vector<std::string>& line) const {
    game::ExplainOptions options;
    options.limits = bounds;
    options.line = line;
    const game::Explanation explanation = zermelo::explain(problem, options);
    if (json) {
        nlohmann::json object = game::to_json(explanation);
        object["position"] = line;
        print(object);
    } else {
        print_explanation(explanation, speech_of(problem.file()),
                          problem.gdl() != nullptr     ? boards(*problem.gdl(), explanation, line)
                          : problem.model() != nullptr ? outputs(problem, explanation, line, source.reading)
                                                       : std::vector<std::string>());
    }
    return exit_code(explanation.asked().solved ? Stop::none : explanation.stop);
}

// By alpha-beta with a learned heuristic, the same time for each move; only for games in GDL.
std::vector<Estimate> Analyse::estimate(const Problem& problem, const std::vector<std::string>& line) const {
    std::vector<Estimate> estimates;
    if (problem.gdl() == nullptr) return estimates;
    game::GdlGame game(*problem.gdl());
    const gdl::State here = state_after(game, line);
    gdl::State next = here;
    const game::Player mover = game.turn().player;
    std::vector<std::string> names;
    for (std::size_t m = 0; m < game.moves(); ++m) names.push_back(game.move_name(m));
    if (names.empty()) return estimates;
    const double seconds = limits.seconds.value_or(5) * for_estimates;
    const NamedHeuristic named = heuristic_named("learned", *problem.gdl(), 1, seconds / 2);
    using OnState = game::OnState<decltype(named.judge)>;
    SearchingAdviser<game::GdlGame, OnState> adviser(game, OnState{named.judge}, named.about, seconds);
    for (std::size_t m = 0; m < names.size(); ++m) {
        game.look(here);
        game.successor(m, next);
        const auto found =
            adviser.search({next, {}, mover, 0}, seconds / 2 / static_cast<double>(names.size()));
        estimates.push_back({names[m], payoff_of(found.score), found.depth, found.exact});
    }
    std::stable_sort(estimates.begin(), estimates.end(),
                     [](const Estimate& a, const Estimate& b) { return a.payoff > b.payoff; });
    return estimates;
}

// Where players mix, no single move is best; what each is worth against the other's mixture tells why.
void Analyse::report_equilibrium(const Verdict& verdict, const std::vector<std::string>& line) const {
    const auto& solution = *verdict.as<equilibrium::Solution>();
    if (!json) {
        print_analysed_equilibrium(verdict);
        if (why) print_pairs(solution);
        return;
    }
    nlohmann::json object = equilibrium_json(verdict);
    object["position"] = line;
    if (why) object["pairs"] = pairs_json(solution);
    print(object);
}

// `won in 5 moves`, for whoever moves, the move itself among them.
std::string outlook(const game::MoveReport& move, game::Player mover) {
    const std::string word = game::verdict(mover, move.values);
    return move.rank ? word + " in " + plural(count_text(*move.rank + 1), "move") : word;
}

void Analyse::report_text(const Verdict& verdict, const std::vector<Estimate>& estimates) const {
    const auto& solution = *verdict.as<game::Solution>();
    if (!solution.solved) {
        std::cout << fmt::format("unknown: {} — {}\n", describe(solution.stop), cost_text(verdict));
        if (!estimates.empty())
            std::cout << "an estimate of each move, by alpha-beta with a learned heuristic:\n";
        for (const Estimate& one : estimates) {
            std::cout << fmt::format(
                "  {:<30} {:>6.1f}  {}\n", one.move, one.payoff,
                one.exact ? "exact" : fmt::format("estimate, {} moves deep", one.depth + 1));
        }
        return;
    }
    std::cout << fmt::format("{} — {}\n", headline(solution), cost_text(verdict));
    if (!solution.mover) {
        std::cout << "the play is over\n";
        return;
    }
    std::size_t width = solution.players[*solution.mover].size() + 9;
    for (const game::MoveReport& move : solution.moves) width = std::max(width, move.move.size());
    std::cout << fmt::format("  {:<{}}", solution.players[*solution.mover] + " to move", width);
    for (const std::string& player : solution.players) std::cout << fmt::format("  {:>5}", player);
    std::cout << '\n';
    for (const game::MoveReport& move : solution.moves) {
        std::cout << fmt::format("{} {:<{}}", move.best ? "*" : " ", move.move, width);
        for (std::size_t p = 0; p < move.values.size(); ++p) {
            std::cout << fmt::format("  {:>{}}", move.values[p],
                                     std::max<std::size_t>(5, solution.players[p].size()));
        }
        std::cout << "  " << outlook(move, *solution.mover) << '\n';
    }
}

void Analyse::report_json(const cluster::TogetherVerdict& together, const std::vector<Estimate>& estimates,
                          const std::vector<std::string>& line) const {
    const auto& solution = *together.verdict.as<game::Solution>();
    nlohmann::json object = statistics_json(together);
    object["verdict"] = game::verdict(solution);
    object["stop"] = describe(solution.stop);
    object["position"] = line;
    object["values"] = values_json(solution.players, solution.values);
    object["rank"] = solution.rank ? nlohmann::json(*solution.rank) : nlohmann::json(nullptr);
    object["mover"] = nullptr;
    if (solution.mover) object["mover"] = solution.players[*solution.mover];
    object["estimate"] = !estimates.empty();
    object["moves"] = nlohmann::json::array();
    if (solution.solved) {
        for (const game::MoveReport& move : solution.moves) {
            object["moves"].push_back(
                {{"move", move.move},
                 {"values", values_json(solution.players, move.values)},
                 {"verdict", game::verdict(*solution.mover, move.values)},
                 {"rank", move.rank ? nlohmann::json(*move.rank) : nlohmann::json(nullptr)},
                 {"best", move.best}});
        }
    }
    for (const Estimate& one : estimates) {
        object["moves"].push_back(
            {{"move", one.move}, {"estimate", one.payoff}, {"depth", one.depth + 1}, {"exact", one.exact}});
    }
    print(object);
}

}  // namespace

Command add_analyse(CLI::App& app) {
    auto* command = app.add_subcommand("analyse", "Show the value of every move in a position");
    auto analyse = std::make_shared<Analyse>();
    analyse->app = command;
    analyse->source.add_to(*command);
    command->add_option(
        "--position", analyse->position,
        "the moves that lead to the position, separated by semicolons (default: none, the initial position)");
    command->add_option("--state", analyse->state, "the name of a state of a graph to start from");
    command->add_option("--engine", analyse->engine, forward_engines)->capture_default_str();
    analyse->limits.add_to(*command);
    analyse->forward.add_to(*command);
    command->add_flag("--why", analyse->why,
                      "show the best play from here to the end, with every reply, threats and forced moves");
    command->add_flag("--json", analyse->json, "print one JSON object");
    command->footer(
        "Examples:\n"
        "  zermelo analyse games/gdl/tic-tac-toe.kif --position \"(mark 2 2); (mark 1 2)\"\n"
        "  zermelo analyse games/graphs/subtraction-13.json --state A6\n"
        "  zermelo analyse games/gdl/nim.kif --position \"(leave a 0)\" --why\n"
        "  zermelo analyse games/gdl/kuhn-poker.kif --position \"(deal queen king)\"");
    return {command, [analyse] { return analyse->run(); }};
}

}  // namespace zermelo::cli
