#include "game/graph/predecessors.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "game/parallel.hpp"

namespace zermelo::game {

namespace {

struct Edge {
    StateId source;
    StateId target;
};

std::uint8_t* put(std::uint8_t* at, std::uint32_t value) {
    for (; value >= 128; value >>= 7) *at++ = static_cast<std::uint8_t>(value | 128U);
    *at++ = static_cast<std::uint8_t>(value);
    return at;
}
constexpr std::size_t longest = 5;  // bytes for 32 bits

// Turns a difference, negative or not, into a number that is small when the difference is.
std::uint32_t zigzag(StateId source, StateId target) {
    const std::uint32_t difference = source - target;
    return (difference << 1) ^ (0 - (difference >> 31));
}

}  // namespace

class PredecessorsBuilder {
public:
    PredecessorsBuilder(const Graph& graph, const Workers& workers, std::span<const std::uint64_t> among,
                        Predecessors& result)
        : graph_(graph), workers_(workers), among_(among), result_(result), strips_(workers.count()) {}

    void run() {
        const std::size_t blocks = (graph_.states() + block_size - 1) / block_size;
        result_.begin_.resize(graph_.states());
        result_.blocks_.resize(blocks);
        cut_into_strips();
        count_.assign(strips_, std::vector<std::uint64_t>(blocks));
        parallel_for(workers_, strips_, 1, [&](unsigned, std::size_t strip, std::size_t) { count(strip); });
        for (std::size_t first = 0; first < blocks;) {
            const std::size_t last = batch_end(first);
            gather(first, last);
            first = last;
        }
    }

private:
    static constexpr std::size_t block_size = Predecessors::block_size;

    // Consecutive states with about the same number of edges: what one worker reads. Strips begin at
    // multiples of 64.
    void cut_into_strips() {
        for (std::size_t strip = 0; strip <= strips_; ++strip) {
            const std::uint64_t edge = graph_.edges() / strips_ * strip;
            const auto found = std::lower_bound(graph_.start.begin(), graph_.start.end(), edge);
            bounds_.push_back(strip == strips_
                                  ? graph_.states()
                                  : static_cast<std::size_t>(found - graph_.start.begin()) / 64 * 64);
        }
    }

    [[nodiscard]] bool wanted(StateId s) const { return (among_[s / 64] >> (s % 64) & 1) != 0; }

    template <class Visit>
    void edges(std::size_t strip, const Visit& visit) const {
        constexpr std::size_t words_between_questions = 1 << 10;
        for (std::size_t first = bounds_[strip]; first < bounds_[strip + 1]; first += 64) {
            if (strip == 0 && first / 64 % words_between_questions == 0) workers_.require_time();
            const std::size_t end = std::min(first + 64, bounds_[strip + 1]);
            if (among_.empty()) {
                for (std::size_t s = first; s < end; ++s) {
                    for (const StateId target : graph_.successors(static_cast<StateId>(s))) {
                        visit(static_cast<StateId>(s), target);
                    }
                }
            } else {
                for (std::uint64_t rest = among_[first / 64]; rest != 0; rest &= rest - 1) {
                    const std::size_t s = first + static_cast<unsigned>(std::countr_zero(rest));
                    if (s >= end) break;
                    for (const StateId target : graph_.successors(static_cast<StateId>(s))) {
                        if (wanted(target)) visit(static_cast<StateId>(s), target);
                    }
                }
            }
        }
    }

    void count(std::size_t strip) {
        std::vector<std::uint64_t>& count = count_[strip];
        edges(strip, [&](StateId, StateId target) { ++count[target / block_size]; });
    }

    [[nodiscard]] std::size_t states_of(std::size_t block) const {
        return std::min(block_size, graph_.states() - block * block_size);
    }

    [[nodiscard]] std::uint64_t edges_of(std::size_t block) const {
        std::uint64_t sum = 0;
        for (const auto& count : count_) sum += count[block];
        return sum;
    }

    // Blocks are gathered in batches, so that the unsorted edges need little memory beside the sorted ones.
    [[nodiscard]] std::size_t batch_end(std::size_t first) const {
        constexpr std::uint64_t small = 1 << 20;
        const std::uint64_t most = std::max(small, graph_.edges() / 4);
        std::uint64_t sum = 0;
        std::size_t last = first;
        while (last < count_[0].size() && (last == first || sum + edges_of(last) <= most))
            sum += edges_of(last++);
        return last;
    }

    void gather(std::size_t first, std::size_t last) {
        // Every strip writes its own part of every block, so that the sources of a block ascend.
        std::vector<std::vector<std::uint64_t>> place(strips_, std::vector<std::uint64_t>(last - first + 1));
        std::vector<std::uint64_t> block_begin;
        std::uint64_t sum = 0;
        for (std::size_t block = first; block < last; ++block) {
            block_begin.push_back(sum);
            for (std::size_t strip = 0; strip < strips_; ++strip) {
                place[strip][block - first] = sum;
                sum += count_[strip][block];
            }
        }
        block_begin.push_back(sum);
        for (std::size_t strip = 0; strip < strips_; ++strip) place[strip].back() = sum + strip;
        LargeVector<Edge> all(sum + strips_);
        parallel_for(workers_, strips_, 1, [&](unsigned, std::size_t strip, std::size_t) {
            auto& next = place[strip];
            edges(strip, [&](StateId source, StateId target) {
                // Edges of other batches go to a place of no use, because a guess whether to write would
                // often be wrong.
                const std::size_t block = std::min(target / block_size - first, last - first);
                all[next[block]] = {source, target};
                next[block] += block < last - first ? 1 : 0;
            });
        });
        parallel_for(workers_, last - first, 1, [&](unsigned, std::size_t block, std::size_t) {
            sort(first + block,
                 std::span(all).subspan(block_begin[block], block_begin[block + 1] - block_begin[block]));
        });
    }

    // Counting sort by target; stable, so that sources still ascend.
    void sort(std::size_t block, std::span<const Edge> all) {
        std::vector<std::uint64_t> end(states_of(block) + 1);
        for (const Edge& edge : all) ++end[edge.target % block_size + 1];
        for (std::size_t i = 1; i < end.size(); ++i) end[i] += end[i - 1];
        LargeVector<StateId> sources(all.size());
        for (const Edge& edge : all) sources[end[edge.target % block_size]++] = edge.source;
        write(block, end, sources);
    }

    void write(std::size_t block, const std::vector<std::uint64_t>& end,
               const LargeVector<StateId>& sources) {
        LargeVector<std::uint8_t> text(sources.size() * longest);
        std::uint8_t* at = text.data();
        const std::size_t base = block * block_size;
        std::size_t i = 0;
        for (std::size_t low = 0; low < states_of(block); ++low) {
            const auto target = static_cast<StateId>(base + low);
            result_.begin_[target] = static_cast<std::uint32_t>(at - text.data());
            if (i == end[low]) continue;
            at = put(at, zigzag(sources[i], target));
            while (++i < end[low]) at = put(at, sources[i] - sources[i - 1]);
        }
        const auto size = static_cast<std::size_t>(at - text.data());
        if (size > std::numeric_limits<std::uint32_t>::max()) {
            throw Error("too many moves lead to one state",
                        "give a graph in which fewer than 800 million do");
        }
        Predecessors::Block& stored = result_.blocks_[block];
        stored.size = static_cast<std::uint32_t>(size);
        stored.bytes = std::make_unique_for_overwrite<std::uint8_t[]>(size);
        std::copy_n(text.data(), size, stored.bytes.get());
    }

    const Graph& graph_;
    const Workers& workers_;
    std::span<const std::uint64_t> among_;
    Predecessors& result_;
    std::size_t strips_;
    std::vector<std::size_t> bounds_;                // of the strips
    std::vector<std::vector<std::uint64_t>> count_;  // edges, by strip and block of the target
};

Predecessors::Predecessors(const Graph& graph, unsigned threads, const Limits& limits,
                           std::span<const std::uint64_t> among) {
    const Workers workers{threads, limits, "while reversing the edges"};
    PredecessorsBuilder(graph, workers, among, *this).run();
}

std::size_t Predecessors::bytes() const {
    std::size_t sum = begin_.size() * sizeof(std::uint32_t) + blocks_.size() * sizeof(Block);
    for (const Block& block : blocks_) sum += block.size;
    return sum;
}

}  // namespace zermelo::game
