// Path: the positions between the root of a search and the current one, for detecting repetitions.

#pragma once

#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace zermelo::game {

// A position repeated on one path, or a play was too long.
class Repetition : public Error {
    using Error::Error;
};

// A small counting filter answers most queries without a search through the keys.
class Path {
public:
    // False if the position is on the path already; then nothing happens.
    bool enter(const Hash128& key) {
        if (contains(key)) return false;
        ++filter_[slot(key)];
        keys_.push_back(key);
        return true;
    }
    [[nodiscard]] bool contains(const Hash128& key) const {
        return filter_[slot(key)] != 0 && std::ranges::find(keys_, key) != keys_.end();
    }
    void leave() {
        --filter_[slot(keys_.back())];
        keys_.pop_back();
    }
    [[nodiscard]] const std::vector<Hash128>& keys() const { return keys_; }  // from the root on
    void clear() {
        while (!keys_.empty()) leave();
    }

private:
    static constexpr std::size_t slots = 1 << 12;
    [[nodiscard]] static std::size_t slot(const Hash128& key) { return key.low % slots; }
    std::vector<std::uint16_t> filter_ = std::vector<std::uint16_t>(slots, 0);
    std::vector<Hash128> keys_;
};

}  // namespace zermelo::game
