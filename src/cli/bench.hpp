// The benchmarks of `zermelo bench`, one a file.

#pragma once

#include "cli/command.hpp"

namespace zermelo::cli {

struct BenchGdl {
    std::string directory;  // games and speed.tsv
    double seconds = 1;     // for each game
    bool json = false;

    [[nodiscard]] int run() const;
};

}  // namespace zermelo::cli
