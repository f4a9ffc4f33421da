// Players on the network, as the referee meets them: what they are told, to the letter; and what becomes of
// answers that are late, missing, illegal or nonsense.

#include "ggp/remote_player.hpp"

#include <gtest/gtest.h>

#include <set>

#include "arena/referee.hpp"
#include "gdl/syntax/parse.hpp"
#include "ggp/player_fixture.hpp"
#include "ggp/remote_registry.hpp"
#include "play/players/random.hpp"
#include "support/http_player.hpp"
#include "support/shipped.hpp"

namespace zermelo::ggp {
namespace {

using arena::Faults;
using Answer = HttpPlayer::Answer;
using Strings = std::vector<std::string>;

// A game, and matches of it between players whose addresses are given; without one, a player here moves at
// random.
struct RemoteHall : Hall {
    RemoteMatch match{.id = "m1", .start_clock = 1, .play_clock = 1, .grace = 1};
    std::uint64_t seed = 1;
    Faults start_faults = {};
    std::vector<Faults> faults = {};                   // by step
    std::vector<std::vector<std::string>> moves = {};  // by step and role

    using Hall::Hall;

    [[nodiscard]] std::unique_ptr<play::Player> player(std::size_t seat, const std::string& address) const {
        const play::Settings settings{.role = rules.seats()[seat], .seed = seed + seat};
        if (address.empty()) return std::make_unique<play::RandomPlayer>(rules, settings);
        return std::make_unique<RemotePlayer>(rules, settings, net::read_url(address), "name of it", names,
                                              match);
    }

    arena::MatchResult play(const Strings& addresses) {
        std::vector<std::unique_ptr<play::Player>> players;
        std::vector<arena::Seat> seats;
        for (std::size_t s = 0; s < addresses.size(); ++s) {
            players.push_back(player(s, addresses[s]));
            seats.push_back({players.back().get(), addresses[s], match.play_clock});
        }
        arena::MatchOptions options;
        options.start_seconds = match.start_clock;
        options.seed = seed;
        options.started = [&](const Faults& some) { start_faults = some; };
        faults.clear();
        moves.clear();
        options.watch = [&](const play::State&, const play::JointMove& joint, const Faults& some) {
            faults.push_back(some);
            moves.emplace_back();
            for (std::size_t r = 0; r < joint.size(); ++r) moves.back().push_back(names->move(r, joint[r]));
        };
        return arena::referee(rules, seats, options);
    }
};

TEST(RemotePlayer, IsToldAllMovesInTheSpellingOfGgpBase) {
    RemoteHall hall("tic-tac-toe");
    HttpPlayer x(plays({"(mark 1 1)", "wait", "(mark 1 2)", "wait", "(mark 1 3)"}));
    HttpPlayer o(plays({"wait", "(mark 2 1)", "wait", "(mark 2 2)", "wait"}));
    const auto result = hall.play({x.address(), o.address()});
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.seats[0].goal, 100);
    EXPECT_EQ(result.seats[1].goal, 0);
    EXPECT_EQ(hall.start_faults, (Faults{"", ""}));
    EXPECT_EQ(hall.faults, std::vector<Faults>(5, Faults{"", ""}));

    const Strings heard = x.heard();
    ASSERT_EQ(heard.size(), 7U);
    EXPECT_EQ(Strings(heard.begin() + 1, heard.end()),
              (Strings{"( PLAY m1 NIL )", "( PLAY m1 (( mark 1 1 ) wait ) )",
                       "( PLAY m1 (wait ( mark 2 1 ) ) )", "( PLAY m1 (( mark 1 2 ) wait ) )",
                       "( PLAY m1 (wait ( mark 2 2 ) ) )", "( STOP m1 (( mark 1 3 ) wait ) )"}));
    const Strings also = o.heard();
    ASSERT_EQ(also.size(), 7U);
    EXPECT_EQ(Strings(also.begin() + 1, also.end()), Strings(heard.begin() + 1, heard.end()));

    EXPECT_TRUE(
        heard[0].starts_with("( START m1 x (( role x ) ( role o ) ( other x o ) ( other o x ) ( index 1 ) "
                             "( index 2 ) ( index 3 ) ( <= ( base ( cell ?row ?column ?content ) ) ( "
                             "index ?row ) ( index ?column ) ( content ?content ) ) "))
        << heard[0];
    EXPECT_TRUE(heard[0].ends_with(" ) ) 1 1 )")) << heard[0];
    EXPECT_TRUE(also[0].starts_with("( START m1 o (( role x ) ")) << also[0];
    EXPECT_EQ(heard[0].find_first_of(";\n\t"), std::string::npos);

    for (const net::Request& request : x.requests()) {
        EXPECT_EQ(request.method, "POST");
        EXPECT_EQ(request.target, "/");
        EXPECT_EQ(request.header("Accept"), "text/delim");
        EXPECT_EQ(request.header("Sender"), "ZERMELO");
        EXPECT_EQ(request.header("Receiver"), "name of it");
        EXPECT_EQ(request.header("Content-Type"), "text/acl");
    }
}

// The rules that are sent are the game, for every game that we have.
TEST(RemotePlayer, IsToldTheWholeGame) {
    for (const char* name : {"tic-tac-toe", "monty-hall", "checkers", "cant-stop-small"}) {
        SCOPED_TRACE(name);
        const RemoteHall hall(name);
        const gdl::Description told = gdl::parse(hall.names->rules(), "told");
        const gdl::Description& right = hall.game.description();
        ASSERT_EQ(told.rules.size(), right.rules.size());
        for (std::size_t r = 0; r < told.rules.size(); ++r)
            EXPECT_EQ(gdl::text(told, told.rules[r]), gdl::text(right, right.rules[r]));
    }
}

TEST(RemotePlayer, HearsNamesInOneCaseAndMayUseAny) {
    RemoteHall hall(
        gdl::parse("(role Left) (role RIGHT) (init Start) (<= (legal ?p (Show ?s)) (role ?p) (sign ?s)) "
                   "(sign Rock) (sign PAPER) ; a comment\n (<= (next done) (does Left (show ?s))) "
                   "(<= terminal (true done)) (<= (goal ?p 50) (role ?p))",
                   "no such file"));
    HttpPlayer left(plays({" \r\n( SHOW\t pApEr\n)\r\n "}));
    HttpPlayer right(plays({"(show rock)"}));
    const auto result = hall.play({left.address(), right.address()});
    EXPECT_EQ(hall.faults, (std::vector<Faults>{{"", ""}}));
    EXPECT_EQ(hall.moves, (std::vector<Strings>{{"(show paper)", "(show rock)"}}));
    EXPECT_EQ(result.seats[0].goal, 50);
    EXPECT_EQ(
        right.heard().front(),
        "( START m1 right (( role left ) ( role right ) ( init start ) ( <= ( legal ?p ( show ?s ) ) ( role "
        "?p ) ( sign ?s ) ) ( sign rock ) ( sign paper ) ( <= ( next done ) ( does left ( show ?s ) ) ) ( "
        "<= terminal ( true done ) ) ( <= ( goal ?p 50 ) ( role ?p ) ) ) 1 1 )");
    EXPECT_EQ(right.heard().back(), "( STOP m1 (( show paper ) ( show rock ) ) )");
}

TEST(RemotePlayer, IsToldWhatItSeesWhereMovesAreHidden) {
    RemoteHall hall("monty-hall");
    HttpPlayer candidate(plays({"(choose 2)", "wait", "switch"}));
    hall.match.id = "mh2";
    const auto result = hall.play({candidate.address()});
    EXPECT_EQ(result.error, "");
    ASSERT_EQ(hall.moves.size(), 3U);
    const std::string opened = hall.moves[1][1];  // by chance
    EXPECT_TRUE(opened == "(open 1)" || opened == "(open 3)") << opened;
    const Strings heard = candidate.heard();
    ASSERT_EQ(heard.size(), 5U);
    EXPECT_TRUE(heard[0].starts_with("( START mh2 candidate (( role candidate ) ( role random ) "))
        << heard[0];
    EXPECT_EQ(heard[1], "( PLAY mh2 0 NIL NIL )");
    EXPECT_EQ(heard[2], "( PLAY mh2 1 ( choose 2 ) () )");
    EXPECT_EQ(heard[3], "( PLAY mh2 2 wait (" + spaced(opened) + " ) )");
    EXPECT_EQ(heard[4], "( STOP mh2 3 switch () )");
}

TEST(RemotePlayer, WithoutAMoveARandomOneIsPlayed) {
    struct Case {
        std::string what;
        Answer answer;
        std::string fault;
    };
    const std::vector<Case> cases = {
        {"no move at all", {.text = "(mark 9 9)"}, "IL (mark 9 9)"},
        {"a move of another time", {.text = "wait"}, "IL wait"},
        {"no term", {.text = "I think\n(mark 1"}, "IL I think (mark 1"},
        {"nothing", {.text = ""}, "IL "},
        {"harmful bytes", {.text = "\x01\xff\x7f"}, "IL ???"},
        {"too late", {.text = "(mark 1 1)", .after = 0.9}, "TO"},
        {"silence", {.never = true}, "TO"},
        {"refusal", {.text = "(mark 1 1)", .status = 503}, "CE"},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.what);
        RemoteHall hall("tic-tac-toe");
        hall.match.play_clock = 0.3;
        hall.match.grace = 0.2;
        hall.seed = 7;
        HttpPlayer x([&](const Message& message) -> Answer {
            if (message.verb != Verb::play) return {};
            if (message.nothing) return one.answer;
            return {.text = "wait"};  // from now on wrong every other time
        });
        const auto result = hall.play({x.address(), ""});
        EXPECT_EQ(result.error, "");
        EXPECT_EQ(hall.faults[0], (Faults{one.fault, ""}));
        EXPECT_EQ(hall.faults[1], (Faults{"", ""}));
        EXPECT_EQ(hall.faults[2], (Faults{"IL wait", ""}));
        EXPECT_TRUE(hall.moves[0][0].starts_with("(mark ")) << hall.moves[0][0];
        const bool illegal = one.fault.starts_with("IL");
        EXPECT_EQ(result.seats[0].late, illegal ? 0U : 1U);
        EXPECT_EQ(result.seats[0].illegal, (result.plies + 1) / 2 - (illegal ? 0U : 1U));
        EXPECT_EQ(result.seats[1].illegal + result.seats[1].late, 0U);
        EXPECT_EQ(result.seats[0].goal + result.seats[1].goal, 100);
        // It hears what was played for it.
        EXPECT_EQ(x.heard()[2], "( PLAY m1 (" + spaced(hall.moves[0][0]) + " wait ) )");
        EXPECT_TRUE(x.heard().back().starts_with("( STOP m1 (")) << x.heard().back();
    }
}

TEST(RemotePlayer, GraceIsForTheWire) {
    RemoteHall hall("rock-paper-scissors-once");
    hall.match.play_clock = 0.2;
    hall.match.grace = 5;
    HttpPlayer left([](const Message& message) -> Answer {
        return {.text = message.verb == Verb::play ? "paper" : "ready",
                .after = message.verb == Verb::play ? 0.5 : 0};
    });
    const auto result = hall.play({left.address(), ""});
    EXPECT_EQ(hall.faults, (std::vector<Faults>{{"", ""}}));
    EXPECT_EQ(hall.moves[0][0], "paper");
    EXPECT_EQ(result.seats[0].late, 0U);
    EXPECT_GE(result.seats[0].longest_move, 0.5);
    EXPECT_LT(result.seats[1].longest_move, 0.5) << "a player's time is its own";
}

TEST(RemotePlayer, MatchesGoOnWithoutIt) {
    const Hangup hangup;
    for (const std::string& address : {nobody(), hangup.address()}) {
        RemoteHall hall("tic-tac-toe");
        const auto result = hall.play({"", address});
        EXPECT_EQ(result.error, "");
        EXPECT_EQ(hall.start_faults, (Faults{"", "CE"}));
        for (const Faults& faults : hall.faults) EXPECT_EQ(faults, (Faults{"", "CE"}));
        EXPECT_EQ(result.seats[1].late, result.plies);
        EXPECT_EQ(result.seats[0].goal + result.seats[1].goal, 100);
    }
}

TEST(RemotePlayer, MaySayAnythingToStartButMustSaySomething) {
    RemoteHall hall("rock-paper-scissors-once");
    hall.match.start_clock = 0.1;
    hall.match.grace = 0.2;
    HttpPlayer left([](const Message& message) -> Answer {
        return {.text = message.verb == Verb::start ? "busy" : "rock"};
    });
    HttpPlayer right([](const Message& message) -> Answer {
        return {.text = "rock", .never = message.verb == Verb::start};
    });
    const auto result = hall.play({left.address(), right.address()});
    EXPECT_EQ(hall.start_faults, (Faults{"", "TO"}));
    EXPECT_EQ(hall.faults, (std::vector<Faults>{{"", ""}}));
    EXPECT_EQ(result.seats[0].goal, 50);
}

// Nobody answers before all have been asked.
TEST(RemotePlayer, AllThinkAtTheSameTime) {
    RemoteHall hall("four-in-turn");
    std::vector<std::unique_ptr<HttpPlayer>> players(4);
    std::vector<HttpPlayer::Script> scripts;
    for (std::size_t s = 0; s < 4; ++s) scripts.push_back(plays_legally(hall.rules));
    std::atomic<int> missed = 0;
    for (std::size_t s = 0; s < 4; ++s) {
        players[s] = std::make_unique<HttpPlayer>([&, s](const Message& message) {
            for (const auto& other : players) {
                if (!other->has_heard(message.verb, 10)) ++missed;
            }
            return scripts[s](message);
        });
    }
    hall.match.start_clock = hall.match.play_clock = 20;
    Strings addresses;
    for (const auto& player : players) addresses.push_back(player->address());
    const auto result = hall.play(addresses);
    EXPECT_EQ(missed, 0);
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(hall.faults, std::vector<Faults>(result.plies, Faults(4)));
    for (const auto& player : players) EXPECT_EQ(player->heard().size(), result.plies + 2);
    EXPECT_EQ(players[2]->heard()[2], "( PLAY m1 (( mark 1 1 ) wait wait wait ) )");
}

TEST(RemotePlayer, IsAskedAlsoWhenItIsAlone) {
    RemoteHall hall("eight-puzzle");
    HttpPlayer player(plays_legally(hall.rules));
    const auto result = hall.play({player.address()});
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(hall.faults, std::vector<Faults>(result.plies, Faults(1)));
    EXPECT_EQ(player.heard().size(), result.plies + 2);
}

TEST(RemotePlayer, HearsWhenAMatchIsBrokenOff) {
    class Fails : public play::RandomPlayer {
    public:
        using RandomPlayer::RandomPlayer;
        play::MoveId choose(const play::TimeBudget& allowance) override {
            if (++asked == 2) throw Error("no more");
            return RandomPlayer::choose(allowance);
        }
        int asked = 0;
    };
    const RemoteHall hall("tic-tac-toe");
    HttpPlayer x(plays_legally(hall.rules));
    {
        Fails o(hall.rules, {.role = 1});
        const auto remote = hall.player(0, x.address());
        const std::vector<arena::Seat> seats = {{remote.get(), "x", 1}, {&o, "o", 1}};
        EXPECT_THROW((void)arena::referee(hall.rules, seats, {}), Error);
    }
    const Strings heard = x.heard();
    EXPECT_EQ(heard.back(), "( ABORT m1 )");
    EXPECT_EQ(std::ranges::count(heard, "( ABORT m1 )"), 1);
    EXPECT_FALSE(x.has_heard(Verb::stop, 0));
}

TEST(RemotePlayer, ThatWasNeverStartedIsLeftAlone) {
    const RemoteHall hall("tic-tac-toe");
    HttpPlayer x(plays_legally(hall.rules));
    (void)hall.player(0, x.address());
    EXPECT_EQ(x.heard(), Strings{});
}

arena::Plan plan(const Strings& players, arena::Form form, std::uint64_t rounds) {
    arena::Plan plan;
    plan.games = {shipped("tic-tac-toe")};
    plan.players = players;
    plan.form = form;
    plan.rounds = rounds;
    plan.clock = 5;
    plan.start_clock = 5;
    return plan;
}

// A script that counts in how many matches it plays at once.
HttpPlayer::Script counting(HttpPlayer::Script inner, std::atomic<int>& now, std::atomic<int>& most) {
    return [inner = std::move(inner), &now, &most](const Message& message) {
        if (message.verb == Verb::start) most = std::max<int>(most, ++now);
        if (message.verb == Verb::stop || message.verb == Verb::abort) --now;
        return inner(message);
    };
}

TEST(RemoteRegistry, TournamentsHavePlayersHereAndElsewhereOneMatchAtATime) {
    const RemoteHall hall("tic-tac-toe");
    std::atomic<int> now = 0;
    std::atomic<int> most = 0;
    HttpPlayer one(counting(plays_legally(hall.rules), now, most));
    const auto ours = plan({one.address() + "/", "random", "greedy:playouts=1"}, arena::Form::round_robin, 2);
    check_players(ours);
    RemoteRegistry field({});
    arena::TournamentOptions options;
    options.parallel = 3;
    options.make = [&](auto&&... order) { return field.make_player(order...); };
    const auto result = arena::run(ours, options, nullptr);
    EXPECT_EQ(result.matches.size(), 12U);
    EXPECT_EQ(now, 0);
    EXPECT_EQ(most, 1);
    std::size_t played = 0;
    for (const arena::MatchResult& match : result.matches) {
        EXPECT_EQ(match.error, "");
        for (const arena::SeatResult& seat : match.seats) {
            EXPECT_EQ(seat.illegal + seat.late, 0U) << seat.player;
            if (seat.player == one.label()) ++played;
        }
    }
    EXPECT_EQ(played, 8U);
    std::set<std::string> ids;
    for (const std::string& text : one.heard()) {
        const Message message = read_message(text);
        if (message.verb == Verb::start) {
            EXPECT_TRUE(ids.insert(message.match).second) << message.match;
        }
        EXPECT_TRUE(message.match.starts_with("tic-tac-toe.")) << message.match;
    }
    EXPECT_EQ(ids.size(), 8U);
}

TEST(RemoteRegistry, ASeatedSeriesRotates) {
    const RemoteHall hall("tic-tac-toe");
    HttpPlayer one(plays_legally(hall.rules));
    HttpPlayer other(plays_legally(hall.rules));
    RemoteRegistry field({.match = "series"});
    arena::TournamentOptions options;
    options.make = [&](auto&&... order) { return field.make_player(order...); };
    const auto result =
        arena::run(plan({one.address(), other.address()}, arena::Form::seated, 2), options, nullptr);
    ASSERT_EQ(result.matches.size(), 2U);
    Strings starts;
    for (const std::string& text : one.heard()) {
        const Message message = read_message(text);
        if (message.verb == Verb::start) starts.push_back(message.match + " " + message.role);
    }
    EXPECT_EQ(starts, (Strings{"series.1 x", "series.2 o"}));
    EXPECT_THROW((void)arena::run(plan({one.address()}, arena::Form::seated, 2), options, nullptr), Error);
    EXPECT_THROW((void)arena::run(plan({"uct", "uct", "uct"}, arena::Form::seated, 2), options, nullptr),
                 Error);
}

TEST(RemoteRegistry, RefusesAddressesThatAreNone) {
    const auto check = [](const Strings& players, double clock) {
        arena::Plan ours = plan(players, arena::Form::round_robin, 1);
        ours.clock = clock;
        check_players(ours);
    };
    EXPECT_NO_THROW(check({"http://127.0.0.1:9147", "uct"}, 1));
    EXPECT_NO_THROW(check({"uct"}, 0));
    EXPECT_THROW(check({"http://127.0.0.1:9147"}, 0), Error);
    for (const char* bad :
         {"http://", "http:///", "http://host:port", "http://host:0", "http://:80", "http://a b"})
        EXPECT_THROW(check({bad}, 1), Error) << bad;
    for (const char* bad : {"a b", "(a)", ".a", "a/b", "é"})
        EXPECT_THROW(RemoteRegistry({.match = bad}), Error) << bad;
}

}  // namespace
}  // namespace zermelo::ggp
