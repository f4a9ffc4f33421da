// A game as a T-stage stochastic CSP (Koriche, Lagrue, Piette and Tabary 2015, section 2; 2016, section 3), as
// MiniZinc text that the stochastic engines read.
//
// The game is unrolled (unroll.hpp). A stage is a turn: a decision variable for each player that may have a
// choice, then the variable of chance, whose values are equally likely among the moves that are legal. The
// probabilities are a table over the earlier variables that this legality depends on. That a move is made only
// if it is legal is a hard constraint; what holds in a state is a function of the variables before it. The
// soft constraint gives each player its goal, from 0 to 1, in the state in which the play ends; a play that has
// not ended within the horizon is worth nothing. After the end, decisions have their least value, so that a
// play has no copies.
//
// A decision of the model knows all that came before. Where the players do not see some move, the variables of
// chance are what they see of it, and a last one what they do not (shared_information.hpp); they all have to see
// the same. No two players may have a choice in the same state.

#pragma once

#include <iosfwd>

#include "encode/unroll.hpp"

namespace zermelo::encode {

struct StagesOptions {
    std::size_t most_rows = 100'000;  // of the table of a chance variable; entries, where moves are hidden
    Limits limits = {};
};

// The role of chance (`random`), if there is one.
[[nodiscard]] std::optional<std::size_t> chance_of(const gdl::Game& game);

// The unrolling has to be made with UnrollOptions::several. Throws Error where players know different things
// or choose at the same time, or where a table would be too large; LimitReached.
void write_stages(std::ostream& out, const gdl::Game& game, const Unrolling& unrolling,
                  const StagesOptions& options = {});

}  // namespace zermelo::encode
