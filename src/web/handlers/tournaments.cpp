// API: small tournaments, with tables that fill while they run.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "arena/report/report.hpp"
#include "arena/tournament.hpp"
#include "core/format/json_text.hpp"
#include "web/server.hpp"
#include "web/session/analysis_session.hpp"
#include "web/session/game_cache.hpp"

namespace zermelo::web {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_players = 8;
constexpr std::size_t most_games = 8;
constexpr std::size_t most_matches = 2000;
constexpr double longest_clock = 10;  // seconds for a move
constexpr std::uint64_t most_playouts = 100'000;

const json& list(const Call& call, const std::string& key, std::size_t most) {
    const auto found = call.body.find(key);
    if (found == call.body.end() || !found->is_array() || found->empty() || found->size() > most)
        throw Refusal(400, fmt::format("'{}' must be a list of 1 to {}", key, most));
    return *found;
}

std::string player(const json& text) {
    if (!text.is_string()) throw Refusal(400, "'players' must be texts");
    const play::Spec spec = page_player(text);
    if (spec.seconds.value_or(0) > longest_clock || spec.playouts.value_or(0) > most_playouts) {
        throw Refusal(
            422, fmt::format("the player {}: at most {} seconds or {} playouts per move are allowed here",
                             spec.text, longest_clock, most_playouts));
    }
    return spec.text;
}

arena::Form form(std::string name) {
    std::ranges::replace(name, '-', ' ');
    if (name == "round robin") return arena::Form::round_robin;
    if (name == "gauntlet") return arena::Form::gauntlet;
    if (name == "together") return arena::Form::together;
    throw Refusal(400, "'form' must be round robin, gauntlet or together");
}

// What was asked for, and the games that it names.
struct PageTournament {
    struct Played {
        std::shared_ptr<const GroundedGame> ground;
        play::Shared shared = {};  // of this tournament alone, whose players may be unusual
    };
    arena::Plan plan;
    std::map<std::string, Played> played;

    PageTournament(GameCache& cache, const Call& call, const Limits& limits) {
        for (const json& each : list(call, "players", most_players)) plan.players.push_back(player(each));
        plan.form = form(call.text("form", "round robin"));
        plan.rounds = static_cast<std::uint64_t>(call.number("rounds", 1, 1, most_matches));
        plan.clock = call.number("clock", 1, 0.01, longest_clock);
        plan.start_clock = plan.clock;
        plan.memory = usual_memory;
        for (const json& reference : list(call, "games", most_games)) {
            auto ground = cache.gdl(reference, limits);
            std::string title = ground->title;
            for (int n = 2; played.contains(title); ++n) title = fmt::format("{} #{}", ground->title, n);
            plan.games.push_back(title);
            played[title].ground = std::move(ground);
        }
    }

    [[nodiscard]] std::size_t matches() const {
        std::vector<std::size_t> seats;
        for (const std::string& game : plan.games)
            seats.push_back(played.at(game).ground->rules.seats().size());
        const std::size_t count = arena::schedule(plan, seats).size();
        if (count > most_matches) {
            throw Refusal(
                422, fmt::format("this tournament would have {} matches; at most {} are allowed here", count,
                                 most_matches));
        }
        return count;
    }

    [[nodiscard]] arena::LoadedGame load(const std::string& game) {
        Played& here = played.at(game);
        return {&here.ground->rules, &here.shared, here.ground};
    }
};

json standing_json(const arena::PlayerStanding& standing) {
    const arena::Tally& total = standing.total;
    const arena::Interval score = total.score_interval();
    const bool rated = standing.rating.known();
    const auto known = [&](double value) { return rated ? json(value) : json(); };
    return {{"player", standing.player},
            {"score", total.score()},
            {"low", score.low},
            {"high", score.high},
            {"wins", total.wins},
            {"draws", total.draws},
            {"losses", total.losses},
            {"rating", known(standing.rating.elo)},
            {"rating_low", known(standing.rating.interval.low)},
            {"rating_high", known(standing.rating.interval.high)}};
}

// Standings of web/src/api.ts.
json standings_json(const Call& call, const arena::Standings& standings, std::uint64_t finished,
                    std::uint64_t scheduled) {
    json players = json::array();
    for (const arena::PlayerStanding& each : standings.players) players.push_back(standing_json(each));
    json errors = json::array();
    for (const auto& [match, problem] : standings.errors)
        errors.push_back(call.spoken(fmt::format("match {}: {}", match + 1, problem)));
    return {{"finished", finished},       {"scheduled", scheduled},   {"players", players},
            {"points", standings.points}, {"games", standings.games}, {"errors", errors}};
}

void play_tournament(GameCache& cache, const Call& call, Events& events) {
    const Limits limits = call.limits(call.number("seconds", 600, 0, 86'400));
    PageTournament tournament(cache, call, limits);
    const std::size_t scheduled = tournament.matches();
    events.send("start", {{"labels", arena::labels(tournament.plan)},
                          {"games", tournament.plan.games},
                          {"scheduled", scheduled}});

    arena::TournamentOptions options;
    options.parallel = 1;
    options.own_cores = false;
    options.limits = limits;
    options.load = [&](const std::string& game) { return tournament.load(game); };
    std::vector<arena::MatchResult> results;
    auto next = Clock::now();
    options.progress = [&](const arena::Progress& progress, const arena::MatchResult& result) {
        results.push_back(result);
        if (progress.finished < scheduled && Clock::now() < next) return;
        events.send("standings",
                    standings_json(call, arena::standings(results), progress.finished, scheduled));
        next = Clock::now() + std::chrono::milliseconds(50);
    };
    const arena::TournamentResult result = arena::run(tournament.plan, options, nullptr);

    const arena::Standings standings = arena::standings(result.matches);
    json whole = arena::json(standings);
    whole["plan"] = json_from_text(tournament.plan.text());
    events.send("end", {{"stop", result.stop == Stop::none ? "" : describe(result.stop)},
                        {"files",
                         {{"json", json_text(whole, 2)},
                          {"csv", arena::csv(result.matches)},
                          {"html", arena::html(standings, "Tournament", tournament.plan.text())}}}});
}

}  // namespace

void add_tournaments(Router& router, GameCache& cache) {
    router.stream("/api/tournaments",
                  [&cache](const Call& call, Events& events) { play_tournament(cache, call, events); });
}

}  // namespace zermelo::web
