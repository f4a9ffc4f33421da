#include "cli/solve/solving.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/processes.hpp"
#include "quantified/guide/monte_carlo.hpp"

namespace zermelo::cli {

namespace {

const std::map<std::string, quantified::ValueOrder> value_orders = {
    {"ascending", quantified::ValueOrder::ascending},
    {"descending", quantified::ValueOrder::descending},
    {"middle", quantified::ValueOrder::middle},
    {"random", quantified::ValueOrder::random},
    {"history", quantified::ValueOrder::history}};
const std::map<std::string, quantified::VariableOrder> variable_orders = {
    {"input", quantified::VariableOrder::input},
    {"smallest", quantified::VariableOrder::smallest_domain},
    {"constrained", quantified::VariableOrder::most_constrained}};
const std::map<std::string, quantified::Success> successes = {{"entailed", quantified::Success::entailed},
                                                              {"assigned", quantified::Success::assigned}};

template <class Names>
CLI::IsMember one_of(const Names& names) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : names) keys.push_back(key);
    return CLI::IsMember(keys);
}

}  // namespace

void SearchOptions::add_to(CLI::App& app) {
    app.add_option("--values", values,
                   "order of the values of a variable: ascending, descending, middle, random, history")
        ->check(one_of(value_orders))
        ->capture_default_str();
    app.add_option("--variables", variables,
                   "order of the variables inside a block: input, smallest, constrained")
        ->check(one_of(variable_orders))
        ->capture_default_str();
    app.add_option("--success", success,
                   "when a position counts as won: entailed (nothing can be violated any more) or assigned "
                   "(every variable has a value)")
        ->check(one_of(successes))
        ->capture_default_str();
    app.add_flag("--goods,!--no-goods", solve.goods,
                 "remember what was left of solved positions (default: yes)");
    app.add_option_function<std::size_t>(
           "--goods-memory", [this](std::size_t megabytes) { solve.goods_bytes = megabytes << 20; },
           "megabytes for remembered positions (default: 256)")
        ->check(CLI::Range(1, 1 << 20));
    app.add_flag("--cuts,!--no-cuts", solve.cuts, "obey the model's cuts (default: yes)");
    app.add_flag("--check-cuts", solve.check_cuts,
                 "solve below every cut that fires, and report the ones that are wrong");
    app.add_flag("--pure-values", solve.pure_values, "skip values of the opponent that cannot hurt");
    app.add_option("--recompute", solve.recompute,
                   "copy positions only every so many moves, and recompute in between")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--guide", guide,
                   "who says which values to try first: monte-carlo plays random games on another thread")
        ->check(CLI::IsMember({"monte-carlo"}));
    app.add_option("--guide-playouts", playouts,
                   "with --guide: no other thread, but so many random games before each choice")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
    app.add_option("--seed", solve.seed, "for --values random and --guide")->capture_default_str();
}

quantified::SolveOptions SearchOptions::options(const Limits& limits) const {
    quantified::SolveOptions options = solve;
    options.values = value_orders.at(values);
    options.variables = variable_orders.at(variables);
    options.success = successes.at(success);
    options.limits = limits;
    return options;
}

std::unique_ptr<quantified::Guide> SearchOptions::make_guide() const {
    if (guide.empty()) return nullptr;
    quantified::MonteCarloOptions options;
    options.playouts_per_question = playouts;
    options.seed = solve.seed;
    return std::make_unique<quantified::MonteCarloGuide>(options);
}

quantified::Answer solve_with_progress(const model::Model& model, const quantified::SolveOptions& given,
                                       const KeptParts& kept, nlohmann::json* together) {
    ProgressLine line;
    quantified::SolveOptions options = given;
    const bool divided = !kept.file.empty() || processes().size() > 1;
    const auto partners = divided ? allies_of_search(line, kept.file, kept.seconds_between_saves) : nullptr;
    options.partners = partners.get();
    if (!divided) {
        options.progress = [&](const quantified::SearchStatistics& now) {
            line.show(fmt::format("{} nodes, {} propagations, {} positions remembered", count_text(now.nodes),
                                  count_text(now.propagations), count_text(now.stored)));
        };
    }
    quantified::Answer answer =
        model.objective ? maximise(model, options) : quantified::solve(model, options);
    if (partners && together != nullptr) *together = to_json(*partners);
    return answer;
}

strategy::Verification verify_with_progress(const model::Model& model, const strategy::Strategy& strategy,
                                            const Limits& limits) {
    ProgressLine line;
    strategy::VerifyOptions options;
    options.limits = limits;
    options.progress = [&](std::uint64_t positions) {
        line.show(fmt::format("checking the strategy: {} positions", count_text(positions)));
    };
    return verify(model, strategy, options);
}

std::string name(quantified::Verdict verdict) {
    switch (verdict) {
        case quantified::Verdict::won:
            return "won";
        case quantified::Verdict::lost:
            return "lost";
        case quantified::Verdict::unknown:
            return "unknown";
    }
    return "";
}

nlohmann::json to_json(const quantified::SearchStatistics& s) {
    return {{"nodes", s.nodes},
            {"failures", s.failures},
            {"successes", s.successes},
            {"illegal", s.illegal},
            {"cuts", s.cuts},
            {"pure", s.pure},
            {"propagations", s.propagations},
            {"copies", s.copies},
            {"depth", s.depth},
            {"goods", s.goods},
            {"nogoods", s.nogoods},
            {"lookups", s.lookups},
            {"stored", s.stored},
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

std::vector<strategy::Move> first_moves(const model::Model& model, const strategy::Strategy& strategy) {
    std::vector<strategy::Move> moves;
    if (model.prefix.empty() || model.prefix.front().quantifier != strategy.owner) return moves;
    const auto& block = model.prefix.front().variables;
    for (strategy::NodeId at = strategy.root; at != strategy::decided;) {
        const strategy::StrategyNode& node = strategy.nodes[at];
        if (std::find(block.begin(), block.end(), node.variable) == block.end()) break;
        moves.push_back({node.variable, node.edges.front().values.front()});
        at = node.edges.front().to;
    }
    return moves;
}

}  // namespace zermelo::cli
