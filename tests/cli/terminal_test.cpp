// In a pseudo-terminal, as a person sees it: boards whole from the first move, with colours; the opponent's moves; and
// nobody is asked for a move that only waits.

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <regex>

#include "program.hpp"

namespace zermelo {
namespace {

// A program in a terminal of 40 lines and 120 columns.
class Terminal {
public:
    explicit Terminal(const std::vector<std::string>& arguments) {
        winsize size{40, 120, 0, 0};
        child_ = forkpty(&end_, nullptr, nullptr, &size);
        if (child_ == 0) {
            setenv("TERM", "xterm-256color", 1);
            unsetenv("NO_COLOR");
            std::vector<char*> words;
            for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
            words.push_back(nullptr);
            execv(words[0], words.data());
            _exit(127);
        }
    }
    ~Terminal() {
        close(end_);
        waitpid(child_, nullptr, 0);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    void type(const std::string& line) const {
        ASSERT_EQ(write(end_, (line + "\n").data(), line.size() + 1), static_cast<ssize_t>(line.size() + 1));
    }
    // What is on the screen when this stands there, from what was read last; up to the end of the program where it is
    // empty.
    std::string until(const std::string& text) {
        constexpr int most_milliseconds = 60'000;
        std::array<char, 4096> bytes{};
        while (text.empty() || screen_.find(text, seen_) == std::string::npos) {
            pollfd wanted{end_, POLLIN, 0};
            const ssize_t count =
                poll(&wanted, 1, most_milliseconds) > 0 ? read(end_, bytes.data(), bytes.size()) : 0;
            if (count <= 0) break;
            screen_.append(bytes.data(), static_cast<std::size_t>(count));
        }
        const std::string found = screen_.substr(seen_);
        seen_ = screen_.size();
        return found;
    }

private:
    int end_ = -1;
    pid_t child_ = -1;
    std::string screen_;
    std::size_t seen_ = 0;
};

// Without colours, and with plain ends of lines.
std::string plain_text(const std::string& screen) {
    static const std::regex colours("\x1b\\[[0-9;]*[mK]|\r");
    return std::regex_replace(screen, colours, "");
}

class Boards : public Program {
protected:
    [[nodiscard]] static std::vector<std::string> play(const std::string& game,
                                                       const std::string& engine = "random") {
        return {binary, "play", std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/" + game + ".kif", "--engine",
                engine};
    }
};

TEST_F(Boards, AreWholeFromTheFirstMoveAndTheOpponentsMovesAreShown) {
    const std::map<std::string, int> rows = {
        {"chess", 8}, {"connect-four", 6}, {"hex", 9}, {"othello", 8}, {"breakthrough", 8}};
    for (const auto& [game, how_many] : rows) {
        SCOPED_TRACE(game);
        Terminal terminal(play(game));
        const std::string first = terminal.until(" ? ");
        EXPECT_SAYS(first, "\x1b[") << "without colours";
        const std::string board = plain_text(first);
        EXPECT_SAYS(board, "You play ");
        // Every row is there: as many lines begin with a number as the board has rows.
        std::istringstream lines(board);
        int found = 0;
        for (std::string line; std::getline(lines, line);) {
            if (line.size() > 10 && std::isdigit(static_cast<unsigned char>(line[0])) != 0) ++found;
        }
        EXPECT_EQ(found, how_many) << board;
        EXPECT_EQ(board.find("noop"), std::string::npos) << board;

        terminal.type("1");
        const std::string second = plain_text(terminal.until(" ? "));
        // The program's move in words, before the board on which it is marked.
        static const std::regex told("\n([a-z]+): [^(\n]+\n");
        EXPECT_TRUE(std::regex_search(second, told)) << second;
        EXPECT_EQ(second.find("noop"), std::string::npos) << second;
        EXPECT_EQ(second.find("wait"), std::string::npos) << second;
        terminal.type("quit");
        EXPECT_SAYS(plain_text(terminal.until("")), "The game is not finished.");
    }
}

// As the hints say: points with stones, dice, a score sheet, cards; and what they show is not listed again.
TEST_F(Boards, PointsDiceSheetsAndCardsAreDrawn) {
    const auto first = [](const std::string& game, const std::string& person) {
        std::vector<std::string> arguments = play(game);
        arguments.insert(arguments.end(), {"--role", person, "--seed", "3"});
        Terminal terminal(arguments);
        const std::string screen = plain_text(terminal.until(" ? "));
        terminal.type("quit");
        return screen;
    };
    const std::string backgammon = first("backgammon", "white");
    EXPECT_SAYS(backgammon, "\n 13   14   15 ");
    EXPECT_SAYS(backgammon, "\n 12   11   10 ");
    EXPECT_SAYS(backgammon, "5w");
    EXPECT_TRUE(std::regex_search(backgammon, std::regex("\ndice  (⚀|⚁|⚂|⚃|⚄|⚅)"))) << backgammon;
    EXPECT_EQ(backgammon.find("(stone"), std::string::npos) << backgammon;
    EXPECT_EQ(backgammon.find("(die"), std::string::npos) << backgammon;
    const std::string yahtzee = first("yahtzee", "alice");
    EXPECT_SAYS(yahtzee, "\n  full house ");
    EXPECT_SAYS(yahtzee, "Alice   Bob\n");
    EXPECT_SAYS(yahtzee, "\npoints Bob 0\n");
    EXPECT_EQ(yahtzee.find("hundreds"), std::string::npos) << yahtzee;
    const std::string poker = first("kuhn-poker", "first");
    EXPECT_TRUE(std::regex_search(poker, std::regex("first player \\[[JQK]♠\\]"))) << poker;
    EXPECT_EQ(poker.find("(holds"), std::string::npos) << poker;
}

TEST_F(Boards, NobodyIsAskedToWait) {
    Terminal terminal(play("tic-tac-toe"));
    std::string all = terminal.until(" ? ");
    for (int i = 0; i < 6; ++i) {
        terminal.type("1");
        const std::string more = terminal.until(" ? ");
        all += more;
        if (more.find("You win") != std::string::npos || more.find("wins") != std::string::npos ||
            more.find("A draw") != std::string::npos)
            break;
    }
    const std::string text = plain_text(all);
    EXPECT_EQ(text.find("noop"), std::string::npos) << text;
    EXPECT_EQ(text.find("  1  wait"), std::string::npos) << text;
    EXPECT_SAYS(text, "o: mark ");
}

TEST_F(Boards, ProgressTellsTheTime) {
    Terminal terminal({binary, "solve", nim, "-D", "n=80", "--no-goods", "--time-limit", "3"});
    const std::string screen = terminal.until("");
    static const std::regex clock("propagations[^\r]* · [1-9][0-9]* s");
    EXPECT_TRUE(std::regex_search(screen, clock)) << screen;
    Terminal match({binary, "match", std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/tic-tac-toe.kif", "random",
                    "random", "--games", "60", "--clock", "0.05", "--start-clock", "0.05"});
    EXPECT_SAYS(match.until(""), " of 60 matches");
}

}  // namespace
}  // namespace zermelo
