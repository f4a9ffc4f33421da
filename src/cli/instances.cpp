#include "cli/instances.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/format/json_text.hpp"
#include "core/random.hpp"

namespace zermelo::cli {

namespace fs = std::filesystem;

std::string shipped(const std::string& name) {
    const fs::path program = fs::canonical("/proc/self/exe").parent_path();
    for (const fs::path& place :
         {program.parent_path() / name, program.parent_path() / "share" / "zermelo" / name}) {
        if (fs::exists(place)) return place.string();
    }
    throw Error(fmt::format("the folder {} of the program is missing", name),
                "run the program where it was built or installed");
}

std::vector<Instance> read_instances(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw Error({file}, "cannot be read", "check the name");
    std::vector<Instance> all;
    try {
        for (const auto& entry : json_from_text(in)) {
            Instance instance;
            instance.name = entry.at("name");
            instance.question = entry.value("question", "");
            instance.file = entry.value("file", "");  // none where the model is generated
            instance.definitions = entry.value("define", std::vector<std::string>{});
            if (entry.contains("matrix")) {
                const auto& matrix = entry.at("matrix");
                instance.matrix =
                    Instance::Matrix{matrix.at("depth"), matrix.at("density"), matrix.at("seed")};
            }
            instance.more = entry;
            all.push_back(std::move(instance));
        }
    } catch (const nlohmann::json::exception& problem) {
        throw Error({file}, json_problem(problem), "write a list of objects with name, file and define");
    }
    return all;
}

Problem Instance::read(const Limits& limits) const {
    ReadOptions options;
    options.minizinc.definitions = definitions;
    options.limits = limits;
    const std::string path = (fs::path(shipped("games")) / file).string();
    return matrix ? read_matrix_game(path, *matrix, options) : zermelo::read(path, options);
}

Problem read_matrix_game(const std::string& file, const Instance::Matrix& matrix, ReadOptions options) {
    const fs::path board = fs::temp_directory_path() / fmt::format("zermelo-board-{}.dzn", ::getpid());
    std::ofstream out(board);
    write_matrix_game(out, matrix);
    out.close();
    options.minizinc.data.push_back(board.string());
    const auto remove = [&] { fs::remove(board); };
    try {
        Problem problem = zermelo::read(file, options);
        remove();
        return problem;
    } catch (...) {
        remove();
        throw;
    }
}

namespace {

void write_board(std::ostream& out, int depth, const std::function<bool()>& next_cell) {
    const std::size_t side = std::size_t{1} << depth;
    out << fmt::format("depth = {};\nboard = [", depth);
    for (std::size_t row = 0; row < side; ++row) {
        out << '\n';
        for (std::size_t column = 0; column < side; ++column) {
            out << (next_cell() ? "1" : "0");
            if (row + 1 < side || column + 1 < side) out << ',';
        }
    }
    out << "\n];\n";
}

}  // namespace

void write_matrix_game(std::ostream& out, const Instance::Matrix& matrix) {
    Random random(matrix.seed);
    out << fmt::format("% A matrix game of depth {} with seed {}: a cell is 1 with probability {}.\n",
                       matrix.depth, matrix.seed, matrix.density);
    write_board(out, matrix.depth, [&] { return random.chance(matrix.density); });
}

void write_matrix_game(std::ostream& out, const std::string& file) {
    std::ifstream in(file);
    if (!in) throw Error({file}, "cannot be read", "check the name");
    std::vector<bool> cells;
    std::string word;
    while (in >> word) {
        if (word != "0" && word != "1")
            throw Error({file}, fmt::format("cell {} is {}", cells.size() + 1, word),
                        "write a 0 or a 1 for each cell, with spaces between them");
        cells.push_back(word == "1");
    }
    int depth = 0;
    while ((std::size_t{1} << (2 * depth)) < cells.size()) ++depth;
    if (depth == 0 || cells.size() != std::size_t{1} << (2 * depth))
        throw Error({file}, fmt::format("the board has {} cells", cells.size()),
                    "give a square of 2, 4, 8 … rows, row by row");
    out << fmt::format("% The board of {}: a matrix game of depth {}.\n", fs::path(file).filename().string(),
                       depth);
    auto cell = cells.begin();
    write_board(out, depth, [&] { return *cell++; });
}

}  // namespace zermelo::cli
