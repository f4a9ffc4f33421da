#include "cli/solve/solve_as_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/processes.hpp"
#include "cli/solve/forward.hpp"
#include "gdl/game.hpp"

namespace zermelo::cli {

namespace {

using nlohmann::json;

// An answered question.
struct Asked {
    Certificate certificate;
    quantified::Answer answer;
    std::optional<strategy::Verification> checked;
    json together = nullptr;  // what several processes did for it

    [[nodiscard]] const encode::Question& question() const { return certificate.quantified.question; }
    [[nodiscard]] bool forced() const { return answer.verdict == quantified::Verdict::won; }
};

// What is known about the greatest goal that a role can force: it is one of `goals`, or none.
struct RoleValue {
    std::size_t role = 0;
    std::vector<int> goals;    // ascending
    std::size_t at_least = 0;  // so many of the goals, counted from below, are known to be forced
    std::size_t at_most = 0;
    const Asked* forced = nullptr;   // the question that shows the first, if one was asked
    const Asked* refuted = nullptr;  // and the second

    [[nodiscard]] bool known() const { return at_least == at_most; }
    [[nodiscard]] std::optional<int> value() const {
        if (!known() || at_least == 0) return std::nullopt;
        return goals[at_least - 1];
    }
};

class ModelSession {
public:
    ModelSession(const SolveAsModel& options, const gdl::Game& game, const Limits& limits)
        : options_(options), limits_(limits), questions_(game, options.horizon, limits) {
        role_ = options.role.empty() ? 0 : questions_.role_named(options.role);
    }

    int run();

private:
    const Asked* ask(std::size_t role, int threshold);
    void check(Asked& asked);
    void find_value(std::size_t role);
    void find_values();
    void save() const;

    [[nodiscard]] const gdl::Network& network() const { return questions_.game().machine().network(); }
    [[nodiscard]] std::vector<const Asked*> certificates() const;
    [[nodiscard]] std::optional<std::vector<int>> values() const;
    [[nodiscard]] std::string verdict() const;
    [[nodiscard]] std::string headline() const;
    [[nodiscard]] std::string known_so_far() const;
    [[nodiscard]] std::pair<std::vector<std::string>, bool> best() const;  // and whether these are all
    [[nodiscard]] quantified::SearchStatistics sum() const;
    [[nodiscard]] int code() const;
    void report_text() const;
    void report_json() const;

    const SolveAsModel& options_;
    const Limits& limits_;
    GameQuestions questions_;
    std::size_t role_ = 0;
    std::vector<std::unique_ptr<Asked>> asked_;
    std::vector<RoleValue> values_;  // of the role, and where they were sought, of the other
    Stop stop_ = Stop::none;
};

// ------------------------------------------------------------------------------------------ asking

// Nothing where a limit ended the search.
const Asked* ModelSession::ask(std::size_t role, int threshold) {
    auto asked = std::make_unique<Asked>();
    asked->certificate.quantified = made_by_all(
        [&] {
            return questions_.model({role, threshold, options_.form});
        },
        "while the game was unrolled");
    const model::Model& model = asked->certificate.quantified.model;
    const auto guide = options_.search.make_guide();
    quantified::SolveOptions search = options_.search.options(limits_);
    search.guide = guide.get();
    search.strategy = true;
    search.all_first_moves = search.all_first_moves && questions_.first_mover() == role;
    asked->answer = solve_with_progress(model, search, {}, &asked->together);
    asked->certificate.strategy = std::move(asked->answer.strategy);
    stop_ = asked->answer.stop;
    asked_.push_back(std::move(asked));
    return stop_ == Stop::none ? asked_.back().get() : nullptr;
}

// Where every play ends, the smallest goal is certain and needs no question.
void ModelSession::find_value(std::size_t role) {
    RoleValue& value = values_.emplace_back();
    value.role = role;
    value.goals = encode::goal_values(network(), role);
    value.at_least = questions_.complete() && !value.goals.empty() ? 1 : 0;
    value.at_most = value.goals.size();
    while (!value.known()) {
        const std::size_t middle = (value.at_least + value.at_most + 1) / 2;
        const Asked* asked = ask(role, value.goals[middle - 1]);
        if (asked == nullptr) return;
        if (asked->forced()) {
            value.at_least = middle;
            value.forced = asked;
        } else {
            value.at_most = middle - 1;
            value.refuted = asked;
        }
    }
}

// Where goals are opposite and all plays end, one value tells the other.
void ModelSession::find_values() {
    if (network().roles.size() > 2) {
        throw Error({questions_.game().description().file}, "more than two roles play this game",
                    "ask for one of them with --role and --threshold");
    }
    values_.reserve(2);
    find_value(role_);
    const bool both = network().roles.size() == 2 && !(encode::opposed(network()) && questions_.complete());
    if (both && stop_ == Stop::none) find_value(1 - role_);
}

void ModelSession::check(Asked& asked) {
    const Limits limits(options_.check_seconds, limits_.memory());
    asked.checked =
        verify_with_progress(asked.certificate.quantified.model, asked.certificate.strategy, limits);
}

std::vector<const Asked*> ModelSession::certificates() const {
    std::vector<const Asked*> all;
    if (options_.threshold && stop_ == Stop::none) all.push_back(asked_.front().get());
    for (const RoleValue& value : values_) {
        if (value.forced != nullptr) all.push_back(value.forced);
        if (value.refuted != nullptr) all.push_back(value.refuted);
    }
    return all;
}

void ModelSession::save() const {
    std::vector<Certificate> all;
    for (const Asked* asked : certificates()) all.push_back(asked->certificate);
    if (all.empty()) {
        throw Error({options_.strategy_file}, "there is no strategy to write: nothing had to be shown",
                    "leave --strategy out");
    }
    save_game_strategies(options_.strategy_file, questions_, all);
}

int ModelSession::run() {
    if (options_.threshold) {
        (void)ask(role_, *options_.threshold);
    } else {
        find_values();
    }
    if (!processes().first()) return answered;  // the first one has the strategies, and tells how it went
    std::string complaint;
    if (stop_ == Stop::none && !options_.strategy_file.empty()) {
        try {
            save();
        } catch (const Error& problem) {
            complaint = problem.what();  // the verdict is worth telling all the same
        }
    }
    if (options_.check) {
        const auto needed = certificates();
        for (const auto& asked : asked_) {
            if (std::ranges::find(needed, asked.get()) != needed.end()) check(*asked);
        }
    }
    if (options_.json) {
        report_json();
    } else {
        report_text();
    }
    if (complaint.empty()) return code();
    std::cerr << complaint << '\n';
    return bad_input;
}

// ------------------------------------------------------------------------------------------ telling

int ModelSession::code() const {
    if (stop_ != Stop::none) return exit_code(stop_);
    int code =
        !options_.threshold && verdict() == "unknown" && !questions_.complete() ? limit_reached : answered;
    for (const auto& asked : asked_) {
        if (asked->checked && asked->checked->counterexample) return check_failed;
        if (asked->checked && asked->checked->stop == Stop::interrupted) code = interrupted;
    }
    return code;
}

// By role, where they are known and belong together: what each can be sure of is what comes out.
std::optional<std::vector<int>> ModelSession::values() const {
    if (values_.empty()) return std::nullopt;
    const auto own = values_.front().value();
    if (network().roles.size() == 1) return own ? std::optional(std::vector{*own}) : std::nullopt;
    std::vector<int> both(2);
    if (values_.size() == 1) {
        if (!own) return std::nullopt;
        both[role_] = *own;
        both[1 - role_] = 100 - *own;
        return both;
    }
    const auto other = values_.back().value();
    if (!own || !other || *own + *other != 100) return std::nullopt;
    both[role_] = *own;
    both[1 - role_] = *other;
    return both;
}

std::string ModelSession::verdict() const {
    if (stop_ != Stop::none) return "unknown";
    if (options_.threshold) return asked_.front()->forced() ? "won" : "lost";
    const auto all = values();
    return all ? game::verdict(static_cast<game::Player>(role_), *all) : "unknown";
}

std::string ModelSession::known_so_far() const {
    std::string text;
    for (const RoleValue& value : values_) {
        if (!text.empty()) text += ", ";
        text += questions_.role_name(value.role);
        text += value.at_least == 0 ? " forces nothing"
                                    : fmt::format(" gets at least {}", value.goals[value.at_least - 1]);
        if (!value.known()) text += fmt::format(" and perhaps {}", value.goals[value.at_most - 1]);
    }
    return text + questions_.within();
}

std::string ModelSession::headline() const {
    const std::string name = questions_.role_name(role_);
    if (stop_ != Stop::none) {
        const std::string known = known_so_far();
        return fmt::format("unknown: {}{}{}", describe(stop_), values_.empty() ? "" : "; ",
                           values_.empty() ? "" : known);
    }
    if (options_.threshold) {
        const bool forced = asked_.front()->forced();
        return fmt::format("{} by {}: a goal of at least {} {}{}", forced ? "won" : "lost", name,
                           *options_.threshold, forced ? "is forced" : "cannot be forced",
                           questions_.within());
    }
    const auto all = values();
    if (!all) return "unknown: " + known_so_far();
    std::string list;
    for (std::size_t r = 0; r < all->size(); ++r)
        list += fmt::format("{}{} {}", r == 0 ? "" : ", ", questions_.role_name(r), (*all)[r]);
    const std::string word = verdict();
    if (word != "drawn") return fmt::format("{} by {}: {}", word, name, list);
    return all->size() == 1 ? "solved: " + list : "drawn: " + list;
}

// The first moves of whoever has the first choice, by the certificate that this role owns. A role that gets
// no more than the smallest goal gets it by any move.
std::pair<std::vector<std::string>, bool> ModelSession::best() const {
    const auto mover = questions_.first_mover();
    if (!mover || stop_ != Stop::none) return {};
    for (const Asked* asked : certificates()) {
        const bool owned = asked->forced() == (asked->question().role == *mover);
        if (!owned) continue;
        const auto& quantified = asked->certificate.quantified;
        std::vector<std::string> names;
        for (const auto& values : asked->answer.first_moves)
            names.push_back(
                questions_.move_name(quantified, {quantified.turns.front().variable, values.front()}));
        if (!names.empty()) return {names, true};
        for (const strategy::Move& move : first_moves(quantified.model, asked->certificate.strategy))
            return {{questions_.move_name(quantified, move)}, false};
    }
    for (const RoleValue& value : values_) {
        if (value.role == *mover && questions_.complete() && value.known() && value.at_least == 1)
            return {questions_.first_options(), true};
    }
    return {};
}

quantified::SearchStatistics ModelSession::sum() const {
    quantified::SearchStatistics all;
    for (const auto& asked : asked_) all += asked->answer.statistics;
    return all;
}

std::string check_text(const GameQuestions& questions, const Asked& asked) {
    if (!asked.checked) return "";
    const strategy::Verification& check = *asked.checked;
    if (check.counterexample)
        return "; THE CHECK FAILED: " + text(questions, asked.certificate, *check.counterexample);
    if (!check.valid)
        return fmt::format("; not checked to the end: {} (raise --check-seconds)", describe(check.stop));
    return fmt::format("; checked without the solver: {}, kept in all", plural(check.scenarios, "scenario"));
}

void ModelSession::report_text() const {
    const quantified::SearchStatistics s = sum();
    std::cout << fmt::format("{} — by {} search, {}, {}\n", headline(),
                             options_.form == encode::ModelForm::strategic ? "strategic" : "quantified",
                             plural(count_text(s.nodes), "node"), seconds_text(s.cpu_seconds));
    if (const auto [names, all] = best(); !names.empty()) {
        std::cout << fmt::format("{}: {}\n",
                                 !all                ? "a best first move"
                                 : names.size() == 1 ? "best first move"
                                                     : "best first moves",
                                 fmt::join(names, ", "));
    }
    for (const Asked* asked : certificates()) {
        std::cout << fmt::format("{}: {}{}\n", claim(questions_, asked->certificate),
                                 plural(count_text(asked->certificate.strategy.size()), "position"),
                                 check_text(questions_, *asked));
    }
    if (!options_.verbose) return;
    for (const auto& asked : asked_) {
        const model::Model& model = asked->certificate.quantified.model;
        std::cout << fmt::format("  {} at least {}: {}, {} variables, {} constraints\n",
                                 questions_.role_name(asked->question().role), asked->question().threshold,
                                 name(asked->answer.verdict), count_text(model.variables.size()),
                                 count_text(model.constraints.size()));
        const auto statistics = to_json(asked->answer.statistics);
        for (const auto& [key, value] : statistics.items())
            std::cout << fmt::format("    {:<14}{}\n", key, value.dump());
    }
}

json question_json(const GameQuestions& questions, const Asked& asked) {
    const model::Model& model = asked.certificate.quantified.model;
    json object = to_json(asked.answer.statistics);
    if (!asked.together.is_null()) object.update(asked.together);
    object["role"] = questions.role_name(asked.question().role);
    object["threshold"] = asked.question().threshold;
    object["verdict"] = name(asked.answer.verdict);
    object["variables"] = model.variables.size();
    object["constraints"] = model.constraints.size();
    object["strategy_nodes"] = asked.certificate.strategy.size();
    object["checked"] = nullptr;
    if (asked.checked && asked.checked->stop == Stop::none) object["checked"] = asked.checked->valid;
    if (asked.checked) object["scenarios"] = asked.checked->scenarios;
    if (asked.checked && asked.checked->counterexample)
        object["counterexample"] = to_json(questions, asked.certificate, *asked.checked->counterexample);
    return object;
}

void ModelSession::report_json() const {
    const quantified::SearchStatistics s = sum();
    const auto [names, all] = best();
    json object = {{"verdict", verdict()},
                   {"stop", describe(stop_)},
                   {"values", json::object()},
                   {"guaranteed", json::object()},
                   {"best", names},
                   {"all_best", all},
                   {"engine", options_.form == encode::ModelForm::strategic ? "strategic" : "quantified"},
                   {"horizon", questions_.horizon()},
                   {"complete", questions_.complete()},
                   {"nodes", s.nodes},
                   {"propagations", s.propagations},
                   {"cpu_seconds", s.cpu_seconds},
                   {"wall_seconds", s.wall_seconds},
                   {"setup_cpu_seconds", questions_.game().set_up().seconds()},
                   {"peak_bytes", peak_bytes()},
                   {"processes", processes().size()},
                   {"questions", json::array()}};
    if (const auto known = values()) {
        for (std::size_t r = 0; r < known->size(); ++r)
            object["values"][questions_.role_name(r)] = (*known)[r];
    }
    for (const RoleValue& value : values_) {
        if (value.at_least > 0)
            object["guaranteed"][questions_.role_name(value.role)] = value.goals[value.at_least - 1];
    }
    std::size_t nodes = 0;
    for (const Asked* asked : certificates()) nodes += asked->certificate.strategy.size();
    object["strategy_nodes"] = nodes;
    for (const auto& asked : asked_) object["questions"].push_back(question_json(questions_, *asked));
    print(object);
}

}  // namespace

int SolveAsModel::run(const std::string& file, const Limits& limits) const {
    gdl::GroundOptions grounding;
    grounding.limits = limits;
    try {
        const auto game = made_by_all([&] { return std::make_unique<const gdl::Game>(file, grounding); },
                                      "while the rules were read");
        const auto session = made_by_all([&] { return std::make_unique<ModelSession>(*this, *game, limits); },
                                         "while the rules were read");
        return session->run();
    } catch (const LimitReached& limit) {
        // While the rules were read or unrolled: an answer too, if a poor one.
        if (this->json) {
            print({{"verdict", "unknown"},
                   {"stop", describe(limit.stop())},
                   {"values", nlohmann::json::object()}});
        } else {
            std::cout << fmt::format("unknown: {}\n", describe(limit.stop()));
        }
        return exit_code(limit.stop());
    }
}

}  // namespace zermelo::cli
