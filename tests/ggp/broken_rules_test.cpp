// A player that refuses a match has lost it: rules that break the specification and can only mean one thing are played,
// as public servers send them.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/syntax/check.hpp"
#include "gdl/syntax/parse.hpp"
#include "ggp/message.hpp"
#include "ggp/player/player_server.hpp"
#include "net/client.hpp"
#include "support/broken_games.hpp"

namespace zermelo::ggp {
namespace {

std::string ask(const PlayerServer& server, const std::string& message) {
    net::ClientOptions how;
    how.type = "text/acl";
    return net::request({"127.0.0.1", server.port(), "/"}, message, how).response.body;
}

// A manager of one match, who knows the rules as they are meant. The player is the first role; the others move at random.
class Manager {
public:
    explicit Manager(const gdl::Description& meant)
        : rules_(meant), hidden_(gdl::information(meant).percepts), state_(rules_.initial()) {
        step_.match = "m";
        step_.nothing = true;
        step_.dated = hidden_;
    }

    [[nodiscard]] std::string player() { return plain(rules_.text(rules_.roles().front())); }
    [[nodiscard]] bool over() { return rules_.terminal(state_); }
    // PLAY, or STOP where the play is over.
    [[nodiscard]] std::string message() {
        step_.verb = over() ? Verb::stop : Verb::play;
        return write(step_);
    }
    // False where the player may not move so.
    bool step(const std::string& answer) {
        const auto move = read_move(answer);
        const auto own = rules_.legal(state_, 0);
        const auto made = std::ranges::find_if(
            own, [&](const auto legal) { return move && plain(rules_.text(legal)) == *move; });
        if (made == own.end()) return false;
        gdl::Reasoner::Joint joint{*made};
        for (std::size_t role = 1; role < rules_.roles().size(); ++role) {
            const auto legal = rules_.legal(state_, role);
            joint.push_back(legal[random_.below(legal.size())]);
        }
        ++step_.turn;
        step_.nothing = false;
        step_.own = move;
        step_.items.clear();
        for (const auto term : hidden_ ? rules_.sees(state_, joint, 0) : joint)
            step_.items.push_back(plain(rules_.text(term)));
        state_ = rules_.next(state_, joint);
        return true;
    }

private:
    gdl::Reasoner rules_;
    bool hidden_;
    gdl::Reasoner::State state_;
    Message step_;
    Random random_{1};
};

TEST(BrokenRules, AreNoReasonToRefuseAMatch) {
    constexpr int longest = 60;
    PlayerOptions options;
    options.session.strategy = play::read_spec("random");
    const PlayerServer server(options);
    for (const Broken& broken : broken_games()) {
        SCOPED_TRACE(broken.game + ": " + broken.wrong);
        const gdl::Description meant = gdl::parse(read_shipped(broken.game), "right.kif");
        Manager manager(meant);
        ASSERT_EQ(ask(server, "(START m " + manager.player() + " (" + broken_text(broken) + ") 1 1)"),
                  "ready");
        for (int step = 0; step < longest && !manager.over(); ++step) {
            const std::string asked = manager.message();
            const std::string answer = ask(server, asked);
            ASSERT_TRUE(manager.step(answer)) << asked << " was answered " << answer;
        }
        EXPECT_EQ(ask(server, manager.over() ? manager.message() : "(ABORT m)"),
                  manager.over() ? "done" : "aborted");
    }
}

}  // namespace
}  // namespace zermelo::ggp
