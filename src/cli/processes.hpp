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

// What every process has to make for itself: nobody goes on where one has no time for it.
template <class Make>
[[nodiscard]] auto made_by_all(const Make& make, const std::string& during) {
    std::optional<decltype(make())> made;
    auto stop = Stop::none;
    try {
        made.emplace(make());
    } catch (const LimitReached& limit) {
        if (processes().size() == 1) throw;
        stop = limit.stop();
    }
    cluster::agree(processes(), stop, during);
    return *std::move(made);
}

}  // namespace zermelo::cli
