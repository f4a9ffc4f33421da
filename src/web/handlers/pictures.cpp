// API: pictures of a small game in the colours of its attractors, and of the tree of a quantified search as
// it grows.

#include <fmt/format.h>

#include <chrono>

#include "game/explore/explore.hpp"
#include "game/graph/regions.hpp"
#include "game/views/gdl_game.hpp"
#include "game/views/model_game.hpp"
#include "model/structure.hpp"
#include "quantified/solve.hpp"
#include "stochastic/model.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"

namespace zermelo::web {

namespace {

using Clock = std::chrono::steady_clock;

// ---- attractors

constexpr std::size_t most_states = 2000;
constexpr double picture_seconds = 10;

Error too_large(const std::string& how_large) {
    return Error(fmt::format("this game has {} states, and at most {} can be drawn", how_large, most_states),
                 "solve it, or draw a smaller game");
}

template <game::Game G>
game::Graph explored(G game, const Limits& limits) {
    game::ExploreOptions options;
    options.limits = limits;
    options.most_states = most_states;
    options.threads = 1;
    options.names = true;
    game::Exploration result = game::explore(game, options);
    if (result.stop != Stop::none)
        throw LimitReached(result.stop, "while exploring the game", "draw a smaller game");
    if (!result.complete) throw too_large(fmt::format("more than {}", most_states));
    return std::move(result.graph);
}

std::shared_ptr<const model::Model> quantified_model(const Source& source, const Limits& limits) {
    const Problem problem = read_model(source, limits);
    if (problem.model() == nullptr) {
        throw Error("this model has chance variables; only two-player games can be drawn as a graph",
                    "solve it and open its policy");
    }
    return std::get<std::shared_ptr<const model::Model>>(problem.rules());
}

game::Graph small_graph(GameCache& cache, const json& reference, const Limits& limits) {
    const Source asked = source(cache.library(), reference);
    switch (asked.kind) {
        case Kind::gdl: {
            const auto ground = cache.gdl(reference, limits);
            if (ground->rules.hidden()) {
                throw Error("this game has imperfect information, so its graph cannot be drawn",
                            "draw a game with perfect information");
            }
            return explored(game::GdlGame(ground->game), limits);
        }
        case Kind::minizinc: {
            const auto model = quantified_model(asked, limits);
            return explored(game::ModelGame(*model), limits);
        }
        case Kind::graph:
            break;
    }
    game::Graph graph = read_graph(asked);
    if (graph.states() > most_states) throw too_large(fmt::to_string(graph.states()));
    return graph;
}

json state_json(const game::Graph& graph, const game::Regions& regions, game::StateId s) {
    const auto winner = regions.winner(s);
    const std::uint32_t move = game::derived_move(graph, regions, s);
    return {{"name", graph.name(s)},
            {"turn", graph.over(s) ? json() : json(graph.turn(s).player)},
            {"payoffs", graph.over(s) ? json(graph.payoffs(s)) : json()},
            {"initial", s == graph.initial},
            {"winner", winner ? json(*winner) : json()},
            {"rank", winner ? json(regions.rank[s]) : json()},
            {"move", move == game::no_move() ? json() : json(graph.start[s] + move)}};
}

json attractors(GameCache& cache, const Call& call) {
    const Limits limits = call.limits(picture_seconds);
    const game::Graph graph = small_graph(cache, call.body.value("game", json()), limits);
    const game::Regions regions = game::regions(graph, limits, 1);
    json states = json::array();
    json moves = json::array();
    game::Rank rounds = 0;
    for (game::StateId s = 0; s < graph.states(); ++s) {
        states.push_back(state_json(graph, regions, s));
        if (regions.winner(s)) rounds = std::max(rounds, regions.rank[s]);
        for (std::uint64_t m = graph.start[s]; m < graph.start[s + 1]; ++m)
            moves.push_back({{"from", s}, {"to", graph.to[m]}, {"name", graph.move_name(m)}});
    }
    return {{"players", graph.players}, {"states", states}, {"moves", moves}, {"rounds", rounds}};
}

// ---- search trees

const char* name(quantified::Reason reason) {
    switch (reason) {
        case quantified::Reason::failure:
            return "failure";
        case quantified::Reason::success:
            return "success";
        case quantified::Reason::rule:
            return "rule";
        case quantified::Reason::cut:
            return "cut";
        case quantified::Reason::good:
            return "good";
        case quantified::Reason::nogood:
            return "nogood";
        case quantified::Reason::pure:
            return "pure";
    }
    return "";
}

// Tells what happens in batches, as long as there is not too much of it.
class Reporter : public quantified::SearchObserver {
public:
    Reporter(const model::Model& model, Events& events, std::size_t most)
        : events_(events), most_(most), place_(model.variables.size(), 0) {
        json variables = json::array();
        for (const model::Block& block : analyse(model).prefix) {
            for (const model::VarId v : block.variables) {
                place_[static_cast<std::size_t>(v)] = variables.size();
                variables.push_back(
                    {{"name", model.name_of(v)},
                     {"quantifier", block.quantifier == model::Quantifier::exists ? "exists" : "forall"}});
            }
        }
        events_.send("begin", {{"variables", variables}});
    }

    void open(model::VarId variable) override { add({"open", place_[static_cast<std::size_t>(variable)]}); }
    void branch(model::Value value) override { add({"branch", value}); }
    void leaf(bool won, quantified::Reason reason) override { add({"leaf", won, name(reason)}); }
    void close(bool won) override { add({"close", won}); }

    void flush() {
        if (!batch_.empty()) events_.send("grow", std::exchange(batch_, json::array()));
        last_ = Clock::now();
    }
    [[nodiscard]] bool truncated() const { return truncated_; }

private:
    static constexpr std::size_t most_at_once = 200;
    static constexpr auto longest_silence = std::chrono::milliseconds(200);

    void add(json event) {
        truncated_ = truncated_ || seen_ == most_;
        if (truncated_) return;
        ++seen_;
        batch_.push_back(std::move(event));
        if (seen_ == most_ || batch_.size() >= most_at_once || Clock::now() - last_ >= longest_silence)
            flush();
    }

    Events& events_;
    std::size_t most_;
    std::vector<std::size_t> place_;  // by variable
    std::size_t seen_ = 0;
    bool truncated_ = false;
    json batch_ = json::array();
    Clock::time_point last_ = Clock::now();
};

void grow_tree(GameCache& cache, const Call& call, Events& events) {
    const Limits limits = call.limits(call.number("seconds", 10, 0, 86'400));
    const auto most = static_cast<std::size_t>(call.number("most", 5000, 1, 50'000));
    const Source asked = source(cache.library(), call.body.value("game", json()));
    if (asked.kind != Kind::minizinc) throw Refusal(422, "only MiniZinc models have a search tree to draw");
    const auto shared = quantified_model(asked, limits);
    const model::Model& model = *shared;
    Reporter reporter(model, events, most);
    quantified::SolveOptions options;
    options.limits = limits;
    options.goods_bytes = call.budget / 16;
    options.strategy = false;
    options.observer = &reporter;
    const quantified::Answer answer = solve(model, options);
    reporter.flush();
    events.send("end", {{"verdict", answer.verdict == quantified::Verdict::won    ? "won"
                                    : answer.verdict == quantified::Verdict::lost ? "lost"
                                                                                  : "unknown"},
                        {"nodes", answer.statistics.nodes},
                        {"stop", answer.stop == Stop::none ? "" : describe(answer.stop)},
                        {"truncated", reporter.truncated()}});
}

}  // namespace

void add_pictures(Router& router, GameCache& cache) {
    router.work("POST", "/api/attractors", [&cache](const Call& call) { return attractors(cache, call); });
    router.stream("/api/tree",
                  [&cache](const Call& call, Events& events) { grow_tree(cache, call, events); });
}

}  // namespace zermelo::web
