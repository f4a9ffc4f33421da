// Whatever phase a limit ends, from grounding to the plan, the answer is that it was reached, and work ends soon. Limits are
// counted in questions here, so that nothing depends on a clock.

#include <gtest/gtest.h>

#include "game/connect_four.hpp"
#include "game/solve.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/shipped.hpp"

namespace zermelo::game {
namespace {

std::optional<gdl::Game> read_within(const gdl::Description& description, std::uint64_t questions) {
    try {
        return gdl::Game(description, {.limits = Limits::after_questions(questions)});
    } catch (const LimitReached& limit) {
        EXPECT_EQ(limit.stop(), Stop::time);
        return std::nullopt;
    }
}

// The least number of questions, of 0, 1, 2, 4 …, with which it is done; `fails` looks at what less does.
template <class Done>
std::uint64_t questions_needed(const Done& done) {
    if (done(0)) return 0;
    std::uint64_t questions = 1;
    while (!done(questions)) questions *= 2;
    return questions;
}

TEST(LimitsOfSetUp, AreAskedAboutInEveryPhaseOfReading) {
    for (const char* name : {"chess", "othello", "amazons-torus", "checkers", "hex"}) {
        const gdl::Description description = gdl::read(shipped(name));
        std::size_t inputs = 0;
        const auto questions = questions_needed([&](std::uint64_t n) {
            const auto game = read_within(description, n);
            if (game) inputs = game->machine().network().inputs.size();
            return game.has_value();
        });
        constexpr std::size_t inputs_between_questions = 8192;
        EXPECT_GE(questions * inputs_between_questions, inputs) << name;
    }
}

// Two threads at most look at 64 successors between two questions.
TEST(LimitsOfSolving, EndEveryEngineWhereverTheyStrike) {
    const gdl::Game game = connect_four(4, 4);
    for (const Engine engine : {Engine::attractors, Engine::alpha_beta, Engine::proof_number}) {
        for (const bool compiled : {true, false}) {
            if (!compiled && engine == Engine::attractors) continue;
            const auto solved = [&](std::uint64_t questions) {
                SolveOptions options;
                options.engine = engine;
                options.compiled = compiled;
                options.threads = 2;
                options.limits = Limits::after_questions(questions);
                try {
                    const Solution solution = solve(game, options);
                    if (solution.stop == Stop::none) {
                        EXPECT_TRUE(solution.solved) << name(engine);
                        EXPECT_EQ(solution.values, (std::vector<int>{50, 50})) << name(engine);
                        return true;
                    }
                    EXPECT_EQ(solution.stop, Stop::time) << name(engine);
                    EXPECT_LE(solution.statistics.peeks, 64 * (questions + 2)) << name(engine);
                } catch (const LimitReached& limit) {  // before there was a position to tell about
                    EXPECT_EQ(limit.stop(), Stop::time) << name(engine);
                }
                return false;
            };
            EXPECT_GT(questions_needed(solved), 16U) << name(engine);
        }
    }
}

TEST(LimitsOfSolving, BoundTheTablesByMemory) {
    constexpr std::size_t megabyte = std::size_t{1} << 20;
    for (const Engine engine : {Engine::alpha_beta, Engine::proof_number}) {
        const gdl::Game game = engine == Engine::alpha_beta ? connect_four(5, 5) : connect_four(5, 4);
        SolveOptions options;
        options.engine = engine;
        options.plans = false;
        options.threads = 1;
        // Where there is no room for a larger table it forgets, and the search goes on.
        options.limits = Limits(std::nullopt, resident_bytes() + 30 * megabyte);
        const Solution solution = solve(game, options);
        ASSERT_EQ(solution.stop, Stop::none) << name(engine);
        EXPECT_EQ(solution.values, (std::vector<int>{50, 50})) << name(engine);
    }
}

}  // namespace
}  // namespace zermelo::game
