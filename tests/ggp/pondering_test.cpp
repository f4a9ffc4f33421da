// The session of a match thinks on between its answer and the next message, and stops for whatever comes.

#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ggp/player/match_session.hpp"
#include "ggp/player/player_server.hpp"
#include "net/client.hpp"
#include "net/raw.hpp"
#include "play/mcts/mcts.hpp"
#include "support/shipped.hpp"

namespace zermelo::ggp {
namespace {

std::string shipped_start(const std::string& match, const std::string& role, const std::string& game) {
    std::ifstream in(ZERMELO_SOURCE_DIR "/games/gdl/" + game + ".kif");
    std::stringstream text;
    text << in.rdbuf();
    return "(START " + match + " " + role + " (" + text.str() + ") 1 1)";
}

// Looks how often a move was tried in its tree when it is asked.
class TreeWatcher : public play::Player {
public:
    TreeWatcher(const play::GameContext& rules, const play::Settings& settings,
                std::atomic<std::uint64_t>& tries)
        : Player(rules, settings), tree_(rules, {.bounds = false}), tries_(tries) {}

private:
    play::MoveId think(const std::vector<play::MoveId>&, const play::TimeBudget&, play::Thought&) override {
        const play::State& state = belief().positions().front().position.state;
        (void)tree_.search(state, role(), {.playouts = 64});
        tries_ = 0;
        for (const auto& choice : tree_.root_choices())
            for (const std::uint32_t visits : choice.visits) tries_ += visits;
        return tree_.estimates().front().move;
    }
    std::uint64_t think_ahead(play::MoveId made, const play::TimeBudget& allowance) override {
        return tree_.ponder(belief().positions().front().position.state, role(), made, allowance);
    }

    play::Mcts tree_;
    std::atomic<std::uint64_t>& tries_;
};

// A match, as the manager's side sees it.
class AskedSession {
public:
    explicit AskedSession(const std::string& start, MatchSessionOptions options)
        : session_(read_message(start), std::move(options)) {
        const auto said = std::make_shared<std::promise<std::string>>();
        session_.start(in_a_second(), [said](const auto& answer) { said->set_value(answer.text); });
        EXPECT_EQ(said->get_future().get(), "ready");
    }
    std::string play(const std::string& message) {
        const auto said = std::make_shared<std::promise<std::string>>();
        (void)session_.play(read_message(message), in_a_second(),
                            [said](const auto& answer) { said->set_value(answer.text); });
        return said->get_future().get();
    }
    [[nodiscard]] std::uint64_t pondered() const { return session_.status().pondered; }
    void stop() { session_.stop(); }

private:
    static MatchSession::Clock::time_point in_a_second() {
        return MatchSession::Clock::now() + std::chrono::seconds(1);
    }
    MatchSession session_;
};

TEST(PonderingSession, HasMoreTriesInItsTreeAtTheNextMove) {
    std::vector<std::uint64_t> found;
    for (const bool ponder : {false, true}) {
        std::atomic<std::uint64_t> tries = 0;
        MatchSessionOptions options;
        options.strategy = play::read_spec("uct");
        options.memory = std::size_t{32} << 20;
        options.ponder = ponder;
        options.make = [&](const auto& rules, const auto& settings) {
            return std::make_unique<TreeWatcher>(rules, settings, tries);
        };
        AskedSession session(shipped_start("m", "yellow", "connect-four"), options);
        const std::string first = session.play("(PLAY m NIL)");
        EXPECT_EQ(session.play("(PLAY m (" + first + " wait))"), "wait");
        if (ponder) {
            EXPECT_TRUE(net::becomes_true([&] { return session.pondered() > 20'000; }));
        }
        (void)session.play("(PLAY m (wait (drop 4)))");
        found.push_back(tries);
    }
    EXPECT_GT(found[1], found[0] + 100);
}

TEST(PonderingSession, DoesNotIfItIsNotWanted) {
    for (const std::string strategy : {"uct:ponder=0", "uct"}) {
        MatchSessionOptions options;
        options.strategy = play::read_spec(strategy);
        options.ponder = strategy != "uct";
        AskedSession session(shipped_start("m", "yellow", "connect-four"), options);
        const std::string first = session.play("(PLAY m NIL)");
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        EXPECT_EQ(session.play("(PLAY m (" + first + " wait))"), "wait");
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        EXPECT_EQ(session.pondered(), 0U) << strategy;
    }
}

TEST(PonderingSession, EndsInTheMiddle) {
    for (const std::string strategy : {"uct:bounds=0,threads=2", "zermelo", "grave:bounds=0"}) {
        MatchSessionOptions options;
        options.strategy = play::read_spec(strategy);
        for (const bool told : {true, false}) {
            AskedSession session(shipped_start("m", "yellow", "connect-four"), options);
            const std::string first = session.play("(PLAY m NIL)");
            EXPECT_EQ(session.play("(PLAY m (" + first + " wait))"), "wait");
            EXPECT_TRUE(net::becomes_true([&] { return session.pondered() > 0; })) << strategy;
            if (told) session.stop();
        }
    }
}

TEST(PonderingServer, StopAbortAndANewMatchInterruptIt) {
    PlayerOptions options;
    options.session.strategy = play::read_spec("uct:bounds=0,threads=2");
    options.session.memory = std::size_t{32} << 20;
    const PlayerServer server(options);
    const auto say = [&](const std::string& message) {
        net::ClientOptions how;
        how.type = "text/acl";
        return net::request({"127.0.0.1", server.port(), "/"}, message, how).response.body;
    };
    const auto pondered = [&] {
        const auto reply = net::request({"127.0.0.1", server.port(), "/status.json"}, std::nullopt);
        const auto matches = nlohmann::json::parse(reply.response.body)["matches"];
        return matches.empty() ? std::uint64_t{0} : matches[0]["pondered"].get<std::uint64_t>();
    };
    for (const std::string end : {"(STOP m (wait (drop 4)))", "(ABORT m)", ""}) {
        ASSERT_EQ(say(shipped_start("m", "yellow", "connect-four")), "ready") << "before " << end;
        const std::string first = say("(PLAY m NIL)");
        ASSERT_EQ(say("(PLAY m (" + first + " wait))"), "wait");
        EXPECT_TRUE(net::becomes_true([&] { return pondered() > 0; }));
        EXPECT_EQ(say(shipped_start("other", "red", "connect-four")), "busy");
        if (!end.empty()) {
            EXPECT_EQ(say(end), end.starts_with("(STOP") ? "done" : "aborted");
        }
    }
    // The last match ends with the server, as when it is killed.
}

}  // namespace
}  // namespace zermelo::ggp
