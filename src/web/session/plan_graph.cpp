// Strategy graphs of plans: a game is gone through breadth first, the owner by the plan.

#include <functional>
#include <map>

#include "core/limits.hpp"
#include "game/strategy/follow.hpp"
#include "game/views/gdl_game.hpp"
#include "gdl/analysis/forced_moves.hpp"
#include "web/session/strategy_graph.hpp"

namespace zermelo::web {

using Id = StrategyGraph::Id;
using NodeKind = StrategyGraph::Kind;

namespace {

template <game::Game G>
class Tracer {
public:
    using Forced = std::function<std::optional<gdl::Deed>(const typename G::State&)>;
    Tracer(G& game, const game::Plan& plan, const Bounds& bounds, const Limits& limits, Forced forced = {})
        : game_(game),
          forced_(std::move(forced)),
          plan_(plan),
          bounds_(bounds),
          limits_(limits),
          graph_(game.row_words()),
          row_(game.row_words()) {
        if (bounds.nodes > 1) follower_.emplace(game, plan, limits);
    }

    StrategyGraph run() {
        typename G::State state = game_.initial();
        (void)add_node(state, 0, 0);
        for (Id id = 0; id < graph_.size(); ++id) {
            if (const Stop stop = limits_.reached(); stop != Stop::none)
                throw LimitReached(stop, "while expanding a strategy", "raise the time or memory limit");
            game_.unpack(graph_.row(id), state);
            game_.look(state);
            describe(id, state);
        }
        graph_.finish();
        return std::move(graph_);
    }

private:
    Id add_node(const typename G::State& state, std::uint32_t depth, Id parent) {
        const auto met = table_.insert(game_.key(state), static_cast<Id>(graph_.size()));
        if (!met.fresh) return met.number;
        game_.pack(state, row_);
        return graph_.add_node(depth, parent, row_);
    }

    void describe(Id id, const typename G::State& state) {
        const game::Turn turn = game_.turn();
        if (turn.over()) return graph_.describe(NodeKind::end, "", game_.payoff(plan_.owner));
        full_ = full_ || graph_.size() >= bounds_.nodes || graph_.bytes() >= bounds_.bytes;
        if (turn.kind == game::Turn::Kind::chance) {
            graph_.describe(NodeKind::chance, "chance", {}, full_);
        } else if (const auto deed = game_.moves() == 1 && forced_ ? forced_(state) : std::nullopt) {
            // Nobody has a choice: the node belongs to whoever really moves.
            const bool own = deed->role == game_.player_name(plan_.owner);
            graph_.describe(own ? NodeKind::owner : NodeKind::other, deed->role, {}, full_);
            if (!full_) graph_.add_edge(after(0, id), {&deed->move, 1});
            return;
        } else {
            const bool own = turn.player == plan_.owner;
            graph_.describe(own ? NodeKind::owner : NodeKind::other, game_.player_name(turn.player), {},
                            full_);
            if (own && !full_) return choose(id, state);
        }
        if (full_) return;
        std::map<Id, std::vector<std::string>> ways;
        for (std::size_t move = 0; move < game_.moves(); ++move)
            ways[after(move, id)].push_back(game_.move_name(move));
        for (const auto& [to, labels] : ways) graph_.add_edge(to, labels);
    }

    void choose(Id id, const typename G::State& state) {
        const auto move = follower_->move(state);
        if (!move) throw Error("the plan does not fit the game", "use a plan that was made for this game");
        const std::string label = game_.move_name(*move);
        graph_.add_edge(after(*move, id), {&label, 1});
    }

    Id after(std::size_t move, Id id) {
        game_.successor(move, next_);
        return add_node(next_, graph_.node(id).depth + 1, id);
    }

    G& game_;
    Forced forced_;
    const game::Plan& plan_;
    const Bounds& bounds_;
    const Limits& limits_;
    std::optional<game::PlanFollower<G>> follower_;
    game::PlanTable table_;
    StrategyGraph graph_;
    std::vector<std::uint64_t> row_;
    typename G::State next_ = {};
    bool full_ = false;
};

}  // namespace

StrategyGraph graph_of(const gdl::Game& rules, const game::Plan& plan, const Bounds& bounds,
                       const Limits& limits) {
    game::GdlGame game(rules);
    gdl::ForcedMoves forced(rules);
    return Tracer<game::GdlGame>(game, plan, bounds, limits,
                                 [&](const gdl::State& state) { return forced.at(state); })
        .run();
}

StrategyGraph graph_of(const game::Graph& rules, const game::Plan& plan, const Bounds& bounds,
                       const Limits& limits) {
    game::GraphGame game(rules);
    return Tracer(game, plan, bounds, limits).run();
}

}  // namespace zermelo::web
