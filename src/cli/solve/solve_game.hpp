// zermelo solve, for what a forward engine solves: games in GDL, graphs, and models where one is asked for.

#pragma once

#include "cli/solve/forward.hpp"
#include "cli/solve/verify_game.hpp"

namespace zermelo::cli {

// Throws Error where the file's folder is not there: hours of work are not begun when their result could not
// be written.
void require_folder(const std::string& file);

struct SolveGame {
    ForwardOptions forward;
    std::string engine = "auto";
    std::string strategy_file;
    bool all_first_moves = false;
    bool json = false;
    bool verbose = false;
    bool check = true;
    double check_seconds = 10;

    [[nodiscard]] int run(ModelOptions& source, const Limits& limits) const;

private:
    struct Report;
    [[nodiscard]] bool together(const std::string& file) const;
    [[nodiscard]] std::string save(const Problem& subject, const game::Solution& solution,
                                   const Limits& limits) const;
    void report_text(const Report& report) const;
    static void report_json(const Report& report);
};

}  // namespace zermelo::cli
