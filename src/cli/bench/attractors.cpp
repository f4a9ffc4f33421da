// zermelo bench attractors: how long do the attractors of a large random graph take, and how much memory?
//
// The unit is one scan of the graph's list of edges in the same run with the same number of threads: nothing
// that looks at every edge can be quicker. A second unit also reads the label of every target, which no cache
// holds: nothing that looks at the other end of every edge, in their order, can be quicker.

#include <fmt/format.h>

#include <iostream>

#include "cli/bench/bench.hpp"
#include "core/random.hpp"
#include "game/graph/regions.hpp"
#include "game/parallel.hpp"

namespace zermelo::cli {

namespace {

using game::Graph;
using game::Player;
using game::StateId;

// Five in a hundred states are terminal: enough that the attractors are large, and take many rounds.
constexpr std::uint64_t terminal_percent = 5;
constexpr std::size_t piece = 1 << 16;

double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The best of three runs, because the machine is never quite still.
template <class Work>
double seconds_of(const Work& work) {
    double best = 1e300;
    for (int run = 0; run < 3; ++run) {
        const double before = wall_seconds();
        work();
        best = std::min(best, wall_seconds() - before);
    }
    return best;
}

class Generator {
public:
    Generator(const BenchAttractors& options, const game::Workers& workers)
        : options_(options), workers_(workers) {}

    // The same for a seed whatever the number of threads: every piece of states has random numbers of its
    // own.
    Graph run() {
        graph_.players = {"first", "second"};
        graph_.outcomes = {{50, 50}, {100, 0}, {0, 100}};
        graph_.label.resize(options_.states);
        graph_.start.resize(options_.states + 1);
        parallel_for(workers_, options_.states, piece,
                     [&](unsigned, std::size_t begin, std::size_t end) { label(begin, end); });
        for (std::size_t s = 0; s < options_.states; ++s) graph_.start[s + 1] += graph_.start[s];
        graph_.to.resize(graph_.start.back());
        parallel_for(workers_, options_.states, piece,
                     [&](unsigned, std::size_t begin, std::size_t end) { connect(begin, end); });
        return std::move(graph_);
    }

private:
    [[nodiscard]] Random random_for(std::size_t begin, std::uint64_t use) const {
        return Random(Random(options_.seed + 2 * begin + use).next());
    }

    // Labels, and in `start` the number of moves of each state.
    void label(std::size_t begin, std::size_t end) {
        Random random = random_for(begin, 0);
        for (std::size_t s = begin; s < end; ++s) {
            const bool terminal = random.below(100) < terminal_percent;
            graph_.label[s] =
                static_cast<Graph::Label>(terminal ? Graph::ended + random.below(3) : random.below(2));
            graph_.start[s + 1] = terminal ? 0 : 1 + random.below(2 * options_.edges_per_state - 1);
        }
    }

    void connect(std::size_t begin, std::size_t end) {
        Random random = random_for(begin, 1);
        for (std::uint64_t move = graph_.start[begin]; move < graph_.start[end]; ++move) {
            graph_.to[move] = static_cast<StateId>(random.below(options_.states));
        }
    }

    const BenchAttractors& options_;
    const game::Workers& workers_;
    Graph graph_;
};

// What is summed up has to be used, or the compiler would leave out the work.
volatile std::uint64_t sink;

template <class Value>
double scan(const Graph& graph, const game::Workers& workers, const Value& value) {
    return seconds_of([&] {
        std::atomic<std::uint64_t> sum{0};
        parallel_for(workers, graph.edges(), 1 << 20, [&](unsigned, std::size_t begin, std::size_t end) {
            std::uint64_t part = 0;
            for (std::size_t move = begin; move < end; ++move) part += value(graph.to[move]);
            sum += part;
        });
        sink = sum;
    });
}

}  // namespace

int BenchAttractors::run() const {
    const Limits limits;
    const game::Workers workers{threads, limits, "during the benchmark"};
    const double generating = wall_seconds();
    const Graph graph = Generator(*this, workers).run();
    const double generated = wall_seconds() - generating;
    const double plain = scan(graph, workers, [](StateId t) { return t; });
    const double labels = scan(graph, workers, [&](StateId t) { return graph.label[t]; });
    const auto bytes_a_state = [&, base = resident_bytes()] {
        return static_cast<double>(peak_bytes() - std::min(base, peak_bytes())) / static_cast<double>(states);
    };

    game::Regions regions;
    const double both = seconds_of([&] {
        regions = {};
        regions = game::regions(graph, limits, threads);
    });
    const double both_bytes = bytes_a_state();
    std::uint64_t won[3] = {};  // by nobody, first, second
    for (StateId s = 0; s < states; ++s) ++won[regions.bits(s)];
    std::uint64_t edges_inside = 0;
    for (const StateId t : graph.to) edges_inside += regions.bits(t) != 0 ? 1 : 0;

    double before = wall_seconds();
    const game::Predecessors predecessors(graph, threads, limits);
    const double turning = wall_seconds() - before;
    double each[2] = {};
    bool same = true;
    for (const Player player : {Player{0}, Player{1}}) {
        before = wall_seconds();
        const auto attractor =
            game::attractor(graph, predecessors, player, {false, player == 0, player == 1}, limits, threads);
        each[player] = wall_seconds() - before;
        for (StateId s = 0; s < states; ++s) same = same && attractor.rank[s] == regions.rank_for(player, s);
    }
    const double one_by_one = turning + each[0] + each[1];
    const double one_by_one_bytes = bytes_a_state();
    const auto share = [&](std::uint64_t part, std::uint64_t all) {
        return static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(all, 1));
    };

    if (json) {
        print({{"states", states},
               {"edges", graph.edges()},
               {"threads", workers.count()},
               {"seed", seed},
               {"generation_seconds", generated},
               {"scan_seconds", plain},
               {"label_scan_seconds", labels},
               {"regions",
                {{"seconds", both},
                 {"scans", both / plain},
                 {"label_scans", both / labels},
                 {"bytes_per_state", both_bytes}}},
               {"predecessors_and_attractors",
                {{"predecessors_seconds", turning},
                 {"attractor_seconds", each},
                 {"seconds", one_by_one},
                 {"scans", one_by_one / plain},
                 {"label_scans", one_by_one / labels},
                 {"predecessors_bytes_per_state", share(predecessors.bytes(), states)},
                 {"bytes_per_state", one_by_one_bytes}}},
               {"share_won_by_first", share(won[1], states)},
               {"share_won_by_second", share(won[2], states)},
               {"share_drawn", share(won[0], states)},
               {"share_of_edges_into_attractors", share(edges_inside, graph.edges())},
               {"both_ways_agree", same},
               {"peak_bytes", peak_bytes()}});
        return same ? answered : check_failed;
    }
    std::cout << fmt::format("{} states, {} edges, {} threads; generated in {:.2f} s\n", count_text(states),
                             count_text(graph.edges()), workers.count(), generated)
              << fmt::format(
                     "won by the first player {:.1f} %, by the second {:.1f} %, drawn {:.1f} %; "
                     "{:.1f} % of the edges lead into an attractor\n\n",
                     100 * share(won[1], states), 100 * share(won[2], states), 100 * share(won[0], states),
                     100 * share(edges_inside, graph.edges()))
              << fmt::format("{:<44} {:>9} {:>8} {:>12} {:>13}\n", "", "seconds", "scans", "label scans",
                             "bytes/state");
    const auto row = [&](const char* name, double seconds, const std::string& bytes) {
        std::cout << fmt::format("{:<44} {:>9.3f} {:>8.1f} {:>12.2f} {:>13}\n", name, seconds,
                                 seconds / plain, seconds / labels, bytes);
    };
    row("scan of the edges", plain, "");
    row("scan with the label of every target", labels, "");
    row("both attractors at once", both, fmt::format("{:.1f}", both_bytes));
    row("predecessors", turning, fmt::format("{:.1f}", share(predecessors.bytes(), states)));
    row("predecessors, then one attractor, the other", one_by_one, fmt::format("{:.1f}", one_by_one_bytes));
    std::cout << fmt::format("both ways agree: {}; peak memory {:.2f} GB\n", same ? "yes" : "NO",
                             static_cast<double>(peak_bytes()) / 1e9);
    return same ? answered : check_failed;
}

}  // namespace zermelo::cli
