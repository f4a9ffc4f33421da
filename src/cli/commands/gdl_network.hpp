// zermelo gdl network: one turn of a game as a stochastic constraint network.

#pragma once

#include "cli/command.hpp"

namespace zermelo::cli {

// Adds the command to `gdl`; the result is what to run when it is chosen.
[[nodiscard]] Command add_gdl_network(CLI::App& gdl);

}  // namespace zermelo::cli
