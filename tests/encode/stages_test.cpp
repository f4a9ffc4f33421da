// Games with chance as stochastic models with a stage for each turn: the engine expects what the rules say.

#include "encode/stages.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "core/random.hpp"
#include "game/chance/solve.hpp"
#include "gdl/syntax/parse.hpp"
#include "model/flatzinc/minizinc.hpp"
#include "stochastic/model.hpp"
#include "stochastic/solve.hpp"
#include "support/shipped.hpp"

namespace zermelo::encode {
namespace {

using stochastic::Rational;
using stochastic::Rationals;

// By the machine: each player takes the move that is best for itself, chance all of its moves alike.
class Expectation {
public:
    explicit Expectation(const gdl::Game& game) : game_(game), runner_(game.machine()) {}

    Rationals of(const gdl::State& state, std::size_t moves) {
        const auto chance = chance_of(game_);
        const std::size_t roles = game_.machine().roles();
        runner_.load(state);
        if (runner_.terminal() || moves == 0) {
            Rationals goals;
            for (std::size_t r = 0; r < roles; ++r) {
                const int goal = runner_.terminal() ? std::max(runner_.goal(r), 0) : 0;
                if (r != chance) goals.push_back(Rational(goal) / 100);
            }
            return goals;
        }
        std::vector<std::vector<gdl::MoveId>> legal(roles);
        std::size_t mover = 0;
        for (std::size_t r = 0; r < roles; ++r) {
            runner_.legal(r, legal[r]);
            if (r != chance && legal[r].size() > 1) mover = r;
        }
        const std::size_t player = mover - (chance && *chance < mover ? 1 : 0);
        std::optional<Rationals> best;
        for (const gdl::MoveId move : legal[mover]) {
            Rationals mean(roles - (chance ? 1 : 0), 0);
            const auto dice = chance ? legal[*chance] : std::vector<gdl::MoveId>{0};
            for (const gdl::MoveId die : dice) {
                gdl::JointMove joint;
                for (std::size_t r = 0; r < roles; ++r)
                    joint.push_back(r == mover ? move : r == chance ? die : legal[r].front());
                gdl::State next;
                runner_.load(state);
                runner_.play(joint);
                runner_.next(next);
                const Rationals value = of(next, moves - 1);
                for (std::size_t p = 0; p < mean.size(); ++p) mean[p] += value[p] / dice.size();
            }
            if (!best || mean[player] > (*best)[player]) best = mean;
        }
        return *best;
    }

private:
    const gdl::Game& game_;
    gdl::Runner runner_;
};

Rationals by_model(const gdl::Game& game, std::size_t horizon) {
    UnrollOptions options;
    options.horizon = horizon;
    options.several = true;
    std::ostringstream text;
    write_stages(text, game, unroll(game, game.machine().initial(), options));
    model::MiniZincOptions reading;
    reading.library = std::string(ZERMELO_SOURCE_DIR) + "/share/minizinc/zermelo";
    const auto model = stochastic::from_flat(model::read_minizinc_text(text.str(), "stages.mzn", reading));
    stochastic::SolveOptions best;
    best.question = stochastic::Question::best;
    return stochastic::solve(model, best).policy->utilities;
}

TEST(Stages, TicTacToeTwoByTwoIsWorthAQuarter) {
    const gdl::Game game(std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/tic-tac-toe-2x2.kif");
    EXPECT_EQ(by_model(game, 3), (Rationals{Rational(1) / 4}));
}

// A token on five places: two moves of the player, dice whose sides depend on the place, an end that a place
// or the last step brings.
// The player sees the side, or only whether it is odd; then the place itself is hidden, too.
std::string random_walk(std::uint64_t seed, bool hidden = false) {
    Random random(seed);
    std::ostringstream rules;
    rules << "(role p) (role random) (init (at 0)) (init (step 0))\n"
             "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)\n"
             "(<= (legal p ?m) (true (at ?s)) (way ?s ?m))\n"
             "(<= (legal random ?d) (true (at ?s)) (side ?s ?d))\n"
             "(<= (next (at ?t)) (true (at ?s)) (does p ?m) (does random ?d) (leads ?s ?m ?d ?t))\n"
             "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n"
          << (hidden ? "(<= (sees p odd) (does random ?d) (odd ?d)) (odd 1) (odd 3)\n"
                     : "(<= (sees p ?d) (does random ?d))\n")
          << "(<= terminal (true (at 4))) (<= terminal (true (step 3)))\n"
             "(<= (goal p ?v) (true (at ?s)) (value ?s ?v)) (goal random 0)\n";
    for (int s = 0; s < 5; ++s) {
        rules << "(value " << s << " " << random.below(5) * 25 << ") (way " << s << " a)";
        if (hidden || random.below(3) > 0) rules << " (way " << s << " b)";
        rules << " (side " << s << " " << random.below(3) << ") (side " << s << " 3)\n";
        for (const char* m : {"a", "b"}) {
            for (int d = 0; d < 4; ++d)
                rules << "(leads " << s << " " << m << " " << d << " " << random.below(5) << ")";
        }
    }
    return rules.str();
}

TEST(Stages, AgreesWithBackwardInductionOnRandomGames) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const gdl::Game game(gdl::parse(random_walk(seed), "walk.kif"));
        for (const std::size_t horizon : {2U, 3U}) {
            ASSERT_EQ(by_model(game, horizon), Expectation(game).of(game.machine().initial(), horizon))
                << "seed " << seed << ", horizon " << horizon;
        }
    }
}

// Theorem 1 of Koriche et al. (2016): beside value iteration over beliefs, which shares no code with models.
TEST(Stages, WhatAllPlayersDoNotSeeComesAfterTheirDecisions) {
    const std::string games = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    const gdl::Game monty(games + "monty-hall.kif");
    EXPECT_EQ(by_model(monty, 3), (Rationals{Rational(2) / 3}));
    std::size_t worth_less = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const gdl::Game game(gdl::parse(random_walk(seed, true), "walk.kif"));
        const Rationals by_beliefs = {game::solve_chance(game).values.front().low / 100};
        ASSERT_EQ(by_model(game, 3), by_beliefs) << "seed " << seed;
        if (by_beliefs.front() < Expectation(game).of(game.machine().initial(), 3).front()) ++worth_less;
    }
    EXPECT_GT(worth_less, 0U);  // than if everything were seen
}

// Each sees what the other does, but one of them not the die.
const char* const unequal = R"(
    (role a) (role b) (role random) (init (step 0)) (player a) (player b) (move left) (move right)
    (<= (legal ?r ?m) (true (step 0)) (player ?r) (move ?m) (distinct ?r b))
    (<= (legal b wait) (true (step 0)))
    (<= (legal b ?m) (true (step 1)) (move ?m))
    (<= (legal a wait) (true (step 1)))
    (legal random heads) (legal random tails)
    (<= (next (step 1)) (true (step 0)))
    (<= (next (step 2)) (true (step 1)))
    (<= (next (fell ?x)) (does random ?x) (true (step 0)))
    (<= (next (fell ?x)) (true (fell ?x)))
    (<= (next (said ?m)) (does b ?m) (true (step 1)))
    (<= terminal (true (step 2)))
    (<= (goal ?r 100) (player ?r) (true (fell heads)) (true (said left)))
    (<= (goal ?r 0) (player ?r) (not (true (fell heads))))
    (<= (goal ?r 0) (player ?r) (not (true (said left))))
    (goal random 0)
    (<= (sees ?r (did ?s ?m)) (player ?r) (player ?s) (does ?s ?m))
    (<= (sees a ?x) (does random ?x))
)";

TEST(Stages, RefusesWhatADecisionWouldKnowTooMuchAbout) {
    const std::string games = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    EXPECT_THROW((void)by_model(gdl::Game(games + "rock-paper-scissors-once.kif"), 1), Error);
    EXPECT_THROW((void)by_model(gdl::Game(games + "kuhn-poker.kif"), 6), Error);
    try {
        (void)by_model(gdl::Game(gdl::parse(unequal, "unequal.kif")), 2);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("a and b may see different things"), std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace zermelo::encode
