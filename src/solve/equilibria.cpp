#include "solve/equilibria.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/clock.hpp"
#include "core/format/text.hpp"
#include "equilibrium/solve.hpp"

namespace zermelo {

namespace {

// The first role gets more than the other, less, or the same; unknown where the bounds leave it open.
Outcome outcome_of(const equilibrium::Solution& solution) {
    if (!solution.solved) return Outcome::unknown;
    const auto [own_lower, own_upper] = solution.bounds(0);
    const auto [other_lower, other_upper] = solution.bounds(1);
    if (own_lower > other_upper) return Outcome::won;
    if (own_upper < other_lower) return Outcome::lost;
    return own_lower == own_upper ? Outcome::drawn : Outcome::unknown;
}

equilibrium::SolveOptions options_of(const Problem& problem, const SolveOptions& options) {
    equilibrium::SolveOptions result;
    result.limits = options.limits;
    result.certificate = options.certificate;
    result.line = joint_moves(*problem.gdl(), options.line);
    if (options.progress) {
        result.progress = [tell = options.progress](const std::string& stage, std::uint64_t positions) {
            tell({fmt::format("{}: {} positions, {} MB", stage, count_text(positions),
                              count_text(resident_bytes() >> 20)),
                  positions});
        };
    }
    return result;
}

}  // namespace

bool calls_for_equilibrium(const Problem& problem) {
    return problem.gdl() != nullptr && equilibrium::calls_for_equilibrium(*problem.gdl());
}

Verdict solve_equilibrium(const Problem& problem, const SolveOptions& options) {
    const auto start = Clock::now();
    const double cpu_start = cpu_seconds();
    Verdict verdict = to_verdict(equilibrium::solve(*problem.gdl(), options_of(problem, options)));
    if (!options.certificate) verdict.certificate = {};
    verdict.cpu_seconds = cpu_seconds() - cpu_start;
    verdict.wall_seconds = seconds_since(start);
    return verdict;
}

Verdict to_verdict(equilibrium::Solution solution) {
    Verdict verdict;
    verdict.outcome = outcome_of(solution);
    verdict.stop = solution.stop;
    verdict.engine = Engine::equilibrium;
    verdict.nodes = solution.positions;
    if (solution.solved) {
        for (std::size_t p = 0; p < 2; ++p) {
            const auto [lower, upper] = solution.bounds(p);
            verdict.players.push_back(solution.equilibrium.roles[p]);
            verdict.values.push_back(static_cast<double>(Rational((lower + upper) / 2)));
        }
        verdict.certificate.proof = solution.equilibrium;
    }
    solution.equilibrium.strategies = {};
    verdict.details = std::move(solution);
    return verdict;
}

std::array<FirstMixture, 2> first_mixture(const equilibrium::Solution& solution) {
    std::array<std::map<std::string, Rational>, 2> sums;
    std::array<Rational, 2> reach;
    for (const equilibrium::Decision& decision : solution.decisions) {
        reach[decision.player] += decision.reach;
        for (const auto& move : decision.moves)
            sums[decision.player][move.move] += decision.reach * move.probability;
    }
    std::array<FirstMixture, 2> result;
    for (std::size_t p = 0; p < 2; ++p) {
        for (const auto& [move, sum] : sums[p]) {
            if (sum != 0) result[p].emplace_back(move, sum / reach[p]);
        }
    }
    return result;
}

std::vector<gdl::JointMove> joint_moves(const gdl::Game& game, const std::vector<std::string>& line) {
    std::vector<gdl::JointMove> joints;
    game::GdlGame walked(game);
    gdl::State state = walked.initial();
    gdl::State next = state;
    for (const std::string& name : line) {
        walked.look(state);
        std::size_t move = 0;
        while (move < walked.moves() && walked.move_name(move) != name) ++move;
        if (move == walked.moves())
            throw Error({game.description().file}, name + " is no move here", "give another line of moves");
        walked.successor(move, next);
        joints.push_back(walked.joint());
        state = next;
    }
    return joints;
}

}  // namespace zermelo
