// An opponent who draws its moves: random games through the real compiler, compared with expectimax over the text's own
// conditions.

#include "stochastic/opponent.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "core/random.hpp"
#include "model/flatzinc/minizinc.hpp"
#include "stochastic/answer_of.hpp"
#include "stochastic/verify.hpp"

namespace zermelo::stochastic::drawn {
namespace {

using Values = std::vector<int>;

struct Condition {
    std::string text;
    std::function<bool(const Values&)> holds;
};

struct Turn {
    bool ours;
    std::vector<int> weights;  // of 1, 2, 3 where it is drawn
    std::vector<Condition> rules;
};

struct Game {
    std::vector<Turn> turns;
    Condition win;

    [[nodiscard]] std::string text() const {
        std::string text = "include \"zermelo.mzn\";\n";
        for (std::size_t t = 0; t < turns.size(); ++t) {
            const std::string n = std::to_string(t + 1);
            text += "var 1..3: v" + n + "; constraint " + (turns[t].ours ? "some(" : "chance(") + n + ", v" +
                    n + ", 1..3";
            if (!turns[t].ours) {
                text += ", [" + std::to_string(turns[t].weights[0]) + ", " +
                        std::to_string(turns[t].weights[1]) + ", " + std::to_string(turns[t].weights[2]) +
                        "]";
            }
            text += ");\n";
            for (const Condition& rule : turns[t].rules)
                text += "constraint rule(" + n + ", " + rule.text + ");\n";
        }
        return text + "constraint win(" + win.text + ");\n";
    }

    [[nodiscard]] Rational value(Values& play) const {
        if (play.size() == turns.size()) return win.holds(play) ? 1 : 0;
        const Turn& turn = turns[play.size()];
        Rational best = 0;
        Rational sum = 0;
        int total = 0;
        for (int v = 1; v <= 3; ++v) {
            play.push_back(v);
            bool legal = true;
            for (const Condition& rule : turn.rules) legal = legal && rule.holds(play);
            if (legal) {
                const Rational below = value(play);
                best = std::max(best, below);
                const int weight = turn.ours ? 0 : turn.weights[static_cast<std::size_t>(v - 1)];
                sum += weight * below;
                total += weight;
            }
            play.pop_back();
        }
        if (turn.ours) return best;
        return total == 0 ? Rational(1) : sum / total;
    }
};

Game random_game(std::uint64_t seed) {
    Random random(seed);
    const auto condition = [&](int moves) -> Condition {
        const auto a = static_cast<std::size_t>(random.between(1, moves));
        const auto b = static_cast<std::size_t>(random.between(1, moves));
        const int k = static_cast<int>(random.between(2, 4));
        const std::string x = "v" + std::to_string(a);
        const std::string y = "v" + std::to_string(b);
        switch (random.below(4)) {
            case 0:
                return {x + " + " + y + " >= " + std::to_string(k),
                        [=](const Values& p) { return p[a - 1] + p[b - 1] >= k; }};
            case 1:
                return {"(" + x + " < " + y + " \\/ " + x + " = " + std::to_string(k - 1) + ")",
                        [=](const Values& p) { return p[a - 1] < p[b - 1] || p[a - 1] == k - 1; }};
            case 2:
                return {x + " * " + y + " <= " + std::to_string(k),
                        [=](const Values& p) { return p[a - 1] * p[b - 1] <= k; }};
            default:
                return {x + " != " + y + " - 1", [=](const Values& p) { return p[a - 1] != p[b - 1] - 1; }};
        }
    };
    Game game;
    bool ours = random.chance(0.5);
    for (int t = 1; t <= 4; ++t, ours = !ours) {
        Turn turn{ours, {}, {}};
        for (int i = 0; i < 3; ++i)
            turn.weights.push_back(static_cast<int>(random.between(i == 0 ? 1 : 0, 3)));
        if (random.chance(0.6)) turn.rules.push_back(condition(t));
        game.turns.push_back(turn);
    }
    game.win = condition(4);
    return game;
}

TEST(DrawnOpponent, IsMetWithTheGreatestProbabilityOfWinning) {
    model::MiniZincOptions options;
    options.library = std::string(ZERMELO_SOURCE_DIR) + "/share/minizinc/zermelo";
    int between = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Game game = random_game(seed);
        const StochasticModel model = from_flat(model::read_minizinc_text(game.text(), "m.mzn", options));
        Values play;
        const Rational expected = game.value(play);
        for (const Engine engine : {Engine::forward_checking, Engine::mac}) {
            const Answer answer = answer_of(model, engine, Question::best);
            ASSERT_TRUE(answer.policy.has_value()) << "seed " << seed << "\n" << game.text();
            ASSERT_EQ(text(answer.policy->utilities), text(Rationals{expected})) << "seed " << seed << "\n"
                                                                                 << game.text();
            ASSERT_TRUE(verify(model, *answer.policy).valid) << "seed " << seed << "\n" << game.text();
        }
        between += expected > 0 && expected < 1 ? 1 : 0;
    }
    EXPECT_GT(between, 10);
}

// With chance, a plain constraint is a hard one, whether MiniZinc narrows a variable by it or not.
TEST(DrawnOpponent, MustObeyPlainConstraintsInEveryPlay) {
    model::MiniZincOptions options;
    options.library = std::string(ZERMELO_SOURCE_DIR) + "/share/minizinc/zermelo";
    const auto best = [&](const std::string& plain) {
        const std::string said =
            "include \"zermelo.mzn\"; var 1..3: x; var 1..3: y;\n"
            "constraint some(1, x, 1..3); constraint chance(2, y, 1..3, [1, 2, 3]);\n"
            "constraint rule(2, y != x); constraint win(x + y <= 4);\n" +
            plain;
        const StochasticModel model = from_flat(model::read_minizinc_text(said, "m.mzn", options));
        const Answer answer = answer_of(model, Engine::mac, Question::best);
        return answer.policy ? text(answer.policy->utilities) : "none";
    };
    EXPECT_EQ(best(""), text(Rationals{1}));
    EXPECT_EQ(best("constraint x >= 2;\n"), text(Rationals{Rational(1) / 3}));
    EXPECT_EQ(best("constraint x + y >= 4;\n"), text(Rationals{Rational(1) / 3}));  // only x = 3 obeys
    EXPECT_EQ(best("constraint y <= 2;\n"), text(Rationals{Rational(1) / 3}));      // only after x = 3
    EXPECT_EQ(best("constraint y <= 1;\n"), "none");
}

TEST(DrawnOpponent, RefusesARuleThatLooksAhead) {
    model::MiniZincOptions options;
    options.library = std::string(ZERMELO_SOURCE_DIR) + "/share/minizinc/zermelo";
    const std::string text =
        "include \"zermelo.mzn\"; var 1..3: x; var 1..3: y;\n"
        "constraint chance(1, y, 1..3); constraint some(2, x, 1..3);\n"
        "constraint rule(1, y < x); constraint win(true);\n";
    try {
        (void)from_flat(model::read_minizinc_text(text, "m.mzn", options));
        FAIL() << "it is not refused";
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find("m.mzn:2:12: the rule of block 1 depends on something"), 0U)
            << error.what();
    }
}

}  // namespace
}  // namespace zermelo::stochastic::drawn
