// The same values by the constraint view: a game as a sequence of micro-SCSPs (Koriche et al. 2015), the
// solutions of each turn found by MAC.

#include <gtest/gtest.h>

#include <map>

#include "chance/small_games.hpp"
#include "core/format/rational.hpp"
#include "game/chance/solve.hpp"
#include "scsp/mac.hpp"
#include "scsp/micro_scsp.hpp"

namespace zermelo {

namespace {

// Who has a choice maximises the own expected goal.
class TurnByTurn {
public:
    explicit TurnByTurn(const gdl::Game& game)
        : game_(game),
          turn_(game.machine().network(), scsp::find_mutex_groups(game.machine())),
          filter_(turn_),
          chance_(scsp::chance_role(game.machine().network()).value()) {}

    Rationals value(const gdl::State& state) {
        if (const auto known = table_.find(state); known != table_.end()) return known->second;
        struct Solution {
            gdl::JointMove joint;
            std::vector<scsp::Outcome> outcomes;
        };
        std::vector<Solution> solutions;
        scsp::Mac mac(filter_, {.chance = chance_, .thresholds = {}, .order = {}});
        mac.solve(state, [&](const gdl::JointMove& joint, std::span<const scsp::Outcome> outcomes) {
            solutions.push_back({joint, {outcomes.begin(), outcomes.end()}});
            return true;
        });
        std::size_t mover = 0;
        for (std::size_t r = 0; r < game_.machine().roles(); ++r) {
            for (const Solution& one : solutions) {
                if (r != chance_ && one.joint[r] != solutions.front().joint[r]) mover = r;
            }
        }
        Rationals best;
        for (const Solution& one : solutions) {
            Rationals mean(game_.machine().roles(), 0);
            for (const scsp::Outcome& outcome : one.outcomes) {
                const Rationals after = outcome.over ? Rationals(outcome.goals.begin(), outcome.goals.end())
                                                     : value(outcome.next);
                for (std::size_t r = 0; r < mean.size(); ++r) mean[r] += after[r] / one.outcomes.size();
            }
            if (best.empty() || mean[mover] > best[mover]) best = mean;
        }
        return table_[state] = best;
    }

private:
    const gdl::Game& game_;
    scsp::Turn turn_;
    scsp::Filter filter_;
    std::uint32_t chance_;
    std::map<gdl::State, Rationals> table_;
};

void expect_agreement(const gdl::Game& game) {
    game::ChanceOptions options;
    options.threads = 1;
    const game::ChanceSolution solution = game::solve_chance(game, options);
    ASSERT_TRUE(solution.solved && solution.exact());
    const Rationals by_role = TurnByTurn(game).value(game.machine().initial());
    std::size_t player = 0;
    for (std::size_t r = 0; r < by_role.size(); ++r) {
        if (r == scsp::chance_role(game.machine().network())) continue;
        EXPECT_EQ(solution.values[player++].low, by_role[r]) << "role " << r;
    }
}

TEST(MicroScsps, AgreeOnTicTacToeAgainstChance) { expect_agreement(shipped_game("tic-tac-toe-2x2")); }
TEST(MicroScsps, AgreeOnGuessingADie) { expect_agreement(shipped_game("guess-dice")); }
TEST(MicroScsps, AgreeOnASmallOrchard) { expect_agreement(game_of(orchard_text(), "orchard.kif")); }

}  // namespace

}  // namespace zermelo
