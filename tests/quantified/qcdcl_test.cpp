// QCDCL: the verdict is brute force's, also under assumptions, and every strategy stands up to the checker.

#include "quantified/qbf/qcdcl.hpp"

#include <gtest/gtest.h>

#include <set>
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
    std::uint64_t skipped = 0;
    const auto drawn = seeds(4000);
    for (const auto seed : drawn) {
        const std::string text = oracle::random_qbf_with_gates(seed);
        const model::Model model = formula_of(text);
        const bool truth = oracle::is_true(text);
        won += truth ? 1 : 0;
        for (const bool pure : {false, true}) {
            SCOPED_TRACE("seed " + std::to_string(seed) + (pure ? ", pure literals\n" : "\n") + text);
            quantified::SolveOptions options;
            options.pure_values = pure;
            const quantified::Answer answer = quantified::solve_by_learning(model, options);
            ASSERT_EQ(answer.verdict, truth ? quantified::Verdict::won : quantified::Verdict::lost);
            ASSERT_FALSE(answer.uncertified);
            const strategy::Verification check = verify(model, answer.strategy);
            ASSERT_TRUE(check.valid) << (check.counterexample ? check.counterexample->text(model) : "");
            skipped += answer.statistics.pure;
        }
    }
    EXPECT_GT(skipped, drawn.size() / 10);
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
        quantified::Qcdcl solver(circuit, {}, seed % 2 == 0);
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

// Clauses over eight variables; literals become true and open again, in random order as on a trail.
TEST(Qcdcl, PureLiteralsAreThoseInNoOpenClause) {
    std::size_t pure = 0;
    for (const auto seed : seeds(500)) {
        Random random(seed);
        std::vector<std::vector<std::uint32_t>> clauses(random.between(1, 12));
        quantified::PureLiterals literals;
        for (auto& clause : clauses) {
            for (auto size = random.between(1, 4); size > 0; --size)
                clause.push_back(static_cast<std::uint32_t>(random.below(16)));
            literals.add(clause, [](std::uint32_t) { return true; });
        }
        std::vector<int> values(8);
        const auto value = [&](std::uint32_t l) { return l % 2 == 0 ? values[l / 2] : -values[l / 2]; };
        const auto occurs = [&](std::uint32_t l) {
            return std::ranges::any_of(clauses, [&](const auto& clause) {
                return std::ranges::find(clause, l) != clause.end() &&
                       std::ranges::none_of(clause, [&](std::uint32_t other) { return value(other) > 0; });
            });
        };
        std::vector<std::uint32_t> trail;
        for (int step = 0; step < 40; ++step) {
            if (trail.size() == values.size() || (!trail.empty() && random.chance(0.3))) {
                for (auto n = random.between(1, static_cast<std::int64_t>(trail.size())); n > 0; --n) {
                    values[trail.back() / 2] = 0;
                    trail.pop_back();
                }
                continue;
            }
            auto l = static_cast<std::uint32_t>(random.below(16));
            while (value(l) != 0) l = static_cast<std::uint32_t>(random.below(16));
            std::set<std::uint32_t> expected;
            for (std::uint32_t other = 0; other < 16; ++other) {
                if (value(other) == 0 && other / 2 != l / 2 && occurs(other)) expected.insert(other);
            }
            values[l / 2] = l % 2 == 0 ? 1 : -1;
            trail.push_back(l);
            std::erase_if(expected, [&](std::uint32_t other) { return occurs(other); });
            std::set<std::uint32_t> found;
            literals.satisfied(l, value, [&](std::uint32_t gone) { found.insert(gone); });
            ASSERT_TRUE(std::ranges::includes(found, expected)) << "seed " << seed << ", step " << step;
            ASSERT_TRUE(std::ranges::none_of(found, occurs)) << "seed " << seed << ", step " << step;
            pure += expected.size();
        }
    }
    EXPECT_GT(pure, 0);
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
