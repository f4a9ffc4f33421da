#include "game/explore/explore.hpp"

#include <fmt/format.h>

#include <numeric>

#include "game/explore/explore-inl.hpp"
#include "game/views/belief_game.hpp"
#include "game/views/model_game.hpp"
#include "game/views/quotient_game.hpp"

namespace zermelo::game {

namespace {

constexpr std::size_t most_outcomes = 128;

template <class T>
std::size_t growth_of(const std::vector<T>& values, std::size_t more) {
    return values.size() + more > values.capacity() ? 2 * values.capacity() * sizeof(T) : 0;
}

Graph::Label label_of(Turn turn) {
    switch (turn.kind) {
        case Turn::Kind::chance:
            return Graph::chance;
        case Turn::Kind::simultaneous:
            return Graph::simultaneous;
        default:
            return turn.player;
    }
}

}  // namespace

GraphBuilder::GraphBuilder(std::vector<std::string> players) : levels_{1}, level_end_(1) {
    if (players.size() > Graph::most_players) {
        throw Error(fmt::format("a graph cannot have {} players", players.size()),
                    fmt::format("give a game of at most {}", Graph::most_players));
    }
    graph_.players = std::move(players);
    graph_.start = {0};
}

std::size_t GraphBuilder::growth(std::size_t states, std::size_t edges) const {
    return growth_of(graph_.label, states) + growth_of(graph_.start, states) + growth_of(graph_.to, edges);
}

void GraphBuilder::begin_state(std::size_t met) {
    if (expanded() < level_end_) return;
    levels_.push_back(met - level_end_);
    level_end_ = met;
}

void GraphBuilder::end_state(Turn turn, std::span<const int> payoffs) {
    graph_.label.push_back(turn.over() ? outcome(payoffs) : label_of(turn));
    graph_.start.push_back(graph_.to.size());
}

Graph::Label GraphBuilder::outcome(std::span<const int> payoffs) {
    std::vector<int> all(payoffs.begin(), payoffs.end());
    const auto known = outcomes_.find(all);
    if (known != outcomes_.end()) return known->second;
    if (outcomes_.size() == most_outcomes) {
        throw Error(fmt::format("the game has more than {} different outcomes", most_outcomes),
                    "use an engine that does not enumerate the states");
    }
    const auto label = static_cast<Graph::Label>(Graph::ended + outcomes_.size());
    graph_.outcomes.push_back(all);
    outcomes_.emplace(std::move(all), label);
    return label;
}

void GraphBuilder::save(CheckpointWriter& writer) const {
    writer.section("outcomes");
    writer.put<std::uint64_t>(graph_.outcomes.size());
    for (const auto& payoffs : graph_.outcomes) writer.put_all(std::span(payoffs));
    writer.section("levels");
    writer.put<std::uint64_t>(levels_.size());
    writer.put_all(std::span(levels_));
    writer.section("graph");
    writer.put<std::uint64_t>(graph_.states());
    writer.put<std::uint64_t>(graph_.edges());
    writer.put_all(std::span(graph_.label));
    writer.put_all(std::span(graph_.start));
    writer.put_all(std::span(graph_.to));
}

void GraphBuilder::load(CheckpointReader& reader, std::size_t met) {
    const auto require = [&](bool sound) {
        if (!sound) reader.refuse("its numbers are inconsistent");
    };
    reader.section("outcomes");
    const auto outcomes = reader.get<std::uint64_t>();
    require(outcomes <= most_outcomes);
    for (std::uint64_t i = 0; i < outcomes; ++i) {
        std::vector<int> payoffs;
        reader.append(payoffs, graph_.players.size());
        require(outcome(payoffs) == Graph::ended + i);
    }

    reader.section("levels");
    levels_.clear();
    reader.append(levels_, reader.get<std::uint64_t>());
    level_end_ = std::accumulate(levels_.begin(), levels_.end(), std::size_t{0});

    reader.section("graph");
    const auto states = reader.get<std::uint64_t>();
    const auto edges = reader.get<std::uint64_t>();
    require(states <= met && !levels_.empty() && level_end_ <= met && states <= level_end_);
    graph_.start.clear();
    reader.append(graph_.label, states);
    reader.append(graph_.start, states + 1);
    reader.append(graph_.to, edges);
    require(graph_.start.front() == 0 && graph_.start.back() == edges);
    require(std::is_sorted(graph_.start.begin(), graph_.start.end()));
    for (const Graph::Label label : graph_.label) {
        require(label < graph_.players.size() || label == Graph::chance || label == Graph::simultaneous ||
                (label >= Graph::ended && label - Graph::ended < static_cast<int>(outcomes)));
    }
    for (const StateId to : graph_.to) require(to < met);
}

template Exploration explore(GraphGame&, const ExploreOptions&);
template Exploration explore(GdlGame&, const ExploreOptions&);
template Exploration explore(QuotientGame&, const ExploreOptions&);
template Exploration explore(ReasonerGame&, const ExploreOptions&);
template Exploration explore(ChanceGame&, const ExploreOptions&);
template Exploration explore(ModelGame&, const ExploreOptions&);

}  // namespace zermelo::game
