#include "cli/usage/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>
#include <vector>

#include "cli/command.hpp"
#include "cli/usage/help_format.hpp"
#include "cli/usage/language.hpp"
#include "zermelo/version.hpp"

namespace zermelo::cli {

namespace {

// Text as roff shows it: no line begins with a command, and no hyphen becomes a dash.
std::string roff(const std::string& text) {
    std::string result;
    bool line_begins = true;
    for (const char c : text) {
        if (line_begins && (c == '.' || c == '\'')) result += "\\&";
        line_begins = c == '\n';
        if (c == '\\') {
            result += "\\e";
        } else if (c == '-') {
            result += "\\-";
        } else {
            result += c;
        }
    }
    return result;
}

// -D, --define TEXT
std::string option_names(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    if (names.empty()) text = option.get_name();
    const bool flag = option.get_items_expected_max() == 0;
    if (!flag && !names.empty()) text += " VALUE";
    return text;
}

std::string option_page(const CLI::Option& option) {
    std::string text =
        fmt::format(".TP\n\\fB{}\\fR\n{}", roff(option_names(option)),
                    roff(option.get_description().empty() ? spoken("the same")
                                                          : spoken_description(option.get_description())));
    const std::string standard = option.get_default_str();
    if (!standard.empty())
        text += roff(
            fmt::format(" ({}: {})", tongue() == Tongue::french ? "par défaut\u00a0" : "default", standard));
    return text + "\n";
}

// The options of a command, those of one group after the other.
std::string options_of(const CLI::App& app) {
    std::string text;
    std::vector<std::string> groups;
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_group().empty() && std::ranges::find(groups, option->get_group()) == groups.end())
            groups.push_back(option->get_group());
    }
    for (const std::string& group : groups) {
        if (groups.size() > 1) text += fmt::format(".SS {}\n", roff(spoken(group)));
        for (const CLI::Option* option : app.get_options()) {
            if (option->get_group() == group) text += option_page(*option);
        }
    }
    return text;
}

std::string synopsis(const CLI::App& app, const std::string& name) {
    std::string text = fmt::format(".B {}\n", roff(name));
    std::string rest;
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_positional()) continue;
        rest += option->get_required() ? fmt::format(" {}", option->get_name())
                                       : fmt::format(" [{}]", option->get_name());
    }
    if (!app.get_subcommands({}).empty()) rest += " SUBCOMMAND";
    return text + roff("[OPTION]..." + rest) + "\n";
}

// `Examples:` and indented lines are shown as they stand.
std::string examples(const CLI::App& app) {
    const std::string footer = app.get_footer();
    if (footer.empty()) return "";
    return fmt::format(".SH {}\n.nf\n{}\n.fi\n", spoken("EXAMPLES"), roff(spoken_lines(footer)));
}

// A command below a command of two words: zermelo gdl perft.
void add_below(const CLI::App& app, const std::string& name, std::string& text) {
    for (const CLI::App* sub : app.get_subcommands({})) {
        const std::string whole = name + " " + sub->get_name();
        text += fmt::format(".SH {}\n{}.PP\n{}\n{}", roff(whole), synopsis(*sub, whole),
                            roff(spoken_description(sub->get_description())), options_of(*sub));
        if (!sub->get_footer().empty())
            text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(spoken_lines(sub->get_footer())));
        add_below(*sub, whole, text);
    }
}

std::string header(const std::string& page, const std::string& name, const std::string& what) {
    return fmt::format(
        ".\\\" Made by zermelo help --man\n.TH {} 1 \"\" \"zermelo {}\" \"{}\"\n.SH {}\n{} \\- {}\n",
        roff(page), ZERMELO_VERSION, spoken("User Commands"), spoken("NAME"), roff(name),
        roff(spoken_description(what)));
}

std::string exit_codes() {
    constexpr std::pair<int, const char*> all[] = {{answered, "answered"},
                                                   {check_failed, "a check failed"},
                                                   {bad_input, "bad usage or input"},
                                                   {limit_reached, "a limit was reached"},
                                                   {interrupted, "interrupted"}};
    std::string text = fmt::format(".SH {}\n", spoken("EXIT STATUS"));
    for (const auto& [code, what] : all) text += fmt::format(".TP\n{}\n{}\n", code, spoken(what));
    return text;
}

std::string heading(const char* words) { return fmt::format(".SH {}\n", spoken(words)); }

}  // namespace

std::map<std::string, std::string> manual(const CLI::App& app) {
    std::map<std::string, std::string> pages;
    const std::string& program = app.get_name();
    std::string main = header(program, program, app.get_description());
    main += ".SH SYNOPSIS\n" + synopsis(app, program) + ".SH OPTIONS\n" + options_of(app) +
            heading("SUBCOMMANDS");
    std::string others;
    for (const CLI::App* sub : app.get_subcommands({})) {
        main += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(sub->get_name()),
                            roff(spoken_description(sub->get_description())));
        const std::string name = program + " " + sub->get_name();
        const std::string page = program + "-" + sub->get_name();
        others += fmt::format("{}\\fB{}\\fR(1)", others.empty() ? "" : ",\n", roff(page));
        std::string text = header(page, page, sub->get_description());
        text += ".SH SYNOPSIS\n" + synopsis(*sub, name) + ".SH OPTIONS\n" + options_of(*sub);
        add_below(*sub, name, text);
        text += examples(*sub) + exit_codes() + heading("SEE ALSO") +
                fmt::format("\\fB{}\\fR(1)\n", roff(program));
        pages[page + ".1"] = text;
    }
    main += examples(app) + exit_codes() + heading("SEE ALSO") + others + "\n";
    pages[program + ".1"] = main;
    return pages;
}

}  // namespace zermelo::cli
