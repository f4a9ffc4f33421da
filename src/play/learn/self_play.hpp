// Practice: a heuristic gets better by playing against itself.
//
// What random plays taught (game/heuristic/learned.hpp) plays quick matches with itself: the mover looks one
// step ahead and takes what looks best, now and then a random move; chance draws. After a match the estimate
// of each state is drawn towards those that came later and the outcome (temporal differences: R. Sutton,
// 1988; G. Tesauro, 1995). For games of two opponents, or of one, that a resolver can play (resolver.hpp).

#pragma once

#include <optional>

#include "play/game_context.hpp"
#include "play/learn/value_network.hpp"

namespace zermelo::play {

// Until one of them is reached.
struct SelfPlayOptions {
    std::optional<double> seconds = {};
    std::size_t most_matches = 100'000;
    std::uint64_t seed = 1;
};

// Returns the matches that were played; none where the game turns out to be one that it cannot play, and
// then nothing changes.
std::size_t practise(const GameContext& rules, ValueNetwork& judge, const SelfPlayOptions& options);

}  // namespace zermelo::play
