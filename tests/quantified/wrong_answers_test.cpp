// Answers that another solver of this kind gave wrongly; each is a fact that ours must get right.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "model/flatzinc/flatzinc.hpp"
#include "model/qdimacs.hpp"
#include "quantified/certified.hpp"
#include "quantified/random_flatzinc.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "support/nim.hpp"
#include "support/oracle.hpp"
#include "support/search_options.hpp"

namespace zermelo {
namespace {

quantified::Verdict verdict_of_qbf(const std::string& text) {
    std::istringstream in(text);
    return verdict(model::read_qdimacs(in, "test.qdimacs"));
}

// Nim as a formula for five matches, perhaps with the cut that was written for four. The winning condition
// refutes that cut before it can fire; so there is a second one, which claims that taking one match wins.
model::Model nim_five(bool cut_for_four, bool cut_for_one) {
    model::ModelBuilder game("nim-5");
    const auto turns = nim_turns(game, 5, 5);
    model::BoolExpr formula = false;
    for (int t = 4; t >= 0; --t)
        formula = t % 2 == 0 ? turns[t].rule && formula : implies(turns[t].rule, formula);
    game.win(formula);
    const auto& x1 = turns[0].move;
    const auto& y1 = turns[1].move;
    const auto& x2 = turns[2].move;
    const auto& y2 = turns[3].move;
    if (cut_for_four) game.cut({x2 <= 2 * y1, x1 + y1 + x2 <= 4}, y2 <= 2 * x2 && x1 + y1 + x2 + y2 <= 4);
    if (cut_for_one) game.cut({x1 == 1}, false);
    return game.build();
}

TEST(WrongAnswers, FibonacciNimWithFiveMatchesIsLostEvenWithTheCutForFour) {
    EXPECT_EQ(verdict(nim_with_rules(5).build()), quantified::Verdict::lost);
    EXPECT_EQ(verdict(nim_five(false, false)), quantified::Verdict::lost);
    EXPECT_EQ(verdict(nim_five(true, false)), quantified::Verdict::lost);
}

TEST(WrongAnswers, AWrongCutIsObeyedButExposedByTheCheckOfCutsAndByTheVerifier) {
    const model::Model model = nim_five(false, true);
    const quantified::Answer believed = quantified::solve(model);
    EXPECT_EQ(believed.verdict, quantified::Verdict::won);
    EXPECT_FALSE(verify(model, believed.strategy).valid);

    quantified::SolveOptions options;
    options.check_cuts = true;
    const quantified::Answer checked = solve(model, options);
    EXPECT_EQ(checked.verdict, quantified::Verdict::lost);
    EXPECT_FALSE(checked.broken_cuts.empty());
    EXPECT_TRUE(verify(model, checked.strategy).valid);
}

TEST(WrongAnswers, AFalseQuantifiedFormulaIsFalseAlthoughItIsSatisfiable) {
    EXPECT_EQ(verdict_of_qbf("p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n1 -2 0\n"), quantified::Verdict::lost);
}

TEST(WrongAnswers, ForEveryXThereIsAnEqualY) {
    EXPECT_EQ(verdict_of_qbf("p cnf 2 2\na 1 0\ne 2 0\n-1 2 0\n1 -2 0\n"), quantified::Verdict::won);
}

TEST(WrongAnswers, AUniversalTautologyIsTrue) {
    EXPECT_EQ(verdict_of_qbf("p cnf 2 2\na 1 2 0\n1 -1 0\n-2 1 2 0\n"), quantified::Verdict::won);
}

TEST(WrongAnswers, AUniversalVariableKeepsTheHolesOfItsDomain) {
    model::ModelBuilder game;
    const auto x = game.forall("x", model::Domain{0, 2});
    game.require(x == 0);
    EXPECT_EQ(verdict(game.build()), quantified::Verdict::lost);

    model::ModelBuilder other;
    const auto y = other.forall("y", model::Domain{0, 2});
    other.require(y != 1);
    EXPECT_EQ(verdict(other.build()), quantified::Verdict::won);
}

TEST(WrongAnswers, AuxiliaryVariablesThatNothingDefinesAreChecked) {
    // ∃x, and three further variables that must differ pairwise but have only two values.
    model::Model model;
    const model::VarId x = model.add_variable("x", model::Domain(0, 1));
    model.prefix.push_back({model::Quantifier::exists, {x}, std::nullopt});
    std::vector<model::VarId> triangle;
    for (const char* name : {"a", "b", "c"})
        triangle.push_back(model.add_variable(name, model::Domain(0, 1)));
    for (int i = 0; i < 3; ++i) {
        const model::Linear differ{
            {{1, triangle[i]}, {-1, triangle[(i + 1) % 3]}}, model::Relation::different, 0, std::nullopt};
        model.constraints.push_back({differ});
    }
    EXPECT_EQ(verdict(model), quantified::Verdict::lost);
}

TEST(WrongAnswers, TheStrategyHoldsForcedVariablesWithLegalValuesOnly) {
    model::ModelBuilder game;
    const auto x = game.exists("x", 0, 9);
    const auto y = game.forall("y", 0, 1);
    const auto z = game.exists("z", 0, 9);
    game.require(z == x + y);
    game.require(x == 4);
    const model::Model model = game.build();
    const quantified::Answer answer = quantified::solve(model);
    ASSERT_EQ(answer.verdict, quantified::Verdict::won);
    ASSERT_TRUE(verify(model, answer.strategy).valid);
    const strategy::Strategy full = completed(model, answer.strategy);
    const auto& first = full.nodes[full.root];
    EXPECT_EQ(first.variable, 0);
    EXPECT_EQ(first.edges, (std::vector<strategy::Edge>{{{4}, first.edges.front().to}}));
    const auto& theirs = full.nodes[first.edges.front().to];
    ASSERT_EQ(theirs.edges.size(), 2);
    for (const strategy::Edge& edge : theirs.edges) {
        const auto& last = full.nodes[edge.to];
        EXPECT_EQ(last.variable, 2);
        EXPECT_EQ(last.edges.front().values, std::vector<model::Value>{4 + edge.values.front()});
    }
}

// Gecode 6.2 alone finds no y.
TEST(WrongAnswers, DisequalitiesOfBooleansWithCoefficientsLeaveTheOtherValue) {
    for (const auto kernel : {quantified::KernelChoice::trail, quantified::KernelChoice::gecode}) {
        quantified::SolveOptions options;
        options.kernel = kernel;
        model::ModelBuilder one("one");
        const auto x = one.forall("x", {0, 1});
        const auto y = one.exists("y", {0, 1});
        one.require(2 * y != 1);
        one.require(y <= x);
        EXPECT_EQ(solve(one.build(), options).verdict, quantified::Verdict::won);
        model::ModelBuilder two("two");
        const auto z = two.forall("z", {0, 1});
        const auto p = two.exists("p", {0, 1});
        const auto q = two.also("q", {0, 1});
        two.require(2 * p + 2 * q != 2);
        two.require(p == z);
        EXPECT_EQ(solve(two.build(), options).verdict, quantified::Verdict::won);
    }
}

// Found by FlatZinc models drawn at random: eight of 1,573 had these disequalities, and a wrong answer.
TEST(WrongAnswers, RandomFlatZincOfDisequalitiesOfBooleansIsSolvedRightAndCertified) {
    std::size_t won = 0;
    const auto drawn = seeds(1600);
    for (const auto seed : drawn) {
        const RandomFlatZinc random(seed);
        std::istringstream in(random.text());
        const model::Model model = model::read_flatzinc(in, "random.fzn");
        const bool truth = oracle::won(random.game.source());
        won += truth ? 1 : 0;
        for (const auto kernel : {quantified::KernelChoice::trail, quantified::KernelChoice::gecode}) {
            SCOPED_TRACE(fmt::format("seed {}, kernel {}\n{}", seed, name(kernel), random.text()));
            quantified::SolveOptions options = options_number(seed);
            options.kernel = kernel;
            const quantified::Answer answer = certified(model, options);
            ASSERT_EQ(answer.verdict, truth ? quantified::Verdict::won : quantified::Verdict::lost);
            ASSERT_FALSE(HasFailure());
        }
    }
    EXPECT_GT(won, drawn.size() / 8);
    EXPECT_LT(won, drawn.size() * 7 / 8);
}

TEST(WrongAnswers, ATimeLimitIsNotALostGame) {
    quantified::SolveOptions options;
    options.limits = Limits(0.0, std::nullopt);
    const quantified::Answer answer = solve(nim_with_rules(34).build(), options);
    EXPECT_EQ(answer.verdict, quantified::Verdict::unknown);
    EXPECT_EQ(answer.stop, Stop::time);
}

}  // namespace
}  // namespace zermelo
