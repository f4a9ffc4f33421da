// Tournaments: one tournament that all processes play.
//
// The first process holds it, as arena::run does: it has the plan, the record and the sequential tests, and
// plays, too. The matches that another process can play at once are further places for it: at each of them a
// thread sends the number of a match, waits for the result and puts it into the record. So who is quick plays
// more, a match is given to one process only, and one that is lost with its process is not in the record.
//
// Everybody makes the schedule from the plan, so a number says all about a match, the seed included: where
// players do not look at a clock, results do not depend on who plays which match.
//
// Only the thread that calls these functions speaks to other processes.

#pragma once

#include "arena/tournament.hpp"
#include "cluster/comm/comm.hpp"

namespace zermelo::cluster {

// The first process: as arena::run, and the same thing where it is alone.
[[nodiscard]] arena::TournamentResult run(Comm& comm, const arena::Plan& plan,
                                          const arena::TournamentOptions& options, arena::Record* record);

// The others, at the same time: play what the first one gives them, until it says that the tournament is
// over. One that reaches a limit ends the tournament for all.
void help(Comm& comm, const arena::TournamentOptions& options);

}  // namespace zermelo::cluster
