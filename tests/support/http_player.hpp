// Players on the network that do what a script says, and keep what they were told.

#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "ggp/kif_names.hpp"
#include "ggp/message.hpp"
#include "net/server.hpp"
#include "play/info_state.hpp"

namespace zermelo {

class HttpPlayer {
public:
    struct Answer {
        std::string text = "ready";
        double after = 0;    // seconds
        bool never = false;  // keeps the connection open and says nothing
        int status = 200;
    };
    using Script = std::function<Answer(const ggp::Message&)>;

    explicit HttpPlayer(Script script)
        : script_(std::move(script)), server_({}, [this](net::Request request, net::Server::Respond respond) {
              handle(std::move(request), std::move(respond));
          }) {}

    [[nodiscard]] std::string label() const { return "127.0.0.1:" + std::to_string(server_.port()); }
    [[nodiscard]] std::string address() const { return "http://" + label(); }
    [[nodiscard]] std::vector<net::Request> requests() const {
        const std::lock_guard lock(mutex_);
        return heard_;
    }
    [[nodiscard]] std::vector<std::string> heard() const {
        std::vector<std::string> texts;
        for (const net::Request& request : requests()) texts.push_back(request.body);
        return texts;
    }
    // Waits a moment until a message with this verb has come.
    [[nodiscard]] bool has_heard(ggp::Verb verb, double seconds = 5) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] {
            return std::ranges::any_of(
                heard_, [&](const net::Request& one) { return ggp::read_message(one.body).verb == verb; });
        });
    }

private:
    void handle(net::Request request, net::Server::Respond respond) {
        const ggp::Message message = ggp::read_message(request.body);
        {
            const std::lock_guard lock(mutex_);
            heard_.push_back(std::move(request));
        }
        changed_.notify_all();
        const std::lock_guard lock(threads_mutex_);
        threads_.emplace_back([this, message, respond = std::move(respond)] {
            const Answer answer = script_(message);
            if (answer.never) {
                const std::lock_guard inner(mutex_);
                open_.push_back(respond);
                return;
            }
            std::this_thread::sleep_for(std::chrono::duration<double>(answer.after));
            respond({.status = answer.status, .body = answer.text, .type = "text/acl"}, {});
        });
    }

    Script script_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<net::Request> heard_;
    std::vector<net::Server::Respond> open_;
    std::mutex threads_mutex_;
    std::vector<std::jthread> threads_;
    net::Server server_;  // stops first
};

// A script that plays the moves in this order, whatever happens.
inline HttpPlayer::Script plays(std::vector<std::string> moves) {
    auto next = std::make_shared<std::atomic<std::size_t>>(0);
    return [moves = std::move(moves), next](const ggp::Message& message) -> HttpPlayer::Answer {
        if (message.verb != ggp::Verb::play) return {};
        const std::size_t at = (*next)++;
        return {.text = at < moves.size() ? moves[at] : "there is no such move"};
    };
}

// A script that follows matches of a game in which all moves are told, and makes the first of its legal
// moves.
inline HttpPlayer::Script plays_legally(const play::GameContext& rules) {
    struct Match {
        play::State state;
        std::size_t role = 0;
    };
    struct Matches {
        explicit Matches(const play::GameContext& its) : rules(its), names(its), info(its) {}
        const play::GameContext& rules;
        ggp::KifNames names;
        play::InfoState info;
        std::map<std::string, Match> matches;
        std::mutex mutex;
    };
    auto all = std::make_shared<Matches>(rules);
    return [all](const ggp::Message& message) -> HttpPlayer::Answer {
        const std::lock_guard lock(all->mutex);
        Match& match = all->matches[message.match];
        if (message.verb == ggp::Verb::start) {
            match.state = all->rules.machine().initial();
            while (all->names.role(match.role) != message.role) ++match.role;
        }
        if (message.verb != ggp::Verb::play) return {};
        all->info.load(match.state);
        if (!message.nothing) {
            play::JointMove joint;
            for (const std::string& item : message.items)
                joint.push_back(all->names.find(joint.size(), item).value());
            all->info.play(joint, match.state);
            all->info.load(match.state);
        }
        return {.text = all->names.move(match.role, all->info.legal(match.role).front())};
    };
}

// Takes connections and closes them without a word.
class Hangup {
public:
    Hangup() : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in here{};
        here.sin_family = AF_INET;
        here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(here);
        if (bind(socket_, reinterpret_cast<sockaddr*>(&here), size) != 0 || listen(socket_, 16) != 0 ||
            getsockname(socket_, reinterpret_cast<sockaddr*>(&here), &size) != 0)
            throw Error("no socket for a test");
        port_ = ntohs(here.sin_port);
        thread_ = std::jthread([this] {
            for (int one = accept(socket_, nullptr, nullptr); one >= 0;
                 one = accept(socket_, nullptr, nullptr))
                close(one);
        });
    }
    ~Hangup() {
        shutdown(socket_, SHUT_RDWR);
        thread_.join();
        close(socket_);
    }
    Hangup(const Hangup&) = delete;
    Hangup& operator=(const Hangup&) = delete;

    [[nodiscard]] std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }

private:
    int socket_;
    std::uint16_t port_ = 0;
    std::jthread thread_;
};

// Where nobody listens: a port that was free a moment ago.
inline std::string nobody() {
    return HttpPlayer([](const auto&) { return HttpPlayer::Answer{}; }).address();
}

}  // namespace zermelo
