// The processes of this run: one, or those that mpirun started. Only the first one speaks.

#pragma once

#include "cli/command.hpp"
#include "cluster/solve.hpp"

namespace zermelo::cli {

// Connects when it is first called. Throws Error where there are several and MPI cannot be had.
[[nodiscard]] cluster::Comm& processes();

// Runs a command. Where there are several processes, it has to be one for several, the others' stdout is
// silenced, and a process that cannot go on ends all of them: the first one says why, or where only another
// has met the problem, that one.
int run_command(const Command& command);

// Throws Error about the file where there are several processes: `what` runs in one.
void require_one_process(const std::string& file, const std::string& what);

}  // namespace zermelo::cli
