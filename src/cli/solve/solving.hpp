// Solving as the command line does it: the search options as flags, and the answer as text or JSON.

#pragma once

#include "cli/command.hpp"
#include "quantified/guide/guide.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"

namespace zermelo::cli {

struct SearchOptions {
    quantified::SolveOptions solve;
    std::string values = "history";
    std::string variables = "input";
    std::string success = "entailed";
    std::string guide;
    int playouts = 0;

    void add_to(CLI::App& app);
    [[nodiscard]] quantified::SolveOptions options(const Limits& limits) const;  // without the guide
    [[nodiscard]] std::unique_ptr<quantified::Guide> make_guide() const;
};

// Solves, or maximises when the model has an objective, and shows progress on a terminal. Where there are
// several processes, all of them do it together, and only the first one gets a strategy.
struct KeptParts {          // of the work
    std::string file = {};  // none: nothing is kept
    double seconds_between_saves = 60;
};
[[nodiscard]] quantified::Answer solve_with_progress(const model::Model& model,
                                                     const quantified::SolveOptions& options,
                                                     const KeptParts& kept = {},
                                                     nlohmann::json* together = nullptr);
[[nodiscard]] strategy::Verification verify_with_progress(const model::Model& model,
                                                          const strategy::Strategy& strategy,
                                                          const Limits& limits);

[[nodiscard]] std::string name(quantified::Verdict verdict);
[[nodiscard]] nlohmann::json to_json(const quantified::SearchStatistics& statistics);

// The owner's first moves by the strategy: the variables of the first block, as far as it fixes them.
[[nodiscard]] std::vector<strategy::Move> first_moves(const model::Model& model,
                                                      const strategy::Strategy& strategy);

}  // namespace zermelo::cli
