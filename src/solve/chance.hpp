// Games with chance, and with hidden facts about which all players know the same: expected payoffs and
// policies (game/chance/solve.hpp).

#pragma once

#include "game/views/belief_game.hpp"
#include "solve/check.hpp"
#include "solve/verdict.hpp"

namespace zermelo {

// Whether this engine, asked to solve the problem, has to handle chance: it was named, or none was and the
// rules have chance.
[[nodiscard]] bool solves_chance(const Problem& problem, Engine engine);

[[nodiscard]] Verdict solve_chance(const Problem& problem, const SolveOptions& options);
[[nodiscard]] Verdict to_verdict(game::ChanceSolution solution);

[[nodiscard]] Report check_policies(const Problem& problem, const ChancePolicies& policies,
                                    const CheckOptions& options);
// Policies in a file, checked by the reasoner.
[[nodiscard]] Report check_policies_by_reasoner(const gdl::Description& description, const std::string& bytes,
                                                const std::string& file, const CheckOptions& options);

// work(game) on the view in which policies are written: a graph, or the belief-state game of a description.
template <class Work>
auto with_chance_game(const Problem& problem, Work work) {
    if (problem.graph() != nullptr) {
        game::GraphGame game(*problem.graph());
        return work(game);
    }
    if (problem.gdl() == nullptr)
        throw Error({problem.file()}, "a policy of a game is for games in GDL and graphs", "give the game");
    game::ChanceGame game(*problem.gdl());
    return work(game);
}

}  // namespace zermelo
