#include "game/bounds_table.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace zermelo::game {

std::unique_ptr<BoundsTable::Entry[], BoundsTable::Free> BoundsTable::allocate(int bits) {
    const std::size_t bytes = sizeof(Entry) << bits;
    constexpr std::size_t huge_page = std::size_t{1} << 21;
    void* memory = std::aligned_alloc(std::min(bytes, huge_page), bytes);
    if (memory == nullptr) throw std::bad_alloc();
    // Accesses are random: large pages spare most of the address translation.
    if (bytes >= huge_page) madvise(memory, bytes, MADV_HUGEPAGE);
    std::memset(memory, 0, bytes);
    return std::unique_ptr<Entry[], Free>(static_cast<Entry*>(memory));
}

BoundsTable::BoundsTable(std::size_t most_bytes) : bits_(first_bits), most_bits_(first_bits) {
    while ((sizeof(Entry) << (most_bits_ + 1)) <= most_bytes) ++most_bits_;
    entries_ = allocate(bits_);
}

void BoundsTable::put(const Entry& entry) {
    Entry* bucket = &entries_[index(entry.high)];
    Entry* place = bucket;
    for (std::size_t i = 0; i < ways; ++i) {
        if (bucket[i].work == 0 || (bucket[i].high == entry.high && bucket[i].low == entry.low)) {
            place = &bucket[i];
            break;
        }
        if (bucket[i].work < place->work) place = &bucket[i];
    }
    if (place->work == 0) ++used_;
    *place = entry;
}

void BoundsTable::store(const Hash128& key, const Bounds& bounds, std::uint64_t work) {
    if (used_ * 3 > capacity() * 2 && bits_ < most_bits_) grow();
    put({key.high, static_cast<std::uint32_t>(key.low), bounds,
         static_cast<std::uint8_t>(1 + std::bit_width(work))});
}

void BoundsTable::grow() {
    const std::size_t before = capacity();
    const auto old = std::move(entries_);
    entries_ = allocate(++bits_);
    used_ = 0;
    for (std::size_t i = 0; i < before; ++i) {
        if (old[i].work != 0) put(old[i]);
    }
}

}  // namespace zermelo::game
