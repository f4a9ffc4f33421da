// Canonical states: how many classes of positions games have, and that a class is what symmetries make of it.

#include "symmetry/canonical.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/shipped.hpp"

namespace zermelo::symmetry {
namespace {

using gdl::State;

// By move of the role on turn, where only one has a choice: the state that it leads to.
std::map<std::string, State> successors(const gdl::Game& game, const State& state) {
    gdl::Runner runner(game.machine());
    runner.load(state);
    std::map<std::string, State> result;
    if (runner.terminal()) return result;
    std::vector<std::vector<gdl::MoveId>> legal(game.machine().roles());
    std::size_t mover = 0;
    for (std::size_t r = 0; r < legal.size(); ++r) {
        runner.legal(r, legal[r]);
        if (legal[r].size() > 1) mover = r;
    }
    for (const gdl::MoveId move : legal[mover]) {
        gdl::JointMove joint;
        for (std::size_t r = 0; r < legal.size(); ++r) joint.push_back(r == mover ? move : legal[r].front());
        runner.play(joint);
        runner.next(result[game.move_text(mover, move)]);
    }
    return result;
}

std::set<State> reachable(const gdl::Game& game) {
    std::set<State> known{game.machine().initial()};
    std::vector<State> todo{game.machine().initial()};
    while (!todo.empty()) {
        const State state = todo.back();
        todo.pop_back();
        for (const auto& [move, next] : successors(game, state)) {
            if (known.insert(next).second) todo.push_back(next);
        }
    }
    return known;
}

std::set<State> classes(const Canonical& canonical, const std::set<State>& states) {
    std::set<State> result;
    for (State state : states) {
        canonical.canonicalise(state);
        result.insert(state);
    }
    return result;
}

TEST(Canonical, TicTacToeHas765ClassesOfPositionsAndThreeFirstMoves) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    const Canonical canonical(game.machine().network());
    const std::set<State> all = reachable(game);
    EXPECT_EQ(all.size(), 5478U);
    EXPECT_EQ(classes(canonical, all).size(), 765U);
    std::set<State> first;
    for (const auto& [move, next] : successors(game, game.machine().initial())) first.insert(next);
    EXPECT_EQ(first.size(), 9U);
    EXPECT_EQ(classes(canonical, first).size(), 3U);
}

TEST(Canonical, TheMirrorOfConnectFourIsFound) {
    const gdl::Game game = shipped_game("connect-four");
    const Canonical canonical(game.machine().network());
    ASSERT_EQ(canonical.size(), 2U);
    const Symmetry& mirror = canonical.symmetries().front();
    std::size_t moved = 0;
    for (gdl::MoveId move = 0; move < mirror.move[0].size(); ++move) {
        EXPECT_EQ(mirror.move[0][mirror.move[0][move]], move);
        moved += mirror.move[0][move] == move ? 0U : 1U;
    }
    const std::size_t columns = mirror.move[0].size() - 1;  // one move is to wait
    EXPECT_EQ(moved, columns - columns % 2);
    std::set<State> first;
    for (const auto& [move, next] : successors(game, game.machine().initial())) first.insert(next);
    EXPECT_EQ(first.size(), columns);
    EXPECT_EQ(classes(canonical, first).size(), (columns + 1) / 2);
}

// Marks on a square of three by three. Whoever fills a row, a column or a diagonal ends the game; what a win
// is worth depends on a corner, through a chain of definitions.
std::string square(const std::string& corner_rule) {
    return R"(
        (role x) (role o) (other x o) (other o x) (index 1) (index 2) (index 3)
        (init (control x))
        (<= (base (cell ?a ?b ?p)) (index ?a) (index ?b) (role ?p)) (<= (base (control ?p)) (role ?p))
        (<= (input ?p (mark ?a ?b)) (role ?p) (index ?a) (index ?b)) (<= (input ?p wait) (role ?p))
        (<= (taken ?a ?b) (true (cell ?a ?b ?p)))
        (<= (legal ?p (mark ?a ?b)) (true (control ?p)) (index ?a) (index ?b) (not (taken ?a ?b)))
        (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
        (<= (next (cell ?a ?b ?p)) (does ?p (mark ?a ?b)))
        (<= (next (cell ?a ?b ?p)) (true (cell ?a ?b ?p)))
        (<= (next (control ?p)) (true (control ?q)) (other ?q ?p))
        (<= (line ?p) (index ?a) (true (cell ?a 1 ?p)) (true (cell ?a 2 ?p)) (true (cell ?a 3 ?p)))
        (<= (line ?p) (index ?b) (true (cell 1 ?b ?p)) (true (cell 2 ?b ?p)) (true (cell 3 ?b ?p)))
        (<= (line ?p) (true (cell 1 1 ?p)) (true (cell 2 2 ?p)) (true (cell 3 3 ?p)))
        (<= (line ?p) (true (cell 1 3 ?p)) (true (cell 2 2 ?p)) (true (cell 3 1 ?p)))
        (<= open (index ?a) (index ?b) (not (taken ?a ?b)))
        (<= over (line ?p)) (<= over (not open))
        (<= terminal over)
        (<= (proud ?p) (line ?p) (crowned ?p))
        (<= (crowned ?p) (jewel ?a ?b) (true (cell ?a ?b ?p)))
        )" +
           corner_rule +
           R"(
        (<= (goal ?p 100) (proud ?p))
        (<= (goal ?p 90) (line ?p) (not (proud ?p)))
        (<= (goal ?p 0) (other ?p ?q) (line ?q))
        (<= (goal ?p 50) (role ?p) (not (line x)) (not (line o))))";
}

std::size_t symmetries_of(const std::string& rules) {
    return Canonical(gdl::Game(gdl::parse(rules, "test.kif")).machine().network()).size();
}

TEST(Canonical, ACornerThatIsWorthMoreBreaksTheSymmetryHoweverDeepItIsStated) {
    EXPECT_EQ(symmetries_of(square("(jewel 1 1) (jewel 1 3) (jewel 3 1) (jewel 3 3)")), 8U);
    EXPECT_EQ(symmetries_of(square("(jewel 1 1)")), 2U);  // one diagonal is left
    EXPECT_EQ(symmetries_of(square("(jewel 1 1) (jewel 1 2)")), 1U);
    // Corners are equal, but some lines of o without a corner are worth more than their images.
    EXPECT_EQ(symmetries_of(square("(jewel 1 1) (jewel 1 3) (jewel 3 1) (jewel 3 3) (<= (proud o) (line o) "
                                   "(true (cell 2 1 o)) (true (cell 1 1 x)))")),
              1U);
}

TEST(Canonical, ARuleThatSaysNothingNewBreaksNoSymmetry) {
    // The last rule asks for a corner, and corners are jewels.
    EXPECT_EQ(symmetries_of(square("(jewel 1 1) (jewel 1 3) (jewel 3 1) (jewel 3 3) (<= (proud o) (line o) "
                                   "(true (cell 2 1 o)) (true (cell 1 3 o)))")),
              8U);
}

// The expected goal of o when x, which is chance, marks any cell with the same probability, and o, who has a
// choice only now, does its best.
double expected(const gdl::Game& game, const State& state) {
    gdl::Runner runner(game.machine());
    runner.load(state);
    if (runner.terminal()) return runner.goal(0) / 100.0;
    std::vector<gdl::MoveId> own;
    runner.legal(0, own);
    double best = 0;
    double sum = 0;
    const auto next = successors(game, state);
    for (const auto& [move, to] : next) {
        const double value = expected(game, to);
        best = std::max(best, value);
        sum += value;
    }
    return own.size() > 1 ? best : sum / static_cast<double>(next.size());
}

TEST(Canonical, OfThreeFirstMovesOnTwoRowsTwoAreSymmetricAndWorthAQuarter) {
    const gdl::Game game = shipped_game("tic-tac-toe-2x2");
    const Canonical canonical(game.machine().network());
    EXPECT_EQ(canonical.size(), 2U);
    auto next = successors(game, game.machine().initial());
    ASSERT_EQ(next.size(), 3U);
    EXPECT_DOUBLE_EQ(expected(game, next.at("(mark 1 2)")), 0.25);
    EXPECT_DOUBLE_EQ(expected(game, next.at("(mark 2 2)")), 0);
    EXPECT_DOUBLE_EQ(expected(game, next.at("(mark 2 1)")), 0.25);
    for (auto& [move, state] : next) canonical.canonicalise(state);
    EXPECT_EQ(next.at("(mark 1 2)"), next.at("(mark 2 1)"));
    EXPECT_NE(next.at("(mark 1 2)"), next.at("(mark 2 2)"));
}

std::vector<State> random_play(const gdl::Machine& machine, std::uint64_t seed) {
    Random random(seed);
    gdl::Runner runner(machine);
    std::vector<State> states{machine.initial()};
    for (runner.load(states.back()); !runner.terminal() && states.size() < 60; runner.load(states.back())) {
        gdl::JointMove joint;
        std::vector<gdl::MoveId> legal;
        for (std::size_t r = 0; r < machine.roles(); ++r) {
            runner.legal(r, legal);
            joint.push_back(legal[random.below(legal.size())]);
        }
        runner.play(joint);
        states.emplace_back(states.back().size());
        runner.next(states.back());
    }
    return states;
}

// Of mastermind's 82,944 symmetries only a subgroup is used.
TEST(Canonical, AllImagesOfAStateHaveTheSameAndItIsOneOfThem) {
    for (const char* name :
         {"tic-tac-toe", "connect-four", "guess-dice", "monty-hall", "mastermind", "four-in-turn"}) {
        const gdl::Game game = shipped_game(name);
        const Canonical canonical(game.machine().network());
        EXPECT_GT(canonical.size(), 1U) << name;
        EXPECT_LE(canonical.size(), Canonical::most_symmetries) << name;
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
            for (const State& state : random_play(game.machine(), seed)) {
                State least = state;
                const Canonical::SymmetryId turn = canonical.canonicalise(least);
                ASSERT_EQ(turn == 0 ? state : image(canonical.symmetries()[turn - 1U], state), least);
                for (const Symmetry& symmetry : canonical.symmetries()) {
                    State other = image(symmetry, state);
                    canonical.canonicalise(other);
                    ASSERT_EQ(other, least) << name << ", seed " << seed;
                }
            }
        }
    }
}

TEST(Canonical, MovesAreTurnedWithTheStateAndBack) {
    for (const char* name : {"tic-tac-toe", "guess-dice", "monty-hall", "breakthrough-small"}) {
        const gdl::Game game = shipped_game(name);
        const Canonical canonical(game.machine().network());
        gdl::Runner here(game.machine());
        gdl::Runner there(game.machine());
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            for (const State& state : random_play(game.machine(), seed)) {
                State image = state;
                const Canonical::SymmetryId turn = canonical.canonicalise(image);
                here.load(state);
                there.load(image);
                for (std::size_t r = 0; r < game.machine().roles(); ++r) {
                    std::vector<gdl::MoveId> legal;
                    std::vector<gdl::MoveId> turned;
                    here.legal(r, legal);
                    there.legal(r, turned);
                    for (const gdl::MoveId move : legal)
                        ASSERT_EQ(canonical.preimage(turn, r, canonical.image(turn, r, move)), move);
                    canonical.map_moves(turn, r, legal);
                    std::sort(turned.begin(), turned.end());
                    ASSERT_EQ(legal, turned) << name << ", seed " << seed;
                }
            }
        }
    }
}

TEST(Canonical, WithoutSymmetriesEveryStateIsItsOwn) {
    const gdl::Game game = shipped_game("subtraction");
    const Canonical canonical(game.machine().network());
    EXPECT_EQ(canonical.size(), 1U);
    for (const State& state : random_play(game.machine(), 1)) {
        State same = state;
        EXPECT_EQ(canonical.canonicalise(same), 0U);
        EXPECT_EQ(same, state);
    }
    State any = game.machine().initial();
    EXPECT_EQ(Canonical().canonicalise(any), 0U);
}

}  // namespace
}  // namespace zermelo::symmetry
