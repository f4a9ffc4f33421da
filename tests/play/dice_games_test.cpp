// In the shipped games with dice or with something hidden skill matters: who thinks does better than who
// moves at random.

#include <gtest/gtest.h>

#include "games.hpp"
#include "play/mcts/uct.hpp"
#include "play/players/random.hpp"

namespace zermelo::play {
namespace {

// The goals of a match, by seat; `thinks` says which seats think.
std::vector<int> match(const GameContext& rules, const std::vector<bool>& thinks, std::uint64_t seed) {
    std::vector<std::unique_ptr<Player>> players;
    for (std::size_t s = 0; s < thinks.size(); ++s) {
        Settings settings;
        settings.role = rules.seats()[s];
        settings.seed = seed;
        settings.memory = std::size_t{16} << 20;
        if (thinks[s])
            players.push_back(make_uct(rules, settings, {}));
        else
            players.push_back(std::make_unique<RandomPlayer>(rules, settings));
    }
    InfoState info(rules);
    Random dice(seed);
    Position position = info.initial();
    JointMove joint;
    for (info.load(position.state); !info.terminal(); info.load(position.state)) {
        random_moves(info, dice, joint);
        for (std::size_t s = 0; s < players.size(); ++s)
            joint[rules.seats()[s]] = players[s]->choose({.deadline = {}, .playouts = 60});
        info.play(joint, position);
        tell(players, info, joint);
    }
    std::vector<int> goals;
    for (const std::size_t role : rules.seats()) goals.push_back(info.goal(role));
    return goals;
}

TEST(DiceGames, UctBeatsRandom) {
    for (const std::string name :
         {"einstein", "windy-connect-four", "dice-breakthrough", "backgammon-small", "cant-stop-small",
          "latent-tic-tac-toe", "latent-five", "treasure-hunt", "windy-breakthrough"}) {
        const Loaded loaded(name);
        ASSERT_TRUE(loaded.rules.opposed()) << name;
        double sum = 0;
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const std::size_t seat = seed % 2;
            sum += match(loaded.rules, {seat == 0, seat == 1}, seed)[seat];
        }
        EXPECT_GT(sum / 8, 60) << name;
    }
}

TEST(DiceGames, SheepThatThinkTogetherGetHome) {
    const Loaded loaded("sheep-and-wolf");
    EXPECT_FALSE(loaded.rules.opposed());
    const auto mean = [&](const std::vector<bool>& thinks) {
        double sum = 0;
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            const auto goals = match(loaded.rules, thinks, seed);
            EXPECT_EQ(goals[0], goals[1]);
            sum += goals[0];
        }
        return sum / 30;
    };
    const double both = mean({true, true});
    const double one = mean({true, false});
    const double none = mean({false, false});
    EXPECT_GT(both, one + 10);
    EXPECT_GT(one, none + 10);
}

}  // namespace
}  // namespace zermelo::play
