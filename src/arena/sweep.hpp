// Parameter sweep: one key of a player runs through many values, to measure what it contributes.
//
//   PLAYER:KEY=FROM..TO/STEP[,KEY=VALUE…]     uct:exploration=0..2/0.25     grave:reference=0..200/50,bias=0
//   PLAYER:KEY=A,B,C[,KEY=VALUE…]             uct:exploration=0.1,0.4,1.6,bounds=0
//
// A range includes its end where a step reaches it. A part without = is one more value of the key before it;
// a single player is never written so, so the two cannot be confused.

#pragma once

#include <string>
#include <vector>

namespace zermelo::arena {

struct Sweep {
    std::string player;  // with the keys that stay as they are
    std::string key;
    std::vector<double> values;  // ascending, at least two
};

struct SweptPlayers {
    Sweep sweep;
    std::vector<std::string> players;  // one for each value, as play/player_registry.hpp reads them
};

inline constexpr std::size_t most_swept_values = 200;

// Throws Error where it is no sweep, or a value is none for the player.
[[nodiscard]] SweptPlayers read_sweep(const std::string& text);

// A value as people write it: 10, 0.3.
[[nodiscard]] std::string value_text(double value);

}  // namespace zermelo::arena
