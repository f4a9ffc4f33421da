// zermelo examples: solves the shipped examples and prints what came out.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>

#include "cli/instances.hpp"
#include "cli/solve/solving.hpp"

namespace zermelo::cli {

namespace {

struct Examples {
    LimitOptions limits;
    std::string list;
    bool json = false;

    int run() {
        const Limits bounds = limits.start();
        const auto instances = read_instances(list.empty() ? shipped("games") + "/examples.json" : list);
        auto rows = nlohmann::json::array();
        if (!json) {
            std::cout << fmt::format("{:<22} {:<50} {:>7} {:>8} {:>10} {:>9}  {}\n", "game", "question",
                                     "verdict", "time", "nodes", "strategy", "check");
        }
        int code = answered;
        for (const Instance& instance : instances) {
            ProgressLine line;
            line.show(fmt::format("{}: reading", instance.name));
            const model::Model model = instance.read(bounds);
            quantified::SolveOptions options;
            options.limits = bounds;
            const quantified::Answer answer = solve_with_progress(model, options);
            strategy::Verification check;
            if (answer.verdict != quantified::Verdict::unknown)
                check = verify_with_progress(model, answer.strategy, bounds);
            line.clear();
            const char* checked = check.valid ? "passed" : check.counterexample ? "FAILED" : "not finished";
            std::string verdict = name(answer.verdict);
            if (answer.best) verdict = fmt::format("best {}", *answer.best);
            if (json) {
                rows.push_back({{"game", instance.name},
                                {"question", instance.question},
                                {"verdict", name(answer.verdict)},
                                {"cpu_seconds", answer.statistics.cpu_seconds},
                                {"nodes", answer.statistics.nodes},
                                {"strategy_nodes", answer.strategy.size()},
                                {"checked", check.valid}});
                if (answer.best) rows.back()["best_value"] = *answer.best;
            } else {
                std::cout << fmt::format("{:<22} {:<50} {:>7} {:>8} {:>10} {:>9}  {}\n", instance.name,
                                         instance.question, verdict,
                                         seconds_text(answer.statistics.cpu_seconds),
                                         count_text(answer.statistics.nodes),
                                         count_text(answer.strategy.size()), checked)
                          << std::flush;
            }
            if (check.counterexample) code = check_failed;
            if (const Stop stop = bounds.reached(); stop != Stop::none) {
                code = exit_code(stop);
                break;
            }
        }
        if (json) print({{"examples", rows}});
        return code;
    }
};

}  // namespace

Command add_examples(CLI::App& app) {
    auto* command = app.add_subcommand("examples", "Solve the shipped examples and print a table");
    auto examples = std::make_shared<Examples>();
    examples->limits.add_to(*command);
    command->add_option("--list", examples->list, "another list of examples, as games/examples.json");
    command->add_flag("--json", examples->json, "print one JSON object");
    command->footer("Example:\n  zermelo examples");
    return {command, [examples] { return examples->run(); }};
}

}  // namespace zermelo::cli
