// Games in GDL, solved: the forward engines and the encodings agree, what they prove stands up to the checker and to the
// reasoner, and a plan that was changed stands only where its meaning does.

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "campaign/campaign.hpp"
#include "core/random.hpp"
#include "equilibrium/check/best_response.hpp"
#include "equilibrium/random_game.hpp"
#include "equilibrium/solve.hpp"
#include "game/explore/explore.hpp"
#include "game/plan_meaning.hpp"
#include "gdl/syntax/parse.hpp"
#include "solve/solve.hpp"
#include "support/run.hpp"

namespace zermelo::campaign {

namespace {

std::optional<Verdict> answer(const Problem& problem, Engine engine, Tally& tally) {
    SolveOptions options;
    options.engine = engine;
    options.threads = 1;
    try {
        return solve(problem, options);
    } catch (const LimitReached&) {
        throw;
    } catch (const Error&) {  // the engine is not for this game
        tally.count(std::string("refused by ") + name(engine));
        return std::nullopt;
    }
}

// Interests that are not opposite, and what the rules guarantee, have no plans.
void check_certificate(const Problem& problem, const Verdict& verdict, bool by_reasoner, Tally& tally) {
    const std::string engine = name(verdict.engine);
    tally.count(verdict.certificate.empty() ? "without a certificate" : "certificates");
    if (verdict.certificate.empty()) return;
    const Report report = check(problem, verdict.certificate);
    require(report.valid, engine + ": the certificate fails: " + report.counterexample.value_or("?"));
    const TemporaryDirectory folder;
    const std::string file = folder.path("certificate.json");
    save(file, problem, verdict.certificate);
    require(check(problem, load(file, problem)).valid, engine + ": the certificate fails after a file");
    if (!by_reasoner) return;
    const Report second = check_by_reasoner(problem.gdl()->description(), file);
    require(second.valid, engine + ": the reasoner refuses: " + second.counterexample.value_or("?"));
}

void mutate_plans(const Problem& problem, const Plans& plans, Random& random, Tally& tally) {
    game::GdlGame rules(*problem.gdl());
    const game::Exploration explored = game::explore(rules);
    for (const game::Plan& plan : plans) {
        if (plan.choices.empty()) continue;
        for (int i = 0; i < 8; ++i) {
            game::Plan changed = plan;
            changed.choices[random.below(changed.choices.size())] =
                static_cast<std::uint32_t>(random.below(4));
            if (random.chance(0.1)) changed.promise += 1;
            const bool expected = game::Meaning(explored.graph, changed).holds();
            require(game::verify_plan(rules, changed).valid == expected,
                    expected ? "a changed plan that holds is refused" : "a changed plan that fails passes");
            tally.count(expected ? "mutations that hold" : "mutations refused");
        }
    }
}

}  // namespace

void run_games(const Case& drawn) {
    const Problem problem = make_problem(gdl::Game(gdl::parse(drawn.text, "drawn.kif")));
    const auto all = answer(problem, Engine::attractors, drawn.tally);
    require(all && all->outcome != Outcome::unknown, "attractors have no answer");
    check_certificate(problem, *all, true, drawn.tally);
    game::GdlGame rules(*problem.gdl());
    const bool opposite = std::ranges::all_of(
        game::explore(rules).graph.outcomes,
        [](const std::vector<int>& payoffs) { return payoffs[0] + payoffs[1] == game::win; });
    for (const Engine engine : {Engine::alpha_beta, Engine::proof_number}) {
        const auto found = answer(problem, engine, drawn.tally);
        if (!found) continue;
        if (!opposite) {  // it came by no end that shows it; then the check of its plans must
            const bool proven = !found->certificate.empty() && check(problem, found->certificate).valid;
            require(!proven || found->values == all->values,
                    std::string(name(engine)) + ": wrong values of interests that are not opposite");
            drawn.tally.count("answered though not opposite");
            continue;
        }
        require(found->values == all->values, std::string(name(engine)) + ": the values differ");
        check_certificate(problem, *found, true, drawn.tally);
    }
    // What a role can force is its value where the interests are opposite.
    for (const Engine engine : {Engine::quantified, Engine::strategic}) {
        if (!opposite) break;
        const auto found = answer(problem, engine, drawn.tally);
        if (!found) continue;
        require(found->values.empty() || found->values == all->values,
                std::string(name(engine)) + ": the values differ");
        require(found->outcome == Outcome::unknown || found->outcome == all->outcome,
                std::string(name(engine)) + ": the verdict differs");
        check_certificate(problem, *found, false, drawn.tally);
        drawn.tally.count("encoded");
    }
    Random random(drawn.seed);
    if (const Plans* plans = all->certificate.as<Plans>()) mutate_plans(problem, *plans, random, drawn.tally);
}

void run_equilibria(const Case& drawn) {
    const bool hidden = drawn.seed % 2 == 1;
    const gdl::Game game(gdl::parse(drawn.text, "drawn.kif"));
    const auto expected = equilibrium::PureStrategies(game.description(), hidden).value(32);
    const equilibrium::Solution solution = equilibrium::solve(game);
    require(solution.solved && solution.equilibrium.exact(), "not solved exactly");
    if (expected) {
        drawn.tally.count("with all pure strategies");
        require(solution.equilibrium.lower == *expected, "the value differs");
    }
    equilibrium::MachineRules rules(game);
    gdl::Reasoner reasoner(game.description());
    equilibrium::ReasonerRules slow_rules(game.description(), reasoner);
    const auto expect = [&](const equilibrium::Equilibrium& each, bool valid, const char* what) {
        require(verify(rules, each).valid == valid, what);
        require(verify(slow_rules, each).valid == valid, std::string("by the reasoner: ") + what);
    };
    expect(solution.equilibrium, true, "the equilibrium fails");
    // A player who is promised more than the value, or the other one less, has been promised too much.
    equilibrium::Equilibrium changed = solution.equilibrium;
    changed.lower = changed.upper = changed.upper + Rational(1, 7);
    expect(changed, false, "a value that is too high passes");
    changed.lower = changed.upper = solution.equilibrium.lower - Rational(1, 7);
    expect(changed, false, "a value that is too low passes");
    // A certificate says exactly what its strategies guarantee, so bounds that are further apart are refused, too.
    changed.lower = solution.equilibrium.lower - Rational(1, 7);
    changed.upper = solution.equilibrium.upper + Rational(1, 7);
    expect(changed, false, "wider bounds pass");
    drawn.tally.count("mutations refused", 3);
}

}  // namespace zermelo::campaign
