#include "gdl/syntax/components.hpp"

#include <algorithm>

namespace zermelo::gdl {

Components components(const std::vector<std::vector<std::uint32_t>>& successors) {
    constexpr std::uint32_t unseen = ~std::uint32_t{0};
    struct Visit {
        std::uint32_t node;
        std::size_t next;
    };
    const std::size_t size = successors.size();
    Components result{std::vector<std::uint32_t>(size, unseen), {}};
    std::vector<std::uint32_t> number(size, unseen);
    std::vector<std::uint32_t> low(size, 0);
    std::vector<std::uint32_t> stack;
    std::vector<Visit> path;
    std::uint32_t counter = 0;

    for (std::uint32_t root = 0; root < size; ++root) {
        if (number[root] != unseen) continue;
        path.push_back({root, 0});
        while (!path.empty()) {
            auto& [node, next] = path.back();
            if (next == 0) {
                number[node] = low[node] = counter++;
                stack.push_back(node);
            }
            if (next < successors[node].size()) {
                const std::uint32_t child = successors[node][next++];
                if (number[child] == unseen) {
                    path.push_back({child, 0});
                } else if (result.of[child] == unseen) {
                    low[node] = std::min(low[node], number[child]);
                }
                continue;
            }
            if (low[node] == number[node]) {
                auto& members = result.members.emplace_back();
                std::uint32_t member = unseen;
                do {
                    member = stack.back();
                    stack.pop_back();
                    result.of[member] = static_cast<std::uint32_t>(result.members.size() - 1);
                    members.push_back(member);
                } while (member != node);
            }
            const std::uint32_t done = node;
            path.pop_back();
            if (!path.empty()) low[path.back().node] = std::min(low[path.back().node], low[done]);
        }
    }
    return result;
}

}  // namespace zermelo::gdl
