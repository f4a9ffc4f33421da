// Predecessors: reverse adjacency lists, compressed by gaps in variable-length bytes (as in WebGraph, Boldi
// and Vigna 2004).
//
// The predecessors of a state are a list in ascending order, kept as differences in as few bytes as they
// need (seven bits a byte); the first is the difference to the state itself. The lists of 65,536 consecutive
// states are one block, so that four bytes say where a list begins. A state with two moves to the same
// target is listed twice.
//
// Built by sorting the edges into blocks and then each block on its own, which is small enough for the cache
// of a core; writing every edge straight to its place would miss the cache every time.

#pragma once

#include <span>

#include "core/limits.hpp"
#include "game/graph/graph.hpp"
#include "game/large.hpp"

namespace zermelo::game {

class Predecessors {
public:
    // With `among` (a bit a state), only the edges between two states of it. `threads`: 0 for one a core.
    explicit Predecessors(const Graph& graph, unsigned threads = 0, const Limits& limits = {},
                          std::span<const std::uint64_t> among = {});

    // visit(source) for every move that leads to `target`.
    template <class Visit>
    void for_each(StateId target, const Visit& visit) const {
        const Block& block = blocks_[target / block_size];
        const std::uint8_t* at = block.bytes.get() + begin_[target];
        const bool last = target % block_size == block_size - 1 || target + std::size_t{1} == begin_.size();
        const std::uint8_t* end = block.bytes.get() + (last ? block.size : begin_[target + 1]);
        if (at == end) return;
        const std::uint32_t first = number(at);
        StateId source = target + ((first >> 1) ^ (0 - (first & 1)));
        visit(source);
        while (at != end) visit(source += number(at));
    }

    // Prefetch what for_each will need: first the place of the list, later the list.
    void fetch_place(StateId target) const { __builtin_prefetch(&begin_[target]); }
    void fetch_list(StateId target) const {
        __builtin_prefetch(blocks_[target / block_size].bytes.get() + begin_[target]);
    }

    [[nodiscard]] std::size_t bytes() const;

private:
    static constexpr std::size_t block_size = 1 << 16;
    struct Block {
        std::unique_ptr<std::uint8_t[]> bytes;
        std::uint32_t size = 0;
    };

    static std::uint32_t number(const std::uint8_t*& at) {
        std::uint32_t value = *at & 127U;
        for (unsigned shift = 7; (*at++ & 128U) != 0; shift += 7) value |= (*at & 127U) << shift;
        return value;
    }

    friend class PredecessorsBuilder;
    LargeVector<std::uint32_t> begin_;  // by state: where its list begins in its block
    std::vector<Block> blocks_;
};

}  // namespace zermelo::game
