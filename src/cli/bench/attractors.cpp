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

// What a run found out: seconds, bytes for each state, and whether both ways to the attractors agree.
struct AttractorFigures {
    std::uint64_t edges = 0;
    unsigned threads = 0;
    double generated = 0;
    double scan = 0;
    double label_scan = 0;
    double both = 0;  // attractors at once
    double both_bytes = 0;
    std::uint64_t won[3] = {};       // by nobody, first, second
    std::uint64_t edges_inside = 0;  // that lead into an attractor
    double predecessors = 0;
    std::size_t predecessors_bytes = 0;  // of all states
    double each[2] = {};                 // attractor by itself
    double one_by_one_bytes = 0;
    bool same = true;

    [[nodiscard]] double one_by_one() const { return predecessors + each[0] + each[1]; }
};

class AttractorMeasurement {
public:
    explicit AttractorMeasurement(const BenchAttractors& options)
        : options_(options), workers_{options.threads, limits_, "during the benchmark"} {}

    AttractorFigures run() {
        const double generating = wall_seconds();
        graph_ = Generator(options_, workers_).run();
        figures_.generated = wall_seconds() - generating;
        figures_.edges = graph_.edges();
        figures_.threads = workers_.count();
        figures_.scan = scan(graph_, workers_, [](StateId t) { return t; });
        figures_.label_scan = scan(graph_, workers_, [&](StateId t) { return graph_.label[t]; });
        base_ = resident_bytes();
        measure_both();
        measure_one_by_one();
        return figures_;
    }

private:
    [[nodiscard]] double bytes_a_state() const {
        return static_cast<double>(peak_bytes() - std::min(base_, peak_bytes())) /
               static_cast<double>(options_.states);
    }

    void measure_both() {
        figures_.both = seconds_of([&] {
            regions_ = {};
            regions_ = game::regions(graph_, limits_, options_.threads);
        });
        figures_.both_bytes = bytes_a_state();
        for (StateId s = 0; s < options_.states; ++s) ++figures_.won[regions_.bits(s)];
        for (const StateId t : graph_.to) figures_.edges_inside += regions_.bits(t) != 0 ? 1 : 0;
    }

    void measure_one_by_one() {
        double before = wall_seconds();
        const game::Predecessors predecessors(graph_, options_.threads, limits_);
        figures_.predecessors = wall_seconds() - before;
        figures_.predecessors_bytes = predecessors.bytes();
        for (const Player player : {Player{0}, Player{1}}) {
            before = wall_seconds();
            const auto attractor = game::attractor(
                graph_, predecessors, player, {false, player == 0, player == 1}, limits_, options_.threads);
            figures_.each[player] = wall_seconds() - before;
            for (StateId s = 0; s < options_.states; ++s)
                figures_.same = figures_.same && attractor.rank[s] == regions_.rank_for(player, s);
        }
        figures_.one_by_one_bytes = bytes_a_state();
    }

    const BenchAttractors& options_;
    const Limits limits_;
    const game::Workers workers_;
    Graph graph_;
    game::Regions regions_;
    std::size_t base_ = 0;  // bytes before the attractors
    AttractorFigures figures_;
};

double share(std::uint64_t part, std::uint64_t all) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(all, 1));
}

nlohmann::json figures_json(const BenchAttractors& options, const AttractorFigures& found) {
    const std::uint64_t states = options.states;
    return {{"states", states},
            {"edges", found.edges},
            {"threads", found.threads},
            {"seed", options.seed},
            {"generation_seconds", found.generated},
            {"scan_seconds", found.scan},
            {"label_scan_seconds", found.label_scan},
            {"regions",
             {{"seconds", found.both},
              {"scans", found.both / found.scan},
              {"label_scans", found.both / found.label_scan},
              {"bytes_per_state", found.both_bytes}}},
            {"predecessors_and_attractors",
             {{"predecessors_seconds", found.predecessors},
              {"attractor_seconds", found.each},
              {"seconds", found.one_by_one()},
              {"scans", found.one_by_one() / found.scan},
              {"label_scans", found.one_by_one() / found.label_scan},
              {"predecessors_bytes_per_state", share(found.predecessors_bytes, states)},
              {"bytes_per_state", found.one_by_one_bytes}}},
            {"share_won_by_first", share(found.won[1], states)},
            {"share_won_by_second", share(found.won[2], states)},
            {"share_drawn", share(found.won[0], states)},
            {"share_of_edges_into_attractors", share(found.edges_inside, found.edges)},
            {"both_ways_agree", found.same},
            {"peak_bytes", peak_bytes()}};
}

void print_figures(const BenchAttractors& options, const AttractorFigures& found) {
    const std::uint64_t states = options.states;
    std::cout << fmt::format("{} states, {} edges, {} threads; generated in {:.2f} s\n", count_text(states),
                             count_text(found.edges), found.threads, found.generated)
              << fmt::format(
                     "won by the first player {:.1f} %, by the second {:.1f} %, drawn {:.1f} %; "
                     "{:.1f} % of the edges lead into an attractor\n\n",
                     100 * share(found.won[1], states), 100 * share(found.won[2], states),
                     100 * share(found.won[0], states), 100 * share(found.edges_inside, found.edges))
              << fmt::format("{:<44} {:>9} {:>8} {:>12} {:>13}\n", "", "seconds", "scans", "label scans",
                             "bytes/state");
    const auto row = [&](const char* name, double seconds, const std::string& bytes) {
        std::cout << fmt::format("{:<44} {:>9.3f} {:>8.1f} {:>12.2f} {:>13}\n", name, seconds,
                                 seconds / found.scan, seconds / found.label_scan, bytes);
    };
    row("scan of the edges", found.scan, "");
    row("scan with the label of every target", found.label_scan, "");
    row("both attractors at once", found.both, fmt::format("{:.1f}", found.both_bytes));
    row("predecessors", found.predecessors, fmt::format("{:.1f}", share(found.predecessors_bytes, states)));
    row("predecessors, then one attractor, the other", found.one_by_one(),
        fmt::format("{:.1f}", found.one_by_one_bytes));
    std::cout << fmt::format("both ways agree: {}; peak memory {:.2f} GB\n", found.same ? "yes" : "NO",
                             static_cast<double>(peak_bytes()) / 1e9);
}

}  // namespace

int BenchAttractors::run() const {
    const AttractorFigures found = AttractorMeasurement(*this).run();
    if (json) {
        print(figures_json(*this, found));
    } else {
        print_figures(*this, found);
    }
    return found.same ? answered : check_failed;
}

}  // namespace zermelo::cli
