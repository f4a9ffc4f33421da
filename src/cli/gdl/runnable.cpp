#include "cli/gdl/runnable.hpp"

#include <fmt/format.h>

#include <iostream>

#include "gdl/syntax/parse.hpp"

namespace zermelo::cli {

Runnable::Runnable(const GdlOptions& options, const Limits& bounds, bool by_reasoner) {
    const double start = cpu_seconds();
    try {
        if (by_reasoner) {
            start_reasoner(options, bounds);
        } else {
            game.emplace(options.file, options.grounding(bounds));
            warn_of_repairs(game->description());
        }
    } catch (const gdl::TooLarge& problem) {
        std::cerr << fmt::format(
            "warning: {}\nwarning: running without a propositional network, which is slow\n", problem.what());
        start_reasoner(options, bounds);
    }
    set_up_seconds = cpu_seconds() - start;
}

void Runnable::start_reasoner(const GdlOptions& options, const Limits& bounds) {
    gdl::ReasonerOptions how;
    how.limits = bounds;
    const gdl::Description description = gdl::read(options.file);
    warn_of_repairs(description);
    reasoner.emplace(description, how);
}

std::vector<std::string> Runnable::roles() const {
    if (game) return role_names(*game);
    std::vector<std::string> names;
    for (const auto role : reasoner->roles()) names.push_back(reasoner->text(role));
    return names;
}

}  // namespace zermelo::cli
