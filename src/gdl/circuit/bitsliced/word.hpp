// Machine words with one bit for each lane, of the width that ZERMELO_WORD_BYTES says.
//
// Included by one source file for each width, which is compiled for processors that have such words; hence
// everything here and in the -inl headers beside it is local to that file.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace zermelo::gdl {
namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // words are passed only inside one source file

constexpr std::size_t bytes_of_word = ZERMELO_WORD_BYTES;
constexpr std::size_t parts_of_word = bytes_of_word / 8;
constexpr std::size_t lanes_of_word = bytes_of_word * 8;

// A class of its own, because templates forget the attribute of a bare vector type.
struct Word {
    typedef std::uint64_t Vector __attribute__((vector_size(bytes_of_word)));
    Vector bits = {};

    std::uint64_t operator[](std::size_t part) const { return bits[part]; }
    Word operator~() const { return {~bits}; }
    Word operator&(const Word& other) const { return {bits & other.bits}; }
    Word operator|(const Word& other) const { return {bits | other.bits}; }
    Word operator^(const Word& other) const { return {bits ^ other.bits}; }
    Word& operator&=(const Word& other) { return bits &= other.bits, *this; }
    Word& operator|=(const Word& other) { return bits |= other.bits, *this; }
    Word& operator^=(const Word& other) { return bits ^= other.bits, *this; }
};

inline bool bit(const Word& word, std::size_t lane) { return (word[lane / 64] >> (lane % 64) & 1) != 0; }
inline std::uint32_t count(const Word& word) {
    int sum = 0;
    for (std::size_t p = 0; p < parts_of_word; ++p) sum += std::popcount(static_cast<std::uint64_t>(word[p]));
    return static_cast<std::uint32_t>(sum);
}
inline bool any(const Word& word) {
    std::uint64_t all = 0;
    for (std::size_t p = 0; p < parts_of_word; ++p) all |= word[p];
    return all != 0;
}

// Sum and carry of three binary digits in each lane.
inline Word odd(const Word& a, const Word& b, const Word& c) { return a ^ b ^ c; }
inline Word majority(const Word& a, const Word& b, const Word& c) { return (a & b) | (c & (a ^ b)); }

template <class T>
struct CacheLineAllocator {
    using value_type = T;
    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}
    T* allocate(std::size_t n) {
        return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64)));
    }
    void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
    friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

using Words = std::vector<Word, CacheLineAllocator<Word>>;

#pragma GCC diagnostic pop

}  // namespace
}  // namespace zermelo::gdl
