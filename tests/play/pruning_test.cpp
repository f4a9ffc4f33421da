// The prunings of MAC-UCB while it plays: a turn that is resolved again with a threshold has exactly the solutions that may
// still reach it, P″ and MAC leave the others out, and the values that are found stay the same.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "mac_ucb_searching.hpp"

namespace zermelo::play {
namespace {

// A turn that was resolved at θ = 0, and the micro-SCSPs that it leads to.
struct Resolved {
    Resolved(Resolution& resolution, const State& state) : node{.states = {{state, 1}}} {
        const auto place = [&](MicroNode&& one) {
            next.push_back(std::move(one));
            return static_cast<MicroId>(next.size() - 1);
        };
        EXPECT_TRUE(resolution.resolve(node, place, {}));
    }

    MicroNode node;
    std::vector<MicroNode> next;
};

// In eighths, so that sums are exact; of a state, drawn by its hash.
double drawn_bound(const State& state) { return 0.125 * static_cast<double>(gdl::hash(state).low % 9); }

TEST(Resolution, AgainHasTheSolutionsThatMayReachTheThreshold) {
    std::uint64_t rejected = 0;
    std::uint64_t kept = 0;
    for (const std::string name : {"tic-tac-toe", "dice-race", "pig", "einstein", "subtraction"}) {
        const Loaded loaded(name);
        const GameContext& rules = loaded.rules;
        const scsp::TurnProgram program(rules.machine(), {}, {.most_work = 100'000});
        Resolution resolution(rules, program, rules.seats().front());
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            SCOPED_TRACE(name + " seed " + std::to_string(seed));
            const Resolved turn(resolution, random_state(rules, seed, seed));
            const MicroNode& node = turn.node;
            if (!node.resolved || node.choosers.size() != 1) continue;
            const std::size_t seat = node.choosers.front().seat;
            Random random(seed);
            std::vector<bool> removed;
            for (std::size_t i = 0; i < node.solutions.size(); ++i) removed.push_back(random.below(4) == 0);
            for (const double threshold : {0.0, 0.2, 0.5, 0.75, 1.0}) {
                std::vector<bool> expected;
                std::size_t dropped = 0;
                for (std::size_t i = 0; i < node.solutions.size(); ++i) {
                    double most = 0;
                    for (const auto& outcome : node.outcomes_of(node.solutions[i])) {
                        const MicroNode& after = turn.next[outcome.child];
                        most += outcome.probability *
                                (after.over ? after.value[seat] : drawn_bound(after.states.front().state));
                    }
                    expected.push_back(!removed[i] && most >= threshold - tolerance);
                    dropped += !removed[i] && !expected.back() ? 1 : 0;
                }
                const Resolution::Counts before = resolution.counts();
                EXPECT_EQ(resolution.resolve_again(node, {threshold, drawn_bound, removed}), expected);
                const Resolution::Counts& after = resolution.counts();
                // What P″ drops is not assigned: MAC makes one assignment for each solution that is left.
                EXPECT_EQ(after.rejected - before.rejected, dropped);
                const auto left = static_cast<std::uint64_t>(std::ranges::count(expected, true));
                EXPECT_EQ(after.assignments - before.assignments, left);
                rejected += dropped;
                kept += left;
            }
        }
    }
    EXPECT_GT(rejected, 100U);
    EXPECT_GT(kept, 100U);
}

// Three turns with four moves and three throws each: who gets what in the end is random.
gdl::Description random_dice_game(std::uint64_t seed) {
    constexpr int moves = 4;
    constexpr int throws = 3;
    Random random(seed);
    std::string text =
        "(role a) (role b) (role random) (player a) (player b) (init (at 0 c0))"
        "(then 0 1) (then 1 2) (then 2 3) (mover 0 a) (mover 1 b) (mover 2 a)"
        "(<= (legal ?r ?m) (true (at ?t ?c)) (mover ?t ?r) (move ?m))"
        "(<= (legal ?r wait) (player ?r) (true (at ?t ?c)) (mover ?t ?s) (distinct ?r ?s))"
        "(<= (legal random ?x) (side ?x))"
        "(<= (next (at ?u ?d)) (true (at ?t ?c)) (then ?t ?u) (mover ?t ?r) (does ?r ?m) (does random ?x)"
        "    (step ?c ?m ?x ?d))"
        "(<= terminal (true (at 3 ?c))) (<= (goal ?r ?v) (true (at 3 ?c)) (worth ?c ?r ?v))";
    for (int m = 0; m < moves; ++m) text += "(move m" + std::to_string(m) + ")";
    for (int x = 0; x < throws; ++x) text += "(side x" + std::to_string(x) + ")";
    int last = 0;
    int inner = 1;
    for (int turn = 0, width = 1; turn < 2; ++turn) inner += width *= moves * throws;
    for (int c = 0; c < inner; ++c) {
        for (int m = 0; m < moves; ++m) {
            for (int x = 0; x < throws; ++x) text += fmt::format("(step c{} m{} x{} c{})", c, m, x, ++last);
        }
    }
    for (int c = inner; c <= last; ++c) {
        const auto goal = 25 * random.below(5);
        text += fmt::format("(worth c{} a {})(worth c{} b {})", c, goal, c, 100 - goal);
    }
    return gdl::parse(text, "dice");
}

// Without pruning, every solution is explored to all ends; with it, fewer turns are resolved, and the values are those of
// brute force.
TEST(MacUcb, FilteringWhileItPlaysSavesTurnsAndKeepsTheValues) {
    std::uint64_t all = 0;
    std::map<std::pair<unsigned, unsigned>, std::uint64_t> resolved;  // by pruning and symmetry
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Loaded loaded(random_dice_game(seed));
        const State first = loaded.rules.machine().initial();
        Brute brute(loaded.rules);
        const auto value = brute.value(first);
        for (const unsigned symmetry : {0U, 1U}) {
            for (const unsigned pruning : {0U, 1U, 2U}) {
                Searching tried(loaded.rules, 0, {.symmetry = symmetry, .pruning = pruning});
                tried.run(first, 60'000);
                ASSERT_TRUE(tried.search.solved());
                for (std::size_t s = 0; s < value.size(); ++s)
                    EXPECT_NEAR(tried.search.root().value[s], value[s], tolerance) << pruning;
                EXPECT_NEAR(tried.search.estimates().front().mean, 100 * value.front(), 100 * tolerance);
                const Resolution::Counts& counts = tried.search.counts().resolution;
                resolved[{pruning, symmetry}] += counts.micro_scsps;
                if (pruning == 0) {
                    EXPECT_EQ(counts.again, 0U);
                    EXPECT_EQ(counts.rejected, 0U);
                } else {
                    all += counts.rejected;
                }
            }
        }
    }
    EXPECT_GT(all, 100U);
    for (const unsigned symmetry : {0U, 1U}) {
        EXPECT_LT((resolved[{1, symmetry}]), (resolved[{0, symmetry}]));
        EXPECT_LT((resolved[{2, symmetry}]), (resolved[{0, symmetry}]));
    }
}

// Where no solution is below the threshold, the probable pruning changes nothing: not one simulation.
TEST(MacUcb, PlaysTheSameWhereNothingCanBeFiltered) {
    std::size_t same = 0;
    for (const std::string name : {"connect-four", "breakthrough", "dice-race", "tic-tac-toe", "pig"}) {
        const Loaded loaded(name);
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const State state = random_state(loaded.rules, seed, seed);
            const auto run = [&](unsigned pruning, std::uint64_t& rejected) {
                Searching tried(loaded.rules, loaded.rules.seats().front(), {.pruning = pruning});
                tried.run(state, 100);
                rejected += tried.search.counts().resolution.rejected;
                std::vector<std::pair<std::uint64_t, double>> arms;
                for (const auto& chooser : tried.search.root().choosers) {
                    for (const auto& arm : chooser.arms) arms.emplace_back(arm.visits, arm.sum);
                }
                return arms;
            };
            std::uint64_t rejected = 0;
            const auto certain = run(1, rejected);
            const auto both = run(2, rejected);
            if (rejected > 0) continue;
            EXPECT_EQ(certain, both) << name << " seed " << seed;
            ++same;
        }
    }
    EXPECT_GT(same, 5U);
}

}  // namespace
}  // namespace zermelo::play
