// Solving as the command line does it: the search options as flags, and the answer as text or JSON.

#pragma once

#include "cli/command.hpp"
#include "quantified/guide.hpp"
#include "quantified/solve.hpp"
#include "strategy/verify.hpp"

namespace zermelo::cli {

struct SearchOptions {
    SolveOptions solve;
    std::string values = "history";
    std::string variables = "input";
    std::string success = "entailed";
    std::string guide;
    int playouts = 0;

    void add_to(CLI::App& app);
    [[nodiscard]] SolveOptions options(const Limits& limits) const;  // without the guide
    [[nodiscard]] std::unique_ptr<Guide> make_guide() const;
};

// Solves, or maximises when the model has an objective, and shows progress on a terminal. Where there are
// several processes, all of them do it together, and only the first one gets a strategy.
struct KeptParts {          // of the work
    std::string file = {};  // none: nothing is kept
    double seconds_between_saves = 60;
};
[[nodiscard]] Answer solve_with_progress(const Model& model, const SolveOptions& options,
                                         const KeptParts& kept = {}, nlohmann::json* together = nullptr);
[[nodiscard]] Verification verify_with_progress(const Model& model, const Strategy& strategy,
                                                const Limits& limits);

[[nodiscard]] std::string name(Verdict verdict);
[[nodiscard]] nlohmann::json to_json(const SearchStatistics& statistics);

// The owner's first moves by the strategy: the variables of the first block, as far as it fixes them.
[[nodiscard]] std::vector<Move> first_moves(const Model& model, const Strategy& strategy);

}  // namespace zermelo::cli
