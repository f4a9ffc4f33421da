// Table constraints by Compact-Table (Demeulenaere et al. 2016): a bit for each row that is still possible, and
// for each value a mask of the rows that have it. Domain consistency, also for the literal of a reified table.
//
// The words of the current table are reversible numbers; words that have become zero are skipped by a
// reversible sparse set.

#include "kernel/trail/post.hpp"

#include <algorithm>
#include <unordered_map>

namespace zermelo::kernel::trail {

namespace {

class CompactTable final : public Propagator {
public:
    CompactTable(const Store& store, const model::Table& table) : by_(table.reified) {
        const std::size_t width = table.variables.size();
        const std::size_t rows = width == 0 ? 0 : table.rows.size() / width;
        std::vector<std::size_t> kept;
        for (std::size_t r = 0; r < rows; ++r) {
            bool possible = true;
            for (std::size_t i = 0; i < width; ++i) {
                possible = possible && store.allows(table.variables[i], table.rows[r * width + i]);
            }
            if (possible) kept.push_back(r);
        }
        const std::size_t words = (kept.size() + 63) / 64;
        current_.assign(words, 0);
        for (std::size_t r = 0; r < kept.size(); ++r) word(current_[r / 64]) |= std::uint64_t{1} << (r % 64);
        for (std::size_t w = 0; w < words; ++w) order_.push_back(static_cast<std::uint32_t>(w));
        live_ = static_cast<Number>(words);
        for (std::size_t i = 0; i < width; ++i) {
            Column& column = columns_.emplace_back();
            column.variable = table.variables[i];
            for (std::size_t r = 0; r < kept.size(); ++r) {
                auto& mask = column.supports[static_cast<std::int32_t>(table.rows[kept[r] * width + i])];
                mask.rows.resize(words, 0);
                mask.rows[r / 64] |= std::uint64_t{1} << (r % 64);
            }
        }
        fresh_.resize(words);
    }

    bool propagate(Store& store) override {
        if (!update(store)) {
            // No row is left.
            return by_ && store.assume(!*by_);
        }
        const bool all_fixed = std::all_of(columns_.begin(), columns_.end(),
                                           [&](const Column& c) { return store.fixed(c.variable); });
        if (!by_ || store.is_true(*by_)) return all_fixed || filter(store);
        if (store.is_false(*by_)) return exclude(store, all_fixed);
        return !all_fixed || store.assume(*by_);
    }

private:
    struct Support {
        std::vector<std::uint64_t> rows;
        std::uint32_t last = 0;  // a word in which a row was found
    };
    struct Column {
        VarId variable = -1;
        std::unordered_map<std::int32_t, Support> supports;
        Number seen = -1;  // the size of the domain when the table was last updated
    };

    static std::uint64_t& word(Number& number) { return reinterpret_cast<std::uint64_t&>(number); }

    // Drops the rows that the domains do not allow any more; false when none is left.
    [[nodiscard]] bool update(Store& store) {
        for (Column& column : columns_) {
            const auto size = static_cast<Number>(store.size(column.variable));
            if (size == column.seen) continue;
            store.set(column.seen, size);
            for (Number i = 0; i < live_; ++i) fresh_[order_[index(i)]] = 0;
            if (store.has_holes(column.variable) || size <= 2) {
                store.each_value(column.variable, [&](std::int32_t value) { add(column, value); });
            } else {
                for (const auto& [value, support] : column.supports) {
                    if (store.allows(column.variable, value)) add(column, value);
                }
            }
            for (Number i = live_ - 1; i >= 0; --i) {
                const std::uint32_t w = order_[index(i)];
                const Number now = static_cast<Number>(static_cast<std::uint64_t>(current_[w]) & fresh_[w]);
                store.set(current_[w], now);
                if (now != 0) continue;
                const Number last = live_ - 1;
                std::swap(order_[index(i)], order_[index(last)]);
                store.set(live_, last);
            }
            if (live_ == 0) return false;
        }
        return live_ > 0;
    }

    void add(const Column& column, std::int32_t value) {
        const auto found = column.supports.find(value);
        if (found == column.supports.end()) return;
        for (Number i = 0; i < live_; ++i) fresh_[order_[index(i)]] |= found->second.rows[order_[index(i)]];
    }

    [[nodiscard]] bool supported(Support& support) const {
        if ((static_cast<std::uint64_t>(current_[support.last]) & support.rows[support.last]) != 0)
            return true;
        for (Number i = 0; i < live_; ++i) {
            const std::uint32_t w = order_[index(i)];
            if ((static_cast<std::uint64_t>(current_[w]) & support.rows[w]) == 0) continue;
            support.last = w;
            return true;
        }
        return false;
    }

    [[nodiscard]] bool filter(Store& store) {
        for (Column& column : columns_) {
            if (store.fixed(column.variable)) continue;
            kept_.clear();
            for (auto& [value, support] : column.supports) {
                if (store.allows(column.variable, value) && supported(support)) kept_.push_back(value);
            }
            std::sort(kept_.begin(), kept_.end());
            if (kept_.empty() || !store.raise(column.variable, kept_.front()) ||
                !store.lower(column.variable, kept_.back()))
                return false;
            if (!store.has_holes(column.variable)) continue;
            for (std::size_t i = 1; i < kept_.size(); ++i) {
                for (Number between = kept_[i - 1] + Number{1}; between < kept_[i]; ++between) {
                    if (!store.remove(column.variable, between)) return false;
                }
            }
        }
        return true;
    }

    // The row must not be in the table: the last open variable loses what would complete one.
    [[nodiscard]] bool exclude(Store& store, bool all_fixed) {
        if (all_fixed) return false;
        Column* open = nullptr;
        for (Column& column : columns_) {
            if (store.fixed(column.variable)) continue;
            if (open != nullptr) return true;
            open = &column;
        }
        kept_.clear();
        for (auto& [value, support] : open->supports) {
            if (store.allows(open->variable, value) && supported(support)) kept_.push_back(value);
        }
        std::sort(kept_.begin(), kept_.end());
        // From both ends, so that bounds move where holes are not kept.
        for (const std::int32_t value : kept_) {
            if (!store.remove(open->variable, value)) return false;
        }
        for (auto value = kept_.rbegin(); value != kept_.rend(); ++value) {
            if (!store.remove(open->variable, *value)) return false;
        }
        return true;
    }

    static std::size_t index(Number i) { return static_cast<std::size_t>(i); }

    std::vector<Column> columns_;
    std::optional<model::Literal> by_;
    std::vector<Number> current_;       // words of the rows that are left, as numbers of the store
    std::vector<std::uint32_t> order_;  // words; the first live_ are not zero
    Number live_ = 0;
    std::vector<std::uint64_t> fresh_;
    std::vector<std::int32_t> kept_;
};

}  // namespace

void post(Store& store, const model::Table& table, int due) {
    if (table.variables.empty()) {  // the empty row is in every table that has rows: none can be written
        if (table.reified) post(store, model::Clause{{!*table.reified}, std::nullopt}, due);
        return;
    }
    std::vector<Store::Watched> watched;
    for (const VarId v : table.variables) watched.push_back({v, any_event});
    if (table.reified) watched.push_back({table.reified->variable, fix_event});
    store.add(std::make_unique<CompactTable>(store, table), watched, due, true);
}

}  // namespace zermelo::kernel::trail
