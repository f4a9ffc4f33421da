// Counting: what gates count is found, whatever the rules say on the way, and is what they do.

#include "symmetry/counting.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "gdl/syntax/parse.hpp"
#include "symmetry/automorphisms.hpp"

namespace zermelo::symmetry {
namespace {

// Some lamps in a row are switched on one by one; the game is over when `rules` say so. They read
// (before ?x ?y), (first ?x), (last ?x), (number ?n) and (more ?n ?m).
gdl::Game lamps(int count, const std::string& rules) {
    std::string text = "(role p)\n";
    for (int i = 1; i <= count; ++i) {
        text += fmt::format("(lamp l{}) (number {}) (more {} {})\n", i, i, i - 1, i);
        if (i > 1) text += fmt::format("(before l{} l{})\n", i - 1, i);
    }
    text += fmt::format("(number 0) (first l1) (last l{})", count);
    return gdl::Game(gdl::parse(text + R"(
        (<= (base (lit ?x)) (lamp ?x)) (<= (input p (light ?x)) (lamp ?x))
        (<= (legal p (light ?x)) (lamp ?x))
        (<= (next (lit ?x)) (does p (light ?x)))
        (<= (next (lit ?x)) (true (lit ?x)))
        (goal p 100))" + rules,
                                "lamps.kif"));
}

const char* const exactly = R"(
    (<= (total ?x 1) (first ?x) (true (lit ?x)))
    (<= (total ?x 0) (first ?x) (not (true (lit ?x))))
    (<= (total ?y ?n) (before ?x ?y) (total ?x ?n) (not (true (lit ?y))))
    (<= (total ?y ?m) (before ?x ?y) (total ?x ?n) (more ?n ?m) (true (lit ?y)))
    (<= terminal (last ?x) (total ?x 4)))";
const char* const at_least = R"(
    (<= (total ?x 1) (first ?x) (true (lit ?x)))
    (<= (total ?x 0) (lamp ?x))
    (<= (total ?y ?n) (before ?x ?y) (total ?x ?n))
    (<= (total ?y ?m) (before ?x ?y) (total ?x ?n) (more ?n ?m) (true (lit ?y)))
    (<= terminal (last ?x) (total ?x 4)))";
const char* const odd_number = R"(
    (<= (odd ?x) (first ?x) (true (lit ?x)))
    (<= (odd ?y) (before ?x ?y) (odd ?x) (not (true (lit ?y))))
    (<= (odd ?y) (before ?x ?y) (not (odd ?x)) (true (lit ?y)))
    (<= terminal (last ?x) (odd ?x)))";

std::optional<Count> count_of_terminal(const gdl::Network& network, std::size_t least) {
    const auto counts = find_counts(network, least);
    auto count = counts.at(network.terminal.node() - network.first_gate);
    if (count && network.terminal.negated()) count->holds.flip();
    return count;
}

TEST(Counting, ExactlyAtLeastAndOddAreFound) {
    constexpr int lamps_in_all = 9;
    for (const auto& [rules, holds] :
         std::vector<std::pair<std::string, bool (*)(int)>>{{exactly, [](int n) { return n == 4; }},
                                                            {at_least, [](int n) { return n >= 4; }},
                                                            {odd_number, [](int n) { return n % 2 == 1; }}}) {
        const gdl::Game game = lamps(lamps_in_all, rules);
        const auto count = count_of_terminal(game.machine().network(), 3);
        ASSERT_TRUE(count.has_value()) << rules;
        EXPECT_EQ(count->of.size(), static_cast<std::size_t>(lamps_in_all)) << rules;
        for (int n = 0; n <= lamps_in_all; ++n) EXPECT_EQ(count->holds[n], holds(n)) << rules << n;
        EXPECT_FALSE(count_of_terminal(game.machine().network(), 10).has_value()) << rules;
    }
}

TEST(Counting, LampsThatAreOnlyCountedCanAllBeExchanged) {
    for (const int size : {4, 5, 8}) {
        std::size_t factorial = 1;
        for (int i = 2; i <= size; ++i) factorial *= static_cast<std::size_t>(i);
        for (const char* rules : {exactly, at_least, odd_number}) {
            if (size == 4 && rules != odd_number) continue;  // all of four is no count
            const gdl::Game game = lamps(size, rules);
            EXPECT_EQ(symmetries(game.machine().network(), factorial).size() + 1, factorial) << size << rules;
        }
    }
}

TEST(Counting, AChainThatForgetsIsNoCount) {
    // The second lamp does not count where the first is dark.
    const gdl::Game game = lamps(9, R"(
        (<= (odd ?x) (first ?x) (true (lit ?x)))
        (<= (odd ?y) (before ?x ?y) (odd ?x) (not (true (lit ?y))))
        (<= (odd ?y) (before ?x ?y) (not (odd ?x)) (true (lit ?y)) (not (first ?x)))
        (<= terminal (last ?x) (odd ?x)))");
    EXPECT_FALSE(count_of_terminal(game.machine().network(), 9).has_value());
    EXPECT_EQ(symmetries(game.machine().network(), 40'320).size() + 1, 5'040U);  // the seven others
}

// Every gate that is said to count does so in states of random plays, and in states of any fluents.
TEST(Counting, GatesDoWhatIsSaidOfThem) {
    std::size_t counting = 0;
    for (const char* name :
         {"othello", "tic-tac-toe", "mastermind", "connect-four", "checkers", "breakthrough-small"}) {
        const gdl::Game game(std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/" + name + ".kif");
        const gdl::Network& network = game.machine().network();
        const auto counts = find_counts(network, 2);
        gdl::Runner runner(game.machine());
        Random random(7);
        gdl::State state = game.machine().initial();
        for (int i = 0; i < 40; ++i) {
            const double density = static_cast<double>(random.below(100)) / 100;
            for (std::size_t f = 0; f < network.fluents.size(); ++f) {
                const std::uint64_t bit = std::uint64_t{1} << (f % 64);
                state[f / 64] = random.chance(density) ? state[f / 64] | bit : state[f / 64] & ~bit;
            }
            runner.load(state);
            gdl::JointMove joint;
            for (const auto& moves : network.moves)
                joint.push_back(static_cast<gdl::MoveId>(random.below(moves.size())));
            runner.play(joint);
            for (std::uint32_t gate = network.first_gate; gate < network.nodes; ++gate) {
                const auto& count = counts[gate - network.first_gate];
                if (!count) continue;
                ++counting;
                std::size_t number = 0;
                for (const std::uint32_t node : count->of)
                    number += runner.holds(gdl::Signal(node, false)) ? 1U : 0U;
                ASSERT_EQ(runner.holds(gdl::Signal(gate, false)), count->holds[number])
                    << name << ", gate " << gate;
            }
        }
    }
    EXPECT_GT(counting, 10'000U);
}

TEST(Counting, EndsWithTheTime) {
    const gdl::Game game = lamps(30, exactly);
    const auto found = [&](const Limits& limits) {
        const auto counts = find_counts(game.machine().network(), 4, limits);
        return std::count_if(counts.begin(), counts.end(),
                             [](const auto& count) { return count.has_value(); });
    };
    EXPECT_GT(found({}), 0);
    EXPECT_LT(found(Limits::after_questions(1)), found({}));
}

}  // namespace
}  // namespace zermelo::symmetry
