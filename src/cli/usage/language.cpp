#include "cli/usage/language.hpp"

#include <cstdlib>
#include <string_view>

namespace zermelo::cli {

Tongue tongue() {
    static const Tongue found = [] {
        for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
            const char* value = std::getenv(name);  // NOLINT: before there are threads
            if (value == nullptr || *value == '\0') continue;
            const std::string_view locale = value;
            const bool french = locale == "fr" || locale.starts_with("fr_") || locale.starts_with("fr.");
            return french ? Tongue::french : Tongue::english;
        }
        return Tongue::english;
    }();
    return found;
}

std::string spoken(const std::string& text) { return language::in_tongue(tongue(), text); }

std::string spoken_cell(const std::string& text) {
    return tongue() == Tongue::french ? language::cell_in_french(text) : text;
}

}  // namespace zermelo::cli
