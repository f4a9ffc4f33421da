#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "catalogue/recognise.hpp"
#include "cli/solve/report.hpp"
#include "equilibrium/file.hpp"
#include "solve/equilibria.hpp"

namespace zermelo::cli {

namespace {

using equilibrium::Decision;
using equilibrium::Solution;

constexpr std::size_t most_decisions = 12;    // that are printed
constexpr std::size_t longest_fraction = 16;  // characters

// The bounds as floating-point numbers, rounded outwards: an interval that is shown is an interval.
std::pair<double, double> outwards(const std::array<Rational, 2>& bounds) {
    auto low = static_cast<double>(bounds[0]);
    auto high = static_cast<double>(bounds[1]);
    if (Rational(low) > bounds[0]) low = std::nextafter(low, -std::numeric_limits<double>::infinity());
    if (Rational(high) < bounds[1]) high = std::nextafter(high, std::numeric_limits<double>::infinity());
    return {low, high};
}

// 50, 875/18 ≈ 48.6111, between 49.74318 and 49.74319
std::string value_text(const Solution& solution, std::size_t player) {
    const auto bounds = solution.bounds(player);
    if (bounds[0] != bounds[1]) {
        const auto [low, high] = outwards(bounds);
        return fmt::format("between {} and {}", low, high);
    }
    const std::string exact = text(bounds[0]);
    if (denominator(bounds[0]) == 1) return exact;
    const auto decimal = static_cast<double>(bounds[0]);
    return exact.size() <= longest_fraction ? fmt::format("{} ≈ {:.4f}", exact, decimal)
                                            : fmt::format("≈ {:.10g}", decimal);
}

std::string short_text(const Rational& number) {
    const std::string exact = text(number);
    return exact.size() <= longest_fraction ? exact : fmt::format("{:.6f}", static_cast<double>(number));
}

std::string equilibrium_headline(const Verdict& verdict, const Solution& solution) {
    const auto& roles = solution.equilibrium.roles;
    const std::string values =
        fmt::format("{} {}, {} {}", roles[0], value_text(solution, 0), roles[1], value_text(solution, 1));
    if (verdict.outcome == Outcome::drawn) return "drawn: " + values;
    if (verdict.outcome == Outcome::unknown) return "solved: " + values;
    return fmt::format("{} by {}: {}", name(verdict.outcome), roles[0], values);
}

std::string equilibrium_cost(const Verdict& verdict, const Solution& solution) {
    if (!solution.solved)
        return fmt::format("by {}, {}", equilibrium::name(solution.method),
                           seconds_text(verdict.cpu_seconds));
    return fmt::format("by {}, {}, {}", equilibrium::name(solution.method),
                       plural(count_text(solution.positions), "position"), seconds_text(verdict.cpu_seconds));
}

// What tells the place of a decision from that of the others: the facts that not all of them have.
std::string place_text(const Solution& solution, const Decision& decision) {
    if (solution.method == equilibrium::Method::sequence_form) return decision.at;
    std::string text;
    for (const std::string& fact : catalogue::terms_in(decision.at)) {
        const bool common = std::ranges::all_of(solution.decisions, [&](const Decision& other) {
            return std::ranges::count(catalogue::terms_in(other.at), fact) > 0;
        });
        if (!common) text += (text.empty() ? "" : " ") + fact;
    }
    return text;
}

std::string decision_name(const Solution& solution, const Decision& decision) {
    const std::string& role = solution.equilibrium.roles[decision.player];
    const auto same = [&](const Decision& other) { return other.at == solution.decisions.front().at; };
    if (std::ranges::all_of(solution.decisions, same) && !solution.decisions.front().at.empty()) return role;
    const std::string place = place_text(solution, decision);
    return place.empty() ? role : fmt::format("{}, {}", role, place);
}

void print_mixtures(const Solution& solution) {
    std::size_t shown = 0;
    for (const Decision& decision : solution.decisions) {
        if (++shown > most_decisions) break;
        std::string moves;
        for (const auto& move : decision.moves) {
            if (move.probability == 0) continue;
            moves +=
                fmt::format("{}{} {}", moves.empty() ? "" : ", ", move.move, short_text(move.probability));
        }
        std::cout << fmt::format("  {}: {}\n", decision_name(solution, decision), moves);
    }
    if (shown > most_decisions)
        std::cout << fmt::format("  … and {} more\n", solution.decisions.size() - most_decisions);
}

void print_certificate(const SolveReport& report) {
    const Verdict& verdict = report.verdict();
    if (verdict.certificate.empty()) return;
    std::cout << fmt::format("equilibrium: {}", plural(count_text(verdict.certificate.size()), "choice"));
    if (report.check && report.check->valid) {
        std::cout << fmt::format("; checked by best responses and the rules alone: {}",
                                 plural(count_text(report.check->positions), "position"));
    } else if (report.check) {
        std::cout << fmt::format("; not checked to the end: {} (raise --check-seconds)",
                                 describe(report.check->stop));
    }
    std::cout << '\n';
}

nlohmann::json number_json(const Rational& number) {
    return {{"number", static_cast<double>(number)}, {"exact", text(number)}};
}

nlohmann::json decision_json(const Solution& solution, const Decision& decision) {
    nlohmann::json object = {{"role", solution.equilibrium.roles[decision.player]},
                             {"at", decision.at},
                             {"reach", static_cast<double>(decision.reach)},
                             {"moves", nlohmann::json::array()}};
    for (const auto& move : decision.moves) {
        nlohmann::json one = {{"move", move.move},
                              {"probability", static_cast<double>(move.probability)},
                              {"exact", text(move.probability)},
                              {"value", nullptr}};
        if (move.value) one["value"] = static_cast<double>(*move.value);
        object["moves"].push_back(std::move(one));
    }
    return object;
}

}  // namespace

nlohmann::json equilibrium_json(const Verdict& verdict) {
    const auto& solution = *verdict.as<Solution>();
    nlohmann::json object = {{"verdict", name(verdict.outcome)},
                             {"stop", describe(verdict.stop)},
                             {"engine", name(verdict.engine)},
                             {"method", equilibrium::name(solution.method)},
                             {"values", nlohmann::json::object()},
                             {"exact", nlohmann::json::object()},
                             {"intervals", nlohmann::json::object()},
                             {"mixture", nlohmann::json::object()},
                             {"decisions", nlohmann::json::array()},
                             {"nodes", verdict.nodes},
                             {"propagations", 0},
                             {"programs", solution.programs},
                             {"information_sets", solution.information_sets},
                             {"cpu_seconds", verdict.cpu_seconds},
                             {"wall_seconds", verdict.wall_seconds},
                             {"peak_bytes", peak_bytes()}};
    if (!solution.solved) return object;
    const auto mixtures = first_mixture(solution);
    for (std::size_t p = 0; p < 2; ++p) {
        const std::string& role = solution.equilibrium.roles[p];
        const auto bounds = solution.bounds(p);
        const auto [low, high] = outwards(bounds);
        object["values"][role] = verdict.values[p];
        object["intervals"][role] = {low, high};
        if (bounds[0] == bounds[1]) object["exact"][role] = text(bounds[0]);
        for (const auto& [move, probability] : mixtures[p])
            object["mixture"][role][move] = static_cast<double>(probability);
    }
    for (const Decision& decision : solution.decisions)
        object["decisions"].push_back(decision_json(solution, decision));
    return object;
}

nlohmann::json solved_equilibrium_json(const SolveReport& report) {
    nlohmann::json object = equilibrium_json(report.verdict());
    object["setup_cpu_seconds"] = report.setup_cpu_seconds;
    object["strategy_nodes"] = report.verdict().certificate.size();
    object["checked"] = nullptr;
    if (report.check && report.check->stop == Stop::none) object["checked"] = report.check->valid;
    return object;
}

void print_equilibrium_text(const SolveReport& report) {
    const Verdict& verdict = report.verdict();
    const auto& solution = *verdict.as<Solution>();
    if (!solution.solved) {
        std::cout << fmt::format("unknown: {} — {}\n", describe(solution.stop),
                                 equilibrium_cost(verdict, solution));
        return;
    }
    std::cout << fmt::format("{} — {}\n", equilibrium_headline(verdict, solution),
                             equilibrium_cost(verdict, solution));
    if (!solution.decisions.empty()) std::cout << "first moves and how likely they are:\n";
    print_mixtures(solution);
    print_certificate(report);
    if (!report.verbose) return;
    std::cout << fmt::format("  information sets  {}\n  linear programs   {}\n", solution.information_sets,
                             solution.programs);
}

void print_analysed_equilibrium(const Verdict& verdict) {
    const auto& solution = *verdict.as<Solution>();
    if (!solution.solved) {
        std::cout << fmt::format("unknown: {} — {}\n", describe(solution.stop),
                                 equilibrium_cost(verdict, solution));
        return;
    }
    const bool whole_game = solution.method == equilibrium::Method::sequence_form;
    std::cout << fmt::format("{}{} — {}\n", whole_game ? "the whole game is " : "",
                             equilibrium_headline(verdict, solution), equilibrium_cost(verdict, solution));
    if (solution.decisions.empty()) std::cout << "no player has a choice here\n";
    for (const Decision& decision : solution.decisions) {
        std::size_t width = 12;
        for (const auto& move : decision.moves) width = std::max(width, move.move.size());
        std::cout << fmt::format("  {}\n  {:<{}}  {:>11}  {:>8}\n", decision_name(solution, decision), "",
                                 width, "probability", "worth");
        for (const auto& move : decision.moves) {
            std::cout << fmt::format(
                "{} {:<{}}  {:>11.4f}  {:>8}\n", move.probability != 0 ? "*" : " ", move.move, width,
                static_cast<double>(move.probability),
                move.value ? fmt::format("{:.4f}", static_cast<double>(*move.value)) : "—");
        }
    }
}

void print_pairs(const Solution& solution) {
    constexpr std::size_t digits = 9;
    const auto& roles = solution.equilibrium.roles;
    for (const auto& [at, moves, values] : solution.pairs) {
        std::size_t first = 0;
        for (const std::string& move : moves[0]) first = std::max(first, move.size());
        if (solution.pairs.size() > 1) std::cout << place_text(solution, {0, at, 1, {}}) << '\n';
        std::cout << fmt::format("what {} gets, by row for its own move, by column for that of {}:\n",
                                 roles[0], roles[1]);
        std::cout << fmt::format("  {:<{}}", "", first);
        for (const std::string& move : moves[1]) std::cout << fmt::format("  {:>{}}", move, digits);
        std::cout << '\n';
        for (std::size_t i = 0; i < moves[0].size(); ++i) {
            std::cout << fmt::format("  {:<{}}", moves[0][i], first);
            for (std::size_t j = 0; j < moves[1].size(); ++j) {
                const Rational& value = values[i * moves[1].size() + j];
                std::cout << fmt::format("  {:>{}.4f}", static_cast<double>(value),
                                         std::max(digits, moves[1][j].size()));
            }
            std::cout << '\n';
        }
    }
}

nlohmann::json pairs_json(const Solution& solution) {
    auto all = nlohmann::json::array();
    const auto& roles = solution.equilibrium.roles;
    for (const auto& [at, moves, values] : solution.pairs) {
        auto pays = nlohmann::json::array();
        for (std::size_t i = 0; i < values.size(); ++i) {
            nlohmann::json pair = number_json(values[i]);
            pair["moves"] = {{roles[0], moves[0][i / moves[1].size()]},
                             {roles[1], moves[1][i % moves[1].size()]}};
            pays.push_back(std::move(pair));
        }
        all.push_back({{"at", at}, {"payoffs_of", roles[0]}, {"pairs", std::move(pays)}});
    }
    return all;
}

void print_checked_equilibrium(const Report& report) {
    const auto* result = report.as<equilibrium::Verification>();
    if (report.valid && result != nullptr) {
        const auto& found = result->found;
        const std::array<Rational, 2> bounds{found.lower, found.upper};
        const auto [low, high] = outwards(bounds);
        std::cout << fmt::format(
            "valid: {} ({} looked at)\n",
            found.lower == found.upper
                ? "both strategies guarantee that the first player gets exactly " + text(found.lower)
                : fmt::format("the strategies guarantee that the first player gets between {} and {}", low,
                              high),
            plural(count_text(report.positions), "position"));
    } else if (report.counterexample) {
        std::cout << fmt::format("not valid: {}\n", *report.counterexample);
    } else {
        std::cout << fmt::format("unknown: {}\n", describe(report.stop));
    }
}

nlohmann::json checked_equilibrium_json(const equilibrium::Equilibrium* mixed, const Report& report,
                                        bool by_reasoner) {
    nlohmann::json object = {
        {"valid", report.valid},         {"stop", describe(report.stop)},
        {"positions", report.positions}, {"scenarios", report.scenarios},
        {"counterexample", nullptr},     {"checked_by", by_reasoner ? "reasoner" : "rules"}};
    if (report.counterexample) object["counterexample"] = *report.counterexample;
    if (mixed != nullptr) object["fingerprint"] = hex(fingerprint(*mixed));
    const auto* result = report.as<equilibrium::Verification>();
    if (result == nullptr || !report.valid) return object;
    object["lower"] = number_json(result->found.lower);
    object["upper"] = number_json(result->found.upper);
    return object;
}

}  // namespace zermelo::cli
