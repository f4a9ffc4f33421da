// Canonical numbering: the same rules under other names have the same fingerprint, other rules have another one.

#include "symmetry/rules_form.hpp"

#include <gtest/gtest.h>

#include "learn/games.hpp"

namespace zermelo::symmetry {
namespace {

gdl::Game game_from(const std::string& text) { return gdl::Game(gdl::parse(text, "test")); }

TEST(RulesForm, IsTheSameUnderScrambledNames) {
    for (const std::string name : {"tic-tac-toe", "breakthrough", "connect-four", "dots-and-boxes-suicide",
                                   "connect-four-simultaneous", "knight-through", "einstein"}) {
        const std::string text = learn::text_of_shipped(name);
        const RulesForm own = rules_form(game_from(text));
        EXPECT_FALSE(own.by_names) << name;
        for (const std::uint64_t seed : {1, 2, 3}) {
            const RulesForm other = rules_form(game_from(learn::scrambled(text, seed)));
            EXPECT_EQ(own.fingerprint, other.fingerprint) << name << ", seed " << seed;
        }
    }
}

TEST(RulesForm, IsTheSameWhereRulesAreReorderedToo) {
    std::size_t renumbered = 0;  // games whose fluents come in another order
    for (const std::string name : {"tic-tac-toe", "breakthrough", "breakthrough-small", "einstein"}) {
        const std::string text = learn::text_of_shipped(name);
        const RulesForm own = rules_form(game_from(text));
        for (const std::uint64_t seed : {1, 2, 3}) {
            const RulesForm other = rules_form(game_from(learn::scrambled(text, seed, true)));
            EXPECT_EQ(own.fingerprint, other.fingerprint) << name << ", seed " << seed;
            if (own.fluents != other.fluents) ++renumbered;
        }
    }
    EXPECT_GT(renumbered, 6U);  // of 12
}

TEST(RulesForm, DiffersForEveryShippedGame) {
    std::map<Hash128, std::string> seen;
    for (const std::string name :
         {"tic-tac-toe", "tic-tac-toe-2x2", "breakthrough", "breakthrough-small", "breakthrough-suicide",
          "knight-through", "connect-four", "connect-four-simultaneous", "hex-small", "nim", "pig"}) {
        const auto [at, added] =
            seen.emplace(rules_form(game_from(learn::text_of_shipped(name))).fingerprint, name);
        EXPECT_TRUE(added) << name << " and " << at->second;
    }
}

TEST(RulesForm, DiffersWhereOneRuleIsChanged) {
    const std::string text = learn::text_of_shipped("breakthrough-small");
    const Hash128 own = rules_form(game_from(text)).fingerprint;
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        const auto at = other.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return rules_form(game_from(other.replace(at, from.size(), to))).fingerprint;
    };
    EXPECT_NE(own, changed("100)", "99)"));
    EXPECT_NE(own, changed("(init (control white))", "(init (control black))"));
}

// Fluents and moves that have the same number are the same: the play by canonical numbers takes the same course.
TEST(RulesForm, NumbersTheSameThingsAlike) {
    for (const std::string name : {"breakthrough-small", "connect-four-simultaneous", "einstein"}) {
        const std::string text = learn::text_of_shipped(name);
        const gdl::Game first = game_from(text);
        const gdl::Game second = game_from(learn::scrambled(text, 5));
        const auto course = [](const gdl::Game& game) {
            const RulesForm form = rules_form(game);
            std::vector<std::uint32_t> place(form.fluents.size());
            for (std::uint32_t i = 0; i < place.size(); ++i) place[form.fluents[i]] = i;
            std::vector<std::vector<std::uint32_t>> states;
            gdl::Runner runner(game.machine());
            gdl::State state = game.machine().initial();
            Random random(7);
            std::vector<gdl::MoveId> legal;
            for (int step = 0; step < 200; ++step) {
                auto& holds = states.emplace_back();
                for (std::uint32_t f = 0; f < place.size(); ++f) {
                    if ((state[f / 64] >> (f % 64) & 1) != 0) holds.push_back(place[f]);
                }
                std::sort(holds.begin(), holds.end());
                runner.load(state);
                if (runner.terminal()) break;
                gdl::JointMove joint;
                for (std::size_t r = 0; r < game.machine().roles(); ++r) {
                    runner.legal(r, legal);
                    std::sort(legal.begin(), legal.end(),
                              [&](auto a, auto b) { return form.rank[r][a] < form.rank[r][b]; });
                    joint.push_back(legal[random.below(legal.size())]);
                }
                runner.play(joint);
                runner.next(state);
            }
            return states;
        };
        EXPECT_EQ(course(first), course(second)) << name;
    }
}

}  // namespace
}  // namespace zermelo::symmetry
