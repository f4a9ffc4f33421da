// Symmetries that the network hides: by how it is factored, by chains that count, and by fluents that never change.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/random.hpp"
#include "learn/games.hpp"
#include "symmetry/automorphisms.hpp"

namespace zermelo::symmetry {
namespace {

using gdl::JointMove;
using gdl::MoveId;
using gdl::State;

gdl::Game hidden_game(const std::string& text) { return gdl::Game(gdl::parse(text, "test.kif")); }

std::string text_with(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// Dots and boxes with two columns and two rows of boxes.
std::string four_boxes() {
    std::string text = learn::text_of_shipped("dots-and-boxes-suicide");
    for (const char* line : {"(odd 7)\n", "(odd 9)\n", "(odd 11)\n"}) text = text_with(text, line, "");
    return text_with(text, "(many 13)", "(many 3)");
}

std::size_t action_size(const gdl::Game& game) {
    return state_symmetries(game.machine().network(), 10'000).size() + 1;
}

MoveId hidden_move(const gdl::Game& game, std::size_t role, const std::string& name) {
    const auto moves = game.machine().network().moves[role].size();
    for (MoveId m = 0; m < moves; ++m) {
        if (game.move_text(role, m) == name) return m;
    }
    ADD_FAILURE() << "no move " << name;
    return 0;
}

// What a state is worth and where it leads, as its image under a symmetry has to have it.
class MirroredSteps {
public:
    MirroredSteps(const gdl::Machine& machine, const std::vector<Symmetry>& all)
        : machine_(machine), all_(all), here_(machine), there_(machine) {}

    // All successors; compares those of the images.
    std::vector<State> expand(const State& state) {
        here_.load(state);
        std::vector<std::vector<MoveId>> legal(machine_.roles());
        for (std::size_t r = 0; r < machine_.roles(); ++r) here_.legal(r, legal[r]);
        for (const Symmetry& s : all_) compare(s, state, legal);
        std::vector<State> result;
        if (here_.terminal()) return result;
        std::vector<std::size_t> digits(legal.size(), 0);
        for (std::size_t r = 0; r < legal.size();) {
            JointMove joint;
            for (std::size_t i = 0; i < legal.size(); ++i) joint.push_back(legal[i][digits[i]]);
            result.push_back(next(here_, state, joint));
            for (const Symmetry& s : all_) {
                JointMove images;
                for (std::size_t i = 0; i < joint.size(); ++i) images.push_back(s.move[i][joint[i]]);
                EXPECT_EQ(next(there_, image(s, state), images), image(s, result.back()));
            }
            for (r = 0; r < legal.size() && ++digits[r] == legal[r].size(); ++r) digits[r] = 0;
        }
        return result;
    }

private:
    static State next(gdl::Runner& runner, const State& state, const JointMove& joint) {
        State result(state.size());
        runner.load(state);
        runner.play(joint);
        runner.next(result);
        return result;
    }

    void compare(const Symmetry& s, const State& state, const std::vector<std::vector<MoveId>>& legal) {
        there_.load(image(s, state));
        EXPECT_EQ(there_.terminal(), here_.terminal());
        for (std::size_t r = 0; r < machine_.roles(); ++r) {
            EXPECT_EQ(there_.goal(r), here_.goal(r));
            std::vector<MoveId> images;
            for (const MoveId move : legal[r]) images.push_back(s.move[r][move]);
            std::vector<MoveId> moves;
            there_.legal(r, moves);
            std::sort(images.begin(), images.end());
            std::sort(moves.begin(), moves.end());
            EXPECT_EQ(moves, images);
        }
    }

    const gdl::Machine& machine_;
    const std::vector<Symmetry>& all_;
    gdl::Runner here_;
    gdl::Runner there_;
};

// Beside the eight of the square, the two lines in each corner can be exchanged: both belong to the corner's box only.
TEST(HiddenSymmetries, DotsAndBoxesHasThoseOfTheSquareAndOfItsCorners) {
    EXPECT_EQ(action_size(hidden_game(four_boxes())), 8U * 16U);
    EXPECT_EQ(action_size(shipped_game("dots-and-boxes-suicide")), 8U * 16U);
}

TEST(HiddenSymmetries, TwoBoardsOfConnectFourHaveAMirrorEach) {
    EXPECT_EQ(action_size(shipped_game("connect-four-simultaneous")), 4U);
}

// Both diagonals and the half turn, although the discs are counted cell by cell, and only when the game is over.
TEST(HiddenSymmetries, ReversiHasFourAlthoughItCountsWhatIsNoFluent) {
    EXPECT_EQ(action_size(shipped_game("reversi-suicide")), 4U);
}

TEST(HiddenSymmetries, ALineThatOneBoardLacksLeavesTheMirrorOfTheOther) {
    const std::string text = learn::text_of_shipped("connect-four-simultaneous") +
                             "(<= (line red) (true (cell 1 1 red)) (true (cell 2 2 red)))";
    const gdl::Game game = hidden_game(text);
    const auto all = state_symmetries(game.machine().network(), 1000);
    ASSERT_EQ(all.size(), 1U);
    for (int column = 1; column <= 18; ++column) {
        if (column == 9 || column == 10) continue;
        const auto drop = [&](int c) { return hidden_move(game, 0, "(drop " + std::to_string(c) + ")"); };
        EXPECT_EQ(all.front().move[0][drop(column)], drop(column < 9 ? column : 29 - column)) << column;
    }
}

TEST(HiddenSymmetries, ALineThatGainsATurnIsTheImageOfNoOther) {
    const gdl::Game game = hidden_game(four_boxes() + "(<= (gains red) (does red (draw 1 2)))");
    const MoveId drawn = hidden_move(game, 0, "(draw 1 2)");
    const auto all = state_symmetries(game.machine().network(), 1000);
    EXPECT_EQ(all.size() + 1, 2U * 8U);  // a diagonal, and the corners but for one
    for (const Symmetry& s : all) EXPECT_EQ(s.move[0][drawn], drawn);
}

TEST(HiddenSymmetries, OfTwoTimesTwoBoxesMapEveryState) {
    const gdl::Game game = hidden_game(four_boxes());
    const auto generators = generating_symmetries(game.machine().network());
    EXPECT_FALSE(generators.empty());
    MirroredSteps mirror(game.machine(), generators);
    std::set<State> known{game.machine().initial()};
    std::vector<State> todo{game.machine().initial()};
    while (!todo.empty()) {
        const State state = todo.back();
        todo.pop_back();
        for (State& next : mirror.expand(state)) {
            if (known.insert(next).second) todo.push_back(std::move(next));
        }
        ASSERT_FALSE(testing::Test::HasFailure());
    }
    EXPECT_GT(known.size(), 4096U);  // every set of lines, with the owners of the boxes
}

TEST(HiddenSymmetries, MapTheStatesOfRandomPlays) {
    for (const char* name : {"connect-four-simultaneous", "dots-and-boxes-suicide", "reversi-suicide"}) {
        const gdl::Game game = shipped_game(name);
        const auto generators = generating_symmetries(game.machine().network());
        EXPECT_FALSE(generators.empty()) << name;
        MirroredSteps mirror(game.machine(), generators);
        for (std::uint64_t seed = 0; seed < 2; ++seed) {
            Random random(seed);
            State state = game.machine().initial();
            while (true) {
                const auto next = mirror.expand(state);
                ASSERT_FALSE(testing::Test::HasFailure()) << name << ", seed " << seed;
                if (next.empty()) break;
                state = next[random.below(next.size())];
            }
        }
    }
}

}  // namespace
}  // namespace zermelo::symmetry
