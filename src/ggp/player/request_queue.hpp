// Request queue: what came in and waits to be read, and the threads that read it.
//
// Megabytes to be read do not stand in the way of a PLAY: large requests have a lane, and a thread, of their
// own.

#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "ggp/player/match_session.hpp"
#include "net/server.hpp"

namespace zermelo::ggp {

// Who asked.
struct Caller {
    net::Server::Respond respond;
    std::string peer;
    MatchSession::Clock::time_point accepted;
    double round_trip;
};

struct PlayerRequest {
    Caller caller;
    std::string method;
    std::string target;
    std::string body;
};

class RequestQueue {
public:
    explicit RequestQueue(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    // Takes the request; leaves it where it is, and says no, if more bytes than that would wait in its lane.
    [[nodiscard]] bool add(PlayerRequest& request);
    // From now on requests are read, also those that wait already.
    void open(const std::function<void(const PlayerRequest&)>& read);
    void close();  // once those that are being read are done; the rest stays unread

private:
    struct Lane {
        std::deque<PlayerRequest> waiting = {};
        std::condition_variable filled = {};
        std::size_t bytes = 0;
    };
    void work(Lane& lane);

    std::size_t most_bytes_;
    std::function<void(const PlayerRequest&)> read_;
    std::mutex mutex_;  // of all that follows
    Lane small_;
    Lane large_;
    bool closing_ = false;
    std::vector<std::jthread> threads_;
};

}  // namespace zermelo::ggp
