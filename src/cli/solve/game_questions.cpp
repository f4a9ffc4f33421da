#include "cli/solve/game_questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/solve/solving.hpp"
#include "cli/solve/verify_game.hpp"
#include "game/solve.hpp"
#include "game/strategy/file.hpp"
#include "gdl/analysis/ranking.hpp"
#include "strategy/format/json.hpp"

namespace zermelo::cli {

namespace {

using nlohmann::json;

constexpr const char* format_name = "zermelo-game-strategies";
constexpr int format_version = 1;

const char* form_name(encode::ModelForm form) {
    return form == encode::ModelForm::strategic ? "strategic" : "quantified";
}

}  // namespace

// ------------------------------------------------------------------------------------------ questions

GameQuestions::GameQuestions(const gdl::Game& game, std::optional<std::size_t> horizon, const Limits& limits)
    : game_(game), numbers_(game) {
    encode::require_open_game(game);
    const gdl::State& start = game.machine().initial();
    const auto longest = gdl::longest_play(game.machine(), start, limits);
    if (!horizon && !longest) {
        throw Error({game.description().file}, "it is not known how long a play can be",
                    "say with --horizon how many moves are looked at");
    }
    encode::UnrollOptions options;
    options.horizon = !horizon ? *longest : !longest ? *horizon : std::min(*horizon, *longest);
    options.limits = limits;
    unrolling_ = encode::unroll(game, start, options);
    complete_ = unrolling_.ends || (longest && *longest <= options.horizon);
}

std::string GameQuestions::within() const {
    return complete_ ? "" : " within " + plural(std::to_string(horizon()), "move");
}

encode::QuantifiedGame GameQuestions::model(const encode::Question& question) const {
    return encode::quantify(game_, unrolling_, question);
}

std::string GameQuestions::role_name(std::size_t role) const {
    return game_.text(game_.machine().network().roles[role]);
}

std::size_t GameQuestions::role_named(const std::string& wanted) const {
    const std::size_t roles = game_.machine().roles();
    std::vector<std::string> names;
    for (std::size_t r = 0; r < roles; ++r) {
        names.push_back(role_name(r));
        if (names.back() == wanted) return r;
    }
    throw Error({game_.description().file}, fmt::format("there is no role {}", wanted),
                fmt::format("choose from {}", fmt::join(names, ", ")));
}

std::string GameQuestions::move_name(const encode::QuantifiedGame& quantified,
                                     const strategy::Move& move) const {
    const auto* turn = quantified.turn_of(move.variable);
    return turn == nullptr ? std::to_string(move.value) : numbers_.text(turn->role, move.value);
}

std::optional<std::size_t> GameQuestions::first_mover() const {
    const auto first =
        std::ranges::find_if(unrolling_.steps, [](const auto& step) { return step.mover.has_value(); });
    return first == unrolling_.steps.end() ? std::nullopt : first->mover;
}

std::vector<std::string> GameQuestions::first_options() const {
    const auto first =
        std::ranges::find_if(unrolling_.steps, [](const auto& step) { return step.mover.has_value(); });
    std::vector<std::string> names;
    if (first == unrolling_.steps.end()) return names;
    for (const gdl::MoveId move : first->options) names.push_back(game_.move_text(*first->mover, move));
    std::ranges::sort(names);
    return names;
}

// ------------------------------------------------------------------------------------------ certificates

std::string claim(const GameQuestions& questions, const Certificate& certificate) {
    const encode::Question& question = certificate.quantified.question;
    return fmt::format("{} {} {}{}", questions.role_name(question.role),
                       certificate.forced() ? "gets at least" : "does not get", question.threshold,
                       questions.within());
}

std::string text(const GameQuestions& questions, const Certificate& certificate,
                 const strategy::Counterexample& counterexample) {
    std::string play;
    for (const strategy::Move& move : counterexample.play)
        play += (play.empty() ? "" : ", ") + questions.move_name(certificate.quantified, move);
    return fmt::format("{}{}{}", play, play.empty() ? "" : ": ", counterexample.reason);
}

nlohmann::json to_json(const GameQuestions& questions, const Certificate& certificate,
                       const strategy::Counterexample& counterexample) {
    auto play = json::array();
    for (const strategy::Move& move : counterexample.play)
        play.push_back(questions.move_name(certificate.quantified, move));
    return {{"play", play}, {"reason", counterexample.reason}};
}

// ------------------------------------------------------------------------------------------ files

namespace {

json moves_json(const GameQuestions& questions) {
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

// Reads the certificates of a file.
class FileReader {
public:
    FileReader(const std::string& file, const gdl::Game& game, const Limits& limits)
        : file_(file), game_(game), limits_(limits) {}

    std::vector<LoadedCertificate> read() {
        const json document = json::parse(game::plan_file::contents(file_), nullptr, false);
        if (document.is_discarded()) throw wrong("this is not JSON");
        if (field<int>(document, "version") != format_version)
            throw wrong(fmt::format("its version is unknown; version {} can be read", format_version));
        if (field<std::string>(document, "rules") != hex(game::rules_fingerprint(game_.description())))
            throw Error({file_},
                        "these strategies were made for other rules, those of " +
                            field<std::string>(document, "game"),
                        "give the game that they were made for");
        std::vector<LoadedCertificate> all;
        for (const json& entry : member(document, "strategies")) all.push_back(certificate(document, entry));
        if (all.empty()) throw wrong("there is no strategy in this file");
        return all;
    }

private:
    LoadedCertificate certificate(const json& document, const json& entry) {
        const auto horizon = field<std::size_t>(entry, "horizon");
        auto& questions = by_horizon_[horizon];
        if (!questions) questions = std::make_shared<const GameQuestions>(game_, horizon, limits_);
        if (member(document, "moves") != moves_json(*questions))
            throw wrong("its moves are not numbered as in this game");
        const auto form = field<std::string>(entry, "form");
        if (form != "quantified" && form != "strategic") throw wrong("a form of model is unknown: " + form);
        encode::Question question;
        question.role = questions->role_named(field<std::string>(entry, "role"));
        question.threshold = field<int>(entry, "threshold");
        question.form = form == "strategic" ? encode::ModelForm::strategic : encode::ModelForm::quantified;
        LoadedCertificate loaded{questions, {questions->model(question), {}}};
        std::istringstream strategy(member(entry, "strategy").dump());
        loaded.certificate.strategy =
            strategy::read_json(strategy, loaded.certificate.quantified.model, file_);
        return loaded;
    }

    [[nodiscard]] Error wrong(const std::string& problem) const {
        return Error({file_}, problem, "write the strategies again with solve --strategy");
    }
    [[nodiscard]] const json& member(const json& object, const char* key) const {
        if (!object.is_object() || !object.contains(key)) throw wrong(fmt::format("\"{}\" is missing", key));
        return object[key];
    }
    template <class T>
    [[nodiscard]] T field(const json& object, const char* key) const {
        try {
            return member(object, key).get<T>();
        } catch (const json::exception&) {
            throw wrong(fmt::format("\"{}\" is not what it should be", key));
        }
    }

    const std::string& file_;
    const gdl::Game& game_;
    const Limits& limits_;
    std::map<std::size_t, std::shared_ptr<const GameQuestions>> by_horizon_;
};

}  // namespace

bool is_game_strategies(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::string start(200, '\0');
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    return start.find(format_name) != std::string::npos;
}

void save_game_strategies(const std::string& file, const GameQuestions& questions,
                          const std::vector<Certificate>& certificates) {
    const gdl::Description& description = questions.game().description();
    std::ostringstream out;
    out << fmt::format(
        "{{\n\"format\": \"{}\",\n\"version\": {},\n\"game\": {},\n\"rules\": \"{}\",\n\"moves\": {},\n"
        "\"strategies\": [",
        format_name, format_version, json(std::filesystem::path(description.file).filename().string()).dump(),
        hex(game::rules_fingerprint(description)), moves_json(questions).dump());
    const char* comma = "\n";
    for (const Certificate& certificate : certificates) {
        const encode::Question& question = certificate.quantified.question;
        out << comma
            << fmt::format(
                   "{{\"role\": {}, \"threshold\": {}, \"horizon\": {}, \"form\": \"{}\", \"strategy\":\n",
                   json(questions.role_name(question.role)).dump(), question.threshold, questions.horizon(),
                   form_name(question.form));
        write_json(out, certificate.quantified.model, certificate.strategy);
        out << "}";
        comma = ",\n";
    }
    out << "\n]\n}\n";
    game::plan_file::replace(file, out.str());
}

std::vector<LoadedCertificate> load_game_strategies(const std::string& file, const gdl::Game& game,
                                                    const Limits& limits) {
    return FileReader(file, game, limits).read();
}

// ------------------------------------------------------------------------------------------ verify and show

namespace {

struct Checked {
    LoadedCertificate loaded;
    strategy::Verification result;

    [[nodiscard]] std::string text() const {
        const std::string what = claim(*loaded.questions, loaded.certificate);
        if (result.valid)
            return fmt::format("valid: {} in {} ({} looked at)", what, plural(result.scenarios, "scenario"),
                               plural(count_text(result.positions), "position"));
        if (result.counterexample)
            return fmt::format("not valid, that {}: {}", what,
                               cli::text(*loaded.questions, loaded.certificate, *result.counterexample));
        return fmt::format("unknown, that {}: {} after {}", what, describe(result.stop),
                           plural(count_text(result.positions), "position"));
    }
    [[nodiscard]] json object() const {
        const encode::Question& question = loaded.certificate.quantified.question;
        json object = {
            {"role", loaded.questions->role_name(question.role)},
            {"threshold", question.threshold},
            {"forced", loaded.certificate.forced()},
            {"horizon", loaded.questions->horizon()},
            {"complete", loaded.questions->complete()},
            {"form", form_name(question.form)},
            {"fingerprint", fingerprint(loaded.certificate.quantified.model, loaded.certificate.strategy)},
            {"valid", result.valid},
            {"stop", describe(result.stop)},
            {"positions", result.positions},
            {"scenarios", result.scenarios},
            {"counterexample", nullptr}};
        if (result.counterexample)
            object["counterexample"] = to_json(*loaded.questions, loaded.certificate, *result.counterexample);
        return object;
    }
};

void report_json(const std::vector<Checked>& all, Stop stop) {
    json object = {{"valid", !all.empty()},
                   {"stop", describe(stop)},
                   {"positions", 0},
                   {"counterexample", nullptr},
                   {"strategies", json::array()}};
    std::uint64_t positions = 0;
    std::vector<std::string> scenarios;
    for (const Checked& one : all) {
        positions += one.result.positions;
        scenarios.push_back(one.result.scenarios);
        object["strategies"].push_back(one.object());
        if (!one.result.valid) object["valid"] = false;
        if (one.result.counterexample && object["counterexample"].is_null())
            object["counterexample"] = object["strategies"].back()["counterexample"];
    }
    object["positions"] = positions;
    object["scenarios"] = sum_of_scenarios(scenarios);
    print(object);
}

}  // namespace

int verify_game_strategies(const std::string& file, const gdl::Game& game, bool json_wanted,
                           const Limits& limits) {
    std::vector<Checked> all;
    Stop stop = Stop::none;
    try {
        for (LoadedCertificate& loaded : load_game_strategies(file, game, limits)) {
            Checked& one = all.emplace_back(Checked{std::move(loaded), {}});
            const Certificate& certificate = one.loaded.certificate;
            one.result = verify_with_progress(certificate.quantified.model, certificate.strategy, limits);
            if (one.result.stop != Stop::none) stop = one.result.stop;
        }
    } catch (const LimitReached& limit) {
        stop = limit.stop();  // while the file was read
    }
    if (json_wanted) {
        report_json(all, stop);
    } else {
        for (const Checked& one : all) std::cout << one.text() << '\n';
        if (all.empty()) std::cout << fmt::format("unknown: {}\n", describe(stop));
    }
    const bool broken =
        std::ranges::any_of(all, [](const Checked& one) { return one.result.counterexample.has_value(); });
    return broken ? check_failed : exit_code(stop);
}

namespace {

void show(const LoadedCertificate& loaded, std::size_t most_nodes) {
    const auto& [questions, certificate] = loaded;
    const strategy::Strategy& strategy = certificate.strategy;
    std::cout << fmt::format("{}, {}; start at {}\n", claim(*questions, certificate),
                             plural(count_text(strategy.size()), "position"), strategy.root);
    std::size_t shown = 0;
    for (std::size_t i = strategy.nodes.size() - 1; i > 0; --i) {
        if (shown++ == most_nodes) {
            std::cout << fmt::format("… and {} more (--nodes shows more)\n", i);
            break;
        }
        const strategy::StrategyNode& node = strategy.nodes[i];
        const auto* turn = certificate.quantified.turn_of(node.variable);
        std::cout << fmt::format(
            "{}: {}\n", i,
            turn == nullptr ? certificate.quantified.model.name_of(node.variable)
                            : fmt::format("move {}, {}", turn->step, questions->role_name(turn->role)));
        for (const strategy::Edge& edge : node.edges) {
            std::vector<std::string> moves;
            for (const model::Value value : edge.values)
                moves.push_back(questions->move_name(certificate.quantified, {node.variable, value}));
            std::cout << fmt::format(
                "    {} → {}\n", fmt::join(moves, " // "),
                edge.to == strategy::decided ? std::string("□") : std::to_string(edge.to));
        }
    }
}

}  // namespace

void show_game_strategies(const std::string& file, const gdl::Game& game, const std::string& role,
                          std::size_t most_nodes) {
    const auto all = load_game_strategies(file, game, {});
    std::size_t shown = 0;
    for (const LoadedCertificate& loaded : all) {
        const auto owner_is = [&](const std::string& wanted) {
            const std::size_t asked = loaded.certificate.quantified.question.role;
            return loaded.certificate.forced() == (loaded.questions->role_named(wanted) == asked);
        };
        if (!role.empty() && !owner_is(role)) continue;
        show(loaded, most_nodes);
        ++shown;
    }
    if (shown == 0)
        throw Error({file}, fmt::format("there is no strategy of {} in this file", role),
                    "leave --role out to see what is there");
}

}  // namespace zermelo::cli
