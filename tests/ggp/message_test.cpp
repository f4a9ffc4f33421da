// Messages in all spellings that managers use, and what is none.

#include "ggp/message.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace zermelo::ggp {
namespace {

TEST(Message, TermsHaveOneSpelling) {
    for (const std::string text : {"(mark 1 1)", "( MARK 1  1 )", "(Mark\t1\r\n 1)", " ( mark 1 1)\n"})
        EXPECT_EQ(plain(text), "(mark 1 1)");
    EXPECT_EQ(plain("NOOP"), "noop");
    EXPECT_EQ(plain("(move (cell 1 2) (cell 3 4))"), "(move (cell 1 2) (cell 3 4))");
    EXPECT_EQ(read_move(" ( MARK 2 2 )"), "(mark 2 2)");
    for (const std::string text : {"", "  ", "(mark 1", "mark)", "a b", "(a) (b)"})
        EXPECT_EQ(read_move(text), std::nullopt) << text;
}

TEST(Message, InfoAndPing) {
    for (const std::string text : {"(INFO)", "( info )", "INFO", " ( Info\n)"})
        EXPECT_EQ(read_message(text).verb, Verb::info);
    EXPECT_EQ(read_message("(PING)").verb, Verb::ping);
}

TEST(Message, StartCarriesTheRulesAsTheyStand) {
    const Message start =
        read_message("( START Match.1 ( Player X ) ((role a) (<= (next b) (true B))) 30 15 )");
    EXPECT_EQ(start.verb, Verb::start);
    EXPECT_EQ(start.match, "Match.1");
    EXPECT_EQ(start.role, "(player x)");
    EXPECT_EQ(start.rules, "(role a) (<= (next b) (true B))");
    EXPECT_EQ(start.start_clock, 30);
    EXPECT_EQ(start.play_clock, 15);
    const Message preview = read_message("(PREVIEW ((role a)) 5)");
    EXPECT_EQ(preview.verb, Verb::preview);
    EXPECT_EQ(preview.rules, "(role a)");
    EXPECT_EQ(preview.start_clock, 5);
}

TEST(Message, PlayInAllItsForms) {
    const Message first = read_message("(PLAY m NIL)");
    EXPECT_TRUE(first.nothing);
    EXPECT_FALSE(first.dated);
    const Message moves = read_message("( play m (( MARK 1 1 ) noop ) )");
    EXPECT_FALSE(moves.nothing);
    EXPECT_EQ(moves.items, (std::vector<std::string>{"(mark 1 1)", "noop"}));
    const Message none = read_message("(PLAY m ())");
    EXPECT_FALSE(none.nothing);
    EXPECT_TRUE(none.items.empty());
    const Message dated = read_message("(PLAY m 3 (CHOOSE 1) (2 (door open) ))");
    EXPECT_TRUE(dated.dated);
    EXPECT_EQ(dated.turn, 3U);
    EXPECT_EQ(dated.own, "(choose 1)");
    EXPECT_EQ(dated.items, (std::vector<std::string>{"2", "(door open)"}));
    const Message start = read_message("(PLAY m 0 nil nil)");
    EXPECT_TRUE(start.dated && start.nothing);
    EXPECT_EQ(start.own, std::nullopt);
    EXPECT_EQ(read_message("(STOP m 4 switch (1))").verb, Verb::stop);
    EXPECT_EQ(read_message("(ABORT m)").match, "m");
}

TEST(Message, WritesWhatItReads) {
    for (const std::string text :
         {"( PLAY m NIL )", "( PLAY m (( mark 1 1 ) noop ) )", "( STOP m () )",
          "( PLAY m 2 ( choose 1 ) (2 ) )", "( PLAY m 0 NIL NIL )", "( ABORT m )", "( INFO )",
          "( START m x ((role x)) 30 10 )", "( PREVIEW ((role x)) 3 )"}) {
        EXPECT_EQ(write(read_message(text)), text);
    }
}

TEST(Message, WhatIsNoneIsRefused) {
    for (const std::string text :
         {"", "()", "(", ")", "(HELLO)", "((INFO))", "(START m x ((role x)) 30)",
          "(START m x ((role x)) soon later)", "(START m x rules 30 10)", "(START m x ((role x)) 30 -1)",
          "(PLAY)", "(PLAY m 1 (a))", "(PLAY m x y (z))", "(STOP)", "(ABORT)", "(PREVIEW)", "(INFO) (INFO)",
          "(START m x ((role x)) nan 10)"}) {
        EXPECT_THROW((void)read_message(text), Error) << text;
    }
}

}  // namespace
}  // namespace zermelo::ggp
