// The processes that run this test program.

#pragma once

#include "cluster/comm/comm.hpp"

namespace zermelo::cluster {

[[nodiscard]] Comm& processes();

}  // namespace zermelo::cluster
