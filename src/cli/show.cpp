// zermelo show: a strategy as a picture, or as text.

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/command.hpp"
#include "strategy/dot.hpp"
#include "strategy/json.hpp"

namespace zermelo::cli {

namespace {

struct Show {
    ModelOptions model;
    std::string strategy_file;
    std::string out;
    bool complete = false;
    bool json = false;
    std::size_t nodes = 300;

    int run() {
        const Model m = model.read({});
        Strategy strategy = load_strategy(strategy_file, m);
        if (complete) strategy = completed(m, strategy);
        const DotOptions options{nodes};
        if (out.empty()) {
            if (json) {
                write_json(std::cout, m, strategy);
            } else {
                write_text(m, strategy);
            }
            return answered;
        }
        std::ostringstream picture;
        if (out.ends_with(".svg")) {
            picture << svg(m, strategy, options);
        } else if (out.ends_with(".dot")) {
            write_dot(picture, m, strategy, options);
        } else if (out.ends_with(".json")) {
            write_json(picture, m, strategy);
        } else {
            throw Error(fmt::format("{}: this kind of picture is not known", out),
                        "end the name with .svg, .dot or .json");
        }
        std::ofstream file(out);
        file << picture.view();
        if (!file.flush()) throw Error(fmt::format("{}: cannot be written", out), "choose another file");
        return answered;
    }

    void write_text(const Model& m, const Strategy& strategy) const {
        const char* owner = strategy.owner == Quantifier::exists ? "∃" : "∀";
        std::cout << fmt::format("{} plays, {} positions; start at {}\n", owner, strategy.size(),
                                 strategy.root);
        std::size_t shown = 0;
        for (std::size_t i = strategy.nodes.size() - 1; i > 0; --i) {
            if (shown++ == nodes) {
                std::cout << fmt::format("… and {} more (--nodes shows more)\n", i);
                break;
            }
            std::cout << fmt::format("{}: {}\n", i, m.name_of(strategy.nodes[i].variable));
            for (const Edge& edge : strategy.nodes[i].edges) {
                std::cout << fmt::format("    {} → {}\n", edge_label(edge.values),
                                         edge.to == decided ? std::string("□") : std::to_string(edge.to));
            }
        }
    }
};

}  // namespace

Command add_show(CLI::App& app) {
    auto* command = app.add_subcommand("show", "Draw a strategy");
    auto show = std::make_shared<Show>();
    show->model.add_to(*command);
    command->add_option("STRATEGY", show->strategy_file, "a file written by solve --strategy")->required();
    command->add_option("-o,--out", show->out,
                        "the picture: .svg, .dot or .json; without it, text is printed");
    command->add_option("--nodes", show->nodes, "show at most so many positions")->capture_default_str();
    command->add_flag("--complete", show->complete,
                      "every variable and every value, as in the papers' figures");
    command->add_flag("--json", show->json, "print the strategy as JSON");
    command->footer(
        "Examples:\n"
        "  zermelo show games/quantified/nim-fibonacci.mzn -D n=20 nim.json -o nim.svg\n"
        "  zermelo show games/quantified/nim-fibonacci.mzn -D n=20 nim.json --complete");
    return {command, [show] { return show->run(); }};
}

}  // namespace zermelo::cli
