#include "cli/processes.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include <CLI/CLI.hpp>

namespace zermelo::cli {

cluster::Comm& processes() {
    static const std::unique_ptr<cluster::Comm> comm = cluster::connect();
    return *comm;
}

void require_one_process(const std::string& file, const std::string& what) {
    if (processes().size() == 1) return;
    throw Error({file}, what + " runs in one process", "start it without mpirun");
}

std::unique_ptr<cluster::ClusterSearch> allies_of_search(ProgressLine& line, const std::string& kept,
                                                         double seconds_between_saves) {
    cluster::Comm& comm = processes();
    cluster::ClusterSearchOptions options;
    options.checkpoint = kept;
    options.seconds_between_saves = seconds_between_saves;
    if (comm.first()) {
        options.progress = [&line](std::uint64_t jobs, std::size_t positions) {
            line.show(fmt::format("{} jobs, {} positions in the tree of them", count_text(jobs),
                                  count_text(positions)));
        };
    }
    return std::make_unique<cluster::ClusterSearch>(comm, std::move(options));
}

void require_time_for_all(Stop mine, const std::string& during) {
    const auto stop = static_cast<Stop>(cluster::greatest(processes(), static_cast<std::uint64_t>(mine)));
    if (stop != Stop::none) throw LimitReached(stop, during, "allow more");
}

nlohmann::json to_json(cluster::ClusterSearch& partners) {
    const cluster::ClusterSearchStatistics s = partners.statistics();
    return {{"processes", processes().size()},
            {"jobs", s.jobs},
            {"splits", s.splits},
            {"called_off", s.cancelled},
            {"called_back", s.recalled},
            {"continued_jobs", s.continued},
            {"news_bytes", s.news_bytes},
            {"idle_seconds", s.idle_seconds}};
}

int run_command(const Command& command) {
    if (cluster::processes_in_environment() == 1) return command.run();
    cluster::Comm& comm = processes();
    if (!comm.first() && std::freopen("/dev/null", "w", stdout) == nullptr) return bad_input;
    bool failed = false;
    const int code = guarded([&] {
        try {
            if (!command.together) {
                throw Error(fmt::format("{} runs in one process", command.app->get_name()),
                            "start it without mpirun");
            }
            return command.run();
        } catch (const std::exception&) {
            failed = true;
            // What everybody meets, the first one tells, and its end is everybody's.
            if (!comm.first()) {
                std::this_thread::sleep_for(std::chrono::seconds(2));
                std::cerr << fmt::format("process {} of {}: ", comm.rank(), comm.size());
            }
            throw;
        }
    });
    if (failed) comm.abort(code);
    return code;
}

}  // namespace zermelo::cli
