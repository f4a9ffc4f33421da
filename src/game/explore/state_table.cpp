#include "game/explore/state_table.hpp"

#include <algorithm>

namespace zermelo::game {

namespace {

// Rows are a few words long: a call of memcmp would take longer than the comparison.
bool same(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
    std::uint64_t difference = 0;
    for (std::size_t w = 0; w < a.size(); ++w) difference |= a[w] ^ b[w];
    return difference == 0;
}

}  // namespace

std::uint64_t row_hash(std::span<const std::uint64_t> row) {
    Hasher hasher;
    for (const std::uint64_t word : row) hasher.add(word);
    return hasher.value().low;
}

void RowBundle::clear() {
    rows_.clear();
    hashes_.clear();
}

std::span<std::uint64_t> RowBundle::add() {
    rows_.resize((size() + 1) * words_);
    return std::span(rows_).last(words_);
}

RowTable::RowTable(std::size_t words) : words_(words), index_(1024, none) {}

std::size_t RowTable::bytes() const {
    return blocks_.size() * rows_per_block * words_ * sizeof(std::uint64_t) + index_.size() * sizeof(StateId);
}

void RowTable::copy(StateId state, Bundle& to) const {
    std::ranges::copy(row(state), to.add().begin());
    to.seal();
}

// First the slot of the index, then, when that has come, the row that it names.
void RowTable::fetch(const Bundle& from, std::size_t i) const {
    constexpr std::size_t slots_ahead = 16;
    constexpr std::size_t rows_ahead = 8;
    if (i + slots_ahead < from.size()) __builtin_prefetch(&index_[slot(from.hash(i + slots_ahead))]);
    if (i + rows_ahead < from.size()) {
        const StateId there = index_[slot(from.hash(i + rows_ahead))];
        if (there != none) __builtin_prefetch(row(there).data());
    }
}

std::size_t RowTable::slot_of(const Bundle& from, std::size_t i) const {
    std::size_t at = slot(from.hash(i));
    while (index_[at] != none && !same(row(index_[at]), from.row(i))) at = (at + 1) & (index_.size() - 1);
    return at;
}

std::optional<StateId> RowTable::find(const Bundle& from, std::size_t i) const {
    const StateId there = index_[slot_of(from, i)];
    return there == none ? std::nullopt : std::optional(there);
}

StateId RowTable::insert(const Bundle& from, std::size_t i) {
    fetch(from, i);
    const std::size_t at = slot_of(from, i);
    if (index_[at] != none) return index_[at];
    const auto id = static_cast<StateId>(size_);
    index_[at] = id;
    append(from.row(i));
    if (size_ * 4 > index_.size() * 3) double_index();
    return id;
}

std::size_t RowTable::growth(std::size_t more) const {
    const std::size_t rows = more * words_ * sizeof(std::uint64_t);
    return rows + ((size_ + more) * 4 > index_.size() * 3 ? index_.size() * sizeof(StateId) : 0);
}

void RowTable::save(CheckpointWriter& writer) const {
    writer.section("states");
    writer.put<std::uint64_t>(words_);
    writer.put<std::uint64_t>(size_);
    for (std::size_t s = 0; s < size_; s += rows_per_block) {
        const std::size_t rows = std::min(rows_per_block, size_ - s);
        writer.put_all(std::span<const std::uint64_t>(blocks_[s / rows_per_block].get(), rows * words_));
    }
}

void RowTable::load(CheckpointReader& reader, const Limits& limits) {
    reader.section("states");
    if (reader.get<std::uint64_t>() != words_) reader.refuse("its states have a different size");
    const auto states = reader.get<std::uint64_t>();
    if (states == 0 || states >= none) reader.refuse("it has an impossible number of states");
    RowBundle bundle(words_);
    while (size_ < states) {
        if (const Stop stop = limits.reached(); stop != Stop::none) {
            throw LimitReached(stop, "while reading a checkpoint", "raise the limit");
        }
        bundle.clear();
        const auto more = std::min<std::uint64_t>(rows_per_block, states - size_);
        for (std::uint64_t i = 0; i < more; ++i) {
            reader.get_all(bundle.add());
            bundle.seal();
        }
        for (std::size_t i = 0; i < more; ++i) {
            const std::size_t number = size_;
            if (insert(bundle, i) != number) reader.refuse("a state occurs twice in it");
        }
    }
}

void RowTable::append(std::span<const std::uint64_t> row) {
    if (size_ == blocks_.size() * rows_per_block) {
        blocks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(rows_per_block * words_));
    }
    std::ranges::copy(row, blocks_.back().get() + size_ % rows_per_block * words_);
    ++size_;
}

// The rows say everything, so the old index goes before the new one comes.
void RowTable::double_index() {
    const std::size_t doubled = index_.size() * 2;
    index_ = std::vector<StateId>();
    index_.assign(doubled, none);
    for (std::size_t s = 0; s < size_; ++s) {
        std::size_t at = slot(row_hash(row(static_cast<StateId>(s))));
        while (index_[at] != none) at = (at + 1) & (index_.size() - 1);
        index_[at] = static_cast<StateId>(s);
    }
}

}  // namespace zermelo::game
