#include "core/affinity.hpp"

#include <pthread.h>
#include <sched.h>

namespace zermelo {

std::vector<int> cores() {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    std::vector<int> list;
    if (sched_getaffinity(0, sizeof(mine), &mine) != 0) return list;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &mine)) list.push_back(core);
    }
    return list;
}

void pin_to(std::span<const int> some) {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    for (const int core : some) CPU_SET(core, &mine);
    (void)pthread_setaffinity_np(pthread_self(), sizeof(mine), &mine);
}

}  // namespace zermelo
