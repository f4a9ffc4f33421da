// Opposite interests are proven where they are, and never where one rare end says otherwise; and the satisfiability of
// clauses that this rests on is that of a truth table.

#include "gdl/proof/constant_sum.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "gdl/proof/clauses.hpp"
#include "support/rare_end.hpp"
#include "support/shipped.hpp"

namespace zermelo::gdl {
namespace {

TEST(ConstantSum, IsProvenOfShippedGames) {
    for (const char* name : {"tic-tac-toe", "connect-four", "nim", "subtraction", "breakthrough-small",
                             "quarto", "knight-through", "ttcc4"}) {
        const Game game = shipped_game(name);
        EXPECT_TRUE(goals_surely_add_up(game.machine(), 100)) << name;
        EXPECT_FALSE(goals_surely_add_up(game.machine(), 90)) << name;
    }
}

TEST(ConstantSum, IsNotProvenWhereOneRareEndIsGoodForBoth) {
    EXPECT_FALSE(goals_surely_add_up(Game(parse(rare_end(100, 100), "rare.kif")).machine(), 100));
    EXPECT_TRUE(goals_surely_add_up(Game(parse(rare_end(40, 60), "rare.kif")).machine(), 100));
    EXPECT_FALSE(goals_surely_add_up(Game(parse(rare_end(40, 60), "rare.kif")).machine(), 90));
}

bool satisfied(const std::vector<std::vector<Literal>>& clauses, std::uint32_t values) {
    return std::ranges::all_of(clauses, [&](const auto& clause) {
        return std::ranges::any_of(
            clause, [&](Literal l) { return ((values >> l.variable() & 1) != 0) != l.negated(); });
    });
}

TEST(ConstantSum, ClausesAreSatisfiableWhereTheTruthTableSaysSo) {
    constexpr std::size_t variables = 9;
    std::array<std::size_t, 2> counts{};
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        Random random(seed);
        Clauses solver;
        for (std::size_t v = 0; v < variables; ++v) (void)solver.variable();
        const auto literal = [&] {
            return Literal(static_cast<std::uint32_t>(random.below(variables)), random.chance(0.5));
        };
        std::vector<std::vector<Literal>> clauses;
        for (std::size_t n = 20 + random.below(30); n > 0; --n) {
            clauses.push_back({literal(), literal(), literal()});
            solver.add(clauses.back());
        }
        for (int question = 0; question < 5;
             ++question) {  // what one question taught must not spoil the next
            std::vector<Literal> assumed;
            for (std::size_t n = random.below(4); n > 0; --n) assumed.push_back(literal());
            auto all = clauses;
            for (const Literal l : assumed) all.push_back({l});
            bool possible = false;
            for (std::uint32_t values = 0; values < 1U << variables; ++values)
                possible = possible || satisfied(all, values);
            const auto expected = possible ? Clauses::Answer::satisfiable : Clauses::Answer::unsatisfiable;
            ASSERT_EQ(solver.solve(assumed, 1'000'000), expected) << "seed " << seed;
            ++counts[possible];
        }
    }
    EXPECT_GT(counts[0], 300U);
    EXPECT_GT(counts[1], 300U);
}

}  // namespace
}  // namespace zermelo::gdl
