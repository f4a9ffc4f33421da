// play, for games with chance, simultaneous and hidden moves, more than two roles, and any player.

#include <regex>
#include <set>

#include "program.hpp"

namespace zermelo {
namespace {

// The die is thrown first, and all moves are seen.
constexpr const char* open_die = R"(
(role caller)
(role random)
(init thrown_next)
(side 1) (side 2) (side 3)
(<= (legal random (throw ?s)) (true thrown_next) (side ?s))
(<= (legal caller wait) (true thrown_next))
(<= (legal random wait) (not (true thrown_next)))
(<= (legal caller (call ?s)) (not (true thrown_next)) (side ?s))
(<= (next (die ?s)) (does random (throw ?s)))
(<= (next (die ?s)) (true (die ?s)))
(<= (next called) (does caller (call ?s)))
(<= (next right) (does caller (call ?s)) (true (die ?s)))
(<= terminal (true called))
(<= (goal caller 100) (true right))
(<= (goal caller 0) (not (true right)))
(goal random 0)
)";

// Chance hides 8,000 things, more than a belief lists.
constexpr const char* large_secret = R"(
(role guesser)
(role random)
(init hiding)
(next_number 1 2) (next_number 2 3) (next_number 3 4) (next_number 4 5) (next_number 5 6)
(next_number 6 7) (next_number 7 8) (next_number 8 9) (next_number 9 10) (next_number 10 11)
(next_number 11 12) (next_number 12 13) (next_number 13 14) (next_number 14 15) (next_number 15 16)
(next_number 16 17) (next_number 17 18) (next_number 18 19) (next_number 19 20)
(number 1)
(<= (number ?y) (next_number ?x ?y))
(<= (legal random (hide ?a ?b ?c)) (true hiding) (number ?a) (number ?b) (number ?c))
(<= (legal guesser wait) (true hiding))
(<= (legal random wait) (not (true hiding)))
(<= (legal guesser (guess ?a)) (not (true hiding)) (number ?a))
(<= (next (secret ?a ?b ?c)) (does random (hide ?a ?b ?c)))
(<= (next (secret ?a ?b ?c)) (true (secret ?a ?b ?c)))
(<= (next guessed) (does guesser (guess ?a)))
(<= (next right) (does guesser (guess ?a)) (true (secret ?a ?b ?c)))
(<= (sees guesser right) (does guesser (guess ?a)) (true (secret ?a ?b ?c)))
(<= terminal (true guessed))
(<= (goal guesser 100) (true right))
(<= (goal guesser 0) (not (true right)))
(goal random 0)
)";

// What is legal depends on what the player cannot see: a fault of the description.
constexpr const char* unknown_legality = R"(
(role taker)
(role random)
(init hiding)
(side 1) (side 2)
(<= (legal random (hide ?s)) (true hiding) (side ?s))
(<= (legal taker wait) (true hiding))
(<= (legal random wait) (not (true hiding)))
(<= (legal taker (take ?s)) (true (under ?s)))
(<= (next (under ?s)) (does random (hide ?s)))
(<= (next done) (does taker (take ?s)))
(<= (sees taker (took ?s)) (does taker (take ?s)))
(<= terminal (true done))
(<= (goal taker 100) (true done))
(<= (goal taker 0) (not (true done)))
(goal random 0)
)";

class PlayMatch : public Program {
protected:
    [[nodiscard]] static std::string game(const std::string& name) {
        return std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/" + name + ".kif";
    }
    [[nodiscard]] static Ran played(const std::string& arguments, const std::string& input) {
        return run("printf '" + input + "' | " + binary + " play " + arguments);
    }
    [[nodiscard]] static std::string ones(int how_many) {
        std::string input;
        for (int i = 0; i < how_many; ++i) input += "1\\n";
        return input;
    }
    // The last line.
    [[nodiscard]] static std::string result(const Ran& ran) {
        const std::size_t before =
            ran.out.size() < 2 ? std::string::npos : ran.out.rfind('\n', ran.out.size() - 2);
        return before == std::string::npos ? ran.out : ran.out.substr(before + 1);
    }
    // What was said before the last state was shown, and from there on.
    struct Parts {
        std::string before;
        std::string end;
    };
    [[nodiscard]] static Parts parts(const Ran& ran) {
        const std::size_t cut = ran.out.rfind("\n\n");
        EXPECT_NE(cut, std::string::npos) << ran.out;
        return {ran.out.substr(0, cut), cut == std::string::npos ? "" : ran.out.substr(cut)};
    }
    static void expect_finished(const Ran& ran) {
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(ran.err, "");
        const std::string last = result(ran);
        EXPECT_TRUE(last.starts_with("You win: ") || last.starts_with("A draw: ") ||
                    last.starts_with("The program wins: ") || last.starts_with("The game is over: "))
            << ran.out;
    }
};

#define EXPECT_SILENT(text, part) EXPECT_EQ((text).find(part), std::string::npos) << (text)

TEST_F(PlayMatch, EveryGameIsPlayedToTheEndAgainstSeveralPlayers) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> games_and_roles = {
        {"monty-hall", {"candidate"}},
        {"kuhn-poker", {"first", "second"}},
        {"rock-paper-scissors", {"left", "right"}},
        {"dice-race", {"alice", "bob"}},
        {"mastermind", {"player"}},
        {"four-in-turn", {"north", "west"}}};
    for (const auto& [name, roles] : games_and_roles) {
        for (const std::string& role : roles) {
            for (const std::string engine : {"auto", "random", "greedy", "alpha-beta", "cfr:playouts=50",
                                             "grave:reference=100,playouts=50", "perfect:solve=0.5"}) {
                SCOPED_TRACE(name + " as " + role + " against " + engine);
                const Ran ran =
                    played(game(name) + " --role " + role + " --seconds 0.02 --engine " + engine, ones(20));
                expect_finished(ran);
                EXPECT_SAYS(ran.out, "You play " + role);
            }
        }
    }
}

TEST_F(PlayMatch, MovesAreGivenByText) {
    const Ran poker = played(game("kuhn-poker") + " --engine uct --seconds 0.02", R"(CHECK\n call \nfold\n)");
    EXPECT_EQ(poker.code, 0) << poker.err;
    EXPECT_SAYS(poker.out, "The program plays second, by uct, 0.02 s a move.");
    const Ran monty = played(game("monty-hall"), R"((Choose   3)\nswitch\n)");
    expect_finished(monty);
    EXPECT_SAYS(parts(monty).before, "(chosen 3)");
    const Ran signs = played(game("rock-paper-scissors") + " --seconds 0.02", R"(rock\n3\nPaper\n)");
    expect_finished(signs);
    const Ran code = played(game("mastermind"), R"((guess red red red)\n(guess blue blue blue)\nq\n)");
    EXPECT_SAYS(code.out, "(guesses 2)");
}

// As the hints of the game say them; the terms of the rules are understood, too.
TEST_F(PlayMatch, MovesAreSaidAndGivenInWords) {
    for (const std::string engine : {"random", "greedy"}) {
        SCOPED_TRACE(engine);
        const std::string chess = game("chess") + " --seconds 0.05 --engine " + engine;
        for (const std::string first : {"e2–e4", "E2-e4", "(move e 2 e 4)", "(Move e  2 e 4)"}) {
            const Ran ran = played(chess, first + R"(\nhint\nq\n)");
            EXPECT_EQ(ran.code, 0) << ran.err;
            EXPECT_TRUE(std::regex_search(ran.out, std::regex("\n  [0-9]+  e2–e4\n"))) << ran.out;
            EXPECT_TRUE(std::regex_search(ran.out, std::regex("black: [a-h][1-8]–[a-h][1-8]\n"))) << ran.out;
            EXPECT_TRUE(std::regex_search(ran.out, std::regex("Try [a-h][1-8]–[a-h][1-8]\\."))) << ran.out;
            EXPECT_SILENT(ran.out, "(move ");
            EXPECT_SILENT(ran.out, "is no move here");
        }
    }
    const Ran french = run("printf 'q\\n' | LC_ALL=fr_FR.UTF-8 " + binary + " play " + game("connect-four") +
                           " --engine random");
    EXPECT_SAYS(french.out, "  colonne 1\n");
}

TEST_F(PlayMatch, TheOtherCardIsHiddenUntilTheEnd) {
    std::set<std::string> deals;
    for (int seed = 1; seed <= 8; ++seed) {
        for (const std::string role : {"first", "second"}) {
            for (const std::string engine : {"random", "cfr:playouts=50"}) {
                SCOPED_TRACE(role + " against " + engine + " with seed " + std::to_string(seed));
                const Ran ran = played(game("kuhn-poker") + " --role " + role + " --engine " + engine +
                                           " --seconds 0.02 --seed " + std::to_string(seed),
                                       R"(hint\n1\nhint\n1\n)");
                expect_finished(ran);
                const auto [before, end] = parts(ran);
                const std::string other = role == "first" ? "second" : "first";
                EXPECT_SAYS(before, role + " player [");
                EXPECT_SILENT(before, other + " player [");
                EXPECT_SAYS(end, other + " player [");
                EXPECT_SILENT(ran.out, "deal");
                int cards = 0;
                for (const char* card : {"jack", "queen", "king"})
                    cards += before.find(card) != std::string::npos ? 1 : 0;
                EXPECT_EQ(cards, 1) << before;
                const std::size_t dealt = end.find("first player [");
                deals.insert(end.substr(dealt, end.find('\n', dealt) - dealt));
            }
        }
    }
    EXPECT_GT(deals.size(), 2U) << "the seed makes no difference";
}

TEST_F(PlayMatch, TheCarIsHiddenUntilTheEnd) {
    std::set<std::string> cars;
    for (int seed = 1; seed <= 12; ++seed) {
        const Ran ran = played(game("monty-hall") + " --seconds 0.02 --seed " + std::to_string(seed),
                               R"(hint\n1\nhint\n2\n)");
        expect_finished(ran);
        const auto [before, end] = parts(ran);
        EXPECT_SILENT(before, "car");
        EXPECT_SILENT(ran.out, "hide");
        EXPECT_SAYS(before, "You see: (open ");
        ASSERT_NE(end.find("(car "), std::string::npos) << end;
        const std::string car = end.substr(end.find("(car "), 7);
        cars.insert(car);
        EXPECT_SAYS(result(ran),
                    car == "(car 1)" ? "The game is over: candidate 0" : "The game is over: candidate 100");
    }
    EXPECT_EQ(cars.size(), 3U) << "the seed makes no difference";
}

TEST_F(PlayMatch, NothingIsSaidOfSimultaneousMovesBeforeTheChoice) {
    for (const std::string role : {"left", "right"}) {
        const std::string other = role == "left" ? "right: " : "left: ";
        const Ran ran = played(game("rock-paper-scissors") + " --engine random --role " + role, ones(3));
        expect_finished(ran);
        std::size_t at = 0;
        for (int round = 0; round < 3; ++round) {
            const std::size_t asked = ran.out.find(role + " ? ", at);
            const std::size_t told = ran.out.find("\n" + other, at);
            const std::size_t after = ran.out.find(" ? " + other, at);
            EXPECT_EQ(told, std::string::npos) << ran.out;
            ASSERT_NE(after, std::string::npos) << ran.out;
            EXPECT_EQ(asked + role.size(), after) << ran.out;
            at = after + 1;
        }
        const Ran left = played(game("rock-paper-scissors") + " --engine random --role " + role, "");
        EXPECT_SILENT(left.out, other);
    }
}

TEST_F(PlayMatch, MovesOfChanceAreToldWhereAllIsSeen) {
    const std::string file = write("open-die.kif", open_die);
    for (int seed = 1; seed <= 4; ++seed) {
        const Ran ran = played(file + " --seed " + std::to_string(seed), ones(1));
        expect_finished(ran);
        const std::string before = ran.out.substr(0, ran.out.find("caller ? "));
        ASSERT_NE(before.find("chance: (throw "), std::string::npos) << before;
        const char side = before[before.find("chance: (throw ") + 15];
        EXPECT_SAYS(before, std::string("(die ") + side + ")");
        EXPECT_SILENT(before, "caller: wait");
        EXPECT_EQ(result(ran),
                  side == '1' ? "The game is over: caller 100\n" : "The game is over: caller 0\n");
    }
    // Who is fed the same sees the die, too.
    for (int seed = 1; seed <= 4; ++seed) {
        const Ran ran = played(file + " --seconds 0.5 --seed " + std::to_string(seed), R"(hint\n)");
        const std::size_t thrown = ran.out.find("chance: (throw ");
        ASSERT_NE(thrown, std::string::npos) << ran.out;
        EXPECT_SAYS(ran.out, std::string("Try (call ") + ran.out[thrown + 15] + ").");
    }
}

TEST_F(PlayMatch, WhatASampleTellsIsNotCalledKnowledge) {
    const std::string file = write("large-secret.kif", large_secret);
    const Ran ran = played(file, ones(1));
    expect_finished(ran);
    const auto [before, end] = parts(ran);
    EXPECT_SAYS(before, "You know, as far as a sample of positions tells:");
    EXPECT_SILENT(before, "secret");
    EXPECT_SAYS(end, "(secret ");
}

TEST_F(PlayMatch, WhoCannotKnowWhatIsLegalIsToldWhatWasPlayed) {
    const std::string file = write("unknown-legality.kif", unknown_legality);
    int replaced = 0;
    for (int seed = 1; seed <= 8; ++seed) {
        const Ran ran = played(file + " --seed " + std::to_string(seed), ones(1));
        expect_finished(ran);
        const bool illegal = ran.out.find("(take 1) turns out to be illegal; (take 2) is played for you.") !=
                             std::string::npos;
        EXPECT_SAYS(ran.out, illegal ? "You see: (took 2)" : "You see: (took 1)");
        replaced += illegal ? 1 : 0;
    }
    EXPECT_GT(replaced, 0);
    EXPECT_LT(replaced, 8);
}

TEST_F(PlayMatch, HintsWrongMovesAndLeaving) {
    const Ran ran = played(game("kuhn-poker") + " --engine cfr:playouts=50 --seconds 0.05",
                           R"(undo\n99\nraise\n\nhint\nq\n)");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_SAYS(ran.out, "Nothing can be undone in this game.");
    EXPECT_SAYS(ran.out, "99 is no move here.");
    EXPECT_SAYS(ran.out, "raise is no move here.");
    EXPECT_TRUE(ran.out.find("Try bet.") != std::string::npos ||
                ran.out.find("Try check.") != std::string::npos)
        << ran.out;
    EXPECT_EQ(result(ran), "The game is not finished.\n");
    for (const std::string input : {"", "quit", R"(quit\n)", R"(1\n)"}) {
        const Ran left = played(game("rock-paper-scissors") + " --engine greedy", input);
        EXPECT_EQ(left.code, 0) << left.err;
        EXPECT_EQ(result(left), "The game is not finished.\n") << input;
    }
}

// The board of the first question.
TEST_F(PlayMatch, BoardsAreDrawnWholeFromTheFirstMove) {
    const auto first_board = [](const std::string& name) {
        const Ran ran = played(game(name) + " --engine random", "q\\n");
        const std::size_t from = ran.out.find("\n\n");
        return from == std::string::npos ? ran.out : ran.out.substr(from + 2);
    };
    EXPECT_SAYS(first_board("chess"),
                "   a   b   c   d   e   f   g   h\n"
                "8  b♜  b♞  b♝  b♛  b♚  b♝  b♞  b♜\n");
    EXPECT_SAYS(first_board("connect-four"),
                "   1  2  3  4  5  6  7\n"
                "6  .  .  .  .  .  .  .\n"
                "5  .  .  .  .  .  .  .\n"
                "4  .  .  .  .  .  .  .\n"
                "3  .  .  .  .  .  .  .\n"
                "2  .  .  .  .  .  .  .\n"
                "1  .  .  .  .  .  .  .\n");
    EXPECT_SAYS(first_board("othello"),
                "5  .  .  .  b  w  .  .  .\n"
                "4  .  .  .  w  b  .  .  .\n");
    EXPECT_SAYS(first_board("breakthrough"),
                "8  b  b  b  b  b  b  b  b\n"
                "7  b  b  b  b  b  b  b  b\n"
                "6  .  .  .  .  .  .  .  .\n");
    const std::string hex = first_board("hex");
    EXPECT_SAYS(
        hex, "   1  2  3  4  5  6  7  8  9\n1  .  .  .  .  .  .  .  .  .\n2   .  .  .  .  .  .  .  .  .\n");
}

TEST_F(PlayMatch, NobodyIsAskedForTheOnlyMove) {
    const Ran ran = played(game("nim") + " --role bob --engine attractors", ones(20));
    expect_finished(ran);
    EXPECT_SILENT(ran.out, "wait");
    // Through the referee, too.
    const Ran referee = played(game("nim") + " --role bob --engine uct:playouts=50", ones(20));
    expect_finished(referee);
    EXPECT_SILENT(referee.out, "wait");
    EXPECT_TRUE(std::regex_search(referee.out, std::regex("(alice|bob): \\(leave . 0\\)\n\n")))
        << referee.out;
    const auto alone = json_of(
        zermelo("analyse --json " + game("nim") + " --position '(leave a 0); (leave b 0); (leave c 1)'"));
    EXPECT_EQ(alone["mover"], "bob");
    EXPECT_EQ(alone["moves"][0]["move"], "(leave c 0)");
    const Ran over = zermelo("analyse " + game("nim") +
                             " --position '(leave a 0); (leave b 0); (leave c 1); (leave c 0)'");
    EXPECT_SAYS(over.out, "the play is over");
}

TEST_F(PlayMatch, OtherPlayersPlayGamesInTurnsToo) {
    for (const std::string engine : {"uct:playouts=3000", "perfect:playouts=3000"}) {
        const Ran ran = played(game("tic-tac-toe") + " --role o --engine " + engine,
                               R"((mark 2 2)\n(mark 1 1)\n)" + ones(20));
        expect_finished(ran);
        EXPECT_SAYS(ran.out, "The program plays x, by " + engine + ", 3,000 playouts a move.");
        EXPECT_SAYS(ran.out, "\n   1  2  3\n1 ");
        EXPECT_SAYS(ran.out, "[✕]");  // the last move
        EXPECT_SILENT(ran.out, "noop");
        EXPECT_SILENT(ran.out, "You know");
        EXPECT_SILENT(ran.out, "You win");
    }
    const Ran counted =
        played(game("four-in-turn") + " --role east --engine uct:playouts=1,label=Tim", ones(1));
    EXPECT_SAYS(counted.out,
                "You play east. The program plays north, south, west, by Tim, 1 playout a move.");
    const Ran undone = played(game("tic-tac-toe") + " --engine random", R"(1\nundo\nq\n)");
    EXPECT_SAYS(undone.out, "hint, undo and quit do what they say");
}

TEST_F(PlayMatch, TheSameSeedIsTheSamePlay) {
    for (const std::string name : {"kuhn-poker", "dice-race", "four-in-turn"}) {
        const std::string arguments = game(name) + " --engine uct:playouts=40 --seed 3";
        EXPECT_EQ(played(arguments, ones(20)).out, played(arguments, ones(20)).out) << name;
    }
}

TEST_F(PlayMatch, WhatDoesNotFitIsRefusedInOneLine) {
    const std::string poker = game("kuhn-poker");
    expect_one_line_about(played(poker + " --role third", ""),
                          "nobody is called third; choose from first, second");
    expect_one_line_about(played(poker + " --role random", ""), "nobody is called random");
    expect_one_line_about(played(poker + " --engine magic", ""),
                          "--engine magic: this engine does not play; choose from auto, attractors, random");
    expect_one_line_about(played(poker + " --engine uct:exploration=x", ""), "x is no value for exploration");
    expect_one_line_about(played(poker + " --engine attractors", ""), "players take turns");
    expect_one_line_about(played(poker + " --heuristic lines", ""), "--heuristic is for");
    expect_one_line_about(played(game("tic-tac-toe") + " --engine uct --heuristic lines", ""),
                          "--heuristic is for");
}

}  // namespace
}  // namespace zermelo
