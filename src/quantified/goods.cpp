#include "quantified/goods.hpp"

#include <bit>

namespace zermelo::quantified {

namespace {

constexpr std::size_t first_buckets = 256;

}  // namespace

Goods::Goods(std::size_t most_bytes)
    : entries_(first_buckets * bucket), mask_(first_buckets - 1), most_entries_(most_bytes / sizeof(Entry)) {}

std::optional<Goods::Entry> Goods::find(const Hash128& key) const {
    const std::lock_guard lock(mutex_);
    const std::size_t from = start(key);
    for (std::size_t i = from; i < from + bucket; ++i) {
        if (entries_[i].effort != 0 && entries_[i].key == key) return entries_[i];
    }
    return std::nullopt;
}

void Goods::store(Entry entry, std::uint64_t nodes_below) {
    entry.effort = static_cast<std::uint8_t>(std::bit_width(nodes_below) + 1);
    store(entry);
}

void Goods::store(const Entry& entry) {
    const std::lock_guard lock(mutex_);
    // Half full is where buckets begin to overflow.
    if (used_ * 2 > entries_.size() && entries_.size() * 2 <= most_entries_) grow();
    put(entry);
}

void Goods::put(const Entry& entry) {
    const std::size_t from = start(entry.key);
    std::size_t cheapest = from;
    for (std::size_t i = from; i < from + bucket; ++i) {
        if (entries_[i].effort == 0 || entries_[i].key == entry.key) {
            if (entries_[i].effort == 0) ++used_;
            entries_[i] = entry;
            return;
        }
        if (entries_[i].effort < entries_[cheapest].effort) cheapest = i;
    }
    entries_[cheapest] = entry;
}

void Goods::grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    mask_ = entries_.size() / bucket - 1;
    used_ = 0;
    for (const Entry& entry : old) {
        if (entry.effort != 0) put(entry);
    }
}

}  // namespace zermelo::quantified
