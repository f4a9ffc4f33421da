// The shipped games with dice or with something hidden: what chance can do and how likely that is, and along
// random plays whether moves, effects and percepts are what the rules in words say, computed anew here.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "support/shipped.hpp"

namespace zermelo::gdl {
namespace {

using Words = std::vector<std::string>;
using Moves = std::set<std::string>;

Words words(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '(' || c == ')'; }, ' ');
    std::istringstream in(text);
    Words result;
    for (std::string word; in >> word;) result.push_back(word);
    return result;
}

int number(const std::string& word) { return std::stoi(word); }

// What holds in a state, to be asked by the first words of facts.
struct Facts {
    std::vector<Words> all;

    [[nodiscard]] std::vector<Words> about(const Words& start) const {
        std::vector<Words> result;
        for (const Words& fact : all) {
            if (fact.size() < start.size() || !std::equal(start.begin(), start.end(), fact.begin())) continue;
            result.emplace_back(fact.begin() + static_cast<std::ptrdiff_t>(start.size()), fact.end());
        }
        return result;
    }
    [[nodiscard]] bool holds(const Words& fact) const {
        return std::find(all.begin(), all.end(), fact) != all.end();
    }
    [[nodiscard]] std::string mover() const { return about({"control"}).at(0).at(0); }
};

Facts facts(const Game& game, const State& state) {
    Facts result;
    for (const std::string& fact : game.facts(state)) result.all.push_back(words(fact));
    return result;
}

std::size_t role_of(const Game& game, const std::string& name) {
    for (std::size_t r = 0; r < game.machine().roles(); ++r) {
        if (game.text(game.machine().network().roles[r]) == name) return r;
    }
    ADD_FAILURE() << "no role " << name;
    return 0;
}

// A step of a play: what held, what could be done and was, what was seen, and what holds then.
struct Step {
    Facts before;
    std::vector<Moves> legal;        // by role
    std::vector<std::string> moves;  // by role
    std::vector<Moves> seen;         // by role
    Facts after;
};

// Random plays, step by step.
void follow(const Game& game, std::uint64_t plays, const std::function<void(const Step&)>& look) {
    Runner runner(game.machine());
    for (std::uint64_t seed = 1; seed <= plays; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Random random(seed);
        State state = game.machine().initial();
        Step step;
        step.after = facts(game, state);
        for (runner.load(state); !runner.terminal(); runner.load(state)) {
            step.before = std::move(step.after);
            step.legal.clear();
            step.moves.clear();
            step.seen.clear();
            JointMove joint;
            std::vector<MoveId> legal;
            for (std::size_t r = 0; r < game.machine().roles(); ++r) {
                runner.legal(r, legal);
                joint.push_back(legal.at(random.below(legal.size())));
                step.moves.push_back(game.move_text(r, joint.back()));
                step.legal.emplace_back();
                for (const MoveId move : legal) step.legal.back().insert(game.move_text(r, move));
            }
            runner.play(joint);
            std::vector<TermId> percepts;
            for (std::size_t r = 0; r < game.machine().roles(); ++r) {
                percepts.clear();
                runner.sees(r, percepts);
                step.seen.emplace_back();
                for (const TermId percept : percepts) step.seen.back().insert(game.text(percept));
            }
            runner.next(state);
            step.after = facts(game, state);
            look(step);
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
}

// The states after each move of chance in the initial state, with their probabilities.
std::map<State, double> outcomes(const Game& game) {
    Runner runner(game.machine());
    runner.load(game.machine().initial());
    const std::size_t chance = role_of(game, "random");
    JointMove joint(game.machine().roles());
    std::vector<MoveId> legal;
    for (std::size_t r = 0; r < joint.size(); ++r) {
        runner.legal(r, legal);
        joint[r] = legal.at(0);
    }
    runner.legal(chance, legal);
    std::map<State, double> result;
    for (const MoveId move : legal) {
        joint[chance] = move;
        runner.play(joint);
        State next;
        runner.next(next);
        result[next] += 1.0 / static_cast<double>(legal.size());
    }
    return result;
}

struct Expected {
    std::string name;
    std::set<std::size_t> sides;  // how many moves chance may have where it has a choice
    std::size_t longest;          // no play has more steps
    bool together = false;        // both get the same, instead of 100 together
};

TEST(DiceGames, ThousandRandomPlaysAreSound) {
    const std::vector<Expected> games = {{"einstein", {6}, 160},
                                         {"windy-connect-four", {7}, 84},
                                         {"dice-breakthrough", {6}, 170},
                                         {"windy-breakthrough", {8}, 420},
                                         {"backgammon-small", {16}, 300},
                                         {"cant-stop-small", {256}, 60 * 41},
                                         {"latent-tic-tac-toe", {24, 22}, 27},
                                         {"latent-five", {64, 62}, 66},
                                         {"treasure-hunt", {16, 15, 14}, 19},
                                         {"sheep-and-wolf", {8, 4, 3, 2}, 25, true}};
    for (const auto& [name, sides, longest, together] : games) {
        SCOPED_TRACE(name);
        const Game game = shipped_game(name);
        Runner runner(game.machine());
        const std::size_t chance = role_of(game, "random");
        ASSERT_EQ(chance, 2U);
        std::set<std::size_t> met;
        std::map<int, int> goals;
        for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
            Random random(seed);
            State state = game.machine().initial();
            std::size_t steps = 0;
            for (runner.load(state); !runner.terminal(); runner.load(state)) {
                ASSERT_LT(steps++, longest) << "seed " << seed;
                JointMove joint;
                std::vector<std::vector<MoveId>> legal(3);
                for (std::size_t r = 0; r < 3; ++r) {
                    runner.legal(r, legal[r]);
                    ASSERT_FALSE(legal[r].empty()) << "seed " << seed;
                    joint.push_back(legal[r][random.below(legal[r].size())]);
                }
                // One at a time, whether chance or a player.
                ASSERT_GE(std::ranges::count_if(legal, [](const auto& one) { return one.size() == 1; }), 2);
                if (legal[chance].size() > 1) met.insert(legal[chance].size());
                runner.play(joint);
                runner.next(state);
            }
            ++goals[runner.goal(0)];
            ASSERT_EQ(runner.goal(1), together ? runner.goal(0) : 100 - runner.goal(0)) << "seed " << seed;
        }
        EXPECT_EQ(met, sides);
        EXPECT_GT(goals[0], 0);
        EXPECT_GT(goals[100], 0);
    }
}

TEST(DiceGames, EinsteinMovesTheNamedStoneOrItsNeighbours) {
    const Game game = shipped_game("einstein");
    std::set<std::size_t> named_at_once;
    follow(game, 200, [&](const Step& step) {
        const auto thrown = step.before.about({"thrown"});
        if (thrown.empty()) return;
        const int die = number(thrown[0][0]);
        const std::string player = step.before.mover();
        const int sign = player == "red" ? 1 : -1;
        std::map<int, std::pair<int, int>> stones;
        for (const Words& at : step.before.about({"at", player}))
            stones[number(at[0])] = {number(at[1]), number(at[2])};
        std::set<int> named;
        if (const auto above = stones.lower_bound(die); above != stones.end()) named.insert(above->first);
        if (!stones.contains(die)) {
            const auto above = stones.lower_bound(die);
            if (above != stones.begin()) named.insert(std::prev(above)->first);
        }
        named_at_once.insert(named.size());
        Moves expected;
        const auto inside = [](int x) { return x >= 1 && x <= 5; };
        for (const int stone : named) {
            const auto [column, row] = stones[stone];
            const std::string start = "(move " + std::to_string(stone) + " ";
            if (inside(column + sign)) expected.insert(start + "along)");
            if (inside(row + sign)) expected.insert(start + "up)");
            if (inside(column + sign) && inside(row + sign)) expected.insert(start + "across)");
        }
        const std::size_t role = role_of(game, player);
        ASSERT_EQ(step.legal[role], expected);
        // At most one stone is taken, and never the one that moves.
        const auto before = step.before.about({"at"}).size();
        const auto after = step.after.about({"at"}).size();
        ASSERT_TRUE(after == before || after + 1 == before);
        const Words move = words(step.moves[role]);
        auto [column, row] = stones[number(move[1])];
        column += move[2] == "up" ? 0 : sign;
        row += move[2] == "along" ? 0 : sign;
        const Words to = {"at", player, move[1], std::to_string(column), std::to_string(row)};
        ASSERT_TRUE(step.after.holds(to));
    });
    EXPECT_EQ(named_at_once, (std::set<std::size_t>{1, 2}));
    EXPECT_EQ(outcomes(game).size(), 6U);
}

TEST(DiceGames, TheWindClosesAColumnUnlessItIsTheLast) {
    const Game game = shipped_game("windy-connect-four");
    bool last = false;
    follow(game, 300, [&](const Step& step) {
        const auto closed = step.before.about({"closed"});
        if (closed.empty()) {
            ASSERT_EQ(step.legal[2].size(), 7U);
            return;
        }
        std::map<std::string, int> height;
        for (const Words& cell : step.before.about({"cell"})) ++height[cell[0]];
        Moves open;
        for (int c = 1; c <= 7; ++c) {
            if (height[std::to_string(c)] < 6) open.insert("(drop " + std::to_string(c) + ")");
        }
        const std::string shut = "(drop " + closed[0][0] + ")";
        if (open.size() > 1) open.erase(shut);
        last = last || (open.size() == 1 && *open.begin() == shut);
        ASSERT_EQ(step.legal[role_of(game, step.before.mover())], open);
    });
    EXPECT_TRUE(last) << "the closed column was never the only one with room";
    EXPECT_EQ(outcomes(game).size(), 7U);
}

// What the pieces of the player to move can do in Breakthrough, by column.
std::map<std::string, Moves> breakthrough_moves(const Facts& facts, int columns) {
    const std::string player = facts.mover();
    const int sign = player == "white" ? 1 : -1;
    std::map<std::pair<int, int>, std::string> board;
    for (const Words& cell : facts.about({"cell"})) board[{number(cell[0]), number(cell[1])}] = cell[2];
    std::map<std::string, Moves> from;
    for (const auto& [cell, owner] : board) {
        if (owner != player) continue;
        for (int aside = -1; aside <= 1; ++aside) {
            const std::pair to = {cell.first + aside, cell.second + sign};
            if (to.first < 1 || to.first > columns) continue;
            if (board.contains(to) && (aside == 0 || board[to] == player)) continue;
            from[std::to_string(cell.first)].insert(
                "(move " + std::to_string(cell.first) + " " + std::to_string(cell.second) + " " +
                std::to_string(to.first) + " " + std::to_string(to.second) + ")");
        }
    }
    return from;
}

Moves all_but(const std::map<std::string, Moves>& from, const std::string& column) {
    Moves all;
    for (const auto& [name, moves] : from) {
        if (name != column) all.insert(moves.begin(), moves.end());
    }
    return all;
}

TEST(DiceGames, DiceBreakthroughMovesFromTheNamedColumn) {
    const Game game = shipped_game("dice-breakthrough");
    bool any = false;
    follow(game, 100, [&](const Step& step) {
        const auto thrown = step.before.about({"thrown"});
        if (thrown.empty()) return;
        auto from = breakthrough_moves(step.before, 6);
        const Moves& named = from[thrown[0][0]];
        any = any || named.empty();
        ASSERT_EQ(step.legal[role_of(game, step.before.mover())], named.empty() ? all_but(from, "") : named);
    });
    EXPECT_TRUE(any) << "the die never named a column without a move";
    EXPECT_EQ(outcomes(game).size(), 6U);
}

TEST(DiceGames, TheWindKeepsPiecesInAColumnUnlessNoOthersCanMove) {
    const Game game = shipped_game("windy-breakthrough");
    follow(game, 100, [&](const Step& step) {
        const auto closed = step.before.about({"closed"});
        if (closed.empty()) {
            ASSERT_EQ(step.legal[2].size(), 8U);
            return;
        }
        auto from = breakthrough_moves(step.before, 8);
        const Moves others = all_but(from, closed[0][0]);
        ASSERT_EQ(step.legal[role_of(game, step.before.mover())],
                  others.empty() ? from[closed[0][0]] : others);
    });
    EXPECT_EQ(outcomes(game).size(), 8U);
}

// One white piece and a black one that it cannot meet: whatever the wind does, white can move.
TEST(DiceGames, TheLastPieceMovesInAnyWind) {
    const Game game = shipped_game("windy-breakthrough");
    Runner runner(game.machine());
    const auto& fluents = game.machine().network().fluents;
    const std::size_t white = role_of(game, "white");
    for (int closed = 1; closed <= 8; ++closed) {
        State state(game.machine().initial().size(), 0);
        for (const std::string& text :
             {std::string("(cell 3 4 white)"), std::string("(cell 8 7 black)"),
              std::string("(control white)"), "(closed " + std::to_string(closed) + ")"}) {
            for (std::size_t f = 0; f < fluents.size(); ++f) {
                if (game.text(fluents[f]) == text) state[f / 64] |= std::uint64_t{1} << (f % 64);
            }
        }
        runner.load(state);
        std::vector<MoveId> legal;
        runner.legal(white, legal);
        EXPECT_EQ(legal.size(), 3U) << closed;
    }
}

// Stones of a player by how many points they have gone: 0 is the bar, 13 off the board.
using Track = std::array<int, 14>;

Track track(const Facts& facts, const std::string& player) {
    Track result{};
    for (const Words& stones : facts.about({"stones", player})) {
        const int point = stones[0] == "bar"    ? 0
                          : stones[0] == "off"  ? 13
                          : (player == "white") ? number(stones[0])
                                                : 13 - number(stones[0]);
        result[static_cast<std::size_t>(point)] += number(stones[1]);
    }
    return result;
}

TEST(DiceGames, BackgammonHitsBarsAndBearsOff) {
    const Game game = shipped_game("backgammon-small");
    std::map<std::string, int> met;
    follow(game, 100, [&](const Step& step) {
        const std::string player = step.before.mover();
        const std::string other = player == "white" ? "black" : "white";
        const auto dice = step.before.about({"dice"});
        if (dice.empty()) {
            // The dice lie as they were thrown.
            const Words roll = words(step.moves[2]);
            if (roll[1] == roll[2]) {
                ASSERT_EQ(step.after.about({"dice"}), (std::vector<Words>{{roll[1], "twice"}}));
            } else {
                ASSERT_EQ(step.after.about({"dice"}).size(), 2U);
                ASSERT_TRUE(step.after.holds({"dice", roll[1], "once"}));
                ASSERT_TRUE(step.after.holds({"dice", roll[2], "once"}));
            }
            return;
        }
        const Track own = track(step.before, player);
        const Track theirs = track(step.before, other);
        const auto at = [](const Track& stones, int i) { return stones[static_cast<std::size_t>(i)]; };
        const bool home = std::all_of(own.begin(), own.begin() + 9, [](int n) { return n == 0; });
        const auto name = [&](int place) {
            return place == 0 ? std::string("bar") : std::to_string(player == "white" ? place : 13 - place);
        };
        std::map<std::string, std::pair<int, int>> moves;  // from and to
        for (const Words& die : dice) {
            const int steps = number(die[0]);
            for (int from = 0; from <= 12; ++from) {
                if (at(own, from) == 0 || (from > 0 && own[0] > 0)) continue;
                const int to = std::min(13, from + steps);
                if (to < 13 && at(theirs, 13 - to) > 1) continue;
                const bool rearmost =
                    std::all_of(own.begin(), own.begin() + from, [](int n) { return n == 0; });
                if (to == 13 && !(home && (from + steps == 13 || rearmost))) continue;
                moves["(move " + name(from) + " " + die[0] + ")"] = {from, to};
            }
        }
        Moves expected;
        for (const auto& [move, places] : moves) expected.insert(move);
        if (expected.empty()) expected.insert("pass");
        const std::size_t role = role_of(game, player);
        ASSERT_EQ(step.legal[role], expected);

        Track own_then = own;
        Track theirs_then = theirs;
        const std::string& move = step.moves[role];
        if (move == "pass") {
            ++met["pass"];
            ASSERT_TRUE(step.after.about({"dice"}).empty());
        } else {
            const auto [from, to] = moves[move];
            --own_then[static_cast<std::size_t>(from)];
            ++own_then[static_cast<std::size_t>(to)];
            if (from == 0) ++met["bar"];
            if (to == 13) ++met[from + number(words(move)[2]) > 13 ? "off with more" : "off"];
            if (to < 13 && at(theirs, 13 - to) == 1) {
                ++met["hit"];
                --theirs_then[static_cast<std::size_t>(13 - to)];
                ++theirs_then[0];
            }
        }
        ASSERT_EQ(track(step.after, player), own_then);
        ASSERT_EQ(track(step.after, other), theirs_then);
        const bool same = !step.after.about({"dice"}).empty();
        ASSERT_EQ(step.after.mover(), same ? player : other);
    });
    for (const std::string what : {"pass", "bar", "off with more", "off", "hit"})
        EXPECT_GT(met[what], 0) << what;
}

TEST(DiceGames, BackgammonThrowsADoubleOnceInSixteenTimes) {
    const Game game = shipped_game("backgammon-small");
    const auto states = outcomes(game);
    EXPECT_EQ(states.size(), 10U);
    for (const auto& [state, probability] : states) {
        const bool twice = facts(game, state).about({"dice"}).size() == 1;
        EXPECT_NEAR(probability, twice ? 1.0 / 16 : 2.0 / 16, 1e-12);
    }
}

// Where somebody stands in each column.
std::map<int, int> heights(const Facts& facts, const Words& whose) {
    std::map<int, int> result;
    for (const Words& one : facts.about(whose)) result[number(one[0])] = number(one[1]);
    return result;
}

// The sums of two pairs of four dice, the lower one first, in all three ways.
std::set<Words> pairs_of(const std::array<int, 4>& dice) {
    std::set<Words> result;
    const int all = dice[0] + dice[1] + dice[2] + dice[3];
    for (std::size_t i = 1; i < 4; ++i) {
        const int sum = dice[0] + dice[i];
        result.insert({std::to_string(std::min(sum, all - sum)), std::to_string(std::max(sum, all - sum))});
    }
    return result;
}

TEST(DiceGames, CantStopClimbsFallsAndKeeps) {
    const Game game = shipped_game("cant-stop-small");
    const std::map<int, int> top = {{2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 4}, {7, 3}, {8, 2}};
    std::map<std::string, int> met;
    follow(game, 200, [&](const Step& step) {
        const std::string player = step.before.mover();
        const std::string other = player == "alice" ? "bob" : "alice";
        auto camps = heights(step.before, {"camp", player});
        const auto theirs = heights(step.before, {"camp", other});
        auto climbers = heights(step.before, {"climber"});
        ASSERT_LE(climbers.size(), 3U);
        ASSERT_EQ(heights(step.after, {"camp", other}), theirs);
        const std::size_t role = role_of(game, player);
        const std::string& move = step.moves[role];
        Moves expected;
        if (step.before.holds({"throwing"})) {
            const Words roll = words(step.moves[2]);
            const auto pairs = pairs_of({number(roll[1]), number(roll[2]), number(roll[3]), number(roll[4])});
            const auto said = step.after.about({"pairs"});
            ASSERT_EQ(std::set<Words>(said.begin(), said.end()), pairs);
            expected.insert("wait");
        } else if (step.before.holds({"deciding"})) {
            expected = {"go_on", "stop"};
        } else {
            const auto open = [&](int column) {
                const int height = top.at(column);
                const auto at_top = [&](const std::map<int, int>& who) {
                    return who.contains(column) && who.at(column) == height;
                };
                return !at_top(camps) && !at_top(theirs) && !at_top(climbers);
            };
            const auto free = 3 - climbers.size();
            const auto needs = [&](int column) -> std::size_t { return climbers.contains(column) ? 0 : 1; };
            for (const Words& pair : step.before.about({"pairs"})) {
                const int low = number(pair[0]);
                const int high = number(pair[1]);
                const bool can_low = open(low) && needs(low) <= free;
                const bool can_high = open(high) && needs(high) <= free;
                const bool both = can_low && can_high && (low == high || needs(low) + needs(high) <= free);
                if (both) {
                    expected.insert("(climb_both " + pair[0] + " " + pair[1] + ")");
                    continue;
                }
                if (can_low) expected.insert("(climb " + pair[0] + ")");
                if (can_high) expected.insert("(climb " + pair[1] + ")");
                if (can_low && can_high) ++met["one of two"];
            }
            if (expected.empty()) expected.insert("fall");
        }
        ASSERT_EQ(step.legal[role], expected);

        const auto climb = [&](int column) {
            const int from = climbers.contains(column) ? climbers[column]
                             : camps.contains(column)  ? camps[column]
                                                       : 0;
            climbers[column] = std::min(top.at(column), from + 1);
        };
        const Words what = words(move);
        for (std::size_t i = 1; i < what.size(); ++i) climb(number(what[i]));
        if (what.size() == 3 && what[1] == what[2]) ++met["leap"];
        ++met[what[0]];
        if (move == "stop") {
            for (const auto& [column, height] : climbers) camps[column] = height;
        }
        const bool turned = move == "stop" || move == "fall";
        if (turned) climbers.clear();
        ASSERT_EQ(heights(step.after, {"camp", player}), camps);
        ASSERT_EQ(heights(step.after, {"climber"}), climbers);
        ASSERT_EQ(step.after.mover(), turned ? other : player);
    });
    for (const std::string what : {"climb", "climb_both", "leap", "one of two", "fall", "stop", "go_on"})
        EXPECT_GT(met[what], 0) << what;
}

TEST(DiceGames, CantStopThrowsFourFairDice) {
    const Game game = shipped_game("cant-stop-small");
    std::map<std::set<Words>, double> expected;
    for (int roll = 0; roll < 256; ++roll)
        expected[pairs_of({roll % 4 + 1, roll / 4 % 4 + 1, roll / 16 % 4 + 1, roll / 64 + 1})] += 1.0 / 256;
    std::map<std::set<Words>, double> said;
    for (const auto& [state, probability] : outcomes(game)) {
        const auto pairs = facts(game, state).about({"pairs"});
        said[{pairs.begin(), pairs.end()}] += probability;
    }
    EXPECT_EQ(said, expected);
    // There are 35 ways for four dice to lie; thrice, two of them make the same pairs, as 1 1 1 3 and 1 1
    // 2 2.
    EXPECT_EQ(said.size(), 32U);
}

// On a board of so many columns and rows; chance hides a cross on one of so many cells.
void expect_latent_marks(const Game& game, int size, std::size_t cells) {
    std::map<std::string, int> met;
    follow(game, 200, [&](const Step& step) {
        ASSERT_EQ(step.seen[0], step.seen[1]);
        if (!step.before.holds({"hid", "2"})) {
            ASSERT_TRUE(step.seen[0].empty());
            const auto crosses = step.after.holds({"hid", "1"}) ? 1U : 2U;
            ASSERT_EQ(step.after.about({"hidden"}).size(), 2 * crosses);
            for (const Words& one : step.after.about({"hidden"})) {
                const Words opposite = {"hidden", std::to_string(size + 1 - number(one[0])),
                                        std::to_string(size + 1 - number(one[1])), one[2] == "x" ? "o" : "x"};
                ASSERT_TRUE(step.after.holds(opposite));
            }
            return;
        }
        const std::string player = step.before.mover();
        const std::size_t role = role_of(game, player);
        ASSERT_EQ(step.legal[role].size(),
                  static_cast<std::size_t>(size * size) - step.before.about({"cell"}).size());
        const Words move = words(step.moves[role]);
        std::string mark = player;
        for (const std::string hidden : {"x", "o"}) {
            if (step.before.holds({"hidden", move[1], move[2], hidden})) mark = hidden;
        }
        ++met[mark == player ? "own" : "other"];
        const std::string cell = move[1] + " " + move[2];
        ASSERT_EQ(step.seen[0], (Moves{"(tried " + cell + ")", "(shows " + cell + " " + mark + ")"}));
        ASSERT_TRUE(step.after.holds({"cell", move[1], move[2], mark}));
        ASSERT_EQ(step.after.about({"cell"}).size(), step.before.about({"cell"}).size() + 1);
        ASSERT_NE(step.after.mover(), player);
    });
    EXPECT_GT(met["own"], 0);
    EXPECT_GT(met["other"], 0);
    EXPECT_EQ(outcomes(game).size(), cells);
}

TEST(DiceGames, LatentMarksLieOppositeAndAppearWhenTried) {
    expect_latent_marks(shipped_game("latent-tic-tac-toe"), 5, 24);
    expect_latent_marks(shipped_game("latent-five"), 8, 64);
}

TEST(DiceGames, TreasureHuntersSeeWhatLiesNextToTheHole) {
    const Game game = shipped_game("treasure-hunt");
    std::set<int> counts;
    follow(game, 300, [&](const Step& step) {
        ASSERT_EQ(step.seen[0], step.seen[1]);
        if (!step.before.holds({"buried", "3"})) {
            ASSERT_TRUE(step.seen[0].empty());
            return;
        }
        const std::size_t role = role_of(game, step.before.mover());
        ASSERT_EQ(step.legal[role].size(), 16 - step.before.about({"dug"}).size());
        const Words dig = words(step.moves[role]);
        int beside = 0;
        for (const Words& treasure : step.before.about({"treasure"})) {
            const int across = std::abs(number(treasure[0]) - number(dig[1]));
            const int up = std::abs(number(treasure[1]) - number(dig[2]));
            beside += std::max(across, up) == 1 ? 1 : 0;
        }
        counts.insert(beside);
        const bool found = step.before.holds({"treasure", dig[1], dig[2]});
        const std::string cell = dig[1] + " " + dig[2];
        Moves expected = {"(dug " + cell + ")", "(beside " + cell + " " + std::to_string(beside) + ")"};
        if (found) expected.insert("(treasure " + cell + ")");
        ASSERT_EQ(step.seen[0], expected);
        ASSERT_EQ(step.after.about({"treasure"}).size(),
                  step.before.about({"treasure"}).size() - (found ? 1 : 0));
    });
    EXPECT_EQ(counts, (std::set<int>{0, 1, 2, 3}));
    EXPECT_EQ(outcomes(game).size(), 16U);
}

TEST(DiceGames, TheWolfStaysInTheMeadowAndIsScentedNearby) {
    const Game game = shipped_game("sheep-and-wolf");
    std::map<std::string, int> met;
    follow(game, 500, [&](const Step& step) {
        ASSERT_EQ(step.seen[0], step.seen[1]);
        const auto wolf = step.after.about({"wolf"}).at(0);
        const int column = number(wolf[0]);
        const int row = number(wolf[1]);
        ASSERT_LT(row, 5);
        Moves expected;
        for (const std::string sheep : {"ewe", "ram"}) {
            const std::size_t role = role_of(game, sheep);
            expected.insert("(does " + sheep + " " + step.moves[role] + ")");
            const auto before = step.before.about({"at", sheep});
            if (before.empty()) continue;
            const auto after = step.after.about({"at", sheep});
            const bool safe = step.after.holds({"safe", sheep});
            if (after.empty() && !safe) {
                ++met["eaten"];
                expected.insert("(eaten " + sheep + ")");
            }
            ASSERT_FALSE(after == std::vector<Words>{wolf});
            if (safe) {
                ++met["safe"];
                ASSERT_EQ(before[0][1], "4");
                ASSERT_EQ(step.moves[role], "(go up)");
            }
            // Only the wolf has moved, so that a sheep that is eaten was where it had been.
            if (step.before.mover() == "random" && std::abs(number(before[0][0]) - column) <= 1 &&
                std::abs(number(before[0][1]) - row) <= 1) {
                ++met["scent"];
                expected.insert("(scents " + sheep + ")");
            }
        }
        ASSERT_EQ(step.seen[0], expected);
        if (step.before.mover() != "random") {
            ASSERT_EQ(step.before.about({"wolf"}), step.after.about({"wolf"}));
        } else if (!step.before.about({"wolf"}).empty()) {
            const auto from = step.before.about({"wolf"}).at(0);
            ASSERT_EQ(std::abs(number(from[0]) - column) + std::abs(number(from[1]) - row), 1);
            const auto inside = [](int x) { return x >= 1 && x <= 4 ? 1U : 0U; };
            ASSERT_EQ(step.legal[2].size(), inside(number(from[0]) - 1) + inside(number(from[0]) + 1) +
                                                inside(number(from[1]) - 1) + inside(number(from[1]) + 1));
        }
    });
    for (const std::string what : {"eaten", "safe", "scent"}) EXPECT_GT(met[what], 0) << what;
    EXPECT_EQ(outcomes(game).size(), 8U);
}

}  // namespace
}  // namespace zermelo::gdl
