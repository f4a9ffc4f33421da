// Whole matches: every player makes legal moves in every kind of game and in time, greedy takes what it
// sees, alpha-beta sees further, and perfect never gives away what it has.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <map>

#include "game/solve.hpp"
#include "game/strategy/file.hpp"
#include "games.hpp"
#include "play/information/cfr.hpp"
#include "play/player_registry.hpp"
#include "play/players/alphabeta.hpp"
#include "play/players/greedy.hpp"
#include "play/players/perfect.hpp"
#include "play/players/random.hpp"
#include "support/temporary_file.hpp"

namespace zermelo::play {
namespace {

using Players = std::vector<std::unique_ptr<Player>>;  // by seat

// Plays a match to its end; every move must be legal. Goals by seat.
std::vector<int> play_match(const GameContext& rules, const Players& players, const TimeBudget& allowance,
                            std::uint64_t seed, std::size_t most_steps = 500) {
    InfoState info(rules);
    Random dice(seed);
    Position position = info.initial();
    JointMove joint;
    for (std::size_t step = 0; step < most_steps; ++step) {
        info.load(position.state);
        if (info.terminal()) break;
        random_moves(info, dice, joint);
        for (std::size_t s = 0; s < players.size(); ++s) {
            const std::size_t role = rules.seats()[s];
            joint[role] = players[s]->choose(allowance);
            EXPECT_NE(std::ranges::find(info.legal(role), joint[role]), info.legal(role).end());
        }
        info.play(joint, position);
        tell(players, info, joint);
    }
    info.load(position.state);
    std::vector<int> goals;
    for (const std::size_t role : rules.seats()) goals.push_back(info.goal(role));
    return goals;
}

template <class Kind, class... More>
std::unique_ptr<Player> player(const GameContext& rules, std::size_t seat, std::uint64_t seed,
                               More&&... more) {
    Settings settings;
    settings.role = rules.seats()[seat];
    settings.seed = seed;
    settings.memory = std::size_t{16} << 20;
    return std::make_unique<Kind>(rules, settings, std::forward<More>(more)...);
}

// One player against random ones. The mean of its goals.
template <class Kind>
double mean_goal(const GameContext& rules, std::size_t seat, std::uint64_t matches,
                 const TimeBudget& allowance) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= matches; ++seed) {
        Players players;
        for (std::size_t s = 0; s < rules.seats().size(); ++s) {
            players.push_back(s == seat ? player<Kind>(rules, s, seed)
                                        : player<RandomPlayer>(rules, s, seed + 1000));
        }
        sum += play_match(rules, players, allowance, seed)[seat];
    }
    return sum / static_cast<double>(matches);
}

const std::vector<std::string> all_kinds_of_games = {
    "tic-tac-toe",         "nim",          "subtraction",
    "dice-race",           "guess-dice",   "kuhn-poker",
    "rock-paper-scissors", "monty-hall",   "mastermind",
    "matching-pennies",    "eight-puzzle", "breakthrough-small",
    "four-in-turn"};

template <class Kind>
void expect_legal_play(std::uint64_t work) {
    for (const std::string& name : all_kinds_of_games) {
        const Loaded loaded(name);
        Players players;
        for (std::size_t s = 0; s < loaded.rules.seats().size(); ++s)
            players.push_back(player<Kind>(loaded.rules, s, s + 1));
        SCOPED_TRACE(name);
        (void)play_match(loaded.rules, players, {.deadline = {}, .playouts = work}, 3, 60);
    }
}

TEST(Players, RandomPlaysEverything) { expect_legal_play<RandomPlayer>(1); }
TEST(Players, GreedyPlaysEverything) { expect_legal_play<GreedyPlayer>(1); }
TEST(Players, CfrPlaysEverything) { expect_legal_play<CfrPlayer>(50); }
TEST(Players, AlphaBetaPlaysEverything) { expect_legal_play<AlphaBetaPlayer>(200); }

// Their time is always over before they have looked at what they saw, and what is hidden decides what the
// hunter and the cleaner may do.
TEST(Players, AllAreLegalWithoutTime) {
    for (const std::string name : {"wumpus", "vacuum-cleaner"}) {
        const Loaded loaded(name);
        Shared shared;
        for (const PlayerDescription& kind : describe_players()) {
            for (std::uint64_t seed = 1; seed <= 60; ++seed) {
                SCOPED_TRACE(name + ", " + kind.name + ", seed " + std::to_string(seed));
                const Settings settings{.role = loaded.rules.seats()[0], .seed = seed};
                Players players;
                players.push_back(make_player(read_spec(kind.name), loaded.rules, settings, shared));
                (void)play_match(loaded.rules, players, {.deadline = Deadline::in(-1)}, seed);
            }
        }
    }
}

TEST(Players, SameSeedSameMatch) {
    const Loaded loaded("kuhn-poker");
    const auto goals = [&] {
        std::vector<int> all;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Players players;
            players.push_back(player<CfrPlayer>(loaded.rules, 0, seed));
            players.push_back(player<GreedyPlayer>(loaded.rules, 1, seed));
            all.push_back(play_match(loaded.rules, players, {.deadline = {}, .playouts = 200}, seed)[0]);
        }
        return all;
    };
    EXPECT_EQ(goals(), goals());
}

TEST(Greedy, TakesAWinAndTellsWhatMovesAreWorth) {
    const Loaded loaded("tic-tac-toe");
    const GameContext& rules = loaded.rules;
    const auto named = [&](std::size_t role, const std::string& text) {
        const auto& moves = rules.machine().network().moves[role];
        for (MoveId m = 0; m < moves.size(); ++m) {
            if (loaded.game.move_text(role, m) == text) return m;
        }
        ADD_FAILURE() << text;
        return MoveId{0};
    };
    const auto greedy = player<GreedyPlayer>(rules, 0, 1);
    const std::vector<std::pair<std::string, std::string>> steps = {
        {"(mark 1 1)", "wait"}, {"wait", "(mark 2 2)"}, {"(mark 1 2)", "wait"}, {"wait", "(mark 3 3)"}};
    for (const auto& [x, o] : steps) {
        const JointMove joint{named(0, x), named(1, o)};
        greedy->see({joint, joint[0], {}});
    }
    EXPECT_EQ(loaded.game.move_text(0, greedy->choose({})), "(mark 1 3)");
    const Thought& thought = greedy->thought();
    ASSERT_EQ(thought.estimates.size(), 5U);
    EXPECT_EQ(thought.estimates.front().mean, 100);
    for (std::size_t i = 1; i < thought.estimates.size(); ++i) EXPECT_LT(thought.estimates[i].mean, 100);
}

TEST(Greedy, WinsMoreThanItsShareAgainstRandom) {
    const Loaded loaded("tic-tac-toe");
    EXPECT_GT(mean_goal<GreedyPlayer>(loaded.rules, 1, 200, {}),
              mean_goal<RandomPlayer>(loaded.rules, 1, 200, {}) + 10);
}

TEST(AlphaBetaPlayer, BeatsRandomInBothSeats) {
    for (const std::string name : {"breakthrough-small", "four-in-turn"}) {
        const Loaded loaded(name);
        for (const std::size_t seat : {0U, 1U}) {
            EXPECT_GT(mean_goal<AlphaBetaPlayer>(loaded.rules, seat, 20, {.deadline = {}, .playouts = 3000}),
                      75)
                << name << " " << seat;
        }
    }
}

TEST(AlphaBetaPlayer, SearchesNoMoreThanItMay) {
    for (const std::string name : {"breakthrough-small", "dice-race"}) {
        const Loaded loaded(name);
        const auto one = player<AlphaBetaPlayer>(loaded.rules, 0, 1);
        for (const std::uint64_t calls : {1000U, 500U}) {
            (void)one->choose({.deadline = {}, .playouts = calls});
            EXPECT_LE(one->thought().playouts, calls) << name;
        }
    }
}

TEST(AlphaBetaPlayer, TakesWhatIsBestInMostWorlds) {
    // Of three doors one hides the prize. To change after an empty one was opened wins two times in three, to
    // choose at random every second time.
    const Loaded loaded("monty-hall");
    EXPECT_GT(mean_goal<AlphaBetaPlayer>(loaded.rules, 0, 400, {.deadline = {}, .playouts = 200}), 56);
    EXPECT_LT(mean_goal<RandomPlayer>(loaded.rules, 0, 400, {}), 56);
}

TEST(AlphaBetaPlayer, SaysWhatItSaw) {
    const Loaded loaded("nim");
    const auto one = player<AlphaBetaPlayer>(loaded.rules, 0, 1);
    const MoveId move = one->choose({.deadline = {}, .playouts = 100'000});
    const Thought& thought = one->thought();
    ASSERT_EQ(thought.estimates.size(), 1U);
    EXPECT_EQ(thought.estimates.front().move, move);
    EXPECT_TRUE(thought.estimates.front().proven);
    EXPECT_EQ(thought.estimates.front().mean, 100);
    ASSERT_FALSE(thought.line.empty());
    EXPECT_EQ(thought.line.front()[0], move);
    EXPECT_TRUE(thought.remark.starts_with("depth ")) << thought.remark;
}

TEST(Determinization, GoOneMoveAtATimeAndHaveOneFuture) {
    const Loaded loaded("rock-paper-scissors");
    Determinization world(loaded.rules, loaded.rules.seats()[1], loaded.rules.machine().initial(), 5);
    game::Walker<Determinization> walk(world);
    EXPECT_EQ(walk.turn(), (game::Turn{game::Turn::Kind::player, 1}));
    EXPECT_EQ(walk.moves(), 3U);
    walk.make(0);
    EXPECT_TRUE(world.completed().empty());
    EXPECT_EQ(walk.turn(), (game::Turn{game::Turn::Kind::player, 0}));
    walk.make(2);
    EXPECT_EQ(world.completed().size(), 2U);
    EXPECT_EQ(walk.turn(), (game::Turn{game::Turn::Kind::player, 1}));

    const Loaded dice("dice-race");
    const auto end = [&](std::uint64_t seed) {
        Determinization one(dice.rules, dice.rules.seats()[0], dice.rules.machine().initial(), seed);
        game::Walker<Determinization> through(one);
        for (int i = 0; i < 6 && !through.turn().over(); ++i) through.make(0);
        return through.state().at;
    };
    EXPECT_EQ(end(1), end(1));
    std::vector<State> ends;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) ends.push_back(end(seed));
    EXPECT_TRUE(std::ranges::any_of(ends, [&](const State& each) { return each != ends.front(); }));
}

// Perfect in one seat, random in the others.
void expect_at_least(const std::string& name, std::size_t seat, int goal, std::uint64_t matches,
                     const SolutionOptions& options = {}) {
    const Loaded loaded(name);
    const auto solutions = std::make_shared<Solutions>(loaded.rules, options);
    solutions->find();
    ASSERT_TRUE(solutions->solved(loaded.rules.seats()[seat])) << name;
    const auto nobody = []() -> std::unique_ptr<Player> {
        ADD_FAILURE() << "the fallback was asked";
        return nullptr;
    };
    for (std::uint64_t seed = 1; seed <= matches; ++seed) {
        Players players;
        for (std::size_t s = 0; s < loaded.rules.seats().size(); ++s) {
            players.push_back(s == seat ? player<PerfectPlayer>(loaded.rules, s, seed, solutions, nobody)
                                        : player<RandomPlayer>(loaded.rules, s, seed));
        }
        EXPECT_GE(play_match(loaded.rules, players, {}, seed)[seat], goal) << name << " " << seed;
    }
}

TEST(Perfect, NeverLosesTicTacToe) {
    expect_at_least("tic-tac-toe", 0, 50, 200);
    expect_at_least("tic-tac-toe", 1, 50, 200);
}

TEST(Perfect, WinsWhatIsWon) {
    expect_at_least("nim", 0, 100, 50);
    expect_at_least("subtraction", 1, 100, 50);
    SolutionOptions with_a_plan;
    with_a_plan.seconds = 600;
    with_a_plan.most_states = 1000;
    expect_at_least("breakthrough-small", 1, 100, 50, with_a_plan);
}

TEST(Perfect, FollowsAPlanFromAFile) {
    const std::string name = "subtraction";
    const Loaded loaded(name);
    const auto solution = game::solve(loaded.game, {});
    ASSERT_FALSE(solution.plans.empty());
    const TemporaryFile kept(".plan");
    const std::string& file = kept.path();
    game::GdlGame game(loaded.game);
    game::save_plans(file, game, {name, game::rules_fingerprint(loaded.game.description()), solution.plans});
    SolutionOptions options;
    options.strategy = file;
    expect_at_least(name, solution.plans.front().owner, 100, 50, options);
}

// The whole game is not solved, but what is left of it is, as soon as that is small enough.
TEST(Perfect, SolvesWhatIsLeft) {
    const Loaded loaded("tic-tac-toe");
    const auto solutions = std::make_shared<Solutions>(loaded.rules, SolutionOptions{.seconds = 0});
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const std::size_t role = loaded.rules.seats()[seed % 2];
        PerfectPlayer perfect(loaded.rules, {.role = role, .seed = seed}, solutions,
                              [&] { return player<RandomPlayer>(loaded.rules, seed % 2, seed); });
        ASSERT_FALSE(solutions->solved(role));
        InfoState info(loaded.rules);
        Random random(seed);
        State state = loaded.rules.machine().initial();
        JointMove joint;
        for (info.load(state); !info.terminal(); info.load(state)) {
            random_moves(info, random, joint);
            if (info.legal(role).size() > 1) {
                joint[role] = perfect.choose({.deadline = Deadline::in(20)});
                EXPECT_EQ(perfect.thought().remark, "what is left is solved");
            }
            info.play(joint, state);
            perfect.see({.joint = joint, .own = joint[role]});
        }
        EXPECT_GE(info.goal(role), 50) << seed;
    }
}

TEST(Perfect, SwitchesDoorsAndSolvesGamesWithDice) {
    for (const std::string name : {"monty-hall", "dice-race", "guess-dice"}) {
        const Loaded loaded(name);
        const auto solutions = std::make_shared<Solutions>(loaded.rules, SolutionOptions{});
        double sum = 0;
        constexpr std::uint64_t matches = 120;
        for (std::uint64_t seed = 0; seed < matches; ++seed) {
            Players players;
            for (std::size_t s = 0; s < loaded.rules.seats().size(); ++s) {
                const auto fallback = [&rules = loaded.rules, s] {
                    return player<GreedyPlayer>(rules, s, 1);
                };
                players.push_back(player<PerfectPlayer>(loaded.rules, s, seed, solutions, fallback));
            }
            ASSERT_TRUE(solutions->solved(loaded.rules.seats()[0]))
                << solutions->reason(loaded.rules.seats()[0]);
            sum += play_match(loaded.rules, players, {}, seed)[0];
        }
        const double mean = sum / matches;
        const double value = name == "monty-hall" ? 66.7 : name == "dice-race" ? 58.5 : 16.7;
        EXPECT_NEAR(mean, value, 15) << name;  // more than three standard deviations
    }
}

TEST(Perfect, ShowsEverySignEquallyOften) {
    const Loaded loaded("rock-paper-scissors-once");
    const auto solutions = std::make_shared<Solutions>(loaded.rules);
    std::map<MoveId, int> shown;
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        PerfectPlayer perfect(loaded.rules, {.role = 0, .seed = seed}, solutions,
                              [&] { return player<GreedyPlayer>(loaded.rules, 0, 1); });
        ++shown[perfect.choose({.deadline = Deadline::in(20)})];
        EXPECT_TRUE(perfect.thought().estimates.empty());
        EXPECT_NE(perfect.thought().remark.find("mixed strategy"), std::string::npos);
    }
    ASSERT_EQ(shown.size(), 3U);
    for (const auto& [move, times] : shown) EXPECT_NEAR(times, 200, 60);
}

// In every equilibrium of Kuhn poker the first player checks with the queen, and calls with the king.
TEST(Perfect, KnowsItsCardInPoker) {
    const Loaded loaded("kuhn-poker");
    const auto solutions = std::make_shared<Solutions>(loaded.rules);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Players players = [&] {
            Players both;
            for (std::size_t s = 0; s < 2; ++s) {
                both.push_back(player<PerfectPlayer>(loaded.rules, s, seed, solutions, [&, s] {
                    return player<GreedyPlayer>(loaded.rules, s, seed);
                }));
            }
            return both;
        }();
        InfoState info(loaded.rules);
        Position position = info.initial();
        Random dice(seed);
        for (info.load(position.state); !info.terminal(); info.load(position.state)) {
            JointMove joint(loaded.rules.roles());
            for (std::size_t r = 0; r < joint.size(); ++r) {
                const auto& legal = info.legal(r);
                joint[r] = loaded.rules.chance(r) ? legal[dice.below(legal.size())]
                                                  : players[r]->choose({.deadline = Deadline::in(20)});
            }
            const auto facts = fmt::format("{}", fmt::join(loaded.game.facts(position.state), " "));
            const auto first = loaded.game.move_text(0, joint[0]);
            const std::string never = facts.find("holds first queen") != std::string::npos  ? "bet"
                                      : facts.find("holds first king") != std::string::npos ? "fold"
                                                                                            : "";
            EXPECT_NE(first, never) << "seed " << seed;
            info.play(joint, position);
            tell(players, info, joint);
        }
    }
}

TEST(Perfect, LeavesToAnotherWhatIsNotSolved) {
    for (const auto& [name, why] : {std::pair<std::string, std::string>{"einstein", "limit"},
                                    {"battlebrushes", "at once"},
                                    {"treasure-hunt", "limit"},
                                    {"breakthrough", "limit"}}) {
        const Loaded loaded(name);
        SolutionOptions options;
        options.seconds = 0.05;
        const auto solutions = std::make_shared<Solutions>(loaded.rules, options);
        Players players;
        for (std::size_t s = 0; s < loaded.rules.seats().size(); ++s) {
            const auto fallback = [&rules = loaded.rules, s] { return player<GreedyPlayer>(rules, s, 1); };
            players.push_back(player<PerfectPlayer>(loaded.rules, s, 1, solutions, fallback));
        }
        EXPECT_FALSE(solutions->solved(loaded.rules.seats()[0])) << name;
        EXPECT_NE(solutions->reason(loaded.rules.seats()[0]).find(why), std::string::npos)
            << name << ": " << solutions->reason(loaded.rules.seats()[0]);
        (void)play_match(loaded.rules, players, {}, 1, 8);
    }
}

}  // namespace
}  // namespace zermelo::play
