#include "game/graph/attractor.hpp"

#include "game/parallel.hpp"

namespace zermelo::game {

namespace {

constexpr std::size_t piece = 1 << 16;
constexpr const char* during = "while setting up an attractor";

}  // namespace

void require_turns(const Graph& graph, const std::string& engine, unsigned threads, const Limits& limits) {
    parallel_for({threads, limits, during}, graph.states(), piece,
                 [&](unsigned, std::size_t begin, std::size_t end) {
                     for (std::size_t s = begin; s < end; ++s) {
                         const Graph::Label label = graph.label[s];
                         if (label < Graph::most_players || label >= Graph::ended) continue;
                         require_turns(graph.turn(static_cast<StateId>(s)), engine);
                     }
                 });
}

Attractor attractor(const Graph& graph, const Predecessors& predecessors, Player player,
                    const std::vector<bool>& goal, const Limits& limits, unsigned threads) {
    require_turns(graph, "an attractor", threads, limits);
    const Workers workers{threads, limits, during};
    Attractor result;
    result.rank.resize(graph.states());
    LargeVector<std::uint32_t> needs(graph.states());
    PerWorker<StateId> goals(workers);
    parallel_for(workers, graph.states(), piece, [&](unsigned worker, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const auto s = static_cast<StateId>(i);
            const bool reached = graph.over(s) && goal[graph.label[s] - Graph::ended];
            if (reached) goals[worker].push_back(s);
            result.rank[s] = reached ? 0 : outside();
            needs[s] = graph.label[s] == player ? 1 : static_cast<std::uint32_t>(graph.successors(s).size());
        }
    });
    Retrograde{predecessors, threads, limits}.run(goals.take(), 0, needs, result.rank);
    return result;
}

std::vector<std::uint32_t> derived_strategy(const Graph& graph, const Attractor& attractor, Player player) {
    const auto rank = [&](StateId s) { return attractor.rank[s]; };
    std::vector<std::uint32_t> moves(graph.states());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        moves[i] = derived_move(graph, rank, player, static_cast<StateId>(i));
    }
    return moves;
}

}  // namespace zermelo::game
