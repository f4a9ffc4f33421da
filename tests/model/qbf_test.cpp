// Models as quantified Boolean formulas, and back: nobody wins what the other has won.

#include <gtest/gtest.h>

#include <sstream>

#include "model/qbf/booleanise.hpp"
#include "model/qbf/gates.hpp"
#include "model/qbf/write.hpp"
#include "model/qcir.hpp"
#include "model/qdimacs.hpp"
#include "model/structure.hpp"
#include "support/oracle.hpp"
#include "support/qbf_oracle.hpp"
#include "support/random_model.hpp"

namespace zermelo {
namespace {

model::Model reread_qdimacs(const std::string& text) {
    std::istringstream in(text);
    return model::read_qdimacs(in, "q.qdimacs");
}

model::Model reread(const model::QuantifiedCircuit& circuit, bool as_clauses) {
    std::stringstream text;
    if (as_clauses) {
        write_qdimacs(text, circuit, "a comment\nof two lines");
        return model::read_qdimacs(text, "q.qdimacs");
    }
    write_qcir(text, circuit, "a comment");
    return model::read_qcir(text, "q.qcir");
}

void expect_the_models_answer(const Shape& shape, std::size_t most) {
    std::size_t won = 0;
    const auto drawn = seeds(most);
    for (const auto seed : drawn) {
        const model::ModelBuilder builder = random_model(seed, shape);
        const bool truth = oracle::won(builder.source());
        won += truth ? 1 : 0;
        const model::QuantifiedCircuit circuit = booleanise(builder.build());
        ASSERT_EQ(oracle::is_true(circuit), truth) << "seed " << seed;
        for (const bool as_clauses : {false, true}) {
            // In a single block of ∃, gates are variables like others, and too many for brute force.
            if (as_clauses && (circuit.prefix.empty() || circuit.prefix.back().variables.front() == 1))
                continue;
            const model::Model again = reread(circuit, as_clauses);
            ASSERT_EQ(oracle::is_true(booleanise(again)), truth) << "seed " << seed << ' ' << as_clauses;
        }
    }
    EXPECT_GT(won, drawn.size() / 10);
    EXPECT_LT(won, drawn.size() * 9 / 10);
}

TEST(Booleanise, RandomModelsHaveTheAnswerOfTheOracle) {
    expect_the_models_answer({.blocks = 4, .variables = 1, .values = 3}, 400);
    expect_the_models_answer({.blocks = 3, .variables = 1, .values = 5}, 200);
}

TEST(Booleanise, RandomModelsWithRulesHaveTheAnswerOfTheOracle) {
    expect_the_models_answer(
        {.blocks = 4, .variables = 1, .values = 3, .exists_rules = true, .forall_rules = true}, 400);
    expect_the_models_answer(
        {.blocks = 3, .variables = 1, .values = 5, .exists_rules = true, .forall_rules = true}, 200);
}

// Six values have two codes of two bits and four of three; no assignment of the bits means nothing.
TEST(Booleanise, EveryAssignmentOfUniversalBitsIsAValue) {
    for (int n = 2; n <= 9; ++n) {
        model::ModelBuilder game("codes");
        const auto y = game.forall("y", 1, n);
        const auto x = game.exists("x", 1, n);
        game.win(x == y);
        const model::QuantifiedCircuit circuit = booleanise(game.build());
        ASSERT_EQ(circuit.prefix.size(), 2U);
        EXPECT_EQ(std::size_t{1} << circuit.prefix[0].variables.size(),
                  std::bit_ceil(static_cast<unsigned>(n)));
        EXPECT_TRUE(oracle::is_true(circuit)) << n;
    }
}

TEST(Booleanise, AnIllegalMoveLosesForWhoeverMakesIt) {
    for (const bool ours : {true, false}) {
        model::ModelBuilder game("stuck");
        const auto x = ours ? game.exists("x", 1, 3) : game.forall("x", 1, 3);
        game.rule(x == 4);
        game.win(ours);
        EXPECT_EQ(oracle::is_true(booleanise(game.build())), !ours);
    }
}

TEST(Booleanise, StrategicModelsAreRefused) {
    model::ModelBuilder game("strategic");
    const auto x = game.exists("x", 1, 3);
    const auto y = game.forall_consistent("y", 1, 3);
    game.require(x != y);
    EXPECT_THROW((void)booleanise(game.build()), Error);
}

TEST(Gates, FormulasKeepTheirAnswer) {
    std::size_t gates = 0;
    std::size_t won = 0;
    const auto drawn = seeds(3000);
    for (const auto seed : drawn) {
        const std::string text = oracle::random_qbf_with_gates(seed);
        const model::Model model = reread_qdimacs(text);
        for (const model::Constraint& constraint : model.constraints) gates += constraint.defines ? 1 : 0;
        const bool truth = oracle::is_true(text);
        won += truth ? 1 : 0;
        ASSERT_EQ(oracle::is_true(booleanise(model)), truth) << "seed " << seed << '\n' << text;
    }
    EXPECT_GT(gates, drawn.size() * 2 / 3);
    EXPECT_GT(won, drawn.size() / 10);
    EXPECT_LT(won, drawn.size() * 9 / 10);
}

TEST(Gates, AreTakenOutOfTheLastBlockOfExists) {
    // 3 ↔ 1 ∧ 2, 4 ↔ 3 ⊕ 1, and 5 is nobody's function.
    const std::string gates = "-3 1 0\n-3 2 0\n3 -1 -2 0\n-4 3 1 0\n-4 -3 -1 0\n4 -3 1 0\n4 3 -1 0\n";
    const std::string matrix = gates + "4 5 0\n5 -1 2 0\n-5 1 -2 0\n-5 2 4 0\n";
    const model::Model model = reread_qdimacs("p cnf 5 11\ne 1 0\na 2 0\ne 3 4 5 0\n" + matrix);
    ASSERT_EQ(model.prefix.size(), 3U);
    ASSERT_EQ(model.prefix[2].variables.size(), 1U);
    EXPECT_EQ(model.name_of(model.prefix[2].variables[0]), "5");
    ASSERT_EQ(model.constraints.size(), 6U);
    const model::Structure structure = analyse(model);
    EXPECT_EQ(structure.definitions.size(), 2U);
    EXPECT_EQ(structure.prefix.size(), 3U);
    // Where the last block is not of ∃, nothing is; nor where it is the first, too: its values are the answer.
    EXPECT_EQ(reread_qdimacs("p cnf 6 11\ne 1 0\na 2 0\ne 3 4 5 0\na 6 0\n" + matrix).constraints.size(),
              11U);
    EXPECT_EQ(reread_qdimacs("p cnf 5 11\ne 1 2 3 4 5 0\n" + matrix).constraints.size(), 11U);
}

// 3 → 1 ∧ 2 and 4 → 3 ∨ 1 where 3 and 4 are otherwise positive; 5 is read in both ways.
TEST(Gates, OneDirectionIsEnoughWhereTheOtherDoesNotMatter) {
    const model::Model model = reread_qdimacs(
        "p cnf 6 7\ne 1 0\na 2 0\ne 3 4 5 6 0\n-3 1 0\n-3 2 0\n-4 3 1 0\n4 5 0\n-5 2 6 0\n-5 -6 0\n5 6 -1 "
        "0\n");
    ASSERT_EQ(model.prefix.size(), 3U);
    for (const model::VarId v : model.prefix[2].variables) {
        EXPECT_NE(model.name_of(v), "3");
        EXPECT_NE(model.name_of(v), "4");
    }
}

// 1 ↔ 2 and 2 ↔ 3 and 3 ↔ 1.
TEST(Gates, DoNotReadEachOtherInACircle) {
    const model::Model model =
        reread_qdimacs("p cnf 4 6\na 4 0\ne 1 2 3 0\n-1 2 0\n1 -2 0\n-2 3 0\n2 -3 0\n-3 1 0\n3 -1 0\n");
    ASSERT_EQ(model.prefix.size(), 2U);
    EXPECT_EQ(model.prefix[1].variables.size(), 1U);
    EXPECT_EQ(analyse(model).prefix.size(), 2U);
    EXPECT_TRUE(oracle::is_true(booleanise(model)));
}

}  // namespace
}  // namespace zermelo
