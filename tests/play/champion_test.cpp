// The player zermelo, with and without symmetry: legal and repeatable moves with every switch, no game of tic-tac-toe lost, wins
// taken and threats stopped; and the racing that chooses a configuration.

#include "play/champion/champion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "games.hpp"
#include "gdl/syntax/parse.hpp"
#include "play/player_registry.hpp"
#include "support/run.hpp"

namespace zermelo::play {
namespace {

using Players = std::vector<std::unique_ptr<Player>>;  // by seat

std::unique_ptr<Player> player(const std::string& spec, const GameContext& rules, Shared& shared,
                               std::size_t seat, std::uint64_t seed) {
    return make_player(read_spec(spec), rules,
                       {.role = rules.seats()[seat], .seed = seed, .memory = std::size_t{16} << 20}, shared);
}

// What a player answered: its move, and what it thought of this move.
using Answers = std::vector<std::pair<MoveId, double>>;

struct Match {
    std::vector<int> goals;  // by seat
    std::vector<Answers> answers;
};

// Plays a match or its first steps. The players may only think of legal moves.
Match record_match(const GameContext& rules, const Players& players, double seconds, std::uint64_t playouts,
                   std::uint64_t seed, std::size_t most_steps = 500) {
    InfoState info(rules);
    Random dice(seed);
    Position position = info.initial();
    JointMove joint;
    Match match;
    match.answers.resize(players.size());
    for (std::size_t step = 0; step < most_steps; ++step) {
        info.load(position.state);
        if (info.terminal()) break;
        random_moves(info, dice, joint);
        for (std::size_t s = 0; s < players.size(); ++s) {
            const std::size_t role = rules.seats()[s];
            const Deadline deadline = seconds > 0 ? Deadline::in(seconds) : Deadline();
            joint[role] = players[s]->choose({.deadline = deadline, .playouts = playouts});
            const std::vector<MoveId>& legal = info.legal(role);
            EXPECT_NE(std::ranges::find(legal, joint[role]), legal.end());
            const std::vector<Estimate>& estimates = players[s]->thought().estimates;
            for (const Estimate& one : estimates) {
                EXPECT_NE(std::ranges::find(legal, one.move), legal.end());
                EXPECT_LE(one.low, one.high);
            }
            match.answers[s].emplace_back(joint[role], estimates.empty() ? -1 : estimates.front().mean);
        }
        info.play(joint, position);
        tell(players, info, joint);
    }
    info.load(position.state);
    for (const std::size_t role : rules.seats()) match.goals.push_back(info.goal(role));
    return match;
}

// The same spec in all seats.
Match play_alone(const std::string& spec, const GameContext& rules, double seconds, std::uint64_t playouts,
                 std::uint64_t seed, std::size_t most_steps) {
    Shared shared;
    Players players;
    for (std::size_t s = 0; s < rules.seats().size(); ++s)
        players.push_back(player(spec, rules, shared, s, seed + s));
    return record_match(rules, players, seconds, playouts, seed, most_steps);
}

TEST(Champion, PlaysEveryShippedGame) {
    std::size_t games = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(shipped("")).parent_path())) {
        if (entry.path().extension() != ".kif") continue;
        const Loaded loaded(entry.path().stem().string());
        for (const std::string spec : {"zermelo:symmetry=0", "zermelo"}) {
            SCOPED_TRACE(entry.path().stem().string() + " " + spec);
            (void)play_alone(spec, loaded.rules, 0.05, 50, 1, 4);
        }
        ++games;
    }
    EXPECT_GE(games, 30U);
}

TEST(Champion, PlaysWithEverySwitch) {
    for (const std::string name : {"tic-tac-toe", "windy-connect-four", "four-in-turn", "kuhn-poker"}) {
        const Loaded loaded(name);
        std::vector<std::string> specs;
        for (const std::string one : {"resolve=0",
                                      "resolve=50",
                                      "resolve=100",
                                      "filter=0",
                                      "filter=1",
                                      "filter=2",
                                      "transfer=0",
                                      "transfer=3",
                                      "value=50",
                                      "value=100",
                                      "cut=0",
                                      "balance=0",
                                      "slices=0",
                                      "bounds=0",
                                      "table=0",
                                      "adapt=0",
                                      "exploration=1",
                                      "leaves=3",
                                      "each=2",
                                      "threads=2",
                                      "resolve=0,filter=0,transfer=0,cut=0,balance=0,slices=0,bounds=0"}) {
            specs.push_back("zermelo:symmetry=0," + one);
            specs.push_back("zermelo:" + one);
        }
        specs.push_back("zermelo:symmetry=0");
        specs.push_back("zermelo:symmetry-time=0");
        for (const std::string& spec : specs) {
            SCOPED_TRACE(name + " " + spec);
            (void)play_alone(spec, loaded.rules, 0, 60, 3, 8);
        }
    }
}

// With a clock: both seats share the result of the racing.
TEST(Champion, TriesWaysOfThinkingBeforeTheFirstMove) {
    for (const std::string name :
         {"tic-tac-toe", "windy-connect-four", "rock-paper-scissors", "eight-puzzle"}) {
        const Loaded loaded(name);
        for (const std::string spec : {"zermelo:symmetry=0", "zermelo"}) {
            SCOPED_TRACE(name + " " + spec);
            Shared shared;
            Players players;
            for (std::size_t s = 0; s < loaded.rules.seats().size(); ++s) {
                players.push_back(player(spec, loaded.rules, shared, s, s + 1));
                players.back()->start(Deadline::in(0.2));
            }
            (void)record_match(loaded.rules, players, 0.02, 0, 1, 12);
        }
    }
}

TEST(Champion, TheSameSeedGivesTheSameMatch) {
    for (const std::string name : {"breakthrough-small", "windy-connect-four", "tic-tac-toe"}) {
        const Loaded loaded(name);
        for (const std::string spec : {"zermelo:symmetry=0", "zermelo", "zermelo:symmetry=0,resolve=0",
                                       "zermelo:resolve=0", "zermelo:resolve=50"}) {
            SCOPED_TRACE(name + " " + spec);
            const auto run = [&](std::uint64_t seed) {
                return play_alone(spec, loaded.rules, 0, 200, seed, 10).answers;
            };
            EXPECT_EQ(run(1), run(1));
            EXPECT_TRUE(!spec.ends_with("resolve=0") || run(1) != run(2));
        }
    }
}

// With a budget in which all positions can be resolved; with less, an estimate may be wrong.
TEST(Champion, NeverLosesTicTacToe) {
    constexpr std::uint64_t playouts = 8000;
    const Loaded loaded("tic-tac-toe");
    for (const std::string spec : {"zermelo:symmetry=0", "zermelo"}) {
        for (const std::string other : {"random", "greedy", "uct"}) {
            Shared shared;
            for (std::uint64_t seed = 1; seed <= 50; ++seed) {
                const std::size_t seat = seed % 2;
                Players players;
                for (std::size_t s = 0; s < 2; ++s)
                    players.push_back(player(s == seat ? spec : other, loaded.rules, shared, s, seed));
                EXPECT_GE(record_match(loaded.rules, players, 0, playouts, seed).goals[seat], 50)
                    << spec << " against " << other << " " << seed;
            }
        }
    }
}

MoveId named(const Loaded& loaded, std::size_t role, const std::string& text) {
    for (MoveId m = 0; m < loaded.game.machine().network().moves[role].size(); ++m) {
        if (loaded.game.move_text(role, m) == text) return m;
    }
    ADD_FAILURE() << text;
    return 0;
}

// What the player answers after discs in these columns, of which the first is yellow's.
std::string answer_in_connect_four(const Loaded& loaded, const std::string& spec,
                                   const std::vector<int>& columns) {
    Shared shared;
    const std::size_t role = columns.size() % 2;
    const auto asked = player(spec, loaded.rules, shared, role, 1);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        JointMove joint{named(loaded, 0, "wait"), named(loaded, 1, "wait")};
        joint[i % 2] = named(loaded, i % 2, "(drop " + std::to_string(columns[i]) + ")");
        asked->see({joint, joint[role], {}});
    }
    return loaded.game.move_text(role, asked->choose({.deadline = {}, .playouts = 300}));
}

TEST(Champion, TakesAWinAndStopsAThreatInConnectFour) {
    const Loaded loaded("connect-four");
    for (const std::string spec :
         {"zermelo:symmetry=0", "zermelo:symmetry=0,resolve=0", "zermelo:symmetry=0,resolve=0,filter=0",
          "zermelo:symmetry=0,resolve=100", "zermelo", "zermelo:resolve=0"}) {
        SCOPED_TRACE(spec);
        EXPECT_EQ(answer_in_connect_four(loaded, spec, {3, 1, 3, 1, 3, 7}), "(drop 3)");
        EXPECT_EQ(answer_in_connect_four(loaded, spec, {3, 1, 4, 2, 5, 2, 7, 7}), "(drop 6)");
        EXPECT_EQ(answer_in_connect_four(loaded, spec, {3, 1, 3, 7, 3}), "(drop 3)");
        EXPECT_EQ(answer_in_connect_four(loaded, spec, {1, 4, 7, 4, 1, 4}), "(drop 4)");
    }
}

const ChampionConfig first_config{.resolve = 0.9, .filter = 2, .transfer = true, .symmetry = false};

TEST(ConfigRacing, WithoutTimeNothingIsPlayedAndSamplingIsTheSaferWay) {
    const Loaded loaded("tic-tac-toe");
    ConfigRacing racing(loaded.rules, {}, first_config, {});
    racing.run(Deadline::in(0));
    EXPECT_EQ(racing.matches(), 0U);
    EXPECT_FALSE(racing.decided());
    ChampionConfig sampling = first_config;
    sampling.resolve = 0.1;
    EXPECT_EQ(racing.best(), sampling);

    ConfigRacing given(loaded.rules, {}, first_config, {.resolve = false});
    given.run(Deadline::in(0));
    EXPECT_EQ(given.best(), first_config);
}

TEST(ConfigRacing, PlayUntilAllIsDecided) {
    const Loaded loaded("subtraction");
    ConfigRacing racing(loaded.rules, {}, first_config, {.transfer = false});
    for (int i = 0; i < 200 && !racing.decided(); ++i) racing.run(Deadline::in(0.3));
    ASSERT_TRUE(racing.decided());
    EXPECT_GE(racing.matches(), 12U);  // two questions
    EXPECT_TRUE(racing.best().transfer);
    EXPECT_FALSE(racing.best().symmetry);
    const std::size_t matches = racing.matches();
    racing.run(Deadline::in(0.3));
    EXPECT_EQ(racing.matches(), matches);
}

TEST(ConfigRacing, SeveralThreadsTakePart) {
    const Loaded loaded("subtraction");
    ConfigRacing racing(loaded.rules, {}, first_config, {});
    for (int i = 0; i < 200 && !racing.decided(); ++i)
        run_threads(3, [&](std::size_t) { racing.run(Deadline::in(0.3)); });
    EXPECT_TRUE(racing.decided());
    EXPECT_GE(racing.matches(), 12U);
}

TEST(ConfigRacing, ChangeOnlyWhatTheyMay) {
    const Loaded loaded("subtraction");
    ConfigRacing none(loaded.rules, {}, first_config,
                      {.resolve = false, .filter = false, .transfer = false, .value = false});
    EXPECT_TRUE(none.decided());
    EXPECT_EQ(none.best(), first_config);
    ConfigRacing one(loaded.rules, {}, first_config,
                     {.resolve = false, .filter = true, .transfer = false, .value = false});
    for (int i = 0; i < 200 && !one.decided(); ++i) one.run(Deadline::in(0.3));
    ASSERT_TRUE(one.decided());
    ChampionConfig other = first_config;
    other.filter = 0;
    EXPECT_TRUE(one.best() == first_config || one.best() == other);
}

// The tree has grown before the first move is asked for.
TEST(Champion, LooksAtTheOpeningBeforeTheClockRuns) {
    const Loaded loaded("connect-four");
    const auto positions = [&](double clock) {
        Shared shared;
        const auto player =
            make_player(read_spec("zermelo:adapt=0,resolve=0,filter=0,symmetry=0"), loaded.rules,
                        {.role = loaded.rules.seats()[0], .clock = clock}, shared);
        player->start(Deadline::in(2));
        (void)player->choose({.playouts = 64});
        return player->thought().positions;
    };
    EXPECT_GT(positions(0.02), 2 * positions(0));
}

// What one gets the other need not lose, but one of them gets more.
TEST(ConfigRacing, RivalsRaceForTheGreaterGoal) {
    const Loaded loaded("free-for-all");
    ASSERT_FALSE(loaded.rules.opposed());
    ASSERT_TRUE(loaded.rules.rivals());
    ConfigRacing racing(loaded.rules, {}, first_config, {});
    EXPECT_FALSE(racing.decided());
    for (int i = 0; i < 20 && racing.matches() == 0; ++i) racing.run(Deadline::in(3));
    EXPECT_GT(racing.matches(), 0U);
}

TEST(ConfigRacing, AreNotForGamesThatAreHiddenOrWithoutTwoOpponents) {
    const auto expect_none = [](const GameContext& rules) {
        ConfigRacing racing(rules, {}, first_config, {});
        EXPECT_TRUE(racing.decided());
        racing.run(Deadline::in(0.3));
        EXPECT_EQ(racing.matches(), 0U);
        EXPECT_EQ(racing.best(), first_config);
    };
    for (const std::string name : {"kuhn-poker", "four-in-turn", "eight-puzzle"}) {
        SCOPED_TRACE(name);
        expect_none(Loaded(name).rules);
    }
    // Both win together.
    expect_none(Loaded(gdl::parse("(role a) (role b) (init start)"
                                  "(<= (legal a ?m) (move ?m)) (legal b wait) (move left) (move right)"
                                  "(<= (next (at ?m)) (does a ?m))"
                                  "(<= terminal (true (at ?m)))"
                                  "(<= (goal ?r 100) (role ?r) (true (at left)))"
                                  "(<= (goal ?r 0) (role ?r) (not (true (at left))))",
                                  "together"))
                    .rules);
}

// --- what is kept of racing for the next match ---

constexpr double match_clock = 0.02;
constexpr Hash128 some_rules{1, 2};

class KeptRacingTest : public testing::Test {
protected:
    // What comes of a racing, and of another one after it.
    struct Outcome {
        ChampionConfig best;
        bool decided = false;
        std::size_t matches = 0;
        friend bool operator==(const Outcome&, const Outcome&) = default;
    };
    // Goes on from what was kept; without time, that is all.
    [[nodiscard]] Outcome race(const Loaded& game, double seconds, double clock = match_clock,
                               Hash128 rules = some_rules) const {
        ConfigRacing racing(game.rules, {}, {}, {});
        racing.keep_beside(scratch_.path("a.net"), rules);
        do {
            racing.run(Deadline::in(seconds), clock);
        } while (seconds > 0 && racing.matches() == 0);
        return {racing.best(), racing.decided(), racing.matches()};
    }
    [[nodiscard]] Outcome race_to_the_end() const {
        Outcome outcome;
        for (int i = 0; i < 200 && !outcome.decided; ++i) outcome = race(small_, 0.3);
        return outcome;
    }

    TemporaryDirectory scratch_;
    Loaded small_{"subtraction"};
};

TEST_F(KeptRacingTest, StaysDecided) {
    const Outcome last = race_to_the_end();
    ASSERT_TRUE(last.decided);
    EXPECT_EQ(race(small_, 0), last);
}

TEST_F(KeptRacingTest, GoesOnWhereItEnded) {
    const Loaded larger("connect-four");
    const Outcome first = race(larger, 1);
    EXPECT_GT(first.matches, 0U);
    EXPECT_EQ(race(larger, 0), first);
    EXPECT_GE(race(larger, 1).matches, first.matches);
}

TEST_F(KeptRacingTest, IsOfOneClockAndOneGame) {
    ASSERT_TRUE(race_to_the_end().decided);
    EXPECT_EQ(race(small_, 0, 2 * match_clock).matches, 0U);
    EXPECT_EQ(race(small_, 0, match_clock, {1, 3}).matches, 0U);
    EXPECT_GT(race(small_, 0).matches, 0U);
}

TEST_F(KeptRacingTest, BeginsAnewWhereTheFileIsDamaged) {
    ASSERT_GT(race(small_, 0.3).matches, 0U);
    for (const auto& file : std::filesystem::directory_iterator(scratch_.path("")))
        std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) - 1);
    EXPECT_EQ(race(small_, 0).matches, 0U);
}

TEST_F(KeptRacingTest, DoesWithoutAFolder) {
    ConfigRacing racing(small_.rules, {}, {}, {});
    racing.keep_beside(scratch_.path("none/a.net"), some_rules);
    racing.run(Deadline::in(0.3), match_clock);
    EXPECT_FALSE(std::filesystem::exists(scratch_.path("none")));
}

TEST(KeptRacing, BelongsToTheKeysAndTheNetOfThePlayer) {
    const Hash128 subject = racing_subject(some_rules, "zermelo", nullptr);
    EXPECT_EQ(subject, racing_subject(some_rules, "zermelo", nullptr));
    EXPECT_NE(subject, racing_subject(some_rules, "zermelo filter=0", nullptr));
    EXPECT_NE(subject, racing_subject({1, 3}, "zermelo", nullptr));
}

}  // namespace
}  // namespace zermelo::play
