// Descriptions that break the specification but can only mean one thing: they are run as the repaired text is.

#include "gdl/syntax/repair.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "gdl/perft.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/syntax/check.hpp"
#include "support/broken_games.hpp"

namespace zermelo::gdl {
namespace {

bool has_errors(const Description& game, Strictness strictness) {
    return std::ranges::any_of(check(game, strictness), [](const Finding& finding) {
        return finding.severity == Finding::Severity::error;
    });
}

// States, legal moves, what is seen and goals of a random play, with roles by name.
std::vector<std::string> random_play(Reasoner& rules, std::uint64_t seed) {
    constexpr int longest = 60;
    Random random(seed);
    std::vector<std::string> play;
    Reasoner::State state = rules.initial();
    for (int step = 0; step < longest; ++step) {
        play.push_back(rules.text(state));
        for (std::size_t role = 0; role < rules.roles().size(); ++role)
            play.push_back(rules.text(rules.roles()[role]) + " " + rules.text(rules.goals(state, role)));
        if (rules.terminal(state)) return play;
        Reasoner::Joint joint;
        for (std::size_t role = 0; role < rules.roles().size(); ++role) {
            const auto moves = rules.legal(state, role);
            if (moves.empty()) return play;
            play.push_back(rules.text(moves));
            joint.push_back(moves[random.below(moves.size())]);
        }
        for (std::size_t role = 0; role < rules.roles().size(); ++role)
            play.push_back(rules.text(rules.sees(state, joint, role)));
        state = rules.next(state, joint);
    }
    return play;
}

TEST(Repair, PlaysBrokenDescriptionsAsTheyAreMeant) {
    EXPECT_GE(broken_games().size(), 30U);
    for (const Broken& broken : broken_games()) {
        SCOPED_TRACE(broken.game + ": " + broken.wrong);
        const Description right = parse(read_shipped(broken.game), "right.kif");
        const Description wrong = parse(broken_text(broken), "wrong.kif");
        EXPECT_TRUE(right.repairs.empty());
        EXPECT_FALSE(wrong.repairs.empty());
        EXPECT_FALSE(has_errors(wrong, Strictness::lenient));
        EXPECT_TRUE(has_errors(wrong, Strictness::strict));
        Reasoner as_meant(right);
        Reasoner as_written(wrong);
        for (std::uint64_t seed = 1; seed <= 5; ++seed)
            ASSERT_EQ(random_play(as_written, seed), random_play(as_meant, seed)) << "seed " << seed;
        constexpr std::size_t depth = 3;
        const Game right_game(right);
        const Game wrong_game(wrong);
        const Perft expected = perft(right_game.machine(), depth);
        const Perft found = perft(wrong_game.machine(), depth);
        for (std::size_t d = 0; d <= depth; ++d) {
            EXPECT_EQ(found.levels[d].paths, expected.levels[d].paths) << "depth " << d;
            EXPECT_EQ(found.levels[d].states, expected.levels[d].states) << "depth " << d;
        }
    }
}

// Where an author may have meant several things, or nothing that is there.
TEST(Repair, RefusesWhatMayMeanSeveralThings) {
    const std::string game = read_shipped("tic-tac-toe");
    for (const auto& [right, wrong] : std::vector<std::pair<std::string, std::string>>{
             // nearly the name of a variable that the body binds
             {"(next (cell ?row ?column ?player)) (does", "(next (cell ?row ?colum ?player)) (does"},
             // two negations that share a variable
             {"(<= terminal (not open))", "(<= terminal (not (line ?who)) (not (true (control ?who))))"},
             // no value is given where it occurs
             {"(<= terminal (not open))", "(<= terminal (not open)) (<= (next (wind ?force)) open)"}}) {
        SCOPED_TRACE(wrong);
        std::string text = game;
        const std::size_t at = text.find(right);
        ASSERT_NE(at, std::string::npos);
        text.replace(at, right.size(), wrong);
        EXPECT_TRUE(has_errors(parse(text, "g.kif"), Strictness::lenient));
    }
    // A role gets one goal, not all.
    EXPECT_TRUE(has_errors(parse("(role a) (init (score 0)) (legal a go) (<= (next (score 50)) (does a go))"
                                 "(<= terminal (true (score 50))) (<= (goal a ?scroe) (true (score ?s)))",
                                 "g.kif"),
                           Strictness::lenient));
    for (const char* text : {"(role a) (init (cell 1 '))", "(role |white player|)", "(init 'a\"b')"})
        EXPECT_THROW((void)parse(text, "g.kif"), Error) << text;
}

std::vector<std::string> repairs(const std::string& text) {
    std::vector<std::string> all;
    for (const Repair& repair : parse(text, "g.kif").repairs) all.push_back(repair.text());
    return all;
}

TEST(Repair, SaysWhatIsBrokenAndWhatWasRead) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(repairs("(p a) (p b) (<= (q ?x) (p ?x))"), Texts{});
    EXPECT_EQ(
        repairs("(p a) (p b) (<= (q ?x) (not (p ?x)))"),
        Texts{
            "g.kif:1:13: warning: variable ?x in the head of `q` does not occur in a positive literal of the "
            "body, and stands for a, b; add a literal that binds ?x"});
    EXPECT_EQ(
        repairs("(p a) (<= q (not (p ?x)))"),
        Texts{"g.kif:1:18: warning: variable ?x in a negation does not occur in a positive literal of the "
              "body, "
              "and stands for any value; add a literal that binds ?x, or negate a relation without it"});
    EXPECT_EQ(repairs("(role a)\n(base p q)"),
              Texts{"g.kif:2:1: warning: `base` has 2 arguments here and is left out; it takes 1"});
    EXPECT_EQ(repairs("(role 'a)"),
              Texts{"g.kif:1:7: warning: the quote ' says nothing in GDL and is left out; remove it"});
    EXPECT_EQ(
        repairs("(legal a wait) (legal random roll)"),
        Texts{"g.kif:1:1: warning: no rule for `role`, and the players are those whose moves and goals are "
              "given; add (role a) (role random)"});
    EXPECT_EQ(repairs("(role a b)"), Texts{"g.kif:1:1: warning: `role` has 2 arguments here, and each is "
                                           "taken for a role; write one fact for "
                                           "each role"});
}

TEST(Repair, LeavesWhatHasNoObviousMeaning) {
    const std::vector<std::string> meaningless = {
        "(role a) (p ?x)",                          // nothing says what it could be
        "(role a) (<= p (distinct ?x 1))",          // the same
        "(role a) (p (s 0)) (<= (p ?x) (role a))",  // terms with arguments: there is no end of them
        "(p a)",                                    // nobody moves
    };
    for (const std::string& text : meaningless) {
        const Description game = parse(text, "g.kif");
        EXPECT_TRUE(game.repairs.empty()) << text << "\n  gives " << game.repairs.front().text();
        EXPECT_TRUE(has_errors(game, Strictness::lenient)) << text;
    }
}

}  // namespace
}  // namespace zermelo::gdl
