// zermelo gdl network: one turn of a game as a stochastic constraint network.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

#include "cli/gdl/gdl.hpp"
#include "cli/show/picture.hpp"
#include "cli/usage/values.hpp"
#include "core/files.hpp"
#include "gdl/game.hpp"
#include "ggp/message.hpp"
#include "scsp/mac.hpp"
#include "scsp/preprocess.hpp"

namespace zermelo::cli {

namespace {

using scsp::MicroScsp;

struct NetworkOptions {
    std::string file;
    LimitOptions limits;
    bool json = false;
    bool list = false;
    std::string picture_dot;
    std::string picture_svg;
    std::string state;
    std::size_t most_tuples = scsp::MicroScspOptions().most_tuples;
    bool no_merge = false;
    bool no_unary = false;
    bool no_universal = false;
    bool no_singleton = false;
};

// The facts of a state as they are printed: `(cell 1 1 x) (control o)`.
std::vector<std::string> facts_in(const std::string& text) {
    std::vector<std::string> facts;
    std::string fact;
    int depth = 0;
    const auto finish = [&] {
        while (fact.ends_with(' ')) fact.pop_back();
        if (!fact.empty()) facts.push_back(std::move(fact));
        fact.clear();
    };
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (blank && depth == 0) {
            finish();
        } else if (blank) {
            if (!fact.ends_with(' ') && !fact.ends_with('(')) fact += ' ';
        } else {
            if (c == ')') {
                while (fact.ends_with(' ')) fact.pop_back();
            }
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            fact += c;
            if (depth < 0) throw Error("--state has a ) too many", "write facts as in (cell 1 1 x)");
            if (depth == 0 && c == ')') finish();
        }
    }
    if (depth > 0) throw Error("--state has a ( too many", "write facts as in (cell 1 1 x)");
    finish();
    return facts;
}

gdl::State state_of(const gdl::Game& game, const std::string& text) {
    if (text == "init") return game.machine().initial();
    const auto& network = game.machine().network();
    std::map<std::string, std::size_t> fluents;
    for (std::size_t f = 0; f < network.fluents.size(); ++f)
        fluents[ggp::lower(game.text(network.fluents[f]))] = f;
    gdl::State state(game.machine().initial().size(), 0);
    for (const std::string& fact : facts_in(text)) {
        const auto found = fluents.find(ggp::lower(fact));
        if (found == fluents.end()) {
            throw Error(fmt::format("--state: {} never holds in this game", fact),
                        "`zermelo gdl network --list` names the fluents");
        }
        state[found->second / 64] |= std::uint64_t{1} << (found->second % 64);
    }
    return state;
}

struct NetworkSize {
    std::size_t open = 0;  // variables with more than one value
    std::size_t largest = 0;
    std::size_t constraints = 0;
    std::size_t tables = 0;
    std::size_t tuples = 0;
};

NetworkSize size_of(const MicroScsp& network) {
    NetworkSize size{0, network.largest_domain(), network.constraints.size(), network.tables(), 0};
    for (const auto& variable : network.variables) size.open += variable.domain.size() > 1 ? 1U : 0U;
    for (const auto& constraint : network.constraints) size.tuples += constraint.count();
    return size;
}

nlohmann::json size_json(const NetworkSize& size) {
    return {{"open_variables", size.open},
            {"largest_domain", size.largest},
            {"constraints", size.constraints},
            {"tables", size.tables},
            {"tuples", size.tuples}};
}

scsp::PreprocessOptions steps_of(const NetworkOptions& options, const Limits& bounds) {
    scsp::PreprocessOptions steps;
    steps.merge = !options.no_merge;
    steps.unary = !options.no_unary;
    steps.universal = !options.no_universal;
    steps.singleton = !options.no_singleton;
    steps.limits = bounds;
    return steps;
}

// The network of a turn before and after preprocessing, and the CPU seconds that each step took.
class TurnNetwork {
public:
    explicit TurnNetwork(const NetworkOptions& options)
        : options_(options), bounds_(options.limits.start()), game_(options.file, grounding(bounds_)) {
        warn_of_repairs(game_.description());
        const double start = cpu_seconds();
        scsp::MutexGroupsOptions proving;
        proving.limits = bounds_;
        exclusive_ = scsp::find_mutex_groups(game_.machine(), proving);
        const double proven = cpu_seconds();
        scsp::MicroScspOptions how;
        how.most_tuples = options.most_tuples;
        how.limits = bounds_;
        network_ = scsp::make_micro_scsp(game_, exclusive_, how);
        if (!options.state.empty()) network_.load(state_of(game_, options.state));
        const double translated = cpu_seconds();
        before_ = size_of(network_);
        done_ = scsp::preprocess(network_, steps_of(options, bounds_));
        const double preprocessed = cpu_seconds();
        after_ = size_of(network_);
        shared_ = scsp::shared_information(game_.machine().network(), exclusive_, bounds_);
        stop_ = bounds_.reached();
        proof_seconds_ = proven - start;
        translation_seconds_ = translated - proven;
        preprocessing_seconds_ = preprocessed - translated;
        for (const auto& variable : network_.variables) ++kinds_[variable.kind];
    }

    [[nodiscard]] Stop stop() const { return stop_; }
    void draw() const;
    [[nodiscard]] nlohmann::json to_json() const;
    void print_text() const;

private:
    static gdl::GroundOptions grounding(const Limits& bounds) {
        gdl::GroundOptions options;
        options.limits = bounds;
        return options;
    }
    [[nodiscard]] std::string role(std::uint32_t r) const {
        return game_.text(game_.machine().network().roles[r]);
    }
    void print_steps() const;
    void print_information() const;

    const NetworkOptions& options_;
    Limits bounds_;
    gdl::Game game_;
    scsp::MutexGroups exclusive_;
    MicroScsp network_;
    NetworkSize before_;
    NetworkSize after_;
    scsp::Preprocessed done_;
    scsp::SharedInformation shared_;
    Stop stop_ = Stop::none;
    double proof_seconds_ = 0;
    double translation_seconds_ = 0;
    double preprocessing_seconds_ = 0;
    std::map<scsp::Kind, std::size_t> kinds_;
};

void TurnNetwork::draw() const {
    if (options_.picture_dot.empty() && options_.picture_svg.empty()) return;
    std::ostringstream dot;
    scsp::write_dot(dot, network_);
    if (!options_.picture_dot.empty()) replace_file(options_.picture_dot, dot.str());
    if (!options_.picture_svg.empty())
        replace_file(options_.picture_svg, drawn(dot.str(), options_.picture_svg));
}

nlohmann::json TurnNetwork::to_json() const {
    auto by_kind = nlohmann::json::object();
    for (const auto& [kind, count] : kinds_) by_kind[scsp::describe(kind)] = count;
    nlohmann::json object = {{"file", options_.file},
                             {"variables", network_.variables.size()},
                             {"kinds", by_kind},
                             {"groups_tried", exclusive_.tried},
                             {"groups_proven", exclusive_.groups.size()},
                             {"largest_domain", before_.largest},
                             {"constraints", before_.constraints},
                             {"before", size_json(before_)},
                             {"after", size_json(after_)},
                             {"preprocessing",
                              {{"merged", done_.merged},
                               {"unary", done_.unary},
                               {"unary_values", done_.unary_values},
                               {"universal", done_.universal},
                               {"emptied", done_.emptied},
                               {"singleton_values", done_.singleton_values},
                               {"complete", done_.complete}}},
                             {"consistent", network_.consistent},
                             {"shared_information", shared_.shared},
                             {"proof_cpu_seconds", proof_seconds_},
                             {"translation_cpu_seconds", translation_seconds_},
                             {"preprocessing_cpu_seconds", preprocessing_seconds_},
                             {"setup_cpu_seconds", game_.set_up().seconds()},
                             {"stop", describe(stop_)}};
    if (!shared_.shared) {
        object["not_shared"] = {{"role", role(shared_.seer)},
                                {"other", role(shared_.other)},
                                {"percept", game_.text(shared_.percept)}};
    }
    if (options_.list) {
        std::ostringstream text;
        scsp::print(text, network_, options_.most_tuples);
        object["list"] = text.str();
    }
    return object;
}

void TurnNetwork::print_steps() const {
    const auto step = [](const char* name, bool off, const std::string& text) {
        std::cout << fmt::format("  {:<12} {}\n", name, off ? "off" : text);
    };
    step("merged", options_.no_merge,
         fmt::format("{} over the same variables", plural(count_text(done_.merged), "constraint")));
    step("unary", options_.no_unary,
         fmt::format("{}, {}", plural(count_text(done_.unary), "constraint"),
                     plural(count_text(done_.unary_values), "value")));
    step("universal", options_.no_universal,
         fmt::format("{} in scopes, {}", plural(count_text(done_.universal), "place"),
                     plural(count_text(done_.emptied), "constraint")));
    step("singleton", options_.no_singleton,
         fmt::format("{}{}", plural(count_text(done_.singleton_values), "value"),
                     done_.complete ? "" : ", cut short"));
    if (network_.consistent) {
        std::cout << fmt::format(
            "  left         {} variables with a choice, largest domain {}, {} constraints\n",
            count_text(after_.open), count_text(after_.largest), count_text(after_.constraints));
    } else {
        std::cout << "  left         nothing: no turn can be played\n";
    }
}

void TurnNetwork::print_information() const {
    if (shared_.shared) {
        std::cout << "  information  shared: all players see the same\n";
        return;
    }
    std::cout << fmt::format("  information  not shown to be shared: {} may see {}, and {} not\n",
                             role(shared_.seer), game_.text(shared_.percept), role(shared_.other));
}

void TurnNetwork::print_text() const {
    std::vector<std::string> parts;
    for (const auto& [kind, count] : kinds_)
        parts.push_back(fmt::format("{} {}", count, scsp::describe(kind)));
    std::cout << fmt::format("{}: {} variables ({}), largest domain {}, {} constraints\n", options_.file,
                             count_text(network_.variables.size()), fmt::join(parts, ", "),
                             count_text(before_.largest), count_text(before_.constraints));
    std::cout << fmt::format("  exclusive    {} of {} groups of fluents proven\n", exclusive_.groups.size(),
                             exclusive_.tried);
    std::cout << fmt::format("  constraints  {} tables with {} tuples, {} as gates\n",
                             count_text(before_.tables), count_text(before_.tuples),
                             count_text(before_.constraints - before_.tables));
    print_steps();
    print_information();
    std::cout << fmt::format("  time         {:.3f} s groups, {:.3f} s translation, {:.3f} s preprocessing\n",
                             proof_seconds_, translation_seconds_, preprocessing_seconds_);
    if (stop_ != Stop::none) std::cout << fmt::format("  {}\n", describe(stop_));
    if (options_.list) scsp::print(std::cout, network_, 0);
}

int show_network(const NetworkOptions& options) {
    const TurnNetwork turn(options);
    turn.draw();
    if (options.json) {
        print(turn.to_json());
    } else {
        turn.print_text();
    }
    return exit_code(turn.stop());
}

}  // namespace

Command add_gdl_network(CLI::App& gdl) {
    auto* command =
        gdl.add_subcommand("network", "Show one turn of a game as a stochastic constraint network");
    command->footer("Example:\n  zermelo gdl network games/gdl/tic-tac-toe.kif --list");
    auto options = std::make_shared<NetworkOptions>();
    command->add_option("FILE", options->file, "the description (.kif), or the name of a shipped game")
        ->required()
        ->transform(shipped_game());
    options->limits.add_to(*command);
    command->add_flag("--json", options->json, "print one JSON object");
    command->add_flag("--list", options->list,
                      "also print the variables with their domains and the constraints with their scopes");
    command->add_option("--dot", options->picture_dot, "write the constraint graph as a Graphviz file");
    command->add_option("--svg", options->picture_svg, "draw the constraint graph as .svg, .png or .pdf")
        ->check([](const std::string& file) {
            return is_drawing(file) ? std::string() : "must end with .svg, .png or .pdf";
        });
    command->add_option("--state", options->state,
                        "the current state: `init`, or its facts, for example \"(cell 1 1 x) (control o)\"");
    command
        ->add_option("--tuples", options->most_tuples,
                     "largest number of tuples in a table constraint; larger ones stay gates")
        ->capture_default_str();
    command->add_flag("--no-merge", options->no_merge, "do not join constraints over the same variables");
    command->add_flag("--no-unary", options->no_unary, "keep unary constraints");
    command->add_flag("--no-universal", options->no_universal, "keep unconstrained variables");
    command->add_flag("--no-sac", options->no_singleton, "do not enforce singleton arc consistency");
    return {command, [options] { return show_network(*options); }};
}

}  // namespace zermelo::cli
