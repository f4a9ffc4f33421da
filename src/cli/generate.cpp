// zermelo generate: instances of parameterised games, the same for the same seed on every machine.

#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "cli/command.hpp"
#include "core/random.hpp"

namespace zermelo::cli {

namespace {

struct Generate {
    std::string kind;
    int depth = 3;
    double density = 0.5;
    std::uint64_t seed = 1;
    std::string out;

    // A 0/1 matrix of 2^depth rows and columns, row by row, as a MiniZinc data file.
    int run() const {
        std::ofstream file;
        if (!out.empty()) {
            file.open(out);
            if (!file) throw Error(fmt::format("{}: cannot be written", out), "choose another file");
        }
        std::ostream& stream = out.empty() ? std::cout : file;
        Random random(seed);
        const std::size_t side = std::size_t{1} << depth;
        stream << fmt::format("% A matrix game of depth {} with seed {}: a cell is 1 with probability {}.\n", depth, seed, density);
        stream << fmt::format("depth = {};\nboard = [", depth);
        for (std::size_t row = 0; row < side; ++row) {
            stream << '\n';
            for (std::size_t column = 0; column < side; ++column) {
                stream << (random.chance(density) ? "1" : "0");
                if (row + 1 < side || column + 1 < side) stream << ',';
            }
        }
        stream << "\n];\n";
        if (!stream.flush()) throw Error(fmt::format("{}: cannot be written", out), "choose another file");
        return answered;
    }
};

}  // namespace

Command add_generate(CLI::App& app) {
    auto* command = app.add_subcommand("generate", "Write an instance of a parameterised game");
    auto generate = std::make_shared<Generate>();
    command->add_option("KIND", generate->kind, "matrix-game")->required()->check(CLI::IsMember({"matrix-game"}));
    command->add_option("--depth", generate->depth, "rounds; the board has 4^depth cells")
        ->check(CLI::Range(1, 12))
        ->capture_default_str();
    command->add_option("--density", generate->density, "how often a cell is 1")->check(CLI::Range(0.0, 1.0))->capture_default_str();
    command->add_option("--seed", generate->seed, "another seed, another board")->capture_default_str();
    command->add_option("-o,--out", generate->out, "the file; without it, stdout");
    command->footer(
        "Example:\n"
        "  zermelo generate matrix-game --depth 5 --density 0.7 --seed 7 -o board.dzn\n"
        "  zermelo solve games/quantified/matrix-game.mzn --data board.dzn");
    return {command, [generate] { return generate->run(); }};
}

}  // namespace zermelo::cli
