#include "quantified/goods.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::quantified {

namespace {

// The bucket must tell the bits of the key that a place does not.
constexpr std::size_t least_buckets = 1024;
constexpr std::size_t most_buckets = std::size_t{1} << 30;  // times the kept bits they must fit into 64

}  // namespace

Goods::Goods(std::size_t most_bytes, bool images)
    : with_images_(images),
      most_buckets_(std::clamp(most_bytes / ((sizeof(Place) + (images ? 2 : 0)) * bucket), least_buckets,
                               most_buckets)) {
    // Address space only: memory is taken as the table grows, and nothing is copied.
    places_.reserve(most_buckets_ * bucket);
    if (images) images_.reserve(most_buckets_ * bucket);
    resize(least_buckets);
}

void Goods::resize(std::size_t buckets) {
    buckets_ = buckets;
    places_.resize(buckets * bucket);
    if (with_images_) images_.resize(buckets * bucket);
}

std::optional<Goods::Entry> Goods::find(const Hash128& key) const {
    const std::uint64_t low = kept(key);
    const std::uint32_t told = low & ((1U << told_bits) - 1);
    const std::lock_guard lock(mutex_);
    const std::size_t from = start(low);
    for (std::size_t i = from; i < from + bucket; ++i) {
        const Place& place = places_[i];
        if (place.high != key.high || place.low != told || place.effort == 0) continue;
        return Entry{key, place.node, image(i), static_cast<std::uint8_t>(place.effort),
                     static_cast<Known>(place.known)};
    }
    return std::nullopt;
}

void Goods::store(Entry entry, std::uint64_t nodes_below) {
    constexpr int most_effort = 63;  // of six bits
    entry.effort =
        static_cast<std::uint8_t>(std::min(static_cast<int>(std::bit_width(nodes_below)) + 1, most_effort));
    store(entry);
}

void Goods::store(const Entry& entry) {
    Place place;
    const std::uint64_t low = kept(entry.key);
    place.high = entry.key.high;
    place.node = entry.node;
    place.low = low & ((1U << told_bits) - 1);
    place.effort = entry.effort & 63U;
    place.known = static_cast<std::uint32_t>(entry.known) & 3U;
    const std::lock_guard lock(mutex_);
    // Two thirds full is where many buckets begin to overflow.
    if (used_ * 3 > places_.size() * 2 && buckets_ < most_buckets_) grow();
    put(low, place, entry.image);
}

void Goods::put(std::uint64_t low, const Place& place, std::uint16_t image) {
    const std::size_t from = start(low);
    std::size_t at = from;
    for (std::size_t i = from; i < from + bucket; ++i) {
        const Place& other = places_[i];
        const bool same = other.high == place.high && other.low == place.low;
        if (other.effort == 0 || same) {
            if (other.effort == 0) ++used_;
            at = i;
            break;
        }
        if (other.effort < places_[at].effort) at = i;
    }
    places_[at] = place;
    if (with_images_) images_[at] = image;
}

// The kept bits of the entry in this place: its own, and above them those that all keys of the bucket share.
std::uint64_t Goods::kept_low(std::size_t at) const {
    constexpr std::uint64_t told = (std::uint64_t{1} << told_bits) - 1;
    // The least key of the bucket; the entry's is the first at or after it with these lower bits.
    const std::uint64_t number = at / bucket;
    const std::uint64_t least = ((number << kept_bits) + buckets_ - 1) / buckets_;
    const std::uint64_t low = (least & ~told) | places_[at].low;
    return low >= least ? low : low + told + 1;
}

// From the last bucket to the first: every entry moves to a place further on, or stays in its bucket.
void Goods::grow() {
    const std::size_t before = buckets_;
    struct Moving {
        Place place;
        std::uint64_t low;
        std::uint16_t image;
    };
    std::array<Moving, bucket> moving;
    // `kept_low` reads the old table, `put` writes the new one.
    const std::size_t after = std::min(2 * before, most_buckets_);
    resize(after);
    for (std::size_t b = before; b-- > 0;) {
        std::size_t count = 0;
        buckets_ = before;
        for (std::size_t i = b * bucket; i < (b + 1) * bucket; ++i) {
            if (places_[i].effort == 0) continue;
            moving[count++] = {places_[i], kept_low(i), image(i)};
            places_[i] = {};
        }
        buckets_ = after;
        used_ -= count;
        for (std::size_t i = 0; i < count; ++i) put(moving[i].low, moving[i].place, moving[i].image);
    }
}

}  // namespace zermelo::quantified
