// zermelo solve, verify and show for models with chance: policies instead of strategies.

#pragma once

#include "cli/command.hpp"
#include "stochastic/model.hpp"

namespace zermelo::cli {

inline constexpr const char* for_chance = "models with chance";

// The engines for them, as --engine names them.
[[nodiscard]] bool is_stochastic_engine(const std::string& engine);

struct SolveStochastic {
    std::string engine;  // fc, mac, or empty for mac
    bool best = false;   // the best policy, even where one that reaches the thresholds would do
    std::string policy_file;
    bool json = false;
    bool verbose = false;
    bool check = true;
    double check_seconds = 5;

    int run(model::Model model, const Limits& limits) const;
};

struct VerifyStochastic {
    std::string policy_file;
    bool json = false;

    int run(model::Model model, const Limits& limits) const;
};

struct ShowStochastic {
    std::string policy_file;
    std::string out;
    bool json = false;
    std::size_t nodes = 300;

    int run(model::Model model) const;
};

}  // namespace zermelo::cli
