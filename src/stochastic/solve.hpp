// Solving stochastic CSPs (Walsh 2002): two engines that share nothing but the arithmetic of utilities, and
// two questions.
//
// *Is there a solution?* A policy that is feasible and reaches every threshold, whoever decides: the players
// of a solution cooperate. Thresholds are passed down the tree as windows (Walsh 2002; Balafoutis and
// Stergiou 2006), so that the search stops as soon as the answer is proven either way. For several players it
// keeps the Pareto front: every policy that no other one beats for all of them.
//
// *Which policy is best?* For one player, the greatest expected utility. For several, each decides for its
// own expected utility, knowing that those who follow do the same (backward induction); of equal values the
// smallest is taken.
//
// The engines: `forward_checking` assigns variable after variable and filters plain tables, without Gecode.
// `mac` goes stage by stage: it first solves the stochastic part of a stage, turns what survives into a
// constraint on the decisions, and lets Gecode maintain consistency while it enumerates them (Piette et al.
// 2015, section 3). Both are exponential in the number of variables.

#pragma once

#include <functional>

#include "core/limits.hpp"
#include "stochastic/policy.hpp"

namespace zermelo::stochastic {

enum class Engine { forward_checking, mac };
enum class Question { solution, best };
enum class Verdict { won, lost, unknown };

struct Statistics {
    std::uint64_t nodes = 0;     // of the search tree
    std::uint64_t failures = 0;  // a hard constraint cannot hold any more
    std::uint64_t pruned = 0;    // the bounds of the utilities say that it is not worth looking
    std::uint64_t propagations = 0;
    std::uint64_t tuples = 0;   // MAC: decisions of a stage that its stochastic part was asked about ...
    std::uint64_t refuted = 0;  // ... and refuted
    double cpu_seconds = 0;
    double wall_seconds = 0;
};

struct SolveOptions {
    Limits limits = {};
    Engine engine = Engine::mac;
    Question question = Question::solution;
    std::function<void(const Statistics&)> progress = nullptr;  // called now and then
};

struct Answer {
    Verdict verdict =
        Verdict::unknown;          // won: the policy is a solution; lost: there is none, or the best is none
    Stop stop = Stop::none;        // why the verdict is unknown
    std::optional<Policy> policy;  // the one asked for; a best one may stay below a threshold
    Statistics statistics;
};

[[nodiscard]] Answer solve(const StochasticModel& model, const SolveOptions& options = {});

}  // namespace zermelo::stochastic
