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
