// zermelo show, for games in GDL and graphs: plans, the graph itself, and the graph in the colours of its
// regions.

#pragma once

#include "cli/command.hpp"
#include "game/strategy/graph.hpp"
#include "solve/certificate.hpp"

namespace zermelo::cli {

inline constexpr const char* how_to_see_more = "--nodes shows more";

// The last line of a text that shows some positions only.
[[nodiscard]] std::string left_out(std::size_t positions);

struct ShowGame {
    std::string plan_file;  // empty: the graph itself is shown
    std::string role;       // whose plan; empty: all in the file
    std::string out;        // empty: stdout
    bool regions = false;
    bool json = false;
    std::size_t nodes = 300;

    // `source` names a game in GDL, or a graph.
    [[nodiscard]] int run(ModelOptions& source) const;

private:
    void show_plans(const Problem& problem, const Plans& all) const;
    void show_thresholds(const ThresholdProofs& proofs) const;
    void show_policies(const Problem& problem, const Certificate& certificate) const;
    void show_graph(const Problem& problem) const;
    void put_dot(const std::string& dot) const;
};

}  // namespace zermelo::cli
