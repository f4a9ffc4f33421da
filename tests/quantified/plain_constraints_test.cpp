// Plain constraints of a model with rules belong to whoever makes the last move that they mention. Random models
// go through the real compiler; a brute force over the conditions, written beside them, says who wins.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <optional>
#include <set>

#include "core/random.hpp"
#include "model/flatzinc/minizinc.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"

namespace zermelo::plain {
namespace {

using Play = std::vector<int>;

struct Condition {
    std::string text;
    std::set<int> mentions;
    std::function<bool(const Play&)> holds;
};

// A game of blocks of moves with the values 1 to 3.
struct Game {
    struct Block {
        bool ours;
        std::vector<int> moves;
        std::vector<Condition> rules;
    };
    std::vector<Block> blocks;
    std::vector<std::string> plain;     // as the model says them
    std::vector<Condition> conditions;  // what they demand: each binds whoever completes it
    Condition win;

    [[nodiscard]] std::string text() const {
        std::string text = "include \"zermelo.mzn\"; include \"globals.mzn\";\n";
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            for (const int m : blocks[b].moves) {
                const std::string name = "v" + std::to_string(m);
                text += "var 1..3: " + name + "; constraint " + (blocks[b].ours ? "some(" : "every(") +
                        std::to_string(b + 1) + ", " + name + ", 1..3);\n";
            }
            for (const Condition& rule : blocks[b].rules)
                text += "constraint rule(" + std::to_string(b + 1) + ", " + rule.text + ");\n";
        }
        for (const std::string& constraint : plain) text += "constraint " + constraint + ";\n";
        return text + "constraint win(" + win.text + ");\n";
    }

    [[nodiscard]] bool won() const {
        Play play(20, 0);
        return won(0, 0, play);
    }

private:
    [[nodiscard]] int last_block(const Condition& condition) const {
        int last = -1;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            for (const int m : blocks[b].moves) {
                if (condition.mentions.contains(m)) last = static_cast<int>(b);
            }
        }
        return last;
    }
    [[nodiscard]] bool legal(std::size_t b, const Play& play) const {
        for (const Condition& rule : blocks[b].rules) {
            if (!rule.holds(play)) return false;
        }
        for (const Condition& condition : conditions) {
            if (last_block(condition) == static_cast<int>(b) && !condition.holds(play)) return false;
        }
        return true;
    }
    // Whether ∃ wins when move `i` of block `b` is next.
    [[nodiscard]] bool won(std::size_t b, std::size_t i, Play& play) const {
        if (b == blocks.size()) return win.holds(play);
        const Block& block = blocks[b];
        if (i == block.moves.size())
            return legal(b, play) ? won(b + 1, 0, play) : !block.ours;  // illegal: as if not played
        for (int value = 1; value <= 3; ++value) {
            play[static_cast<std::size_t>(block.moves[i])] = value;
            if (won(b, i + 1, play) == block.ours) return block.ours;
        }
        return !block.ours;
    }
};

class Maker {
public:
    explicit Maker(std::uint64_t seed) : random_(seed) {}

    Game run() {
        const auto blocks = random_.between(2, 4);
        bool ours = random_.chance(0.5);
        for (int b = 0; b < blocks; ++b, ours = !ours) {
            Game::Block block{ours, {}, {}};
            for (auto n = random_.between(1, 2); n > 0; --n) block.moves.push_back(++moves_);
            if (random_.chance(0.4)) block.rules.push_back(condition().back());
            game_.blocks.push_back(block);
        }
        if (moves_ == 0) return game_;
        if (game_.blocks.back().rules.empty()) game_.blocks.back().rules.push_back(unequal());
        for (auto n = random_.between(1, 3); n > 0; --n) {
            std::string text;
            const auto demands = condition(&text);
            game_.plain.push_back(text);
            game_.conditions.insert(game_.conditions.end(), demands.begin(), demands.end());
        }
        game_.win = condition(nullptr, true).back();
        return game_;
    }

private:
    static std::string v(int m) { return "v" + std::to_string(m); }
    static auto at(int m) { return static_cast<std::size_t>(m); }
    int move() { return static_cast<int>(random_.between(1, moves_)); }

    Condition unequal() {
        const int a = move();
        const int b = a == 1 ? moves_ : 1;
        return {v(a) + " != " + v(b), {a, b}, [=](const Play& p) { return a == b || p[at(a)] != p[at(b)]; }};
    }

    // What a condition demands, and how the model says it. The last demand says all of it where operands have
    // values; the others are that they do.
    std::vector<Condition> condition(std::string* text = nullptr, bool total = false) {
        const int a = move();
        int b = move();
        int c = move();
        if (a == b) b = a % moves_ + 1;
        const int k = static_cast<int>(random_.between(1, 3));
        std::vector<Condition> all;
        const bool plain = text != nullptr && !total;
        switch (random_.below(plain ? 12 : 7)) {
            case 0:
                all = {{v(a) + " + " + v(b) + " <= " + std::to_string(k + 2), {a, b}, [=](const Play& p) {
                            return p[at(a)] + p[at(b)] <= k + 2;
                        }}};
                break;
            case 1:
                all = {
                    {v(a) + " <= " + std::to_string(k), {a}, [=](const Play& p) { return p[at(a)] <= k; }}};
                break;
            case 2:
                all = {{"max(" + v(a) + ", " + v(b) + ") >= " + v(c), {a, b, c}, [=](const Play& p) {
                            return std::max(p[at(a)], p[at(b)]) >= p[at(c)];
                        }}};
                break;
            case 3:
                all = {{"(" + v(a) + " < " + v(b) + " -> " + v(c) + " >= " + std::to_string(k) + ")",
                        {a, b, c},
                        [=](const Play& p) { return p[at(a)] >= p[at(b)] || p[at(c)] >= k; }}};
                // What always holds mentions nothing.
                if (k == 1) all.back().mentions.clear();
                break;
            case 4:
                all = {{v(a) + " * " + v(b) + " != " + v(c), {a, b, c}, [=](const Play& p) {
                            return p[at(a)] * p[at(b)] != p[at(c)];
                        }}};
                break;
            case 5:
                all = {{v(a) + " != " + v(b), {a, b}, [=](const Play& p) {
                            return a == b || p[at(a)] != p[at(b)];
                        }}};
                if (a == b) all = {{v(a) + " >= 2", {a}, [=](const Play& p) { return p[at(a)] >= 2; }}};
                break;
            case 6:
                all = {{"lex_less([" + v(a) + ", " + v(b) + "], [" + v(b) + ", " + v(c) + "])",
                        {a, b, c},
                        [=](const Play& p) {
                            return std::pair(p[at(a)], p[at(b)]) < std::pair(p[at(b)], p[at(c)]);
                        }}};
                break;
            case 7:  // two functions that are equated
                all = {{"[1, 5, 2][" + v(a) + "] = [2, 1, 3][" + v(b) + "]", {a, b}, [=](const Play& p) {
                            return std::array{1, 5, 2}[at(p[at(a)] - 1)] ==
                                   std::array{2, 1, 3}[at(p[at(b)] - 1)];
                        }}};
                if (a == b) return condition(text, total);
                break;
            case 8:  // an index that may lie outside
                all = {{"", {a}, [=](const Play& p) { return p[at(a)] <= 2; }},
                       {"[1, 3][" + v(a) + "] >= " + v(b), {a, b}, [=](const Play& p) {
                            return p[at(a)] > 2 || std::array{1, 3}[at(p[at(a)] - 1)] >= p[at(b)];
                        }}};
                break;
            case 9:  // a divisor that may be zero
                all = {{"", {b}, [=](const Play& p) { return p[at(b)] != 2; }},
                       {v(a) + " div (" + v(b) + " - 2) <= " + v(c), {a, b, c}, [=](const Play& p) {
                            return p[at(b)] == 2 || p[at(a)] / (p[at(b)] - 2) <= p[at(c)];
                        }}};
                break;
            case 10:  // the parts of a conjunction
                all = {{"", {a}, [=](const Play& p) { return p[at(a)] >= 2; }},
                       {v(a) + " >= 2 /\\ " + v(b) + " + " + v(c) + " >= 3", {b, c}, [=](const Play& p) {
                            return p[at(b)] + p[at(c)] >= 3;
                        }}};
                break;
            default:
                all = {{"count([" + v(a) + ", " + v(b) + ", " + v(c) + "], " + std::to_string(k) + ") <= 1",
                        {a, b, c},
                        [=](const Play& p) {
                            return (p[at(a)] == k) + (p[at(b)] == k) + (p[at(c)] == k) <= 1;
                        }}};
        }
        if (text != nullptr) *text = all.back().text;
        return all;
    }

    Random random_;
    Game game_;
    int moves_ = 0;
};

model::Model compiled(const std::string& text) {
    model::MiniZincOptions options;
    options.library = std::string(ZERMELO_SOURCE_DIR) + "/share/minizinc/zermelo";
    return model::read_minizinc_text(text, "m.mzn", options);
}

TEST(PlainConstraints, BindWhoeverMovesLastInRandomModels) {
    int won = 0;
    int solved = 0;
    int refused = 0;
    for (std::uint64_t seed = 1; seed <= 45; ++seed) {
        const Game game = Maker(seed).run();
        std::optional<model::Model> model;
        try {
            model = compiled(game.text());
        } catch (const Error& error) {
            // What no play satisfies makes MiniZinc drop the quantifiers.
            ASSERT_NE(std::string(error.what()).find("model inconsistency detected"), std::string::npos)
                << error.what() << "\nseed " << seed << "\n"
                << game.text();
            ++refused;
            continue;
        }
        const bool truth = game.won();
        for (const auto kernel : {quantified::KernelChoice::trail, quantified::KernelChoice::gecode}) {
            quantified::SolveOptions options;
            options.kernel = kernel;
            quantified::Answer answer;
            ASSERT_NO_THROW(answer = solve(*model, options)) << "seed " << seed << "\n" << game.text();
            ASSERT_EQ(answer.verdict, truth ? quantified::Verdict::won : quantified::Verdict::lost)
                << "seed " << seed << "\n"
                << game.text();
            ASSERT_TRUE(verify(*model, answer.strategy).valid) << "seed " << seed << "\n" << game.text();
        }
        ++solved;
        won += truth ? 1 : 0;
    }
    EXPECT_GT(won, 15);
    EXPECT_GT(solved - won, 15);
    EXPECT_LT(refused, 10);
}

quantified::Verdict verdict(const std::string& plain) {
    return quantified::solve(compiled("include \"zermelo.mzn\"; include \"globals.mzn\";\n"
                                      "var 1..3: x; var 1..3: y; var 1..3: z; array[1..2] of var 1..3: a;\n"
                                      "constraint some(1, x, 1..3); constraint every(2, y, 1..3);\n"
                                      "constraint some(3, a, 1..3); constraint every(4, z, 1..3);\n"
                                      "constraint rule(2, y <= 2);\n" +
                                      plain))
        .verdict;
}

TEST(PlainConstraints, OfTheOpponentLeaveTheOpponentWithoutAMove) {
    using enum quantified::Verdict;
    EXPECT_EQ(verdict("constraint win(false);\n"), lost);
    EXPECT_EQ(verdict("constraint y > x; constraint win(false);\n"), won);      // x = 3
    EXPECT_EQ(verdict("constraint a[1] > y; constraint win(false);\n"), lost);  // ours
    EXPECT_EQ(verdict("constraint y + z > x + a[1]; constraint win(false);\n"), won);
    EXPECT_EQ(verdict("constraint z > 1; constraint z < 3; constraint win(z = 2);\n"), won);
    EXPECT_EQ(verdict("constraint alldifferent([x, y, a[1], z]); constraint win(false);\n"), won);
    EXPECT_EQ(verdict("constraint y = 2 * x; constraint win(false);\n"), won);  // x = 2
    EXPECT_EQ(
        verdict("constraint regular([x, y, z], 2, 3, [|1, 2, 0|2, 0, 0|], 1, {2}); constraint win(false);\n"),
        won);
}

TEST(PlainConstraints, AnEquationBetweenMovesIsRefused) {
    try {
        (void)verdict("constraint x = z; constraint win(true);\n");
        FAIL() << "it is not refused";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("equates two moves"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("rule of a block"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace zermelo::plain
