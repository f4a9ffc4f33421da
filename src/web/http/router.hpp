// Router: maps the requests of the API to their handlers.
//
// There are three kinds. A `quick` one is answered on the server's own thread and must not take long. A
// `work` runs in the worker pool (worker_pool.hpp) and has one answer. A `stream` runs there too, and reports
// progress by server-sent events; it ends when its client goes.
//
// Handlers throw Refusal for a status of their own. Error becomes 422 with the place that it names,
// LimitReached 503, broken JSON 400. Where a stream has begun already, the same goes into an event `error`.

#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "core/limits.hpp"
#include "language/sentences.hpp"
#include "net/http.hpp"

namespace zermelo::web {

using nlohmann::json;

class Refusal : public std::runtime_error {
public:
    Refusal(int status, const std::string& message, const Place& place = {})
        : std::runtime_error(message), status_(status), place_(place) {}
    [[nodiscard]] int status() const { return status_; }
    [[nodiscard]] const Place& place() const { return place_; }  // in what was sent

private:
    int status_;
    Place place_;
};

// The language that a request asks for by Accept-Language (RFC 9110, 12.5.4): of those that we speak, the one it likes
// best; English where it says nothing.
[[nodiscard]] language::Tongue tongue_of(const net::Request& request);

struct Call {
    net::Request request = {};
    std::vector<std::string> path = {};             // what stands for the parts in braces of the route
    std::map<std::string, std::string> query = {};  // unescaped
    json body = nullptr;                            // of a POST; always an object
    std::size_t budget = 0;                         // bytes for the whole process

    // Of one piece of work: so many seconds, and the budget. That the client goes ends it, too.
    [[nodiscard]] Limits limits(double seconds) const { return {seconds, budget}; }

    // A message for people: in the language of the request, with its settings worded.
    [[nodiscard]] std::string spoken(const std::string& message) const;

    // A member of the body, of the right type and within bounds. Throw Refusal 400 that names the key.
    [[nodiscard]] std::string text(const std::string& key) const;
    [[nodiscard]] std::string text(const std::string& key, const std::string& otherwise) const;
    [[nodiscard]] double number(const std::string& key, double otherwise, double least, double most) const;
    // The same of the query.
    [[nodiscard]] std::uint64_t count(const std::string& key, std::uint64_t otherwise,
                                      std::uint64_t most) const;
};

// Where a stream reports its progress. On the thread of the handler.
class Events {
public:
    virtual ~Events() = default;
    // Throws LimitReached (interrupted) where the client has gone.
    virtual void send(const std::string& name, const json& data) = 0;
};

struct Route {
    enum class Kind { quick, work, stream };
    std::string method;
    std::string pattern;  // /api/games/{folder}/{name}
    Kind kind;
    std::function<net::Response(const Call&)> answer;   // quick and work
    std::function<void(const Call&, Events&)> perform;  // stream
};

class Router {
public:
    using Answer = std::function<json(const Call&)>;
    void quick(const std::string& method, const std::string& pattern, Answer answer);
    void work(const std::string& method, const std::string& pattern, Answer answer);
    void file(const std::string& pattern,
              std::function<net::Response(const Call&)> answer);  // a work, by GET
    void stream(const std::string& pattern, std::function<void(const Call&, Events&)> perform);  // by POST

    struct Found {
        const Route* route = nullptr;
        std::vector<std::string> path;
        std::vector<std::string> methods;  // where there is no route: those by which the path is known
    };
    // `path` as it was sent, with its percent signs.
    [[nodiscard]] Found find(const std::string& method, const std::string& path) const;
    [[nodiscard]] const std::vector<Route>& routes() const { return routes_; }

private:
    void add(const std::string& method, const std::string& pattern, Route::Kind kind, Answer answer);

    std::vector<Route> routes_;
};

// The body and the query of a request. Throw Refusal, and json::exception where the body is no JSON.
[[nodiscard]] json read_body(const std::string& text);
[[nodiscard]] std::map<std::string, std::string> read_query(const std::string& text);

// The status and the body { error, line, column } that report an exception to the client.
[[nodiscard]] std::pair<int, json> error_body(const std::exception& problem,
                                              language::Tongue tongue = language::Tongue::english);
[[nodiscard]] std::string written(const json& value);  // on one line, whatever bytes its texts have
[[nodiscard]] net::Response json_response(int status, const json& body);
// As the error_body of a Refusal, in the language of the request.
[[nodiscard]] net::Response refusal(const net::Request& request, int status, const std::string& error);

}  // namespace zermelo::web
