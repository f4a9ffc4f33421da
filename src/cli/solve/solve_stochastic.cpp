#include "cli/solve/solve_stochastic.hpp"

#include <fmt/format.h>

#include <iostream>
#include <sstream>

#include "cli/show/picture.hpp"
#include "stochastic/format/policy_file.hpp"
#include "stochastic/solve.hpp"
#include "stochastic/verify.hpp"

namespace zermelo::cli {

namespace {

using stochastic::Answer;
using stochastic::Policy;
using stochastic::PolicyVerification;
using stochastic::Rational;
using stochastic::Rationals;
using stochastic::StochasticModel;
using stochastic::text;
using stochastic::Verdict;

std::string name(Verdict verdict) {
    return verdict == Verdict::won ? "won" : verdict == Verdict::lost ? "lost" : "unknown";
}

// The decisions before the first chance variable.
std::vector<strategy::Move> first_decisions(const StochasticModel& model, const Policy& policy) {
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

std::string moves_text(const StochasticModel& model, const std::vector<strategy::Move>& moves) {
    std::string all;
    for (const strategy::Move& move : moves)
        all +=
            fmt::format("{}{} = {}", all.empty() ? "" : ", ", model.model.name_of(move.variable), move.value);
    return all;
}

nlohmann::json moves_json(const StochasticModel& model, const std::vector<strategy::Move>& moves) {
    auto object = nlohmann::json::object();
    for (const strategy::Move& move : moves) object[model.model.name_of(move.variable)] = move.value;
    return object;
}

// By player, from 1; "2/3" and 0.6666….
nlohmann::json utilities_json(const Rationals& utilities, bool decimal) {
    auto object = nlohmann::json::object();
    for (std::size_t p = 0; p < utilities.size(); ++p) {
        auto& entry = object[std::to_string(p + 1)];
        if (decimal) {
            entry = static_cast<double>(utilities[p]);
        } else {
            entry = text(utilities[p]);
        }
    }
    return object;
}

std::string thresholds_text(const StochasticModel& model) {
    std::string result;
    for (std::size_t p = 0; p < model.thresholds.size(); ++p) {
        if (!model.thresholds[p]) continue;
        if (!result.empty()) result += ", ";
        if (model.players() > 1) result += fmt::format("player {}: ", p + 1);
        result += text(*model.thresholds[p]);
    }
    return result;
}

// 2/3 ≈ 0.667
std::string utilities_text(const Rationals& utilities) {
    std::string approximately;
    bool whole = true;
    for (const Rational& utility : utilities) {
        approximately +=
            fmt::format("{}{:.4g}", approximately.empty() ? "" : ", ", static_cast<double>(utility));
        whole = whole && denominator(utility) == 1;
    }
    if (whole) return text(utilities);
    return fmt::format("{} ≈ {}", text(utilities),
                       utilities.size() == 1 ? approximately : "(" + approximately + ")");
}

nlohmann::json to_json(const stochastic::Statistics& s) {
    return {{"nodes", s.nodes},
            {"failures", s.failures},
            {"pruned", s.pruned},
            {"propagations", s.propagations},
            {"tuples", s.tuples},
            {"refuted", s.refuted},
            {"cpu_seconds", s.cpu_seconds},
            {"wall_seconds", s.wall_seconds}};
}

struct Report {
    const SolveStochastic& options;
    const StochasticModel& model;
    const Answer& answer;
    const std::optional<PolicyVerification>& checked;
    bool best;

    void print_json() const {
        nlohmann::json object = to_json(answer.statistics);
        object["verdict"] = name(answer.verdict);
        object["stop"] = describe(answer.stop);
        object["engine"] = options.engine.empty() ? "mac" : options.engine;
        object["question"] = best ? "best" : "solution";
        object["stages"] = model.stages();
        object["players"] = model.players();
        object["thresholds"] = nlohmann::json::object();
        for (std::size_t p = 0; p < model.thresholds.size(); ++p) {
            if (model.thresholds[p]) object["thresholds"][std::to_string(p + 1)] = text(*model.thresholds[p]);
        }
        object["best"] = nlohmann::json::array();
        object["values"] = nlohmann::json::object();
        object["decimals"] = nlohmann::json::object();
        if (answer.policy) {
            object["best"].push_back(moves_json(model, first_decisions(model, *answer.policy)));
            object["values"] = utilities_json(answer.policy->utilities, false);
            object["decimals"] = utilities_json(answer.policy->utilities, true);
        }
        object["peak_bytes"] = peak_bytes();
        object["strategy_nodes"] = answer.policy ? answer.policy->size() : 0;
        object["checked"] = nullptr;
        if (checked && checked->stop == Stop::none) object["checked"] = checked->valid;
        if (checked) object["scenarios"] = std::to_string(checked->scenarios);
        print(object);
    }

    void print_text() const {
        const auto& s = answer.statistics;
        const std::string cost =
            fmt::format("{}, {}", plural(count_text(s.nodes), "node"), seconds_text(s.cpu_seconds));
        if (answer.verdict == Verdict::unknown) {
            std::cout << fmt::format("unknown: {} after {}\n", describe(answer.stop), cost);
        } else if (!answer.policy) {
            std::cout << fmt::format("lost in {} — {}\n", cost,
                                     best || !model.has_threshold()
                                         ? "no policy is feasible"
                                         : "no policy reaches " + thresholds_text(model));
        } else {
            std::cout << fmt::format("{} in {} — {} {}", name(answer.verdict), cost,
                                     best ? "the best expected utility is" : "expected utility",
                                     utilities_text(answer.policy->utilities));
            if (model.has_threshold()) {
                std::cout << fmt::format(", {} the threshold {}",
                                         answer.verdict == Verdict::won ? "at least" : "below",
                                         thresholds_text(model));
            }
            const auto first = first_decisions(model, *answer.policy);
            if (!first.empty()) std::cout << "; first " << moves_text(model, first);
            std::cout << '\n';
        }
        if (answer.policy) print_policy();
        if (!options.verbose) return;
        const auto statistics = to_json(s);
        for (const auto& [key, value] : statistics.items())
            std::cout << fmt::format("  {:<14}{}\n", key, value.dump());
    }

    void print_policy() const {
        std::cout << fmt::format("policy: {}", plural(count_text(answer.policy->size()), "node"));
        if (checked && checked->valid) {
            std::cout << fmt::format("; checked without the solver: {}",
                                     plural(count_text(checked->scenarios), "scenario"));
        } else if (checked && checked->counterexample) {
            std::cout << fmt::format("; THE CHECK FAILED: {}", checked->counterexample->text(model.model));
        } else if (checked) {
            std::cout << fmt::format("; not checked to the end in {} (raise --check-seconds)",
                                     seconds_text(options.check_seconds));
        }
        std::cout << '\n';
    }
};

}  // namespace

bool is_stochastic_engine(const std::string& engine) { return engine == "fc" || engine == "mac"; }

int SolveStochastic::run(model::Model flat, const Limits& limits) const {
    const StochasticModel model = stochastic::from_flat(std::move(flat));
    const bool asks_for_best = best || !model.has_threshold();
    stochastic::SolveOptions question;
    question.limits = limits;
    question.engine = engine == "fc" ? stochastic::Engine::forward_checking : stochastic::Engine::mac;
    question.question = asks_for_best ? stochastic::Question::best : stochastic::Question::solution;
    Answer answer;
    {
        ProgressLine line;
        question.progress = [&](const stochastic::Statistics& now) {
            line.show(fmt::format("{} nodes, {} failures, {} pruned", count_text(now.nodes),
                                  count_text(now.failures), count_text(now.pruned)));
        };
        answer = stochastic::solve(model, question);
    }
    if (answer.policy && !policy_file.empty()) save_policy(policy_file, model, *answer.policy);
    std::optional<PolicyVerification> checked;
    if (answer.policy && check)
        checked = verify(model, *answer.policy, Limits(check_seconds, limits.memory()));
    const Report report{*this, model, answer, checked, asks_for_best};
    if (json) {
        report.print_json();
    } else {
        report.print_text();
    }
    if (answer.stop != Stop::none) return exit_code(answer.stop);
    return checked && checked->counterexample ? check_failed : answered;
}

int VerifyStochastic::run(model::Model flat, const Limits& limits) const {
    const StochasticModel model = stochastic::from_flat(std::move(flat));
    const Policy policy = stochastic::load_policy(policy_file, model);
    const PolicyVerification result = verify(model, policy, limits);
    const bool solution = result.valid && result.reaches_thresholds;
    if (json) {
        nlohmann::json object = {{"valid", solution},
                                 {"stop", describe(result.stop)},
                                 {"positions", result.positions},
                                 {"scenarios", std::to_string(result.scenarios)},
                                 {"counterexample", nullptr},
                                 {"values", utilities_json(result.utilities, false)},
                                 {"reaches_thresholds", result.reaches_thresholds},
                                 {"fingerprint", fingerprint(model, policy)}};
        if (result.counterexample) {
            object["counterexample"] = {{"play", moves_json(model, result.counterexample->play)},
                                        {"reason", result.counterexample->reason}};
        }
        print(object);
    } else if (result.valid) {
        std::cout << fmt::format(
            "{}: expected utility {} over {}{}\n", solution ? "valid" : "not valid",
            utilities_text(result.utilities), plural(count_text(result.scenarios), "scenario"),
            !model.has_threshold() ? ""
                                   : fmt::format(", {} the threshold {}", solution ? "at least" : "below",
                                                 thresholds_text(model)));
    } else if (result.counterexample) {
        const std::string reason = result.counterexample->text(model.model);
        std::cout << fmt::format("not valid: {}\n", reason);
    } else {
        std::cout << fmt::format("unknown: {} after {} positions\n", describe(result.stop),
                                 count_text(result.positions));
    }
    if (result.stop != Stop::none) return exit_code(result.stop);
    return solution ? answered : check_failed;
}

int ShowStochastic::run(model::Model flat) const {
    const StochasticModel model = stochastic::from_flat(std::move(flat));
    const Policy policy = stochastic::load_policy(policy_file, model);
    std::ostringstream result;
    if (out.ends_with(".json") || (out.empty() && json)) {
        write_json(result, model, policy);
    } else if (out.empty()) {
        write_text(result, model, policy, nodes);
    } else if (out.ends_with(".dot") || is_drawing(out)) {
        write_dot(result, model, policy, nodes);
    } else {
        throw Error(fmt::format("{}: this kind of picture is not known", out),
                    "end the name with .svg, .png, .pdf, .dot or .json");
    }
    if (out.empty()) {
        std::cout << result.view();
    } else {
        write_whole(out, is_drawing(out) ? drawn(result.str(), out) : result.str());
    }
    return answered;
}

}  // namespace zermelo::cli
