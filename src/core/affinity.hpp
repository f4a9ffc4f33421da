// Cores: which of them this thread may use, and how it keeps to some.

#pragma once

#include <span>
#include <vector>

namespace zermelo {

[[nodiscard]] std::vector<int> cores();

// This thread, and those that it starts from now on, stay there.
void pin_to(std::span<const int> some);

}  // namespace zermelo
