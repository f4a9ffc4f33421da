// Explicit graphs with and without chance: definitions read word for word, all engines, all certificates.

#include <sstream>

#include "campaign/campaign.hpp"
#include "chance/oracle.hpp"
#include "core/random.hpp"
#include "game/chance/expectimax.hpp"
#include "game/chance/solve.hpp"
#include "game/chance/verify_policy.hpp"
#include "game/graph/predecessors.hpp"
#include "game/plan_meaning.hpp"
#include "game/solve.hpp"
#include "game/strategy/verify.hpp"
#include "support/random_graph.hpp"

namespace zermelo::campaign {

namespace {

using namespace game;

Graph graph_in(const std::string& text) {
    std::istringstream in(text);
    return read_graph_json(in, "drawn.json");
}

Graph through_dot(const Graph& graph) {
    std::stringstream dot;
    write_graph_dot(dot, graph);
    return read_graph_dot(dot, "drawn.dot");
}

// What two players get by the definition of attractors.
std::vector<int> naive_values(const Graph& graph) {
    for (const Player p : {Player{0}, Player{1}}) {
        if (naive_attractor(graph, p, wins_of(graph, p))[graph.initial] != outside())
            return p == 0 ? std::vector<int>{win, loss} : std::vector<int>{loss, win};
    }
    return {draw, draw};
}

void compare_attractors(const Graph& graph) {
    for (Player p = 0; p < graph.players.size(); ++p) {
        const std::vector<Rank> expected = naive_attractor(graph, p, wins_of(graph, p));
        for (const unsigned threads : {1U, 3U}) {
            const Attractor found =
                attractor(graph, Predecessors(graph, threads), p, wins_of(graph, p), {}, threads);
            require(std::vector<Rank>(found.rank.begin(), found.rank.end()) == expected,
                    "an attractor differs");
        }
    }
}

void check_plans(const Graph& graph, const Solution& solution, Random& random, Tally& tally) {
    GraphGame rules(graph);
    for (const Plan& plan : solution.plans) {
        const PlanVerification check = verify_plan(rules, plan);
        require(check.valid, std::string(name(solution.engine)) + ": the plan fails");
        require(Meaning(graph, plan).holds(), "the plan does not mean what the checker says");
        for (int i = 0; i < 8; ++i) {
            Plan changed = plan;
            if (!changed.choices.empty())
                changed.choices[random.below(changed.choices.size())] =
                    static_cast<std::uint32_t>(random.below(6));
            if (random.chance(0.2)) changed.promise = random.chance(0.5) ? win : draw;
            if (random.chance(0.1)) changed.owner = static_cast<Player>(random.below(3));
            if (random.chance(0.1)) changed.choices.push_back(static_cast<std::uint32_t>(random.below(3)));
            if (random.chance(0.1) && !changed.choices.empty()) changed.choices.pop_back();
            const bool expected = Meaning(graph, changed).holds();
            require(verify_plan(rules, changed).valid == expected,
                    expected ? "a changed plan that holds is refused" : "a changed plan that fails passes");
            tally.count(expected ? "mutations that hold" : "mutations refused");
        }
    }
}

}  // namespace

void run_graphs(const Case& drawn) {
    const Graph graph = graph_in(drawn.text);
    compare_attractors(graph);
    Random random(drawn.seed);
    game::SolveOptions options;
    options.engine = game::Engine::attractors;
    options.every_move = true;
    const Solution all = solve(graph, options);
    require(all.solved, "attractors have no answer");
    if (graph.players.size() == 2)
        require(all.values == naive_values(graph), "attractors: the values differ");
    require(solve(through_dot(graph), options).values == all.values, "the values change in DOT");
    check_plans(graph, all, random, drawn.tally);
    for (const game::Engine engine :
         {game::Engine::alpha_beta, game::Engine::proof_number, game::Engine::automatic}) {
        options.engine = engine;
        options.threads = static_cast<unsigned>(1 + random.below(3));
        try {
            const Solution found = solve(graph, options);
            require(found.solved && found.values == all.values,
                    std::string(name(engine)) + ": the values differ");
            check_plans(graph, found, random, drawn.tally);
        } catch (const Error&) {  // repetitions
            require(engine != game::Engine::automatic, "refused by all engines");
            drawn.tally.count("refused");
        }
    }
}

void run_chance(const Case& drawn) {
    const Graph graph = graph_in(drawn.text);
    const ExpectedValues exact = find_expected_values(graph);
    require(exact.exact, "the values are not exact");
    const Rational endless = Rational(exact.twice_endless) / 2;
    const bool together = exact.interests == Interests::shared;
    const Rational value = brute_force_value(graph, endless, together);
    require(exact.lower(graph.initial, 0) == value, "the value differs");
    ExpectedValueOptions with_bounds;
    with_bounds.exact = false;
    const ExpectedValues bounds = find_expected_values(graph, with_bounds);
    require(bounds.lower(graph.initial, 0) <= value && value <= bounds.upper(graph.initial, 0),
            "the bounds are wrong");
    GraphGame rules(graph);
    for (const ExpectedValues* values : {&exact, &bounds}) {
        for (const ChancePolicy& policy : build_policies(graph, *values))
            require(verify_policy(rules, policy).valid, "a policy fails");
    }
    ChanceOptions options;
    options.engine = ChanceEngine::expectimax;
    try {
        const ChanceSolution found = solve_chance(graph, options);
        require(found.solved && found.values.front().low == value && found.exact(),
                "expectimax: the value differs");
        for (const ChancePolicy& policy : found.policies)
            require(verify_policy(rules, policy).valid, "expectimax: a policy fails");
        drawn.tally.count("by expectimax");
    } catch (const Error&) {
        drawn.tally.count("that repeat");
    }
    Random random(drawn.seed);
    for (const ChancePolicy& policy : build_policies(graph, exact)) {
        ChancePolicy changed = policy;
        // More than it gives, for a limit less; an equilibrium gives exactly what it says.
        changed.values.front() += Rational(policy.claim == ChancePolicy::Claim::limit ? -1 : 1) / 7;
        require(!verify_policy(rules, changed).valid, "a policy that promises too much passes");
        drawn.tally.count("mutations refused");
        if (policy.claim != ChancePolicy::Claim::guarantee || policy.choices.empty()) continue;
        changed = policy;
        changed.choices[random.below(changed.choices.size())] = static_cast<std::uint32_t>(random.below(3));
        const bool valid = verify_policy(rules, changed).valid;
        drawn.tally.count(valid ? "mutations that hold" : "mutations refused");
        if (changed == policy) require(valid, "a policy fails when it is checked again");
    }
}

}  // namespace zermelo::campaign
