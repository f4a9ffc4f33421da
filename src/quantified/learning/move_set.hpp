// A set of moves, by their places in the prefix: why a position is won or lost.

#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace zermelo::quantified {

class MoveSet {
public:
    void resize(std::size_t moves) { words_.assign((moves + 63) / 64, 0); }
    void clear() { std::fill(words_.begin(), words_.end(), 0); }
    void insert(std::size_t move) { words_[move / 64] |= std::uint64_t{1} << (move % 64); }
    void erase(std::size_t move) { words_[move / 64] &= ~(std::uint64_t{1} << (move % 64)); }
    [[nodiscard]] bool contains(std::size_t move) const {
        return (words_[move / 64] >> (move % 64) & 1) != 0;
    }
    void unite(const MoveSet& other) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    }
    [[nodiscard]] std::size_t size() const {
        std::size_t count = 0;
        for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
        return count;
    }
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t w = 0; w < words_.size(); ++w) {
            for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1)
                visit(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
        }
    }

private:
    std::vector<std::uint64_t> words_;
};

}  // namespace zermelo::quantified
