#include "cli/net_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "play/player_registry.hpp"

namespace zermelo::cli {

namespace {

constexpr const char* net_key = "net";

std::vector<std::string> players_with_nets() {
    std::vector<std::string> names;
    for (const play::PlayerDescription& player : play::describe_players()) {
        if (std::ranges::find(player.keys, net_key, &play::KeyDescription::name) != player.keys.end())
            names.push_back(player.name);
    }
    return names;
}

bool says_which(const std::string& player) {
    const std::string key = std::string(net_key) + "=";
    return player.find(":" + key) != std::string::npos || player.find("," + key) != std::string::npos;
}

}  // namespace

void NetOptions::add_to(CLI::App& app) {
    auto* net = app.add_option("--net", file,
                               "a net written by zermelo train, for players that use nets, such as zermelo "
                               "(default: the net of the game in the cache folder, if there is one)");
    app.add_flag("--no-net", none, "use no net, not even one from the cache folder")->excludes(net);
}

std::vector<std::string> NetOptions::applied(std::vector<std::string> players) const {
    if (!given()) return players;
    if (file.find(',') != std::string::npos)
        throw Error({file}, "the name of a net may have no comma", "rename the file");
    const std::vector<std::string> able = players_with_nets();
    bool used = false;
    for (std::string& player : players) {
        const std::size_t colon = player.find(':');
        if (std::ranges::find(able, player.substr(0, colon)) == able.end()) continue;
        used = true;
        if (says_which(player)) continue;
        player +=
            fmt::format("{}{}={}", colon == std::string::npos ? ":" : ",", net_key, none ? "none" : file);
    }
    if (!used)
        throw Error(fmt::format("{} is for players that use nets", none ? "--no-net" : "--net"),
                    fmt::format("choose one of them: {}", fmt::join(able, ", ")));
    return players;
}

}  // namespace zermelo::cli
