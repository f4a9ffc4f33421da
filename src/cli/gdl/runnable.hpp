// A game that perft and simulate can run: by its machine, or else by the reasoner.

#pragma once

#include <optional>

#include "cli/gdl/gdl.hpp"
#include "gdl/reasoner/reasoner.hpp"

namespace zermelo::cli {

// The machine where the game can be grounded, and with a warning the reasoner where it cannot.
struct Runnable {
    std::optional<gdl::Game> game;
    std::optional<gdl::Reasoner> reasoner;
    double set_up_seconds = 0;

    Runnable(const GdlOptions& options, const Limits& bounds);
    [[nodiscard]] std::vector<std::string> roles() const;
};

}  // namespace zermelo::cli
