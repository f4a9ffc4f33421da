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

// One run of nauty, which numbers the vertices anew: `order` holds them in the order of their new numbers.
struct Run {
    std::vector<Permutation> found;
    std::vector<int> order;
    bool complete = false;
};

Run run(const ColouredGraph& coloured, sparsegraph* canonical, const Limits& limits) {
    const std::size_t vertices = coloured.colour.size();
    Run result;
    result.order.resize(vertices);
    std::iota(result.order.begin(), result.order.end(), 0);
    std::stable_sort(result.order.begin(), result.order.end(),
                     [&](int a, int b) { return coloured.colour[a] < coloured.colour[b]; });
    std::vector<int> goes_on(vertices, 0);  // whether the next vertex has the same colour
    for (std::size_t i = 0; i + 1 < vertices; ++i) {
        goes_on[i] = coloured.colour[result.order[i]] == coloured.colour[result.order[i + 1]] ? 1 : 0;
    }
    std::vector<int> orbits(vertices);
    Adjacency adjacency(coloured);
    sparsegraph view = adjacency.view();
    DEFAULTOPTIONS_SPARSEGRAPH(options);
    options.defaultptn = FALSE;
    options.getcanon = canonical != nullptr ? TRUE : FALSE;
    options.userautomproc = take_automorphism;
    options.usernodeproc = take_node;
    statsblk stats;

    const std::lock_guard lock(one_at_a_time);
    Search mine{limits};
    search = &mine;
    nauty_kill_request = 0;
    sparsenauty(&view, result.order.data(), goes_on.data(), orbits.data(), &options, &stats, canonical);
    nauty_kill_request = 0;
    search = nullptr;
    result.complete = mine.work <= most_work && limits.reached() == Stop::none;
    result.found = std::move(mine.found);
    return result;
}

}  // namespace

std::vector<Permutation> generators(const ColouredGraph& coloured, const Limits& limits) {
    if (coloured.colour.empty()) return {};
    Run done = run(coloured, nullptr, limits);
    if (limits.reached() != Stop::none) return {};
    return std::move(done.found);
}

std::optional<CanonicalForm> canonical_form(const ColouredGraph& coloured, const Limits& limits) {
    Hasher hasher;
    hasher.add(coloured.colour.size());
    if (coloured.colour.empty()) return CanonicalForm{hasher.value(), {}};
    SG_DECL(canonical);
    const Run done = run(coloured, &canonical, limits);
    if (done.complete) {
        sortlists_sg(&canonical);
        for (std::size_t i = 0; i < done.order.size(); ++i) {
            hasher.add(coloured.colour[done.order[i]]);
            hasher.add(static_cast<std::uint64_t>(canonical.d[i]));
            for (int j = 0; j < canonical.d[i]; ++j)
                hasher.add(
                    static_cast<std::uint64_t>(canonical.e[canonical.v[i] + static_cast<std::size_t>(j)]));
        }
    }
    SG_FREE(canonical);
    if (!done.complete) return std::nullopt;
    return CanonicalForm{hasher.value(), {done.order.begin(), done.order.end()}};
}

std::optional<Hash128> canonical_key(const ColouredGraph& coloured, const Limits& limits) {
    const auto form = canonical_form(coloured, limits);
    return form ? std::optional(form->key) : std::nullopt;
}

}  // namespace zermelo::symmetry
