// Remote registry: makes players for the arena, by name or by address.

#pragma once

#include "arena/tournament.hpp"
#include "ggp/kif_names.hpp"

namespace zermelo::ggp {

struct RemoteRegistryOptions {
    double grace = 1;        // seconds that the wire may take beyond the clocks
    std::string match = {};  // the id of the matches; empty: the game and the time
    bool numbered = true;    // and the number of the match, from 1 on
};

class RemoteRegistry {
public:
    // Throws Error where the id of the matches is no word.
    explicit RemoteRegistry(RemoteRegistryOptions options);

    // For arena::TournamentOptions. A player without an address is made by play::make_player.
    [[nodiscard]] std::unique_ptr<play::Player> make_player(const arena::Fixture& fixture,
                                                            const play::Spec& spec,
                                                            const play::Settings& settings) const;
    // What the players of a match call it. To a player that takes several seats, each is a match of its own:
    // from the second one on its number follows.
    [[nodiscard]] std::string id(const arena::Fixture& fixture) const;

private:
    RemoteRegistryOptions options_;
    std::string time_;  // milliseconds
};

// The names of the game of a match.
[[nodiscard]] std::shared_ptr<const KifNames> kif_names(const arena::Fixture& fixture);

// Throws Error where an address is none, or a player with an address has no clock.
void check_players(const arena::Plan& plan);

}  // namespace zermelo::ggp
