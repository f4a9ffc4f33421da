#include "web/http/router.hpp"

#include <fmt/format.h>

#include <cmath>
#include <new>

#include "core/format/json.hpp"
#include "core/format/json_text.hpp"
#include "core/format/numbers.hpp"

namespace zermelo::web {

namespace {

std::vector<std::string> parts_of(const std::string& path) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        parts.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

bool stands_for_any(const std::string& part) { return part.starts_with('{'); }

// What stands for the parts in braces, where the path is of this pattern.
std::optional<std::vector<std::string>> match(const std::vector<std::string>& pattern,
                                              const std::vector<std::string>& path) {
    if (pattern.size() != path.size()) return std::nullopt;
    std::vector<std::string> values;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (stands_for_any(pattern[i])) {
            values.push_back(net::unescape(path[i]));
        } else if (pattern[i] != path[i]) {
            return std::nullopt;
        }
    }
    return values;
}

[[noreturn]] void refuse(const std::string& key, const std::string& problem) {
    throw Refusal(400, fmt::format("'{}' {}", key, problem));
}

constexpr int most_depth = 64;

}  // namespace

// Languages.

language::Tongue tongue_of(const net::Request& request) {
    const std::string header = request.header("Accept-Language");
    language::Tongue best = language::Tongue::english;
    double most = 0;
    for (std::size_t begin = 0; begin < header.size();) {
        const std::size_t end = std::min(header.find(',', begin), header.size());
        std::string range = header.substr(begin, end - begin);
        begin = end + 1;
        std::erase(range, ' ');
        const std::size_t quality = range.find(";q=");
        const double liked =
            quality == std::string::npos ? 1 : read_number<double>(range.substr(quality + 3)).value_or(0);
        const std::string tag = range.substr(0, range.find_first_of("-;"));
        const bool french = tag == "fr" || tag == "FR";
        if ((!french && tag != "en" && tag != "EN") || liked <= most) continue;
        most = liked;
        best = french ? language::Tongue::french : language::Tongue::english;
    }
    return best;
}

std::string Call::spoken(const std::string& message) const {
    return language::in_tongue(tongue_of(request), worded(message));
}

// Calls.

std::string Call::text(const std::string& key) const {
    const auto found = body.find(key);
    if (found == body.end()) refuse(key, "is missing");
    if (!found->is_string()) refuse(key, "must be a text");
    return *found;
}

std::string Call::text(const std::string& key, const std::string& otherwise) const {
    const auto found = body.find(key);
    return found == body.end() || found->is_null() ? otherwise : text(key);
}

double Call::number(const std::string& key, double otherwise, double least, double most) const {
    const auto found = body.find(key);
    if (found == body.end() || found->is_null()) return otherwise;
    if (!found->is_number()) refuse(key, "must be a number");
    const double value = *found;
    if (!(value >= least && value <= most)) refuse(key, fmt::format("must be from {} to {}", least, most));
    return value;
}

std::uint64_t Call::count(const std::string& key, std::uint64_t otherwise, std::uint64_t most) const {
    const auto found = query.find(key);
    if (found == query.end()) return otherwise;
    const auto value = read_number<std::uint64_t>(found->second);
    if (!value || *value > most) refuse(key, fmt::format("must be a whole number up to {}", most));
    return *value;
}

json read_body(const std::string& text) {
    json body;
    try {
        body = parse_json(text, {.name = "", .what = "request", .not_json = "", .deepest = most_depth});
    } catch (const Error& problem) {
        throw Refusal(400, problem.problem(), problem.place());
    }
    if (!body.is_object()) throw Refusal(400, "the body must be a JSON object");
    return body;
}

std::map<std::string, std::string> read_query(const std::string& text) {
    const auto plain = [](std::string part) {
        std::replace(part.begin(), part.end(), '+', ' ');
        return net::unescape(part);
    };
    std::map<std::string, std::string> query;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('&', begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        const std::size_t equals = std::min(part.find('='), part.size());
        if (!part.empty())
            query[plain(part.substr(0, equals))] =
                equals < part.size() ? plain(part.substr(equals + 1)) : std::string();
        begin = end + 1;
    }
    return query;
}

// The router.

void Router::quick(const std::string& method, const std::string& pattern, Answer answer) {
    add(method, pattern, Route::Kind::quick, std::move(answer));
}

void Router::work(const std::string& method, const std::string& pattern, Answer answer) {
    add(method, pattern, Route::Kind::work, std::move(answer));
}

void Router::add(const std::string& method, const std::string& pattern, Route::Kind kind, Answer answer) {
    const auto respond = [answer = std::move(answer)](const Call& call) {
        return json_response(200, answer(call));
    };
    routes_.push_back({method, pattern, kind, respond, {}});
}

void Router::file(const std::string& pattern, std::function<net::Response(const Call&)> answer) {
    routes_.push_back({"GET", pattern, Route::Kind::work, std::move(answer), {}});
}

void Router::stream(const std::string& pattern, std::function<void(const Call&, Events&)> perform) {
    routes_.push_back({"POST", pattern, Route::Kind::stream, {}, std::move(perform)});
}

Router::Found Router::find(const std::string& method, const std::string& path) const {
    Found found;
    const auto parts = parts_of(path);
    for (const Route& route : routes_) {
        auto values = match(parts_of(route.pattern), parts);
        if (!values) continue;
        if (route.method == method) return {&route, std::move(*values), {}};
        found.methods.push_back(route.method);
    }
    return found;
}

// Answers.

std::pair<int, json> error_body(const std::exception& problem, language::Tongue tongue) {
    const auto in_words = [&](const std::string& text) { return language::in_tongue(tongue, worded(text)); };
    const auto said = [&](const std::string& error, const Place& place = {}) {
        return json{{"error", error}, {"line", place.line}, {"column", place.column}};
    };
    if (const auto* refusal = dynamic_cast<const Refusal*>(&problem))
        return {refusal->status(), said(in_words(refusal->what()), refusal->place())};
    if (const auto* error = dynamic_cast<const Error*>(&problem)) {
        std::string text = in_words(error->problem());
        if (!error->remedy().empty()) text += language::between_sentences(tongue) + in_words(error->remedy());
        const bool limit = dynamic_cast<const LimitReached*>(&problem) != nullptr;
        return {limit ? 503 : 422, said(text, error->place())};
    }
    if (dynamic_cast<const json::exception*>(&problem) != nullptr)
        return {400, said(in_words("the JSON does not have the expected form: " + json_problem(problem)))};
    if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr)
        return {503, said(in_words("out of memory"))};
    return {500, said(in_words(std::string("the program failed to handle this request: ") + problem.what()))};
}

std::string written(const json& value) { return json_text(value); }

net::Response json_response(int status, const json& body) {
    return {.status = status, .body = written(body), .type = "application/json"};
}

net::Response refusal(const net::Request& request, int status, const std::string& error) {
    return json_response(status, error_body(Refusal(status, error), tongue_of(request)).second);
}

}  // namespace zermelo::web
