// Looking ahead in positional games: what it says is so, and no better move is left out.

#include "game/views/positional_walk.hpp"

#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include <map>

#include "core/random.hpp"
#include "game/connect_four.hpp"
#include "game/solve.hpp"
#include "game/strategy/verify.hpp"
#include "game/views/gdl_game.hpp"
#include "game/views/gdl_walk.hpp"
#include "support/random_positional.hpp"

namespace zermelo::game {
namespace {

// What the first player gets, by minimax over all positions.
class Minimax {
public:
    int value(GdlWalk& walk) {
        const Hash128 key = walk.exact_key();
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        const Turn turn = walk.turn();
        if (turn.over()) return walk.payoff(0);
        std::optional<int> best;
        for (std::size_t i = 0; i < walk.moves(); ++i) {
            walk.make(i);
            const int after = value(walk);
            walk.unmake();
            if (!best || (turn.player == 0 ? after > *best : after < *best)) best = after;
        }
        return known_[key] = *best;
    }

private:
    std::map<Hash128, int> known_;
};

void expect_true_foresight(GdlWalk& rules, PositionalWalk& walk, Minimax& minimax, const std::string& name) {
    const Turn turn = rules.turn();
    ASSERT_EQ(walk.turn(), turn) << name;
    if (turn.over()) {
        ASSERT_EQ(walk.payoff(0), rules.payoff(0)) << name;
        return;
    }
    const int value = minimax.value(rules);
    const auto [low, high] = walk.payoff_bounds(0);
    ASSERT_LE(low, value) << name;
    ASSERT_GE(high, value) << name;
    for (const Player player : {Player{0}, Player{1}}) {
        const int own = player == 0 ? value : win - value;
        for (const int payoff : {10, 30, 50, 70, 100}) {
            const auto said = walk.look_ahead(player, payoff);
            if (said) {
                ASSERT_EQ(*said, own >= payoff) << name << ", " << payoff;
                continue;
            }
            std::vector<Candidate> candidates;
            walk.list(candidates);
            walk.weigh(candidates);
            bool reached = false;  // what the mover wants
            for (const Candidate& candidate : candidates) {
                const Peek seen = peek(walk, candidate.move, player);
                ASSERT_EQ(seen.key, candidate.key) << name;
                rules.make(candidate.move);
                walk.make(candidate);
                ASSERT_EQ(walk.state(), rules.state()) << name;
                ASSERT_EQ(walk.key(), candidate.key) << name;
                const int after = player == 0 ? minimax.value(rules) : win - minimax.value(rules);
                reached = reached || (after >= payoff) == (turn.player == player);
                walk.unmake();
                rules.unmake();
            }
            ASSERT_EQ(reached, (own >= payoff) == (turn.player == player)) << name << ", " << payoff;
        }
    }
    for (std::size_t i = 0; i < rules.moves(); ++i) {
        rules.make(i);
        walk.make(i);
        expect_true_foresight(rules, walk, minimax, name);
        walk.unmake();
        rules.unmake();
    }
}

TEST(PositionalWalk, LooksAheadTruly) {
    std::size_t recognised = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const gdl::Game game(gdl::parse(random_positional_game(seed), "random.kif"));
        const auto positional = gdl::PositionalGame::make(game);
        if (positional == nullptr || positional->rules().spots.size() > 6) continue;
        ++recognised;
        PositionalWalk walk(game, positional);
        GdlWalk rules(game);
        Minimax minimax;
        expect_true_foresight(rules, walk, minimax, "random game " + std::to_string(seed));
    }
    EXPECT_GT(recognised, 20U);
}

TEST(PositionalWalk, EnginesAgreeOnRandomGamesAndTheirPlansHold) {
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        const gdl::Game game(gdl::parse(random_positional_game(seed), "random.kif"));
        SolveOptions options;
        options.engine = Engine::attractors;
        options.plans = false;
        const Solution expected = solve(game, options);
        ASSERT_TRUE(expected.solved) << "seed " << seed;
        options.plans = true;
        for (const Engine engine : {Engine::alpha_beta, Engine::proof_number}) {
            for (const unsigned threads : {1U, 2U}) {
                options.engine = engine;
                options.threads = threads;
                const Solution solution = solve(game, options);
                ASSERT_EQ(solution.values, expected.values) << name(engine) << ", seed " << seed;
                GdlGame checker(game);
                for (const Plan& plan : solution.plans)
                    EXPECT_TRUE(verify_plan(checker, plan).valid) << name(engine) << ", seed " << seed;
            }
        }
    }
}

// What solving the whole board rests on: its late positions, by engines that know nothing of lines and spots.
TEST(PositionalWalk, LatePositionsOfTheWholeBoardHaveTheValuesOfTheStepperAndOfAttractors) {
    constexpr std::size_t discs = 30;
    const gdl::Game game = connect_four(7, 6);
    Random random(11);
    std::size_t compared = 0;
    while (compared < 12) {
        GdlGame rules(game);
        GdlGame::State state = rules.initial();
        SolveOptions options;
        options.plans = false;
        options.every_move = true;
        rules.look(state);
        while (options.line.size() < discs && !rules.turn().over()) {
            const std::size_t move = random.below(rules.moves());
            options.line.push_back(rules.move_name(move));
            GdlGame::State next;
            rules.successor(move, next);
            state = next;
            rules.look(state);
        }
        if (rules.turn().over()) continue;
        ++compared;
        std::vector<std::vector<std::vector<int>>> values;
        for (const Engine engine : {Engine::attractors, Engine::alpha_beta, Engine::proof_number}) {
            for (const bool compiled : {true, false}) {
                options.engine = engine;
                options.compiled = compiled;
                const Solution solution = solve(game, options);
                auto& of_moves = values.emplace_back(1, solution.values);
                for (const MoveReport& report : solution.moves) of_moves.push_back(report.values);
            }
        }
        for (const auto& other : values)
            EXPECT_EQ(other, values.front()) << fmt::format("{}", fmt::join(options.line, " "));
    }
}

TEST(PositionalWalk, SpotsThatLoseAreNotTried) {
    const gdl::Game game = connect_four(5, 5);
    SolveOptions options;
    options.engine = Engine::alpha_beta;
    options.threads = 1;
    options.plans = false;
    const Solution ahead = solve(game, options);
    options.compiled = false;
    const Solution stepped = solve(game, options);
    EXPECT_EQ(ahead.values, stepped.values);
    EXPECT_LT(ahead.statistics.nodes * 2, stepped.statistics.nodes);
}

}  // namespace
}  // namespace zermelo::game
