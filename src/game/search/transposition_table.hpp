// Transposition table (Greenblatt, Eastlake and Crocker 1967) in a bounded amount of memory, for one thread.
//
// It starts small and doubles while it fills, until it has reached its budget.
//
// Positions are identified by their whole 128-bit keys, so no two are ever taken for each other. A key has
// one bucket of four places. Replacement: a position replaces what is known about itself; otherwise it takes
// a free place, then the least worth of what earlier searches left, then the least worth of all; `worth` is
// the entry's own measure of the work that would be lost with it.

#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/hash.hpp"

namespace zermelo::game {

template <class E>
concept TableEntry = std::default_initializable<E> && std::copyable<E> && requires(const E entry) {
    { entry.worth() } -> std::convertible_to<std::uint64_t>;
};

template <TableEntry Entry>
class TranspositionTable {
public:
    // At least one bucket, whatever the bytes.
    explicit TranspositionTable(std::size_t bytes)
        : most_(std::max<std::size_t>(1, bytes / sizeof(Bucket))), buckets_(std::min(most_, first_buckets)) {}

    // Null, or the entry; valid until the next `store`.
    [[nodiscard]] const Entry* find(Hash128 key) const {
        for (const Place& place : bucket(key)) {
            if (place.age != 0 && place.key == key) return &place.entry;
        }
        return nullptr;
    }

    void store(Hash128 key, const Entry& entry) {
        if (wants_to_grow()) grow();
        put({key, entry, age_});
    }

    // What it is about to need beside what it has; 0 where it is not about to grow.
    [[nodiscard]] std::size_t bytes_to_grow() const { return wants_to_grow() ? 2 * bytes() : 0; }
    // From now on it does not grow beyond these bytes.
    void limit(std::size_t bytes) { most_now_ = std::max<std::size_t>(1, bytes / sizeof(Bucket)); }
    // From now on, present entries count as left by an earlier search.
    void new_search() { ++age_; }

    [[nodiscard]] std::size_t bytes() const { return buckets_.size() * sizeof(Bucket); }

private:
    struct Place {
        Hash128 key;
        Entry entry;
        std::uint32_t age = 0;  // the search that stored it; 0: free
    };
    using Bucket = std::array<Place, 4>;

    static constexpr std::size_t first_buckets = 1 << 10;

    [[nodiscard]] bool wants_to_grow() const {
        return used_ > buckets_.size() * 3 && 2 * buckets_.size() <= std::min(most_, most_now_);
    }
    void put(const Place& what) {
        Bucket& places = bucket(what.key);
        Place* chosen = places.data();
        for (Place& place : places) {
            if (place.age != 0 && place.key == what.key) {
                chosen = &place;
                break;
            }
            if (rank(place) < rank(*chosen)) chosen = &place;
        }
        if (chosen->age == 0) ++used_;
        *chosen = what;
    }
    void grow() {
        const std::vector<Bucket> old =
            std::exchange(buckets_, std::vector<Bucket>(std::min(most_, 2 * buckets_.size())));
        used_ = 0;
        for (const Bucket& places : old) {
            for (const Place& place : places) {
                if (place.age != 0) put(place);
            }
        }
    }
    [[nodiscard]] std::pair<int, std::uint64_t> rank(const Place& place) const {
        if (place.age == 0) return {0, 0};
        return {place.age == age_ ? 2 : 1, place.entry.worth()};
    }
    [[nodiscard]] std::size_t index(Hash128 key) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>(static_cast<Wide>(key.low) * buckets_.size() >> 64);
    }
    [[nodiscard]] const Bucket& bucket(Hash128 key) const { return buckets_[index(key)]; }
    [[nodiscard]] Bucket& bucket(Hash128 key) { return buckets_[index(key)]; }

    std::size_t most_;
    std::size_t most_now_ = ~std::size_t{0};
    std::vector<Bucket> buckets_;
    std::size_t used_ = 0;
    std::uint32_t age_ = 1;
};

}  // namespace zermelo::game
