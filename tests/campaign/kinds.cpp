// The kinds of cases, and how they are drawn.

#include <csignal>
#include <sstream>

#include "campaign/campaign.hpp"
#include "chance/oracle.hpp"
#include "equilibrium/random_game.hpp"
#include "support/qbf_oracle.hpp"
#include "support/random_gdl.hpp"
#include "support/random_graph.hpp"
#include "support/random_rules.hpp"

namespace zermelo::campaign {

namespace {

std::string nothing(std::uint64_t) { return ""; }

std::string graph_text(const game::Graph& graph) {
    std::ostringstream out;
    write_graph_json(out, graph);
    return out.str();
}
std::string draw_graph(std::uint64_t seed) {
    return graph_text(game::random_graph(seed, seed % 5 == 0 ? 1 : 2));
}
std::string draw_chance(std::uint64_t seed) {
    return graph_text(game::random_chance_graph(seed, 1 + seed % 2, seed % 3 == 0, seed % 4 == 0 ? 60 : 100));
}
std::string draw_equilibrium(std::uint64_t seed) {
    return equilibrium::random_game_text(seed / 2, seed % 2 == 1);
}

void disagree(const Case& drawn) { require(drawn.seed % 2 == 1, "even seeds disagree on purpose"); }
void crash(const Case& drawn) {
    if (drawn.seed % 2 == 0) (void)std::raise(SIGSEGV);
}

}  // namespace

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {
        {"rules", "GDL and GDL-II, step by step: reasoner, interpreter, bit slices, compiled rules, steppers",
         random_rules, run_rules},
        {"games", "games in GDL solved: forward engines, encodings, plans and mutated plans", random_gdl,
         run_games},
        {"equilibria", "simultaneous and hidden moves: pure strategies listed, equilibria checked twice",
         draw_equilibrium, run_equilibria},
        {"graphs", "graphs: attractors by definition, all engines, plans and mutated plans", draw_graph,
         run_graphs},
        {"chance", "graphs with chance: all strategies listed, both engines, policies and mutated policies",
         draw_chance, run_chance},
        {"processes", "graphs and models solved by one to four processes", draw_graph, run_processes},
        {"quantified", "quantified models: brute force, both kernels, strategies and mutated strategies",
         nothing, run_quantified},
        {"strategic", "strategic models: the same", nothing, run_strategic},
        {"formulas", "quantified Boolean formulas: brute force, both kernels, learning",
         oracle::random_qbf_with_gates, run_formulas},
        {"stochastic", "models with chance: brute force, both engines, policies and mutated policies",
         nothing, run_stochastic},
        {"disagreeing", "every second case disagrees", nothing, disagree, true},
        {"crashing", "every second case crashes", nothing, crash, true},
    };
    return all;
}

}  // namespace zermelo::campaign
