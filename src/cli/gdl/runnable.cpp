#include "cli/gdl/runnable.hpp"

#include <fmt/format.h>

#include <iostream>

#include "gdl/syntax/parse.hpp"

namespace zermelo::cli {

Runnable::Runnable(const GdlOptions& options, const Limits& bounds) {
    const double start = cpu_seconds();
    try {
        game.emplace(options.file, options.grounding(bounds));
    } catch (const gdl::TooLarge& problem) {
        std::cerr << fmt::format(
            "warning: {}\nwarning: running without a propositional network, which is slow\n", problem.what());
        gdl::ReasonerOptions how;
        how.limits = bounds;
        reasoner.emplace(gdl::read(options.file), how);
    }
    set_up_seconds = cpu_seconds() - start;
}

std::vector<std::string> Runnable::roles() const {
    if (game) return role_names(*game);
    std::vector<std::string> names;
    for (const auto role : reasoner->roles()) names.push_back(reasoner->text(role));
    return names;
}

}  // namespace zermelo::cli
