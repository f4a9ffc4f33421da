#include "symmetry/coloured_graph.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>

extern "C" {
#include <nausparse.h>
}

namespace zermelo::symmetry {

namespace {

constexpr std::uint64_t most_work = 2'000'000'000;  // nodes of nauty's search tree times vertices

// nauty's hooks take no data of ours, and its request to stop is a global variable: one search at a time.
struct Search {
    const Limits& limits;
    std::vector<Permutation> found = {};
    std::uint64_t work = 0;
};
std::mutex one_at_a_time;
Search* search = nullptr;

void take_automorphism(int, int* image, int*, int, int, int vertices) {
    search->found.emplace_back(image, image + vertices);
}

void take_node(::graph*, int*, int*, int, int, int, int, int, int vertices) {
    search->work += static_cast<std::uint64_t>(vertices);
    if (search->work > most_work || search->limits.reached() != Stop::none) nauty_kill_request = 1;
}

// The edges as nauty wants them: all neighbours of a vertex side by side.
class Adjacency {
public:
    explicit Adjacency(const ColouredGraph& coloured)
        : start_(coloured.colour.size()), degree_(coloured.colour.size(), 0), to_(2 * coloured.edges.size()) {
        for (const auto& [a, b] : coloured.edges) {
            ++degree_[a];
            ++degree_[b];
        }
        std::exclusive_scan(degree_.begin(), degree_.end(), start_.begin(), std::size_t{0});
        std::vector<std::size_t> fill = start_;
        for (const auto& [a, b] : coloured.edges) {
            to_[fill[a]++] = static_cast<int>(b);
            to_[fill[b]++] = static_cast<int>(a);
        }
    }

    [[nodiscard]] sparsegraph view() {
        SG_DECL(result);
        result.nv = static_cast<int>(start_.size());
        result.nde = to_.size();
        result.v = start_.data();
        result.d = degree_.data();
        result.e = to_.data();
        result.vlen = start_.size();
        result.dlen = degree_.size();
        result.elen = to_.size();
        return result;
    }

private:
    std::vector<std::size_t> start_;
    std::vector<int> degree_;
    std::vector<int> to_;
};

}  // namespace

std::vector<Permutation> generators(const ColouredGraph& coloured, const Limits& limits) {
    const std::size_t vertices = coloured.colour.size();
    if (vertices == 0) return {};
    std::vector<int> order(vertices);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return coloured.colour[a] < coloured.colour[b]; });
    std::vector<int> goes_on(vertices, 0);  // whether the next vertex has the same colour
    for (std::size_t i = 0; i + 1 < vertices; ++i) {
        goes_on[i] = coloured.colour[order[i]] == coloured.colour[order[i + 1]] ? 1 : 0;
    }
    std::vector<int> orbits(vertices);
    Adjacency adjacency(coloured);
    sparsegraph view = adjacency.view();
    DEFAULTOPTIONS_SPARSEGRAPH(options);
    options.defaultptn = FALSE;
    options.userautomproc = take_automorphism;
    options.usernodeproc = take_node;
    statsblk stats;

    const std::lock_guard lock(one_at_a_time);
    Search mine{limits};
    search = &mine;
    nauty_kill_request = 0;
    sparsenauty(&view, order.data(), goes_on.data(), orbits.data(), &options, &stats, nullptr);
    nauty_kill_request = 0;
    search = nullptr;
    if (limits.reached() != Stop::none) return {};
    return std::move(mine.found);
}

}  // namespace zermelo::symmetry
