// Techniques of the search: whatever is switched on or off, the verdict stays and its certificate stands.

#include <gtest/gtest.h>

#include "quantified/certified.hpp"
#include "quantified/solve.hpp"
#include "support/nim.hpp"
#include "support/seeds.hpp"
#include "support/shipped_model.hpp"

namespace zermelo {
namespace {

quantified::SolveOptions with(const std::function<void(quantified::SolveOptions&)>& change) {
    quantified::SolveOptions options;
    change(options);
    return options;
}

TEST(Techniques, EveryShippedModelComesOutTheSameWithoutTheTable) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> shipped = {
        {"quantified/four-variables", {}},
        {"quantified/baker", {"n=40"}},
        {"quantified/baker", {"n=41", "weights=4"}},
        {"quantified/nim-fibonacci", {"n=20"}},
        {"quantified/nim-fibonacci", {"n=21"}},
        {"quantified/nim-tseitin", {"use_cut=true"}},
        {"quantified/subtraction", {"n=13"}},
        {"quantified/connect-four", {"columns=4", "rows=4"}},
        {"quantified/connect-four", {"columns=4", "rows=4", "aligned=3"}},
        {"quantified/connect-four-rules", {"columns=4", "rows=4"}},
        {"quantified/connect-four-qcsp", {"columns=4", "rows=3", "aligned=3", "use_cut=true"}},
        {"planning/rover", {"steps=7", "gusts=1"}},
        {"strategic/tokens", {"k=6"}},
        {"strategic/tokens", {"k=7"}},
        {"strategic/tokens-naive", {"k=5"}},
        {"strategic/tic-tac-toe-1", {}},
        {"strategic/tic-tac-toe-2", {}},
        {"strategic/connect-four", {"size=3", "aligned=3"}},
        {"strategic/connect-four", {"size=4", "aligned=3"}},
        {"strategic/connect-four", {"size=4", "aligned=3", "to_the_end=true"}},
        {"strategic/robot", {"moves=6", "slippery=1"}},
    };
    for (const auto& [path, definitions] : shipped) {
        const model::Model m = shipped_model(path, definitions);
        const quantified::Answer by_table = certified(m, {});
        const quantified::Answer by_hand =
            certified(m, with([](quantified::SolveOptions& o) { o.goods = false; }));
        EXPECT_EQ(by_table.verdict, by_hand.verdict) << path;
        EXPECT_EQ(by_hand.statistics.lookups, 0U) << path;
        EXPECT_LE(by_table.statistics.nodes, by_hand.statistics.nodes) << path;
    }
}

TEST(Techniques, TheTableLetsNimGrowWithItsPositionsAndNotItsPlays) {
    const int most = sanitized ? 40 : 100;
    for (int n = 2; n <= most; ++n) {
        const model::Model m = nim_with_rules(n).build();
        const quantified::Answer answer = quantified::solve(m);
        ASSERT_EQ(answer.verdict, is_fibonacci(n) ? quantified::Verdict::lost : quantified::Verdict::won)
            << n;
        // What is left is determined by the matches left, the last move and whose turn it is.
        EXPECT_LE(answer.statistics.stored, static_cast<std::uint64_t>(2 * n * n)) << n;
    }
}

TEST(Techniques, PureValuesAreSkippedWhereNothingIsLearnedAndNotByAlgorithm1) {
    const model::Model m =
        shipped_model("quantified/connect-four-qcsp", {"columns=4", "rows=4", "use_cut=true"});
    const auto statistics = [&](const std::function<void(quantified::SolveOptions&)>& change) {
        return certified(m, with(change)).statistics;
    };
    const auto by_default = statistics([](quantified::SolveOptions&) {});
    const auto without = statistics([](quantified::SolveOptions& o) { o.pure_values = false; });
    EXPECT_GT(by_default.pure, 0U);
    EXPECT_EQ(without.pure, 0U);
    EXPECT_LT(2 * by_default.nodes, without.nodes);
    EXPECT_EQ(
        statistics([](quantified::SolveOptions& o) { o.learning = quantified::Learning::backjump; }).pure,
        0U);
    const model::Model small =
        shipped_model("quantified/connect-four-qcsp", {"columns=3", "rows=3", "aligned=3", "use_cut=true"});
    for (const bool entailed : {true, false}) {
        const auto pure = certified(small, with([&](quantified::SolveOptions& o) {
                                        o.learning = quantified::Learning::off;
                                        if (!entailed) o.success = quantified::Success::assigned;
                                    }))
                              .statistics.pure;
        EXPECT_EQ(pure > 0, entailed);
    }
}

TEST(Techniques, TheMirrorOfConnectFourHalvesTheWork) {
    const model::Model m = shipped_model("quantified/connect-four", {"columns=5", "rows=4", "half=false"});
    const quantified::Answer plain = certified(m, {});
    const quantified::Answer mirrored =
        certified(m, with([](quantified::SolveOptions& o) { o.symmetry = true; }));
    EXPECT_EQ(mirrored.statistics.symmetries, 1U);
    EXPECT_EQ(plain.verdict, quantified::Verdict::lost);
    EXPECT_EQ(mirrored.verdict, quantified::Verdict::lost);
    EXPECT_LT(mirrored.statistics.stored, plain.statistics.stored * 2 / 3);
}

TEST(Techniques, ThreadsShareTheirWork) {
    const model::Model m = shipped_model("quantified/connect-four", {"columns=5", "rows=4"});
    const quantified::Answer alone = certified(m, {});
    for (const unsigned threads : {2U, 4U}) {
        const quantified::Answer together =
            certified(m, with([&](quantified::SolveOptions& o) { o.threads = threads; }));
        EXPECT_EQ(together.verdict, alone.verdict);
        // Everything twice would be no sharing.
        EXPECT_LT(together.statistics.stored, 2 * alone.statistics.stored);
    }
    const model::Model by_ranks = shipped_model("strategic/connect-four", {"size=4", "aligned=3"});
    EXPECT_EQ(certified(by_ranks, with([](quantified::SolveOptions& o) { o.threads = 3; })).verdict,
              quantified::Verdict::won);
    const auto both = with([](quantified::SolveOptions& o) { o.threads = 2, o.symmetry = true; });
    EXPECT_EQ(certified(shipped_model("quantified/connect-four", {"columns=4", "rows=5", "half=false"}), both)
                  .verdict,
              quantified::Verdict::lost);
}

TEST(Techniques, NodesThatAreThrownAwayAreNotMissed) {
    const model::Model m = shipped_model("quantified/connect-four", {"columns=5", "rows=4", "half=false"});
    for (const unsigned threads : {1U, 3U}) {
        quantified::SolveOptions options;
        options.threads = threads;
        options.symmetry = true;
        options.strategy_nodes = 100;
        EXPECT_GT(certified(m, options).statistics.collections, 3U);
    }
}

TEST(Techniques, AThreadThatStopsStopsTheOthers) {
    const model::Model m = shipped_model("quantified/connect-four", {"columns=6", "rows=6"});
    quantified::SolveOptions options;
    options.threads = 3;
    options.limits = Limits(0.3, std::nullopt);
    const quantified::Answer answer = solve(m, options);
    EXPECT_EQ(answer.verdict, quantified::Verdict::unknown);
    EXPECT_EQ(answer.stop, Stop::time);
}

TEST(Techniques, ConsistencyIsDecidedByPropagationWhereItCanBe) {
    const quantified::Answer tic_tac_toe = certified(shipped_model("strategic/tic-tac-toe-1"), {});
    EXPECT_GT(tic_tac_toe.statistics.by_propagation, 9 * tic_tac_toe.statistics.consistency / 10);
    // Where the play goes on after a line, the ranks of free cells have to be looked for.
    const quantified::Answer by_ranks =
        certified(shipped_model("strategic/connect-four", {"size=4", "aligned=3", "to_the_end=true"}), {});
    EXPECT_GT(by_ranks.statistics.by_search, 0U);
    EXPECT_GT(by_ranks.statistics.by_values, by_ranks.statistics.by_search);
}

}  // namespace
}  // namespace zermelo
