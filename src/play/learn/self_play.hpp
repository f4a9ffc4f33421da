// Self-play with temporal differences, TD(λ) (Sutton 1988; TD-Gammon, Tesauro 1995): improves a value
// network.
//
// The network, started from what random plays taught (game/heuristic/learned.hpp), plays quick matches
// against itself: the mover looks one step ahead and takes the best value, now and then a random move; chance
// draws. After a match the estimate of each state is moved towards those that came later and the outcome. For
// games of two opponents, or of one player, that expectimax can search (champion/expectimax.hpp).

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
std::size_t self_play(const GameContext& rules, ValueNetwork& network, const SelfPlayOptions& options);

}  // namespace zermelo::play
