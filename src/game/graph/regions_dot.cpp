#include <fmt/format.h>

#include "core/format/dot.hpp"
#include "game/graph/graph_dot.hpp"
#include "game/graph/regions.hpp"

namespace zermelo::game {

namespace {

struct Colour {
    const char* fill;
    const char* line;
};
constexpr Colour colours[] = {{dot_blue, "#1f5fa8"}, {"#fbd5c5", "#b8431a"}};
constexpr const char* drawn = "#eeeeee";

}  // namespace

void write_regions_dot(std::ostream& out, const Graph& graph, const Regions& regions) {
    const auto state = [&](StateId s) {
        const auto winner = regions.winner(s);
        if (!winner) return fmt::format("fillcolor=\"{}\"", drawn);
        return fmt::format("label=\"\\N\\n{}\", fillcolor=\"{}\", color=\"{}\"", regions.rank[s],
                           colours[*winner].fill, colours[*winner].line);
    };
    const auto move = [&](StateId s, std::uint64_t m) {
        if (m - graph.start[s] != derived_move(graph, regions, s)) return std::string("color=\"#808080\"");
        return fmt::format("penwidth=3, color=\"{}\"", colours[graph.label[s]].line);
    };
    const std::string legend = fmt::format(
        "blue: {} wins, red: {} wins, grey: nobody does; below a name, the rank; thick, the strategy",
        graph.players[0], graph.players[1]);
    write_styled_dot(out, graph, {state, move, legend});
}

}  // namespace zermelo::game
