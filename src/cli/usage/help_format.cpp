#include "cli/usage/help_format.hpp"

#include <CLI/CLI.hpp>

#include <regex>
#include <sstream>

#include "cli/usage/language.hpp"

namespace zermelo::cli {

namespace {

// FLOAT:more than 0 REQUIRED
std::string types_in_french(std::string text) {
    static const std::pair<std::regex, const char*> words[] = {
        {std::regex(R"(\bTEXT\b)"), "TEXTE"},
        {std::regex(R"(\bFLOAT\b)"), "NOMBRE"},
        {std::regex(R"(\bU?INT\b)"), "ENTIER"},
        {std::regex(R"(\bREQUIRED\b)"), "OBLIGATOIRE"},
        {std::regex(R"(\bor more\b)"), "ou plus"},
        {std::regex(R"(\bmore than\b)"), "plus de"},
        {std::regex(R"(:([\d,.]+) to (\d))"), ":$1 à $2"},
        {std::regex(R"(\bNeeds:)"), "Avec :"},
        {std::regex(R"(\bExcludes:)"), "Sans :"}};
    for (const auto& [pattern, word] : words) text = std::regex_replace(text, pattern, word);
    // 1,000,000, but not a list of names
    static const std::regex group(R"((\d),(\d{3})(?!\d))");
    for (std::string next; (next = std::regex_replace(text, group, "$1\u202f$2")) != text;) text = next;
    static const std::regex fraction(R"(([:\s]\d+)\.(\d+)(?!\.))");
    return std::regex_replace(text, fraction, "$1,$2");
}

class Spoken : public CLI::Formatter {
public:
    Spoken() {
        label("Usage", "Usage\u00a0");
        label("SUBCOMMAND", "SOUS-COMMANDE");
    }

    std::string make_description(const CLI::App* app) const override {
        return spoken_description(app->get_description()) + "\n";
    }
    std::string make_group(std::string group, bool positional,
                           std::vector<const CLI::Option*> options) const override {
        return Formatter::make_group(spoken(group) + "\u00a0", positional, std::move(options));
    }
    std::string make_subcommand(const CLI::App* command) const override {
        std::stringstream out;
        CLI::detail::format_help(out, command->get_display_name(true),
                                 spoken_description(command->get_description()), column_width_);
        return out.str();
    }
    std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override {
        const std::string text = Formatter::make_subcommands(app, mode);
        const std::string heading = "\nSubcommands:\n";
        if (!text.starts_with(heading)) return text;
        return "\n" + spoken("Subcommands") + "\u00a0:\n" + text.substr(heading.size());
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        return types_in_french(Formatter::make_option_opts(option));
    }
    std::string make_option_desc(const CLI::Option* option) const override {
        return spoken_description(option->get_description());
    }
    std::string make_footer(const CLI::App* app) const override {
        const std::string footer = app->get_footer();
        return footer.empty() ? "" : spoken_lines(footer) + "\n";
    }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> spoken_formatter() {
    if (tongue() == Tongue::english) return std::make_shared<CLI::Formatter>();
    return std::make_shared<Spoken>();
}

std::string spoken_description(const std::string& text) {
    if (tongue() == Tongue::english) return text;
    const std::string whole = spoken(text);
    static const std::regex with_default(R"(^(.*) \(default: (.*)\)$)");
    std::smatch parts;
    if (whole != text || !std::regex_match(text, parts, with_default)) return whole;
    return spoken(parts[1]) + " (par défaut\u00a0: " + spoken_cell(parts[2]) + ")";
}

std::string spoken_lines(const std::string& text) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) result += (result.empty() ? "" : "\n") + spoken(line);
    return result;
}

}  // namespace zermelo::cli
