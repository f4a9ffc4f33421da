// zermelo examples: solves the shipped examples and prints what came out.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>

#include "cli/instances.hpp"
#include "cli/solve/report.hpp"

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
            const Problem problem = instance.read(bounds);
            cluster::TogetherOptions options;
            options.solve.limits = bounds;
            const Verdict solved = solve_with_progress(problem, options).verdict;
            Report check;
            if (solved.outcome != Outcome::unknown)
                check = check_with_progress(problem, solved.certificate, bounds);
            line.clear();
            const char* checked = check.valid ? "passed" : check.counterexample ? "FAILED" : "not finished";
            std::string verdict = name(solved.outcome);
            const auto& answer = *solved.as<quantified::Answer>();
            if (answer.best) verdict = fmt::format("best {}", *answer.best);
            if (json) {
                rows.push_back({{"game", instance.name},
                                {"question", instance.question},
                                {"verdict", name(solved.outcome)},
                                {"cpu_seconds", answer.statistics.cpu_seconds},
                                {"nodes", answer.statistics.nodes},
                                {"strategy_nodes", solved.certificate.size()},
                                {"checked", check.valid}});
                if (answer.best) rows.back()["best_value"] = *answer.best;
            } else {
                std::cout << fmt::format("{:<22} {:<50} {:>7} {:>8} {:>10} {:>9}  {}\n", instance.name,
                                         instance.question, verdict,
                                         seconds_text(answer.statistics.cpu_seconds),
                                         count_text(answer.statistics.nodes),
                                         count_text(solved.certificate.size()), checked)
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
    command->add_option("--list", examples->list,
                        "a list of examples in the format of games/examples.json (default: the shipped one)");
    command->add_flag("--json", examples->json, "print one JSON object");
    command->footer("Example:\n  zermelo examples");
    return {command, [examples] { return examples->run(); }};
}

}  // namespace zermelo::cli
