// Asks the handlers of a router, without a network.

#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "web/http/router.hpp"

namespace zermelo::web {

struct Heard : Events {
    struct Event {
        std::string name;
        json data;
    };
    std::vector<Event> events;
    std::function<void(const Event&)> react = {};  // to each of them

    void send(const std::string& name, const json& data) override {
        events.push_back({name, data});
        if (react) react(events.back());
    }
    [[nodiscard]] std::vector<json> all(const std::string& name) const {
        std::vector<json> found;
        for (const Event& event : events) {
            if (event.name == name) found.push_back(event.data);
        }
        return found;
    }
    [[nodiscard]] json last(const std::string& name) const {
        const auto found = all(name);
        return found.empty() ? json() : found.back();
    }
};

class Asker {
public:
    explicit Asker(const Router& router) : router_(router) {}

    std::size_t budget = std::size_t{4} << 30;
    std::string languages = {};  // Accept-Language

    [[nodiscard]] net::Response raw(const std::string& method, const std::string& path,
                                    std::map<std::string, std::string> query, json body) const {
        const auto found = router_.find(method, path);
        if (found.route == nullptr) throw Refusal(404, path + " is no route");
        return found.route->answer(call(found.path, std::move(query), std::move(body)));
    }
    [[nodiscard]] json get(const std::string& path, std::map<std::string, std::string> query = {}) const {
        return json::parse(raw("GET", path, std::move(query), nullptr).body);
    }
    [[nodiscard]] json post(const std::string& path, json body) const {
        return json::parse(raw("POST", path, {}, std::move(body)).body);
    }
    void stream(const std::string& path, json body, Events& events) const {
        const auto found = router_.find("POST", path);
        if (found.route == nullptr) throw Refusal(404, path + " is no route");
        found.route->perform(call(found.path, {}, std::move(body)), events);
    }
    [[nodiscard]] Heard listen(const std::string& path, json body) const {
        Heard heard;
        stream(path, std::move(body), heard);
        return heard;
    }

private:
    [[nodiscard]] Call call(std::vector<std::string> path, std::map<std::string, std::string> query,
                            json body) const {
        Call call;
        call.path = std::move(path);
        call.query = std::move(query);
        call.body = std::move(body);
        call.budget = budget;
        call.request.headers.emplace_back("Accept-Language", languages);
        return call;
    }
    const Router& router_;
};

// The status with which something is refused; 0 where it is not.
template <class Work>
[[nodiscard]] int refused(Work work) {
    try {
        work();
    } catch (const std::exception& problem) {
        return error_body(problem).first;
    }
    return 0;
}

}  // namespace zermelo::web
