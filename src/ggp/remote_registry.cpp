#include "ggp/remote_registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>

#include "ggp/remote_player.hpp"

namespace zermelo::ggp {

namespace {

bool is_plain(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
}

}  // namespace

RemoteRegistry::RemoteRegistry(RemoteRegistryOptions options) : options_(std::move(options)) {
    // It is a word of a message, and the name of a file.
    if (!std::ranges::all_of(options_.match, is_plain) || options_.match.starts_with('.'))
        throw Error(fmt::format("{} cannot be the id of a match", options_.match),
                    "use letters, digits, dots, - and _, and do not begin with a dot");
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    time_ = std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

std::string RemoteRegistry::id(const arena::Fixture& fixture) const {
    std::string id = options_.match;
    if (id.empty()) {
        id = std::filesystem::path(fixture.file).stem().string();
        std::ranges::replace_if(
            id, [](char c) { return !is_plain(c); }, '-');
        if (id.empty() || id.front() == '.') id = "game" + id;
        id += '.' + time_;
    }
    if (options_.numbered) id += fmt::format(".{}", fixture.pairing.number + 1);
    return id;
}

std::shared_ptr<const KifNames> kif_names(const arena::Fixture& fixture) {
    return std::static_pointer_cast<const KifNames>(
        fixture.shared.kept("kif names", [&] { return std::make_shared<KifNames>(fixture.rules); }));
}

std::unique_ptr<play::Player> RemoteRegistry::make_player(const arena::Fixture& fixture,
                                                          const play::Spec& spec,
                                                          const play::Settings& settings) const {
    if (!spec.remote()) return play::make_player(spec, fixture.rules, settings, fixture.shared);
    const auto& labels = fixture.labels;
    const auto seat = static_cast<std::ptrdiff_t>(fixture.rules.seat_of(settings.role));
    // Labels that would be equal are told apart by numbers.
    const auto same = std::count_if(labels.begin(), labels.begin() + seat, [&](const std::string& label) {
        return label == spec.label || label.starts_with(spec.label + " #");
    });
    const std::string number = same == 0 ? "" : fmt::format(".{}", same + 1);
    return std::make_unique<RemotePlayer>(fixture.rules, settings, net::read_url(spec.text), spec.label,
                                          kif_names(fixture),
                                          RemoteMatch{.id = id(fixture) + number,
                                                      .start_clock = fixture.start_clock,
                                                      .play_clock = fixture.clock,
                                                      .grace = options_.grace});
}

void check_players(const arena::Plan& plan) {
    for (const std::string& text : plan.players) {
        const play::Spec spec = play::read_spec(text);
        if (!spec.remote()) continue;
        (void)net::read_url(text);
        if (plan.clock <= 0)
            throw Error(fmt::format("the remote player {} needs a clock", text), "give " + setting("clock"));
    }
}

}  // namespace zermelo::ggp
