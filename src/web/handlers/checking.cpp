// API: the game library, and the checker of game texts.

#include <algorithm>

#include "gdl/analysis/lint.hpp"
#include "gdl/analysis/unreachable.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/syntax/check.hpp"
#include "gdl/syntax/parse.hpp"
#include "model/structure.hpp"
#include "stochastic/model.hpp"
#include "strategy/rules/horizon.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"

namespace zermelo::web {

namespace {

constexpr double play_seconds = 2;
constexpr double ground_seconds = 2;
constexpr double first_seconds = 2;
constexpr double read_seconds = 20;  // for MiniZinc to compile
constexpr int playouts = 5;

const char* severity_name(gdl::Finding::Severity severity) {
    switch (severity) {
        case gdl::Finding::Severity::error:
            return "error";
        case gdl::Finding::Severity::warning:
            return "warning";
        case gdl::Finding::Severity::note:
            return "note";
    }
    return "";
}

json finding(const Call& call, const char* severity, const Place& place, const std::string& message,
             const std::string& remedy) {
    return {{"severity", severity},
            {"line", place.line},
            {"column", place.column},
            {"message", call.spoken(message)},
            {"remedy", call.spoken(remedy)}};
}

json finding(const Call& call, const char* severity, const Error& problem) {
    return finding(call, severity, problem.place(), problem.problem(), problem.remedy());
}

json broken(const Call& call, const Error& problem) {
    return {{"findings", {finding(call, "error", problem)}},
            {"playable", false},
            {"seats", json::array()},
            {"tags", json::array()}};
}

json sound(const catalogue::Outline& about, json findings = json::array()) {
    const bool playable = std::none_of(findings.begin(), findings.end(),
                                       [](const json& found) { return found["severity"] == "error"; });
    return {{"findings", std::move(findings)},
            {"playable", playable},
            {"seats", about.seats},
            {"tags", about.tags}};
}

// As `zermelo gdl check` does, but that a description with errors is not played: that would show them again, without
// their places.
std::vector<gdl::Finding> findings_of(const gdl::Description& game, const Call& call) {
    auto found = gdl::check(game);
    const auto add = [&](const std::vector<gdl::Finding>& more) {
        found.insert(found.end(), more.begin(), more.end());
    };
    const bool sensible = std::ranges::none_of(
        found, [](const auto& each) { return each.severity == gdl::Finding::Severity::error; });
    add(gdl::lint(game));
    if (!sensible) return found;
    add(gdl::unreachable(game, call.limits(ground_seconds)));
    gdl::PlayOptions options;
    options.playouts = playouts;
    options.limits = call.limits(play_seconds);
    add(gdl::check_by_playing(game, options));
    return found;
}

json check_gdl(const Source& source, const Call& call) {
    const gdl::Description game = gdl::parse(source.text, "");
    json findings = json::array();
    for (const gdl::Finding& each : findings_of(game, call))
        findings.push_back(
            finding(call, severity_name(each.severity), each.place, each.message, each.remedy));
    return sound(catalogue::outline(game, call.limits(play_seconds)), std::move(findings));
}

json check_model(const Source& source, const Call& call) {
    const Problem problem = read_model(source, call.limits(read_seconds));
    if (problem.stochastic() != nullptr) return sound({{"∃"}, {"stochastic"}});
    const model::Model& model = *problem.model();
    json findings = json::array();
    if (const auto warning = strategy::horizon_warning(model, analyse(model)))
        findings.push_back(finding(call, "warning", *warning));
    return sound({{"∃", "∀"}, {model.strategic ? "strategic" : "quantified"}}, std::move(findings));
}

json check(const Source& source, const Call& call) {
    try {
        switch (source.kind) {
            case Kind::gdl:
                return check_gdl(source, call);
            case Kind::minizinc:
                return check_model(source, call);
            case Kind::graph:
                return sound({read_graph(source).players, {"graph"}});
        }
    } catch (const LimitReached&) {
        throw;
    } catch (const Error& problem) {
        return broken(call, problem);
    }
    return {};
}

// What a picture of the game needs and no more: the facts that lie on its board at the beginning, found by the rules as
// they stand, without grounding, and the hints without their words.
json first_position(const Shipped& game, const Call& call) {
    json facts = json::array();
    json hints = json::object();
    if (game.kind != Kind::gdl || !game.hints.contains("board")) return {{"facts", facts}, {"hints", hints}};
    for (const char* key : {"board", "pieces", "roles"}) hints[key] = game.hints.value(key, json::object());
    for (const char* key : {"pieces", "roles"}) {
        for (json& one : hints[key]) {
            if (one.is_object()) one.erase("title");
        }
    }
    gdl::ReasonerOptions options;
    options.limits = call.limits(first_seconds);
    gdl::Reasoner reasoner(gdl::parse(game.text, game.file), options);
    const std::string on_board = "(" + hints["board"].value("fact", "") + " ";
    for (const gdl::Reasoner::Ground fact : reasoner.initial()) {
        if (reasoner.text(fact).starts_with(on_board)) facts.push_back(reasoner.text(fact));
    }
    return {{"facts", std::move(facts)}, {"hints", std::move(hints)}};
}

json whole(const Shipped& game) {
    json answer = game.summary;
    answer["text"] = game.text;
    answer["hints"] = game.hints;
    return answer;
}

}  // namespace

void add_checking(Router& router, GameCache& cache) {
    const Library& library = cache.library();
    router.quick("GET", "/api/games", [&library](const Call&) {
        json games = json::array();
        for (const Shipped& game : library.games()) games.push_back(game.summary);
        return json{{"games", std::move(games)}};
    });
    router.quick("GET", "/api/games/{folder}/{name}", [&library](const Call& call) {
        const Shipped* game = library.find(call.path[0] + "/" + call.path[1]);
        if (game == nullptr) throw Refusal(404, "the library does not have this game");
        return whole(*game);
    });
    router.work("GET", "/api/games/{folder}/{name}/first", [&library](const Call& call) {
        const Shipped* game = library.find(call.path[0] + "/" + call.path[1]);
        if (game == nullptr) throw Refusal(404, "the library does not have this game");
        return first_position(*game, call);
    });
    router.work("POST", "/api/check",
                [&library](const Call& call) { return check(source(library, call.body), call); });
}

}  // namespace zermelo::web
