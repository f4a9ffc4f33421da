#include "cluster/solve.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "cluster/retrograde/solve.hpp"
#include "cluster/search/distributed_search.hpp"
#include "core/clock.hpp"
#include "core/format/text.hpp"
#include "solve/chance.hpp"

namespace zermelo::cluster {

namespace {

using nlohmann::json;
void require_one_process(const Comm& comm, const std::string& file, const std::string& what) {
    if (comm.size() == 1) return;
    throw Error({file}, what + " runs in one process", "start it without mpirun");
}

std::unique_ptr<ClusterSearch> make_search(Comm& comm, const SolveOptions& options,
                                           const std::string& checkpoint) {
    ClusterSearchOptions how;
    how.checkpoint = checkpoint;
    how.seconds_between_saves = options.seconds_between_saves;
    if (comm.first() && options.progress) {
        how.progress = [tell = options.progress](std::uint64_t jobs, std::size_t positions) {
            tell({fmt::format("{} jobs, {} positions in the tree of them", count_text(jobs),
                              count_text(positions)),
                  jobs});
        };
    }
    return std::make_unique<ClusterSearch>(comm, std::move(how));
}

json to_json(Comm& comm, ClusterSearch& search) {
    const ClusterSearchStatistics s = search.statistics();
    return {{"processes", comm.size()},   {"jobs", s.jobs},
            {"splits", s.splits},         {"called_off", s.cancelled},
            {"called_back", s.recalled},  {"continued_jobs", s.continued},
            {"news_bytes", s.news_bytes}, {"idle_seconds", s.idle_seconds}};
}

json to_json(Comm& comm, const LevelsSolution& solved) {
    json object = {{"processes", comm.size()},
                   {"levels", solved.levels},
                   {"layered", solved.layered},
                   {"forgotten", solved.forgotten},
                   {"digest", hex(solved.digest)},
                   {"explore_seconds", solved.explore_seconds},
                   {"backward_seconds", solved.backward_seconds},
                   {"shares", json::array()}};
    for (const Share& share : solved.shares) {
        object["shares"].push_back({{"states", share.states},
                                    {"peak_bytes", share.peak_bytes},
                                    {"bytes_sent", share.bytes_sent},
                                    {"messages", share.messages},
                                    {"bytes_stored", share.bytes_stored},
                                    {"cpu_seconds", share.cpu_seconds}});
    }
    return object;
}

TogetherVerdict solve_levels(const Problem& problem, Comm& comm, const TogetherOptions& options) {
    LevelOptions how;
    how.common = forward_options(options.solve);
    how.common.progress = {};
    how.spill = options.spill;
    if (comm.first() && options.solve.progress) {
        how.progress = [tell = options.solve.progress](const Progress& now) {
            tell({fmt::format("{}: level {}, {} states here, {} MB", now.stage, now.level,
                              count_text(now.states), count_text(resident_bytes() >> 20)),
                  now.states});
        };
    }
    const auto start = Clock::now();
    LevelsSolution solved;
    if (problem.gdl() != nullptr) {
        solved = solve_levels(*problem.gdl(), comm, how);
    } else if (problem.graph() != nullptr) {
        solved = solve_levels(*problem.graph(), comm, how);
    } else {
        throw Error({problem.file()}, setting("engine", "levels") + " is for games in GDL and graphs",
                    "leave it out");
    }
    solved.solution.reason =
        comm.size() == 1 ? "asked for" : fmt::format("there are {} processes", comm.size());
    TogetherVerdict result;
    result.work = std::make_shared<const json>(to_json(comm, solved));
    result.forgotten = solved.forgotten;
    result.verdict = to_verdict(std::move(solved.solution));
    result.verdict.wall_seconds = seconds_since(start);
    return result;
}

// Alpha-beta by several processes; anything else in one.
TogetherVerdict solve_forward(const Problem& problem, Comm& comm, SolveOptions options) {
    TogetherVerdict result;
    if (comm.size() == 1) {
        result.verdict = zermelo::solve(problem, options);
        return result;
    }
    const auto partners = make_search(comm, options, "");
    options.partners = partners.get();
    options.progress = {};
    if (options.threads.value_or(0) == 0) options.threads = 1;  // a process has a core
    result.verdict = zermelo::solve(problem, options);
    result.work = std::make_shared<const json>(to_json(comm, *partners));
    const auto all = gather_all(comm, result.verdict.cpu_seconds);
    result.verdict.cpu_seconds = std::accumulate(all.begin(), all.end(), 0.0);
    return result;
}

// Each model that is searched gets a distributed search of its own.
TogetherVerdict solve_models(const Problem& problem, Comm& comm, SolveOptions options) {
    TogetherVerdict result;
    std::vector<std::shared_ptr<const json>> works;
    const std::string checkpoint = problem.model() != nullptr ? options.checkpoint : "";
    if (comm.size() > 1 || !checkpoint.empty()) {
        options.search_model = [&](const model::Model& model, const quantified::SolveOptions& given) {
            quantified::SolveOptions how = given;
            const auto partners = make_search(comm, options, checkpoint);
            how.partners = partners.get();
            how.progress = {};
            quantified::Answer answer =
                model.objective ? quantified::maximise(model, how) : quantified::solve(model, how);
            works.push_back(std::make_shared<const json>(to_json(comm, *partners)));
            return answer;
        };
    }
    if (comm.size() > 1) options.agree = agreement(comm);
    result.verdict = zermelo::solve(problem, options);
    if (problem.model() != nullptr) {
        if (!works.empty()) result.work = works.front();
    } else {
        result.questions = std::move(works);
    }
    return result;
}

}  // namespace

TogetherVerdict solve(const Problem& problem, Comm& comm, const TogetherOptions& options) {
    const Engine engine = options.solve.engine;
    const bool encoded =
        problem.gdl() != nullptr && (engine == Engine::quantified || engine == Engine::strategic);
    const bool searched = problem.model() != nullptr && !is_forward(engine) && !options.levels;
    if (engine == Engine::proof_number) require_one_process(comm, problem.file(), "proof-number search");
    if (engine == Engine::equilibrium)
        require_one_process(comm, problem.file(), "the search for an equilibrium");
    const bool chance = !options.levels && solves_chance(problem, engine);
    if (problem.kind() == Problem::Kind::stochastic || chance) {
        require_one_process(comm, problem.file(), chance ? "a game with chance" : "a model with chance");
        TogetherVerdict result;
        result.verdict = zermelo::solve(problem, options.solve);
        return result;
    }
    if (encoded || searched) return solve_models(problem, comm, options.solve);
    const bool levels = options.levels || (comm.size() > 1 && engine != Engine::alpha_beta);
    if (!levels && !options.spill.empty()) {
        throw Error({problem.file()}, setting("spill") + " is for " + setting("engine", "levels"),
                    "leave it out, or choose this engine");
    }
    return levels ? solve_levels(problem, comm, options) : solve_forward(problem, comm, options.solve);
}

Agreement agreement(Comm& comm) {
    if (comm.size() == 1) return {};
    return [&comm](Stop mine, const std::string& during) {
        const auto stop = static_cast<Stop>(greatest(comm, static_cast<std::uint64_t>(mine)));
        if (stop != Stop::none) throw LimitReached(stop, during, "allow more");
    };
}

}  // namespace zermelo::cluster
