// The program under mpirun, and what becomes of it when one of its processes dies.

#pragma once

#include "cli/program.hpp"

namespace zermelo {

class Together : public Program {
protected:
    void SetUp() override {
        if (const std::string why = no_mpi(); !why.empty()) GTEST_SKIP() << why;
    }
    // Kills one of the processes after some seconds, if it takes so long; what mpirun says then.
    [[nodiscard]] static Ran with_a_death(const std::string& command, double seconds, int victim) {
        return with_a_death_after(
            command, "timeout " + std::to_string(seconds) + " tail -s 0.02 --pid=$all -f /dev/null", victim);
    }
    // When the command `wait` has ended.
    [[nodiscard]] static Ran with_a_death_after(const std::string& command, const std::string& wait,
                                                int victim) {
        const std::string number = std::to_string(victim);
        return run("( exec " + command + " ) & all=$!; " + wait +
                   "; set -- $(cat /proc/$all/task/$all/children 2>/dev/null); if [ $# -gt " + number +
                   " ]; then shift " + number + "; kill -KILL $1; fi; wait $all");
    }
    // Ends when the file has so many bytes, or with the command.
    [[nodiscard]] static std::string file_of(const std::string& file, int bytes) {
        return "until [ \"$(stat -c %s " + file + " 2>/dev/null || echo 0)\" -gt " + std::to_string(bytes) +
               " ] || ! kill -0 $all 2>/dev/null; do sleep 0.02; done";
    }
};

}  // namespace zermelo
