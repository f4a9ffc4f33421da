#include "game/chance/components.hpp"

#include <algorithm>

namespace zermelo::game {

Components components(const Graph& graph, const Limits& limits) {
    Components result;
    result.of.assign(graph.states(), nowhere);
    result.start.push_back(0);
    std::vector<std::uint32_t> met(graph.states(), nowhere);  // the order in which states are met
    std::vector<std::uint32_t> low(graph.states());           // the first that is met from a state
    struct Level {
        StateId state;
        std::uint64_t next;  // its next move
    };
    std::vector<Level> path;
    std::vector<StateId> open;  // met, and in no component yet
    std::uint32_t number = 0;
    const auto enter = [&](StateId s) {
        met[s] = low[s] = number++;
        open.push_back(s);
        path.push_back({s, graph.start[s]});
    };
    enter(graph.initial);
    while (!path.empty()) {
        const StateId s = path.back().state;
        if (path.back().next < graph.start[s + 1]) {
            const StateId to = graph.to[path.back().next++];
            if (met[to] == nowhere) {
                if (const Stop stop = limits.reached(); stop != Stop::none)
                    throw LimitReached(stop, "while the states were ordered", "raise the limit");
                enter(to);
            } else if (result.of[to] == nowhere) {
                low[s] = std::min(low[s], met[to]);
            }
            continue;
        }
        path.pop_back();
        if (!path.empty()) low[path.back().state] = std::min(low[path.back().state], low[s]);
        if (low[s] != met[s]) continue;
        const auto component = static_cast<std::uint32_t>(result.start.size() - 1);
        StateId member = s;
        do {
            member = open.back();
            open.pop_back();
            result.of[member] = component;
            result.states.push_back(member);
        } while (member != s);
        result.start.push_back(static_cast<std::uint32_t>(result.states.size()));
    }
    return result;
}

bool has_cycle(const Graph& graph, const Components& components, std::size_t component) {
    const auto members = components.members(component);
    if (members.size() > 1) return true;
    const auto successors = graph.successors(members.front());
    return std::ranges::find(successors, members.front()) != successors.end();
}

}  // namespace zermelo::game
