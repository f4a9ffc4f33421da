// The referee against players that come late, make moves that are none, or only watch; and its word against
// the reasoner's.

#include "arena/referee.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "gdl/syntax/parse.hpp"
#include "play/players/random.hpp"
#include "support/shipped.hpp"

namespace zermelo::arena {
namespace {

using play::GameContext;
using play::MoveId;
using play::Observation;
using play::Settings;
using play::Thought;
using play::TimeBudget;

struct Loaded {
    gdl::Game game;
    GameContext rules{game};
    explicit Loaded(const std::string& file) : game(file) {}
    explicit Loaded(gdl::Description description) : game(std::move(description)) {}
};

std::vector<std::string> all_shipped() {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(ZERMELO_SOURCE_DIR "/games/gdl")) {
        if (entry.path().extension() == ".kif") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

Settings settings(const GameContext& rules, std::size_t seat, std::uint64_t seed) {
    Settings result;
    result.role = rules.seats()[seat];
    result.seed = seed;
    return result;
}

// Makes the last of its moves, after a while.
class Slow : public play::Player {
public:
    Slow(const GameContext& rules, const Settings& settings, double seconds)
        : Player(rules, settings), seconds_(seconds) {}

protected:
    MoveId think(const std::vector<MoveId>& legal, const TimeBudget&, Thought& thought) override {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds_));
        thought.playouts = 7;
        return legal.back();
    }

private:
    double seconds_;
};

// Has nowhere to keep what it has learned.
class Forgetful : public Slow {
public:
    Forgetful(const GameContext& rules, const Settings& settings) : Slow(rules, settings, 0) {}
    void finish() override { throw Error({"learned"}, "cannot be written", "make room"); }
};

// Keeps what it learns and what it is allowed, and moves at random.
class Spy : public play::Player {
public:
    using Player::Player;
    std::vector<Observation> seen;
    std::vector<TimeBudget> allowed;
    bool prepared = false;

protected:
    MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought&) override {
        allowed.push_back(allowance);
        return legal[random().below(legal.size())];
    }
    void prepare(const play::Deadline&) override { prepared = true; }
    void learn(const Observation& one) override { seen.push_back(one); }
};

// Ponders, and when it has to move itself it waits until somebody has.
class Ponderer : public Spy {
public:
    using Spy::Spy;
    std::function<bool()> ready = [] { return true; };

protected:
    MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) override {
        while (!ready()) std::this_thread::yield();
        return Spy::think(legal, allowance, thought);
    }
    std::uint64_t think_ahead(MoveId, const TimeBudget&) override {
        std::this_thread::yield();
        return 1;
    }
};

// Seats for a match, with as many players of a kind as there are roles.
template <class Kind>
struct Table {
    std::vector<std::unique_ptr<Kind>> players;
    std::vector<Seat> seats;

    template <class... More>
    Table(const GameContext& rules, std::uint64_t seed, More... more) {
        for (std::size_t s = 0; s < rules.seats().size(); ++s) {
            players.push_back(std::make_unique<Kind>(rules, settings(rules, s, seed + s), more...));
            seats.push_back({players.back().get(), "player " + std::to_string(s)});
        }
    }
};

// "(mark 1 1) noop; noop (mark 2 2)": the moves of each step.
std::vector<std::vector<std::string>> steps_of(const std::string& moves) {
    std::vector<std::vector<std::string>> steps(1);
    std::string word;
    int depth = 0;
    const auto end_word = [&] {
        if (!word.empty()) steps.back().push_back(word);
        word.clear();
    };
    for (const char c : moves) {
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (depth == 0 && (c == ' ' || c == ';'))
            end_word();
        else
            word += c;
        if (depth == 0 && c == ';') steps.emplace_back();
    }
    end_word();
    return steps;
}

// A match once more, from the text of its moves alone.
class Replay {
public:
    Replay(const GameContext& rules, const std::string& moves)
        : reasoner(rules.game().description()), state(reasoner.initial()) {
        for (const auto& step : steps_of(moves)) {
            gdl::Reasoner::Joint joint;
            for (std::size_t r = 0; r < step.size(); ++r) {
                const auto legal = reasoner.legal(state, r);
                joint.push_back(reasoner.find(step[r]).value());
                EXPECT_NE(std::find(legal.begin(), legal.end(), joint.back()), legal.end()) << step[r];
            }
            std::vector<std::vector<std::string>> percepts(step.size());
            for (std::size_t r = 0; r < step.size(); ++r) {
                for (const auto term : reasoner.sees(state, joint, r))
                    percepts[r].push_back(reasoner.text(term));
                std::sort(percepts[r].begin(), percepts[r].end());
            }
            seen.push_back(percepts);
            state = reasoner.next(state, joint);
        }
    }
    gdl::Reasoner reasoner;
    gdl::Reasoner::State state;
    std::vector<std::vector<std::vector<std::string>>> seen;  // by step and role
};

TEST(Referee, AgreesWithTheReasonerOnAllGames) {
    for (const std::string& file : all_shipped()) {
        SCOPED_TRACE(file);
        const Loaded loaded(file);
        Table<play::RandomPlayer> table(loaded.rules, 10);
        gdl::Reasoner witness(loaded.game.description());
        std::uint64_t watched = 0;
        MatchOptions options;
        options.seed = 3;
        options.witness = &witness;
        options.watch = [&](const play::State&, const play::JointMove& joint, const Faults& faults) {
            ++watched;
            EXPECT_EQ(joint.size(), loaded.rules.roles());
            EXPECT_EQ(faults, Faults(loaded.rules.roles()));
        };
        const MatchResult result = referee(loaded.rules, table.seats, options);
        EXPECT_EQ(result.error, "");
        EXPECT_EQ(result.plies, watched);
        EXPECT_EQ(result.plies, steps_of(result.moves).size());
        ASSERT_EQ(result.seats.size(), loaded.rules.seats().size());

        Replay replay(loaded.rules, result.moves);
        EXPECT_TRUE(replay.reasoner.terminal(replay.state));
        for (std::size_t s = 0; s < result.seats.size(); ++s) {
            const SeatResult& seat = result.seats[s];
            EXPECT_EQ(seat.goal, replay.reasoner.goal(replay.state, loaded.rules.seats()[s]).value_or(0));
            EXPECT_EQ(seat.player, "player " + std::to_string(s));
            EXPECT_EQ(seat.role, loaded.rules.role_name(loaded.rules.seats()[s]));
            EXPECT_EQ(seat.moves, result.plies);
            EXPECT_EQ(seat.illegal, 0U);
            EXPECT_EQ(seat.late, 0U);
        }
    }
}

TEST(Referee, TheSameSeedsGiveTheSameMatch) {
    for (const std::string name : {"dice-race", "four-in-turn", "kuhn-poker"}) {
        const Loaded loaded(shipped(name));
        const auto moves = [&](std::uint64_t players, std::uint64_t chance) {
            Table<play::RandomPlayer> table(loaded.rules, players);
            MatchOptions options;
            options.seed = chance;
            return referee(loaded.rules, table.seats, options).moves;
        };
        std::set<std::string> different;
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            EXPECT_EQ(moves(seed, seed), moves(seed, seed));
            different.insert(moves(seed, seed));
        }
        EXPECT_GT(different.size(), 3U) << name;
    }
    // Chance has a seed of its own.
    const Loaded dice(shipped("guess-dice"));
    std::set<std::string> thrown;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Table<play::RandomPlayer> table(dice.rules, 1);
        MatchOptions options;
        options.seed = seed;
        thrown.insert(referee(dice.rules, table.seats, options).moves);
    }
    EXPECT_EQ(thrown.size(), 6U);  // one guess, six sides
}

// What each seat learned is what the rules let it know, and nothing else.
TEST(Referee, TellsEachSeatWhatItSees) {
    for (const std::string& file : all_shipped()) {
        SCOPED_TRACE(file);
        const Loaded loaded(file);
        Table<Spy> table(loaded.rules, 20);
        MatchOptions options;
        options.seed = 4;
        const MatchResult result = referee(loaded.rules, table.seats, options);
        ASSERT_EQ(result.error, "");
        const auto steps = steps_of(result.moves);
        const Replay replay(loaded.rules, result.moves);
        for (std::size_t s = 0; s < table.players.size(); ++s) {
            const std::size_t role = loaded.rules.seats()[s];
            const auto& seen = table.players[s]->seen;
            EXPECT_TRUE(table.players[s]->prepared);
            // Nobody is asked again after the last step.
            ASSERT_EQ(seen.size() + 1, steps.size());
            for (std::size_t i = 0; i < seen.size(); ++i) {
                EXPECT_EQ(loaded.game.move_text(role, seen[i].own), steps[i][role]);
                std::vector<std::string> percepts;
                for (const auto term : seen[i].percepts) percepts.push_back(loaded.game.text(term));
                std::sort(percepts.begin(), percepts.end());
                if (loaded.rules.hidden()) {
                    EXPECT_EQ(percepts, replay.seen[i][role]) << "step " << i;
                    EXPECT_TRUE(seen[i].joint.empty());
                    continue;
                }
                EXPECT_TRUE(percepts.empty());
                ASSERT_EQ(seen[i].joint.size(), loaded.rules.roles());
                for (std::size_t r = 0; r < seen[i].joint.size(); ++r)
                    EXPECT_EQ(loaded.game.move_text(r, seen[i].joint[r]), steps[i][r]);
            }
        }
    }
}

TEST(Referee, GivesEverySeatItsOwnAllowance) {
    const Loaded loaded(shipped("tic-tac-toe"));
    Table<Spy> table(loaded.rules, 1);
    table.seats[0].seconds = 50;
    table.seats[1].playouts = 123;
    const MatchResult result = referee(loaded.rules, table.seats, {});
    ASSERT_FALSE(table.players[0]->allowed.empty());
    ASSERT_FALSE(table.players[1]->allowed.empty());
    for (const TimeBudget& allowance : table.players[0]->allowed) {
        EXPECT_TRUE(allowance.deadline.set());
        EXPECT_EQ(allowance.playouts, 0U);
    }
    for (const TimeBudget& allowance : table.players[1]->allowed) {
        EXPECT_FALSE(allowance.deadline.set());
        EXPECT_EQ(allowance.playouts, 123U);
    }
    EXPECT_GT(result.seats[0].slack_least, 0);
    EXPECT_LE(result.seats[0].slack_least, 50);
    EXPECT_TRUE(std::isinf(result.seats[1].slack_least));  // no clock
}

TEST(Referee, ReplacesMovesThatComeTooLate) {
    const Loaded loaded(shipped("rock-paper-scissors"));
    Table<Slow> quick(loaded.rules, 1, 0.0);
    const MatchResult fair = referee(loaded.rules, quick.seats, {});
    const std::string always = steps_of(fair.moves).front().front();
    for (const auto& step : steps_of(fair.moves)) EXPECT_EQ(step.front(), always);
    EXPECT_EQ(fair.seats[0].late, 0U);
    EXPECT_EQ(fair.seats[0].playouts, 7 * fair.seats[0].moves);

    std::set<std::string> made;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Table<Slow> table(loaded.rules, 1, 0.01);
        table.seats[0].seconds = 0.001;  // the other has no clock
        MatchOptions options;
        options.seed = seed;
        options.watch = [](const play::State&, const play::JointMove&, const Faults& faults) {
            EXPECT_EQ(faults, (Faults{"TO", ""}));
        };
        const MatchResult result = referee(loaded.rules, table.seats, options);
        EXPECT_EQ(result.error, "");
        EXPECT_EQ(result.seats[0].late, result.seats[0].moves);
        EXPECT_EQ(result.seats[0].illegal, 0U);
        EXPECT_EQ(result.seats[1].late, 0U);
        EXPECT_LT(result.seats[0].slack_least, 0);
        EXPECT_GE(result.seats[0].longest_move, 0.01);
        EXPECT_GE(result.seats[0].seconds, 0.01 * static_cast<double>(result.seats[0].moves));
        for (const auto& step : steps_of(result.moves)) {
            made.insert(step[0]);
            EXPECT_EQ(step[1], always);
        }
        Replay replay(loaded.rules, result.moves);
        for (std::size_t s = 0; s < 2; ++s)
            EXPECT_EQ(result.seats[s].goal, replay.reasoner.goal(replay.state, s).value());
    }
    EXPECT_GT(made.size(), 1U) << "late moves must be replaced by random ones";
}

// Three steps, in which two roles do something; `when` says when c is legal.
gdl::Description three_steps(const std::string& when) {
    return gdl::parse(R"(
(role left) (role right)
(then 0 1) (then 1 2) (then 2 3)
(base (time 0)) (<= (base (time ?y)) (then ?x ?y))
(<= (base (did ?r ?m ?x)) (input ?r ?m) (then ?x ?y))
(<= (input ?r a) (role ?r)) (<= (input ?r b) (role ?r)) (<= (input ?r c) (role ?r))
(init (time 0))
(<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))
(<= (legal ?r c) (role ?r) )" +
                          when +
                          R"()
(<= (next (time ?y)) (true (time ?x)) (then ?x ?y))
(<= (next (did ?r ?m ?x)) (does ?r ?m) (true (time ?x)))
(<= (next (did ?r ?m ?x)) (true (did ?r ?m ?x)))
(<= terminal (true (time 3)))
(<= (goal ?r 100) (role ?r) (true (time 3)))
)",
                      "three-steps.kif");
}

// A player that was told other rules believes in moves that are none.
TEST(Referee, ReplacesMovesThatAreIllegal) {
    const Loaded right(three_steps("(true (time 2))"));
    const Loaded wrong(three_steps("(true (time ?x))"));
    for (std::size_t r = 0; r < 2; ++r) {
        ASSERT_EQ(right.game.machine().network().moves[r].size(), 3U);
        for (MoveId m = 0; m < 3; ++m) ASSERT_EQ(right.game.move_text(r, m), wrong.game.move_text(r, m));
    }
    class Stubborn : public Slow {
    public:
        using Slow::Slow;

    protected:
        MoveId think(const std::vector<MoveId>& legal, const TimeBudget&, Thought&) override {
            for (const MoveId move : legal) {
                if (rules().game().move_text(role(), move) == "c") return move;
            }
            return legal.front();
        }
    };
    std::set<std::string> made;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Stubborn honest(right.rules, settings(right.rules, 0, 1), 0);
        Stubborn deceived(wrong.rules, settings(wrong.rules, 1, 1), 0);
        const std::vector<Seat> seats = {{&honest, "honest"}, {&deceived, "deceived"}};
        gdl::Reasoner witness(right.game.description());
        MatchOptions options;
        options.seed = seed;
        options.witness = &witness;
        std::vector<Faults> faults;
        options.watch = [&](const play::State&, const play::JointMove&, const Faults& some) {
            faults.push_back(some);
        };
        const MatchResult result = referee(right.rules, seats, options);
        EXPECT_EQ(result.error, "");
        EXPECT_EQ(result.plies, 3U);
        EXPECT_EQ(faults, (std::vector<Faults>{{"", "IL c"}, {"", "IL c"}, {"", ""}}));
        EXPECT_EQ(result.seats[0].illegal, 0U);
        EXPECT_EQ(result.seats[1].illegal, 2U);  // at the third step it is right
        EXPECT_EQ(result.seats[1].late, 0U);
        const auto steps = steps_of(result.moves);
        ASSERT_EQ(steps.size(), 3U);
        made.insert(steps[0][1]);
        made.insert(steps[1][1]);
        EXPECT_EQ(steps[2][0], "c");
        EXPECT_EQ(steps[2][1], "c");
    }
    EXPECT_EQ(made, (std::set<std::string>{"a", "b"}));
}

// A witness of other rules does not agree.
TEST(Referee, BelievesTheWitness) {
    const Loaded right(three_steps("(true (time 2))"));
    const auto complaint = [&](const gdl::Description& other) {
        gdl::Reasoner witness(other);
        Slow left(right.rules, settings(right.rules, 0, 1), 0);
        Slow other_one(right.rules, settings(right.rules, 1, 1), 0);
        const std::vector<Seat> seats = {{&left, "left"}, {&other_one, "right"}};
        MatchOptions options;
        options.witness = &witness;
        try {
            (void)referee(right.rules, seats, options);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto altered = [](const std::string& from, const std::string& to) {
        std::string text = R"(
(role left) (role right) (then 0 1) (then 1 2) (then 2 3) (init (time 0))
(<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r)) (<= (legal ?r c) (role ?r) (true (time 2)))
(<= (next (time ?y)) (true (time ?x)) (then ?x ?y))
(<= (next (did ?r ?m ?x)) (does ?r ?m) (true (time ?x)))
(<= (next (did ?r ?m ?x)) (true (did ?r ?m ?x)))
(<= terminal (true (time 3)))
(<= (goal ?r 100) (role ?r) (true (time 3)))
)";
        if (!from.empty()) text.replace(text.find(from), from.size(), to);
        return gdl::parse(text, "altered.kif");
    };
    EXPECT_EQ(complaint(altered("", "")), "");
    EXPECT_NE(complaint(altered("(legal ?r b)", "(legal ?r d)")).find("may not play"), std::string::npos);
    EXPECT_NE(complaint(altered("(next (did ?r ?m ?x)) (does", "(next (said ?r ?m ?x)) (does"))
                  .find("the state after a step is another one"),
              std::string::npos);
    EXPECT_NE(complaint(altered("terminal (true (time 3))", "terminal (true (time 2)) (true (time 3))"))
                  .find("the game is not over"),
              std::string::npos);
    EXPECT_NE(complaint(altered("(goal ?r 100)", "(goal ?r 99)")).find("gets something else"),
              std::string::npos);
}

TEST(Referee, GivesUpMatchesThatDoNotEnd) {
    const Loaded loaded(shipped("tic-tac-toe"));
    Table<play::RandomPlayer> table(loaded.rules, 1);
    MatchOptions options;
    options.most_moves = 4;
    const MatchResult result = referee(loaded.rules, table.seats, options);
    EXPECT_NE(result.error.find("not over after 4 moves"), std::string::npos) << result.error;
    EXPECT_EQ(result.plies, 4U);
    for (const SeatResult& seat : result.seats) {
        EXPECT_EQ(seat.goal, 0);
        EXPECT_EQ(seat.moves, 4U);
    }
    options.most_moves = 9;
    Table<play::RandomPlayer> again(loaded.rules, 1);
    EXPECT_EQ(referee(loaded.rules, again.seats, options).error, "");
}

TEST(Referee, StopsAtALimit) {
    const Loaded loaded(shipped("tic-tac-toe"));
    Table<play::RandomPlayer> table(loaded.rules, 1);
    MatchOptions options;
    options.limits = Limits(0.0, std::nullopt);
    EXPECT_THROW((void)referee(loaded.rules, table.seats, options), LimitReached);
}

TEST(Referee, AMatchCountsWhateverItsPlayersCannotKeep) {
    const Loaded loaded(shipped("tic-tac-toe"));
    Forgetful first(loaded.rules, settings(loaded.rules, 0, 1));
    Slow second(loaded.rules, settings(loaded.rules, 1, 2), 0);
    const std::vector<Seat> seats = {{&first, "first"}, {&second, "second"}};
    const MatchResult result = referee(loaded.rules, seats, {});
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.seats[0].goal + result.seats[1].goal, 100);
    EXPECT_EQ(result.seats[0].counters.at("unsaved"), 1);
    EXPECT_FALSE(result.seats[1].counters.contains("unsaved"));
}

TEST(Referee, OnlyWhoIsAskedToPondersWhileTheOtherMoves) {
    const Loaded game(ZERMELO_SOURCE_DIR "/games/gdl/tic-tac-toe.kif");
    for (const bool asked : {false, true}) {
        Table<Ponderer> table(game.rules, 7);
        table.seats[0].ponder = asked;
        Ponderer& first = *table.players[0];
        std::uint64_t before = 0;
        if (asked) {
            table.players[1]->ready = [&] { return first.pondered() > before; };
            first.ready = [&] {
                before = first.pondered();
                return true;
            };
        }
        const MatchResult result = referee(game.rules, table.seats, {});
        EXPECT_EQ(result.error, "");
        EXPECT_EQ(first.pondered() > 0, asked);
        EXPECT_EQ(table.players[1]->pondered(), 0U);
        EXPECT_EQ(first.seen.size(), table.players[1]->seen.size());
    }
}

}  // namespace
}  // namespace zermelo::arena
