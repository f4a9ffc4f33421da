// Strongly connected components of a game graph (Tarjan 1972), successors first: the order in which values
// can be computed, a component at a time. Linear in the edges; the recursion is a list.

#pragma once

#include "core/limits.hpp"
#include "game/graph/graph.hpp"

namespace zermelo::game {

struct Components {
    std::vector<StateId> states;       // component by component, none before those that it leads to
    std::vector<std::uint32_t> start;  // by component: into `states`; one more at the end
    std::vector<std::uint32_t> of;     // by state: its component

    [[nodiscard]] std::size_t size() const { return start.size() - 1; }
    [[nodiscard]] std::span<const StateId> members(std::size_t component) const {
        return {states.data() + start[component], start[component + 1] - start[component]};
    }
};

// Of the states that can be reached from the initial one; `of` is `nowhere` for the others. Throws
// LimitReached.
inline constexpr std::uint32_t nowhere = ~std::uint32_t{0};
[[nodiscard]] Components components(const Graph& graph, const Limits& limits = {});

// Whether a play can stay in the component for ever.
[[nodiscard]] bool has_cycle(const Graph& graph, const Components& components, std::size_t component);

}  // namespace zermelo::game
