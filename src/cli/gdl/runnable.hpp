// A game that perft and simulate can run: by its machine, or else by the reasoner.

#pragma once

#include <optional>

#include "cli/gdl/gdl.hpp"
#include "gdl/reasoner/reasoner.hpp"

namespace zermelo::cli {

// The machine where the game can be grounded, and the reasoner where that is wished, or, with a warning, where it
// cannot be grounded.
struct Runnable {
    std::optional<gdl::Game> game;
    std::optional<gdl::Reasoner> reasoner;
    double set_up_seconds = 0;

    Runnable(const GdlOptions& options, const Limits& bounds, bool by_reasoner = false);
    [[nodiscard]] std::vector<std::string> roles() const;

private:
    void start_reasoner(const GdlOptions& options, const Limits& bounds);
};

}  // namespace zermelo::cli
