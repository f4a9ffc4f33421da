// DOT output: pictures of strategies, drawn by Graphviz (Gansner and North 2000).
//
// The owner's moves are boxes with one arrow; the opponent's are ellipses with an arrow for each child,
// labelled with its values as in Barichard and Stéphan (2017): `1//2//3`, or `1..7` for a run of values. The
// leaf is a small square.

#pragma once

#include <iosfwd>
#include <string>

#include "model/model.hpp"
#include "strategy/strategy.hpp"

namespace zermelo::strategy {

struct DotOptions {
    std::size_t most_nodes = 300;  // nodes nearest to the root; a note tells how many are not drawn
};

void write_dot(std::ostream& out, const model::Model& model, const Strategy& strategy,
               const DotOptions& options = {});

// The same as an SVG picture. Runs the program `dot`; throws Error when it is missing or fails.
[[nodiscard]] std::string svg(const model::Model& model, const Strategy& strategy,
                              const DotOptions& options = {});

// `1//2//3`, `1..7` or `0//4..9`: the label of an edge.
[[nodiscard]] std::string edge_label(const std::vector<model::Value>& values);
// `red//green` where the values are members of an enum.
[[nodiscard]] std::string edge_label(const model::Model& model, model::VarId variable,
                                     const std::vector<model::Value>& values);

}  // namespace zermelo::strategy
