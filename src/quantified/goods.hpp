// Goods and nogoods (Bacchus and Stergiou 2007): a transposition table of solved positions.
//
// An entry says that a position is won or lost (or, in a strategic model, inconsistent), under its residual
// key (kernel/residue.hpp), with the node of the winner's strategy. The table has buckets of four entries and
// grows up to a given size. In a full bucket the entry that was cheapest to find is replaced. All functions
// but `each` may be called by all threads.

#pragma once

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
        std::uint8_t effort = 0;  // 0: the place is empty
        Known known = Known::won;
    };

    explicit Goods(std::size_t most_bytes);

    [[nodiscard]] std::optional<Entry> find(const Hash128& key) const;
    // `entry.effort` is made from the number of nodes that it took.
    void store(Entry entry, std::uint64_t nodes_below);
    void store(const Entry& entry);  // as it was in another table

    template <class Visit>
    void each(Visit visit) {  // visit(Entry&); no other thread may use the table meanwhile
        for (Entry& entry : entries_) {
            if (entry.effort != 0) visit(entry);
        }
    }

private:
    static constexpr std::size_t bucket = 4;

    [[nodiscard]] std::size_t start(const Hash128& key) const { return (key.low & mask_) * bucket; }
    void put(const Entry& entry);
    void grow();

    mutable std::mutex mutex_;
    std::vector<Entry> entries_;
    std::size_t mask_;
    std::size_t used_ = 0;
    std::size_t most_entries_;
};

}  // namespace zermelo::quantified
