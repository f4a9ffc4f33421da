// zermelo bench quantified and strategic: our solver beside the published figures of others, and the effect
// of each technique as a ratio within one run.

#include <fmt/format.h>

#include <iostream>

#include "cli/bench/bench.hpp"
#include "cli/bench/random_qcsp.hpp"
#include "cli/instances.hpp"
#include "cli/solve/report.hpp"
#include "quantified/guide/monte_carlo.hpp"

namespace zermelo::cli {

namespace {

struct Variation {
    const char* name;
    void (*change)(quantified::SolveOptions&);
    int playouts = 0;  // of a guide before each choice
};

// The search of Barichard and Stéphan (2017): no table, ascending values, won when everything is assigned.
void as_algorithm_1(quantified::SolveOptions& options) {
    options.goods = false;
    options.values = quantified::ValueOrder::ascending;
    options.success = quantified::Success::assigned;
}

constexpr Variation variations[] = {
    {"without goods", [](quantified::SolveOptions& o) { o.goods = false; }},
    {"success when assigned", [](quantified::SolveOptions& o) { o.success = quantified::Success::assigned; }},
    {"without cutoffs", [](quantified::SolveOptions& o) { o.cutoffs = false; }},
    {"rules reified", [](quantified::SolveOptions& o) { o.half_reified = false; }},
    {"without learning", [](quantified::SolveOptions& o) { o.learning = quantified::Learning::off; }},
    {"learning: backjumps", [](quantified::SolveOptions& o) { o.learning = quantified::Learning::backjump; }},
    {"learning: nogoods", [](quantified::SolveOptions& o) { o.learning = quantified::Learning::nogoods; }},
    {"the same, without goods",
     [](quantified::SolveOptions& o) {
         o.learning = quantified::Learning::nogoods;
         o.goods = false;
     }},
    {"without cuts", [](quantified::SolveOptions& o) { o.cuts = false; }},
    {"pure values", [](quantified::SolveOptions& o) { o.pure_values = true; }},
    {"without pure values", [](quantified::SolveOptions& o) { o.pure_values = false; }},
    {"values ascending", [](quantified::SolveOptions& o) { o.values = quantified::ValueOrder::ascending; }},
    {"values from the middle",
     [](quantified::SolveOptions& o) { o.values = quantified::ValueOrder::middle; }},
    {"values by impact", [](quantified::SolveOptions& o) { o.values = quantified::ValueOrder::impact; }},
    {"smallest domain first",
     [](quantified::SolveOptions& o) { o.variables = quantified::VariableOrder::smallest_domain; }},
    {"kernel gecode", [](quantified::SolveOptions& o) { o.kernel = quantified::KernelChoice::gecode; }},
    {"the same, recompute 4",
     [](quantified::SolveOptions& o) {
         o.kernel = quantified::KernelChoice::gecode;
         o.recompute = 4;
     }},
    {"as algorithm 1", as_algorithm_1},
    {"the same, kernel gecode",
     [](quantified::SolveOptions& o) {
         as_algorithm_1(o);
         o.kernel = quantified::KernelChoice::gecode;
     }},
    {"without strategy", [](quantified::SolveOptions& o) { o.strategy = false; }},
    {"symmetry the other way", [](quantified::SolveOptions& o) { o.symmetry = !o.symmetry; }},
    {"two threads", [](quantified::SolveOptions& o) { o.threads = 2; }},
    {"guided by 8 playouts", [](quantified::SolveOptions&) {}, 8},
};

quantified::Answer solve_once(const model::Model& model, quantified::SolveOptions options, int playouts) {
    if (playouts == 0) return solve(model, options);
    quantified::MonteCarloGuide guide({.playouts_per_question = playouts});
    options.guide = &guide;
    return solve(model, options);
}

// The better of two runs, because the machine is never quite still. Each run has the whole time.
quantified::Answer best_of_two(const model::Model& model, quantified::SolveOptions options, double seconds,
                               int playouts = 0) {
    const auto run = [&] {
        options.limits = Limits(seconds, std::nullopt);
        return solve_once(model, options, playouts);
    };
    quantified::Answer first = run();
    if (first.verdict == quantified::Verdict::unknown || first.statistics.wall_seconds > 10) return first;
    quantified::Answer second = run();
    const bool better = second.verdict != quantified::Verdict::unknown &&
                        second.statistics.wall_seconds < first.statistics.wall_seconds;
    return better ? std::move(second) : std::move(first);
}

double over(auto a, auto b) { return b > 0 ? static_cast<double>(a) / static_cast<double>(b) : 1.0; }

std::string text_or_dash(double figure, const char* prefix = "") {
    return figure > 0 ? fmt::format("{}{}", prefix, figure) : std::string("-");
}

double hit_rate(const quantified::SearchStatistics& s) {
    return s.lookups > 0 ? over(s.goods + s.nogoods, s.lookups) : 0;
}

model::Model model_of(const Instance& instance) {
    if (!instance.more.contains("random")) return *instance.read({}).model();
    const nlohmann::json& random = instance.more["random"];
    RandomQcsp parameters;
    parameters.blocks = random.value("blocks", parameters.blocks);
    parameters.variables = random.value("variables", parameters.variables);
    parameters.values = random.value("values", parameters.values);
    parameters.exists_pairs = random.value("exists_pairs", parameters.exists_pairs);
    parameters.forall_pairs = random.value("forall_pairs", parameters.forall_pairs);
    parameters.tightness = random.value("tightness", parameters.tightness);
    parameters.forall_tightness = random.value("forall_tightness", parameters.forall_tightness);
    parameters.seed = random.value("seed", parameters.seed);
    return random_qcsp(parameters);
}

quantified::SolveOptions options_of(const Instance& instance) {
    quantified::SolveOptions options;
    options.symmetry = instance.more.value("symmetry", false);
    options.threads = instance.more.value("threads", 1U);
    if (instance.more.value("algorithm_1", false)) as_algorithm_1(options);
    return options;
}

}  // namespace

int BenchQuantified::run() const {
    const auto instances = read_instances(list);
    auto rows = nlohmann::json::array();
    auto effects = nlohmann::json::array();
    int code = answered;
    if (!json) print_head();
    for (const Instance& instance : instances) {
        if (const double needed = instance.more.value("needs_seconds", 0.0); needed > seconds) {
            if (!json) std::cout << fmt::format("{:<34} needs --seconds {}\n", instance.name, needed);
            continue;
        }
        const model::Model model = model_of(instance);
        const quantified::Answer answer = best_of_two(model, options_of(instance), seconds);
        rows.push_back(row(instance, answer));
        if (check && answer.verdict != quantified::Verdict::unknown) {
            const bool valid = verify(model, answer.strategy).valid;
            rows.back()["certified"] = valid;
            if (!valid) code = check_failed;
        }
        if (!json) print_row(rows.back());
        if (Limits().reached() == Stop::interrupted) {
            code = interrupted;
            break;
        }
        if (options_too && instance.more.value("options", false))
            effects.push_back(try_options(instance, model, answer));
    }
    if (json) {
        print({{"instances", rows}, {"options", effects}});
    } else {
        for (const auto& effect : effects) print_effect(effect);
    }
    return code;
}

nlohmann::json BenchQuantified::row(const Instance& instance, const quantified::Answer& answer) {
    nlohmann::json result = to_json(answer.statistics);
    result["instance"] = instance.name;
    result["verdict"] = name(answer.verdict);
    result["hit_rate"] = hit_rate(answer.statistics);
    result["strategy_nodes"] = answer.strategy.size();
    result["theirs"] = instance.more.value("theirs", nlohmann::json::object());
    return result;
}

void BenchQuantified::print_head() const {
    std::cout << title << "\n"
              << fmt::format("{:<34} {:>8} {:>11} {:>6} {:>13} {:>9} {:>9} {:>9} {:>9}{}\n", "instance",
                             "verdict", "nodes", "hits", "propagations", "CPU s", "clock s", "theirs",
                             "ratio", check ? "  checked" : "");
}

void BenchQuantified::print_row(const nlohmann::json& row) const {
    const double theirs = row["theirs"].value("cpu_seconds", 0.0);
    const bool unsolved = row["theirs"].value("unsolved", false);
    const double ours = row["cpu_seconds"];
    std::cout << fmt::format("{:<34} {:>8} {:>11} {:>5.0f}% {:>13} {:>9.3f} {:>9.3f} {:>9} {:>9}{}\n",
                             row["instance"].get<std::string>(), row["verdict"].get<std::string>(),
                             count_text(row["nodes"]), 100 * row["hit_rate"].get<double>(),
                             count_text(row["propagations"]), ours, row["wall_seconds"].get<double>(),
                             text_or_dash(theirs, unsolved ? ">" : ""),
                             theirs > 0 ? fmt::format("{:.3g}", ours / theirs) : std::string("-"),
                             !check                         ? ""
                             : !row.contains("certified")   ? "        -"
                             : row["certified"].get<bool>() ? "      yes"
                                                            : "       NO")
              << std::flush;
}

nlohmann::json BenchQuantified::try_options(const Instance& instance, const model::Model& model,
                                            const quantified::Answer& base) const {
    auto ratios = nlohmann::json::array();
    for (const Variation& variation : variations) {
        quantified::SolveOptions options = options_of(instance);
        variation.change(options);
        const quantified::Answer answer = best_of_two(model, options, seconds, variation.playouts);
        ratios.push_back(
            {{"option", variation.name},
             {"finished", answer.verdict != quantified::Verdict::unknown},
             {"nodes", over(answer.statistics.nodes, base.statistics.nodes)},
             {"hit_rate", hit_rate(answer.statistics)},
             {"propagations", over(answer.statistics.propagations, base.statistics.propagations)},
             {"cpu_seconds", over(answer.statistics.cpu_seconds, base.statistics.cpu_seconds)},
             {"wall_seconds", over(answer.statistics.wall_seconds, base.statistics.wall_seconds)}});
    }
    return {{"instance", instance.name}, {"ratios", ratios}};
}

void BenchQuantified::print_effect(const nlohmann::json& effect) {
    std::cout << fmt::format("\n{}: each technique against the row above, as ratios\n",
                             effect["instance"].get<std::string>());
    std::cout << fmt::format("  {:<26} {:>10} {:>6} {:>13} {:>9} {:>9}\n", "technique", "nodes", "hits",
                             "propagations", "CPU s", "clock s");
    for (const auto& row : effect["ratios"]) {
        std::cout << fmt::format("  {:<26} {:>10.3g} {:>5.0f}% {:>13.3g} {:>9.3g} {:>9.3g}{}\n",
                                 row["option"].get<std::string>(), row["nodes"].get<double>(),
                                 100 * row["hit_rate"].get<double>(), row["propagations"].get<double>(),
                                 row["cpu_seconds"].get<double>(), row["wall_seconds"].get<double>(),
                                 row["finished"].get<bool>() ? "" : "  (time limit)");
    }
}

}  // namespace zermelo::cli
