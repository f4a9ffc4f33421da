#include "web/handlers/forward.hpp"

#include "core/clock.hpp"
#include "solve/problem/explain.hpp"

namespace zermelo::web {

namespace {

constexpr double drawing_seconds = 10;

json thought_about(const std::string& remark, double seconds) {
    return {
        {"seconds", seconds}, {"playouts", 0},      {"playouts_per_second", 0},   {"positions", 0},
        {"remark", remark},   {"recommends", true}, {"estimates", json::array()}, {"line", json::array()}};
}

}  // namespace

bool asks_about_gdl(const Call& call, const GameCache& cache) {
    return source(cache.library(), call.body.value("game", json())).kind == Kind::gdl;
}

ForwardPlay read_forward_play(const Call& call, GameCache& cache) {
    const Limits limits = call.limits(reading_seconds);
    ForwardPlay play(cache.compiled(call.body.value("game", json()), limits),
                     call.body.value("steps", json::array()), limits);
    play.follow(call.text("play", ""), limits);
    return play;
}

json forward_position(const Call& call, GameCache& cache) {
    json all = read_forward_play(call, cache).describe();
    if (call.body.value("fluents", json()) == true) all["fluents"] = json::array();
    return all;
}

json forward_step(const Call& call, GameCache& cache) {
    ForwardPlay play = read_forward_play(call, cache);
    json step = play.make(call.body.value("moves", json::object()));
    return {{"step", std::move(step)}, {"position", play.describe()}};
}

json forward_output(const Call& call, GameCache& cache) {
    if (source(cache.library(), call.body.value("game", json())).kind != Kind::minizinc)
        throw Refusal(422, "only models have an output item");
    const ForwardPlay play = read_forward_play(call, cache);
    return {{"text", play.game().shown(play.line(), call.limits(drawing_seconds))}};
}

json forward_replay(const Call& call, GameCache& cache) {
    const ForwardPlay whole = read_forward_play(call, cache);
    ForwardPlay walk(cache.compiled(call.body.value("game", json()), call.limits(reading_seconds)),
                     json::array(), call.limits(reading_seconds));
    json entries = json::array();
    for (const json& step : whole.steps()) {
        const json before = walk.describe();
        const bool forced = before["turn"].empty();
        entries.push_back({{"step", step},
                           {"by", json::array({walk.mover()})},
                           {"forced", forced},
                           {"before", walk.facts()}});
        walk.make(step);
    }
    return {{"entries", std::move(entries)}};
}

void forward_think(const Call& call, Events& events, GameCache& cache, double seconds) {
    const auto begun = Clock::now();
    const ForwardPlay play = read_forward_play(call, cache);
    if (play.over()) throw Refusal(422, "the play is over");
    if (call.text("role") != play.mover())
        throw Refusal(422, "this game has no role '" + call.text("role") + "' that is to move");
    const auto chosen = play.choose(seconds, call.budget);
    const json thought = thought_about(chosen.remark, seconds_since(begun));
    events.send("thought", thought);
    events.send("move", {{"move", chosen.move}, {"thought", thought}});
}

// Solved of web/src/api.ts.
void forward_analyse(const Call& call, Events& events, GameCache& cache, double seconds) {
    const ForwardPlay play = read_forward_play(call, cache);
    game::ExplainOptions options;
    options.limits = call.limits(seconds);
    options.line = play.line();
    options.most_moves = 0;
    options.threads = 1;
    const game::Explanation explanation = explain(play.game().problem, options);
    const game::ExplainedPosition& asked = explanation.asked();
    if (asked.solved) {
        const json told = game::to_json(explanation)["play"].front();
        json solved = {{"mover", told["mover"]},
                       {"values", told["values"]},
                       {"rank", told["left"]},
                       {"moves", json::array()}};
        for (const json& move : told["moves"]) {
            solved["moves"].push_back({{"move", move["move"]},
                                       {"values", move["values"]},
                                       {"verdict", move["verdict"]},
                                       {"rank", move["left"]},
                                       {"best", move["best"]}});
        }
        events.send("solved", solved);
    }
    events.send("end", {{"stop", asked.solved ? "" : describe(explanation.stop)}});
}

}  // namespace zermelo::web
