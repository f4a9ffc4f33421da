// zermelo play, for any game in GDL or GDL-II: a person in one seat, players of the field in the others.
//
// The referee runs the play, so there may be chance, moves at the same time, and hidden moves. The person is
// shown no more than the role may know.

#pragma once

#include "cli/play/play_game.hpp"
#include "play/player_registry.hpp"

namespace zermelo::cli {

// The program's players are made by `program`.
[[nodiscard]] int play_match(const play::GameContext& rules, const play::Spec& program,
                             const PlayGame& options);

}  // namespace zermelo::cli
