// How large the search tree of Connect-Four is, by a program that knows no constraint: which nodes our search
// opens, and which QuaCode (Barichard and Stéphan 2017) opens, whose published program was measured.

#include <gtest/gtest.h>

#include <array>

#include "quantified/solve.hpp"
#include "support/shipped_model.hpp"

namespace zermelo {
namespace {

struct TreeSize {
    std::uint64_t choices = 0;  // positions with more than one column
    std::uint64_t splits = 0;   // the same where a choice is between a value and the values that are left
    std::uint64_t failures = 0;
    std::uint64_t successes = 0;
    // What Gecode counts: every space that is made.
    [[nodiscard]] std::uint64_t spaces() const { return splits + failures + successes; }
};

struct TreeOptions {
    bool right_half = true;   // the first disc: the right half, or the left one
    bool dead_lines = false;  // we fail as soon as each line has a disc of theirs
    bool look_ahead = false;  // we fail as soon as they have a winning drop
};

// Depth-first, columns ascending; full columns are no moves; who has a line has won.
class ConnectFourTree {
public:
    ConnectFourTree(int columns, int rows, int aligned, const TreeOptions& options)
        : columns_(columns), rows_(rows), options_(options) {
        for (int c = 0; c < columns; ++c) {
            for (int r = 0; r < rows; ++r) {
                for (const auto& [right, up] : {std::array{1, 0}, {0, 1}, {1, 1}, {-1, 1}})
                    add_line(c, r, right, up, aligned);
            }
        }
    }

    TreeSize run() {
        (void)won(0, -1);
        return size_;
    }

private:
    using Discs = std::uint32_t;

    [[nodiscard]] Discs cell(int column, int row) const { return Discs{1} << (column * rows_ + row); }

    void add_line(int c, int r, int right, int up, int aligned) {
        const int last_column = c + (aligned - 1) * right;
        const int last_row = r + (aligned - 1) * up;
        if (last_column < 0 || last_column >= columns_ || last_row >= rows_) return;
        Discs line = 0;
        for (int i = 0; i < aligned; ++i) line |= cell(c + i * right, r + i * up);
        lines_.push_back(line);
    }

    [[nodiscard]] bool has_line(Discs discs) const {
        return std::any_of(lines_.begin(), lines_.end(), [&](Discs line) { return (line & ~discs) == 0; });
    }

    bool leaf(bool success) {
        ++(success ? size_.successes : size_.failures);
        return success;
    }

    [[nodiscard]] bool fails_early(int turn) const {
        if (options_.dead_lines &&
            std::all_of(lines_.begin(), lines_.end(), [&](Discs line) { return (line & discs_[1]) != 0; }))
            return true;
        if (!options_.look_ahead || turn % 2 == 0) return false;
        for (int c = 0; c < columns_; ++c) {
            if (height_[c] < rows_ && has_line(discs_[1] | cell(c, height_[c]))) return true;
        }
        return false;
    }

    // Before this turn; the last disc was dropped by `mover` (0: ours, 1: theirs).
    bool won(int turn, int mover) {
        if (mover >= 0 && has_line(discs_[mover])) return leaf(mover == 0);
        if (turn == columns_ * rows_ || fails_early(turn)) return leaf(false);
        std::vector<int> open;
        const int half = columns_ / 2;
        for (int c = 0; c < columns_; ++c) {
            const bool offered = turn > 0 || (options_.right_half ? c >= half : c < columns_ - half);
            if (offered && height_[c] < rows_) open.push_back(c);
        }
        if (open.size() > 1) ++size_.choices;
        const int player = turn % 2;
        for (const int c : open) {
            if (c != open.back()) ++size_.splits;
            const Discs disc = cell(c, height_[c]++);
            discs_[player] |= disc;
            const bool success = won(turn + 1, player);
            discs_[player] &= ~disc;
            --height_[c];
            if (success == (player == 0)) return success;
        }
        return player == 1;
    }

    int columns_;
    int rows_;
    TreeOptions options_;
    std::vector<Discs> lines_;
    std::array<Discs, 2> discs_{};
    std::array<int, 16> height_{};
    TreeSize size_;
};

TEST(ConnectFourTree, IsThatOfTheModelWithRulesByAlgorithm1) {
    quantified::SolveOptions options;
    options.values = quantified::ValueOrder::ascending;
    options.success = quantified::Success::assigned;
    options.goods = false;
    for (const auto& [columns, rows, aligned] :
         {std::array{4, 4, 4}, {3, 4, 3}, {4, 3, 3}, {5, 3, 3}, {3, 3, 2}}) {
        SCOPED_TRACE(testing::Message() << columns << " x " << rows << ", " << aligned << " in a line");
        const model::Model model =
            shipped_model("quantified/connect-four-rules",
                          {"columns=" + std::to_string(columns), "rows=" + std::to_string(rows),
                           "aligned=" + std::to_string(aligned)});
        const quantified::SearchStatistics ours = solve(model, options).statistics;
        const TreeSize expected = ConnectFourTree(columns, rows, aligned, {}).run();
        EXPECT_EQ(ours.choices, expected.choices);
        EXPECT_EQ(ours.splits, expected.splits);
        EXPECT_EQ(ours.failures, expected.failures);
        EXPECT_EQ(ours.spaces(), expected.spaces());
    }
}

// QuaCode's program with the cut branches on the moves alone, takes full columns out of the domains of both
// players, and demands from the start that we win; this amounts to the two early failures.
TEST(ConnectFourTree, OfQuaCodeHasTheNodesThatWereMeasured) {
    const TreeOptions quacode{.right_half = false, .dead_lines = true, .look_ahead = true};
    const TreeSize square = ConnectFourTree(4, 4, 4, quacode).run();
    EXPECT_EQ(square.spaces(), 12617U);
    EXPECT_EQ(square.failures, 3349U);
    const TreeSize high = ConnectFourTree(4, 5, 4, quacode).run();
    EXPECT_EQ(high.spaces(), 125018U);
    EXPECT_EQ(high.failures, 33341U);
    const TreeSize wide = ConnectFourTree(5, 4, 4, quacode).run();
    EXPECT_EQ(wide.spaces(), 1718153U);
    EXPECT_EQ(wide.failures, 417589U);
}

}  // namespace
}  // namespace zermelo
