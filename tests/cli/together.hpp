// The program under mpirun, and what becomes of it when one of its processes dies.

#pragma once

#include "cli/program.hpp"

namespace zermelo {

class Together : public Program {
protected:
    void SetUp() override {
        if (const std::string why = no_mpi(); !why.empty()) GTEST_SKIP() << why;
    }
    // Kills one of the processes after some seconds; what mpirun says then.
    [[nodiscard]] static Ran with_a_death(const std::string& command, double seconds, int victim) {
        const std::string number = std::to_string(victim);
        return run("( exec " + command + " ) & all=$!; sleep " + std::to_string(seconds) +
                   "; set -- $(cat /proc/$all/task/$all/children 2>/dev/null); if [ $# -gt " + number +
                   " ]; then shift " + number + "; kill -KILL $1; fi; wait $all");
    }
};

}  // namespace zermelo
