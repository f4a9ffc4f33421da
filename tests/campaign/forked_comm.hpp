// Processes that speak through sockets: a communicator (cluster/comm/comm.hpp) without MPI, for campaigns.

#pragma once

#include <functional>

#include "cluster/comm/comm.hpp"

namespace zermelo::campaign {

// Calls work(comm) in `count` processes, of which this is the first, and waits for the others. Throws where one of them
// fails.
void in_processes(cluster::Rank count, const std::function<void(cluster::Comm&)>& work);

}  // namespace zermelo::campaign
