// zermelo gdl check: where a description departs from the GDL specification.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

#include "cli/gdl/gdl.hpp"
#include "gdl/analysis/lint.hpp"
#include "gdl/analysis/unreachable.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::cli {

namespace {

int print_findings(const GdlOptions& options, gdl::Strictness strictness) {
    gdl::PlayOptions how;
    how.limits = options.limits.start();
    const gdl::Description description = gdl::read(options.file);
    auto findings = gdl::check(description, strictness);
    const auto unlikely = gdl::lint(description);
    findings.insert(findings.end(), unlikely.begin(), unlikely.end());
    const auto never = gdl::unreachable(description, how.limits);
    findings.insert(findings.end(), never.begin(), never.end());
    const auto played = gdl::check_by_playing(description, how);
    findings.insert(findings.end(), played.begin(), played.end());
    const gdl::Information known = gdl::information(description, how);
    const char* sharing = known.sharing == gdl::Sharing::yes  ? "yes"
                          : known.sharing == gdl::Sharing::no ? "no"
                                                              : "unknown";
    const auto severity = [](const gdl::Finding& finding) {
        return finding.severity == gdl::Finding::Severity::error     ? "error"
               : finding.severity == gdl::Finding::Severity::warning ? "warning"
                                                                     : "note";
    };
    const bool broken = std::any_of(findings.begin(), findings.end(), [](const gdl::Finding& finding) {
        return finding.severity == gdl::Finding::Severity::error;
    });
    if (options.json) {
        auto list = nlohmann::json::array();
        for (const gdl::Finding& finding : findings) {
            list.push_back({{"severity", severity(finding)},
                            {"place", finding.place.text()},
                            {"message", finding.message},
                            {"remedy", finding.remedy}});
        }
        print({{"findings", list}, {"gdl2", known.is_gdl2()}, {"shared_information", sharing}});
    } else {
        for (const gdl::Finding& finding : findings) std::cout << finding.text() << '\n';
        std::cout << fmt::format("{}: {} findings; {}; players share their information: {}\n", options.file,
                                 findings.size(), known.is_gdl2() ? "GDL-II" : "GDL", sharing);
    }
    return broken ? check_failed : answered;
}

}  // namespace

Command add_gdl_check(CLI::App& gdl) {
    auto* command = add_gdl_command(gdl, "check", "Check a description against the GDL specification",
                                    "zermelo gdl check games/gdl/tic-tac-toe.kif");
    auto options = std::make_shared<GdlOptions>();
    auto strict = std::make_shared<bool>(false);
    options->add_to(*command);
    command->add_flag("--strict", *strict,
                      "refuse what breaks the specification even where it can only mean one thing");
    return {command, [options, strict] {
                return print_findings(*options, *strict ? gdl::Strictness::strict : gdl::Strictness::lenient);
            }};
}

}  // namespace zermelo::cli
