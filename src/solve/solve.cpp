#include "solve/solve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/clock.hpp"
#include "quantified/qbf/solve.hpp"
#include "solve/chance.hpp"
#include "solve/equilibria.hpp"
#include "solve/stages.hpp"
#include "solve/thresholds.hpp"

namespace zermelo {

namespace {

template <class Word>
Outcome outcome_of(Word verdict) {
    if (verdict == Word::won) return Outcome::won;
    return verdict == Word::lost ? Outcome::lost : Outcome::unknown;
}

Outcome outcome_named(const std::string& word) {
    for (const Outcome outcome : {Outcome::won, Outcome::lost, Outcome::drawn}) {
        if (word == name(outcome)) return outcome;
    }
    return Outcome::unknown;
}

Engine engine_of(game::Engine engine) {
    switch (engine) {
        case game::Engine::attractors:
            return Engine::attractors;
        case game::Engine::alpha_beta:
            return Engine::alpha_beta;
        case game::Engine::proof_number:
            return Engine::proof_number;
        case game::Engine::automatic:
            break;
    }
    return Engine::automatic;
}

// ------------------------------------------------------------------------------------------ forward engines

game::Solution run_forward(const Problem& problem, const game::SolveOptions& options) {
    try {
        if (problem.gdl() != nullptr) return game::solve(*problem.gdl(), options);
        if (problem.graph() != nullptr) return game::solve(*problem.graph(), options);
        return game::solve(*problem.model(), options);
    } catch (const LimitReached& limit) {
        game::Solution none;
        none.engine = options.engine;
        none.stop = limit.stop();
        return none;
    }
}

Verdict solve_forward(const Problem& problem, const SolveOptions& options) {
    const auto start = Clock::now();
    const double cpu_start = cpu_seconds();
    Verdict verdict = to_verdict(run_forward(problem, forward_options(options)));
    verdict.cpu_seconds = cpu_seconds() - cpu_start;
    verdict.wall_seconds = seconds_since(start);
    return verdict;
}

// ------------------------------------------------------------------------------------------ models

std::vector<std::string> best_texts(const model::Model& model, const quantified::Answer& answer) {
    std::vector<std::string> all;
    for (const auto& values : answer.first_moves) {
        std::vector<strategy::Move> moves;
        for (std::size_t i = 0; i < values.size(); ++i)
            moves.push_back({model.prefix.front().variables[i], values[i]});
        all.push_back(moves_text(model, moves));
    }
    if (all.empty() && answer.verdict != quantified::Verdict::unknown) {
        if (const auto moves = first_moves(model, answer.strategy); !moves.empty())
            all.push_back(moves_text(model, moves));
    }
    return all;
}

// Where something is asked for that only the search can do, it is the search that does it.
bool learns_by_itself(const model::Model& model, const SolveOptions& options) {
    return options.engine == Engine::automatic && !options.all_first_moves && !options.search_model &&
           options.search.kernel == quantified::KernelChoice::trail && quantified::calls_for_learning(model);
}

Verdict solve_quantified(const Problem& problem, const SolveOptions& options) {
    const model::Model& model = *problem.model();
    if (options.all_first_moves &&
        (model.prefix.empty() || model.prefix.front().quantifier != model::Quantifier::exists)) {
        throw Error({problem.file()},
                    setting("all-first-moves") + " asks for the moves of ∃, but ∃ does not move first",
                    "leave the option out");
    }
    const bool learning = options.engine == Engine::qcdcl || learns_by_itself(model, options);
    quantified::Answer answer = learning ? quantified::solve_by_learning(model, quantified_options(options))
                                         : search_model(model, options);
    Verdict verdict;
    verdict.outcome = outcome_of(answer.verdict);
    verdict.stop = answer.stop;
    verdict.engine = learning ? Engine::qcdcl : Engine::quantified;
    verdict.players = {"∃", "∀"};
    if (verdict.outcome != Outcome::unknown) {
        const bool won = verdict.outcome == Outcome::won;
        verdict.values = {static_cast<double>(won ? game::win : game::loss),
                          static_cast<double>(won ? game::loss : game::win)};
        verdict.best = best_texts(model, answer);
        verdict.all_best = options.all_first_moves;
    }
    verdict.nodes = answer.statistics.nodes;
    verdict.cpu_seconds = answer.statistics.cpu_seconds;
    verdict.wall_seconds = answer.statistics.wall_seconds;
    const bool certified = (verdict.outcome != Outcome::unknown && !answer.uncertified) || answer.best;
    if (certified && quantified_options(options).strategy)
        verdict.certificate.proof = std::move(answer.strategy);
    verdict.details = std::move(answer);
    return verdict;
}

Verdict solve_stochastic(const Problem& problem, const SolveOptions& options) {
    const stochastic::StochasticModel& model = *problem.stochastic();
    const stochastic::SolveOptions how = stochastic_options(options, model);
    stochastic::Answer answer = stochastic::solve(model, how);
    Verdict verdict;
    verdict.outcome = outcome_of(answer.verdict);
    verdict.stop = answer.stop;
    verdict.engine =
        how.engine == stochastic::Engine::forward_checking ? Engine::forward_checking : Engine::mac;
    for (int p = 0; p < model.players(); ++p) verdict.players.push_back(fmt::format("player {}", p + 1));
    verdict.nodes = answer.statistics.nodes;
    verdict.cpu_seconds = answer.statistics.cpu_seconds;
    verdict.wall_seconds = answer.statistics.wall_seconds;
    if (answer.policy) {
        for (const auto& utility : answer.policy->utilities)
            verdict.values.push_back(static_cast<double>(utility));
        const auto first = first_decisions(model, *answer.policy);
        if (!first.empty()) verdict.best.push_back(moves_text(model.model, first));
        verdict.certificate.proof = std::move(*answer.policy);
        answer.policy.reset();
    }
    verdict.details = std::move(answer);
    return verdict;
}

// ------------------------------------------------------------------------------------------ which engine

[[noreturn]] void refuse(const std::string& file, Engine engine, const std::string& why,
                         const std::string& remedy) {
    throw Error({file}, setting("engine", name(engine)) + " " + why, remedy);
}

bool chooses_itself(Engine engine) { return engine == Engine::automatic || engine == Engine::forward; }

}  // namespace

const char* name(Outcome outcome) {
    switch (outcome) {
        case Outcome::won:
            return "won";
        case Outcome::lost:
            return "lost";
        case Outcome::drawn:
            return "drawn";
        case Outcome::unknown:
            break;
    }
    return "unknown";
}

Verdict to_verdict(game::Solution solution) {
    Verdict verdict;
    verdict.outcome = outcome_named(game::verdict(solution));
    verdict.stop = solution.stop;
    verdict.engine = engine_of(solution.engine);
    verdict.players = solution.players;
    verdict.values.assign(solution.values.begin(), solution.values.end());
    for (const game::MoveReport& move : solution.moves) {
        if (move.best) verdict.best.push_back(move.move);
    }
    verdict.all_best = solution.all_best;
    verdict.nodes = solution.statistics.nodes;
    verdict.cpu_seconds = solution.statistics.cpu_seconds;
    if (!solution.plans.empty()) verdict.certificate.proof = std::move(solution.plans);
    solution.plans.clear();
    verdict.details = std::move(solution);
    return verdict;
}

quantified::Answer search_model(const model::Model& model, const SolveOptions& options) {
    const quantified::SolveOptions how = quantified_options(options);
    if (options.search_model) return options.search_model(model, how);
    return model.objective ? quantified::maximise(model, how) : quantified::solve(model, how);
}

std::vector<strategy::Move> first_moves(const model::Model& model, const strategy::Strategy& strategy) {
    std::vector<strategy::Move> moves;
    if (model.prefix.empty() || model.prefix.front().quantifier != strategy.owner) return moves;
    const auto& block = model.prefix.front().variables;
    for (strategy::NodeId at = strategy.root; at != strategy::decided;) {
        const strategy::StrategyNode& node = strategy.nodes[at];
        if (std::find(block.begin(), block.end(), node.variable) == block.end()) break;
        moves.push_back({node.variable, node.edges.front().values.front()});
        at = node.edges.front().to;
    }
    return moves;
}

std::vector<strategy::Move> first_decisions(const stochastic::StochasticModel& model,
                                            const stochastic::Policy& policy) {
    std::vector<strategy::Move> moves;
    auto at = policy.root;
    for (const stochastic::Turn& turn : model.order) {
        if (!turn.decision()) break;
        const auto& edge = policy.at(at).edges.front();
        moves.push_back({turn.variable, edge.values.front()});
        at = edge.to;
    }
    return moves;
}

std::string moves_text(const model::Model& model, const std::vector<strategy::Move>& moves) {
    std::string text;
    for (const strategy::Move& move : moves) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", model.name_of(move.variable),
                            model.value_text(move.variable, move.value));
    }
    return text;
}

void require_engine(Engine engine, Language language, const std::string& file) {
    const std::string forward = "choose from auto, attractors, alpha-beta, proof-number";
    if (engine == Engine::strategic && language != Language::gdl) {
        refuse(file, engine, "turns a game in GDL into a strategic model",
               "leave it out: a model says itself whether it is strategic");
    }
    if (is_stochastic(engine) && language == Language::graph)
        refuse(file, engine, "is for models with chance, also of games in GDL", forward);
    if (is_chance(engine) && is_model(language))
        refuse(file, engine, "is for games in GDL and graphs", "leave it out");
    if (engine == Engine::equilibrium && language != Language::gdl)
        refuse(file, engine, "is for games in GDL", "leave it out");
    if (engine == Engine::qcdcl && !is_model(language))
        refuse(file, engine, "is for quantified Boolean formulas", forward);
    if (engine == Engine::quantified && language == Language::graph)
        refuse(file, engine, "is for quantified models", forward);
}

Verdict solve(const Problem& problem, const SolveOptions& options) {
    const Engine engine = options.engine;
    switch (problem.kind()) {
        case Problem::Kind::gdl:
            require_engine(engine, Language::gdl, problem.file());
            if (engine == Engine::quantified || engine == Engine::strategic)
                return solve_thresholds(problem, options);
            if (is_stochastic(engine)) return solve_stages(problem, options);
            if (engine == Engine::equilibrium || (chooses_itself(engine) && calls_for_equilibrium(problem)))
                return solve_equilibrium(problem, options);
            if (solves_chance(problem, engine)) return solve_chance(problem, options);
            return solve_forward(problem, options);
        case Problem::Kind::graph:
            require_engine(engine, Language::graph, problem.file());
            if (solves_chance(problem, engine)) return solve_chance(problem, options);
            return solve_forward(problem, options);
        case Problem::Kind::quantified:
            require_engine(engine, Language::minizinc, problem.file());
            if (is_stochastic(engine))
                refuse(problem.file(), engine, "is for models with chance",
                       "leave it out: this model has none");
            return is_forward(engine) ? solve_forward(problem, options) : solve_quantified(problem, options);
        case Problem::Kind::stochastic:
            if (engine != Engine::automatic && !is_stochastic(engine))
                refuse(problem.file(), engine, "knows no chance", "choose mac or fc");
            return solve_stochastic(problem, options);
    }
    return {};
}

}  // namespace zermelo
