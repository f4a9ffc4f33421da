// zermelo generate: instances of parameterised games, the same for the same seed on every machine.

#include <fstream>
#include <iostream>

#include "cli/instances.hpp"

namespace zermelo::cli {

namespace {

struct Generate {
    std::string kind;
    Instance::Matrix matrix{3, 0.5, 1};
    std::string out;

    int run() const {
        if (out.empty()) {
            write_matrix_game(std::cout, matrix);
            return answered;
        }
        std::ofstream file(out);
        write_matrix_game(file, matrix);
        if (!file.flush()) throw Error({out}, "cannot be written", "choose another file");
        return answered;
    }
};

}  // namespace

Command add_generate(CLI::App& app) {
    auto* command = app.add_subcommand("generate", "Write an instance of a parameterised game");
    auto generate = std::make_shared<Generate>();
    command->add_option("KIND", generate->kind, "matrix-game")
        ->required()
        ->check(CLI::IsMember({"matrix-game"}));
    command->add_option("--depth", generate->matrix.depth, "rounds; the board has 4^depth cells")
        ->check(CLI::Range(1, 12))
        ->capture_default_str();
    command->add_option("--density", generate->matrix.density, "how often a cell is 1")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command->add_option("--seed", generate->matrix.seed, "another seed, another board")
        ->capture_default_str();
    command->add_option("-o,--out", generate->out, "the file; without it, stdout");
    command->footer(
        "Example:\n"
        "  zermelo generate matrix-game --depth 5 --density 0.7 --seed 7 -o board.dzn\n"
        "  zermelo solve games/quantified/matrix-game.mzn --data board.dzn");
    return {command, [generate] { return generate->run(); }};
}

}  // namespace zermelo::cli
