// Solving: who wins, and by which strategies. What was found can be opened node by node.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <sstream>

#include "equilibrium/solve.hpp"
#include "game/strategy/binary.hpp"
#include "solve/solve.hpp"
#include "stochastic/format/policy_file.hpp"
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

    [[nodiscard]] std::string spoken(const std::string& message) const { return call_.spoken(message); }

    json keep(StoredStrategy strategy) {
        const auto kept = std::make_shared<const StoredStrategy>(std::move(strategy));
        strategies_.keep(kept, call_.budget / share_of_strategies);
        return kept->about(call_);
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

// ---- what is kept

template <class Nodes>
std::size_t bytes_of_nodes(const Nodes& nodes) {
    std::size_t bytes = nodes.size() * sizeof nodes[0];
    for (const auto& node : nodes) {
        for (const auto& edge : node.edges) bytes += sizeof edge + edge.values.size() * sizeof(model::Value);
    }
    return bytes;
}

// Roughly, without the graph: the certificate, and rules that nobody else may hold.
std::size_t bytes_of(const Problem& problem, const Certificate& certificate) {
    if (const auto* strategy = certificate.as<strategy::Strategy>()) return bytes_of_nodes(strategy->nodes);
    if (const auto* policy = certificate.as<stochastic::Policy>()) return bytes_of_nodes(policy->nodes);
    const game::Plan& plan = certificate.as<Plans>()->front();
    const std::size_t choices = plan.choices.size() * sizeof plan.choices[0];
    if (problem.graph() != nullptr) return choices + problem.graph()->bytes();
    const gdl::Network& network = problem.gdl()->machine().network();
    return choices + 16 * network.inputs.size() + 64 * network.nodes;
}

StrategyGraph graph_of(const Problem& problem, const Certificate& certificate, const Bounds& bounds,
                       const Limits& limits) {
    if (const auto* strategy = certificate.as<strategy::Strategy>())
        return graph_of(*problem.model(), *strategy, bounds);
    if (const auto* policy = certificate.as<stochastic::Policy>())
        return graph_of(*problem.stochastic(), *policy, bounds);
    const game::Plan& plan = certificate.as<Plans>()->front();
    return problem.gdl() != nullptr ? graph_of(*problem.gdl(), plan, bounds, limits)
                                    : graph_of(*problem.graph(), plan, bounds, limits);
}

// As much of it as can be spelled out in time.
StrategyGraph graph_in_time(const Problem& problem, const Certificate& certificate, Bounds bounds,
                            const Limits& limits) {
    try {
        return graph_of(problem, certificate, bounds, limits);
    } catch (const LimitReached& limit) {
        if (limit.stop() == Stop::interrupted) throw;
        bounds.nodes = 1;
        return graph_of(problem, certificate, bounds, {});
    }
}

std::shared_ptr<const Positions> positions(const Problem& problem) {
    if (problem.gdl() != nullptr)
        return positions_of(std::get<std::shared_ptr<const gdl::Game>>(problem.rules()));
    if (problem.graph() != nullptr)
        return positions_of(std::get<std::shared_ptr<const game::Graph>>(problem.rules()));
    return nullptr;
}

// Names a certificate by what it says about which rules.
std::string id_of(const Problem& problem, const Certificate& certificate, const Source& source) {
    const std::string text = fmt::format("{}\n{}", fmt::join(source.definitions, ";"), source.text);
    if (const auto* strategy = certificate.as<strategy::Strategy>())
        return digest({text, fingerprint(*problem.model(), *strategy)});
    if (const auto* policy = certificate.as<stochastic::Policy>())
        return digest({text, fingerprint(*problem.stochastic(), *policy)});
    return digest({hex(problem.fingerprint()), hex(fingerprint(certificate.as<Plans>()->front()))});
}

// To be downloaded: as text, or, where a plan is too large for that, in its compact form.
net::Response file_of(const Problem& problem, const Certificate& certificate, bool readable,
                      const Limits& limits) {
    if (readable)
        return download(problem.title(), ".json", "application/json",
                        to_json_text(problem, certificate, limits));
    return download(problem.title(), ".zplan", "application/octet-stream",
                    game::encode_plans({problem.title(), problem.fingerprint(), *certificate.as<Plans>()}));
}

StoredStrategy stored(const Problem& problem, const std::string& owner, double promise,
                      Certificate certificate, const Report& report, const Source& source, const Task& task) {
    StrategyGraph graph = graph_in_time(problem, certificate, task.bounds(), task.limits_afterwards());
    const bool plan = certificate.as<Plans>() != nullptr;
    const bool readable = !plan || (!graph.truncated() && graph.size() <= most_readable);
    const auto shared = std::make_shared<const Certificate>(std::move(certificate));
    return {.id = id_of(problem, *shared, source),
            .owner = owner,
            .promise = promise,
            .check = {report.valid, report.positions, report.scenarios,
                      report.counterexample.value_or(stop_text(report.stop))},
            .graph = std::move(graph),
            .positions = positions(problem),
            .file = [problem, shared,
                     readable](const Limits& limits) { return file_of(problem, *shared, readable, limits); },
            .other_bytes = bytes_of(problem, *shared)};
}

// ---- solving

// x1 = 2, x2 = 3
json opening_text(const StrategyGraph& graph) {
    std::string text;
    for (const auto& [variable, value] : graph.opening())
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", variable, value);
    return text.empty() ? json::array() : json::array({text});
}

std::string engine_text(const Verdict& verdict) {
    if (verdict.as<quantified::Answer>() != nullptr) return "quantified search";
    if (verdict.as<stochastic::Answer>() != nullptr) return "stochastic search";
    return name(verdict.engine);
}

// The strategies of a verdict, kept one by one, and the first moves that they tell. A strategy that the check
// refutes is not kept: it is the result.
std::optional<std::string> keep_all(const Problem& problem, Verdict& verdict, const Source& source,
                                    Task& task, json& solution) {
    std::optional<std::string> refuted;
    const auto keep = [&](const std::string& owner, double promise, Certificate certificate) {
        if (refuted) return;
        task.say("checking the strategy of " + owner, verdict.nodes);
        const Report report = check(problem, certificate, {.limits = task.limits_afterwards()});
        if (report.counterexample) {
            refuted = *report.counterexample;
            return;
        }
        StoredStrategy strategy =
            stored(problem, owner, promise, std::move(certificate), report, source, task);
        if (verdict.as<game::Solution>() == nullptr)
            solution["best"] = verdict.outcome == Outcome::lost && problem.model() != nullptr
                                   ? json::array()
                                   : opening_text(strategy.graph);
        solution["strategies"].push_back(task.keep(std::move(strategy)));
    };
    if (const auto* strategy = verdict.certificate.as<strategy::Strategy>()) {
        const std::string owner = strategy->owner == model::Quantifier::exists ? "∃" : "∀";
        const auto promise = static_cast<double>(verdict.as<quantified::Answer>()->best.value_or(game::win));
        keep(owner, promise, std::move(verdict.certificate));
    } else if (const auto* policy = verdict.certificate.as<stochastic::Policy>()) {
        const std::string owner = verdict.players.size() == 1 ? "player 1" : "all players";
        const auto promise = static_cast<double>(policy->utilities.front());
        keep(owner, promise, std::move(verdict.certificate));
    } else if (const auto* plans = verdict.certificate.as<Plans>()) {
        for (const game::Plan& plan : *plans) keep(verdict.players[plan.owner], plan.promise, {Plans{plan}});
    } else if (verdict.certificate.as<ChancePolicies>() != nullptr) {
        // Checked, and not kept: the page has no picture of a policy of a game.
        task.say("checking the policy", verdict.nodes);
        refuted = check(problem, verdict.certificate, {.limits = task.limits_afterwards()}).counterexample;
    } else if (verdict.as<equilibrium::Solution>() != nullptr) {
        task.say("checking the equilibrium", verdict.nodes);
        refuted = check(problem, verdict.certificate, {.limits = task.limits_afterwards()}).counterexample;
    }
    return refuted;
}

// A verdict whose strategy fails the check is none.
void withdraw(json& solution, const std::string& why) {
    solution["verdict"] = name(Outcome::unknown);
    solution["stop"] = why;
    solution["values"] = json::object();
    solution["best"] = json::array();
    solution["strategies"] = json::array();
}

void solve_problem(const Problem& problem, const Source& source, Task& task) {
    SolveOptions options;
    options.limits = task.limits();
    options.threads = 1;
    options.table_bytes = task.table_bytes();
    options.search.goods_bytes = task.table_bytes();
    options.progress = [&](const SolveProgress& now) { task.say(now.text, now.work); };
    Verdict verdict = solve(problem, options);
    const bool forward =
        verdict.as<game::Solution>() != nullptr || verdict.as<game::ChanceSolution>() != nullptr;
    json values = json::object();
    for (std::size_t p = 0; p < verdict.values.size(); ++p) values[verdict.players[p]] = verdict.values[p];
    json solution = {{"verdict", name(verdict.outcome)},
                     {"stop", stop_text(verdict.stop)},
                     {"values", values},
                     {"best", forward ? json(verdict.best) : json::array()},
                     {"engine", engine_text(verdict)},
                     {"work", verdict.nodes},
                     {"strategies", json::array()}};
    if (verdict.outcome != Outcome::unknown || problem.stochastic() != nullptr ||
        verdict.as<equilibrium::Solution>() != nullptr) {
        if (const auto counterexample = keep_all(problem, verdict, source, task, solution))
            withdraw(solution, task.spoken("the check of the strategy failed: " + *counterexample));
    }
    task.solved(std::move(solution));
}

Problem problem_of(GameCache& games, const json& reference, const Source& asked, const Limits& limits) {
    switch (asked.kind) {
        case Kind::gdl: {
            const auto ground = games.gdl(reference, limits);
            const bool chance = game::has_chance(ground->game);
            if (ground->rules.hidden() && !chance && !equilibrium::calls_for_equilibrium(ground->game)) {
                throw Error("this game has imperfect information, which no solver supports",
                            "play it against an engine");
            }
            return {asked.title, std::shared_ptr<const gdl::Game>(ground, &ground->game)};
        }
        case Kind::graph:
            return {asked.title, std::make_shared<const game::Graph>(read_graph(asked))};
        case Kind::minizinc:
            break;
    }
    return read_model(asked, limits);
}

// ---- questions

constexpr std::uint64_t most_nodes = 2000;  // in one answer
constexpr double question_seconds = 10;

std::shared_ptr<const StoredStrategy> asked_for(StrategyStore& strategies, const Call& call) {
    auto found = strategies.find(call.path.front());
    if (found == nullptr) throw Refusal(404, "this strategy is no longer stored: solve the game again");
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

void add_solving(Router& router, GameCache& cache) {
    const auto strategies = std::make_shared<StrategyStore>();
    router.stream("/api/solve", [&cache, strategies](const Call& call, Events& events) {
        Task task(call, events, *strategies);
        const json reference = call.body.value("game", json());
        const Source asked = source(cache.library(), reference);
        solve_problem(problem_of(cache, reference, asked, task.limits()), asked, task);
    });
    const std::string one = "/api/strategies/{id}";
    router.quick("GET", one,
                 [strategies](const Call& call) { return asked_for(*strategies, call)->about(call); });
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
