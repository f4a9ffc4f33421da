// The player as managers meet it, over real connections: recorded exchanges, and everything that goes wrong.

#include "ggp/player/player_server.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "gdl/reasoner/reasoner.hpp"
#include "gdl/syntax/parse.hpp"
#include "ggp/transcript.hpp"
#include "net/client.hpp"
#include "net/raw.hpp"

namespace zermelo::ggp {
namespace {

const std::string source = ZERMELO_SOURCE_DIR;

PlayerOptions options(const std::string& strategy = "uct", std::size_t matches = 1) {
    PlayerOptions result;
    result.session.strategy = play::read_spec(strategy);
    result.session.memory = std::size_t{32} << 20;
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

std::string get(const PlayerServer& server, const std::string& path) {
    return net::request({"127.0.0.1", server.port(), path}, std::nullopt).response.body;
}

// Of the only match; nothing where there is none.
nlohmann::json status_of(const PlayerServer& server) {
    const auto status = nlohmann::json::parse(get(server, "/status.json"));
    return status["matches"].empty() ? nlohmann::json::object() : status["matches"][0];
}

std::string engine_of(const PlayerServer& server) { return status_of(server).value("engine", ""); }

// Rules with these names for @a and @b.
std::string with_roles(std::string rules, const std::string& a, const std::string& b) {
    for (std::size_t at = 0; (at = rules.find('@', at)) != std::string::npos;)
        rules.replace(at, 2, rules[at + 1] == 'a' ? a : b);
    return rules;
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
    [[nodiscard]] bool allows(const std::string& answer) {
        const auto move = read_move(answer);
        const auto moves = legal();
        return move && std::ranges::find(moves, *move) != moves.end();
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

// A number of six digits counts on; what it may be is three million facts.
std::string counting(const std::string& a, const std::string& b) {
    return with_roles(
        "(role @a) (role @b) (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) "
        "(digit 8) (digit 9) (digit ten) (digit eleven) (init (at 0 0 0 0 0 0)) (init (turn @a)) "
        "(<= (next (at ?u ?v ?w ?x ?y ?z)) (does @a (Go ?u ?v ?w ?x ?y ?z)))"
        "(<= (next (turn @b)) (true (turn @a))) (<= (next (turn @a)) (true (turn @b)))"
        "(<= (next (at ?u ?v ?w ?x ?y ?z)) (true (at ?u ?v ?w ?x ?y ?z)) (true (turn @b)))"
        "(<= (legal @a (go ?b ?v ?w ?x ?y ?z)) (true (turn @a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal @a (go ?u ?b ?w ?x ?y ?z)) (true (turn @a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal @a (go ?u ?v ?b ?x ?y ?z)) (true (turn @a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal @a (go ?u ?v ?w ?b ?y ?z)) (true (turn @a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal @a (go ?u ?v ?w ?x ?b ?z)) (true (turn @a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal @a (go ?u ?v ?w ?x ?y ?b)) (true (turn @a)) (true (at ?u ?v ?w ?x ?y ?z)) (digit ?b))"
        "(<= (legal @a Wait) (true (turn @b))) (<= (legal @b WAIT) (true (turn @a)))"
        "(<= (legal @b done) (true (turn @b)))"
        "(<= terminal (true (at 9 9 9 9 9 9))) (<= (goal ?r 100) (role ?r) terminal)"
        "(<= (goal ?r 0) (role ?r) (not terminal))",
        a, b);
}

// The PLAY of a turn of it, after our move; the follower goes along.
std::string counted(int turn, const std::string& ours, Follower& follower) {
    if (turn == 0) return "(PLAY m NIL)";
    const std::string text = "(PLAY m (" + ours + (turn % 2 == 1 ? " wait" : " done") + "))";
    follower.step(read_message(text), plain(ours));
    return text;
}

// Both take numbers at the same time, none of them twice.
std::string numbers(const std::string& a, const std::string& b) {
    return with_roles(
        "(role @a) (role @b) (number 1) (number 2) (number 3) (number 4) (number 5) (number 6) "
        "(<= (legal ?r (Take ?n)) (role ?r) (number ?n) (not (true (taken ?r ?n))))"
        "(<= (next (taken ?r ?n)) (does ?r (take ?n))) (<= (next (taken ?r ?n)) (true (taken ?r ?n)))"
        "(<= open (role ?r) (number ?n) (not (true (taken ?r ?n)))) (<= terminal (not open))"
        "(<= (goal ?r 50) (role ?r))",
        a, b);
}

// As long as the light is on, one can walk around a circle: as many rounds of deduction as it is long.
std::string circle(int length) {
    std::string rules =
        "(role a) (role b) (init (at 0)) (init light) (<= (next light) (true light))"
        "(<= (reached ?x) (true (at ?x))) (<= (reached ?y) (reached ?x) (after ?x ?y) (true light))"
        "(<= (legal ?r (go ?x)) (role ?r) (door ?x) (reached ?x)) (door 0) (door 1) (door 2)"
        "(<= (next (at ?x)) (does a (go ?x))) (<= terminal (true (at nowhere))) (goal a 50) (goal b 50)";
    for (int i = 0; i < length; ++i)
        rules += " (after " + std::to_string(i) + " " + std::to_string((i + 1) % length) + ")";
    return rules;
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

TEST(PlayerServer, AMatchOfWhichTurnsAreMissingIsDeclinedOnce) {
    const PlayerServer server(options());
    ASSERT_EQ(say(server, start_of("m", "candidate", "monty-hall")), "ready");
    EXPECT_EQ(say(server, "(PLAY m 2 wait ())"), "nil");
    EXPECT_EQ(say(server, "(PLAY m 3 wait ())"), "busy");
    EXPECT_EQ(say(server, "(PLAY m 4 wait ())"), "busy");
    EXPECT_EQ(say(server, start_of("n", "candidate", "monty-hall")), "ready");
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
    thinking.session.strategy = play::read_spec("uct:bounds=0");
    const PlayerServer server(thinking);
    ASSERT_EQ(say(server, start_of("M", "yellow", "connect-four", "1 5")), "ready");
    std::jthread asking([&] { (void)say(server, "(PLAY m NIL)"); });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(say(server, "(ABORT m)"), "aborted");
    asking.join();
    EXPECT_TRUE(net::becomes_true([&] { return std::filesystem::is_empty(folder_); }));
    EXPECT_EQ(say(server, "(ABORT m)"), "busy");
}

// The last thing before the restart was the same question once more.
TEST_F(Restart, AStepThatWasToldTwiceWasMadeOnce) {
    const std::string start = start_of("m", "x", "tic-tac-toe");
    Follower follower(read_message(start));
    std::string first;
    std::string second;
    {
        const PlayerServer server(remembering());
        ASSERT_EQ(say(server, start), "ready");
        first = say(server, "(PLAY m NIL)");
        second = "(PLAY m (" + first + " wait))";
        follower.step(read_message(second), plain(first));
        EXPECT_EQ(say(server, second), "wait");
        EXPECT_EQ(say(server, second), "wait");
    }
    const PlayerServer server(remembering());
    const std::string corner = plain(first) == "(mark 1 1)" ? "(mark 3 3)" : "(mark 1 1)";
    const std::string third = "(PLAY m (wait " + corner + "))";
    follower.step(read_message(third), "wait");
    const std::string move = say(server, third);
    EXPECT_TRUE(follower.allows(move)) << move;
    EXPECT_NE(plain(move), "wait");
    EXPECT_EQ(say(server, "(PLAY m (" + move + " wait))"), "wait");
    EXPECT_EQ(engine_of(server), "playing");
}

// The same where nobody has a network after the restart.
TEST_F(Restart, AStepThatWasToldTwiceWasMadeOnceWhileTheRulesAreStillBeingGrounded) {
    const std::string start = "(START m a (" + counting("a", "b") + ") 1 1)";
    Follower follower(read_message(start));
    std::string before;
    {
        const PlayerServer server(remembering());
        ASSERT_EQ(say(server, start), "ready");
        before = say(server, counted(0, before, follower));
        const std::string message = counted(1, before, follower);
        EXPECT_EQ(plain(say(server, message)), "wait");
        EXPECT_EQ(plain(say(server, message)), "wait");
    }
    const PlayerServer server(remembering());
    before = say(server, counted(2, "wait", follower));
    EXPECT_TRUE(follower.allows(before)) << before;
    EXPECT_NE(plain(before), "wait");
}

// Of a game whose moves are hidden, in the forms of 2013 and of 2011, with a restart before every message.
TEST_F(Restart, TheNextMoveIsLegalThoughMovesAreHidden) {
    for (const bool dated : {true, false}) {
        SCOPED_TRACE(dated ? "2013" : "2011");
        const auto play = [&](const std::string& turn, const std::string& own, const std::string& seen) {
            const PlayerServer server(remembering());
            return plain(say(server, "(PLAY m " + (dated ? turn + " " + own + " " : "") + seen + ")"));
        };
        {
            const PlayerServer server(remembering());
            ASSERT_EQ(say(server, start_of("m", "candidate", "monty-hall")), "ready");
        }
        const std::string door = play("0", "NIL", "NIL");
        ASSERT_TRUE(door.starts_with("(choose ")) << door;
        EXPECT_EQ(play("1", door, "()"), "wait");
        const std::string other = door == "(choose 1)" ? "((open 2))" : "((open 1))";
        const std::string last = play("2", "wait", other);
        EXPECT_TRUE(last == "stay" || last == "switch") << last;
        const PlayerServer server(remembering());
        EXPECT_EQ(say(server, "(STOP m NIL)"), "done");
    }
}

// While the player was away, its own move was played for it and told to nobody.
TEST_F(Restart, AStepThatIsMissingIsCaughtUpWith) {
    {
        const PlayerServer server(remembering());
        ASSERT_EQ(say(server, start_of("m", "x", "tic-tac-toe")), "ready");
        (void)say(server, "(PLAY m NIL)");
    }
    const PlayerServer server(remembering());
    const std::string second = plain(say(server, "(PLAY m (wait (mark 3 3)))"));
    EXPECT_TRUE(second.starts_with("(mark ")) << second;
    EXPECT_NE(second, "(mark 3 3)");
    EXPECT_EQ(say(server, "(PLAY m (" + second + " wait))"), "wait");
    const std::string corner = second == "(mark 1 1)" ? "(mark 1 2)" : "(mark 1 1)";
    const std::string last = plain(say(server, "(PLAY m (wait " + corner + "))"));
    EXPECT_TRUE(last.starts_with("(mark ") || last == "nil" || last == "busy") << last;
    EXPECT_NE(last, corner);
    (void)say(server, "(ABORT m)");
}

// Moves that no state allows: the match is declined once, at once, and then it is nobody's.
TEST_F(Restart, AMatchThatCannotBeFollowedIsDeclinedOnce) {
    const PlayerServer server(remembering());
    ASSERT_EQ(say(server, start_of("m", "x", "tic-tac-toe", "1 30")), "ready");
    (void)say(server, "(PLAY m NIL)");
    EXPECT_EQ(say(server, "(PLAY m ((mark 9 9) (mark 9 9)))"), "nil");
    EXPECT_EQ(say(server, "(PLAY m ((mark 9 9) (mark 9 8)))"), "busy");
    EXPECT_EQ(say(server, "(STOP m NIL)"), "busy");
    EXPECT_EQ(say(server, "(INFO)").find("busy"), std::string::npos);
    EXPECT_EQ(say(server, start_of("n", "x", "tic-tac-toe")), "ready");
}

// Grounding takes far longer than the clocks: a legal move comes all the same.
TEST(PlayerServer, MovesWhileTheRulesAreStillBeingGrounded) {
    const std::string start = "(START m a (" + counting("a", "b") + ") 1 1)";
    Follower follower(read_message(start));
    const PlayerServer server(options());
    ASSERT_EQ(say(server, start), "ready");
    std::string before;
    for (int turn = 0; turn < 4; ++turn) {
        before = say(server, counted(turn, before, follower));
        EXPECT_EQ(engine_of(server), "grounding the rules");
        EXPECT_TRUE(follower.allows(before)) << before;
    }
    EXPECT_EQ(say(server, "(ABORT m)"), "aborted");
}

// A step that is told again while nobody has a network is made once.
TEST(PlayerServer, IsAskedTwiceWhileTheRulesAreStillBeingGrounded) {
    const std::string start = "(START m a (" + counting("a", "b") + ") 1 1)";
    Follower follower(read_message(start));
    const PlayerServer server(options());
    ASSERT_EQ(say(server, start), "ready");
    std::string before;
    for (int turn = 0; turn < 3; ++turn) {
        const std::string message = counted(turn, before, follower);
        before = say(server, message);
        EXPECT_TRUE(follower.allows(before)) << before;
        EXPECT_EQ(say(server, message), before);
    }
    EXPECT_EQ(engine_of(server), "grounding the rules");
}

// Who spells names in one way only understands its own names.
TEST(PlayerServer, RolesAndMovesMayHaveAnyNamesWhileTheRulesAreStillBeingGrounded) {
    const std::string start = "(START m (ROBOT  1) (" + counting("(Robot 1)", "(Robot 2)") + ") 1 1)";
    Follower follower(read_message(start));
    const PlayerServer server(options());
    ASSERT_EQ(say(server, start), "ready");
    std::string before;
    for (int turn = 0; turn < 3; ++turn) {
        const std::string message = counted(turn, before, follower);
        before = say(server, turn == 1 ? other_case(message, true) : message);
        EXPECT_TRUE(follower.allows(before)) << before;
        EXPECT_TRUE(before.starts_with(turn % 2 == 0 ? "(Go " : "Wait")) << before;
    }
    EXPECT_EQ(engine_of(server), "grounding the rules");
}

TEST(PlayerServer, RolesAndMovesMayHaveAnyNames) {
    const std::string start = "(START m (ROBOT  1) (" + numbers("(Robot 1)", "(Robot 2)") + ") 1 1)";
    Follower follower(read_message(start));
    const PlayerServer server(options());
    ASSERT_EQ(say(server, start), "ready");
    std::string message = "(PLAY m NIL)";
    for (int turn = 0; turn < 3; ++turn) {
        const std::string move = say(server, message);
        EXPECT_TRUE(follower.allows(move)) << move;
        EXPECT_TRUE(move.starts_with("(Take ")) << move;
        message = "(PLAY m (" + other_case(move, turn == 0) + " (tAKE " + std::to_string(turn + 1) + ")))";
        follower.step(read_message(message), plain(move));
    }
    EXPECT_EQ(engine_of(server), "playing");
}

// Thinks until it is released, whatever the clock says.
class Ponderer : public play::Player {
public:
    Ponderer(const play::GameContext& rules, const play::Settings& settings,
             const std::atomic<bool>& released)
        : Player(rules, settings), released_(released) {}

private:
    void prepare(const play::Deadline& /*deadline*/) override { wait(); }
    play::MoveId think(const std::vector<play::MoveId>& legal, const play::TimeBudget& /*allowance*/,
                       play::Thought& thought) override {
        wait();
        thought.remark = "pondered";
        return legal.back();
    }
    void wait() const {
        while (!released_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }

    const std::atomic<bool>& released_;
};

PlayerOptions pondering(const std::atomic<bool>& released) {
    PlayerOptions result = options();
    result.session.make = [&](const play::GameContext& rules, const play::Settings& settings) {
        return std::make_unique<Ponderer>(rules, settings, released);
    };
    return result;
}

// Lets go when a test is over.
struct Release {
    std::atomic<bool>& released;
    ~Release() { released = true; }
};

TEST(PlayerServer, ALegalMoveIsInTimeThoughThePlayerOverrunsClockAfterClock) {
    const std::string start = "(START m a (" + numbers("a", "b") + ") 1 1)";
    Follower follower(read_message(start));
    std::atomic<bool> released = true;
    const PlayerServer server(pondering(released));
    const Release release{released};
    ASSERT_EQ(say(server, start), "ready");
    released = false;
    std::string message = "(PLAY m NIL)";
    for (int turn = 0; turn < 4; ++turn) {
        if (turn == 3) released = true;
        const std::string move = say(server, message);
        EXPECT_TRUE(follower.allows(move)) << move;
        message = "(PLAY m (" + move + " (take " + std::to_string(turn + 1) + ")))";
        follower.step(read_message(message), plain(move));
    }
    EXPECT_EQ(status_of(server)["remark"], "pondered");  // it has caught up
    const std::string metrics = get(server, "/metrics");
    for (const std::string line : {"zermelo_stopgap_moves_total 3\n", "zermelo_clock_left_seconds_count 4\n",
                                   "zermelo_clock_left_seconds_bucket{le=\"0\"} 0\n"})
        EXPECT_NE(metrics.find(line), std::string::npos) << line << " in\n" << metrics;
}

// A manager that does not wait for an answer to START hears a move all the same.
TEST(PlayerServer, MayBeAskedBeforeItHasPrepared) {
    const std::string start = "(START m a (" + numbers("a", "b") + ") 600 1)";
    Follower follower(read_message(start));
    std::atomic<bool> released = false;
    const PlayerServer server(pondering(released));
    const Release release{released};
    std::string started;
    std::jthread starting([&] { started = say(server, start); });
    ASSERT_TRUE(net::becomes_true([&] { return engine_of(server) == "preparing"; }));
    std::string message = "(PLAY m NIL)";
    for (int turn = 0; turn < 3; ++turn) {
        if (turn == 2) released = true;
        const std::string move = say(server, message);
        EXPECT_TRUE(follower.allows(move)) << move;
        message = "(PLAY m (" + move + " (take " + std::to_string(turn + 1) + ")))";
        follower.step(read_message(message), plain(move));
    }
    starting.join();
    EXPECT_EQ(started, "ready");
    EXPECT_EQ(status_of(server)["remark"], "pondered");
}

TEST(PlayerServer, AMoveDoesNotWaitUntilMegabytesAreRead) {
    const PlayerServer server(options());
    ASSERT_EQ(say(server, start_of("m", "x", "tic-tac-toe")), "ready");
    ASSERT_TRUE(net::becomes_true([&] { return engine_of(server) == "playing"; }));
    std::string large = "(PLAY other (";
    while (large.size() < (std::size_t{2} << 20)) large += "(a b) ";
    large += "))";
    const std::string request =
        "POST / HTTP/1.0\r\nContent-Length: " + std::to_string(large.size()) + "\r\n\r\n" + large;
    constexpr std::size_t many = 12;
    std::vector<net::RawClient> clients;
    for (std::size_t i = 0; i < many; ++i) clients.emplace_back(server.port());
    std::atomic<std::size_t> answered = 0;
    std::atomic<std::size_t> sent = 0;
    std::vector<std::jthread> threads;
    for (auto& client : clients) {
        threads.emplace_back([&] {
            EXPECT_TRUE(client.send(request));
            ++sent;
            if (net::body_of(client.read_all()) == "busy") ++answered;  // or we have waited long enough
        });
    }
    // What was sent may still be on its way, but not for as long as it takes to read one of them.
    ASSERT_TRUE(net::becomes_true([&] { return sent == many && answered > 0; }));
    EXPECT_EQ(kind(say(server, "(PLAY m NIL)")), "move");
    EXPECT_LT(answered, many / 2);
}

double seconds_since(std::chrono::steady_clock::time_point begun) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

constexpr double patience = 20;  // seconds, for what takes no time unless it hangs

// Whatever the engine is at, it notices that nobody waits for it any more.
void expect_to_break_off(const std::string& start) {
    std::optional<PlayerServer> server(std::in_place, options("uct:threads=4"));
    for (int i = 0; i < 2; ++i) {
        ASSERT_EQ(say(*server, start), "ready");
        ASSERT_EQ(engine_of(*server), "grounding the rules");
        const auto begun = std::chrono::steady_clock::now();
        EXPECT_EQ(say(*server, "(ABORT m)"), "aborted");
        EXPECT_EQ(say(*server, start_of("n", "x", "tic-tac-toe")), "ready");
        EXPECT_EQ(kind(say(*server, "(PLAY n NIL)")), "move");
        EXPECT_EQ(say(*server, "(ABORT n)"), "aborted");
        EXPECT_LT(seconds_since(begun), patience);
    }
    ASSERT_EQ(say(*server, start), "ready");
    const auto begun = std::chrono::steady_clock::now();
    server.reset();  // waits for all threads
    EXPECT_LT(seconds_since(begun), patience);
}

TEST(PlayerServer, AnAbortedMatchEndsWhileItsRulesAreBeingGrounded) {
    expect_to_break_off("(START m a (" + counting("a", "b") + ") 1 1)");
}

// The rules are short, but each step takes long: to try the game out takes minutes.
TEST(PlayerServer, AnAbortedMatchEndsWhileItsGameIsTriedOut) {
    expect_to_break_off("(START m a (" + circle(4000) + ") 1 1)");
}

}  // namespace
}  // namespace zermelo::ggp
