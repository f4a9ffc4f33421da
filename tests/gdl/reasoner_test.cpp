// The reasoner against what a reference prover published, and against small descriptions with known answers.
//
// ZERMELO_ALL_STEPS=1 checks every published step instead of the first ones of each game.

#include "gdl/reasoner/reasoner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "core/random.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/md5.hpp"
#include "support/published.hpp"

namespace zermelo::gdl {
namespace {

using published::split;

constexpr double seconds_per_game = 0.6;

class Patience {
public:
    explicit Patience(double seconds = seconds_per_game) : most_(seconds) {}
    [[nodiscard]] bool over() const { return !published::everything() && seconds() > most_; }
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    double most_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class Published : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (!published::present()) GTEST_SKIP() << "no published games beside the source";
    }
};

class PublishedTraces : public Published {};
class PublishedPercepts : public Published {};
class PublishedCounts : public Published {};

std::string digest(const Reasoner& reasoner, const std::vector<Reasoner::Ground>& terms) {
    return md5(reasoner.text(terms), 16);
}

std::string goals(Reasoner& reasoner, const Reasoner::State& state) {
    std::vector<int> values;
    for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
        values.push_back(reasoner.goal(state, role).value_or(-1));
    }
    return fmt::format("{}", fmt::join(values, ","));
}

Reasoner::Joint joint_move(Reasoner& reasoner, const Reasoner::State& state, const std::string& text) {
    Reasoner::Joint joint;
    (void)reasoner.legal(state, 0);  // makes the terms known
    for (const std::string& move : split(text, " | ")) {
        const auto found = reasoner.find(move);
        if (!found) throw Error("no such move: " + move);
        joint.push_back(*found);
    }
    return joint;
}

TEST_P(PublishedTraces, AreReproduced) {
    const Patience patience;
    auto lines = published::table("traces.tsv")[GetParam()];
    Reasoner reasoner(read(published::path(GetParam())));
    Reasoner::State state;
    std::size_t steps = 0;
    for (const auto& line : lines) {
        if (line.size() < 8) continue;  // the reference prover failed
        if (patience.over()) break;
        const std::string where = fmt::format("playout {} step {}", line[1], line[2]);
        if (line[2] == "0") state = reasoner.initial();
        ++steps;
        ASSERT_EQ(std::to_string(state.size()), line[3]) << where;
        ASSERT_EQ(digest(reasoner, state), line[4]) << where << "\n" << reasoner.text(state);
        ASSERT_EQ(reasoner.terminal(state), line[5] == "TERMINAL") << where;
        if (line[5] == "TERMINAL") {
            ASSERT_EQ(goals(reasoner, state), line[7]) << where;
            continue;
        }
        if (line[5] == "CUT") continue;
        std::vector<std::string> counts;
        std::vector<std::string> digests;
        for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
            const auto moves = reasoner.legal(state, role);
            counts.push_back(std::to_string(moves.size()));
            digests.push_back(digest(reasoner, moves));
        }
        ASSERT_EQ(fmt::format("{}", fmt::join(counts, ",")), line[5]) << where;
        ASSERT_EQ(fmt::format("{}", fmt::join(digests, ",")), line[6]) << where;
        state = reasoner.next(state, joint_move(reasoner, state, line[7]));
    }
    fmt::print("{}: {} of {} steps, {:.2f} s\n", GetParam(), steps, lines.size(), patience.seconds());
}

TEST_P(PublishedPercepts, AreReproduced) {
    auto lines = published::table("percepts.tsv")[GetParam()];
    Reasoner reasoner(read(published::path(GetParam())));
    Reasoner::State state;
    for (const auto& line : lines) {
        if (line.size() < 6) continue;
        if (line[2] == "0") state = reasoner.initial();
        if (line[3] == "TERMINAL") continue;
        const auto joint = joint_move(reasoner, state, line[4]);
        std::vector<std::string> all;
        for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
            std::vector<std::string> seen;
            for (const auto percept : reasoner.sees(state, joint, role))
                seen.push_back(reasoner.text(percept));
            all.push_back(
                fmt::format("{}=[{}]", reasoner.text(reasoner.roles()[role]), fmt::join(seen, " ; ")));
        }
        ASSERT_EQ(fmt::format("{}", fmt::join(all, " ")), line[5])
            << "playout " << line[1] << " step " << line[2];
        state = reasoner.next(state, joint);
    }
}

// All states at one depth with the number of paths to each.
using Layer = std::map<Reasoner::State, std::uint64_t>;

struct Counts {
    std::uint64_t paths = 0;
    std::uint64_t ended = 0;
    std::map<std::string, std::uint64_t> goals;
};

Counts count(Reasoner& reasoner, const Layer& layer) {
    Counts counts;
    for (const auto& [state, paths] : layer) {
        counts.paths += paths;
        if (!reasoner.terminal(state)) continue;
        counts.ended += paths;
        std::string values = goals(reasoner, state);
        std::replace(values.begin(), values.end(), ',', '/');
        counts.goals[values] += paths;
    }
    return counts;
}

// False if patience was lost on the way.
bool advance(Reasoner& reasoner, Layer& layer, const Patience& patience) {
    Layer result;
    for (const auto& [state, paths] : layer) {
        if (patience.over()) return false;
        if (reasoner.terminal(state)) continue;
        std::vector<Reasoner::Joint> joints{{}};
        for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
            std::vector<Reasoner::Joint> longer;
            for (const auto move : reasoner.legal(state, role)) {
                for (auto joint : joints) {
                    joint.push_back(move);
                    longer.push_back(std::move(joint));
                }
            }
            joints = std::move(longer);
        }
        for (const auto& joint : joints) {
            if (patience.over()) return false;
            result[reasoner.next(state, joint)] += paths;
        }
    }
    layer = std::move(result);
    return true;
}

TEST_P(PublishedCounts, AtSmallDepthsAreReproduced) {
    const Patience patience;
    const auto lines = published::table("facts.tsv")[GetParam()];
    Reasoner reasoner(read(published::path(GetParam())));
    Layer layer{{reasoner.initial(), 1}};
    constexpr std::uint64_t most_paths = 20'000;
    for (const auto& line : lines) {
        if (line.size() < 7) continue;
        const std::string where = "depth " + line[1];
        if (std::stoull(line[2]) > most_paths) break;
        if (line[1] != "0" && !advance(reasoner, layer, patience)) break;
        const Counts counts = count(reasoner, layer);
        ASSERT_EQ(std::to_string(counts.paths), line[2]) << where;
        if (line[3] != "-") {
            ASSERT_EQ(std::to_string(layer.size()), line[3]) << where;
        }
        ASSERT_EQ(std::to_string(counts.ended), line[4]) << where;
        if (line[5] != "-") {
            std::set<std::string> expected;
            for (const auto& part : split(line[5], ";")) expected.insert(part);
            std::set<std::string> found;
            for (const auto& [values, paths] : counts.goals)
                found.insert(fmt::format("{}:{}", values, paths));
            EXPECT_EQ(found, expected) << where;
        }
        if (line[6] != "-") {
            std::vector<std::string> moves;
            for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
                moves.push_back(fmt::format("{}={}", reasoner.text(reasoner.roles()[role]),
                                            reasoner.legal(reasoner.initial(), role).size()));
            }
            EXPECT_EQ(fmt::format("{}", fmt::join(moves, ",")), line[6]);
        }
    }
}

// Our own games, and small descriptions

Reasoner our_reasoner(const std::string& name) {
    return Reasoner(read(ZERMELO_SOURCE_DIR "/games/gdl/" + name));
}

// How many sequences of joint moves there are, by length.
std::vector<std::uint64_t> paths(Reasoner reasoner, int depth) {
    const Patience patience(1000);
    Layer layer{{reasoner.initial(), 1}};
    std::vector<std::uint64_t> result;
    for (int i = 0; i < depth && advance(reasoner, layer, patience); ++i) {
        result.push_back(count(reasoner, layer).paths);
    }
    return result;
}

TEST(Reasoner, CountsTheFirstMovesOfOurGames) {
    using Numbers = std::vector<std::uint64_t>;
    EXPECT_EQ(paths(our_reasoner("othello.kif"), 5), (Numbers{4, 12, 56, 244, 1396}));
    EXPECT_EQ(paths(our_reasoner("checkers.kif"), 4), (Numbers{7, 49, 302, 1469}));
    EXPECT_EQ(paths(our_reasoner("breakthrough.kif"), 3), (Numbers{22, 484, 11132}));
}

TEST(Reasoner, TicTacToeHas255168Plays) {
    Reasoner reasoner = our_reasoner("tic-tac-toe.kif");
    const Patience patience(1000);
    std::map<std::string, std::uint64_t> plays;
    std::size_t positions = 0;
    for (Layer layer{{reasoner.initial(), 1}}; !layer.empty();) {
        positions += layer.size();
        for (const auto& [values, number] : count(reasoner, layer).goals) plays[values] += number;
        ASSERT_TRUE(advance(reasoner, layer, patience));
    }
    EXPECT_EQ(plays,
              (std::map<std::string, std::uint64_t>{{"100/0", 131184}, {"0/100", 77904}, {"50/50", 46080}}));
    EXPECT_EQ(positions, 5478U);
}

TEST(Reasoner, TheEightPuzzleIsSolvedInTenMoves) {
    Reasoner reasoner = our_reasoner("eight-puzzle.kif");
    const Patience patience(1000);
    Layer layer{{reasoner.initial(), 1}};
    int depth = 0;
    for (; count(reasoner, layer).ended == 0; ++depth) ASSERT_TRUE(advance(reasoner, layer, patience));
    EXPECT_EQ(depth, 10);
}

// The value for the first role when it moves as well as it can and the second at random.
double value(Reasoner& reasoner, const Reasoner::State& state) {
    if (reasoner.terminal(state)) return reasoner.goal(state, 0).value();
    double best = 0;
    const auto replies = reasoner.legal(state, 1);
    for (const auto move : reasoner.legal(state, 0)) {
        double sum = 0;
        for (const auto reply : replies) sum += value(reasoner, reasoner.next(state, {move, reply}));
        best = std::max(best, sum / static_cast<double>(replies.size()));
    }
    return best;
}

TEST(Reasoner, GamesAgainstChanceHaveTheirKnownValues) {
    const auto value_of = [](Reasoner reasoner) { return value(reasoner, reasoner.initial()); };
    EXPECT_DOUBLE_EQ(value_of(our_reasoner("tic-tac-toe-2x2.kif")), 25);
    EXPECT_DOUBLE_EQ(value_of(our_reasoner("guess-dice.kif")), 100.0 / 6);
}

TEST(Reasoner, AnswersOnDemandAreTheSame) {
    for (const char* name :
         {"checkers.kif", "othello.kif", "dice-race.kif", "mastermind.kif", "rock-paper-scissors.kif"}) {
        const Description game = read(std::string(ZERMELO_SOURCE_DIR "/games/gdl/") + name);
        Reasoner whole(game);
        Reasoner asked(game, {.large_relation = 0});
        Random random(1);
        auto state = whole.initial();
        auto same = asked.initial();
        for (int step = 0; step < 60; ++step) {
            ASSERT_EQ(whole.text(state), asked.text(same)) << name << " step " << step;
            ASSERT_EQ(whole.terminal(state), asked.terminal(same)) << name << " step " << step;
            ASSERT_EQ(goals(whole, state), goals(asked, same)) << name << " step " << step;
            if (whole.terminal(state)) break;
            Reasoner::Joint joint;
            Reasoner::Joint same_joint;
            for (std::size_t role = 0; role < whole.roles().size(); ++role) {
                const auto moves = whole.legal(state, role);
                const auto same_moves = asked.legal(same, role);
                ASSERT_EQ(whole.text(moves), asked.text(same_moves)) << name << " step " << step;
                const auto chosen = random.below(moves.size());
                joint.push_back(moves[chosen]);
                same_joint.push_back(same_moves[chosen]);
            }
            state = whole.next(state, joint);
            same = asked.next(same, same_joint);
        }
    }
}

// What the rules say about the initial state: the goal values of role `a`.
std::vector<std::string> goals_of_a(const std::string& rules) {
    Reasoner reasoner(parse("(role a)" + rules, "g.kif"));
    std::vector<std::string> result;
    for (const auto term : reasoner.goals(reasoner.initial(), 0)) result.push_back(reasoner.text(term));
    return result;
}

std::string reasoner_complaint(const std::string& rules, const ReasonerOptions& options = {}) {
    try {
        Reasoner reasoner(parse(rules, "g.kif"), options);
        (void)reasoner.goals(reasoner.initial(), 0);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

using Words = std::vector<std::string>;

TEST(Reasoner, RecursionReachesItsLeastFixpoint) {
    const std::string graph = "(edge 1 2) (edge 2 3) (edge 3 1) (edge 3 4) (edge 5 1)";
    EXPECT_EQ(goals_of_a(graph + "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))"
                                 "(<= (goal a ?y) (path 1 ?y))"),
              (Words{"1", "2", "3", "4"}));
    EXPECT_EQ(
        goals_of_a(
            "(even 0) (s 0 1) (s 1 2) (s 2 3) (s 3 4)"
            "(<= (odd ?y) (even ?x) (s ?x ?y)) (<= (even ?y) (odd ?x) (s ?x ?y)) (<= (goal a ?x) (even ?x))"),
        (Words{"0", "2", "4"}));
}

TEST(Reasoner, NegationIsOfWhatIsComplete) {
    EXPECT_EQ(
        goals_of_a(
            "(p 1) (p 2) (p 3) (q 2) (<= (r ?x) (p ?x) (not (q ?x))) (<= (goal a ?x) (p ?x) (not (r ?x)))"),
        Words{"2"});
    EXPECT_EQ(goals_of_a("(p 1) (p 2) (q 2 x) (<= (goal a ?x) (p ?x) (not (q ?x ?any)))"), Words{"1"});
}

TEST(Reasoner, TermsAreMatchedInDepth) {
    EXPECT_EQ(
        goals_of_a("(init (at (pair 1 2))) (init (at (pair 3 3))) (init (at 7))"
                   "(<= (goal a ?x) (true (at (pair ?x ?x)))) (<= (goal a ?y) (true (at (pair 1 ?y))))"),
        (Words{"2", "3"}));
    EXPECT_EQ(goals_of_a("(p (f 1)) (p (g 2)) (<= (goal a ?x) (p ?y) (distinct ?y (g 2)) (p (f ?x)))"),
              Words{"1"});
}

TEST(Reasoner, ARelationWithDifferentNumbersOfArgumentsIsDifferentRelations) {
    EXPECT_EQ(goals_of_a("(p 1) (p 2 3) (<= (goal a ?x) (p ?x)) (<= (goal a ?y) (p 2 ?y))"),
              (Words{"1", "3"}));
}

TEST(Reasoner, GoalsByTheirOwnNegationAreTakenAtomByAtom) {
    EXPECT_EQ(goals_of_a("(init s) (<= (goal a 100) (true t)) (<= (goal a 0) (not (goal a 100)))"),
              Words{"0"});
}

TEST(Reasoner, WhatCannotBeEvaluatedIsRefused) {
    EXPECT_EQ(reasoner_complaint("(p a)"), "g.kif: no roles; name the players with (role …)");
    EXPECT_EQ(reasoner_complaint("(role a) (<= (goal a ?x) (role a))"),
              "g.kif:1:10: a variable of the head has no value; add a positive literal that binds it");
    EXPECT_TRUE(reasoner_complaint("(role a) (<= p (not q)) (<= q (not p)) (<= (goal a 1) p)")
                    .find("its own negation") != std::string::npos);
}

TEST(Reasoner, InfiniteRecursionEndsWithAnError) {
    EXPECT_EQ(reasoner_complaint("(role a) (p 0) (<= (p (s ?x)) (p ?x)) (<= (goal a ?x) (p ?x))"),
              "g.kif:1:16: (p (s ?x)) makes ever deeper terms; bound its recursion, or raise the limit");
    const std::string product =
        "(role a) (n 0) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)"
        "(<= (p ?a ?b ?c ?d ?e ?f ?g) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g)) (<= (goal a ?x) (p "
        "?x ?b ?c ?d ?e ?f ?g))";
    EXPECT_NE(reasoner_complaint(product, {.most_facts = 10'000}).find("makes too many facts"),
              std::string::npos);
    EXPECT_NE(reasoner_complaint(product, {.limits = Limits(0.05, {})}).find("time limit reached"),
              std::string::npos);
}

TEST(Reasoner, TermsAreFoundByTheirText) {
    Reasoner reasoner = our_reasoner("tic-tac-toe.kif");
    const auto state = reasoner.initial();
    const auto moves = reasoner.legal(state, 0);
    ASSERT_EQ(moves.size(), 9U);
    EXPECT_EQ(reasoner.find("(MARK 1  1)"), moves.front());
    EXPECT_EQ(reasoner.find("(mark 4 4)"), std::nullopt);
    EXPECT_EQ(reasoner.find("(mark 1"), std::nullopt);
    EXPECT_EQ(reasoner.find("mark 1"), std::nullopt);
}

// The games of a table, or one that is skipped.
std::vector<std::string> games_in(const std::string& table) {
    std::vector<std::string> names;
    for (const auto& [name, lines] : published::table(table)) names.push_back(name);
    if (names.empty()) names.emplace_back("none");
    return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& test) {
    std::string name = test.param.substr(0, test.param.find('.'));
    for (char& c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(Reasoner, PublishedTraces, testing::ValuesIn(games_in("traces.tsv")), test_name);
INSTANTIATE_TEST_SUITE_P(Reasoner, PublishedPercepts, testing::ValuesIn(games_in("percepts.tsv")), test_name);
INSTANTIATE_TEST_SUITE_P(Reasoner, PublishedCounts, testing::ValuesIn(games_in("facts.tsv")), test_name);

}  // namespace
}  // namespace zermelo::gdl
