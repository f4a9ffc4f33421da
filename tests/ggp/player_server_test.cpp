// The player as managers meet it, over real connections: recorded exchanges, and everything that goes wrong.

#include "ggp/player_server.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "gdl/parse.hpp"
#include "gdl/reasoner.hpp"
#include "ggp/transcript.hpp"
#include "net/client.hpp"
#include "net/raw.hpp"

namespace zermelo::ggp {
namespace {

const std::string source = ZERMELO_SOURCE_DIR;

PlayerOptions options(const std::string& strategy = "uct", std::size_t matches = 1) {
    PlayerOptions result;
    result.contender.strategy = play::read_spec(strategy);
    result.contender.memory = std::size_t{32} << 20;
    result.matches = matches;
    return result;
}

std::string rules_of(const std::string& game) {
    std::ifstream in(source + "/games/gdl/" + game + ".kif");
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string say(const PlayerServer& server, const std::string& message, int* status = nullptr) {
    net::ClientOptions how;
    how.type = "text/acl";
    const auto reply = net::request({"127.0.0.1", server.port(), "/"}, message, how);
    EXPECT_EQ(reply.kind, net::Reply::Kind::answered) << reply.problem << message.substr(0, 60);
    if (status != nullptr) *status = reply.response.status;
    return reply.response.body;
}

std::string start_of(const std::string& id, const std::string& role, const std::string& game,
                     const std::string& clocks = "1 1") {
    return "(START " + id + " " + role + " (" + rules_of(game) + ") " + clocks + ")";
}

// What kind of answer it is; a move is everything else.
std::string kind(const std::string& answer) {
    const auto text = read_move(answer);
    if (!text) return "nonsense";
    for (const std::string word : {"ready", "done", "aborted", "busy", "available"}) {
        if (*text == word) return word;
    }
    return text->starts_with("((name") ? "info" : "move";
}

// Follows a transcript by the reasoner, to know what is legal.
class Follower {
public:
    explicit Follower(const Message& start)
        : description_(gdl::parse(start.rules, "rules")),
          reasoner_(description_),
          state_(reasoner_.initial()) {
        while (name(reasoner_.roles()[role_]) != start.role) ++role_;
    }
    [[nodiscard]] std::vector<std::string> legal() {
        std::vector<std::string> moves;
        for (const auto move : reasoner_.legal(state_, role_)) moves.push_back(name(move));
        return moves;
    }
    // All moves, or ours alone where the others' are hidden; then they play something that fits.
    void step(const Message& message, const std::string& ours) {
        gdl::Reasoner::Joint joint;
        const std::size_t roles = reasoner_.roles().size();
        for (std::size_t r = 0; r < roles; ++r) {
            const auto legal = reasoner_.legal(state_, r);
            auto chosen = legal.front();
            for (const auto move : legal) {
                const bool told = !message.dated && message.items.size() == roles;
                if (name(move) == (r == role_ ? ours : told ? message.items[r] : "")) chosen = move;
                const std::string seen = "(did " + name(reasoner_.roles()[r]) + " " + name(move) + ")";
                if (std::ranges::find(message.items, seen) != message.items.end()) chosen = move;
            }
            joint.push_back(chosen);
        }
        state_ = reasoner_.next(state_, joint);
    }

private:
    [[nodiscard]] std::string name(gdl::Reasoner::Ground term) const { return plain(reasoner_.text(term)); }

    gdl::Description description_;
    gdl::Reasoner reasoner_;
    gdl::Reasoner::State state_;
    std::size_t role_ = 0;
};

// Plays the manager's part of a recording; `change` may spell the bodies otherwise.
void replay(const std::string& file, const std::function<std::string(const std::string&)>& change) {
    SCOPED_TRACE(file);
    const auto exchanges = read_transcript(file);
    ASSERT_FALSE(exchanges.empty());
    const PlayerServer server(options());
    std::optional<Follower> follower;
    std::string last;  // what the recorded player did
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
        SCOPED_TRACE("exchange " + std::to_string(i + 1));
        Exchange exchange = exchanges[i];
        const bool get = exchange.request_head.starts_with("GET");
        std::optional<Message> message;
        if (!get) message = read_message(exchange.request_body);
        if (message && message->verb == Verb::start) {
            // Clocks of half a minute are not for tests.
            message->start_clock = std::min(message->start_clock, 1.0);
            message->play_clock = std::min(message->play_clock, 1.0);
            follower.emplace(*message);
            const std::string from = exchange.request_body;
            const std::size_t end = from.find_last_of(')', from.find_last_of(')') - 1);
            exchange.request_body = from.substr(0, end + 1) + " 1 1)";
        }
        if (follower && message && message->verb == Verb::play &&
            !(message->dated ? message->turn == 0 : message->nothing) &&
            kind(exchange.response_body) == "move")
            follower->step(*message, plain(last));
        exchange.request_body = change(exchange.request_body);
        net::RawClient client(server.port());
        ASSERT_TRUE(client.send(wire(exchange)));
        const std::string answer = client.read_all();
        EXPECT_EQ(net::status_of(answer), 200) << answer;
        const std::string body = net::body_of(answer);
        EXPECT_EQ(kind(body), kind(exchange.response_body)) << body;
        if (kind(body) == "move" && follower) {
            const auto legal = follower->legal();
            EXPECT_NE(std::ranges::find(legal, plain(body)), legal.end()) << body;
        }
        if (kind(exchange.response_body) == "move") last = exchange.response_body;
    }
}

std::vector<std::string> transcripts(const std::string& folder) {
    std::vector<std::string> files;
    if (!std::filesystem::is_directory(folder)) return files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".txt") files.push_back(entry.path().string());
    std::ranges::sort(files);
    return files;
}

std::string other_case(const std::string& text, bool upper) {
    std::string result = text;
    std::ranges::transform(result, result.begin(), [&](unsigned char c) {
        return static_cast<char>(upper ? std::toupper(c) : std::tolower(c));
    });
    return result;
}

std::string odd_spaces(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '(')
            result += "\r\n(\t ";
        else if (c == ')')
            result += " \n)";
        else if (c == ' ')
            result += "\t  \r\n";
        else
            result += c;
    }
    return result + "\n\n";
}

void replay_all(const std::string& folder) {
    for (const std::string& file : transcripts(folder)) {
        replay(file, [](const std::string& text) { return text; });
        replay(file, [](const std::string& text) { return other_case(text, true); });
        replay(file, [](const std::string& text) { return other_case(text, false); });
        replay(file, odd_spaces);
    }
}

TEST(PlayerServer, AnswersOurTranscripts) {
    ASSERT_GE(transcripts(source + "/tests/ggp/transcripts").size(), 3U);
    replay_all(source + "/tests/ggp/transcripts");
}

TEST(PlayerServer, AnswersRecordedTranscripts) {
    const std::string folder = source + "/../shared/peers/protocol";
    if (transcripts(folder).empty()) GTEST_SKIP() << "there are no recordings in " << folder;
    replay_all(folder);
}

TEST(PlayerServer, TellsWhoItIs) {
    PlayerOptions named = options();
    named.name = "Ernst (the first)";
    const PlayerServer server(named);
    EXPECT_EQ(say(server, "(INFO)"), "( ( name Ernst__the_first_ ) ( status available ) )");
    EXPECT_EQ(say(server, "( ping )"), "available");
    ASSERT_EQ(say(server, start_of("m", "xplayer", "tic-tac-toe")).substr(0, 4),
              "the ");  // its roles are x and o
    ASSERT_EQ(say(server, start_of("m", "x", "tic-tac-toe")), "ready");
    EXPECT_EQ(say(server, "(PING)"), "busy");
    EXPECT_EQ(kind(say(server, "(INFO)")), "info");
}

TEST(PlayerServer, RefusesWithoutDisturbingTheMatch) {
    const PlayerServer server(options());
    EXPECT_EQ(say(server, "(PLAY m NIL)"), "busy");
    EXPECT_EQ(say(server, "(STOP m NIL)"), "busy");
    EXPECT_EQ(say(server, "(ABORT m)"), "busy");
    ASSERT_EQ(say(server, start_of("m", "x", "tic-tac-toe")), "ready");
    EXPECT_EQ(say(server, start_of("m", "x", "tic-tac-toe")), "ready");  // said twice
    EXPECT_EQ(say(server, start_of("n", "o", "tic-tac-toe")), "busy");
    const std::string first = say(server, "(PLAY m NIL)");
    EXPECT_EQ(kind(first), "move");
    EXPECT_EQ(say(server, "(PLAY m NIL)"), first);  // asked again
    EXPECT_EQ(say(server, start_of("m", "x", "tic-tac-toe")), "busy");
    EXPECT_EQ(say(server, "(PLAY other NIL)"), "busy");
    EXPECT_EQ(say(server, "(STOP other ((mark 1 1) wait))"), "busy");
    int status = 0;
    for (const std::string text : {"(HELLO)", "", "((((", "(PLAY m 1 2)", "\xff\xfe\x00"}) {
        (void)say(server, text, &status);
        EXPECT_EQ(status, 400) << text;
    }
    EXPECT_EQ(server.matches(), 1U);
    EXPECT_EQ(kind(say(server, "(PLAY M (" + first + " wait))")), "move");
    EXPECT_EQ(say(server, "(STOP m (wait (mark 3 3)))"), "done");
    EXPECT_EQ(server.matches(), 0U);
}

TEST(PlayerServer, TheSameQuestionTwiceIsOneQuestion) {
    const PlayerServer server(options("uct:bounds=0"));
    ASSERT_EQ(say(server, start_of("m", "x", "tic-tac-toe")), "ready");
    const std::string first = say(server, "(PLAY m NIL)");
    const std::string second = "(PLAY m (" + first + " wait))";
    ASSERT_EQ(say(server, second), "wait");
    const std::string corner = first == "(mark 1 1)" ? "(mark 3 3)" : "(mark 1 1)";
    const std::string third = "(PLAY m (wait " + corner + "))";
    std::vector<std::string> answers(2);
    {
        std::jthread other([&] { answers[0] = say(server, third); });
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        answers[1] = say(server, third);
    }
    EXPECT_EQ(kind(answers[0]), "move");
    EXPECT_EQ(answers[0], answers[1]);
    EXPECT_EQ(say(server, "(PLAY m NIL)"), first);
    EXPECT_EQ(say(server, "(PLAY m (" + answers[0] + " wait))"), "wait");
}

TEST(PlayerServer, ATurnThatIsSkippedIsDeclined) {
    const PlayerServer server(options());
    ASSERT_EQ(say(server, start_of("m", "candidate", "monty-hall")), "ready");
    const std::string first = say(server, "(PLAY m 0 NIL NIL)");
    EXPECT_EQ(kind(first), "move");
    EXPECT_EQ(say(server, "(PLAY m 2 " + first + " ())"), "nil");
    EXPECT_EQ(say(server, "(PLAY m 0 NIL NIL)"), first);
    EXPECT_EQ(kind(say(server, "(PLAY m 1 " + first + " ())")), "move");
}

// Whoever was late had another move played for it; GGP-Base tells all moves.
TEST(PlayerServer, HearsWhatWasPlayedForItInAHiddenGame) {
    const PlayerServer server(options());
    const auto exchanges = read_transcript(source + "/tests/ggp/transcripts/moves-of-a-hidden-game.txt");
    ASSERT_EQ(say(server, exchanges[0].request_body), "ready");
    EXPECT_EQ(say(server, "(PLAY coin3 NIL)"), "rest");
    const std::string said = say(server, "(PLAY coin3 ((throw tails) rest))");
    const std::string other = plain(said) == "(say heads)" ? "(say tails)" : "(say heads)";
    EXPECT_EQ(say(server, "(PLAY coin3 (rest " + other + "))"), "rest");
}

TEST(PlayerServer, RefusesRulesThatAreNone) {
    const PlayerServer server(options());
    int status = 0;
    for (int i = 0; i < 50; ++i) {
        (void)say(server, "(START m x ((role x) (<= legal)) 5 5)", &status);
        EXPECT_EQ(status, 400);
        (void)say(server, "(START m nobody ((role x) (legal x a)) 5 5)", &status);
        EXPECT_EQ(status, 400);
    }
    EXPECT_TRUE(net::becomes_true([&] { return server.matches() == 0; }));
}

TEST(PlayerServer, SeveralMatchesAtOnceWhenAsked) {
    const PlayerServer server(options("uct", 2));
    ASSERT_EQ(say(server, start_of("a", "x", "tic-tac-toe")), "ready");
    ASSERT_EQ(say(server, start_of("b", "red", "connect-four")), "ready");
    EXPECT_EQ(say(server, start_of("c", "x", "tic-tac-toe")), "busy");
    EXPECT_EQ(kind(say(server, "(PLAY b NIL)")), "move");
    EXPECT_EQ(kind(say(server, "(PLAY a NIL)")), "move");
    EXPECT_EQ(say(server, "(ABORT a)"), "aborted");
    EXPECT_EQ(say(server, start_of("c", "x", "tic-tac-toe")), "ready");
}

// All but one byte of a PLAY come slowly; others are answered meanwhile, and it in the end.
TEST(PlayerServer, SlowAndVanishingClientsDisturbNobody) {
    const PlayerServer server(options());
    ASSERT_EQ(say(server, start_of("m", "x", "tic-tac-toe")), "ready");
    std::vector<net::RawClient> idle;
    for (int i = 0; i < 200; ++i) idle.emplace_back(server.port());
    for (std::size_t i = 0; i < idle.size(); i += 2) (void)idle[i].send("POST / HTTP/1.0\r\nContent-Le");
    net::RawClient slow(server.port());
    const std::string message = "(PLAY m NIL)";
    (void)slow.send("POST / HTTP/1.0\r\nContent-Length: " + std::to_string(message.size()) + "\r\n\r\n");
    for (const char c : message) {
        (void)slow.send(std::string(1, c));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    net::RawClient gone(server.port());
    (void)gone.send("POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n(PLAY m NIL)");
    gone.reset();
    const std::string first = net::body_of(slow.read_all());
    EXPECT_EQ(kind(first), "move");
    EXPECT_EQ(kind(say(server, "(PLAY m (" + first + " wait))")), "move");
}

TEST(PlayerServer, RefusesWhatIsTooLarge) {
    PlayerOptions small = options();
    small.server.most_body = 1000;
    const PlayerServer server(small);
    int status = 0;
    (void)say(server, "(START m x (" + std::string(2000, ' ') + ") 1 1)", &status);
    EXPECT_EQ(status, 413);
    EXPECT_EQ(kind(say(server, "(INFO)")), "info");
}

TEST(PlayerServer, TwoHundredAtOnce) {
    const PlayerServer server(options());
    ASSERT_EQ(say(server, start_of("m", "x", "tic-tac-toe")), "ready");
    std::vector<net::RawClient> clients;
    const std::string request = "POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)";
    for (int i = 0; i < 200; ++i) {
        clients.emplace_back(server.port());
        ASSERT_TRUE(clients.back().send(request));
    }
    EXPECT_EQ(kind(say(server, "(PLAY m NIL)")), "move");
    for (auto& client : clients) EXPECT_EQ(kind(net::body_of(client.read_all())), "info");
}

TEST(PlayerServer, SpeaksToWebPagesPeopleAndPrometheus) {
    const PlayerServer server(options());
    const auto get = [&](const std::string& method, const std::string& target) {
        net::RawClient client(server.port());
        (void)client.send(method + " " + target + " HTTP/1.1\r\nHost: here\r\n\r\n");
        return client.read_all();
    };
    EXPECT_EQ(net::status_of(get("OPTIONS", "/")), 204);
    EXPECT_NE(get("OPTIONS", "/").find("Access-Control-Allow-Origin: *"), std::string::npos);
    EXPECT_EQ(kind(net::body_of(get("GET", "/(INFO)"))), "info");
    EXPECT_EQ(kind(net::body_of(get("GET", "/%28%20INFO%20%29"))), "info");
    EXPECT_EQ(net::status_of(get("GET", "/nothing")), 404);
    EXPECT_EQ(net::status_of(get("DELETE", "/")), 405);
    ASSERT_EQ(say(server, start_of("<m>", "x", "tic-tac-toe")), "ready");
    EXPECT_EQ(kind(say(server, "(PLAY <m> NIL)")), "move");
    const std::string page = get("GET", "/status");
    EXPECT_EQ(net::status_of(page), 200);
    EXPECT_NE(page.find("&lt;m&gt;"), std::string::npos);
    EXPECT_EQ(page.find("<m>"), std::string::npos);
    const auto status = nlohmann::json::parse(net::body_of(get("GET", "/status.json")));
    EXPECT_EQ(status["matches"][0]["match"], "<m>");
    const std::string metrics = net::body_of(get("GET", "/metrics"));
    for (const std::string line :
         {"zermelo_messages_total{verb=\"play\"} 1", "zermelo_matches 1",
          "zermelo_matches_total{what=\"started\"} 1", "zermelo_clock_left_seconds_count 1",
          "# TYPE zermelo_clock_left_seconds histogram"})
        EXPECT_NE(metrics.find(line), std::string::npos) << line << " in\n" << metrics;
}

class Restart : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("zermelo-restart-" + std::to_string(getpid()));
        std::filesystem::remove_all(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] PlayerOptions remembering() const {
        PlayerOptions result = options();
        result.journal = folder_.string();
        return result;
    }
    std::filesystem::path folder_;
};

TEST_F(Restart, TheNextMoveIsLegal) {
    std::string first;
    {
        const PlayerServer server(remembering());
        ASSERT_EQ(say(server, start_of("m", "x", "tic-tac-toe")), "ready");
        first = say(server, "(PLAY m NIL)");
    }
    Follower follower(read_message(start_of("m", "x", "tic-tac-toe")));
    for (int turn = 0; turn < 2; ++turn) {
        const PlayerServer server(remembering());
        const std::string other = first == "(mark 1 1)" ? "(mark 2 2)" : "(mark 1 1)";
        const std::string moves = turn == 0 ? "(" + first + " wait)" : "(wait " + other + ")";
        const Message message = read_message("(PLAY m " + moves + ")");
        follower.step(message, message.items[0]);
        const std::string answer = say(server, "(PLAY m " + moves + ")");
        const auto legal = follower.legal();
        EXPECT_NE(std::ranges::find(legal, plain(answer)), legal.end()) << answer;
        if (turn == 1) {
            EXPECT_EQ(say(server, "(STOP m (wait wait))"), "done");
        }
    }
    const PlayerServer server(remembering());
    EXPECT_EQ(say(server, "(PLAY m (wait wait))"), "busy");  // nothing of it is left
}

TEST_F(Restart, NothingIsLeftOfAMatchThatIsAborted) {
    PlayerOptions thinking = remembering();
    thinking.contender.strategy = play::read_spec("uct:bounds=0");
    const PlayerServer server(thinking);
    ASSERT_EQ(say(server, start_of("M", "yellow", "connect-four", "1 5")), "ready");
    std::jthread asking([&] { (void)say(server, "(PLAY m NIL)"); });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(say(server, "(ABORT m)"), "aborted");
    asking.join();
    EXPECT_TRUE(net::becomes_true([&] { return std::filesystem::is_empty(folder_); }));
    EXPECT_EQ(say(server, "(ABORT m)"), "busy");
}

TEST_F(Restart, AStepThatIsMissingIsDeclined) {
    {
        const PlayerServer server(remembering());
        ASSERT_EQ(say(server, start_of("m", "x", "tic-tac-toe")), "ready");
        (void)say(server, "(PLAY m NIL)");
    }
    const PlayerServer server(remembering());
    EXPECT_EQ(say(server, "(PLAY m (wait (mark 3 3)))"), "nil");
    EXPECT_EQ(say(server, "(ABORT m)"), "aborted");
}

// Grounding takes far longer than the clocks: a legal move comes all the same.
TEST(PlayerServer, MovesWhileTheRulesAreStillBeingGrounded) {
    // A number of six digits counts on; what it may be is a million facts.
    std::string rules =
        "(role a) (role b) (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) "
        "(digit 8) (digit 9) (init (at 0 0 0 0 0 0)) (init (turn a)) "
        "(<= (next (at ?u ?v ?w ?x ?y ?z)) (does a (go ?u ?v ?w ?x ?y ?z)))"
        "(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))"
        "(<= (next (at ?u ?v ?w ?x ?y ?z)) (true (at ?u ?v ?w ?x ?y ?z)) (true (turn b)))"
        "(<= (legal a (go ?b ?v ?w ?x ?y ?z)) (true (turn a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal a (go ?u ?b ?w ?x ?y ?z)) (true (turn a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal a (go ?u ?v ?b ?x ?y ?z)) (true (turn a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal a (go ?u ?v ?w ?b ?y ?z)) (true (turn a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal a (go ?u ?v ?w ?x ?b ?z)) (true (turn a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal a (go ?u ?v ?w ?x ?y ?b)) (true (turn a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal a wait) (true (turn b))) (<= (legal b wait) (true (turn a))) (<= (legal b done) (true "
        "(turn b)))"
        "(<= terminal (true (at 9 9 9 9 9 9))) (<= (goal ?r 100) (role ?r) terminal)"
        "(<= (goal ?r 0) (role ?r) (not terminal))";
    const std::string start = "(START m a (" + rules + ") 1 1)";
    Follower follower(read_message(start));
    const PlayerServer server(options());
    ASSERT_EQ(say(server, start), "ready");
    std::string before;
    for (int turn = 0; turn < 4; ++turn) {
        std::string text = "(PLAY m NIL)";
        if (turn > 0) {
            text = "(PLAY m (" + before + (turn % 2 == 1 ? " wait" : " done") + "))";
            const Message message = read_message(text);
            follower.step(message, message.items[0]);
        }
        before = say(server, text);
        const auto status = nlohmann::json::parse(
            net::request({"127.0.0.1", server.port(), "/status.json"}, std::nullopt).response.body);
        EXPECT_EQ(status["matches"][0]["engine"], "grounding the rules");
        const auto legal = follower.legal();
        EXPECT_NE(std::ranges::find(legal, plain(before)), legal.end()) << before;
    }
    EXPECT_EQ(say(server, "(ABORT m)"), "aborted");
}

}  // namespace
}  // namespace zermelo::ggp
