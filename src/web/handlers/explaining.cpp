// Explaining: why a move wins, and how the players stood after every move of a play.

#include <memory>
#include <mutex>

#include "game/explain/explain.hpp"
#include "solve/problem/explain.hpp"
#include "web/handlers/forward.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"
#include "web/session/position.hpp"

namespace zermelo::web {

namespace {

constexpr double usual = 20;  // seconds to solve
constexpr double longest_why = 600;
constexpr double least_why = 0.01;
constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of one explanation
constexpr std::size_t table_bytes = std::size_t{64} << 20;
constexpr std::size_t most_listed = 6'000'000;  // that are listed, and kept for the next question

// All states of the game that was explained last, with their values: who follows one reply after the other does not
// wait for them each time. The game is held, so that no other one has its address.
class LastListing {
public:
    using Listing = std::shared_ptr<const game::ListedStates>;

    [[nodiscard]] Listing of(const void* game) {
        const std::scoped_lock reading(mutex_);
        return game_.get() == game ? listing_ : nullptr;
    }
    void keep(std::shared_ptr<const void> game, Listing listing) {
        const std::scoped_lock writing(mutex_);
        game_ = std::move(game);
        listing_ = std::move(listing);
    }

private:
    std::mutex mutex_;
    std::shared_ptr<const void> game_;
    Listing listing_;
};

// `explain(options)`, with the listing of this game where it is known.
template <class Explain>
game::Explanation explain_listed(LastListing& last, const std::shared_ptr<const void>& game,
                                 game::ExplainOptions options, Explain explain) {
    auto listing = last.of(game.get());
    const bool known = listing != nullptr;
    options.listing = &listing;
    game::Explanation explanation = explain(options);
    if (listing && !known) last.keep(game, std::move(listing));
    return explanation;
}

game::ExplainOptions options_of(const Call& call, std::vector<std::string> line) {
    const double seconds = call.number("seconds", usual, least_why, longest_why);
    game::ExplainOptions options;
    options.limits = Limits(seconds, std::min(call.budget, resident_bytes() + most_bytes));
    options.threads = 1;
    options.table_bytes = table_bytes;
    options.line = std::move(line);
    options.most_states = most_listed;
    options.history = call.body.value("history", true);
    return options;
}

// Why of web/src/api.ts: at every position its facts, and the step that was made. `made(place)`: the moves of that step.
template <class Play, class Make>
json with_steps(const game::Explanation& explanation, const std::vector<json>& steps, bool history,
                Play& walk, Make make) {
    json all = game::to_json(explanation);
    for (std::size_t place = 0; place < explanation.play.size(); ++place) {
        json& shown = all["play"][place];
        shown["facts"] = walk.facts();
        shown["step"] = nullptr;
        if (place + 1 == explanation.play.size()) break;
        const game::ExplainedPosition& position = explanation.play[place];
        const bool chooses = position.mover && !position.forced;
        shown["step"] = history && place < steps.size() ? make(steps[place])
                        : chooses ? make({{explanation.players[*position.mover], position.made}})
                                  : make(json::object());
    }
    return all;
}

json explain_gdl(const Call& call, GameCache& cache, LastListing& last) {
    const auto ground = cache.gdl(call.body.value("game", json()), call.limits(reading_seconds));
    Position asked(ground, call.body.value("steps", json::array()), call.limits(reading_seconds));
    asked.follow(call.text("play", ""), call.limits(reading_seconds));
    const game::ExplainOptions options = options_of(call, asked.line());
    const game::Explanation explanation = explain_listed(
        last, ground, options, [&](const auto& given) { return game::explain(ground->game, given); });
    std::vector<json> steps;
    for (const play::JointMove& joint : asked.steps()) steps.push_back(asked.step_json(joint));
    Random unused(1);
    Position walk(ground, options.history ? json::array() : json(steps), call.limits(reading_seconds));
    return with_steps(explanation, steps, options.history, walk,
                      [&](const json& moves) { return walk.make(moves, unused); });
}

json explain_model(const Call& call, GameCache& cache, LastListing& last) {
    const ForwardPlay asked = read_forward_play(call, cache);
    const auto compiled = cache.compiled(call.body.value("game", json()), call.limits(reading_seconds));
    const game::ExplainOptions options = options_of(call, asked.line());
    const game::Explanation explanation = explain_listed(
        last, compiled, options, [&](const auto& given) { return explain(compiled->problem, given); });
    ForwardPlay walk(compiled, options.history ? json::array() : json(asked.steps()),
                     call.limits(reading_seconds));
    return with_steps(explanation, asked.steps(), options.history, walk,
                      [&](const json& moves) { return walk.make(moves); });
}

json explain_play(const Call& call, GameCache& cache, LastListing& last) {
    return asks_about_gdl(call, cache) ? explain_gdl(call, cache, last) : explain_model(call, cache, last);
}

}  // namespace

void add_explaining(Router& router, GameCache& cache) {
    router.work("POST", "/api/why", [&cache, last = std::make_shared<LastListing>()](const Call& call) {
        return explain_play(call, cache, *last);
    });
}

}  // namespace zermelo::web
