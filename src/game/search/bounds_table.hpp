// Lock-free transposition table (Hyatt and Mann 2002) of proven payoff bounds, shared by the threads of an
// exact search.
//
// An entry holds the proven bounds of one player's payoff, the move that proved them, and how much work went
// into them. Four entries make a bucket of one cache line; a new position displaces the one of its bucket
// with the least work. The table starts small and doubles until it has reached its budget. A position is
// identified by 96 bits of its key.
//
// An entry is two words, of which the first is stored xor the second, so that a pair torn by two writers
// does not look like any position. Growing needs all threads to stand still (core/safepoint.hpp).

#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/hash.hpp"

namespace zermelo::game {

struct Bounds {
    static constexpr std::uint8_t no_move = 255;
    std::uint8_t low = 0;  // the payoff is at least this
    std::uint8_t high = 100;
    std::uint8_t move = no_move;  // of whoever is on turn, by its place among the moves
    friend bool operator==(const Bounds&, const Bounds&) = default;
};

class BoundsTable {
public:
    explicit BoundsTable(std::size_t most_bytes);

    [[nodiscard]] std::optional<Bounds> find(const Hash128& key) const {
        const Entry* bucket = &entries_[index(key.high)];
        for (std::size_t i = 0; i < ways; ++i) {
            const std::uint64_t data = bucket[i].data.load(std::memory_order_relaxed);
            const std::uint64_t check = bucket[i].check.load(std::memory_order_relaxed);
            if ((check ^ data) == key.high &&
                static_cast<std::uint32_t>(data) == static_cast<std::uint32_t>(key.low) && data >> 56 != 0) {
                return unpack(data);
            }
        }
        return std::nullopt;
    }
    void prefetch(const Hash128& key) const { __builtin_prefetch(&entries_[index(key.high)]); }

    // `work` is the number of positions that were searched for the bounds. True if the place was free.
    bool store(const Hash128& key, const Bounds& bounds, std::uint64_t work) {
        return put(record(key, bounds, work));
    }

    [[nodiscard]] std::size_t capacity() const { return std::size_t{1} << bits_; }
    [[nodiscard]] std::size_t bytes() const { return capacity() * sizeof(Entry); }
    [[nodiscard]] bool may_grow() const { return bits_ < most_bits_; }
    [[nodiscard]] std::size_t bytes_to_grow() const { return 2 * bytes(); }  // beside what there is
    // While no other thread uses the table. It stays as it is where `stop` says so meanwhile.
    template <class Stop>
    void grow(Stop stop) {
        constexpr std::size_t entries_between_questions = std::size_t{1} << 15;
        const std::size_t before = capacity();
        Entries old = std::exchange(entries_, allocate(bits_ + 1));
        ++bits_;
        for (std::size_t i = 0; i < before; ++i) {
            if (i % entries_between_questions == 0 && stop()) {
                entries_ = std::move(old);
                --bits_;
                return;
            }
            if (old[i].data != 0) put(record(old[i]));
        }
    }

    // An entry as it is stored in checkpoints and sent to partners.
    struct Record {
        std::uint64_t high = 0;
        std::uint32_t low = 0;
        Bounds bounds = {};
        std::uint8_t work = 0;  // 1 + its binary logarithm
    };
    static_assert(sizeof(Record) == 16);
    [[nodiscard]] static Record record(const Hash128& key, const Bounds& bounds, std::uint64_t work) {
        return {key.high, static_cast<std::uint32_t>(key.low), bounds, log_of(work)};
    }
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t i = 0; i < capacity(); ++i) {
            if (entries_[i].data != 0) visit(record(entries_[i]));
        }
    }
    bool put(const Record& record);
    // The same, intersected with the bounds that are known already.
    bool add(Record record) {
        if (const auto known = find({record.low, record.high})) {
            record.bounds.low = std::max(record.bounds.low, known->low);
            record.bounds.high = std::min(record.bounds.high, known->high);
        }
        return put(record);
    }

private:
    struct Entry {
        std::atomic<std::uint64_t> check;  // upper half of the key xor data
        std::atomic<std::uint64_t>
            data;  // from the lowest bit: 32 of the key, low, high, move, work; 0 if free
    };
    static_assert(sizeof(Entry) == 16);
    struct Unmap {
        std::size_t bytes;
        void operator()(Entry* entries) const;
    };
    using Entries = std::unique_ptr<Entry[], Unmap>;
    static constexpr std::size_t ways = 4;
    static constexpr int first_bits = 14;

    [[nodiscard]] static Bounds unpack(std::uint64_t data) {
        return {static_cast<std::uint8_t>(data >> 32), static_cast<std::uint8_t>(data >> 40),
                static_cast<std::uint8_t>(data >> 48)};
    }
    [[nodiscard]] static Record record(const Entry& entry) {
        return {entry.check ^ entry.data, static_cast<std::uint32_t>(entry.data), unpack(entry.data),
                static_cast<std::uint8_t>(entry.data >> 56)};
    }
    [[nodiscard]] static std::uint8_t log_of(std::uint64_t work);
    [[nodiscard]] static Entries allocate(int bits);
    [[nodiscard]] std::size_t index(std::uint64_t high) const {
        return static_cast<std::size_t>(high >> (64 - bits_)) & ~(ways - 1);
    }

    int bits_ = first_bits;
    int most_bits_ = first_bits;
    Entries entries_;
};

}  // namespace zermelo::game
