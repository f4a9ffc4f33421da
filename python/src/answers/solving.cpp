// solve(): options in, a verdict out, as a dictionary that zermelo/solving.py makes a Verdict of.

#include "answers/certificate.hpp"
#include "long_call.hpp"

namespace zermelo::python {

namespace {

using namespace py::literals;

struct Asked {
    SolveOptions options;
    std::shared_ptr<ProgressReport> progress;
};

template <class T>
void take(const py::dict& given, const char* name, T& place) {
    if (given.contains(name) && !given[name].is_none()) place = given[name].cast<T>();
}
template <class T>
void take(const py::dict& given, const char* name, std::optional<T>& place) {
    if (given.contains(name) && !given[name].is_none()) place = given[name].cast<T>();
}

Asked options_of(const py::dict& given, const py::object& listener) {
    Asked asked{{}, std::make_shared<ProgressReport>(listener)};
    SolveOptions& options = asked.options;
    std::string engine = "auto";
    take(given, "engine", engine);
    const auto chosen = engine_named(engine);
    if (!chosen)
        throw Error("there is no engine " + engine,
                    "choose auto, forward, attractors, alpha-beta, proof-number, quantified, qcdcl, "
                    "strategic, mac, fc, "
                    "expectimax, value-iteration or equilibrium");
    options.engine = *chosen;
    std::optional<double> seconds;
    std::optional<std::size_t> memory;
    take(given, "seconds", seconds);
    take(given, "memory", memory);
    options.limits = limits_of(seconds, memory);
    take(given, "threads", options.threads);
    take(given, "symmetry", options.symmetry);
    take(given, "certificate", options.certificate);
    take(given, "all_first_moves", options.all_first_moves);
    take(given, "role", options.role);
    take(given, "threshold", options.threshold);
    take(given, "horizon", options.horizon);
    take(given, "best_policy", options.best_policy);
    take(given, "line", options.line);
    take(given, "checkpoint", options.checkpoint);
    take(given, "table_bytes", options.table_bytes);
    if (asked.progress->wanted()) {
        options.progress = [report = asked.progress](const SolveProgress& now) {
            report->say(now.text, now.work);
        };
    }
    return asked;
}

py::object bounds(const Rational& low, const Rational& high) {
    return py::make_tuple(fraction(low), fraction(high));
}

// By player: between which exact numbers the value is.
py::dict exact_values(const Verdict& verdict) {
    py::dict all;
    if (const auto* chance = verdict.as<game::ChanceSolution>()) {
        for (std::size_t p = 0; p < chance->values.size(); ++p)
            all[py::str(verdict.players[p])] = bounds(chance->values[p].low, chance->values[p].high);
    } else if (const auto* mixed = verdict.as<equilibrium::Solution>(); mixed != nullptr && mixed->solved) {
        for (std::size_t p = 0; p < 2; ++p) {
            const auto between = mixed->bounds(p);
            all[py::str(mixed->equilibrium.roles[p])] = bounds(between[0], between[1]);
        }
    } else if (const auto* policy = verdict.certificate.as<stochastic::Policy>()) {
        for (std::size_t p = 0; p < policy->utilities.size(); ++p)
            all[py::str(verdict.players[p])] = bounds(policy->utilities[p], policy->utilities[p]);
    } else {
        for (std::size_t p = 0; p < verdict.values.size(); ++p) {
            const py::object value = py::module_::import("fractions").attr("Fraction")(verdict.values[p]);
            all[py::str(verdict.players[p])] = py::make_tuple(value, value);
        }
    }
    return all;
}

template <class Values, class Number>
py::dict by_player(const std::vector<std::string>& players, const Values& values, Number number) {
    py::dict all;
    for (std::size_t p = 0; p < values.size(); ++p) all[py::str(players[p])] = number(values[p]);
    return all;
}

// What moves are worth, where the engine tells.
py::list moves_of(const Verdict& verdict) {
    py::list all;
    if (const auto* game = verdict.as<game::Solution>()) {
        for (const game::MoveReport& move : game->moves) {
            const py::dict values = by_player(verdict.players, move.values, [](int v) { return double(v); });
            all.append(py::dict("move"_a = move.move, "values"_a = values, "best"_a = move.best,
                                "rank"_a = move.rank));
        }
    } else if (const auto* chance = verdict.as<game::ChanceSolution>()) {
        for (const game::ChanceMove& move : chance->moves) {
            const py::dict values =
                by_player(verdict.players, move.values, [](const auto& v) { return v.number(); });
            all.append(py::dict("move"_a = move.move, "values"_a = values, "best"_a = move.best,
                                "probability"_a = move.probability));
        }
    } else if (const auto* mixed = verdict.as<equilibrium::Solution>()) {
        for (const equilibrium::Decision& decision : mixed->decisions) {
            for (const equilibrium::MoveWorth& move : decision.moves) {
                const py::object value = move.value ? fraction(*move.value) : py::none();
                all.append(py::dict("player"_a = mixed->equilibrium.roles[decision.player],
                                    "at"_a = decision.at, "move"_a = move.move,
                                    "probability"_a = fraction(move.probability), "value"_a = value));
            }
        }
    }
    return all;
}

py::dict first_mixtures(const Verdict& verdict) {
    py::dict all;
    const auto* mixed = verdict.as<equilibrium::Solution>();
    if (mixed == nullptr || !mixed->solved) return all;
    const auto mixtures = first_mixture(*mixed);
    for (std::size_t p = 0; p < 2; ++p) {
        py::dict moves;
        for (const auto& [move, probability] : mixtures[p]) moves[py::str(move)] = fraction(probability);
        all[py::str(mixed->equilibrium.roles[p])] = moves;
    }
    return all;
}

py::dict statistics(const Verdict& verdict) {
    if (const auto* game = verdict.as<game::Solution>()) {
        const game::SolveStatistics& s = game->statistics;
        return py::dict("nodes"_a = s.nodes, "peeks"_a = s.peeks, "edges"_a = s.edges,
                        "table_hits"_a = s.table_hits, "table_entries"_a = s.table_entries,
                        "symmetries"_a = s.symmetries, "threads"_a = s.threads, "reason"_a = game->reason);
    }
    const auto of_search = [](const quantified::SearchStatistics& s) {
        return py::dict("nodes"_a = s.nodes, "choices"_a = s.choices, "failures"_a = s.failures,
                        "successes"_a = s.successes, "propagations"_a = s.propagations, "goods"_a = s.goods,
                        "nogoods"_a = s.nogoods, "stored"_a = s.stored, "backjumps"_a = s.backjumps,
                        "learned"_a = s.learned, "depth"_a = s.depth);
    };
    if (const auto* answer = verdict.as<quantified::Answer>()) return of_search(answer->statistics);
    if (const auto* questions = verdict.as<ThresholdSolution>()) return of_search(questions->statistics());
    if (const auto* policy = verdict.as<stochastic::Answer>()) {
        const stochastic::Statistics& s = policy->statistics;
        return py::dict("nodes"_a = s.nodes, "failures"_a = s.failures, "pruned"_a = s.pruned,
                        "propagations"_a = s.propagations, "tuples"_a = s.tuples, "refuted"_a = s.refuted);
    }
    if (const auto* chance = verdict.as<game::ChanceSolution>())
        return py::dict("states"_a = chance->states, "edges"_a = chance->edges,
                        "cyclic_states"_a = chance->cyclic_states, "sweeps"_a = chance->sweeps);
    if (const auto* mixed = verdict.as<equilibrium::Solution>())
        return py::dict("positions"_a = mixed->positions, "linear_programs"_a = mixed->programs,
                        "information_sets"_a = mixed->information_sets, "method"_a = name(mixed->method));
    return {};
}

std::optional<model::Value> guarantee(const Verdict& verdict) {
    const auto* answer = verdict.as<quantified::Answer>();
    return answer == nullptr ? std::nullopt : answer->best;
}

const char* stop_word(Stop stop) {
    return stop == Stop::time          ? "time"
           : stop == Stop::memory      ? "memory"
           : stop == Stop::interrupted ? "interrupted"
                                       : "";
}

py::dict solve_problem(const std::shared_ptr<ProblemObject>& problem, const py::dict& given,
                       const py::object& listener, const std::optional<StateObject>& from) {
    Asked asked = options_of(given, listener);
    if (from) asked.options.from = from->at->state;
    auto verdict = long_call([&] { return solve(problem->problem, asked.options); }, asked.progress.get());
    py::dict found("outcome"_a = name(verdict.outcome), "stop"_a = stop_word(verdict.stop),
                   "engine"_a = name(verdict.engine), "players"_a = verdict.players,
                   "exact"_a = exact_values(verdict), "best"_a = verdict.best,
                   "all_best"_a = verdict.all_best, "moves"_a = moves_of(verdict),
                   "mixture"_a = first_mixtures(verdict), "guarantee"_a = guarantee(verdict),
                   "nodes"_a = verdict.nodes, "cpu_seconds"_a = verdict.cpu_seconds,
                   "wall_seconds"_a = verdict.wall_seconds, "statistics"_a = statistics(verdict));
    found["values"] = by_player(verdict.players, verdict.values, [](double v) { return v; });
    auto proof = std::make_shared<const Certificate>(std::move(verdict.certificate));
    found["certificate"] = CertificateObject{problem, std::move(proof)};
    return found;
}

}  // namespace

void bind_solving(py::module_& module) {
    module.def("_solve", &solve_problem, py::arg("problem"), py::arg("options"), py::arg("progress"),
               py::arg("from_"));
    module.def(
        "_solves_chance",
        [](const ProblemObject& self) { return solves_chance(self.problem, Engine::automatic); },
        py::arg("problem"));
    module.def(
        "_calls_for_equilibrium",
        [](const ProblemObject& self) { return calls_for_equilibrium(self.problem); }, py::arg("problem"));
}

}  // namespace zermelo::python
