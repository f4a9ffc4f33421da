// Diagram: nodes with edges to a shared leaf, as strategies and policies are; how it is drawn where it is too
// large to be drawn whole.

#pragma once

#include <algorithm>
#include <vector>

#include "core/format/dot.hpp"

namespace zermelo::strategy {

// The nodes nearest to the root, in breadth-first order, without the leaf, which is node 0.
template <class Diagram>
[[nodiscard]] std::vector<std::size_t> nearest(const Diagram& diagram, std::size_t most) {
    most = std::max<std::size_t>(most, 1);
    std::vector<std::size_t> order;
    std::vector<bool> seen(diagram.nodes.size(), false);
    seen[0] = true;
    const auto meet = [&](std::size_t id) {
        if (seen[id] || order.size() >= most) return;
        seen[id] = true;
        order.push_back(id);
    };
    meet(static_cast<std::size_t>(diagram.root));
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const auto& edge : diagram.nodes[order[i]].edges) meet(static_cast<std::size_t>(edge.to));
    }
    return order;
}

// These nodes; others that edges lead to are left out with a hint. `node_name(node)` is its label,
// `owned(node)` whether the owner decides there, and `edge_label(node, edge)` the label of an edge, escaped.
template <class Diagram, class NodeName, class Owned, class EdgeLabel>
void draw_nodes(DotDecisions& picture, const Diagram& diagram, const std::vector<std::size_t>& drawn,
                const NodeName& node_name, const Owned& owned, const EdgeLabel& edge_label) {
    std::vector<bool> is_drawn(diagram.nodes.size(), false);
    for (const std::size_t id : drawn) is_drawn[id] = true;
    picture.leaf();
    for (const std::size_t id : drawn) {
        const auto& node = diagram.nodes[id];
        picture.node(id, node_name(node), owned(node));
        for (const auto& edge : node.edges) {
            const auto to = static_cast<std::size_t>(edge.to);
            if (to == 0) {
                picture.edge_to_leaf(id, edge_label(node, edge));
            } else if (is_drawn[to]) {
                picture.edge(id, to, edge_label(node, edge));
            } else {
                picture.edge_to_more(id, to, edge_label(node, edge));
            }
        }
    }
}

}  // namespace zermelo::strategy
