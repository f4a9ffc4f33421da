// The options of solving as flags of the command line.

#pragma once

#include "cli/command.hpp"
#include "cluster/solve.hpp"
#include "quantified/guide/guide.hpp"

namespace zermelo::cli {

// How models are searched.
struct SearchFlags {
    quantified::SolveOptions search;
    std::string kernel = "trail";
    std::string values = "history";
    std::string variables = "input";
    std::string success = "entailed";
    std::string learning = "auto";
    std::string guide;
    int playouts = 0;

    void add_to(CLI::App& app);
    [[nodiscard]] quantified::SolveOptions options() const;  // without limits and guide
    [[nodiscard]] std::unique_ptr<quantified::Guide> make_guide() const;
};

// What forward engines know, and what all engines share.
struct ForwardFlags {
    bool symmetry = true;
    unsigned threads = 0;
    std::string checkpoint;
    double seconds_between_saves = 60;
    std::string table_size;
    std::string spill;

    void add_to(CLI::App& app);
    // What was given on the command line. Throws Error where the engine is not known, or the size of the
    // table is none.
    [[nodiscard]] cluster::TogetherOptions options(const CLI::App& app, const std::string& engine,
                                                   const Limits& limits) const;
};

// Of solve, with the ways to run them that are named like engines.
[[nodiscard]] std::vector<std::string> all_engine_names();
inline constexpr const char* forward_engines = "auto, attractors, alpha-beta, proof-number, levels";

// Throws Error where the file's folder is not there: hours of work are not begun when their result could not
// be written.
void require_folder(const std::string& file);

// Solves and shows progress on a terminal. Where there are several processes, all of them do it together, and
// only the first one gets a certificate.
[[nodiscard]] cluster::TogetherVerdict solve_with_progress(const Problem& problem,
                                                           cluster::TogetherOptions options);
[[nodiscard]] Report check_with_progress(const Problem& problem, const Certificate& certificate,
                                         const Limits& limits);

}  // namespace zermelo::cli
