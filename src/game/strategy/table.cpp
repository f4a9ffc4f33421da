#include "game/strategy/table.hpp"

namespace zermelo::game {

namespace {

constexpr std::size_t smallest = 64;
constexpr Hash128 vacant{};

// The key that marks free places stands for itself by another one.
Hash128 taken(Hash128 key) { return key == vacant ? Hash128{0, 1} : key; }

std::size_t place_of(Hash128 key, const Large<Hash128>& keys) {
    __extension__ using Wide = unsigned __int128;
    auto at = static_cast<std::size_t>(static_cast<Wide>(key.low) * keys.size() >> 64);
    while (keys[at] != vacant && keys[at] != key) at = at + 1 == keys.size() ? 0 : at + 1;
    return at;
}

}  // namespace

PlanTable::PlanTable() : keys_(smallest, vacant), numbers_(smallest) {}

PlanTable::Met PlanTable::insert(Hash128 key, std::uint32_t number) {
    if (full()) grow();
    const std::size_t at = place_of(taken(key), keys_);
    if (keys_[at] != vacant) return {numbers_[at], false};
    keys_[at] = taken(key);
    numbers_[at] = number;
    ++size_;
    return {number, true};
}

const std::uint32_t* PlanTable::find(Hash128 key) const {
    const std::size_t at = place_of(taken(key), keys_);
    return keys_[at] == vacant ? nullptr : &numbers_[at];
}

void PlanTable::grow() {
    Large<Hash128> keys(grown(), vacant);
    Large<std::uint32_t> numbers(grown());
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        if (keys_[i] == vacant) continue;
        const std::size_t at = place_of(keys_[i], keys);
        keys[at] = keys_[i];
        numbers[at] = numbers_[i];
    }
    keys_ = std::move(keys);
    numbers_ = std::move(numbers);
}

}  // namespace zermelo::game
