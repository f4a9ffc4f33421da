// A kernel that answers wrongly. No model is known on which one does, so the wrong answer is made here: the
// loser's name on the winner's strategy.

#include "solve/second_opinion.hpp"

#include <gtest/gtest.h>

#include "model/builder.hpp"

namespace zermelo {
namespace {

using quantified::KernelChoice;

// ∃x ∀y: x + y ≤ 4, with both in 1 … 3, is won by x = 1; without x = 1 it is lost.
Problem small_game(bool won) {
    model::ModelBuilder game(won ? "won" : "lost");
    const auto x = game.exists("x", won ? 1 : 2, 3);
    const auto y = game.forall("y", 1, 3);
    game.win(x + y <= 4);
    return {"small", std::make_shared<const model::Model>(game.build())};
}

quantified::Answer turned_around(quantified::Answer answer) {
    const bool won = answer.verdict == quantified::Verdict::won;
    answer.verdict = won ? quantified::Verdict::lost : quantified::Verdict::won;
    answer.strategy.owner = won ? model::Quantifier::forall : model::Quantifier::exists;
    return answer;
}

struct Asked {
    std::vector<KernelChoice> kernels;
    int refuted = 0;
    CheckedVerdict answer;
};

// Solves with kernels of which those in `wrong` lie, and those in `silent` do not know.
Asked ask(const Problem& problem, KernelChoice first, const std::vector<KernelChoice>& wrong,
          const std::vector<KernelChoice>& silent = {}) {
    Asked asked;
    const auto is_in = [](const std::vector<KernelChoice>& list, KernelChoice kernel) {
        return std::find(list.begin(), list.end(), kernel) != list.end();
    };
    SolveOptions options;
    options.search.kernel = first;
    options.search_model = [&](const model::Model& model, const quantified::SolveOptions& how) {
        asked.kernels.push_back(how.kernel);
        if (is_in(silent, how.kernel)) return quantified::Answer{};
        const quantified::Answer answer = quantified::solve(model, how);
        return is_in(wrong, how.kernel) ? turned_around(answer) : answer;
    };
    asked.answer = solve_checked(problem, options, {}, [&](const CheckedVerdict& one) {
        EXPECT_TRUE(one.refuted());
        ++asked.refuted;
    });
    return asked;
}

TEST(SecondOpinion, IsTheOtherKernelsWhereAStrategyFailsTheCheck) {
    for (const bool won : {true, false}) {
        for (const KernelChoice first : {KernelChoice::trail, KernelChoice::gecode}) {
            const Asked asked = ask(small_game(won), first, {first});
            EXPECT_EQ(asked.kernels, (std::vector{first, other(first)}));
            EXPECT_EQ(asked.refuted, 1);
            EXPECT_EQ(asked.answer.found.outcome, won ? Outcome::won : Outcome::lost);
            ASSERT_TRUE(asked.answer.report);
            EXPECT_TRUE(asked.answer.report->valid);
        }
    }
}

TEST(SecondOpinion, IsNotAskedForWhereTheStrategyStands) {
    const Asked asked = ask(small_game(true), KernelChoice::trail, {KernelChoice::gecode});
    EXPECT_EQ(asked.kernels, std::vector{KernelChoice::trail});
    EXPECT_EQ(asked.refuted, 0);
    EXPECT_FALSE(asked.answer.refuted());
}

TEST(SecondOpinion, LeavesARefutedVerdictWhereBothKernelsAreWrong) {
    const Asked asked =
        ask(small_game(true), KernelChoice::trail, {KernelChoice::trail, KernelChoice::gecode});
    EXPECT_EQ(asked.kernels.size(), 2U);
    EXPECT_EQ(asked.refuted, 2);
    EXPECT_TRUE(asked.answer.refuted());
}

TEST(SecondOpinion, LeavesARefutedVerdictWhereTheOtherKernelDoesNotKnow) {
    const Asked asked =
        ask(small_game(false), KernelChoice::trail, {KernelChoice::trail}, {KernelChoice::gecode});
    EXPECT_EQ(asked.kernels.size(), 2U);
    EXPECT_TRUE(asked.answer.refuted());
}

TEST(SecondOpinion, OfAnEngineWithoutAKernelIsThatOfQuantifiedSearch) {
    SolveOptions options;
    options.engine = Engine::qcdcl;
    ask_otherwise(options);
    EXPECT_EQ(options.engine, Engine::quantified);
    EXPECT_EQ(options.search.kernel, KernelChoice::gecode);
}

}  // namespace
}  // namespace zermelo
