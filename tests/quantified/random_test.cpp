// Random models and formulas: the verdict is the brute-force evaluator's, and the certificate stands.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"
#include "support/search_options.hpp"

namespace zermelo {
namespace {

void expect_right_and_certified(const model::ModelBuilder& builder, std::uint64_t seed) {
    const model::Model model = builder.build();
    const quantified::Verdict truth =
        oracle::won(builder.source()) ? quantified::Verdict::won : quantified::Verdict::lost;
    for (std::uint64_t k = 0; k < 4; ++k) {
        quantified::Answer answer;
        ASSERT_NO_THROW(answer = solve(model, options_number(seed * 4 + k)))
            << "seed " << seed << ", options " << seed * 4 + k;
        ASSERT_EQ(answer.verdict, truth) << "seed " << seed << ", options " << seed * 4 + k;
        const strategy::Verification check = verify(model, answer.strategy);
        ASSERT_TRUE(check.valid) << "seed " << seed << ", options " << seed * 4 + k << ": "
                                 << (check.counterexample ? check.counterexample->text(model) : "");
    }
}

TEST(RandomModels, WithoutRulesAreSolvedRightAndCertified) {
    for (const auto seed : seeds(2000))
        ASSERT_NO_FATAL_FAILURE(expect_right_and_certified(random_model(seed), seed));
}

TEST(RandomModels, WithRulesAreSolvedRightAndCertified) {
    for (const auto seed : seeds(2000)) {
        ASSERT_NO_FATAL_FAILURE(expect_right_and_certified(random_model(seed, Shape::with_rules()), seed));
    }
}

TEST(RandomModels, WithTheCutsOfTheorem1AreSolvedRightAndCertified) {
    for (const auto seed : seeds(2000)) {
        ASSERT_NO_FATAL_FAILURE(expect_right_and_certified(random_model(seed, Shape::with_cuts()), seed));
    }
}

TEST(RandomModels, OfBooleansOfSumsAndOfGlobalsAreSolvedRightAndCertified) {
    for (const auto seed : seeds(2000)) {
        ASSERT_NO_FATAL_FAILURE(expect_right_and_certified(random_model(seed, Shape::any(seed)), seed));
    }
}

// A position that is recomputed must not know more than the one it stands for: found by a campaign.
TEST(RandomModels, RecomputedPositionsAreTheSame) {
    ASSERT_NO_FATAL_FAILURE(expect_right_and_certified(random_model(192, Shape::any(192)), 192));
    ASSERT_NO_FATAL_FAILURE(expect_right_and_certified(random_model(2793, Shape::with_cuts()), 2793));
}

TEST(RandomModels, CheckingSoundCutsFindsNothingWrong) {
    for (const auto seed : seeds(500)) {
        quantified::SolveOptions options;
        options.check_cuts = true;
        EXPECT_TRUE(solve(random_model(seed, Shape::with_cuts()).build(), options).broken_cuts.empty())
            << "seed " << seed;
    }
}

void expect_best(const model::ModelBuilder& builder, model::Value truth,
                 const quantified::SolveOptions& options) {
    const quantified::Answer answer = maximise(builder.build(), options);
    const auto certified_for = [&](const model::Model& model) {
        const strategy::Verification check = verify(model, answer.strategy);
        EXPECT_TRUE(check.valid) << (check.counterexample ? check.counterexample->text(model) : "");
    };
    if (truth == oracle::nothing) {
        EXPECT_EQ(answer.verdict, quantified::Verdict::lost);
        return certified_for(builder.build());
    }
    EXPECT_EQ(answer.verdict, quantified::Verdict::won);
    ASSERT_TRUE(answer.best);
    // Where ∀ can be left without a move, no value is ever reached.
    if (truth != oracle::everything) {
        EXPECT_EQ(*answer.best, truth);
    }
    model::ModelBuilder reached = builder;
    reached.win(*builder.source().objective >= *answer.best);
    certified_for(reached.build());
}

TEST(RandomModels, TheBestGuaranteedValueIsTheOraclesAndCertified) {
    for (const auto seed : seeds(1000)) {
        Shape shape = seed % 2 == 0 ? Shape::plain() : Shape::with_rules();
        shape.objective = true;
        const model::ModelBuilder builder = random_model(seed, shape);
        const model::Value truth = oracle::best_guaranteed(builder.source());
        for (const auto kernel : {quantified::KernelChoice::trail, quantified::KernelChoice::gecode}) {
            SCOPED_TRACE(fmt::format("seed {}, kernel {}", seed, name(kernel)));
            quantified::SolveOptions options = options_number(seed);
            options.kernel = kernel;
            expect_best(builder, truth, options);
            if (HasFailure()) return;
        }
    }
}

TEST(RandomModels, AllFirstMovesAreExactlyTheWinningOnes) {
    for (const auto seed : seeds(500)) {
        const model::ModelBuilder builder =
            random_model(seed, seed % 2 == 0 ? Shape::plain() : Shape::with_rules());
        const model::Model model = builder.build();
        if (model.prefix.front().quantifier != model::Quantifier::exists) continue;
        quantified::SolveOptions options = options_number(seed);
        options.all_first_moves = true;
        const quantified::Answer answer = solve(model, options);
        const std::set<std::vector<model::Value>> found(answer.first_moves.begin(), answer.first_moves.end());
        ASSERT_EQ(found.size(), answer.first_moves.size()) << "seed " << seed;

        // Each assignment of the first block, tried by itself.
        std::vector<std::vector<model::Value>> plays = {{}};
        for (const model::VarId v : model.prefix.front().variables) {
            std::vector<std::vector<model::Value>> longer;
            for (const auto& play : plays) {
                model.domain(v).each([&](model::Value value) {
                    longer.push_back(play);
                    longer.back().push_back(value);
                });
            }
            plays = std::move(longer);
        }
        for (const auto& play : plays) {
            model::Source fixed = builder.source();
            for (std::size_t i = 0; i < play.size(); ++i) {
                fixed.variables[fixed.blocks.front().variables[i]].domain = model::Domain(play[i], play[i]);
            }
            ASSERT_EQ(oracle::won(fixed), found.contains(play)) << "seed " << seed;
        }
    }
}

// A mutation may leave a strategy winning, when the changed value wins too; the oracle of the check is then
// silent. What must never pass is a universal value that is missing, or a strategy of the loser.
TEST(RandomModels, AStrategyWithoutAnAnswerToALegalMoveIsRejected) {
    std::size_t rejected = 0;
    const auto drawn = seeds(1000);
    for (const auto seed : drawn) {
        const model::Model model = random_model(seed).build();  // without rules every value is legal
        // A search that learns skips moves that do not matter, and leaves fewer to be rejected.
        quantified::SolveOptions options;
        options.learning = quantified::Learning::off;
        strategy::Strategy strategy = quantified::solve(model, options).strategy;
        for (strategy::StrategyNode& node : strategy.nodes) {
            if (node.variable < 0 || node.edges.empty()) continue;
            const auto block =
                std::find_if(model.prefix.begin(), model.prefix.end(), [&](const model::Block& b) {
                    return std::find(b.variables.begin(), b.variables.end(), node.variable) !=
                           b.variables.end();
                });
            if (block->quantifier == strategy.owner) continue;
            node.edges.front().values.erase(node.edges.front().values.begin());
            if (node.edges.front().values.empty()) node.edges.erase(node.edges.begin());
            EXPECT_FALSE(verify(model, strategy).valid) << "seed " << seed;
            ++rejected;
            break;
        }
    }
    EXPECT_GT(rejected, drawn.size() * 3 / 10);
}

TEST(RandomModels, AStrategyForTheLoserIsRejected) {
    for (const auto seed : seeds(500)) {
        const model::Model model =
            random_model(seed, seed % 2 == 0 ? Shape::plain() : Shape::with_rules()).build();
        strategy::Strategy strategy = quantified::solve(model).strategy;
        strategy.owner = strategy.owner == model::Quantifier::exists ? model::Quantifier::forall
                                                                     : model::Quantifier::exists;
        EXPECT_FALSE(verify(model, strategy).valid) << "seed " << seed;
    }
}

}  // namespace
}  // namespace zermelo
