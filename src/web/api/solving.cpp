// Solving: who wins, and by which strategies. What was found can be opened node by node.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <sstream>

#include "core/clock.hpp"
#include "game/solve.hpp"
#include "game/strategy/binary.hpp"
#include "game/strategy/json.hpp"
#include "game/strategy/verify.hpp"
#include "game/views/gdl_game.hpp"
#include "quantified/solve.hpp"
#include "stochastic/format/policy_file.hpp"
#include "stochastic/solve.hpp"
#include "stochastic/verify.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/format/json.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"
#include "web/session/strategy_store.hpp"

namespace zermelo::web {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double seconds_afterwards = 60;  // to check a strategy or to spell it out, whatever the solver took
constexpr std::size_t most_readable = 50'000;   // nodes of a plan that is written as text
constexpr std::size_t share_of_tables = 16;     // of the budget, for what one solver remembers
constexpr std::size_t share_of_strategies = 8;  // of the budget, for all that are kept
constexpr std::size_t share_of_one_strategy = 16;

// A piece of work: who asked, what for, and how it goes on.
class Task {
public:
    Task(const Call& call, Events& events, StrategyStore& strategies)
        : call_(call),
          events_(events),
          strategies_(strategies),
          limits_(call.limits(call.number("seconds", 10, 0, 86'400))) {}

    [[nodiscard]] const Limits& limits() const { return limits_; }
    [[nodiscard]] Limits limits_afterwards() const { return call_.limits(seconds_afterwards); }
    [[nodiscard]] std::size_t table_bytes() const { return call_.budget / share_of_tables; }
    [[nodiscard]] Bounds bounds() const { return {.bytes = call_.budget / share_of_one_strategy}; }

    // A few times a second.
    void say(const std::string& text, std::uint64_t work) {
        if (Clock::now() < next_) return;
        events_.send("progress", {{"text", text}, {"work", work}});
        next_ = Clock::now() + std::chrono::milliseconds(250);
    }

    json keep(StoredStrategy strategy) {
        const auto kept = std::make_shared<const StoredStrategy>(std::move(strategy));
        strategies_.keep(kept, call_.budget / share_of_strategies);
        return kept->about();
    }

    // Solution of web/src/api.ts.
    void solved(json solution) {
        solution["seconds"] = seconds_since(begun_);
        events_.send("solved", solution);
    }

private:
    const Call& call_;
    Events& events_;
    StrategyStore& strategies_;
    Limits limits_;
    Clock::time_point begun_ = Clock::now();
    Clock::time_point next_ = begun_;
};

std::string stop_text(Stop stop) { return stop == Stop::none ? "" : describe(stop); }

// Thirty-two digits that stand for all of it.
std::string digest(std::initializer_list<std::string> parts) {
    Hasher hasher;
    for (const std::string& part : parts) {
        hasher.add(part);
        hasher.add(part.size());
    }
    return hex(hasher.value());
}

net::Response download(const std::string& title, const std::string& ending, const std::string& type,
                       std::string body) {
    std::string name;
    for (const char c : title) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    net::Response response{200, std::move(body), type};
    response.headers.emplace_back("Content-Disposition",
                                  fmt::format("attachment; filename=\"{}{}\"", name, ending));
    return response;
}

// ------------------------------------------------------------------------------------- games and graphs

game::GdlGame forward(const gdl::Game& rules) { return game::GdlGame(rules); }
game::GraphGame forward(const game::Graph& rules) { return game::GraphGame(rules); }

Hash128 fingerprint_of(const gdl::Game& rules) { return game::rules_fingerprint(rules.description()); }
Hash128 fingerprint_of(const game::Graph& rules) { return game::rules_fingerprint(rules); }

// Roughly.
std::size_t bytes_of(const gdl::Game& rules) {
    const gdl::Network& network = rules.machine().network();
    return 16 * network.inputs.size() + 64 * network.nodes;
}
std::size_t bytes_of(const game::Graph& rules) { return rules.bytes(); }

template <class Rules>
Stamp check(const Rules& rules, const game::Plan& plan, const Limits& limits) {
    auto game = forward(rules);
    const game::PlanVerification result = game::verify_plan(game, plan, limits);
    const std::string problem =
        result.counterexample ? result.counterexample->text() : stop_text(result.stop);
    return {result.valid, result.positions, result.scenarios, problem};
}

// As much of it as can be spelled out in time.
template <class Rules>
StrategyGraph graph_in_time(const Rules& rules, const game::Plan& plan, Bounds bounds, const Limits& limits) {
    try {
        return graph_of(rules, plan, bounds, limits);
    } catch (const LimitReached& limit) {
        if (limit.stop() == Stop::interrupted) throw;
        bounds.nodes = 1;
        return graph_of(rules, plan, bounds, {});
    }
}

template <class Rules>
net::Response plan_file(const Rules& rules, const std::string& title, const game::Plan& plan, bool readable,
                        const Limits& limits) {
    const Hash128 print = fingerprint_of(rules);
    if (!readable) {
        return download(title, ".zplan", "application/octet-stream",
                        game::encode_plans({title, print, {plan}}));
    }
    auto game = forward(rules);
    std::ostringstream out;
    game::write_plan_json(out, {title, print, {game::spell_out(game, plan, most_readable, limits)}});
    return download(title, ".json", "application/json", std::move(out).str());
}

template <class Rules>
StoredStrategy kept(const std::shared_ptr<const Rules>& rules, const std::string& title,
                    const std::string& owner, game::Plan plan, const Task& task) {
    StrategyGraph graph = graph_in_time(*rules, plan, task.bounds(), task.limits_afterwards());
    const bool readable = !graph.truncated() && graph.size() <= most_readable;
    const std::size_t bytes = plan.choices.size() * sizeof plan.choices[0] + bytes_of(*rules);
    return {.id = digest({hex(fingerprint_of(*rules)), hex(fingerprint(plan))}),
            .owner = owner,
            .promise = static_cast<double>(plan.promise),
            .check = check(*rules, plan, task.limits_afterwards()),
            .graph = std::move(graph),
            .positions = positions_of(rules),
            .file = [rules, title, plan = std::move(plan), readable](
                        const Limits& limits) { return plan_file(*rules, title, plan, readable, limits); },
            .other_bytes = bytes};
}

template <class Rules>
void solve_game(const std::shared_ptr<const Rules>& rules, const std::string& title, Task& task) {
    game::SolveOptions options;
    options.limits = task.limits();
    options.threads = 1;
    options.table_bytes = task.table_bytes();
    options.progress = [&](const game::SolveProgress& now) {
        task.say(fmt::format("{}: {} positions", now.stage, now.positions), now.positions);
    };
    game::Solution solution;
    try {
        solution = game::solve(*rules, options);
    } catch (const LimitReached& limit) {
        solution.stop = limit.stop();
    }
    json values = json::object();
    for (std::size_t p = 0; p < solution.values.size(); ++p) values[solution.players[p]] = solution.values[p];
    json best = json::array();
    for (const game::MoveReport& move : solution.moves) {
        if (move.best) best.push_back(move.move);
    }
    json strategies = json::array();
    for (game::Plan& plan : solution.plans) {
        const std::string owner = solution.players[plan.owner];
        task.say("checking the strategy of " + owner, solution.statistics.nodes);
        strategies.push_back(task.keep(kept(rules, title, owner, std::move(plan), task)));
    }
    task.solved({{"verdict", game::verdict(solution)},
                 {"stop", stop_text(solution.stop)},
                 {"values", values},
                 {"best", best},
                 {"engine", game::name(solution.engine)},
                 {"work", solution.statistics.nodes},
                 {"strategies", strategies}});
}

// ---------------------------------------------------------------------------------------------- models

template <class Verdict>
std::string verdict_name(Verdict verdict) {
    return verdict == Verdict::won ? "won" : verdict == Verdict::lost ? "lost" : "unknown";
}

// x1 = 2, x2 = 3
json opening_text(const StrategyGraph& graph) {
    std::string text;
    for (const auto& [variable, value] : graph.opening())
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", variable, value);
    return text.empty() ? json::array() : json::array({text});
}

std::string text_of(const Source& source) {
    return fmt::format("{}\n{}", fmt::join(source.definitions, ";"), source.text);
}

template <class Nodes>
std::size_t bytes_of_nodes(const Nodes& nodes) {
    std::size_t bytes = nodes.size() * sizeof nodes[0];
    for (const auto& node : nodes) {
        for (const auto& edge : node.edges) bytes += sizeof edge + edge.values.size() * sizeof(model::Value);
    }
    return bytes;
}

Stamp check(const model::Model& model, const strategy::Strategy& strategy, const Limits& limits) {
    strategy::VerifyOptions options;
    options.limits = limits;
    const strategy::Verification result = verify(model, strategy, options);
    const std::string problem =
        result.counterexample ? result.counterexample->text(model) : stop_text(result.stop);
    return {result.valid, result.positions, result.scenarios, problem};
}

StoredStrategy kept(const std::shared_ptr<const model::Model>& model, const Source& source,
                    quantified::Answer answer, const Task& task) {
    const auto strategy = std::make_shared<const strategy::Strategy>(std::move(answer.strategy));
    return {.id = digest({text_of(source), fingerprint(*model, *strategy)}),
            .owner = strategy->owner == model::Quantifier::exists ? "∃" : "∀",
            .promise = static_cast<double>(answer.best.value_or(game::win)),
            .check = check(*model, *strategy, task.limits_afterwards()),
            .graph = graph_of(*model, *strategy, task.bounds()),
            .file =
                [model, strategy, title = source.title](const Limits&) {
                    std::ostringstream out;
                    write_json(out, *model, *strategy);
                    return download(title, ".json", "application/json", std::move(out).str());
                },
            .other_bytes = bytes_of_nodes(strategy->nodes)};
}

void solve_model(const std::shared_ptr<const model::Model>& model, const Source& source, Task& task) {
    quantified::SolveOptions options;
    options.limits = task.limits();
    options.goods_bytes = task.table_bytes();
    options.progress = [&](const quantified::SearchStatistics& now) {
        task.say(fmt::format("searching: {} nodes, {} positions remembered", now.nodes, now.stored),
                 now.nodes);
    };
    quantified::Answer answer = model->objective ? maximise(*model, options) : solve(*model, options);
    json solution = {{"verdict", verdict_name(answer.verdict)},
                     {"stop", stop_text(answer.stop)},
                     {"values", json::object()},
                     {"best", json::array()},
                     {"engine", "quantified search"},
                     {"work", answer.statistics.nodes},
                     {"strategies", json::array()}};
    if (answer.verdict != quantified::Verdict::unknown) {
        const bool won = answer.verdict == quantified::Verdict::won;
        solution["values"] = {{"∃", won ? game::win : game::loss}, {"∀", won ? game::loss : game::win}};
        task.say("checking the strategy", answer.statistics.nodes);
        StoredStrategy strategy = kept(model, source, std::move(answer), task);
        solution["best"] = won ? opening_text(strategy.graph) : json::array();
        solution["strategies"].push_back(task.keep(std::move(strategy)));
    }
    task.solved(std::move(solution));
}

Stamp check(const stochastic::StochasticModel& model, const stochastic::Policy& policy,
            const Limits& limits) {
    const stochastic::PolicyVerification result = verify(model, policy, limits);
    const std::string problem =
        result.counterexample ? result.counterexample->text(model.model) : stop_text(result.stop);
    return {result.valid, result.positions, fmt::to_string(result.scenarios), problem};
}

StoredStrategy kept(const std::shared_ptr<const stochastic::StochasticModel>& model, const Source& source,
                    stochastic::Policy found, const Task& task) {
    const auto policy = std::make_shared<const stochastic::Policy>(std::move(found));
    return {.id = digest({text_of(source), fingerprint(*model, *policy)}),
            .owner = model->players() == 1 ? "player 1" : "all players",
            .promise = static_cast<double>(policy->utilities.front()),
            .check = check(*model, *policy, task.limits_afterwards()),
            .graph = graph_of(*model, *policy, task.bounds()),
            .file =
                [model, policy, title = source.title](const Limits&) {
                    std::ostringstream out;
                    write_json(out, *model, *policy);
                    return download(title, ".json", "application/json", std::move(out).str());
                },
            .other_bytes = bytes_of_nodes(policy->nodes)};
}

void solve_stochastic(const std::shared_ptr<const stochastic::StochasticModel>& model, const Source& source,
                      Task& task) {
    stochastic::SolveOptions options;
    options.limits = task.limits();
    options.question = model->has_threshold() ? stochastic::Question::solution : stochastic::Question::best;
    options.progress = [&](const stochastic::Statistics& now) {
        task.say(fmt::format("searching: {} nodes, {} pruned", now.nodes, now.pruned), now.nodes);
    };
    const stochastic::Answer answer = stochastic::solve(*model, options);
    json solution = {{"verdict", verdict_name(answer.verdict)},
                     {"stop", stop_text(answer.stop)},
                     {"values", json::object()},
                     {"best", json::array()},
                     {"engine", "stochastic search"},
                     {"work", answer.statistics.nodes},
                     {"strategies", json::array()}};
    if (answer.policy) {
        const auto& utilities = answer.policy->utilities;
        for (std::size_t p = 0; p < utilities.size(); ++p)
            solution["values"][fmt::format("player {}", p + 1)] = static_cast<double>(utilities[p]);
        StoredStrategy strategy = kept(model, source, *answer.policy, task);
        solution["best"] = opening_text(strategy.graph);
        solution["strategies"].push_back(task.keep(std::move(strategy)));
    }
    task.solved(std::move(solution));
}

// ---------------------------------------------------------------------------------------------- questions

void solve_source(GameCache& shelf, const json& reference, Task& task) {
    const Source asked = source(shelf.library(), reference);
    switch (asked.kind) {
        case Kind::gdl: {
            const auto ground = shelf.gdl(reference, task.limits());
            if (ground->rules.hidden()) {
                throw Error("moves are hidden in this game, and no solver knows such games",
                            "play it, or let engines play it");
            }
            return solve_game(std::shared_ptr<const gdl::Game>(ground, &ground->game), asked.title, task);
        }
        case Kind::graph:
            return solve_game(std::make_shared<const game::Graph>(read_graph(asked)), asked.title, task);
        case Kind::minizinc: {
            model::Model model = web::read_model(asked, task.limits());
            if (stochastic::is_stochastic(model)) {
                return solve_stochastic(std::make_shared<const stochastic::StochasticModel>(
                                            stochastic::from_flat(std::move(model))),
                                        asked, task);
            }
            return solve_model(std::make_shared<const model::Model>(std::move(model)), asked, task);
        }
    }
}

constexpr std::uint64_t most_nodes = 2000;  // in one answer
constexpr double question_seconds = 10;

std::shared_ptr<const StoredStrategy> asked_for(StrategyStore& strategies, const Call& call) {
    auto found = strategies.find(call.path.front());
    if (found == nullptr) throw Refusal(404, "there is no such strategy any more: solve the game again");
    return found;
}

json open_nodes(const StoredStrategy& strategy, const Call& call) {
    const std::uint64_t from = call.count("from", 0, strategy.graph.size() - 1);
    json nodes = json::array();
    for (const auto id :
         strategy.graph.around(static_cast<StrategyGraph::Id>(from), call.count("depth", 3, most_nodes),
                               call.count("most", 300, most_nodes)))
        nodes.push_back(strategy.graph.to_json(id, strategy.positions.get()));
    return {{"nodes", nodes}};
}

json find_nodes(const StoredStrategy& strategy, const Call& call) {
    const auto text = call.query.find("text");
    if (text == call.query.end()) throw Refusal(400, "'text' is missing");
    const StrategyGraph& graph = strategy.graph;
    const auto found = graph.find(text->second, call.count("most", 20, most_nodes), strategy.positions.get(),
                                  call.limits(question_seconds));
    json list = json::array();
    for (const auto id : found.ids) {
        list.push_back({{"id", id},
                        {"depth", graph.node(id).depth},
                        {"label", graph.label(id)},
                        {"path", graph.path(id)}});
    }
    return {{"total", found.total}, {"found", list}};
}

json follow_moves(const StoredStrategy& strategy, const Call& call) {
    const auto moves = call.body.find("moves");
    if (moves == call.body.end() || !moves->is_array()) throw Refusal(400, "'moves' must be a list");
    return {{"path", strategy.graph.follow(*moves)}};
}

}  // namespace

void add_solving(Router& router, GameCache& shelf) {
    const auto strategies = std::make_shared<StrategyStore>();
    router.stream("/api/solve", [&shelf, strategies](const Call& call, Events& events) {
        Task task(call, events, *strategies);
        solve_source(shelf, call.body.value("game", json()), task);
    });
    const std::string one = "/api/strategies/{id}";
    router.quick("GET", one,
                 [strategies](const Call& call) { return asked_for(*strategies, call)->about(); });
    router.work("GET", one + "/nodes",
                [strategies](const Call& call) { return open_nodes(*asked_for(*strategies, call), call); });
    router.work("GET", one + "/find",
                [strategies](const Call& call) { return find_nodes(*asked_for(*strategies, call), call); });
    router.work("POST", one + "/follow",
                [strategies](const Call& call) { return follow_moves(*asked_for(*strategies, call), call); });
    router.file(one + "/file", [strategies](const Call& call) {
        return asked_for(*strategies, call)->file(call.limits(question_seconds));
    });
}

}  // namespace zermelo::web
