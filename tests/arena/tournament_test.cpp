// Tournaments: the schedule is fair, a plan survives being written down, and whatever stops a tournament, in
// the end every match was played exactly once.

#include "arena/tournament.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include "arena/comparison.hpp"
#include "support/run.hpp"
#include "support/shipped.hpp"

namespace zermelo::arena {
namespace {

Plan named(std::vector<std::string> games, std::vector<std::string> players, Form form,
           std::uint64_t rounds) {
    Plan plan;
    plan.games = std::move(games);
    plan.players = std::move(players);
    plan.form = form;
    plan.rounds = rounds;
    plan.clock = 0;
    plan.start_clock = 0.05;
    plan.playouts = 50;
    return plan;
}

// How often each player has each seat of each game.
using Sitting = std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::uint64_t>;

Sitting expect_sound(const Plan& plan, const std::vector<std::size_t>& seats) {
    Sitting sitting;
    std::set<std::uint64_t> seeds;
    std::uint64_t number = 0;
    for (const Pairing& pairing : schedule(plan, seats)) {
        EXPECT_EQ(pairing.number, number++);
        EXPECT_TRUE(seeds.insert(pairing.seed).second) << "a seed twice";
        EXPECT_LT(pairing.game, plan.games.size());
        EXPECT_EQ(pairing.players.size(), seats[pairing.game]);
        for (std::size_t s = 0; s < pairing.players.size(); ++s) {
            EXPECT_LT(pairing.players[s], plan.players.size());
            ++sitting[{pairing.game, s, pairing.players[s]}];
        }
    }
    return sitting;
}

TEST(Schedule, InARoundRobinAllMeetAllInAllSeats) {
    const Plan plan = named({"one", "two", "four"}, {"random", "greedy", "uct"}, Form::round_robin, 4);
    const std::vector<std::size_t> seats = {1, 2, 4};
    const Sitting sitting = expect_sound(plan, seats);
    // Alone: 4 rounds. Otherwise two others, and each seat in one of two seatings.
    for (std::size_t game = 0; game < 3; ++game) {
        for (std::size_t s = 0; s < seats[game]; ++s) {
            for (std::size_t p = 0; p < 3; ++p)
                EXPECT_EQ(sitting.at({game, s, p}), game == 0 ? 4U : 2 * 4U) << game << s << p;
        }
    }
    std::map<std::pair<std::size_t, std::vector<std::size_t>>, int> seatings;
    for (const Pairing& pairing : schedule(plan, seats)) ++seatings[{pairing.game, pairing.players}];
    EXPECT_EQ(seatings.size(), 3U + 6U + 6U);
    for (const auto& [seating, times] : seatings) EXPECT_EQ(times, 4);
    EXPECT_EQ(seatings.count({2, {1, 2, 1, 2}}), 1U);
}

TEST(Schedule, InAGauntletTheFirstMeetsAllOthers) {
    const Plan plan = named({"two"}, {"random", "greedy", "uct", "cfr"}, Form::gauntlet, 3);
    const Sitting sitting = expect_sound(plan, {2});
    for (std::size_t s = 0; s < 2; ++s) {
        EXPECT_EQ(sitting.at({0, s, 0}), 9U);
        for (std::size_t p = 1; p < 4; ++p) EXPECT_EQ(sitting.at({0, s, p}), 3U);
    }
    for (const Pairing& pairing : schedule(plan, {2}))
        EXPECT_EQ(std::count(pairing.players.begin(), pairing.players.end(), 0U), 1);
}

TEST(Schedule, InASweepEveryValueMeetsEveryOpponent) {
    Plan plan = named({"one", "two"}, {"uct:each=1", "uct:each=2", "uct:each=3", "greedy", "random"},
                      Form::gauntlet, 2);
    plan.sweep = Sweep{"uct", "each", {1, 2, 3}};
    const std::vector<std::size_t> seats = {1, 2};
    (void)expect_sound(plan, seats);
    std::map<std::vector<std::size_t>, int> seatings;
    for (const Pairing& pairing : schedule(plan, seats)) ++seatings[pairing.players];
    EXPECT_EQ(seatings.size(), 5U + 3U * 2U * 2U);
    for (const auto& [players, times] : seatings) {
        EXPECT_EQ(times, 2);
        if (players.size() != 2) continue;
        EXPECT_NE(players[0] < 3, players[1] < 3) << "values or opponents met";
    }
    plan.players.resize(3);
    EXPECT_THROW((void)schedule(plan, seats), Error);
}

TEST(Schedule, TogetherPlayersTakeTheSeatsInTurns) {
    const Plan two = named({"two"}, {"random", "greedy"}, Form::together, 6);
    for (const auto& [where, times] : expect_sound(two, {2})) EXPECT_EQ(times, 3U);
    const Plan four = named({"four"}, {"random", "greedy", "uct", "cfr"}, Form::together, 8);
    const Sitting sitting = expect_sound(four, {4});
    EXPECT_EQ(sitting.size(), 16U);
    for (const auto& [where, times] : sitting) EXPECT_EQ(times, 2U);
    // Two share four seats, and one has all of them.
    const Plan shared = named({"four"}, {"random", "greedy"}, Form::together, 2);
    EXPECT_EQ(schedule(shared, {4})[0].players, (std::vector<std::size_t>{0, 1, 0, 1}));
    EXPECT_EQ(schedule(shared, {4})[1].players, (std::vector<std::size_t>{1, 0, 1, 0}));
    const Plan alone = named({"two"}, {"random"}, Form::together, 2);
    EXPECT_EQ(schedule(alone, {2})[1].players, (std::vector<std::size_t>{0, 0}));
}

TEST(Schedule, RefusesTooManyAndTooFewPlayers) {
    EXPECT_THROW((void)schedule(named({"two"}, {"random", "uct", "cfr"}, Form::together, 1), {2}), Error);
    EXPECT_THROW((void)schedule(named({"one"}, {"random", "uct"}, Form::together, 1), {1}), Error);
    EXPECT_THROW((void)schedule(named({"two"}, {"random"}, Form::round_robin, 1), {2}), Error);
    EXPECT_THROW((void)schedule(named({"two"}, {"random"}, Form::gauntlet, 1), {2}), Error);
    EXPECT_EQ(schedule(named({"one"}, {"random"}, Form::round_robin, 3), {1}).size(), 3U);
}

TEST(Schedule, AnotherSeedGivesOtherSeeds) {
    Plan plan = named({"two"}, {"random", "uct"}, Form::round_robin, 50);
    std::set<std::uint64_t> seeds;
    for (plan.seed = 1; plan.seed <= 20; ++plan.seed) {
        for (const Pairing& pairing : schedule(plan, {2})) seeds.insert(pairing.seed);
    }
    EXPECT_EQ(seeds.size(), 20U * 100U);
}

TEST(Plan, LabelsAreToldApart) {
    const Plan plan =
        named({}, {"uct", "uct:playouts=5,label=random", "uct", "random", "uct"}, Form::round_robin, 1);
    const auto all = labels(plan);
    EXPECT_EQ(all, (std::vector<std::string>{"uct", "random", "uct #2", "random #2", "uct #3"}));
    // Also where somebody is called like that already.
    const auto odd =
        labels(named({}, {"uct:label=uct #2", "uct", "uct", "uct:label=uct #2"}, Form::round_robin, 1));
    EXPECT_EQ(std::set<std::string>(odd.begin(), odd.end()).size(), 4U);
}

TEST(Plan, SurvivesBeingWrittenDown) {
    Plan plan = named({"a \"game\".kif", "ü/b.kif"}, {"uct:label=x y", "random"}, Form::gauntlet, 12);
    plan.clock = 0.1;
    plan.start_clock = 1.0 / 3;
    plan.seed = 0xFFFFFFFFFFFFFFFFULL;
    plan.memory = std::size_t{5} << 30;
    plan.check = true;
    for (const bool with_test : {false, true}) {
        if (with_test) plan.sprt = Sprt{-5.5, 20, 0.01, 0.2};
        const Plan again = Plan::read(plan.text());
        EXPECT_EQ(again.text(), plan.text());
        EXPECT_EQ(again.games, plan.games);
        EXPECT_EQ(again.players, plan.players);
        EXPECT_EQ(again.form, plan.form);
        EXPECT_EQ(again.rounds, plan.rounds);
        EXPECT_EQ(again.clock, plan.clock);
        EXPECT_EQ(again.start_clock, plan.start_clock);
        EXPECT_EQ(again.playouts, plan.playouts);
        EXPECT_EQ(again.seed, plan.seed);
        EXPECT_EQ(again.memory, plan.memory);
        EXPECT_EQ(again.check, plan.check);
        ASSERT_EQ(again.sprt.has_value(), with_test);
        if (!with_test) continue;
        EXPECT_EQ(again.sprt->elo0, -5.5);
        EXPECT_EQ(again.sprt->elo1, 20);
        EXPECT_EQ(again.sprt->alpha, 0.01);
        EXPECT_EQ(again.sprt->beta, 0.2);
    }
    EXPECT_EQ(Plan::read(plan.text()).at_least, 0U);
    EXPECT_FALSE(Plan::read(plan.text()).sweep);
    plan.at_least = 30;
    plan.sweep = Sweep{"uct:bounds=0", "exploration", {0.1, 1.0 / 3}};
    const Plan swept = Plan::read(plan.text());
    EXPECT_EQ(swept.text(), plan.text());
    EXPECT_EQ(swept.at_least, 30U);
    ASSERT_TRUE(swept.sweep);
    EXPECT_EQ(swept.sweep->player, "uct:bounds=0");
    EXPECT_EQ(swept.sweep->key, "exploration");
    EXPECT_EQ(swept.sweep->values, (std::vector<double>{0.1, 1.0 / 3}));
    EXPECT_EQ(swept.challengers(), 2U);
    plan.sweep->values.push_back(1);  // more than there are players
    EXPECT_THROW((void)Plan::read(plan.text()), Error);
    plan.sweep.reset();
    for (const Form form : {Form::round_robin, Form::gauntlet, Form::together}) {
        plan.form = form;
        EXPECT_EQ(Plan::read(plan.text()).form, form);
    }
}

TEST(Plan, WhatIsNoneIsRefused) {
    const std::string good = named({"a"}, {"uct"}, Form::together, 1).text();
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos);
        return text.replace(at, from.size(), to);
    };
    for (const std::string& text :
         {std::string(), std::string("[]"), std::string("{}"), good.substr(1), with("together", "apart"),
          with("\"rounds\":1", "\"rounds\":\"many\""), with("\"seed\"", "\"sead\"")})
        EXPECT_THROW((void)Plan::read(text), Error) << text;
}

// What is the same whenever a match is played.
std::vector<std::string> in_short(const std::vector<MatchResult>& matches) {
    std::vector<std::string> all;
    for (const MatchResult& match : matches) {
        std::string one = std::to_string(match.match) + " " + match.game + " " + std::to_string(match.seed);
        for (const SeatResult& seat : match.seats) one += " " + seat.player + " " + std::to_string(seat.goal);
        all.push_back(one + ": " + match.moves + match.error);
    }
    return all;
}

void expect_complete(const TournamentResult& result, std::uint64_t scheduled) {
    EXPECT_EQ(result.stop, Stop::none);
    EXPECT_EQ(result.scheduled, scheduled);
    ASSERT_EQ(result.matches.size(), scheduled);
    for (std::uint64_t i = 0; i < scheduled; ++i) {
        EXPECT_EQ(result.matches[i].match, i);
        EXPECT_EQ(result.matches[i].error, "");
    }
}

TEST(Tournament, PlaysWhatIsScheduledInTheSeatsThatAreScheduled) {
    const Plan plan = named({shipped("eight-puzzle"), shipped("nim"), shipped("four-in-turn")},
                            {"random", "greedy", "random"}, Form::round_robin, 2);
    const auto pairings = schedule(plan, {1, 2, 4});
    TournamentOptions options;
    std::uint64_t last = 0;
    std::uint64_t called = 0;
    options.progress = [&](const Progress& progress, const MatchResult& match) {
        EXPECT_EQ(progress.finished, ++last);
        EXPECT_EQ(progress.scheduled, pairings.size());
        EXPECT_LT(match.match, pairings.size());
        ++called;
    };
    const auto result = run(plan, options, nullptr);
    EXPECT_EQ(called, pairings.size());
    expect_complete(result, pairings.size());
    const std::vector<std::string> names = {"random", "greedy", "random #2"};
    for (const Pairing& pairing : pairings) {
        const MatchResult& match = result.matches.at(pairing.number);
        EXPECT_EQ(match.game, plan.games[pairing.game]);
        EXPECT_EQ(match.seed, pairing.seed);
        ASSERT_EQ(match.seats.size(), pairing.players.size());
        for (std::size_t s = 0; s < match.seats.size(); ++s)
            EXPECT_EQ(match.seats[s].player, names[pairing.players[s]]);
    }
}

TEST(Tournament, TheSameSeedGivesTheSameMatches) {
    Plan plan = named({shipped("tic-tac-toe"), shipped("kuhn-poker"), shipped("dice-race"),
                       shipped("rock-paper-scissors"), shipped("breakthrough-small")},
                      {"uct", "grave", "cfr", "alpha-beta", "greedy", "random"}, Form::gauntlet, 1);
    plan.check = true;
    plan.start_clock = 0;
    TournamentOptions one;
    one.parallel = 1;
    const auto first = in_short(run(plan, one, nullptr).matches);
    EXPECT_EQ(first.size(), 5U * 10U);
    EXPECT_EQ(first, in_short(run(plan, one, nullptr).matches));
    TournamentOptions two;
    two.parallel = 2;
    EXPECT_EQ(first, in_short(run(plan, two, nullptr).matches));
    plan.seed = 2;
    EXPECT_NE(first, in_short(run(plan, one, nullptr).matches));
}

TEST(Tournament, StrangersAreRefused) {
    const auto refused = [](const Plan& plan) {
        EXPECT_THROW((void)run(plan, {}, nullptr), Error) << plan.text();
    };
    refused(named({shipped("nim")}, {"random", "nobody"}, Form::round_robin, 1));
    refused(named({shipped("nim")}, {"random", "uct:exploration=much"}, Form::round_robin, 1));
    refused(named({shipped("no-such-game")}, {"random", "uct"}, Form::round_robin, 1));
}

TEST(Tournament, PlacesElsewhereGetMatchesOfTheirOwn) {
    const Plan plan = named({shipped("nim")}, {"random", "greedy"}, Form::round_robin, 200);
    const TournamentOptions options;
    const Matches matches(plan, options);
    std::mutex mutex;
    std::set<std::uint64_t> elsewhere;
    const MatchRunner place = [&](const Pairing& pairing, const Limits&) {
        const std::lock_guard lock(mutex);
        EXPECT_TRUE(elsewhere.insert(pairing.number).second);
        MatchResult result;
        result.match = pairing.number;
        result.game = "elsewhere";
        return result;
    };
    const auto result = run(matches, nullptr, {place, place});
    expect_complete(result, 400);
    for (const MatchResult& match : result.matches)
        EXPECT_EQ(match.game == "elsewhere", elsewhere.contains(match.match)) << match.match;
}

TEST(Tournament, EndsForAllWhereOnePlaceStopsOrFails) {
    const Plan plan = named({shipped("nim")}, {"random", "greedy"}, Form::round_robin, 5000);
    const TournamentOptions options;
    const Matches matches(plan, options);
    const auto stopped = run(matches, nullptr, {[](const Pairing&, const Limits&) -> MatchResult {
                                 throw LimitReached(Stop::memory, "there", "");
                             }});
    EXPECT_EQ(stopped.stop, Stop::memory);
    EXPECT_LT(stopped.matches.size(), stopped.scheduled);
    const MatchRunner failing = [](const Pairing&, const Limits&) -> MatchResult { throw Error("no", ""); };
    EXPECT_THROW((void)run(matches, nullptr, {failing}), Error);
}

class RecordedTournament : public testing::Test {
protected:
    RecordedTournament() {
        plan_ = named({shipped("tic-tac-toe"), shipped("nim"), shipped("monty-hall")},
                      {"uct", "greedy", "random"}, Form::round_robin, 3);
        expected_ = in_short(run(plan_, {}, nullptr).matches);
        EXPECT_EQ(expected_.size(), 3 * (6 + 6 + 3));
    }
    // Goes on with the record to the end, and it is what it would have been without a stop.
    void expect_to_finish() const {
        std::uint64_t before = 0;
        std::uint64_t played = 0;
        {
            Record record(file_, plan_.text());
            before = record.finished().size();
            TournamentOptions options;
            options.progress = [&](const Progress&, const MatchResult&) { ++played; };
            expect_complete(run(plan_, options, &record), expected_.size());
        }
        EXPECT_EQ(before + played, expected_.size());
        EXPECT_EQ(in_short(Record::results_of(file_)), expected_);
    }
    [[nodiscard]] std::size_t finished() const { return Record::results_of(file_).size(); }

    TemporaryDirectory scratch_;
    std::string file_ = scratch_.path("tournament.sqlite");
    Plan plan_;
    std::vector<std::string> expected_;
};

TEST_F(RecordedTournament, GoesOnAfterItWasKilled) {
    for (const std::uint64_t after : {1, 4, 17, 16}) {
        const std::size_t before = std::filesystem::exists(file_) ? finished() : 0;
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            // After so many further matches, in the middle of another one.
            std::uint64_t played = 0;
            Record record(file_, plan_.text());
            TournamentOptions options;
            options.parallel = 2;
            options.progress = [&](const Progress&, const MatchResult&) {
                if (++played == after) (void)kill(getpid(), SIGKILL);
            };
            (void)run(plan_, options, &record);
            _exit(0);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status));
        EXPECT_EQ(finished(), before + after);
    }
    expect_to_finish();
    expect_to_finish();  // nothing is left to do
}

TEST_F(RecordedTournament, GoesOnAfterALimit) {
    std::size_t before = 0;
    {
        Record record(file_, plan_.text());
        TournamentOptions options;
        options.parallel = 1;
        options.limits = Limits(0.0, std::nullopt);
        const auto result = run(plan_, options, &record);
        EXPECT_EQ(result.stop, Stop::time);
        EXPECT_EQ(result.scheduled, expected_.size());
        before = result.matches.size();
        EXPECT_LT(before, expected_.size());
    }
    EXPECT_EQ(finished(), before);
    expect_to_finish();
}

TEST_F(RecordedTournament, StopsWhereItsRecordCannotBeWritten) {
    Record record(file_, plan_.text());
    TournamentOptions options;
    options.parallel = 2;
    std::uint64_t played = 0;
    options.progress = [&](const Progress&, const MatchResult& match) {
        // Somebody else adds a match that is still to be played.
        if (++played > 1) return;
        MatchResult forged = match;
        forged.match = expected_.size() - 1;
        record.add(forged);
    };
    EXPECT_THROW((void)run(plan_, options, &record), Error);
}

TEST(SequentialTest, StopsWhenItIsDecided) {
    for (const bool stronger_first : {false, true}) {
        Plan plan = named({shipped("nim")}, {"perfect", "random"}, Form::round_robin, 500);
        if (!stronger_first) std::swap(plan.players[0], plan.players[1]);
        plan.sprt = Sprt{0, 100};
        const TemporaryDirectory scratch;
        const std::string file = scratch.path("test.sqlite");
        std::size_t matches = 0;
        {
            Record record(file, plan.text());
            const auto result = run(plan, {}, &record);
            EXPECT_EQ(result.decision,
                      stronger_first ? Sprt::Decision::accept_h1 : Sprt::Decision::accept_h0);
            EXPECT_EQ(result.stop, Stop::none);
            EXPECT_EQ(result.scheduled, 1000U);
            EXPECT_GE(result.matches.size(), 4U);
            EXPECT_LT(result.matches.size(), 300U);
            matches = result.matches.size();
        }
        // It is decided for ever.
        Record record(file, plan.text());
        const auto again = run(plan, {}, &record);
        EXPECT_EQ(again.matches.size(), matches);
        EXPECT_NE(again.decision, Sprt::Decision::go_on);
    }
}

// How often each opponent was met in each game.
std::map<std::pair<std::string, std::string>, std::uint64_t> meetings(const std::vector<MatchResult>& matches,
                                                                      const std::string& first) {
    std::map<std::pair<std::string, std::string>, std::uint64_t> count;
    for (const MatchResult& match : matches)
        ++count[{match.game, match.seats[match.seats[0].player == first ? 1 : 0].player}];
    return count;
}

TEST(SequentialTest, InAGauntletEveryOpponentInEveryGameHasItsOwn) {
    // Perfect beats random at once, and cannot be told apart from itself so soon.
    Plan plan = named({shipped("nim"), shipped("subtraction")}, {"perfect", "random", "perfect:label=twin"},
                      Form::gauntlet, 60);
    plan.sprt = Sprt{0, 30};
    TournamentOptions one_by_one;
    one_by_one.parallel = 1;
    const auto count = meetings(run(plan, one_by_one, nullptr).matches, "perfect");
    ASSERT_EQ(count.size(), 4U);
    for (const auto& [where, matches] : count) {
        if (where.second == "random")
            EXPECT_LT(matches, 100U) << where.first;
        else
            EXPECT_EQ(matches, 120U) << where.first;
    }
    // Not before the least number, but then.
    plan.at_least = 102;
    for (const auto& [where, matches] : meetings(run(plan, one_by_one, nullptr).matches, "perfect"))
        EXPECT_EQ(matches, where.second == "random" ? 102U : 120U);
}

TEST(SequentialTest, EndsAtTheSameMatchHoweverItIsPlayed) {
    Plan plan =
        named({shipped("nim"), shipped("tic-tac-toe")}, {"uct", "random", "greedy"}, Form::gauntlet, 25);
    plan.sprt = Sprt{0, 60};
    plan.at_least = 20;
    plan.start_clock = 0;
    TournamentOptions alone;
    alone.parallel = 1;
    const auto expected = run(plan, alone, nullptr).matches;
    EXPECT_LT(expected.size(), 4U * 50U);
    EXPECT_GT(expected.size(), 3U * 12U);
    // Killed and continued, one at a time or several: matches that ran while it was decided may be more, but
    // none is missing.
    const TemporaryDirectory scratch;
    const std::string file = scratch.path("test.sqlite");
    for (const unsigned parallel : {1U, 3U, 2U}) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            Record record(file, plan.text());
            TournamentOptions options;
            options.parallel = parallel;
            std::uint64_t played = 0;
            options.progress = [&](const Progress&, const MatchResult&) {
                if (++played == 12) (void)kill(getpid(), SIGKILL);
            };
            (void)run(plan, options, &record);
            _exit(0);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "it came to its end with " << parallel;
    }
    std::vector<MatchResult> pieces;
    {
        Record record(file, plan.text());
        pieces = run(plan, alone, &record).matches;
    }
    std::set<std::string> found;
    for (const std::string& one : in_short(pieces)) found.insert(one);
    for (const std::string& one : in_short(expected)) EXPECT_TRUE(found.contains(one)) << one;
    EXPECT_LT(pieces.size(), 4U * 50U);
    // It is decided for ever.
    Record record(file, plan.text());
    EXPECT_EQ(run(plan, {}, &record).matches.size(), pieces.size());
    // And the report, which sees only the record, says the same as the tests that ended the matches.
    for (const Comparison& one : comparisons(plan, pieces)) {
        EXPECT_TRUE(one.balance.matches == 50 || one.decision != Sprt::Decision::go_on);
    }
}

TEST(SequentialTest, WaitsForMatchesThatAreMissing) {
    // The record of a tournament that was killed: all but the first two matches, all of them won.
    Plan plan = named({shipped("nim")}, {"perfect", "random"}, Form::gauntlet, 30);
    plan.sprt = Sprt{0, 100};
    const TemporaryDirectory scratch;
    Record record(scratch.path("test.sqlite"), plan.text());
    const auto pairings = schedule(plan, {2});
    for (std::size_t i = 2; i < 30; ++i) {
        MatchResult match;
        match.match = i;
        match.game = plan.games[0];
        match.seats.resize(2);
        for (std::size_t s = 0; s < 2; ++s) {
            match.seats[s].player = plan.players[pairings[i].players[s]];
            match.seats[s].goal = pairings[i].players[s] == 0 ? 100 : 0;
        }
        record.add(match);
    }
    TournamentOptions options;
    options.parallel = 1;
    const auto result = run(plan, options, &record);
    EXPECT_EQ(result.matches.size(), 30U) << "it plays the two that are missing, and no other";
    EXPECT_EQ(result.matches[0].match, 0U);
}

TEST(SequentialTest, GoesOnBetweenEquals) {
    Plan plan = named({shipped("nim")}, {"random", "random"}, Form::round_robin, 10);
    plan.sprt = Sprt{0, 5};
    const auto result = run(plan, {}, nullptr);
    EXPECT_EQ(result.decision, Sprt::Decision::go_on);
    EXPECT_EQ(result.matches.size(), 20U);
}

}  // namespace
}  // namespace zermelo::arena
