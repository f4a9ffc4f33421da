// Duel: which of two players is stronger, in a game for two seats or more. They change seats.

#pragma once

#include <functional>

#include "play/player.hpp"

namespace zermelo::play {

using MakePlayer = std::function<std::unique_ptr<Player>(const Settings&)>;

struct DuelOptions {
    std::size_t games = 20;
    std::uint64_t playouts = 100;       // for a move, of both
    double seconds = 0;                 // for a move, in place of playouts; 0: none
    std::uint64_t second_playouts = 0;  // of the second player; 0: the same
    std::size_t random_moves = 2;       // at first, the same in both games of a pair
    std::size_t most_moves = 600;       // a longer game counts as half
    unsigned threads = 1;
    std::uint64_t seed = 1;
};

// The mean score of the first player, 0 … 1: what it gets in its seat, against the second one in all others. With one seat,
// the mean goal that it gets. Nothing where Ctrl-C or the deadline came before the first game was over.
struct DuelScore {
    std::size_t games = 0;
    double score = 0;
};
[[nodiscard]] DuelScore duel(const GameContext& rules, const MakePlayer& first, const MakePlayer& second,
                             const DuelOptions& options, const Deadline& deadline = {});

}  // namespace zermelo::play
