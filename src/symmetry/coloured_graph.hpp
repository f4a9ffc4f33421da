// Automorphisms and canonical forms of coloured graphs, found by nauty (McKay and Piperno 2014).

#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "core/limits.hpp"

namespace zermelo::symmetry {

using Vertex = std::uint32_t;
using Permutation = std::vector<Vertex>;  // the image of each vertex

struct ColouredGraph {
    std::vector<std::uint64_t> colour;             // by vertex; an automorphism keeps it
    std::vector<std::pair<Vertex, Vertex>> edges;  // without direction, each once

    Vertex add(std::uint64_t its_colour) {
        colour.push_back(its_colour);
        return static_cast<Vertex>(colour.size() - 1);
    }
};

// Automorphisms that generate the group, deterministically. On a graph that is very hard the search
// ends after a fixed amount of work, and they generate a part of the group. None when a limit is reached.
[[nodiscard]] std::vector<Permutation> generators(const ColouredGraph& graph, const Limits& limits);

// The graph with its vertices renumbered so that it depends on its structure alone.
struct CanonicalForm {
    Hash128 key;                // the same for two graphs exactly if one becomes the other by renumbering
    std::vector<Vertex> order;  // its vertices in the order of their new numbers
};

// Nothing when a limit is reached, or for a graph that is very hard.
[[nodiscard]] std::optional<CanonicalForm> canonical_form(const ColouredGraph& graph, const Limits& limits);

// The key of the canonical form.
[[nodiscard]] std::optional<Hash128> canonical_key(const ColouredGraph& graph, const Limits& limits);

}  // namespace zermelo::symmetry
