// BoundsTable: what exact search has proven about positions, so that none is solved twice.
//
// An entry holds the proven bounds of one player's payoff, the move that proved them, and how much work stood
// behind them. Four entries make a bucket of one cache line; a new position displaces the one of its bucket with
// the least work. The table starts small and doubles until it has reached its budget. A position is recognised by
// 96 bits of its key.

#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/hash.hpp"

namespace zermelo::game {

struct Bounds {
    static constexpr std::uint8_t no_move = 255;
    std::uint8_t low = 0;  // the payoff is at least this
    std::uint8_t high = 100;
    std::uint8_t move = no_move;  // by its place among the moves
    friend bool operator==(const Bounds&, const Bounds&) = default;
};

class BoundsTable {
public:
    explicit BoundsTable(std::size_t most_bytes);

    [[nodiscard]] std::optional<Bounds> find(const Hash128& key) const {
        const Entry* bucket = &entries_[index(key.high)];
        for (std::size_t i = 0; i < ways; ++i) {
            if (bucket[i].high == key.high && bucket[i].low == static_cast<std::uint32_t>(key.low) &&
                bucket[i].work != 0) {
                return bucket[i].bounds;
            }
        }
        return std::nullopt;
    }
    void prefetch(const Hash128& key) const { __builtin_prefetch(&entries_[index(key.high)]); }

    // `work` is the number of positions that were looked at for the bounds.
    void store(const Hash128& key, const Bounds& bounds, std::uint64_t work);

    [[nodiscard]] std::size_t used() const { return used_; }
    [[nodiscard]] std::size_t capacity() const { return std::size_t{1} << bits_; }
    [[nodiscard]] std::size_t bytes() const { return capacity() * sizeof(Entry); }

    // For checkpoints: every entry, and putting one back.
    struct Entry {
        std::uint64_t high = 0;
        std::uint32_t low = 0;
        Bounds bounds = {};
        std::uint8_t work = 0;  // 1 + its binary logarithm; 0 for an empty place
    };
    static_assert(sizeof(Entry) == 16);
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t i = 0; i < capacity(); ++i) {
            if (entries_[i].work != 0) visit(entries_[i]);
        }
    }
    void put(const Entry& entry);

private:
    static constexpr std::size_t ways = 4;
    static constexpr int first_bits = 14;

    [[nodiscard]] std::size_t index(std::uint64_t high) const {
        return static_cast<std::size_t>(high >> (64 - bits_)) & ~(ways - 1);
    }
    void grow();

    int bits_;
    int most_bits_;
    std::size_t used_ = 0;
    struct Free {
        void operator()(Entry* entries) const { std::free(entries); }
    };
    std::unique_ptr<Entry[], Free> entries_;
    [[nodiscard]] static std::unique_ptr<Entry[], Free> allocate(int bits);
};

}  // namespace zermelo::game
