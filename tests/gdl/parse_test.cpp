// The reader: what becomes of a text, and where each mistake is found.

#include "gdl/syntax/parse.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "core/random.hpp"
#include "gdl/rule_texts.hpp"
#include "support/published.hpp"

namespace zermelo::gdl {
namespace {

using TextLines = std::vector<std::string>;

std::string parse_complaint(const std::string& input) {
    try {
        (void)parse(input, "g.kif");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Parse, FactsAndRulesAreReadInOrder) {
    EXPECT_EQ(
        rule_texts(
            "(role x) ; a player\n(<= terminal (true (cell ?x 1 (f ?x ?y))) (not open))\nopen (<= (p a))"),
        (TextLines{"(role x)", "(<= terminal (true (cell ?x 1 (f ?x ?y))) (not open))", "open", "(p a)"}));
}

TEST(Parse, CaseMakesNoDifferenceAndTheFirstSpellingIsKept) {
    const Description game = parse("(ROLE White) (<= (Legal white Noop) (TRUE ?X) (p ?x))", "g.kif");
    EXPECT_EQ(text(game, game.rules[0]), "(role White)");
    EXPECT_EQ(text(game, game.rules[1]), "(<= (legal White Noop) (true ?X) (p ?X))");
    EXPECT_EQ(game.rules[1].head.relation, kw_legal);
    EXPECT_EQ(game.rules[1].variables, TextLines{"?X"});
}

TEST(Parse, KeywordsHaveTheirNumbers) {
    Symbols symbols;
    EXPECT_EQ(symbols.size(), first_free_symbol);
    EXPECT_EQ(symbols.intern("SEES"), kw_sees);
    EXPECT_EQ(symbols.intern("<="), kw_implied);
    EXPECT_EQ(symbols.intern("random"), kw_random);
    EXPECT_EQ(symbols.intern("new"), first_free_symbol);
}

TEST(Parse, ParenthesesAroundAPropositionOrConstantSayNothing) {
    EXPECT_EQ(rule_texts("(<= (terminal) (open) (p (a)))"), TextLines{"(<= terminal open (p a))"});
}

TEST(Parse, ConjunctionsAreSpread) {
    EXPECT_EQ(rule_texts("(<= p (and q (and r s)) (and) t)"), TextLines{"(<= p q r s t)"});
}

TEST(Parse, SmallDisjunctionsAreDistributed) {
    EXPECT_EQ(rule_texts("(<= p (or a (and b (or c d))) e)"),
              (TextLines{"(<= p a e)", "(<= p b c e)", "(<= p b d e)"}));
    EXPECT_EQ(rule_texts("(<= p q (or))"), TextLines{});
}

TEST(Parse, LargeDisjunctionsBecomeHiddenRelations) {
    const Description game =
        parse("(<= (p ?x) (q ?x ?y) (or (a ?y ?z) (b ?y) (c ?y)) (or (d ?x) e f) (or g h i))", "g.kif");
    ASSERT_EQ(game.hidden.size(), 1U);
    TextLines all;
    for (const Rule& rule : game.rules) all.push_back(text(game, rule));
    ASSERT_EQ(all.size(), 12U);
    EXPECT_EQ(all[0], "(<= (or#1 ?y) (a ?y ?z))");
    EXPECT_EQ(all[3], "(<= (p ?x) (q ?x ?y) (or#1 ?y) (d ?x) g)");
}

TEST(Parse, HiddenRulesRepeatWhatBindsTheirVariables) {
    const TextLines all =
        rule_texts("(<= p (q ?x ?y) (or (a ?x) (distinct ?x ?y) (not (b ?y))) (or c d e) (or f g h))");
    EXPECT_EQ(all[0], "(<= (or#1 ?x ?y) (q ?x ?y) (a ?x))");
    EXPECT_EQ(all[1], "(<= (or#1 ?x ?y) (q ?x ?y) (distinct ?x ?y))");
    EXPECT_EQ(all[2], "(<= (or#1 ?x ?y) (q ?x ?y) (not (b ?y)))");
    EXPECT_EQ(all[3], "(<= p (q ?x ?y) (or#1 ?x ?y) c f)");
}

TEST(Parse, HiddenNamesAvoidThoseOfTheText) {
    const TextLines all = rule_texts("(or#1 x) (<= p (not (and (q ?x) r)))");
    EXPECT_EQ(all[1], "(<= or##1 (q ?x) r)");
}

TEST(Parse, NegationsArePushedInwards) {
    EXPECT_EQ(rule_texts("(<= p (not (not q)))"), TextLines{"(<= p q)"});
    EXPECT_EQ(rule_texts("(<= p (not (or q (not r))))"), TextLines{"(<= p (not q) r)"});
    EXPECT_EQ(rule_texts("(<= p (q ?x) (not (and (r ?x) s)))"),
              (TextLines{"(<= p (q ?x) (not (r ?x)))", "(<= p (q ?x) (not s))"}));
}

TEST(Parse, NegatedConjunctionsWithVariablesOfTheirOwnSayThatNoneExist) {
    EXPECT_EQ(rule_texts("(<= (p ?x) (q ?x) (not (and (r ?x ?y) (s ?y))))"),
              (TextLines{"(<= (or#1 ?x) (r ?x ?y) (s ?y))", "(<= (p ?x) (q ?x) (not (or#1 ?x)))"}));
}

TEST(Parse, NotDistinctMakesTermsEqual) {
    EXPECT_EQ(rule_texts("(<= (p ?x ?y) (q ?x ?y) (not (distinct ?x ?y)))"),
              TextLines{"(<= (p ?y ?y) (q ?y ?y))"});
    EXPECT_EQ(rule_texts("(<= (p ?x) (q ?x ?y) (not (distinct (f ?x a) (f b ?y))))"),
              TextLines{"(<= (p b) (q b a))"});
    EXPECT_EQ(rule_texts("(<= p (q ?x) (not (distinct a b)))"), TextLines{});
    EXPECT_EQ(rule_texts("(<= p (q ?x) (not (distinct ?x (f ?x))))"), TextLines{});
}

TEST(Parse, PlacesAreThoseOfTheText) {
    const Description game = parse("(role a)\n  (<= p\n     (q ?x)\n\t(not r))", "g.kif");
    EXPECT_EQ(game.place(game.rules[1]).text(), "g.kif:2:3");
    EXPECT_EQ(game.rules[1].body[0].line, 3);
    EXPECT_EQ(game.rules[1].body[0].column, 6);
    EXPECT_EQ(game.rules[1].body[1].line, 4);
}

TEST(Parse, EveryMistakeIsFoundAtItsPlace) {
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"(role a)\n (p", "g.kif:2:2: parenthesis is never closed"},
        {"(role a))", "g.kif:1:9: parenthesis was never opened"},
        {"()", "g.kif:1:1: empty parentheses"},
        {"((p) a)", "g.kif:1:2: a list stands where a name is expected"},
        {"(?x a)", "g.kif:1:2: variable ?x stands where a name is expected"},
        {"(<= ?x p)", "g.kif:1:5: variable ?x stands where an atom is expected"},
        {"(<= p ?x)", "g.kif:1:7: variable ?x stands where a literal is expected"},
        {"(<=)", "g.kif:1:1: rule without a head"},
        {"(<= (or p q) r)", "g.kif:1:5: `or` cannot be the head of a rule"},
        {"(not p)", "g.kif:1:1: `not` cannot be the head of a rule"},
        {"(<= p (<= q r))", "g.kif:1:7: a rule cannot stand inside a rule"},
        {"(<= p (not))", "g.kif:1:7: `not` has 0 arguments here; it takes 1"},
        {"(<= p (not q r))", "g.kif:1:7: `not` has 2 arguments here; it takes 1"},
        {"(<= p (distinct ?x))", "g.kif:1:7: `distinct` has 1 argument here; it takes 2"},
        {"role", "g.kif:1:1: `role` has 0 arguments here; it takes 1"},
        {"(<= p (true a b))", "g.kif:1:7: `true` has 2 arguments here; it takes 1"},
        {"(<= p (does a))", "g.kif:1:7: `does` has 1 argument here; it takes 2"},
        {"(legal a)", "g.kif:1:1: `legal` has 1 argument here; it takes 2"},
        {"(terminal a)", "g.kif:1:1: `terminal` has 1 argument here; it takes 0"},
        {"(p \"a b\")", "g.kif:1:4: GDL has no strings"},
        {"(p a\"b)", "g.kif:1:5: GDL has no strings"},
        {"(p |a|b)", "g.kif:1:4: quote inside a word"},
        {"(p ?)", "g.kif:1:4: variable without a name"},
        {"(p \x01)", "g.kif:1:4: unexpected byte 0x01"},
    };
    for (const auto& [input, message] : mistakes) {
        EXPECT_TRUE(parse_complaint(input).starts_with(message))
            << input << "\n  gives " << parse_complaint(input);
    }
}

TEST(Parse, NestingHasALimit) {
    std::string deep = "(p ";
    for (int i = 0; i < 900; ++i) deep += "(s ";
    EXPECT_EQ(parse_complaint(deep + "0" + std::string(901, ')')), "");
    EXPECT_TRUE(parse_complaint(std::string(5'000'000, '('))
                    .starts_with("g.kif:1:1001: nested deeper than 1000 levels"));
}

TEST(Parse, TooManyAlternativesAreRefused) {
    std::string rule = "(<= p (q ?a)";
    for (int i = 0; i < 40; ++i) rule += fmt::format(" (or (distinct ?a {}) (not (r ?a)))", i);
    EXPECT_EQ(parse_complaint(rule + ")"), "");  // what they need is bound by q, so each is hidden
    rule = "(<= p";
    for (int i = 0; i < 40; ++i)
        rule += fmt::format(" (or (q ?v{} ?v{}) (distinct ?v{} ?v{}))", i, i + 1, i, i + 1);
    EXPECT_NE(parse_complaint(rule + ")").find("too many rules"), std::string::npos)
        << parse_complaint(rule + ")");
}

TEST(Parse, TenMegabytesTakeSeconds) {
    std::string input;
    for (int i = 0; input.size() < 10'000'000; ++i) {
        input += fmt::format("(<= (next (cell {} {} ?x)) (true (cell {} {} ?x)) (not (does p (mark {}))))\n",
                             i, i + 1, i, i, i);
    }
    const auto start = std::chrono::steady_clock::now();
    EXPECT_GT(parse(input, "g.kif").rules.size(), 100'000U);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Parse, ByteSoupGivesRulesOrAnError) {
    Random random(1);
    const std::vector<std::string> words{"(",     ")",    "(",     ")",    " ",
                                         "<=",    "or",   "and",   "not",  "distinct",
                                         "?x",    "?y",   "a",     "true", "\n",
                                         ";c\n",  "\"",   "'",     "p ",   "(<= ",
                                         "(not ", "(or ", "(p ?x", "\xff", std::string(1, '\0')};
    for (int round = 0; round < 20'000; ++round) {
        std::string soup;
        for (auto length = random.below(30); length > 0; --length) soup += words[random.below(words.size())];
        try {
            const Description game = parse(soup, "g.kif");
            for (const Rule& rule : game.rules) (void)text(game, rule);
        } catch (const Error&) {
        }
    }
}

TEST(Parse, PublishedGamesAreRead) {
    if (!published::present()) GTEST_SKIP() << "no published games beside the source";
    for (const std::string& game : published::games())
        EXPECT_GT(read(published::path(game)).rules.size(), 10U) << game;
}

}  // namespace
}  // namespace zermelo::gdl
