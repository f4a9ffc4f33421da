// QCDCL: the verdict is brute force's, also under assumptions, and every strategy stands up to the checker.

#include "quantified/qbf/qcdcl.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "model/builder.hpp"
#include "model/qbf/booleanise.hpp"
#include "model/qcir.hpp"
#include "model/qdimacs.hpp"
#include "quantified/qbf/solve.hpp"
#include "strategy/check/verify.hpp"
#include "support/qbf_oracle.hpp"
#include "support/random_model.hpp"

namespace zermelo {
namespace {

model::Model formula_of(const std::string& text) {
    std::istringstream in(text);
    return model::read_qdimacs(in, "formula.qdimacs");
}

TEST(Qcdcl, RandomFormulasAreDecidedAsByBruteForceAndCertified) {
    std::size_t won = 0;
    const auto drawn = seeds(4000);
    for (const auto seed : drawn) {
        const std::string text = oracle::random_qbf_with_gates(seed);
        const model::Model model = formula_of(text);
        const bool truth = oracle::is_true(text);
        won += truth ? 1 : 0;
        const quantified::Answer answer = quantified::solve_by_learning(model);
        ASSERT_EQ(answer.verdict, truth ? quantified::Verdict::won : quantified::Verdict::lost)
            << "seed " << seed << '\n'
            << text;
        ASSERT_FALSE(answer.uncertified) << "seed " << seed;
        const strategy::Verification check = verify(model, answer.strategy);
        ASSERT_TRUE(check.valid) << "seed " << seed << ": "
                                 << (check.counterexample ? check.counterexample->text(model) : "") << '\n'
                                 << text;
    }
    EXPECT_GT(won, drawn.size() / 10);
    EXPECT_LT(won, drawn.size() * 9 / 10);
}

// The formula with some variables replaced by their values, in a prefix of the rest.
bool is_true_under(const model::QuantifiedCircuit& circuit, const std::vector<int>& assumed) {
    model::QuantifiedCircuit rest = circuit;
    std::vector<int> demands = {circuit.output};
    // Assumed variables become outermost ∃ with their value demanded: the same question.
    std::vector<int> outermost;
    for (const int s : assumed) {
        outermost.push_back(std::abs(s));
        demands.push_back(s);
    }
    rest.output = rest.conjunction(demands);
    for (auto& block : rest.prefix)
        std::erase_if(block.variables,
                      [&](int v) { return std::ranges::find(outermost, v) != outermost.end(); });
    rest.prefix.insert(rest.prefix.begin(), {model::Quantifier::exists, outermost});
    return oracle::is_true(rest);
}

// One solver for many assumptions, so that what it learned under some is used under others.
TEST(Qcdcl, AssumptionsAndTheMovesAfterThemAreRight) {
    std::size_t moves = 0;
    const auto drawn = seeds(800);
    for (const auto seed : drawn) {
        const model::QuantifiedCircuit circuit = booleanise(formula_of(oracle::random_qbf_with_gates(seed)));
        quantified::Qcdcl solver(circuit, {});
        Random random(seed);
        for (int i = 0; i < 10; ++i) {
            const std::size_t blocks = circuit.prefix.empty() ? 0 : random.below(circuit.prefix.size());
            std::vector<int> assumed;
            for (std::size_t b = 0; b < blocks; ++b) {
                for (const int v : circuit.prefix[b].variables)
                    assumed.push_back(random.chance(0.5) ? v : -v);
            }
            const bool truth = is_true_under(circuit, assumed);
            const quantified::Qcdcl::Result result = solver.solve(assumed);
            ASSERT_EQ(result.truth, truth) << "seed " << seed << ", " << i;
            moves += result.moves.size();
            assumed.insert(assumed.end(), result.moves.begin(), result.moves.end());
            ASSERT_EQ(is_true_under(circuit, assumed), truth) << "seed " << seed << ", " << i;
        }
    }
    EXPECT_GT(moves, drawn.size() * 5 / 8);
}

TEST(Qcdcl, CircuitsAreSolvedToo) {
    for (const auto& [gate, won] : std::vector<std::pair<std::string, bool>>{{"xor", true}, {"and", false}}) {
        std::istringstream in("#QCIR-14\nforall(x)\nexists(y)\noutput(g)\ng = " + gate + "(x, y)\n");
        const model::Model model = model::read_qcir(in, "formula.qcir");
        const quantified::Answer answer = quantified::solve_by_learning(model);
        EXPECT_EQ(answer.verdict, won ? quantified::Verdict::won : quantified::Verdict::lost);
        EXPECT_TRUE(verify(model, answer.strategy).valid);
    }
}

TEST(Qcdcl, AStrategyThatIsTooLargeIsAdmittedToBeMissing) {
    // y copies x, eight times: the strategy needs a node for every variable.
    std::string text = "p cnf 16 16\n";
    for (int i = 1; i <= 8; ++i) text += "a " + std::to_string(i) + " 0\ne " + std::to_string(i + 8) + " 0\n";
    for (int i = 1; i <= 8; ++i) {
        const auto x = std::to_string(i);
        const auto y = std::to_string(i + 8);
        text += x + " -" + y + " 0\n-" + x + ' ' + y + " 0\n";
    }
    const model::Model model = formula_of(text);
    quantified::SolveOptions options;
    EXPECT_FALSE(quantified::solve_by_learning(model, options).uncertified);
    options.strategy_nodes = 3;
    const quantified::Answer answer = quantified::solve_by_learning(model, options);
    EXPECT_EQ(answer.verdict, quantified::Verdict::won);
    EXPECT_TRUE(answer.uncertified);
}

TEST(Qcdcl, ALimitEndsTheWork) {
    quantified::SolveOptions options;
    options.limits = Limits(0.0, std::nullopt);
    const quantified::Answer answer = quantified::solve_by_learning(
        formula_of("p cnf 3 4\na 1 0\ne 2 3 0\n1 2 3 0\n-1 -2 3 0\n1 -2 -3 0\n-1 2 -3 0\n"), options);
    EXPECT_EQ(answer.verdict, quantified::Verdict::unknown);
    EXPECT_EQ(answer.stop, Stop::time);
}

TEST(Qcdcl, WhatIsNoFormulaIsRefused) {
    model::ModelBuilder numbers("numbers");
    const auto x = numbers.exists("x", 1, 3);
    numbers.win(x == 2);
    EXPECT_THROW((void)quantified::solve_by_learning(numbers.build()), Error);
    model::ModelBuilder rules("rules");
    const auto y = rules.forall("y", 0, 1);
    rules.rule(y == 1);
    rules.win(y == 1);
    EXPECT_THROW((void)quantified::solve_by_learning(rules.build()), Error);
}

}  // namespace
}  // namespace zermelo
