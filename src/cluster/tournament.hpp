// Distributed tournament: one tournament whose matches all processes play (master and workers).
//
// The first process runs it, as arena::run does: it has the plan, the record and the sequential tests, and
// plays, too. The matches that another process can play at once are remote runners for it: in each of them a
// thread sends the number of a match, waits for the result and puts it into the record. So a faster process
// plays more, a match is given to one process only, and one that is lost with its process is not in the
// record.
//
// All processes make the schedule from the plan, so a number determines a match, the seed included: where
// players do not look at a clock, results do not depend on which process plays which match.
//
// Only the thread that calls these functions communicates with other processes.

#pragma once

#include "arena/tournament.hpp"
#include "cluster/comm/comm.hpp"

namespace zermelo::cluster {

// The first process: as arena::run, and the same thing where it is alone.
[[nodiscard]] arena::TournamentResult run(Comm& comm, const arena::Plan& plan,
                                          const arena::TournamentOptions& options, arena::Record* record);

// The others, at the same time: play the matches that the first one assigns, until the tournament is over.
// One that reaches a limit ends the tournament for all.
void help(Comm& comm, const arena::TournamentOptions& options);

}  // namespace zermelo::cluster
