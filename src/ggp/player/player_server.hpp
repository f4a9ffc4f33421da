// Player server: a GGP player that any game manager can talk to, over HTTP.
//
// Messages come as the body of a POST to any path, or as the path of a GET (`/(INFO)`). Besides there are
// `/status`, a page for people, and `/metrics`, for Prometheus. A match that has not been heard of for long
// makes room for others; with a journal it can still be resumed, as after a restart.

#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>

#include "ggp/player/journal.hpp"
#include "ggp/player/latency_margin.hpp"
#include "ggp/player/match_session.hpp"
#include "ggp/player/metrics.hpp"
#include "net/server.hpp"

namespace zermelo::ggp {

struct PlayerOptions {
    net::ServerOptions server = {};
    MatchSessionOptions session;
    std::string name = "Zermelo";
    std::size_t matches = 1;   // at once
    std::string journal = {};  // a folder; none where it is empty
    // One event, such as {"event": "move", "match": …}; called from any thread, one at a time.
    std::function<void(const nlohmann::json&)> log = {};
};

class PlayerServer {
public:
    explicit PlayerServer(const PlayerOptions& options);  // throws Error where it cannot listen
    ~PlayerServer();
    PlayerServer(const PlayerServer&) = delete;
    PlayerServer& operator=(const PlayerServer&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] std::size_t matches() const;  // now

private:
    class Implementation;
    std::unique_ptr<Implementation> server_;
};

}  // namespace zermelo::ggp
