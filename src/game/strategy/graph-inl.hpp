// The bodies of graph.hpp and follow.hpp.

#pragma once

#include <fmt/format.h>

#include <unordered_set>

#include "game/strategy/follow.hpp"
#include "game/strategy/graph.hpp"
#include "game/strategy/walk-inl.hpp"

namespace zermelo::game {

namespace plan_graph {

// The names of the moves, with numbers behind those that would otherwise be the same.
template <Game G>
[[nodiscard]] std::vector<std::string> distinct_move_names(G& game) {
    std::vector<std::string> names;
    std::unordered_set<std::string> taken;
    for (std::size_t m = 0; m < game.moves(); ++m) {
        const std::string name = game.move_name(m);
        names.push_back(name);
        for (int i = 2; !taken.insert(names.back()).second; ++i)
            names.back() = fmt::format("{} #{}", name, i);
    }
    return names;
}

template <Game G>
class PlanGraphBuilder : public Choices {
public:
    PlanGraphBuilder(G& game, const Plan& plan, std::size_t most_nodes)
        : Choices(plan), game_(game), most_nodes_(most_nodes) {
        graph.owner = game.player_name(plan.owner);
        graph.promise = plan.promise;
        graph.fingerprint = fingerprint(plan);
    }

    bool enter(std::uint32_t, const typename G::State& state, std::uint32_t, std::size_t) {
        payoffs_.emplace_back();
        move_names_.emplace_back();
        if (game_.turn().over()) {
            id_.push_back(PlanGraph::ended);
            for (std::size_t p = 0; p < game_.players(); ++p) {
                payoffs_.back().push_back(game_.payoff(static_cast<Player>(p)));
            }
            return true;
        }
        if (graph.nodes.size() == most_nodes_) return false;
        const Turn turn = game_.turn();
        const std::string mover = turn.kind == Turn::Kind::chance ? "chance" : game_.player_name(turn.player);
        graph.nodes.push_back({mover, game_.state_name(state), {}});
        id_.push_back(static_cast<PlanGraph::Id>(graph.nodes.size()));
        if (graph.root == PlanGraph::ended) graph.root = id_.back();
        move_names_.back() = distinct_move_names(game_);
        return true;
    }
    bool meet(std::uint32_t from, std::size_t move, std::uint32_t to, bool) {
        auto& edges = graph.nodes[id_[from] - 1].edges;
        auto edge = edges.begin();
        while (edge != edges.end() && (edge->to != id_[to] || edge->payoffs != payoffs_[to])) ++edge;
        if (edge == edges.end()) edge = edges.insert(edge, {{}, id_[to], payoffs_[to]});
        edge->moves.push_back(move_names_[from][move]);
        return true;
    }

    PlanGraph graph;

private:
    G& game_;
    std::size_t most_nodes_;
    std::vector<PlanGraph::Id> id_;                     // by state
    std::vector<std::vector<int>> payoffs_;             // by state, where it is over
    std::vector<std::vector<std::string>> move_names_;  // by state
};

}  // namespace plan_graph

template <Game G>
PlanGraph plan_graph_of(G& game, const Plan& plan, std::size_t most_nodes, const Limits& limits) {
    using Walk = PlanWalk<G>;
    plan_graph::PlanGraphBuilder<G> speller(game, plan, most_nodes);
    Walk walk(game, plan.owner, limits);
    const auto end = walk.run(speller);
    if (end == Walk::End::limit) {
        throw LimitReached(walk.stop(), "while expanding a plan", "raise the time or memory limit");
    }
    if (end == Walk::End::refused) {
        throw Error(fmt::format("the plan has more than {} positions", most_nodes),
                    "write it as a .zplan file, which has no size limit");
    }
    if (end != Walk::End::complete || speller.left() > 0) {
        throw Error("the plan does not fit the game", "use a plan that was made for this game");
    }
    return std::move(speller.graph);
}

namespace plan_graph {

// Goes through the game along a graph that somebody wrote.
template <Game G>
class Reader {
public:
    Reader(G& game, const PlanGraph& graph, const Place& place) : game_(game), graph_(graph), place_(place) {}

    bool enter(std::uint32_t, const typename G::State& state, std::uint32_t from, std::size_t move) {
        const PlanGraph::Id id = from == PlanWalk<G>::nowhere ? graph_.root : targets_[from][move];
        ids_.push_back(id);
        targets_.emplace_back();
        const Turn turn = game_.turn();
        if (turn.over() != (id == PlanGraph::ended)) {
            throw wrong(id, turn.over() ? "the play is over before this node"
                                        : "an edge leads to 0, but the play is not over in " +
                                              game_.state_name(state));
        }
        if (turn.over()) return true;
        const PlanGraph::Node& node = graph_.node(id);
        const std::string mover = turn.kind == Turn::Kind::chance ? "chance" : game_.player_name(turn.player);
        if (node.player != mover) throw wrong(id, "here it is the turn of " + mover);
        if (node.state != game_.state_name(state))
            throw wrong(id, "the state here is " + game_.state_name(state));
        const bool owned = mover == graph_.owner;
        for (const std::string& name : distinct_move_names(game_))
            targets_.back().push_back(target(id, name, owned));
        return true;
    }
    std::optional<std::size_t> choose(std::uint32_t state) {
        const auto& targets = targets_[state];
        for (std::size_t m = 0; m < targets.size(); ++m) {
            if (targets[m] == nothing) continue;
            choices.push_back(static_cast<std::uint32_t>(m));
            return m;
        }
        throw wrong(ids_[state], "the chosen move does not exist");
    }
    bool meet(std::uint32_t, std::size_t, std::uint32_t, bool) { return true; }

    std::vector<std::uint32_t> choices;

private:
    static constexpr PlanGraph::Id nothing = ~PlanGraph::Id{0};

    // Where a node leads by a move.
    [[nodiscard]] PlanGraph::Id target(PlanGraph::Id id, const std::string& name, bool owned) const {
        for (const auto& edge : graph_.node(id).edges) {
            for (const std::string& move : edge.moves) {
                if (move == name) return edge.to;
            }
        }
        if (!owned) throw wrong(id, "the move " + name + " is missing");
        return nothing;
    }
    [[nodiscard]] Error wrong(PlanGraph::Id id, const std::string& problem) const {
        const std::string where = id == PlanGraph::ended ? "" : fmt::format("/nodes/{}", id - 1);
        return Error(place_, fmt::format("{}{}: {}", graph_.pointer, where, problem),
                     "use an unaltered plan that was made for this game");
    }

    G& game_;
    const PlanGraph& graph_;
    const Place& place_;
    std::vector<PlanGraph::Id> ids_;                   // by state
    std::vector<std::vector<PlanGraph::Id>> targets_;  // by state and move
};

}  // namespace plan_graph

template <Game G>
Plan plan_of(G& game, const PlanGraph& graph, const Place& place, const Limits& limits) {
    Plan plan{0, graph.promise, {}};
    while (plan.owner < game.players() && game.player_name(plan.owner) != graph.owner) ++plan.owner;
    if (plan.owner == game.players()) {
        throw Error(place, fmt::format("{}/owner: the game has no player {}", graph.pointer, graph.owner),
                    "use a plan that was made for this game");
    }
    plan_graph::Reader<G> reader(game, graph, place);
    PlanWalk<G> walk(game, plan.owner, limits);
    if (walk.run(reader) == PlanWalk<G>::End::limit) {
        throw LimitReached(walk.stop(), "while reading a plan", "raise the time or memory limit");
    }
    plan.choices = std::move(reader.choices);
    if (graph.fingerprint && *graph.fingerprint != fingerprint(plan)) {
        throw Error(place, graph.pointer + "/fingerprint: the plan has been altered",
                    "write it again, or remove the fingerprint if the change is intended");
    }
    return plan;
}

template <Game G>
struct PlanFollower<G>::Visitor : Choices {
    G& game;
    PlanFollower& follower;
    Hash128 key = {};

    Visitor(Choices choices, G& its_game, PlanFollower& its_follower)
        : Choices(choices), game(its_game), follower(its_follower) {}
    bool enter(std::uint32_t, const typename G::State& state, std::uint32_t, std::size_t) {
        key = game.key(state);
        return true;
    }
    std::optional<std::size_t> choose(std::uint32_t number) {
        const auto choice = Choices::choose(number);
        if (choice) (void)follower.choice_.insert(key, static_cast<std::uint32_t>(*choice));
        return choice;
    }
    bool meet(std::uint32_t, std::size_t, std::uint32_t, bool) { return true; }
};

template <Game G>
PlanFollower<G>::PlanFollower(G& game, const Plan& plan, const Limits& limits) : game_(game) {
    Visitor visitor{Choices(plan), game, *this};
    PlanWalk<G> walk(game, plan.owner, limits);
    const auto end = walk.run(visitor);
    if (end == PlanWalk<G>::End::limit) {
        throw LimitReached(walk.stop(), "while reading a plan", "raise the time or memory limit");
    }
    if (end != PlanWalk<G>::End::complete || visitor.left() > 0) {
        throw Error("the plan does not fit the game", "use a plan that was made for this game");
    }
}

}  // namespace zermelo::game
