// Self-play by search (expert iteration: Anthony, Tian and Barber 2017; AlphaZero: Silver et al. 2017): a play of a game
// against itself, and what a network can learn from its positions.
//
// Every seat moves by the same tree search (mcts/mcts.hpp). Most moves are searched briefly, so that there are many plays;
// only those that are searched long teach a policy (playout cap randomisation, Wu 2019). A position's value is learned from
// the result and from what the search thought of it; where the search has proven the value, from the proof.

#pragma once

#include "learn/judgement.hpp"
#include "learn/network.hpp"
#include "play/game_context.hpp"

namespace zermelo::play {

struct SearchPlayOptions {
    std::uint64_t simulations = 128;  // of a long search
    std::uint64_t brief = 32;         // of others
    double long_share = 0.35;         // of the searches
    double noise = 0.25;              // at the root of a long search
    double result_share = 0.6;        // of a value; the search tells the rest
    double playouts_share = 0;        // as in MctsOptions
    std::size_t most_moves = 600;     // a longer play is given up
    std::size_t memory = std::size_t{32} << 20;
    Deadline deadline = {};  // a play that is not over then is given up
};

// A position that something can be learned from.
struct Lesson {
    State state;
    std::vector<float> values;                  // by seat
    std::vector<learn::PolicyTarget> policies;  // of roles that had a choice and were searched long
};

// The same for the same seed. Without a judgement, the search rests on playouts. `filter`: the machine of a win/loss filter,
// or null. Nothing where the play was too long, or was interrupted.
[[nodiscard]] std::vector<Lesson> search_play(const GameContext& rules,
                                              const std::shared_ptr<const learn::Judgement>& judgement,
                                              const gdl::Machine* filter, const SearchPlayOptions& options,
                                              std::uint64_t seed);

}  // namespace zermelo::play
