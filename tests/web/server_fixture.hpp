// Who answers the page's questions about plays of the shipped games, without a network.

#pragma once

#include <gtest/gtest.h>

#include "web/asking.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"

namespace zermelo::web {

inline const Library& shipped_games() {
    static const Library library(std::string(ZERMELO_SOURCE_DIR) + "/games");
    return library;
}

class Implementation {
public:
    Implementation() {
        add_playing(router_, cache_);
        add_explaining(router_, cache_);
    }

    [[nodiscard]] json get(const std::string& path) const { return Asker(router_).get(path); }
    [[nodiscard]] json ask(const std::string& path, json body) const {
        return Asker(router_).post(path, std::move(body));
    }
    [[nodiscard]] Heard listen(const std::string& path, json body) const {
        Heard heard;
        Asker(router_).stream(path, std::move(body), heard);
        return heard;
    }
    // The status of the refusal, and what it says.
    [[nodiscard]] std::pair<int, std::string> refusal(const std::string& path, const json& body) const {
        try {
            if (router_.find("POST", path).route->kind == Route::Kind::stream)
                (void)listen(path, body);
            else
                (void)ask(path, body);
        } catch (const std::exception& problem) {
            const auto [status, said] = error_body(problem);
            return {status, said["error"]};
        }
        return {200, ""};
    }

private:
    GameCache cache_{shipped_games()};
    Router router_;
};

}  // namespace zermelo::web
