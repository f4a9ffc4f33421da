#include "game/search/bounds_table.hpp"

#include <sys/mman.h>

#include <bit>
#include <new>

namespace zermelo::game {

// Fresh pages of the system are zero already. Accesses are random: large pages spare most of the address
// translation.
BoundsTable::Entries BoundsTable::allocate(int bits) {
    const std::size_t bytes = sizeof(Entry) << bits;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return {static_cast<Entry*>(memory), Unmap{bytes}};
}

void BoundsTable::Unmap::operator()(Entry* entries) const { munmap(entries, bytes); }

BoundsTable::BoundsTable(std::size_t most_bytes) : entries_(allocate(first_bits)) {
    while ((sizeof(Entry) << (most_bits_ + 1)) <= most_bytes) ++most_bits_;
}

std::uint8_t BoundsTable::log_of(std::uint64_t work) {
    return static_cast<std::uint8_t>(1 + std::bit_width(work));
}

bool BoundsTable::put(const Record& record) {
    Entry* bucket = &entries_[index(record.high)];
    Entry* place = bucket;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::size_t i = 0; i < ways; ++i) {
        const std::uint64_t data = bucket[i].data.load(std::memory_order_relaxed);
        const bool same = static_cast<std::uint32_t>(data) == record.low &&
                          (bucket[i].check.load(std::memory_order_relaxed) ^ data) == record.high;
        const std::uint64_t worth = same ? 0 : data >> 56;
        if (worth < least) {
            least = worth;
            place = &bucket[i];
        }
        if (same) break;
    }
    const bool fresh = place->data.load(std::memory_order_relaxed) == 0;
    const std::uint64_t data = record.low | std::uint64_t{record.bounds.low} << 32 |
                               std::uint64_t{record.bounds.high} << 40 |
                               std::uint64_t{record.bounds.move} << 48 | std::uint64_t{record.work} << 56;
    place->check.store(record.high ^ data, std::memory_order_relaxed);
    place->data.store(data, std::memory_order_relaxed);
    return fresh;
}

}  // namespace zermelo::game
