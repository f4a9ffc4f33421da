// CPU affinity: processes of one machine that may all use the same cores divide them among themselves.

#pragma once

#include <string>

#include "cluster/comm/comm.hpp"

namespace zermelo::cluster {

struct ProcessCores {
    std::string machine;
    std::vector<int> cores;  // that the process may use
};

// By process, its cores. A core goes to the process of its machine that has the fewest so far; only a process
// for which none is left shares one.
[[nodiscard]] std::vector<std::vector<int>> divide_cores(const std::vector<ProcessCores>& processes);

// Collective: from now on this thread, and those that it starts, keep to this process's cores.
void pin_to_own_cores(Comm& comm);

}  // namespace zermelo::cluster
