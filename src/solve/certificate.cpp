#include "solve/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>

#include "core/format/json.hpp"
#include "core/format/json_text.hpp"
#include "equilibrium/file.hpp"
#include "game/chance/policy_file.hpp"
#include "game/solve.hpp"
#include "game/strategy/file.hpp"
#include "solve/chance.hpp"
#include "stochastic/format/policy_file.hpp"
#include "strategy/format/json.hpp"

namespace zermelo {

namespace {

using nlohmann::json;

constexpr int thresholds_version = 1;
constexpr const char* thresholds_kind = "thresholds";
constexpr const char* equilibrium_kind = "equilibrium";
constexpr const char* old_thresholds_format = "zermelo-game-strategies";  // of version 0.1

// Takes the top-level strings "format" and "kind" from a text and stops as soon as it has both.
class KindReader : public json::json_sax_t {
public:
    std::string format;
    std::string kind;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t& value) override {
        if (depth_ == 1 && key_ == "format") format = value;
        if (depth_ == 1 && key_ == "kind") kind = value;
        return format.empty() || kind.empty();
    }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return ++depth_ > 0; }
    bool key(string_t& value) override {
        if (depth_ == 1) key_ = value;
        return true;
    }
    bool end_object() override { return depth_-- > 0; }
    bool start_array(std::size_t) override { return ++depth_ > 0; }
    bool end_array() override { return depth_-- > 0; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

private:
    int depth_ = 0;
    std::string key_;
};

// ------------------------------------------------------------------------------------------ thresholds

const char* form_name(encode::ModelForm form) {
    return form == encode::ModelForm::strategic ? "strategic" : "quantified";
}

json moves_json(const ThresholdQuestions& questions) {
    const auto& moves = questions.game().machine().network().moves;
    auto roles = json::array();
    for (std::size_t r = 0; r < moves.size(); ++r) {
        auto names = json::array();
        for (std::size_t m = 1; m <= moves[r].size(); ++m)
            names.push_back(questions.numbers().text(r, static_cast<model::Value>(m)));
        roles.push_back({{"role", questions.role_name(r)}, {"names", names}});
    }
    return roles;
}

void write_thresholds(std::ostream& out, const Problem& problem, const ThresholdProofs& proofs) {
    const ThresholdQuestions& questions = *proofs.front()->questions;
    out << fmt::format(
        "{{\n\"format\": \"zermelo-strategy\",\n\"version\": {},\n\"kind\": \"{}\",\n\"game\": "
        "{},\n\"rules\": "
        "\"{}\",\n\"moves\": {},\n\"strategies\": [",
        thresholds_version, thresholds_kind, json_text(json(problem.title())), hex(problem.fingerprint()),
        json_text(moves_json(questions)));
    const char* comma = "\n";
    for (const auto& each : proofs) {
        const ThresholdProof& proof = *each;
        out << comma
            << fmt::format(
                   "{{\"role\": {}, \"threshold\": {}, \"horizon\": {}, \"form\": \"{}\", \"strategy\":\n",
                   json_text(json(questions.role_name(proof.question().role))), proof.question().threshold,
                   proof.questions->horizon(), form_name(proof.question().form));
        strategy::write_json(out, proof.quantified.model, proof.strategy);
        out << "}";
        comma = ",\n";
    }
    out << "\n]\n}\n";
}

class ThresholdsReader {
public:
    ThresholdsReader(const std::string& file, const Problem& problem, const Limits& limits)
        : file_{.name = file,
                .what = "strategy",
                .not_json = "write the strategies again",
                .deepest = 20,
                .remedy = "write the strategies again"},
          problem_(problem),
          limits_(limits) {}

    ThresholdProofs read(const std::string& bytes) {
        const json value = parse_json(bytes, file_);
        const JsonCursor document(file_, value);
        const JsonCursor version = document.member("version");
        if (version.integer() != thresholds_version)
            throw version.wrong(
                fmt::format("its version is unknown; version {} can be read", thresholds_version));
        if (document.member("rules").text() != hex(problem_.fingerprint())) {
            throw Error(
                {file_.name},
                "these strategies were made for other rules, those of " + document.member("game").text(),
                "give the game that they were made for");
        }
        ThresholdProofs all;
        for (const JsonCursor& entry : document.member("strategies").elements())
            all.push_back(proof(document.member("moves"), entry));
        if (all.empty()) throw document.wrong("there is no strategy in this file");
        return all;
    }

private:
    std::shared_ptr<const ThresholdProof> proof(const JsonCursor& moves, const JsonCursor& entry) {
        const auto horizon = static_cast<std::size_t>(entry.member("horizon").integer(0, longest_horizon));
        auto& questions = by_horizon_[horizon];
        if (!questions) {
            questions = std::make_shared<const ThresholdQuestions>(
                std::get<std::shared_ptr<const gdl::Game>>(problem_.rules()), horizon, limits_);
        }
        if (moves.value() != moves_json(*questions))
            throw moves.wrong("its moves are not numbered as in this game");
        const JsonCursor form = entry.member("form");
        if (form.value() != "quantified" && form.value() != "strategic")
            throw form.wrong("this form of model is unknown");
        encode::Question question;
        question.role = questions->role_named(entry.member("role").text());
        question.threshold =
            static_cast<int>(entry.member("threshold")
                                 .integer(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
        question.form =
            form.value() == "strategic" ? encode::ModelForm::strategic : encode::ModelForm::quantified;
        ThresholdProof proof{questions, questions->model(question), {}};
        std::istringstream strategy(json_text(entry.member("strategy").value()));
        proof.strategy = strategy::read_json(strategy, proof.quantified.model, file_.name);
        return std::make_shared<const ThresholdProof>(std::move(proof));
    }

    static constexpr std::int64_t longest_horizon = 1'000'000;

    JsonFile file_;
    const Problem& problem_;
    const Limits& limits_;
    std::map<std::size_t, std::shared_ptr<const ThresholdQuestions>> by_horizon_;  // which may differ
};

std::string plans_text(const Problem& problem, const Plans& plans, const Limits& limits) {
    game::PlanText text{problem.title(), problem.fingerprint(), {}};
    problem.with_game([&](auto& game) {
        for (const game::Plan& plan : plans)
            text.plans.push_back(game::plan_graph_of(game, plan, game::most_json_nodes, limits));
    });
    return game::plan_file::text_of(text);
}

}  // namespace

const char* Certificate::kind() const {
    if (const auto* strategy = as<strategy::Strategy>()) return strategy::kind_name(strategy->owner);
    if (as<Plans>() != nullptr) return "plan";
    if (as<ThresholdProofs>() != nullptr) return thresholds_kind;
    if (as<stochastic::Policy>() != nullptr || as<ChancePolicies>() != nullptr) return "policy";
    if (as<equilibrium::Equilibrium>() != nullptr) return equilibrium_kind;
    return "";
}

std::size_t Certificate::size() const {
    std::size_t all = 0;
    if (const auto* strategy = as<strategy::Strategy>()) all = strategy->size();
    if (const auto* policy = as<stochastic::Policy>()) all = policy->size();
    if (const auto* mixed = as<equilibrium::Equilibrium>()) all = mixed->size();
    if (const auto* plans = as<Plans>()) {
        for (const game::Plan& plan : *plans) all += plan.choices.size();
    }
    if (const auto* policies = as<ChancePolicies>()) {
        for (const game::ChancePolicy& policy : *policies) all += policy.choices.size();
    }
    if (const auto* proofs = as<ThresholdProofs>()) {
        for (const auto& one : *proofs) all += one->strategy.size();
    }
    return all;
}

std::string certificate_kind(const std::string& bytes) {
    if (game::is_compact_plan(bytes)) return "plan";
    if (game::is_compact_policy(bytes)) return "policy";
    KindReader reader;
    (void)json::sax_parse(bytes, &reader, json::input_format_t::json, false);
    if (reader.format == old_thresholds_format) return thresholds_kind;
    if (reader.format == "zermelo-policy") return "policy";
    if (reader.format != "zermelo-strategy") return "";
    if (reader.kind == "game") return "plan";
    return reader.kind.empty() ? "strategy" : reader.kind;
}

std::string to_json_text(const Problem& problem, const Certificate& certificate, const Limits& limits) {
    if (const auto* plans = certificate.as<Plans>()) return plans_text(problem, *plans, limits);
    if (const auto* policies = certificate.as<ChancePolicies>()) {
        return with_chance_game(problem, [&](auto& game) {
            return game::policies_json(game, {problem.title(), problem.fingerprint(), *policies}, limits);
        });
    }
    std::ostringstream out;
    if (const auto* strategy = certificate.as<strategy::Strategy>())
        strategy::write_json(out, *problem.model(), *strategy);
    if (const auto* proofs = certificate.as<ThresholdProofs>()) write_thresholds(out, problem, *proofs);
    if (const auto* policy = certificate.as<stochastic::Policy>())
        stochastic::write_json(out, *problem.stochastic(), *policy);
    if (const auto* mixed = certificate.as<equilibrium::Equilibrium>())
        equilibrium::write_json(out, *mixed, problem.title(), problem.fingerprint());
    return std::move(out).str();
}

void save(const std::string& file, const Problem& problem, const Certificate& certificate,
          const Limits& limits) {
    if (const auto* strategy = certificate.as<strategy::Strategy>())
        return strategy::save_strategy(file, *problem.model(), *strategy);
    if (const auto* policy = certificate.as<stochastic::Policy>())
        return stochastic::save_policy(file, *problem.stochastic(), *policy);
    if (certificate.empty())
        throw Error({file}, "there is no certificate to write", "solve the problem first");
    const auto* policies = certificate.as<ChancePolicies>();
    if (policies != nullptr && !game::plan_file::wants_json(file)) {
        game::plan_file::replace(file,
                                 game::encode_policies({problem.title(), problem.fingerprint(), *policies}));
        return;
    }
    const auto* plans = certificate.as<Plans>();
    const bool compact = plans != nullptr && !game::plan_file::wants_json(file);
    game::plan_file::replace(file, compact
                                       ? game::encode_plans({problem.title(), problem.fingerprint(), *plans})
                                       : to_json_text(problem, certificate, limits));
}

Certificate load(const std::string& file, const Problem& problem, const Limits& limits) {
    if (problem.model() != nullptr) return {strategy::load_strategy(file, *problem.model())};
    if (problem.stochastic() != nullptr) return {stochastic::load_policy(file, *problem.stochastic())};
    const std::string bytes = game::plan_file::contents(file);
    const std::string kind = certificate_kind(bytes);
    if (kind == "policy") {
        return {with_chance_game(problem, [&](auto& game) {
            return game::read_policies(bytes, file, game, problem.fingerprint(), limits);
        })};
    }
    if (kind == thresholds_kind) {
        if (problem.gdl() == nullptr)
            throw Error({file}, "these are strategies for a game in GDL", "give the game");
        return {ThresholdsReader(file, problem, limits).read(bytes)};
    }
    if (certificate_kind(bytes) == equilibrium_kind) {
        if (problem.gdl() == nullptr)
            throw Error({file}, "this is an equilibrium of a game in GDL", "give the game");
        return {equilibrium::read_json(bytes, file, problem.fingerprint())};
    }
    return {problem.with_game([&](auto& game) {
        return game::read_plans(bytes, file, game, problem.fingerprint(), limits).plans;
    })};
}

}  // namespace zermelo
