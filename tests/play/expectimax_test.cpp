// Resolution finds what a game is worth: the same as backward induction over all states, with every way of
// remembering states.

#include "play/champion/expectimax.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "games.hpp"
#include "gdl/syntax/parse.hpp"
#include "play/info_state.hpp"
#include "support/random_gdl.hpp"

namespace zermelo::play {
namespace {

constexpr double rounding = 1e-4;  // the expectimax counts in millionths

// What the role can be sure of in every state that can be reached: the best of its own moves, the worst of
// the opponent's and the mean where chance moves, again and again until nothing changes. One moves at a time.
class Induction {
public:
    Induction(const GameContext& rules, std::size_t role, const State& root, std::size_t most_states = 20'000)
        : info_(rules) {
        (void)number(root);
        for (std::size_t i = 0; i < states_.size() && complete(most_states); ++i) expand(rules, role, i);
        complete_ = complete(most_states);
        for (bool changed = complete_; changed;) {
            changed = false;
            for (std::size_t i = states_.size(); i-- > 0;) {
                const double now = back_up(points_[i]);
                changed = changed || std::abs(now - points_[i].value) > 1e-12;
                points_[i].value = now;
            }
        }
    }

    [[nodiscard]] bool complete() const { return complete_; }  // there were not too many states
    [[nodiscard]] double value() const { return points_.front().value; }
    [[nodiscard]] double value_of(MoveId move) const {
        const Point& root = points_.front();
        return points_[root.next.at(move)].value;
    }

private:
    enum class Kind { over, best, worst, mean };
    struct Point {
        Kind kind = Kind::over;
        double value = 0;
        std::map<MoveId, std::size_t> next = {};
    };

    [[nodiscard]] bool complete(std::size_t most_states) const { return states_.size() <= most_states; }

    std::size_t number(const State& state) {
        const auto [at, added] = numbers_.try_emplace(state, states_.size());
        if (added) {
            states_.push_back(state);
            points_.emplace_back();
        }
        return at->second;
    }

    void expand(const GameContext& rules, std::size_t role, std::size_t i) {
        const State state = states_[i];
        info_.load(state);
        if (info_.terminal()) {
            points_[i].value = 0.01 * info_.goal(role);
            return;
        }
        JointMove joint;
        std::size_t mover = 0;
        for (std::size_t r = 0; r < rules.roles(); ++r) {
            joint.push_back(info_.legal(r).front());
            if (info_.legal(r).size() > 1) mover = r;
        }
        points_[i].kind = rules.chance(mover) ? Kind::mean : mover == role ? Kind::best : Kind::worst;
        const std::vector<MoveId> moves = info_.legal(mover);
        for (const MoveId move : moves) {
            joint[mover] = move;
            info_.load(state);
            State next = state;
            info_.play(joint, next);
            const std::size_t to = number(next);
            points_[i].next[move] = to;
        }
    }

    [[nodiscard]] double back_up(const Point& point) const {
        if (point.kind == Kind::over) return point.value;
        double best = 0;
        double worst = 1;
        double sum = 0;
        for (const auto& [move, next] : point.next) {
            const double one = points_[next].value;
            best = std::max(best, one);
            worst = std::min(worst, one);
            sum += one;
        }
        if (point.kind == Kind::mean) return sum / static_cast<double>(point.next.size());
        return point.kind == Kind::best ? best : worst;
    }

    InfoState info_;
    std::map<State, std::size_t> numbers_;
    std::vector<State> states_;
    std::vector<Point> points_;
    bool complete_ = false;
};

// Positions of a random play in which a seat has a choice, and which one.
std::vector<std::pair<State, std::size_t>> choices(const GameContext& rules, std::uint64_t seed) {
    std::vector<std::pair<State, std::size_t>> all;
    InfoState info(rules);
    Random random(seed);
    JointMove joint;
    State state = rules.machine().initial();
    for (info.load(state); !info.terminal(); info.load(state)) {
        for (const std::size_t role : rules.seats()) {
            if (info.legal(role).size() > 1) all.emplace_back(state, role);
        }
        random_moves(info, random, joint);
        info.play(joint, state);
    }
    return all;
}

// Where everybody is told all moves anyway: the same game without the rules that say so.
gdl::Description without_percepts(gdl::Description description) {
    std::erase_if(description.rules,
                  [](const gdl::Rule& rule) { return rule.head.relation == gdl::kw_sees; });
    return description;
}

// Resolvers of a role that must all find the same.
class Panel {
public:
    Panel(const GameContext& rules, std::size_t role, bool also_without_table = true)
        : judge_(game::learn(rules.machine(), {.playouts = 50})) {
        std::vector<gdl::Stepper::Permutation> symmetries;
        for (const symmetry::Symmetry& one : rules.canonical({}).symmetries())
            symmetries.push_back(one.fluent);
        constexpr std::size_t bytes = std::size_t{1} << 20;
        for (const bool table : {true, false}) {
            if (!table && !also_without_table) continue;
            resolvers_.push_back(std::make_unique<Expectimax>(
                rules, role, Expectimax::Options{.symmetries = {}, .table_bytes = bytes, .table = table}));
            if (symmetries.empty()) continue;
            resolvers_.push_back(std::make_unique<Expectimax>(
                rules, role,
                Expectimax::Options{.symmetries = symmetries, .table_bytes = bytes, .table = table}));
        }
    }

    void expect(const State& state, const Induction& known) {
        for (std::size_t i = 0; i < resolvers_.size(); ++i) {
            const Expectimax::Result found = resolvers_[i]->search(state, judge_, {}, 0);
            ASSERT_TRUE(found.exact) << "expectimax " << i;
            ASSERT_NEAR(found.value, known.value(), rounding) << "expectimax " << i;
            ASSERT_TRUE(found.best);
            ASSERT_NEAR(known.value_of(*found.best), known.value(), rounding) << "expectimax " << i;
        }
    }

    [[nodiscard]] std::size_t size() const { return resolvers_.size(); }

private:
    ValueNetwork judge_;
    std::vector<std::unique_ptr<Expectimax>> resolvers_;
};

// Asks about random plays, from their ends as long as not too much can follow. How often it asked.
std::size_t expect_exact(const GameContext& rules, std::uint64_t plays, std::size_t most_states,
                         bool also_without_table = true) {
    EXPECT_TRUE(Expectimax::supports(rules));
    std::map<std::size_t, Panel> panels;
    for (const std::size_t role : rules.seats()) panels.try_emplace(role, rules, role, also_without_table);
    std::size_t asked = 0;
    for (std::uint64_t play = 1; play <= plays; ++play) {
        const auto positions = choices(rules, play);
        for (std::size_t i = positions.size(); i-- > 0 && !testing::Test::HasFailure();) {
            const auto& [state, role] = positions[i];
            const Induction known(rules, role, state, most_states);
            if (!known.complete()) break;
            panels.at(role).expect(state, known);
            ++asked;
        }
    }
    return asked;
}

TEST(Expectimax, FindsTheValuesOfRandomGamesWithAndWithoutDice) {
    std::size_t asked = 0;
    std::size_t with_dice = 0;
    for (std::uint64_t seed = 1; seed <= 240; ++seed) {
        std::string text = random_gdl(seed);
        const bool dice = seed % 2 == 0;
        if (dice) {
            // The second role becomes chance.
            for (std::size_t at = 0; (at = text.find(" b", at)) != std::string::npos; ++at) {
                const char after = text[at + 2];
                if (after == ' ' || after == ')') text.replace(at, 2, " random");
            }
        }
        std::optional<Loaded> loaded;
        try {
            loaded.emplace(gdl::parse(text, "random"));
        } catch (const Error&) {
            continue;
        }
        if (!Expectimax::supports(loaded->rules)) continue;
        const std::size_t more = expect_exact(loaded->rules, 3, 20'000);
        ASSERT_FALSE(HasFailure()) << text;
        asked += more;
        if (dice) with_dice += more;
    }
    EXPECT_GT(asked, 300U);
    EXPECT_GT(with_dice, 100U);
}

TEST(Expectimax, FindsTheValuesOfSmallGames) {
    for (const std::string name : {"nim", "subtraction"}) {
        SCOPED_TRACE(name);
        EXPECT_GT(expect_exact(Loaded(name).rules, 3, 20'000), 3U);
    }
    EXPECT_GT(expect_exact(Loaded(without_percepts(gdl::read(shipped("tic-tac-toe-2x2")))).rules, 5, 20'000),
              4U);
}

TEST(Expectimax, FindsTheValuesOfTicTacToeWithAndWithoutItsSymmetries) {
    const Loaded loaded("tic-tac-toe");
    EXPECT_EQ(Panel(loaded.rules, 0).size(), 4U);
    EXPECT_GT(expect_exact(loaded.rules, 1, 700), 4U);
    const State& start = loaded.game.machine().initial();
    const Induction known(loaded.rules, 0, start);
    ASSERT_TRUE(known.complete());
    EXPECT_EQ(known.value(), 0.5);
    const ValueNetwork network(game::learn(loaded.game.machine(), {.playouts = 50}));
    std::vector<std::uint64_t> positions;
    for (const bool symmetric : {false, true}) {
        Expectimax::Options options;
        if (symmetric) {
            for (const symmetry::Symmetry& one : loaded.rules.canonical({}).symmetries())
                options.symmetries.push_back(one.fluent);
        }
        const auto found = Expectimax(loaded.rules, 0, options).search(start, network, {}, 0);
        EXPECT_TRUE(found.exact);
        EXPECT_NEAR(found.value, 0.5, rounding);
        positions.push_back(found.positions);
    }
    EXPECT_LT(2 * positions[1], positions[0]);
}

TEST(Expectimax, FindsTheValuesNearTheEndsOfLargerGames) {
    for (const std::string name :
         {"breakthrough-small", "connect-four", "einstein", "windy-connect-four", "dice-breakthrough"}) {
        SCOPED_TRACE(name);
        const Loaded loaded(name);
        EXPECT_GT(expect_exact(loaded.rules, 6, 2000), 1U);
    }
}

TEST(Expectimax, SolvesAPuzzle) {
    const Loaded loaded("eight-puzzle");
    ASSERT_TRUE(Expectimax::supports(loaded.rules));
    const auto found = Expectimax(loaded.rules, 0, {})
                           .search(loaded.game.machine().initial(),
                                   ValueNetwork(game::learn(loaded.game.machine(), {.playouts = 50})), {}, 0);
    EXPECT_TRUE(found.exact);
    EXPECT_EQ(found.value, 1);
    EXPECT_EQ(found.depth, 10);  // the shortest solution
}

TEST(Expectimax, FindsTheValuesOfARaceWithDice) {
    // Every throw moves, so that the race has an end.
    std::ifstream file(shipped("dice-race"));
    std::string text(std::istreambuf_iterator<char>(file), {});
    const std::string zero = "(side wild 0)";
    ASSERT_NE(text.find(zero), std::string::npos);
    text.replace(text.find(zero), zero.size(), "(side wild 1)");
    const Loaded loaded(without_percepts(gdl::parse(text, "race")));
    EXPECT_GT(expect_exact(loaded.rules, 2, 200), 4U);
    EXPECT_GT(expect_exact(loaded.rules, 6, 20'000, false), 20U);
}

// Twelve throws lead to two states, one of them more often than the other.
TEST(Expectimax, CountsHowManyOutcomesAreTheSame) {
    std::string text =
        "(role a) (role random) (init start)"
        "(<= (legal a bold) (true start)) (<= (legal a safe) (true start))"
        "(<= (legal a wait) (not (true start))) (<= (legal random wait) (true start))"
        "(<= (legal random (throw ?n)) (true (chosen ?c)) (side ?n ?h))"
        "(<= (next (chosen ?c)) (true start) (does a ?c))"
        "(<= (next (end ?c ?h)) (true (chosen ?c)) (does random (throw ?n)) (side ?n ?h))"
        "(<= terminal (true (end ?c ?h)))"
        "(<= (goal a 100) (true (end bold high))) (<= (goal a 0) (true (end bold low)))"
        "(<= (goal a 20) (true (end safe high))) (<= (goal a 60) (true (end safe low)))";
    for (int n = 1; n <= 12; ++n) text += "(side " + std::to_string(n) + (n <= 7 ? " low)" : " high)");
    const Loaded loaded(gdl::parse(text, "throw"));
    const State& start = loaded.game.machine().initial();
    const auto found =
        Expectimax(loaded.rules, 0, {})
            .search(start, ValueNetwork(game::learn(loaded.game.machine(), {.playouts = 20})), {}, 0);
    EXPECT_TRUE(found.exact);
    EXPECT_NEAR(found.value, (7 * 0.6 + 5 * 0.2) / 12, rounding);
    ASSERT_TRUE(found.best);
    EXPECT_EQ(loaded.game.move_text(0, *found.best), "safe");
    EXPECT_LT(found.positions, 20U);
}

// Both may throw a zero for ever, so that no depth ends the race and its values are known only near the end.
TEST(Expectimax, ComesCloseToTheValuesOfARaceThatNeedNotEnd) {
    const Loaded loaded(without_percepts(gdl::read(shipped("dice-race"))));
    ASSERT_TRUE(Expectimax::supports(loaded.rules));
    const ValueNetwork network(game::learn(loaded.game.machine(), {.playouts = 50}));
    std::size_t exact = 0;
    std::size_t close = 0;
    for (std::uint64_t play = 1; play <= 6; ++play) {
        for (const auto& [state, role] : choices(loaded.rules, play)) {
            const Induction known(loaded.rules, role, state);
            ASSERT_TRUE(known.complete());
            Expectimax::Options options;
            options.table_bytes = std::size_t{1} << 20;
            const auto found = Expectimax(loaded.rules, role, options).search(state, network, {}, 0, 10);
            ASSERT_TRUE(found.best);
            EXPECT_NEAR(found.value, known.value(), found.exact ? rounding : 0.02);
            EXPECT_GT(known.value_of(*found.best), known.value() - (found.exact ? rounding : 0.02));
            ++(found.exact ? exact : close);
        }
    }
    EXPECT_GT(exact, 4U);
    EXPECT_GT(close, 20U);
}

TEST(Expectimax, HasAMoveHoweverLittleItMayDo) {
    const Loaded loaded("breakthrough");
    const ValueNetwork network(game::learn(loaded.game.machine(), {.playouts = 20}));
    const State& start = loaded.game.machine().initial();
    InfoState info(loaded.rules);
    info.load(start);
    const std::vector<MoveId> legal = info.legal(0);
    Expectimax expectimax(loaded.rules, 0, {});
    const auto least = expectimax.search(start, network, {}, 1);
    ASSERT_TRUE(least.best);
    EXPECT_NE(std::ranges::find(legal, *least.best), legal.end());
    EXPECT_EQ(least.depth, 1);
    const auto late = expectimax.search(start, network, Deadline::in(0), 0);
    ASSERT_TRUE(late.best);
    EXPECT_NE(std::ranges::find(legal, *late.best), legal.end());
    EXPECT_FALSE(late.exact);
    const auto more = expectimax.search(start, network, {}, 5000);
    EXPECT_LE(more.positions, 5000U);
    EXPECT_GT(more.depth, 1);
}

TEST(Expectimax, SaysWhichGamesAreNotForIt) {
    for (const std::string name : {"kuhn-poker", "four-in-turn", "mastermind"})
        EXPECT_FALSE(Expectimax::supports(Loaded(name).rules)) << name;
    const Loaded loaded("rock-paper-scissors");
    Expectimax expectimax(loaded.rules, 0, {});
    EXPECT_THROW(
        (void)expectimax.search(loaded.game.machine().initial(),
                                ValueNetwork(game::learn(loaded.game.machine(), {.playouts = 20})), {}, 0),
        Error);
}

}  // namespace
}  // namespace zermelo::play
