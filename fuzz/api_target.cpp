// Requests of the page: the first line is the path, the rest the body. A mistake of the client is told as such, never as a
// failure of the server.

#include "catalogue/library.hpp"
#include "targets.hpp"
#include "web/http/router.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"

namespace zermelo::fuzz {

namespace {

using web::json;

class Api {
public:
    Api() {
        add_checking(router_, cache_);
        add_playing(router_, cache_);
        add_explaining(router_, cache_);
        add_solving(router_, cache_);
        add_pictures(router_, cache_);
        add_tournaments(router_, cache_);
    }
    // The status of the answer.
    int ask(const std::string& path, const std::string& body) {
        try {
            const auto found = router_.find("POST", path);
            if (found.route == nullptr) return 404;
            web::Call call;
            call.path = found.path;
            call.body = quick(web::read_body(body));
            call.budget = std::size_t{2} << 30;
            if (found.route->kind == web::Route::Kind::stream) {
                Deaf events;
                found.route->perform(call, events);
                return 200;
            }
            return found.route->answer(call).status;
        } catch (const std::exception& problem) {
            return web::error_body(problem).first;
        }
    }

private:
    struct Deaf : web::Events {
        void send(const std::string&, const json&) override {}
    };
    // Nothing takes long.
    static json quick(json body) {
        for (const char* key : {"seconds", "clock"}) {
            if (body.contains(key) && body[key].is_number() && body[key] > 0.02) body[key] = 0.02;
        }
        for (const char* key : {"rounds", "most", "games"}) {
            if (body.contains(key) && body[key].is_number() && body[key] > 5) body[key] = 5;
        }
        return body;
    }

    web::Library library_{ZERMELO_SOURCE_DIR "/games"};
    web::GameCache cache_{library_, 8};
    web::Router router_;
};

}  // namespace

void api(const std::string& text) {
    static Api api;
    const std::size_t line = text.find('\n');
    if (line == std::string::npos) return;
    const int status = api.ask(text.substr(0, line), text.substr(line + 1));
    promise(status < 500 || status == 503, "status " + std::to_string(status));
}

}  // namespace zermelo::fuzz
