// CPU affinity: the cores that this thread may run on, and how to pin it to some of them.

#pragma once

#include <span>
#include <vector>

namespace zermelo {

[[nodiscard]] std::vector<int> cores();

// Restricts this thread, and those that it starts from now on, to these cores.
void pin_to(std::span<const int> some);

}  // namespace zermelo
