// Shared information: what all players see of a game with hidden facts, as tables of conditional probabilities
// (Koriche, Lagrue, Piette and Tabary 2016, section 3: the tables that the `sees` rules give; theorem 1).
//
// In a stochastic model a decision knows all variables before it. So the moves of chance are no variables where
// they are made: after the decisions of each step stands a variable with what the players see of the step, and
// after the last step one with all that chance has done. Their probabilities follow from what was known before by
// Bayes' theorem: the plays that agree with it are listed with their weights. Of a step that ends the game it is
// seen that the game is over, and no more.
//
// That all players know the same is not assumed but checked, at every step of every play: what they see has to
// divide the plays in the same way for each of them, and has to show each of them which moves the others made.
// A move is legal if it is legal in all plays that are possible.
//
// Cost: a look at the percepts for each step of each play; for small games.

#pragma once

#include <map>

#include "core/format/rational.hpp"
#include "encode/quantify.hpp"
#include "encode/unroll.hpp"

namespace zermelo::encode {

struct SharedInformation {
    // What is known: for each step the options of its movers other than chance, in their order, and then the
    // number of what was seen.
    using History = std::vector<std::uint32_t>;
    using Weights = std::map<std::uint32_t, Rational>;  // of those numbers that are possible
    struct Step {
        std::uint32_t classes = 1;        // what may be seen of the step; 1: there is nothing to see
        std::map<History, Weights> seen;  // by what is known after its decisions
    };
    std::vector<Step> steps;                    // one for each step that is followed by another
    std::map<std::size_t, std::size_t> chance;  // choices of chance: their places in `hidden`
    std::vector<std::vector<std::uint32_t>>
        hidden;  // what chance may have done: by place, its option; the first is none
    std::map<History, Weights> given_all;  // of `hidden`, by what is known in the end
};

struct SharedInformationOptions {
    std::size_t most_plays = 200'000;  // steps of all plays
    Limits limits = {};
};

// Throws Error where the players do not know the same, or where there are too many plays; LimitReached.
[[nodiscard]] SharedInformation share_information(const gdl::Game& game, const Unrolling& unrolling,
                                                  const MoveNumbers& numbers, std::size_t chance,
                                                  const SharedInformationOptions& options = {});

// The row of a table: integers in the proportions of the weights. After what cannot be, the first number is certain. Throws Error where they are too large.
[[nodiscard]] std::vector<std::string> integer_weights(
    const std::map<SharedInformation::History, SharedInformation::Weights>& table,
    const SharedInformation::History& known, std::size_t numbers);

}  // namespace zermelo::encode
