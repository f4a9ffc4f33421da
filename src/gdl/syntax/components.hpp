// Strongly connected components (Tarjan 1972) of a small directed graph. Without recursion, because
// descriptions may chain as many relations as they have lines.

#pragma once

#include <cstdint>
#include <vector>

namespace zermelo::gdl {

struct Components {
    std::vector<std::uint32_t> of;                    // by node
    std::vector<std::vector<std::uint32_t>> members;  // a component's successors have smaller numbers
};

[[nodiscard]] Components components(const std::vector<std::vector<std::uint32_t>>& successors);

}  // namespace zermelo::gdl
