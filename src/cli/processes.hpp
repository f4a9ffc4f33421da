// The processes of this run: one, or those that mpirun started. Only the first one speaks.

#pragma once

#include "cli/command.hpp"
#include "cluster/search/distributed_search.hpp"

namespace zermelo::cli {

// Connects when it is first called. Throws Error where there are several and MPI cannot be had.
[[nodiscard]] cluster::Comm& processes();

// Runs a command. Where there are several processes, it has to be one for several, the others' stdout is
// silenced, and a process that cannot go on ends all of them: the first one says why, or where only another
// has met the problem, that one.
int run_command(const Command& command);

// Throws Error about the file where there are several processes: `what` runs in one.
void require_one_process(const std::string& file, const std::string& what);

// Together: throws LimitReached where one of the processes has reached a limit.
void require_time_for_all(Stop mine, const std::string& during);

// What work on a subject that everybody has to have makes: nobody goes on where one has no time for it.
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
    require_time_for_all(stop, during);
    return *std::move(made);
}

// The processes of this run as partners of a search, with a file for what they have answered, if it is named.
// `line` shows what the first one has handed out.
[[nodiscard]] std::unique_ptr<cluster::ClusterSearch> allies_of_search(ProgressLine& line,
                                                                       const std::string& kept = "",
                                                                       double seconds_between_saves = 60);
// Together: what they have done, for --json.
[[nodiscard]] nlohmann::json to_json(cluster::ClusterSearch& partners);

}  // namespace zermelo::cli
