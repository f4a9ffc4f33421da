// Forward engines as the command line runs them: their options as flags, their progress, and values as text.

#pragma once

#include "cli/problem.hpp"

namespace zermelo::cli {

struct ForwardOptions {
    game::SolveOptions solve;
    std::string table_size;
    std::string spill;

    void add_to(CLI::App& app);
    // Throws Error where the engine is not known, or the size of the table is none.
    [[nodiscard]] game::SolveOptions options(const std::string& engine, const Limits& limits) const;
};

inline constexpr const char* forward_engines = "auto, attractors, alpha-beta, proof-number, levels";
// Attractors level by level, over all processes and with a disk behind the memory: what `auto` and
// `attractors` mean where there are several processes.
inline constexpr const char* levels_engine = "levels";

// A limit that is reached is an answer too: a solution that is none, with its reason.
struct TimedSolution {
    game::Solution solution;
    double cpu_seconds = 0;
    double wall_seconds = 0;
    nlohmann::json together = nullptr;  // by several processes, or by levels: who had what to do with it
};
[[nodiscard]] TimedSolution solve_with_progress(const Problem& subject, game::SolveOptions options);
// By all processes.
[[nodiscard]] TimedSolution solve_together(const Problem& subject, const game::SolveOptions& options,
                                           const std::string& spill);

// Tells on stderr that work which was stopped can be continued, if it can.
void tell_about_checkpoint(const game::Solution& solution, const std::string& checkpoint);

[[nodiscard]] std::string headline(const game::Solution& solution);  // lost by yellow: yellow 0, red 100
[[nodiscard]] std::string cost_text(const TimedSolution& timed);     // by attractors, 765 states, 0.00 s
[[nodiscard]] nlohmann::json values_json(const std::vector<std::string>& players,
                                         const std::vector<int>& values);
[[nodiscard]] nlohmann::json statistics_json(const TimedSolution& timed);

}  // namespace zermelo::cli
