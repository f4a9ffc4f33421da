#include "cluster/comm/core_sharing.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "cluster/comm/packing.hpp"
#include "core/affinity.hpp"

namespace zermelo::cluster {

namespace {

std::string machine_name() {
    std::array<char, 256> name = {};
    (void)gethostname(name.data(), name.size() - 1);
    return name.data();
}

}  // namespace

std::vector<std::vector<int>> divide_cores(const std::vector<ProcessCores>& processes) {
    std::map<std::pair<std::string, int>, std::vector<std::size_t>> candidates;  // by machine and core
    for (std::size_t p = 0; p < processes.size(); ++p) {
        for (const int core : processes[p].cores) candidates[{processes[p].machine, core}].push_back(p);
    }
    std::vector<std::vector<int>> kept(processes.size());
    for (const auto& [place, who] : candidates) {
        const std::size_t poorest =
            *std::ranges::min_element(who, {}, [&](std::size_t p) { return kept[p].size(); });
        kept[poorest].push_back(place.second);
    }
    for (std::size_t p = 0; p < processes.size(); ++p) {
        const std::vector<int>& mine = processes[p].cores;
        if (kept[p].empty() && !mine.empty()) kept[p].push_back(mine[p % mine.size()]);
    }
    return kept;
}

void pin_to_own_cores(Comm& comm) {
    std::vector<ProcessCores> processes;
    for (const Bytes& bytes : comm.gather(packed({machine_name(), cores()}))) {
        const nlohmann::json entry = unpacked(bytes);
        processes.push_back({entry.at(0), entry.at(1)});
    }
    if (const auto mine = divide_cores(processes)[comm.rank()]; !mine.empty()) pin_to(mine);
}

}  // namespace zermelo::cluster
