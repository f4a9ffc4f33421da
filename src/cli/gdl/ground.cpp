// zermelo gdl ground: the ground rules of a game.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>

#include "cli/gdl/gdl.hpp"
#include "gdl/ground/ground.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::cli {

namespace {

int print_ground(const GdlOptions& options) {
    const Limits bounds = options.limits.start();
    const gdl::Description description = gdl::read(options.file);
    warn_of_repairs(description);
    const gdl::Grounding grounding = gdl::ground(description, options.grounding(bounds));
    if (options.json) {
        print({{"atoms", grounding.atoms()},
               {"rules", grounding.rule_count},
               {"facts", grounding.facts.size()}});
        return answered;
    }
    const auto name = [&](gdl::AtomId a) {
        const auto term = [&] { return grounding.terms.text(description.symbols, grounding.term[a]); };
        const auto with_role = [&](const char* word) {
            return fmt::format("({} {} {})", word,
                               grounding.terms.text(description.symbols, grounding.roles[grounding.role[a]]),
                               term());
        };
        switch (grounding.kind[a]) {
            case gdl::AtomKind::fluent:
                return fmt::format("(true {})", term());
            case gdl::AtomKind::next:
                return fmt::format("(next {})", term());
            case gdl::AtomKind::move:
                return with_role("does");
            case gdl::AtomKind::legal:
                return with_role("legal");
            case gdl::AtomKind::goal:
                return with_role("goal");
            case gdl::AtomKind::sees:
                return with_role("sees");
            case gdl::AtomKind::terminal:
                return std::string("terminal");
            case gdl::AtomKind::derived:
                break;
        }
        return fmt::format("atom-{}", a);
    };
    for (const gdl::AtomId a : grounding.facts) std::cout << name(a) << '\n';
    grounding.each_rule([&](const gdl::Grounding::Rule& rule) {
        std::cout << "(<= " << name(rule.head);
        for (const gdl::AtomId a : rule.positive) std::cout << ' ' << name(a);
        for (const gdl::AtomId a : rule.negative) std::cout << " (not " << name(a) << ')';
        std::cout << ")\n";
    });
    return answered;
}

}  // namespace

Command add_gdl_ground(CLI::App& gdl) {
    auto* command = add_gdl_command(gdl, "ground", "Print the ground rules",
                                    "zermelo gdl ground games/gdl/tic-tac-toe.kif");
    auto options = std::make_shared<GdlOptions>();
    options->add_to(*command);
    return {command, [options] { return print_ground(*options); }};
}

}  // namespace zermelo::cli
