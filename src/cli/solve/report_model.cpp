#include <fmt/format.h>

#include <iostream>
#include <string_view>

#include "cli/solve/report.hpp"
#include "core/format/json_text.hpp"
#include "strategy/format/json.hpp"

namespace zermelo::cli {

namespace {

nlohmann::json moves_json(const model::Model& model, const std::vector<strategy::Move>& moves) {
    auto object = nlohmann::json::object();
    for (const strategy::Move& move : moves) object[model.name_of(move.variable)] = move.value;
    return object;
}

std::vector<std::vector<strategy::Move>> best_moves(const model::Model& model, const Verdict& verdict) {
    std::vector<std::vector<strategy::Move>> all;
    for (const auto& values : verdict.as<quantified::Answer>()->first_moves) {
        auto& moves = all.emplace_back();
        for (std::size_t i = 0; i < values.size(); ++i)
            moves.push_back({model.prefix.front().variables[i], values[i]});
    }
    const auto* strategy = verdict.certificate.as<strategy::Strategy>();
    if (all.empty() && strategy != nullptr && verdict.outcome != Outcome::unknown) {
        if (auto moves = first_moves(model, *strategy); !moves.empty()) all.push_back(std::move(moves));
    }
    return all;
}

const char* owner_name(model::Quantifier owner) {
    return owner == model::Quantifier::exists ? "exists" : "forall";
}

void print_strategy(const SolveReport& report, const strategy::Strategy& strategy) {
    const bool won = report.verdict().outcome == Outcome::won;
    std::cout << fmt::format("{}: {}", report.verdict().certificate.kind(),
                             plural(count_text(strategy.size()), "position"));
    if (!report.check) {
        std::cout << '\n';
    } else if (report.check->valid) {
        std::cout << fmt::format("; checked without the solver: {}, all {}\n",
                                 plural(report.check->scenarios, "scenario"), won ? "won" : "lost");
    } else if (report.check->counterexample) {
        std::cout << fmt::format("; THE CHECK FAILED: {}\n", *report.check->counterexample);
    } else {
        std::cout << fmt::format("; not checked to the end in {} (raise --check-seconds)\n",
                                 seconds_text(report.check_seconds));
    }
}

void print_cuts(const SolveReport& report, const quantified::Answer& answer) {
    for (const quantified::BrokenCut& cut : answer.broken_cuts) {
        std::vector<strategy::Move> play;
        for (const auto& [variable, value] : cut.play) play.push_back({variable, value});
        std::cout << fmt::format("{}wrong cut: it claims a win after {}, which is lost\n",
                                 cut.place.file.empty() ? "" : cut.place.text() + ": ",
                                 moves_text(*report.problem->model(), play));
    }
    if (report.check_cuts && answer.broken_cuts.empty() && report.verdict().outcome != Outcome::unknown)
        std::cout << fmt::format("cuts: {} fired, all of them rightly\n", count_text(answer.statistics.cuts));
}

// How many there are of each kind, by the names that MiniZinc's library has for them.
nlohmann::json to_json(const model::GlobalCounts& counts) {
    constexpr std::string_view prefix = "zermelo_";
    auto object = nlohmann::json::object();
    for (std::size_t kind = 0; kind < counts.size(); ++kind) {
        const std::string name(model::global_signatures()[kind].name.substr(prefix.size()));
        if (counts[kind] > 0) object[name] = counts[kind];
    }
    return object;
}

}  // namespace

nlohmann::json to_json(const quantified::SearchStatistics& s) {
    return {{"nodes", s.nodes},
            {"choices", s.choices},
            {"splits", s.splits},
            {"failures", s.failures},
            {"successes", s.successes},
            {"illegal", s.illegal},
            {"blocked", s.blocked},
            {"cuts", s.cuts},
            {"pure", s.pure},
            {"propagations", s.propagations},
            {"copies", s.copies},
            {"foreign_constraints", to_json(s.foreign)},
            {"depth", s.depth},
            {"goods", s.goods},
            {"nogoods", s.nogoods},
            {"lookups", s.lookups},
            {"stored", s.stored},
            {"learning",
             {{"backjumps", s.backjumps},
              {"sets", s.learned},
              {"mean_size",
               s.learned > 0 ? static_cast<double>(s.learned_moves) / static_cast<double>(s.learned) : 0},
              {"hits", s.learned_hits}}},
            {"collections", s.collections},
            {"symmetries", s.symmetries},
            {"deferred", s.deferred},
            {"consistency",
             {{"checks", s.consistency},
              {"by_propagation", s.by_propagation},
              {"by_values", s.by_values},
              {"by_search", s.by_search},
              {"nested_nodes", s.nested_nodes},
              {"inconsistent", s.inconsistent}}},
            {"cpu_seconds", s.cpu_seconds},
            {"wall_seconds", s.wall_seconds}};
}

void print_model_text(const SolveReport& report) {
    const Verdict& verdict = report.verdict();
    const auto& answer = *verdict.as<quantified::Answer>();
    const std::string cost =
        fmt::format("{}, {}", plural(count_text(verdict.nodes), "node"), seconds_text(verdict.cpu_seconds));
    if (verdict.outcome == Outcome::unknown) {
        std::cout << fmt::format("unknown: {} after {}", describe(verdict.stop), cost);
        if (answer.best) {
            const bool least = report.problem != nullptr && report.problem->model()->minimises;
            std::cout << fmt::format(" — at {} {} is guaranteed", least ? "most" : "least", *answer.best);
        }
        std::cout << '\n';
    } else {
        std::cout << fmt::format("{} by ∃ in {}", name(verdict.outcome), cost);
        if (answer.best) std::cout << fmt::format(" — the best guaranteed value is {}", *answer.best);
        if (verdict.best.size() == 1) std::cout << fmt::format(" — first move {}", verdict.best.front());
        std::cout << '\n';
        if (report.all_first_moves) {
            std::cout << fmt::format("winning first moves: {}\n", answer.first_moves.size());
            for (const std::string& moves : verdict.best) std::cout << "  " << moves << '\n';
        }
        if (const auto* strategy = verdict.certificate.as<strategy::Strategy>())
            print_strategy(report, *strategy);
        if (answer.uncertified)
            std::cout << "not certified: the strategy is too large, or a limit was reached\n";
    }
    print_cuts(report, answer);
    if (!report.verbose) return;
    if (answer.kernel) std::cout << fmt::format("  {:<20}{}\n", "kernel", name(*answer.kernel));
    const auto statistics = to_json(answer.statistics);
    for (const auto& [key, value] : statistics.items())
        std::cout << fmt::format("  {:<20}{}\n", key, json_text(value));
}

nlohmann::json model_json(const SolveReport& report) {
    const Verdict& verdict = report.verdict();
    const auto& answer = *verdict.as<quantified::Answer>();
    const auto* strategy = verdict.certificate.as<strategy::Strategy>();
    nlohmann::json object = to_json(answer.statistics);
    object["verdict"] = name(verdict.outcome);
    object["stop"] = describe(verdict.stop);
    object["kernel"] = nullptr;
    if (answer.kernel) object["kernel"] = name(*answer.kernel);
    object["best"] = nlohmann::json::array();
    if (report.problem != nullptr) {
        const model::Model& model = *report.problem->model();
        for (const auto& moves : best_moves(model, verdict))
            object["best"].push_back(moves_json(model, moves));
    }
    if (answer.best) object["best_value"] = *answer.best;
    object["peak_bytes"] = peak_bytes();
    object["strategy_nodes"] = verdict.certificate.size();
    object["uncertified"] = answer.uncertified;
    object["strategy_owner"] = owner_name(strategy == nullptr ? model::Quantifier::exists : strategy->owner);
    object["checked"] = nullptr;
    if (report.check && report.check->stop == Stop::none) object["checked"] = report.check->valid;
    if (report.check) object["scenarios"] = report.check->scenarios;
    object["wrong_cuts"] = nlohmann::json::array();
    for (const quantified::BrokenCut& cut : answer.broken_cuts) {
        auto play = nlohmann::json::object();
        for (const auto& [variable, value] : cut.play)
            play[report.problem->model()->name_of(variable)] = value;
        object["wrong_cuts"].push_back({{"place", cut.place.text()}, {"play", play}});
    }
    if (report.together.work) object.update(*report.together.work);
    return object;
}

void print_checked_strategy(const strategy::Strategy& strategy, const Report& report) {
    const char* owner = strategy.owner == model::Quantifier::exists ? "∃" : "∀";
    if (report.valid) {
        std::cout << fmt::format("valid: {} wins in all {} ({} positions looked at)\n", owner,
                                 plural(report.scenarios, "scenario"), count_text(report.positions));
    } else if (report.counterexample) {
        std::cout << fmt::format("not valid: {}\n", *report.counterexample);
    } else {
        std::cout << fmt::format("unknown: {} after {} positions\n", describe(report.stop),
                                 count_text(report.positions));
    }
}

nlohmann::json checked_strategy_json(const model::Model& model, const strategy::Strategy& strategy,
                                     const Report& report) {
    nlohmann::json object = {{"valid", report.valid},
                             {"stop", describe(report.stop)},
                             {"positions", report.positions},
                             {"scenarios", report.scenarios},
                             {"counterexample", nullptr},
                             {"owner", owner_name(strategy.owner)},
                             {"fingerprint", fingerprint(model, strategy)}};
    const auto* result = report.as<strategy::Verification>();
    if (result != nullptr && result->counterexample) {
        object["counterexample"] = {{"play", moves_json(model, result->counterexample->play)},
                                    {"reason", result->counterexample->reason}};
    }
    return object;
}

}  // namespace zermelo::cli
