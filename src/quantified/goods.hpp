// Goods and nogoods (Bacchus and Stergiou 2007): a transposition table of solved positions.
//
// An entry says that a position is won or lost (or, in a strategic model, inconsistent), under its residual
// key (kernel/residue.hpp), with the node of the winner's strategy. The table has buckets of eight places and
// grows in place up to a given size. In a full bucket the entry that was cheapest to find is replaced. All
// functions but `each_node` may be called by all threads.
//
// A place takes 16 bytes, and 2 more where there are symmetries. It keeps 98 bits of the key: the bucket and 24
// bits tell the upper 34 bits of its first half, and the second half is kept as it is.

#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <vector>

#include "core/hash.hpp"
#include "strategy/strategy.hpp"

namespace zermelo::quantified {

class Goods {
public:
    enum class Known : std::uint8_t { won, lost, inconsistent };

    struct Entry {
        Hash128 key;
        strategy::NodeId node = strategy::decided;
        std::uint16_t image = 0;  // of the position that was solved: see Residue
        std::uint8_t effort = 0;  // how many nodes it took, as a power of two
        Known known = Known::won;
    };

    Goods(std::size_t most_bytes, bool images);

    [[nodiscard]] std::optional<Entry> find(const Hash128& key) const;
    // `entry.effort` is made from the number of nodes that it took.
    void store(Entry entry, std::uint64_t nodes_below);
    void store(const Entry& entry);  // as it was in another table

    template <class Visit>
    void each_node(Visit visit) {  // visit(NodeId&); no other thread may use the table meanwhile
        for (Place& place : places_) {
            if (place.effort != 0) visit(place.node);
        }
    }

    [[nodiscard]] std::size_t used() const { return used_; }
    [[nodiscard]] std::size_t bytes() const { return places_.size() * sizeof(Place) + images_.size() * 2; }

private:
    static constexpr std::size_t bucket = 8;
    static constexpr unsigned kept_bits = 34;  // of the key's first half
    static constexpr unsigned told_bits = 24;  // of these, in the place itself

    struct Place {
        std::uint64_t high = 0;
        strategy::NodeId node = strategy::decided;
        std::uint32_t low : told_bits = 0;
        std::uint32_t effort : 6 = 0;  // 0: the place is empty
        std::uint32_t known : 2 = 0;
    };
    static_assert(sizeof(Place) == 16);

    static std::uint64_t kept(const Hash128& key) { return key.low >> (64 - kept_bits); }
    // Buckets follow one another as the kept bits do, so that a larger table has all entries further on.
    [[nodiscard]] std::size_t start(std::uint64_t kept_low) const {
        return static_cast<std::size_t>(kept_low * buckets_ >> kept_bits) * bucket;
    }
    [[nodiscard]] std::uint64_t kept_low(std::size_t at) const;
    [[nodiscard]] std::uint16_t image(std::size_t at) const { return images_.empty() ? 0 : images_[at]; }
    void put(std::uint64_t low, const Place& place, std::uint16_t image);
    void grow();
    void resize(std::size_t buckets);

    const bool with_images_;
    const std::size_t most_buckets_;
    mutable std::mutex mutex_;
    std::vector<Place> places_;
    std::vector<std::uint16_t> images_;  // of the same places; empty where there are none
    std::size_t buckets_ = 0;
    std::size_t used_ = 0;
};

}  // namespace zermelo::quantified
