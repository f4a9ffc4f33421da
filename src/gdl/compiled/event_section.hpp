// Event-driven evaluation (as in logic simulation, Ulrich 1969) of a section of a word plan: only what has changed
// is looked at.
//
// Each lane knows how many of its inputs are missing (as in Dowling and Gallier 1984). A bit that changes moves the
// counters of the lanes that read it by one; a lane changes when its counter leaves or reaches zero. Words are
// in topological order, so the changes of a word are complete when it is its turn, and are made by one exclusive
// or. This pays in large networks of which a move changes little; the others run as machine code.
//
// Lanes of one word that read the same bit are counted together, with AVX-512 by a few instructions.
//
// A section with loops of the network is not supported.

#pragma once

#include <bit>
#include <memory>

#include "gdl/compiled/word_plan.hpp"

namespace zermelo::gdl {

// What is the same for all threads: who reads what.
class EventSection {
public:
    using Counter = std::uint16_t;

    [[nodiscard]] static bool supports(const WordPlan& plan, WordPlan::Section section);
    EventSection(const WordPlan& plan, WordPlan::Section section);

private:
    friend class EventValues;
    void list_readers(std::uint32_t words);

    std::uint32_t first_word_ = 0;  // of the section's own words
    std::uint32_t last_word_ = 0;
    std::vector<std::uint32_t> sources_;  // words from outside, ascending
    // Who reads a bit (word * 64 + bit): lanes one by one, and blocks of lanes of one word. Lanes are counted from
    // first_word_ on. Where there are two lanes at most, they are at hand, as lane * 2 + negated.
    struct Block {
        std::uint64_t lanes;
        std::uint32_t word;
        bool negated;
    };
    struct Readers {
        std::uint32_t lane = 0;    // where they begin, or the first of at most two
        std::uint32_t second = 0;  // where the negated ones begin, or the second
        std::uint32_t block = 0;
        std::uint16_t lanes = 0;
        std::uint16_t blocks = 0;
    };
    std::vector<Readers> readers_;  // by bit
    std::vector<std::uint32_t> lanes_;
    std::vector<Block> blocks_;
    struct Input {
        std::uint32_t lane;
        WordPlan::Bit bit;
    };
    std::vector<Input> inputs_;
};

// The counters of one thread.
class EventValues {
public:
    explicit EventValues(const EventSection& section);

    // The words of the section have just been computed by other means: counts what is missing in each lane.
    void start(const std::uint64_t* words);
    // Brings the words of the section up to date; false where it was not started.
    bool update(std::uint64_t* words);

    // For playouts that start at one state again and again: the values after the first update from there on are
    // kept, and later put back, instead of undoing a whole playout change by change.
    void return_to_start(std::uint64_t* words);
    void forget_start() {
        kept_.clear();
        keep_ = false;
    }

private:
    using Counter = EventSection::Counter;
    void count(const std::uint32_t* first, const std::uint32_t* last, bool more);
    void tell(std::uint32_t word, std::uint64_t changed, std::uint64_t now);
    void mark(std::uint32_t word, std::uint64_t lanes) {
        dirty_[word] ^= lanes;
        marked_[word / 64] |= std::uint64_t{1} << (word % 64);
        // Its readers are asked for soon, and no cache holds all of them.
        __builtin_prefetch(section_.readers_.data() + std::size_t{section_.first_word_ + word} * 64 +
                           static_cast<std::size_t>(std::countr_zero(lanes)));
    }

    const EventSection& section_;
    std::uint64_t (*count_)(Counter* counters, std::uint64_t lanes, Counter by);  // for this processor
    bool started_ = false;
    std::vector<Counter> missing_;       // by lane
    std::vector<std::uint64_t> seen_;    // the sources as they were last
    std::vector<std::uint64_t> dirty_;   // by own word: lanes that will change
    std::vector<std::uint64_t> marked_;  // by own word, a bit each: dirty
    bool keep_ = false;                  // the values after the next update
    std::vector<std::uint64_t> kept_;    // the words of the section; empty where nothing is kept
    std::vector<std::uint64_t> kept_seen_;
    std::vector<Counter> kept_missing_;
};

}  // namespace zermelo::gdl
