// Plan table: a hash table from the keys of the states that a walk has met to their numbers.
//
// Open addressing in two arrays, twenty bytes a place: a plan can have a hundred million states. A key's
// place is its low word scaled to the size of the table, so that the order of the keys is the order of the
// places, and growing is one pass through both tables.

#pragma once

#include "core/hash.hpp"
#include "game/explore/large.hpp"

namespace zermelo::game {

class PlanTable {
public:
    PlanTable() : keys_(smallest, free), numbers_(smallest) {}

    // The number of the key. A new key gets `number`, and then `fresh` is true.
    struct Met {
        std::uint32_t number;
        bool fresh;
    };
    Met insert(Hash128 key, std::uint32_t number) {
        if (full()) grow();
        const std::size_t at = place_of(taken(key), keys_);
        if (keys_[at] != free) return {numbers_[at], false};
        keys_[at] = taken(key);
        numbers_[at] = number;
        ++size_;
        return {number, true};
    }
    // Null, or the number of the key.
    [[nodiscard]] const std::uint32_t* find(Hash128 key) const {
        const std::size_t at = place_of(taken(key), keys_);
        return keys_[at] == free ? nullptr : &numbers_[at];
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool full() const {
        return 4 * (size_ + 1) > 3 * keys_.size();
    }  // the next insertion grows
    [[nodiscard]] std::size_t grown_bytes() const { return grown() * bytes_a_place; }

private:
    static constexpr std::size_t smallest = 64;
    static constexpr std::size_t bytes_a_place = sizeof(Hash128) + sizeof(std::uint32_t);
    static constexpr Hash128 free{};

    // The key that marks free places is itself stored as another one.
    static Hash128 taken(Hash128 key) { return key == free ? Hash128{0, 1} : key; }

    [[nodiscard]] static std::size_t place_of(Hash128 key, const LargeVector<Hash128>& keys) {
        __extension__ using Wide = unsigned __int128;
        auto at = static_cast<std::size_t>(static_cast<Wide>(key.low) * keys.size() >> 64);
        while (keys[at] != free && keys[at] != key) at = at + 1 == keys.size() ? 0 : at + 1;
        return at;
    }
    [[nodiscard]] std::size_t grown() const { return keys_.size() / 2 * 3; }

    void grow() {
        LargeVector<Hash128> keys(grown(), free);
        LargeVector<std::uint32_t> numbers(grown());
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            if (keys_[i] == free) continue;
            const std::size_t at = place_of(keys_[i], keys);
            keys[at] = keys_[i];
            numbers[at] = numbers_[i];
        }
        keys_ = std::move(keys);
        numbers_ = std::move(numbers);
    }

    LargeVector<Hash128> keys_;
    LargeVector<std::uint32_t> numbers_;
    std::size_t size_ = 0;
};

}  // namespace zermelo::game
