#include "cli/solve/flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <filesystem>

#include "cli/processes.hpp"
#include "cli/usage/values.hpp"
#include "core/format/nearest.hpp"
#include "quantified/guide/monte_carlo.hpp"

namespace zermelo::cli {

namespace {

constexpr const char* levels_engine = "levels";  // a way to run attractors, of src/cluster

const std::map<std::string, quantified::ValueOrder> value_orders = {
    {"ascending", quantified::ValueOrder::ascending}, {"descending", quantified::ValueOrder::descending},
    {"middle", quantified::ValueOrder::middle},       {"random", quantified::ValueOrder::random},
    {"history", quantified::ValueOrder::history},     {"impact", quantified::ValueOrder::impact}};
const std::map<std::string, quantified::VariableOrder> variable_orders = {
    {"input", quantified::VariableOrder::input},
    {"smallest", quantified::VariableOrder::smallest_domain},
    {"constrained", quantified::VariableOrder::most_constrained}};
const std::map<std::string, quantified::KernelChoice> kernels = {
    {"trail", quantified::KernelChoice::trail}, {"gecode", quantified::KernelChoice::gecode}};
const std::map<std::string, quantified::Success> successes = {{"entailed", quantified::Success::entailed},
                                                              {"assigned", quantified::Success::assigned}};
const std::map<std::string, quantified::Learning> lessons = {{"off", quantified::Learning::off},
                                                             {"auto", quantified::Learning::automatic},
                                                             {"backjump", quantified::Learning::backjump},
                                                             {"nogoods", quantified::Learning::nogoods}};

}  // namespace

void SearchFlags::add_to(CLI::App& app) {
    app.add_option(
           "--kernel", kernel,
           "what propagates constraints: trail (made for this search) or gecode (copies of Gecode spaces)")
        ->check(one_of(kernels))
        ->capture_default_str();
    app.add_option(
           "--values", values,
           "value order: ascending, descending, middle, random, history (or what the model asks for), "
           "or impact (look one move ahead)")
        ->check(one_of(value_orders))
        ->capture_default_str();
    app.add_option(
           "--variables", variables,
           "variable order inside a block: input, smallest (domain) or constrained (most constrained)")
        ->check(one_of(variable_orders))
        ->capture_default_str();
    app.add_option("--success", success,
                   "when a position counts as won: entailed (no constraint can be violated any more) or "
                   "assigned (every variable has a value)")
        ->check(one_of(successes))
        ->capture_default_str();
    app.add_flag("--goods,!--no-goods", search.goods,
                 "record goods and nogoods, the residual problems already solved (default: yes)");
    app.add_option_function<std::size_t>(
           "--goods-memory", [this](std::size_t megabytes) { search.goods_bytes = megabytes << 20; },
           "memory for goods and nogoods in megabytes (default: 256)")
        ->check(between(1, 1 << 20));
    app.add_flag("--cutoffs,!--no-cutoffs", search.cutoffs,
                 "when looking one move ahead, look into the table, too (default: yes)");
    app.add_flag("--half-reified,!--no-half-reified", search.half_reified,
                 "propagate of a rule only what can refute it (default: yes; kernel trail)");
    app.add_option("--learning", learning,
                   "what is learned from won and lost positions: off, backjump (which moves they depend on), "
                   "nogoods (these sets of moves are kept, too) or auto (backjump as long as it pays)")
        ->check(one_of(lessons))
        ->capture_default_str();
    app.add_flag("--cuts,!--no-cuts", search.cuts, "apply the cuts of the model (default: yes)");
    app.add_flag("--check-cuts", search.check_cuts,
                 "search below every cut that fires, and report wrong cuts");
    app.add_flag_function(
        "--pure-values,!--no-pure-values", [this](std::int64_t given) { search.pure_values = given > 0; },
        "skip values of the opponent that cannot hurt (default: where nothing is learned, but not with "
        "--success assigned)");
    app.add_option(
           "--recompute", search.recompute,
           "with --kernel gecode: copy the search state only at every N-th move and recompute it in between")
        ->check(between(1, 1000))
        ->capture_default_str();
    app.add_option("--guide", guide,
                   "value ordering guide: monte-carlo runs random playouts on another thread")
        ->check(one_of(std::vector<std::string>{"monte-carlo"}));
    app.add_option("--guide-playouts", playouts,
                   "with --guide: run this many playouts before each choice, on the same thread")
        ->check(between(0, 1'000'000))
        ->capture_default_str();
    app.add_option("--seed", search.seed, "random seed for --values random and --guide")
        ->capture_default_str();
}

quantified::SolveOptions SearchFlags::options() const {
    quantified::SolveOptions options = search;
    options.kernel = kernels.at(kernel);
    options.values = value_orders.at(values);
    options.variables = variable_orders.at(variables);
    options.success = successes.at(success);
    options.learning = lessons.at(learning);
    return options;
}

std::unique_ptr<quantified::Guide> SearchFlags::make_guide() const {
    if (guide.empty()) return nullptr;
    quantified::MonteCarloOptions options;
    options.playouts_per_question = playouts;
    options.seed = search.seed;
    return std::make_unique<quantified::MonteCarloGuide>(options);
}

void ForwardFlags::add_to(CLI::App& app) {
    app.add_flag("--symmetry,!--no-symmetry", symmetry,
                 "use symmetries: treat symmetric positions as one (default: yes for games, no for models)");
    app.add_option("--threads", threads,
                   "number of threads; 0: one per core (default: 0 for games, 1 for models)");
    app.add_option("--checkpoint", checkpoint,
                   "save the search regularly to this file (with --engine levels: folder), and resume from "
                   "it if it exists");
    app.add_option("--checkpoint-seconds", seconds_between_saves, "seconds between two saves")
        ->check(more_than(0))
        ->capture_default_str();
    in_group(app, for_forward_engines, [&] {
        app.add_option("--table-size", table_size,
                       "size of the transposition table, for example 512M (default: 2G)");
        app.add_option("--spill", spill,
                       "with --engine levels: a folder for the data beyond half of --memory-limit");
    });
}

std::vector<std::string> all_engine_names() {
    std::vector<std::string> names = engine_names();
    names.emplace_back(levels_engine);
    return names;
}

cluster::TogetherOptions ForwardFlags::options(const CLI::App& app, const std::string& engine,
                                               const Limits& limits) const {
    cluster::TogetherOptions options;
    options.levels = engine == levels_engine;
    const auto named = options.levels ? Engine::attractors : engine_named(engine);
    if (!named) {
        const std::vector<std::string> names = all_engine_names();
        throw Error(fmt::format("--engine {}: there is no such engine", engine),
                    did_you_mean(engine, names) + fmt::format("choose from {}", fmt::join(names, ", ")));
    }
    options.spill = spill;
    options.solve.engine = *named;
    options.solve.limits = limits;
    if (app.count("--symmetry") > 0) options.solve.symmetry = symmetry;
    if (app.count("--threads") > 0) options.solve.threads = threads;
    options.solve.checkpoint = checkpoint;
    options.solve.seconds_between_saves = seconds_between_saves;
    if (!table_size.empty()) options.solve.table_bytes = memory_amount("--table-size", table_size);
    return options;
}

void require_folder(const std::string& file) {
    const auto folder = std::filesystem::absolute(file).parent_path();
    if (!std::filesystem::is_directory(folder))
        throw Error({file}, "there is no folder for this file", "create it, or choose another file");
}

cluster::TogetherVerdict solve_with_progress(const Problem& problem, cluster::TogetherOptions options) {
    ProgressLine line;
    options.solve.progress = [&](const SolveProgress& now) { line.show(now.text); };
    return cluster::solve(problem, processes(), options);
}

Report check_with_progress(const Problem& problem, const Certificate& certificate, const Limits& limits) {
    ProgressLine line;
    CheckOptions options;
    options.limits = limits;
    options.progress = [&](const std::string& text) { line.show(text); };
    return check(problem, certificate, options);
}

}  // namespace zermelo::cli
