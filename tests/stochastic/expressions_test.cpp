// Every operator of the model builder, under chance: random quantified models whose opponent is replaced by
// dice, and an oracle that evaluates the trees as they were written.

#include <gtest/gtest.h>

#include "stochastic/builder.hpp"
#include "stochastic/solve.hpp"
#include "stochastic/verify.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"

namespace zermelo::stochastic {

namespace {

struct Diced {
    model::Source source;
    std::vector<bool> chance;                        // by variable
    std::vector<std::vector<model::Value>> weights;  // by variable
    bool hard = false;  // the winning condition is hard; otherwise it is to be satisfied

    Diced(std::uint64_t seed, const Shape& shape) : source(random_model(seed, shape).source()) {
        Random random(seed);
        hard = random.chance(0.3);
        chance.resize(source.variables.size());
        weights.resize(source.variables.size());
        for (const auto& block : source.blocks) {
            for (const model::VarId v : block.variables)
                chance[static_cast<std::size_t>(v)] = block.quantifier == model::Quantifier::forall;
        }
        for (std::size_t v = 0; v < weights.size(); ++v) {
            for (std::uint64_t i = 0; i < source.variables[v].domain.size(); ++i)
                weights[v].push_back(random.between(0, 3));
            weights[v].front() += 1;
        }
    }

    // Variables get the numbers that they have in the source, so its trees mean the same here.
    [[nodiscard]] StochasticModel model() const {
        StochasticBuilder builder("diced");
        for (std::size_t v = 0; v < chance.size(); ++v) {
            const model::Variable& variable = source.variables[v];
            if (chance[v]) {
                (void)builder.chance(variable.name, variable.domain, weights[v]);
            } else {
                (void)builder.decide(variable.name, variable.domain);
            }
        }
        for (const model::BoolExpr& condition : source.require) builder.hard(condition);
        for (const model::BoolExpr& condition : source.win)
            hard ? builder.hard(condition) : builder.satisfied(condition);
        builder.worth(*source.objective, Rational(1) / 3);
        return builder.build();
    }

    [[nodiscard]] std::optional<Rational> best(oracle::Assignment& play) const {
        const std::size_t v = play.size();
        if (v == chance.size()) {
            const auto objective = oracle::value(*source.objective, play);
            const bool won = oracle::holds(source.win, play);
            if (!objective || !oracle::holds(source.require, play) || (hard && !won)) return std::nullopt;
            return Rational(*objective) / 3 + (!hard && won && !source.win.empty() ? 1 : 0);
        }
        std::optional<Rational> result;
        Rational total = 0;
        Rational sum = 0;
        std::size_t i = 0;
        for (const model::Value value : source.variables[v].domain.values()) {
            const model::Value weight = weights[v][i++];
            if (chance[v] && weight == 0) continue;
            play.push_back(value);
            const auto found = best(play);
            play.pop_back();
            if (chance[v]) {
                if (!found) return std::nullopt;
                total += weight;
                sum += weight * *found;
            } else if (found && (!result || *found > *result)) {
                result = found;
            }
        }
        if (chance[v]) return sum / total;
        return result;
    }
};

}  // namespace

TEST(Expressions, MeanTheSameToBothEnginesTheCheckerAndTheOracle) {
    const Shape shape{.blocks = 3, .variables = 2, .values = 3, .depth = 3, .objective = true};
    std::size_t feasible = 0;
    const auto drawn = seeds(1500);
    for (const auto seed : drawn) {
        const Diced problem(seed, shape);
        const StochasticModel model = problem.model();
        oracle::Assignment play;
        const auto expected = problem.best(play);
        feasible += expected ? 1 : 0;
        for (const Engine engine : {Engine::forward_checking, Engine::mac}) {
            SolveOptions options;
            options.engine = engine;
            options.question = Question::best;
            const Answer answer = solve(model, options);
            ASSERT_EQ(answer.policy.has_value(), expected.has_value()) << "seed " << seed;
            if (!expected) continue;
            ASSERT_EQ(text(answer.policy->utilities.front()), text(*expected)) << "seed " << seed;
            const auto checked = verify(model, *answer.policy);
            ASSERT_TRUE(checked.valid)
                << "seed " << seed << ": " << checked.counterexample->text(model.model);
        }
    }
    EXPECT_GT(feasible, drawn.size() / 5);
    EXPECT_LT(feasible, drawn.size() * 29 / 30);
}

}  // namespace zermelo::stochastic
