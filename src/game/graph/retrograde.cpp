#include "game/graph/retrograde.hpp"

#include "game/parallel.hpp"

namespace zermelo::game {

namespace {

// A state, its list and the needs of its sources lie anywhere in memory. Asking for those of many states
// before the first is needed keeps the memory busy instead of the processor waiting.
constexpr std::size_t group = 64;

}  // namespace

void Retrograde::run(std::vector<StateId> frontier, Rank round, LargeVector<std::uint32_t>& needs,
                     LargeVector<Rank>& rank) const {
    constexpr std::size_t piece = 1 << 12;
    const Workers workers{threads, limits, "while computing an attractor"};
    PerWorker<StateId> next(workers);
    PerWorker<StateId> sources(workers);
    while (!frontier.empty()) {
        ++round;
        const auto visit = [&](unsigned worker, StateId source) {
            // Several workers may meet at a source; it joins for the one who takes the last of its needs.
            // Others may go on to below zero meanwhile, which wraps around and does no harm.
            const std::atomic_ref<std::uint32_t> left(needs[source]);
            if (left.load(std::memory_order_relaxed) == 0) return;
            if (left.fetch_sub(1, std::memory_order_relaxed) != 1) return;
            rank[source] = round;
            next[worker].push_back(source);
        };
        parallel_for(workers, frontier.size(), piece,
                     [&](unsigned worker, std::size_t begin, std::size_t end) {
                         std::vector<StateId>& found = sources[worker];
                         for (std::size_t first = begin; first < end; first += group) {
                             const std::span states(frontier.data() + first, std::min(group, end - first));
                             for (const StateId s : states) predecessors.fetch_place(s);
                             for (const StateId s : states) predecessors.fetch_list(s);
                             for (const StateId s : states) {
                                 predecessors.for_each(s, [&](StateId source) {
                                     __builtin_prefetch(&needs[source], 1);
                                     found.push_back(source);
                                 });
                             }
                             for (const StateId source : found) visit(worker, source);
                             found.clear();
                         }
                     });
        frontier = next.take();
    }
}

}  // namespace zermelo::game
