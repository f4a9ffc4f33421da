// Plan table: a hash table from the keys of the states that a walk has met to their numbers.
//
// Open addressing in two arrays, twenty bytes a place: a plan can have a hundred million states. A key's
// place is its low word scaled to the size of the table, so that the order of the keys is the order of the
// places, and growing is one pass through both tables.

#pragma once

#include "core/hash.hpp"
#include "game/large.hpp"

namespace zermelo::game {

class PlanTable {
public:
    PlanTable();

    // The number of the key. A new key gets `number`, and then `fresh` is true.
    struct Met {
        std::uint32_t number;
        bool fresh;
    };
    Met insert(Hash128 key, std::uint32_t number);
    // Nothing, or the number of the key.
    [[nodiscard]] const std::uint32_t* find(Hash128 key) const;

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool full() const {
        return 4 * (size_ + 1) > 3 * keys_.size();
    }  // the next insertion grows
    [[nodiscard]] std::size_t grown_bytes() const { return grown() * bytes_a_place; }

private:
    static constexpr std::size_t bytes_a_place = sizeof(Hash128) + sizeof(std::uint32_t);

    [[nodiscard]] std::size_t grown() const { return keys_.size() / 2 * 3; }
    void grow();

    LargeVector<Hash128> keys_;
    LargeVector<std::uint32_t> numbers_;
    std::size_t size_ = 0;
};

}  // namespace zermelo::game
