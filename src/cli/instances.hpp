// Instances: shipped models with parameters, as games/examples.json and bench/quantified.json list them.

#pragma once

#include "cli/command.hpp"

namespace zermelo::cli {

struct Instance {
    std::string name;
    std::string question;
    std::string file;  // below games/
    std::vector<std::string> definitions;
    struct Matrix {  // a generated board for the matrix game
        int depth = 0;
        double density = 0;
        std::uint64_t seed = 0;
    };
    std::optional<Matrix> matrix;
    nlohmann::json more;  // whatever else the list says

    [[nodiscard]] Problem read(const Limits& limits) const;
};

// The model of a file, with a generated board as its data.
[[nodiscard]] Problem read_matrix_game(const std::string& file, const Instance::Matrix& matrix,
                                       ReadOptions options);

// A directory that is shipped with the program: beside it in the source tree, or PREFIX/share/zermelo/<name>.
[[nodiscard]] std::string shipped(const std::string& name);

[[nodiscard]] std::vector<Instance> read_instances(const std::string& file);

// A 0/1 matrix of 2^depth rows and columns, row by row, as a MiniZinc data file.
void write_matrix_game(std::ostream& out, const Instance::Matrix& matrix);
// The same for the board of a file, in the format of QuaCode (Barichard and Stéphan 2017): a 0 or a 1 for each
// cell, row by row, with white space between them.
void write_matrix_game(std::ostream& out, const std::string& file);

}  // namespace zermelo::cli
