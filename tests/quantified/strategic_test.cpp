// Strategic models: the verdict is that of definition 2 by brute force, the certificate stands, and the games
// of the paper come out as it says.

#include <gtest/gtest.h>

#include "quantified/certified.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "support/random_model.hpp"
#include "support/random_strategic.hpp"
#include "support/search_options.hpp"
#include "support/shipped_model.hpp"
#include "support/strategic_oracle.hpp"

namespace zermelo {
namespace {

void expect_certified(const model::Model& model, const quantified::SolveOptions& options, bool won) {
    const quantified::Answer answer = solve(model, options);
    ASSERT_EQ(answer.verdict, won ? quantified::Verdict::won : quantified::Verdict::lost);
    const strategy::Verification check = verify(model, answer.strategy);
    ASSERT_TRUE(check.valid) << (check.counterexample ? check.counterexample->text(model) : "");
}

TEST(StrategicModels, AreSolvedRightAndCertified) {
    for (const auto seed : seeds(1000)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const model::ModelBuilder game = random_strategic_model(seed);
        const model::Model model = game.build();
        const bool won = oracle::strategically_won(game.source());
        for (std::uint64_t k = 0; k < 4; ++k) {
            ASSERT_NO_FATAL_FAILURE(expect_certified(model, options_number(seed * 4 + k), won));
        }
    }
}

TEST(StrategicModels, MayDemandAStateVariableThatNothingElseSpeaksOf) {
    model::ModelBuilder game("demand");
    const auto x = game.exists("x", 1, 2);
    const auto free = game.state("free", 0, 1);
    game.require(x >= 1);
    game.win(free == 1);
    ASSERT_NO_FATAL_FAILURE(expect_certified(game.build(), {}, true));
}

TEST(StrategicModels, SayWhatTheQcspSaysThatTheyAreMadeOf) {
    for (const auto seed : seeds(500)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const model::Source qcsp = random_model(seed).source();
        const model::Model reduced = flatten(oracle::strategic_form(qcsp));
        ASSERT_NO_FATAL_FAILURE(expect_certified(reduced, options_number(seed), oracle::won(qcsp)));
    }
}

TEST(StrategicModels, TellAllWinningFirstMoves) {
    for (const auto seed : seeds(300)) {
        const model::ModelBuilder game = random_strategic_model(seed);
        const model::Model model = game.build();
        if (model.prefix.front().quantifier != model::Quantifier::exists) continue;
        if (model.prefix.front().variables.size() > 1) continue;
        quantified::SolveOptions options = options_number(seed);
        options.all_first_moves = true;
        std::vector<std::vector<model::Value>> found = solve(model, options).first_moves;
        std::sort(found.begin(), found.end());
        std::vector<std::vector<model::Value>> expected;
        const auto first = static_cast<std::size_t>(model.prefix.front().variables.front());
        for (const model::Value value : game.source().variables[first].domain.values()) {
            model::Source fixed = game.source();
            fixed.variables[first].domain = model::Domain(value, value);
            if (oracle::strategically_won(fixed)) expected.push_back({value});
        }
        ASSERT_EQ(found, expected) << "seed " << seed;
    }
}

// ---- the games of the paper

model::Model strategic_model(const std::string& name, std::vector<std::string> definitions = {}) {
    return shipped_model("strategic/" + name, std::move(definitions));
}

// The player who starts wins from these tokens, with this sum modulo 3 in his hands.
bool tokens_won(std::vector<int> left, int sum, bool ours) {
    for (std::size_t i = 0; i < left.size(); ++i) {
        const int after = ours ? (sum + left[i]) % 3 : sum;
        std::vector<int> rest = left;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        const bool won = (!ours || after != 0) && tokens_won(rest, after, !ours);
        if (won == ours) return ours;
    }
    return left.empty() || !ours;
}

TEST(StrategicGames, TheTokenGameIsWhatPlayingItSays) {
    std::vector<int> tokens = {1};
    for (int k = 2; k <= 8; ++k) {
        tokens.push_back(k);
        const std::string size = "k=" + std::to_string(k);
        EXPECT_EQ(verdict(strategic_model("tokens", {size})),
                  tokens_won(tokens, 0, true) ? quantified::Verdict::won : quantified::Verdict::lost)
            << size;
        EXPECT_EQ(verdict(strategic_model("tokens-naive", {size})), quantified::Verdict::lost) << size;
    }
}

TEST(StrategicGames, NobodyWinsTicTacToeInEitherModel) {
    EXPECT_EQ(verdict(strategic_model("tic-tac-toe-1")), quantified::Verdict::lost);
    EXPECT_EQ(verdict(strategic_model("tic-tac-toe-2")), quantified::Verdict::lost);
}

TEST(StrategicGames, ConnectFourComesOutAsInTable1) {
    struct Row {
        int size;
        int aligned;
        quantified::Verdict verdict;
    };
    for (const Row row : {Row{2, 2, quantified::Verdict::won}, Row{3, 2, quantified::Verdict::won},
                          Row{5, 2, quantified::Verdict::won}, Row{6, 2, quantified::Verdict::won},
                          Row{7, 2, quantified::Verdict::won}, Row{3, 3, quantified::Verdict::lost},
                          Row{4, 3, quantified::Verdict::won}, Row{4, 4, quantified::Verdict::lost}}) {
        const std::string size = "size=" + std::to_string(row.size);
        const std::string aligned = "aligned=" + std::to_string(row.aligned);
        EXPECT_EQ(verdict(strategic_model("connect-four", {size, aligned})), row.verdict)
            << size << ' ' << aligned;
    }
}

// Free cells that must have ranks like all others make lines that nobody has made.
TEST(StrategicGames, TheRanksOfThePaperTakenExactlyLoseTheSmallestConnectFour) {
    EXPECT_EQ(verdict(strategic_model("connect-four", {"size=2", "aligned=2", "as_printed=true"})),
              quantified::Verdict::lost);
}

TEST(StrategicGames, TheRobotNeedsMoreMovesTheMoreSlopesMayBeSlippery) {
    const std::vector<int> needed = {4, 8, 10, 10};
    for (std::size_t slippery = 0; slippery < needed.size(); ++slippery) {
        const std::string slopes = "slippery=" + std::to_string(slippery);
        const auto with = [&](int moves) {
            return verdict(strategic_model("robot", {"moves=" + std::to_string(moves), slopes}));
        };
        EXPECT_EQ(with(needed[slippery]), quantified::Verdict::won) << slopes;
        EXPECT_EQ(with(needed[slippery] - 1), quantified::Verdict::lost) << slopes;
    }
}

// A move by columns is legal where the rule of the quantified model allows it; so both explore the same game,
// and a definition that waited for its move would let the strategic search see less.
TEST(StrategicGames, ConnectFourByColumnsIsTheGameWithRules) {
    for (const auto& [size, aligned] : {std::pair{3, 2}, {3, 3}, {4, 3}, {4, 4}, {6, 3}}) {
        SCOPED_TRACE(testing::Message() << size << ", " << aligned << " in a line");
        const std::string in_a_line = "aligned=" + std::to_string(aligned);
        const std::string number = std::to_string(size);
        const quantified::Answer columns =
            certified(strategic_model("connect-four-columns", {"size=" + number, in_a_line, "half=true"}));
        quantified::SolveOptions in_the_same_order;
        in_the_same_order.values = quantified::ValueOrder::middle;
        const quantified::Answer rules = quantified::solve(
            shipped_model("quantified/connect-four", {"columns=" + number, "rows=" + number, in_a_line}),
            in_the_same_order);
        EXPECT_EQ(columns.verdict, rules.verdict);
        EXPECT_LE(columns.statistics.nodes, rules.statistics.nodes * 11 / 10 + 10);
        EXPECT_EQ(columns.statistics.by_search, 0U);
    }
}

}  // namespace
}  // namespace zermelo
