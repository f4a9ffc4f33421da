#include "cli/commands/gdl_network.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

#include "cli/show/picture.hpp"
#include "gdl/game.hpp"
#include "ggp/message.hpp"
#include "scsp/mac.hpp"
#include "scsp/preprocess.hpp"

namespace zermelo::cli {

namespace {

using scsp::MicroScsp;

struct Options {
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

struct Size {
    std::size_t open = 0;  // variables with more than one value
    std::size_t largest = 0;
    std::size_t constraints = 0;
    std::size_t tables = 0;
    std::size_t tuples = 0;
};

Size size_of(const MicroScsp& network) {
    Size size{0, network.largest_domain(), network.constraints.size(), network.tables(), 0};
    for (const auto& variable : network.variables) size.open += variable.domain.size() > 1 ? 1U : 0U;
    for (const auto& constraint : network.constraints) size.tuples += constraint.count();
    return size;
}

nlohmann::json size_json(const Size& size) {
    return {{"open_variables", size.open},
            {"largest_domain", size.largest},
            {"constraints", size.constraints},
            {"tables", size.tables},
            {"tuples", size.tuples}};
}

int show_network(const Options& options) {
    const Limits bounds = options.limits.start();
    gdl::GroundOptions grounding;
    grounding.limits = bounds;
    const gdl::Game game(options.file, grounding);
    const double start = cpu_seconds();
    scsp::MutexGroupsOptions proving;
    proving.limits = bounds;
    const scsp::MutexGroups exclusive = scsp::find_mutex_groups(game.machine(), proving);
    const double proven = cpu_seconds();
    scsp::MicroScspOptions how;
    how.most_tuples = options.most_tuples;
    how.limits = bounds;
    MicroScsp network = scsp::make_micro_scsp(game, exclusive, how);
    if (!options.state.empty()) network.load(state_of(game, options.state));
    const double translated = cpu_seconds();
    const Size before = size_of(network);
    scsp::PreprocessOptions steps;
    steps.merge = !options.no_merge;
    steps.unary = !options.no_unary;
    steps.universal = !options.no_universal;
    steps.singleton = !options.no_singleton;
    steps.limits = bounds;
    const scsp::Preprocessed done = scsp::preprocess(network, steps);
    const double preprocessed = cpu_seconds();
    const Size after = size_of(network);
    const scsp::SharedInformation shared =
        scsp::shared_information(game.machine().network(), exclusive, bounds);
    const Stop stop = bounds.reached();

    if (!options.picture_dot.empty() || !options.picture_svg.empty()) {
        std::ostringstream dot;
        scsp::write_dot(dot, network);
        if (!options.picture_dot.empty()) write_whole(options.picture_dot, dot.str());
        if (!options.picture_svg.empty())
            write_whole(options.picture_svg, drawn(dot.str(), options.picture_svg));
    }

    std::map<scsp::Kind, std::size_t> kinds;
    for (const auto& variable : network.variables) ++kinds[variable.kind];
    if (options.json) {
        auto by_kind = nlohmann::json::object();
        for (const auto& [kind, count] : kinds) by_kind[scsp::describe(kind)] = count;
        nlohmann::json object = {{"file", options.file},
                                 {"variables", network.variables.size()},
                                 {"kinds", by_kind},
                                 {"groups_tried", exclusive.tried},
                                 {"groups_proven", exclusive.groups.size()},
                                 {"largest_domain", before.largest},
                                 {"constraints", before.constraints},
                                 {"before", size_json(before)},
                                 {"after", size_json(after)},
                                 {"preprocessing",
                                  {{"merged", done.merged},
                                   {"unary", done.unary},
                                   {"unary_values", done.unary_values},
                                   {"universal", done.universal},
                                   {"emptied", done.emptied},
                                   {"singleton_values", done.singleton_values},
                                   {"complete", done.complete}}},
                                 {"consistent", network.consistent},
                                 {"shared_information", shared.shared},
                                 {"proof_cpu_seconds", proven - start},
                                 {"translation_cpu_seconds", translated - proven},
                                 {"preprocessing_cpu_seconds", preprocessed - translated},
                                 {"setup_cpu_seconds", game.set_up().seconds()},
                                 {"stop", describe(stop)}};
        if (!shared.shared) {
            object["not_shared"] = {{"role", game.text(game.machine().network().roles[shared.seer])},
                                    {"other", game.text(game.machine().network().roles[shared.other])},
                                    {"percept", game.text(shared.percept)}};
        }
        if (options.list) {
            std::ostringstream text;
            scsp::print(text, network, options.most_tuples);
            object["list"] = text.str();
        }
        print(object);
        return exit_code(stop);
    }

    std::vector<std::string> parts;
    for (const auto& [kind, count] : kinds)
        parts.push_back(fmt::format("{} {}", count, scsp::describe(kind)));
    std::cout << fmt::format("{}: {} variables ({}), largest domain {}, {} constraints\n", options.file,
                             count_text(network.variables.size()), fmt::join(parts, ", "),
                             count_text(before.largest), count_text(before.constraints));
    std::cout << fmt::format("  exclusive    {} of {} groups of fluents proven\n", exclusive.groups.size(),
                             exclusive.tried);
    std::cout << fmt::format("  constraints  {} tables with {} tuples, {} as gates\n",
                             count_text(before.tables), count_text(before.tuples),
                             count_text(before.constraints - before.tables));
    const auto step = [](const char* name, bool off, const std::string& text) {
        std::cout << fmt::format("  {:<12} {}\n", name, off ? "off" : text);
    };
    step("merged", options.no_merge,
         fmt::format("{} over the same variables", plural(count_text(done.merged), "constraint")));
    step("unary", options.no_unary,
         fmt::format("{}, {}", plural(count_text(done.unary), "constraint"),
                     plural(count_text(done.unary_values), "value")));
    step("universal", options.no_universal,
         fmt::format("{} in scopes, {}", plural(count_text(done.universal), "place"),
                     plural(count_text(done.emptied), "constraint")));
    step("singleton", options.no_singleton,
         fmt::format("{}{}", plural(count_text(done.singleton_values), "value"),
                     done.complete ? "" : ", cut short"));
    if (network.consistent) {
        std::cout << fmt::format(
            "  left         {} variables with a choice, largest domain {}, {} constraints\n",
            count_text(after.open), count_text(after.largest), count_text(after.constraints));
    } else {
        std::cout << "  left         nothing: no turn can be played\n";
    }
    if (shared.shared) {
        std::cout << "  information  shared: all players see the same\n";
    } else {
        const auto& roles = game.machine().network().roles;
        std::cout << fmt::format("  information  not shown to be shared: {} may see {}, and {} not\n",
                                 game.text(roles[shared.seer]), game.text(shared.percept),
                                 game.text(roles[shared.other]));
    }
    std::cout << fmt::format("  time         {:.3f} s groups, {:.3f} s translation, {:.3f} s preprocessing\n",
                             proven - start, translated - proven, preprocessed - translated);
    if (stop != Stop::none) std::cout << fmt::format("  {}\n", describe(stop));
    if (options.list) scsp::print(std::cout, network, 0);
    return exit_code(stop);
}

}  // namespace

Command add_gdl_network(CLI::App& gdl) {
    auto* command =
        gdl.add_subcommand("network", "Show one turn of a game as a stochastic constraint network");
    command->footer("Example:\n  zermelo gdl network games/gdl/tic-tac-toe.kif --list");
    auto options = std::make_shared<Options>();
    command->add_option("FILE", options->file, "the description (.kif)")->required();
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
