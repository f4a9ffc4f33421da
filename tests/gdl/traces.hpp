// The published traces of a reference prover, step by step beside rules of ours.

#pragma once

#include "support/agreement.hpp"
#include "support/md5.hpp"
#include "support/published.hpp"

namespace zermelo::gdl {

inline std::string short_md5(std::vector<std::string> lines) {
    std::sort(lines.begin(), lines.end());
    return md5(joined(lines)).substr(0, 16);
}

// Facts, ends, goals and legal moves. `AnyRunner` loads a state and answers what the Runner answers.
template <class AnyRunner>
void follow_the_traces(const Game& game, AnyRunner& runner,
                       const std::vector<std::vector<std::string>>& rows) {
    State state;
    for (const auto& row : rows) {
        if (row.size() < 8) continue;  // the reference prover gave up
        SCOPED_TRACE(game.description().file + " playout " + row[1] + " step " + row[2]);
        if (row[2] == "0") state = game.machine().initial();
        runner.load(state);
        const auto facts = game.facts(state);
        ASSERT_EQ(std::to_string(facts.size()), row[3]);
        ASSERT_EQ(short_md5(facts), row[4]);
        if (row[5] == "TERMINAL" || runner.terminal()) {
            ASSERT_TRUE(runner.terminal());
            std::string goals;
            for (std::size_t r = 0; r < game.machine().roles(); ++r)
                goals += (r > 0 ? "," : "") + std::to_string(runner.goal(r));
            EXPECT_EQ(goals, row[7]);
            continue;
        }
        if (row[5] == "CUT") continue;  // the trace ends here, before the play does
        const auto counts = published::split(row[5], ",");
        const auto digests = published::split(row[6], ",");
        const auto moves = published::split(row[7], " | ");
        JointMove joint;
        for (std::size_t r = 0; r < game.machine().roles(); ++r) {
            const auto legal = legal_texts(game, runner, r);
            ASSERT_EQ(std::to_string(legal.size()), counts[r]);
            ASSERT_EQ(short_md5(legal), digests[r]);
            joint.push_back(move_named(game, r, moves[r]));
        }
        runner.play(joint);
        runner.next(state);
    }
}

}  // namespace zermelo::gdl
