// --net and --no-net: what players use that was learned about the game (zermelo train).

#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace zermelo::cli {

struct NetOptions {
    std::string file;
    bool none = false;

    void add_to(CLI::App& app);
    [[nodiscard]] bool given() const { return none || !file.empty(); }

    // The players as they are written, with the key `net` added where they have it and do not say themselves what it is.
    // Throws Error where an option is given and none of the players has this key.
    [[nodiscard]] std::vector<std::string> applied(std::vector<std::string> players) const;
    [[nodiscard]] std::string applied(const std::string& player) const {
        return applied(std::vector{player})[0];
    }
};

}  // namespace zermelo::cli
