// The shipped MiniZinc models, through the real compiler: the verdicts that theory and the papers give, each
// with a certificate, and never more propagations than the best figures of QuaCode.

#include <gtest/gtest.h>

#include "quantified/certified.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "support/nim.hpp"
#include "support/shipped_model.hpp"
#include "support/tree.hpp"

namespace zermelo {
namespace {

model::Model quantified_model(const std::string& name, std::vector<std::string> definitions,
                              const std::string& extra = "") {
    return shipped_model("quantified/" + name, std::move(definitions), extra);
}

TEST(Models, TheExampleOfSection2IsWonWithXAndYZero) {
    const model::Model m = quantified_model("four-variables", {});
    quantified::SolveOptions options;
    options.values = quantified::ValueOrder::ascending;
    options.all_first_moves = true;
    const quantified::Answer answer = solve(m, options);
    EXPECT_EQ(answer.verdict, quantified::Verdict::won);
    EXPECT_EQ(answer.first_moves.front(), (std::vector<model::Value>{0, 0}));
}

TEST(Models, TheBakerBuysOneThreeNineAndTwentySevenAndNothingElse) {
    const model::Model m = quantified_model("baker", {"n=40"});
    quantified::SolveOptions options;
    options.all_first_moves = true;
    EXPECT_EQ(solve(m, options).first_moves, (std::vector<std::vector<model::Value>>{{1, 3, 9, 27}}));
    EXPECT_EQ(certified(quantified_model("baker", {"n=41", "weights=4"})).verdict, quantified::Verdict::lost);
}

TEST(Models, FibonacciNimFollowsTheFibonacciNumbers) {
    for (int n = 2; n <= 28; ++n) {
        EXPECT_EQ(certified(quantified_model("nim-fibonacci", {"n=" + std::to_string(n)})).verdict,
                  is_fibonacci(n) ? quantified::Verdict::lost : quantified::Verdict::won)
            << "n = " << n;
    }
}

TEST(Models, TheTseitinFormOfNimIsFigure3OnlyWithItsCuts) {
    quantified::SolveOptions published;
    published.values = quantified::ValueOrder::ascending;
    published.success = quantified::Success::assigned;
    published.goods = false;
    const auto nodes = [&](const std::string& cut) {
        return solve(quantified_model("nim-tseitin", {"use_cut=" + cut}), published).statistics.nodes;
    };
    EXPECT_EQ(nodes("true"), 9);
    EXPECT_GT(nodes("false"), 9);
}

TEST(Models, AWrongCutIsExposed) {
    const model::Model m = quantified_model("nim-five-wrong-cut", {});
    const quantified::Answer believed = quantified::solve(m);
    EXPECT_EQ(believed.verdict, quantified::Verdict::won);
    EXPECT_FALSE(verify(m, believed.strategy).valid);
    quantified::SolveOptions options;
    options.check_cuts = true;
    EXPECT_FALSE(solve(m, options).broken_cuts.empty());
}

TEST(Models, ThirteenMatchesAreLostInTheSubtractionGame) {
    EXPECT_EQ(certified(quantified_model("subtraction", {"n=13"})).verdict, quantified::Verdict::lost);
    EXPECT_EQ(certified(quantified_model("subtraction", {"n=12"})).verdict, quantified::Verdict::won);
}

TEST(Models, TheMatrixGameReadsItsBoardAsThePaperSays) {
    // MiniZinc itself checks the claims: a wrong one is an error of the compiler.
    const std::string claims = R"(
        constraint assert(access = [32, 4, 16, 2, 8, 1], "the access vector for three rounds");
        constraint assert(sum(i in Move)(access[i] * [0, 1, 1, 0, 1, 1][i]) = 29, "the play (0,1,1,0,1,1) ends in cell 29");
    )";
    std::string board = "board=[";
    for (int cell = 0; cell < 64; ++cell)
        board += std::string(cell > 0 ? "," : "") + (cell == 29 ? "1" : "0");
    EXPECT_EQ(certified(quantified_model("matrix-game", {"depth=3", board + "]"}, claims)).verdict,
              quantified::Verdict::lost);
    std::string full = "board=[1";
    for (int cell = 1; cell < 64; ++cell) full += ",1";
    EXPECT_EQ(certified(quantified_model("matrix-game", {"depth=3", full + "]"}, claims)).verdict,
              quantified::Verdict::won);
}

TEST(Models, NobodyWinsConnectFourOnSmallBoardsAndItTakesFewPropagations) {
    struct PlayoutBoard {
        int columns;
        int rows;
        std::uint64_t quacode;  // propagations of its best model and heuristic
    };
    for (const PlayoutBoard board :
         {PlayoutBoard{4, 4, 2181460}, PlayoutBoard{4, 5, 16196703}, PlayoutBoard{5, 4, 130164483}}) {
        const std::vector<std::string> size = {"columns=" + std::to_string(board.columns),
                                               "rows=" + std::to_string(board.rows)};
        for (const char* name : {"connect-four", "connect-four-rules"}) {
            const quantified::Answer answer = certified(quantified_model(name, size));
            EXPECT_EQ(answer.verdict, quantified::Verdict::lost) << name << ' ' << size[0] << ' ' << size[1];
            EXPECT_LE(answer.statistics.propagations, board.quacode)
                << name << ' ' << size[0] << ' ' << size[1];
        }
    }
}

TEST(Models, TheThreeModelsOfConnectFourAgree) {
    for (const int aligned : {3, 4}) {
        const std::vector<std::string> size = {"columns=4", "rows=4", "aligned=" + std::to_string(aligned)};
        const quantified::Verdict expected =
            aligned == 3 ? quantified::Verdict::won : quantified::Verdict::lost;
        EXPECT_EQ(certified(quantified_model("connect-four", size)).verdict, expected);
        EXPECT_EQ(certified(quantified_model("connect-four-rules", size)).verdict, expected);
        auto with_cut = size;
        with_cut.emplace_back("use_cut=true");
        EXPECT_EQ(quantified::solve(quantified_model("connect-four-qcsp", with_cut)).verdict, expected);
    }
}

}  // namespace
}  // namespace zermelo
