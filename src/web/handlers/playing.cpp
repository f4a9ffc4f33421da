// API: positions, steps, players that think, and the analysis of every move.

#include <algorithm>
#include <random>

#include "equilibrium/solve.hpp"
#include "game/chance/solve.hpp"
#include "game/solve.hpp"
#include "web/handlers/forward.hpp"
#include "web/server.hpp"
#include "web/session/analysis_session.hpp"

namespace zermelo::web {

namespace {

constexpr double longest = 600;  // seconds of thinking
constexpr double least = 0.01;
constexpr const char* usual_analyst = "zermelo";

Position read_position(const Call& call, GameCache& cache) {
    const Limits limits = call.limits(reading_seconds);
    const auto steps = call.body.find("steps");
    return {cache.gdl(call.body.value("game", json()), limits),
            steps == call.body.end() ? json::array() : *steps, limits};
}

std::optional<std::size_t> read_seat(const Call& call, const Position& position) {
    const std::string name = call.text("as", "");
    return name.empty() ? std::nullopt : std::optional(position.seat(name));
}

json tell_position(const Call& call, GameCache& cache) {
    Position position = read_position(call, cache);
    json all = position.describe(read_seat(call, position));
    if (call.body.value("fluents", json()) == true) all["fluents"] = position.fluents();
    return all;
}

json make_step(const Call& call, GameCache& cache) {
    Position position = read_position(call, cache);
    const auto as = read_seat(call, position);
    std::random_device device;
    Random dice(std::uint64_t{device()} << 32 | device());
    json step = position.make(call.body.value("moves", json::object()), dice);
    return {{"step", std::move(step)}, {"position", position.describe(as)}};
}

// A play that somebody wrote or sent, step by step.
json replay(const Call& call, GameCache& cache) {
    const Limits limits = call.limits(reading_seconds);
    const auto ground = cache.gdl(call.body.value("game", json()), limits);
    Position whole(ground, json::array(), limits);
    whole.follow(call.text("play", ""), limits);
    json entries = json::array();
    Position walk(ground, json::array(), limits);
    Random unused(1);
    for (const play::JointMove& joint : whole.steps()) {
        const auto forced = walk.forced();
        json entry = {{"step", walk.step_json(joint)},
                      {"by", forced ? std::vector<std::string>{forced->role} : walk.choosing()},
                      {"forced", forced.has_value()},
                      {"before", nullptr}};
        if (!walk.rules().hidden()) entry["before"] = walk.facts();
        walk.make(entry["step"], unused);
        entries.push_back(std::move(entry));
    }
    return {{"entries", std::move(entries)}};
}

json list_players() {
    const auto described = [](const play::KeyDescription& key) {
        return json{{"name", key.name}, {"about", key.about}};
    };
    json players = json::array();
    for (const play::PlayerDescription& player : play::describe_players()) {
        json keys = json::array();
        for (const auto& key : player.keys) {
            if (key.name != "strategy") keys.push_back(described(key));
        }
        for (const auto& key : play::describe_common_keys()) {
            if (key.name == "playouts" || key.name == "memory") keys.push_back(described(key));
        }
        players.push_back({{"name", player.name}, {"about", player.about}, {"keys", std::move(keys)}});
    }
    return {{"players", std::move(players)}};
}

void think(const Call& call, Events& events, GameCache& cache) {
    const play::Spec spec = page_player(call.text("player"));
    double seconds = call.number("seconds", 1, least, longest);
    if (!asks_about_gdl(call, cache)) return forward_think(call, events, cache, seconds);
    if (spec.seconds) seconds = std::min(seconds, *spec.seconds);
    const Position position = read_position(call, cache);
    const std::size_t role = position.seat(call.text("role"));
    if (position.over()) throw Refusal(422, "the play is over");
    const Limits limits = call.limits(seconds);
    const auto deadline = play::Deadline::in(seconds);
    AnalysisSession session(position, role, spec, seconds, call.budget);
    while (session.run_slice(deadline) && !session.settled() && limits.reached() == Stop::none)
        events.send("thought", session.thought());
    events.send("move", {{"move", session.move()}, {"thought", session.thought()}});
}

// The rest of the game is solved first, if that is quick; otherwise a player thinks about it, and in the
// middle solving gets a longer attempt.
class Analysis {
public:
    Analysis(const Call& call, Events& events, GameCache& cache)
        : call_(call),
          events_(events),
          cache_(cache),
          seconds_(call.number("seconds", 5, least, longest)),
          spec_(page_player(call.text("player", usual_analyst))),
          position_(read_position(call, cache)),
          limits_(call.limits(seconds_)),
          deadline_(play::Deadline::in(seconds_)),
          solvable_(position_.rules().turns()),
          chance_(game::has_chance(position_.ground().game) && !position_.rules().hidden()),
          mixed_(!solvable_ && equilibrium::calls_for_equilibrium(position_.ground().game)) {
        choose_role();
    }

    void run() {
        if (position_.over()) {
            events_.send(
                "solved",
                {{"mover", nullptr}, {"values", position_.goals()}, {"rank", 0}, {"moves", json::array()}});
            return end("");
        }
        if (mixed_ && mix(mixing_share * seconds_)) return end("");
        for (const Try& one : tries) {
            if (solve(std::min(one.length * seconds_, one.most), one.symmetry)) return end("");
            think(one.thinking * seconds_);
        }
        // There is time left where the player has finished early.
        if (solve(deadline_.left(), true)) return end("");
        const Stop stop = limits_.reached();
        end(stop != Stop::none ? describe(stop) : thinks() ? describe(Stop::time) : unsolved_);
    }

private:
    // A try to solve it, for this part of the time, but at most so many seconds; to look for symmetries does
    // not pay where there is little time. Then a player thinks for a part of the time.
    struct Try {
        double length;
        double most;
        bool symmetry;
        double thinking;
    };
    static constexpr std::array<Try, 2> tries = {{{0.1, 1, false, 0.4}, {0.3, 60, true, 1}}};
    static constexpr double mixing_share = 0.6;  // of the time, for an equilibrium
    static constexpr std::size_t table_bytes = std::size_t{32} << 20;
    static constexpr std::size_t most_bytes = std::size_t{256} << 20;  // for one try

    // Who is asked for, or else whoever has a choice.
    void choose_role() {
        if (position_.over()) return;
        std::vector<std::size_t> choosing;
        for (const std::size_t role : position_.rules().seats()) {
            if (position_.has_choice(role)) choosing.push_back(role);
        }
        if (choosing.empty()) return;
        const auto as = read_seat(call_, position_);
        const bool may = as && std::ranges::count(choosing, *as) > 0;
        role_ = may ? *as : choosing.front();
    }

    [[nodiscard]] bool thinks() const { return role_ && !(session_ && session_->settled()); }

    void think(double seconds) {
        if (!thinks() || deadline_.left() <= 0) return;
        if (!session_) {
            session_ =
                std::make_unique<AnalysisSession>(position_, *role_, spec_, deadline_.left(), call_.budget);
        }
        const auto until = play::Deadline::in(std::min(seconds, deadline_.left()));
        for (bool more = true; more && thinks() && limits_.reached() == Stop::none;) {
            more = session_->run_slice(until);
            events_.send("thought", session_->thought());
        }
    }

    [[nodiscard]] bool solve(double seconds, bool symmetry) {
        seconds = std::min(seconds, deadline_.left());
        if (chance_) return solve_chance(seconds);
        if (!solvable_ || seconds <= 0 || limits_.reached() != Stop::none) return false;
        game::SolveOptions options;
        options.limits = Limits(seconds, std::min(call_.budget, resident_bytes() + most_bytes));
        options.threads = 1;
        options.symmetry = symmetry;
        options.table_bytes = table_bytes;
        options.plans = false;
        options.every_move = true;
        options.line = position_.line();
        game::Solution solution;
        try {
            solution = game::solve(position_.ground().game, options);
        } catch (const LimitReached& limit) {
            solution.stop = limit.stop();
        } catch (const Error&) {
            solvable_ = false;  // roles move at the same time, after all
            return false;
        }
        unsolved_ = describe(solution.stop);
        if (solution.solved) events_.send("solved", told(solution));
        return solution.solved;
    }

    // Expected payoffs, where there is chance and everything is seen.
    [[nodiscard]] bool solve_chance(double seconds) {
        if (seconds <= 0 || limits_.reached() != Stop::none) return false;
        game::ChanceOptions options;
        options.limits = Limits(seconds, std::min(call_.budget, resident_bytes() + most_bytes));
        options.threads = 1;
        options.policies = false;
        options.every_move = true;
        options.from = &position_.state();
        options.values.exact = false;
        try {
            const game::ChanceSolution solution = game::solve_chance(position_.ground().game, options);
            unsolved_ = describe(solution.stop);
            if (solution.solved) events_.send("solved", told(solution));
            return solution.solved;
        } catch (const Error&) {
            chance_ = false;  // players move at the same time, or their interests are of another kind
            return false;
        }
    }

    [[nodiscard]] static json told(const game::ChanceSolution& solution) {
        const auto values = [&](const std::vector<game::Expectation>& by_player) {
            json all = json::object();
            for (std::size_t p = 0; p < by_player.size(); ++p)
                all[solution.players[p]] = by_player[p].number();
            return all;
        };
        json all = {{"mover", nullptr},
                    {"values", values(solution.values)},
                    {"rank", nullptr},
                    {"expected", true},
                    {"moves", json::array()}};
        if (!solution.mover) return all;
        all["mover"] = solution.players[*solution.mover];
        for (const game::ChanceMove& move : solution.moves) {
            const double own = move.values[*solution.mover].number();
            all["moves"].push_back({{"move", move.move},
                                    {"values", values(move.values)},
                                    {"verdict", own > game::draw   ? "won"
                                                : own < game::draw ? "lost"
                                                                   : "drawn"},
                                    {"rank", nullptr},
                                    {"best", move.best}});
        }
        return all;
    }

    // Where players move at the same time or see different things: how to mix, and what each move is worth
    // against the other's mixture. In a game with hidden moves only the own mixture is told.
    [[nodiscard]] bool mix(double seconds) {
        equilibrium::SolveOptions options;
        options.limits = Limits(seconds, std::min(call_.budget, resident_bytes() + most_bytes));
        options.line = position_.steps();
        options.certificate = false;
        equilibrium::Solution solution;
        try {
            solution = equilibrium::solve(position_.ground().game, options);
        } catch (const Error&) {
            mixed_ = false;  // interests are not opposite, or plays do not end
            return false;
        }
        unsolved_ = describe(solution.stop);
        if (solution.solved) events_.send("solved", told(solution));
        return solution.solved;
    }

    [[nodiscard]] json told(const equilibrium::Solution& solution) {
        json all = {{"mover", nullptr},
                    {"values", json::object()},
                    {"rank", nullptr},
                    {"moves", json::array()},
                    {"mixtures", json::array()}};
        if (role_) all["mover"] = position_.rules().role_name(*role_);
        const auto as = read_seat(call_, position_);
        const auto& roles = solution.equilibrium.roles;
        for (std::size_t p = 0; p < 2; ++p) {
            const auto [lower, upper] = solution.bounds(p);
            all["values"][roles[p]] = static_cast<double>(Rational((lower + upper) / 2));
        }
        for (const equilibrium::Decision& decision : solution.decisions) {
            const std::size_t role = position_.rules().seats()[decision.player];
            if (position_.rules().hidden() && (role != role_ || (as && role != *as))) continue;
            json moves = json::array();
            for (const auto& move : decision.moves) {
                moves.push_back(
                    {{"move", move.move},
                     {"probability", static_cast<double>(move.probability)},
                     {"value", move.value ? json(static_cast<double>(*move.value)) : json(nullptr)}});
            }
            if (role_ && position_.has_choice(role))
                all["mixtures"].push_back({{"role", roles[decision.player]}, {"moves", std::move(moves)}});
        }
        if (all["mixtures"].size() == 2) all["payoffs"] = payoffs(all["mixtures"]);
        return all;
    }

    // Where every pair of moves ends the play: what the first of the two gets for it, row by row. Otherwise null.
    [[nodiscard]] json payoffs(const json& mixtures) const {
        constexpr std::size_t most_pairs = 100;
        const json& own = mixtures[0];
        const json& other = mixtures[1];
        if (own["moves"].size() * other["moves"].size() > most_pairs) return nullptr;
        json steps = json::array();
        for (const play::JointMove& joint : position_.steps()) steps.push_back(position_.step_json(joint));
        const auto ground = cache_.gdl(call_.body.value("game", json()), limits_);
        json table = json::array();
        Random unused(1);
        for (const json& row : own["moves"]) {
            json& values = table.emplace_back(json::array());
            for (const json& column : other["moves"]) {
                Position after(ground, steps, limits_);
                after.make({{own["role"], row["move"]}, {other["role"], column["move"]}}, unused);
                if (!after.over()) return nullptr;
                values.push_back(after.goals()[own["role"].get<std::string>()]);
            }
        }
        return table;
    }

    [[nodiscard]] static json told(const game::Solution& solution) {
        const auto values = [&](const std::vector<int>& by_player) {
            json all = json::object();
            for (std::size_t p = 0; p < by_player.size(); ++p) all[solution.players[p]] = by_player[p];
            return all;
        };
        json all = {{"mover", nullptr},
                    {"values", values(solution.values)},
                    {"rank", nullptr},
                    {"moves", json::array()}};
        if (solution.rank) all["rank"] = *solution.rank;
        if (solution.mover) all["mover"] = solution.players[*solution.mover];
        for (const game::MoveReport& move : solution.moves) {
            json one = {{"move", move.move},
                        {"values", values(move.values)},
                        {"verdict", game::verdict(solution.mover.value(), move.values)},
                        {"rank", nullptr},
                        {"best", move.best}};
            if (move.rank) one["rank"] = *move.rank + 1;  // the move itself counts
            all["moves"].push_back(std::move(one));
        }
        return all;
    }

    void end(const std::string& stop) { events_.send("end", {{"stop", stop}}); }

    const Call& call_;
    Events& events_;
    GameCache& cache_;
    double seconds_;
    play::Spec spec_;
    Position position_;
    Limits limits_;
    play::Deadline deadline_;
    bool solvable_;
    bool chance_;           // all is seen but what chance will do
    bool mixed_;            // an equilibrium may be found
    std::string unsolved_;  // why the last try was in vain
    std::optional<std::size_t> role_;
    std::unique_ptr<AnalysisSession> session_;
};

}  // namespace

void add_playing(Router& router, GameCache& cache) {
    router.work("POST", "/api/position", [&](const Call& call) {
        return asks_about_gdl(call, cache) ? tell_position(call, cache) : forward_position(call, cache);
    });
    router.work("POST", "/api/step", [&](const Call& call) {
        return asks_about_gdl(call, cache) ? make_step(call, cache) : forward_step(call, cache);
    });
    router.work("POST", "/api/output", [&](const Call& call) { return forward_output(call, cache); });
    router.work("POST", "/api/replay", [&](const Call& call) {
        return asks_about_gdl(call, cache) ? replay(call, cache) : forward_replay(call, cache);
    });
    router.quick("GET", "/api/players", [](const Call&) { return list_players(); });
    router.stream("/api/think", [&](const Call& call, Events& events) { think(call, events, cache); });
    router.stream("/api/analyse", [&](const Call& call, Events& events) {
        if (asks_about_gdl(call, cache)) return Analysis(call, events, cache).run();
        forward_analyse(call, events, cache, call.number("seconds", 5, least, longest));
    });
}

}  // namespace zermelo::web
