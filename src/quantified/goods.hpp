// Goods and nogoods: positions that are known to be won or lost, under the key of what was left of the
// problem.
//
// A table of buckets that grows up to a given size. When a bucket is full, the entry that was cheapest to
// find makes room: what took long to solve is worth keeping.

#pragma once

#include <vector>

#include "core/hash.hpp"
#include "strategy/strategy.hpp"

namespace zermelo {

class Goods {
public:
    struct Entry {
        Hash128 key;
        NodeId node = decided;
        std::uint16_t effort = 0;  // 0: the place is empty
        bool won = false;
    };

    explicit Goods(std::size_t most_bytes);

    [[nodiscard]] const Entry* find(const Hash128& key) const;
    void store(const Hash128& key, bool won, NodeId node, std::uint64_t nodes_below);

    template <class Visit>
    void each(Visit visit) {  // visit(Entry&)
        for (Entry& entry : entries_) {
            if (entry.effort != 0) visit(entry);
        }
    }

private:
    static constexpr std::size_t bucket = 4;

    [[nodiscard]] std::size_t start(const Hash128& key) const { return (key.low & mask_) * bucket; }
    void put(const Entry& entry);
    void grow();

    std::vector<Entry> entries_;
    std::size_t mask_;
    std::size_t used_ = 0;
    std::size_t most_entries_;
};

}  // namespace zermelo
