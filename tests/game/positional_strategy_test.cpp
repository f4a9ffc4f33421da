// Plans of solved games hold, and broken ones are refused.

#include "game/strategy/positional_strategy.hpp"

#include <gtest/gtest.h>

#include <map>

#include "game/plan_meaning.hpp"
#include "game/positional_strategy_cases.hpp"
#include "game/scoped_move.hpp"
#include "game/strategy/follow.hpp"
#include "game/strategy/verify.hpp"
#include "game/views/gdl_game.hpp"

namespace zermelo::game {
namespace {

void expect_meaning(const Graph& graph, const Plan& plan, const std::string& trace) {
    SCOPED_TRACE(trace);
    GraphGame game(graph);
    const PlanVerification verified = verify_plan(game, plan);
    const Meaning meaning(graph, plan);
    ASSERT_EQ(verified.valid, meaning.holds());
    ASSERT_EQ(verified.counterexample.has_value(), !verified.valid);
    if (!verified.valid) return;
    ASSERT_EQ(verified.positions, meaning.reached());
    if (meaning.circular()) {
        ASSERT_EQ(verified.scenarios, "endless");
    } else if (const double plays = meaning.plays(graph.initial); plays < 1e6) {
        ASSERT_EQ(verified.scenarios, std::to_string(static_cast<std::uint64_t>(plays)));
    }
}

TEST(Plan, OfASolvedGraphHolds) {
    std::size_t plans = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        for (const Case& c : cases(seed)) {
            GraphGame game(c.graph);
            const PlanVerification verified = verify_plan(game, c.plan);
            ASSERT_TRUE(verified.valid) << "seed " << seed << ": " << verified.counterexample->text();
            ++plans;
        }
    }
    EXPECT_GT(plans, 1000U);
}

TEST(Plan, HoldsAfterAChangeOnlyIfItsMeaningDoes) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        for (const Case& c : cases(seed)) {
            for (std::size_t i = 0; i < std::min<std::size_t>(c.plan.choices.size(), 12); ++i) {
                for (std::uint32_t move = 0; move < 6; ++move) {
                    Plan changed = c.plan;
                    changed.choices[i] = move;
                    expect_meaning(c.graph, changed,
                                   "seed " + std::to_string(seed) + ", choice " + std::to_string(i));
                }
            }
            Plan changed = c.plan;
            changed.choices.push_back(0);
            expect_meaning(c.graph, changed, "one choice more, seed " + std::to_string(seed));
            changed = c.plan;
            changed.promise = win;
            expect_meaning(c.graph, changed, "a win promised, seed " + std::to_string(seed));
            changed = c.plan;
            changed.owner = static_cast<Player>(c.plan.owner + 1);
            expect_meaning(c.graph, changed, "another owner, seed " + std::to_string(seed));
            if (c.plan.choices.empty()) continue;
            changed = c.plan;
            changed.choices.pop_back();
            expect_meaning(c.graph, changed, "one choice less, seed " + std::to_string(seed));
        }
    }
}

TEST(Plan, ThatCanGoRoundInACirclePromisesADrawAtMost) {
    const Graph graph = circle();
    GraphGame game(graph);
    const PlanVerification drawn = verify_plan(game, {0, draw, {0}});
    EXPECT_TRUE(drawn.valid);
    EXPECT_EQ(drawn.scenarios, "endless");
    const PlanVerification won = verify_plan(game, {0, win, {0}});
    ASSERT_TRUE(won.counterexample);
    EXPECT_EQ(won.counterexample->play.size(), 2U);
    EXPECT_NE(won.counterexample->text().find("circle"), std::string::npos);
}

TEST(Plan, CountsMoreThanTwoToThe64Scenarios) {
    Graph graph;  // a hundred times a choice between two moves that lead to the same state
    graph.players = {"P0", "P1"};
    graph.outcomes = {{win, loss}};
    graph.start = {0};
    for (StateId s = 0; s < 100; ++s) {
        graph.label.push_back(1);
        graph.to.insert(graph.to.end(), {s + 1, s + 1});
        graph.start.push_back(graph.to.size());
    }
    graph.label.push_back(Graph::ended);
    graph.start.push_back(graph.to.size());
    GraphGame game(graph);
    EXPECT_EQ(verify_plan(game, {0, win, {}}).scenarios, "1267650600228229401496703205376");
}

TEST(Plan, MayBeHundredThousandsOfMovesLong) {
    constexpr StateId length = 300'000;
    Graph graph;
    graph.players = {"P0", "P1"};
    graph.outcomes = {{win, loss}};
    graph.start = {0};
    for (StateId s = 0; s < length; ++s) {
        graph.label.push_back(static_cast<Graph::Label>(s % 2));
        graph.to.push_back(s + 1);
        graph.start.push_back(graph.to.size());
    }
    graph.label.push_back(Graph::ended);
    graph.start.push_back(graph.to.size());
    GraphGame game(graph);
    Walker<GraphGame> walk(game);
    const Plan plan = build_plan(walk, 0, win, [](const auto&) { return std::size_t{0}; });
    EXPECT_EQ(plan.choices.size(), length / 2);
    const PlanVerification verified = verify_plan(game, plan);
    EXPECT_TRUE(verified.valid);
    EXPECT_EQ(verified.positions, length + 1);
    EXPECT_EQ(verified.scenarios, "1");
}

TEST(Plan, IsNeitherBuiltNorCheckedAfterTheDeadline) {
    const Graph graph = circle();
    GraphGame game(graph);
    Walker<GraphGame> walk(game);
    const Limits over(0.0, std::nullopt);
    const auto first = [](const auto&) { return std::size_t{0}; };
    EXPECT_THROW((void)build_plan(walk, 0, draw, first, over), LimitReached);
    EXPECT_EQ(walk.state(), graph.initial);
    const PlanVerification verified = verify_plan(game, {0, draw, {0}}, over);
    EXPECT_FALSE(verified.valid);
    EXPECT_EQ(verified.stop, Stop::time);
    EXPECT_FALSE(verified.counterexample);
}

TEST(PlanFollower, GetsWhatIsPromisedInEveryPlay) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        for (const Case& c : cases(seed)) {
            GraphGame game(c.graph);
            const PlanFollower<GraphGame> follower(game, c.plan);
            Random random(seed);
            StateId state = c.graph.initial;
            for (int ply = 0; ply < 1000 && !c.graph.over(state); ++ply) {
                const auto chosen = follower.move(state);
                ASSERT_EQ(chosen.has_value(), c.graph.label[state] == c.plan.owner) << "seed " << seed;
                const auto next = c.graph.successors(state);
                state = next[chosen ? *chosen : random.below(next.size())];
            }
            const int payoff = c.graph.over(state) ? c.graph.payoffs(state)[c.plan.owner] : draw;
            ASSERT_GE(payoff, c.plan.promise) << "seed " << seed;
        }
    }
}

// What the player to move gets, by looking at all plays.
int value(Walker<GdlGame>& walk, Player player, std::map<Hash128, int>& known) {
    if (const auto found = known.find(walk.key()); found != known.end()) return found->second;
    const Turn turn = walk.turn();
    if (turn.over()) return known[walk.key()] = walk.payoff(player);
    const bool ours = turn.player == player;
    int best = ours ? loss : win;
    const Hash128 key = walk.key();
    for (std::size_t m = 0; m < walk.moves(); ++m) {
        walk.make(m);
        const int child = value(walk, player, known);
        walk.unmake();
        best = ours ? std::max(best, child) : std::min(best, child);
    }
    return known[key] = best;
}

TEST(Plan, OfTicTacToeHoldsByTheMachineAndByTheReasoner) {
    const gdl::Game rules(std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/tic-tac-toe.kif");
    GdlGame game(rules);
    gdl::Reasoner reasoner(rules.description());
    ReasonerGame slow(rules.description(), reasoner);
    for (const Player owner : {Player{0}, Player{1}}) {
        Walker<GdlGame> walk(game);
        std::map<Hash128, int> known;
        ASSERT_EQ(value(walk, owner, known), draw);
        const auto choose = [&](Walker<GdlGame>& at) {
            for (std::size_t m = 0; m < at.moves(); ++m) {
                const ScopedMove<Walker<GdlGame>> step(at, m);
                if (value(at, owner, known) >= draw) return m;
            }
            ADD_FAILURE() << "no good move";
            return std::size_t{0};
        };
        const Plan plan = build_plan(walk, owner, draw, choose);
        const PlanVerification by_machine = verify_plan(game, plan);
        const PlanVerification by_reasoner = verify_plan(slow, plan);
        EXPECT_TRUE(by_machine.valid);
        EXPECT_TRUE(by_reasoner.valid);
        EXPECT_EQ(by_machine.positions, by_reasoner.positions);
        EXPECT_EQ(by_machine.scenarios, by_reasoner.scenarios);
        Plan boast = plan;
        boast.promise = win;
        const PlanVerification refuted = verify_plan(game, boast);
        ASSERT_TRUE(refuted.counterexample);
        EXPECT_GE(refuted.counterexample->play.size(), 5U) << refuted.counterexample->text();
    }
}

TEST(PlanTable, RemembersLikeAMap) {
    Random random(1);
    PlanTable table;
    std::map<Hash128, std::uint32_t> map;
    for (std::uint32_t i = 0; i < 50'000; ++i) {
        // Crowded keys, the free one, and keys at both ends of the table.
        const std::uint64_t low = random.chance(0.3) ? random.below(3) - 1 : random.next();
        const Hash128 key{low, random.below(4)};
        if (key == Hash128{0, 1}) continue;
        const auto [at, fresh] = map.try_emplace(key, i);
        const auto met = table.insert(key, i);
        ASSERT_EQ(met.fresh, fresh);
        ASSERT_EQ(met.number, at->second);
        ASSERT_NE(table.find(key), nullptr);
        ASSERT_EQ(table.find({random.next(), 77}), nullptr);
    }
    ASSERT_EQ(table.size(), map.size());
    for (const auto& [key, number] : map) ASSERT_EQ(*table.find(key), number);
}

}  // namespace
}  // namespace zermelo::game
