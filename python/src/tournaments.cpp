// Matches and tournaments.

#include <deque>
#include <nlohmann/json.hpp>

#include "long_call.hpp"
#include "player.hpp"
#include "zermelo/arena.hpp"
#include "zermelo/ggp.hpp"

namespace zermelo::python {

namespace {

using namespace py::literals;
using Games = std::vector<std::shared_ptr<GameObject>>;

arena::Form form_named(const std::string& name) {
    static const std::map<std::string, arena::Form> forms = {{"round-robin", arena::Form::round_robin},
                                                             {"gauntlet", arena::Form::gauntlet},
                                                             {"together", arena::Form::together},
                                                             {"seated", arena::Form::seated}};
    const auto found = forms.find(name);
    if (found == forms.end())
        throw Error("there is no form " + name, "choose round-robin, gauntlet, together or seated");
    return found->second;
}

arena::Plan plan_of(const py::dict& given, const std::vector<std::string>& games,
                    const std::deque<PlayerSpec>& players) {
    arena::Plan plan;
    plan.games = games;
    for (const PlayerSpec& player : players) plan.players.push_back(player.text());
    plan.form = form_named(given["form"].cast<std::string>());
    plan.rounds = given["rounds"].cast<std::uint64_t>();
    plan.clock = given["clock"].cast<double>();
    plan.start_clock = given["start_clock"].cast<double>();
    plan.playouts = given["playouts"].cast<std::uint64_t>();
    plan.seed = given["seed"].cast<std::uint64_t>();
    plan.memory = given["memory"].cast<std::size_t>();
    plan.check = given["check"].cast<bool>();
    plan.alone = given["alone"].cast<bool>();
    return plan;
}

py::list rows_of(const std::vector<arena::MatchResult>& matches) {
    py::list rows;
    for (const arena::MatchResult& match : matches) {
        const std::vector<double> points =
            match.error.empty() ? arena::seat_points(match) : std::vector<double>(match.seats.size(), 0);
        for (std::size_t i = 0; i < match.seats.size(); ++i) {
            const arena::SeatResult& seat = match.seats[i];
            rows.append(py::dict("match"_a = match.match, "game"_a = match.game, "seed"_a = match.seed,
                                 "role"_a = seat.role, "player"_a = seat.player, "goal"_a = seat.goal,
                                 "points"_a = points[i], "moves"_a = seat.moves, "playouts"_a = seat.playouts,
                                 "illegal"_a = seat.illegal, "late"_a = seat.late, "seconds"_a = seat.seconds,
                                 "longest_move"_a = seat.longest_move, "plies"_a = match.plies,
                                 "line"_a = match.moves, "error"_a = match.error));
        }
    }
    return rows;
}

py::dict run_tournament(const std::vector<std::string>& names, const Games& games, const py::list& players,
                        const py::dict& given, const std::string& record_file, const py::object& listener) {
    std::deque<PlayerSpec> specs;
    bool in_python = false;
    for (const auto& player : players)
        in_python = specs.emplace_back(py::reinterpret_borrow<py::object>(player)).in_python() || in_python;
    for (const auto& game : games) (void)game->context();
    const arena::Plan plan = plan_of(given, names, specs);
    ggp::check_players(plan);
    const ggp::RemoteRegistry field({});
    ProgressReport progress(listener);
    arena::TournamentOptions options;
    options.parallel = given["parallel"].cast<unsigned>();
    if (options.parallel == 0 && in_python)
        options.parallel = 1;  // they would wait for each other, on their clocks
    options.own_cores = !in_python;
    options.limits = limits_of(given["seconds"].cast<std::optional<double>>(), std::nullopt);
    options.load = [&](const std::string& name) {
        const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
        return arena::LoadedGame{&games[at]->context(), &games[at]->shared(), nullptr};
    };
    options.make = [&](const arena::Fixture& fixture, const play::Spec& spec,
                       const play::Settings& settings) { return field.make_player(fixture, spec, settings); };
    if (progress.wanted()) {
        options.progress = [&](const arena::Progress& now, const arena::MatchResult&) {
            progress.say(std::to_string(now.finished) + " of " + std::to_string(now.scheduled) + " matches",
                         now.finished);
        };
    }
    const arena::TournamentResult result = long_call(
        [&] {
            std::unique_ptr<arena::Record> record;
            if (!record_file.empty()) record = std::make_unique<arena::Record>(record_file, plan.text());
            return arena::run(plan, options, record.get());
        },
        &progress);
    const arena::Standings standings = arena::standings(result.matches);
    return py::dict(
        "rows"_a = rows_of(result.matches), "standings"_a = from_json(arena::json(standings).dump()),
        "text"_a = arena::text(standings), "html"_a = arena::html(standings, "Tournament", plan.text()),
        "scheduled"_a = result.scheduled, "stop"_a = result.stop == Stop::none ? "" : describe(result.stop));
}

}  // namespace

void bind_tournaments(py::module_& module) {
    module.def("_tournament", &run_tournament, py::arg("names"), py::arg("games"), py::arg("players"),
               py::arg("plan"), py::arg("record"), py::arg("progress"));
}

}  // namespace zermelo::python
