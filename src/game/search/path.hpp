// Path: the positions between the root of a search and the current one, for detecting repetitions.

#pragma once

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace zermelo::game {

// A position repeated on one path, or a play was too long.
class Repetition : public Error {
    using Error::Error;
};

// A small counting filter answers most queries about the first positions; the others of a long path are in a hash set.
class Path {
public:
    // False if the position is on the path already; then nothing happens.
    bool enter(const Hash128& key) {
        if (contains(key)) return false;
        if (keys_.size() < few) {
            ++filter_[slot(key)];
        } else {
            further_.insert(key);
        }
        keys_.push_back(key);
        return true;
    }
    [[nodiscard]] bool contains(const Hash128& key) const {
        if (!further_.empty() && further_.contains(key)) return true;
        if (filter_[slot(key)] == 0) return false;
        const auto end = keys_.begin() + static_cast<std::ptrdiff_t>(std::min(keys_.size(), few));
        return std::find(keys_.begin(), end, key) != end;
    }
    void leave() {
        if (keys_.size() <= few) {
            --filter_[slot(keys_.back())];
        } else {
            further_.erase(keys_.back());
        }
        keys_.pop_back();
    }
    [[nodiscard]] const std::vector<Hash128>& keys() const { return keys_; }  // from the root on
    void clear() {
        while (!keys_.empty()) leave();
    }

private:
    static constexpr std::size_t slots = 1 << 12;
    static constexpr std::size_t few = slots / 4;
    [[nodiscard]] static std::size_t slot(const Hash128& key) { return key.low % slots; }
    std::vector<std::uint16_t> filter_ = std::vector<std::uint16_t>(slots, 0);  // of the first few
    std::unordered_set<Hash128, LowBitsHash> further_;                          // the others
    std::vector<Hash128> keys_;
};

}  // namespace zermelo::game
