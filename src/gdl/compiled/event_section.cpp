#include "gdl/compiled/event_section.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace zermelo::gdl {

namespace {

constexpr std::size_t lanes_of_block = 4;   // fewer readers in a word are counted one by one
constexpr std::size_t most_lanes = 60'000;  // of one bit, one by one

// The lanes' counters go up or down by one; returns the lanes whose counter left or reached zero.
std::uint64_t count_narrow(std::uint16_t* counters, std::uint64_t lanes, std::uint16_t by) {
    std::uint64_t changes = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        std::uint16_t& counter = counters[std::countr_zero(lanes)];
        const std::uint16_t before = counter;
        counter = static_cast<std::uint16_t>(before + by);
        if (before == 0 || counter == 0) changes |= lanes & -lanes;
    }
    return changes;
}

#if defined(__x86_64__)
__attribute__((target("avx512f,avx512bw"))) std::uint64_t count_wide(std::uint16_t* counters,
                                                                     std::uint64_t lanes, std::uint16_t by) {
    const __m512i step = _mm512_set1_epi16(static_cast<short>(by));
    std::uint64_t changes = 0;
    for (int half = 0; half < 64; half += 32) {
        const auto mask = static_cast<__mmask32>(lanes >> half);
        const __m512i before = _mm512_loadu_si512(counters + half);
        const __m512i after = _mm512_mask_add_epi16(before, mask, before, step);
        _mm512_storeu_si512(counters + half, after);
        const __mmask32 zero = _mm512_mask_testn_epi16_mask(mask, before, before) |
                               _mm512_mask_testn_epi16_mask(mask, after, after);
        changes |= std::uint64_t{zero} << half;
    }
    return changes;
}

auto* best_count() { return __builtin_cpu_supports("avx512bw") != 0 ? count_wide : count_narrow; }
#else
auto* best_count() { return count_narrow; }
#endif

}  // namespace

EventValues::EventValues(const EventSection& section) : section_(section), count_(best_count()) {}

bool EventSection::supports(const WordPlan& plan, WordPlan::Section section) {
    return !plan.stages[section].empty() &&
           std::ranges::none_of(plan.stages[section], [](const auto& stage) { return stage.loop; });
}

EventSection::EventSection(const WordPlan& plan, WordPlan::Section section) {
    const auto& stages = plan.stages[section];
    std::span<const WordPlan::Group> groups(plan.groups.data() + stages.front().first,
                                            plan.groups.data() + stages.back().last);
    first_word_ = groups.front().word;
    last_word_ = groups.back().word + 1;
    for (const WordPlan::Group& group : groups) {
        const std::uint32_t base = (group.word - first_word_) * 64;
        for (const auto& transfer : group.transfers) {
            for (std::uint32_t lane = 0; lane < group.lanes; ++lane) {
                if ((transfer.lanes >> lane & 1) == 0) continue;
                inputs_.push_back({base + lane, {transfer.source, transfer.from[lane], transfer.negated}});
            }
        }
        for (const auto& reduction : group.reductions) {
            for (std::uint32_t bit = 0; bit < 64; ++bit) {
                if ((reduction.positive >> bit & 1) != 0)
                    inputs_.push_back({base + reduction.lane, {reduction.source, bit, false}});
                if ((reduction.negative >> bit & 1) != 0)
                    inputs_.push_back({base + reduction.lane, {reduction.source, bit, true}});
            }
        }
    }
    // Transfers repeat inputs.
    const auto order = [](const Input& a, const Input& b) {
        return std::tie(a.bit.word, a.bit.bit, a.bit.negated, a.lane) <
               std::tie(b.bit.word, b.bit.bit, b.bit.negated, b.lane);
    };
    std::ranges::sort(inputs_, order);
    const auto same = [&](const Input& a, const Input& b) { return !order(a, b) && !order(b, a); };
    inputs_.erase(std::unique(inputs_.begin(), inputs_.end(), same), inputs_.end());

    list_readers(plan.words);
}

void EventSection::list_readers(std::uint32_t words) {
    readers_.assign(std::size_t{words} * 64, {});
    std::vector<std::uint32_t> lanes;
    for (std::size_t first = 0; first < inputs_.size();) {
        const std::uint32_t word = inputs_[first].bit.word;
        const std::uint32_t bit = inputs_[first].bit.bit;
        Readers& readers = readers_[std::size_t{word} * 64 + bit];
        readers.block = static_cast<std::uint32_t>(blocks_.size());
        lanes.clear();
        while (first < inputs_.size() && inputs_[first].bit.word == word && inputs_[first].bit.bit == bit) {
            // Those in one word.
            const Input& input = inputs_[first];
            std::size_t last = first;
            Block block{0, input.lane / 64, input.bit.negated};
            for (; last < inputs_.size() && inputs_[last].bit == input.bit &&
                   inputs_[last].lane / 64 == block.word;
                 ++last)
                block.lanes |= std::uint64_t{1} << (inputs_[last].lane % 64);
            if (last - first >= lanes_of_block || lanes.size() >= most_lanes) {
                blocks_.push_back(block);
            } else {
                for (std::size_t i = first; i < last; ++i)
                    lanes.push_back(inputs_[i].lane * 2 + (input.bit.negated ? 1 : 0));
            }
            first = last;
        }
        readers.blocks = static_cast<std::uint16_t>(blocks_.size() - readers.block);
        readers.lanes = static_cast<std::uint16_t>(lanes.size());
        if (lanes.size() <= 2) {
            if (!lanes.empty()) readers.lane = lanes.front();
            if (!lanes.empty()) readers.second = lanes.back();
        } else {
            readers.lane = static_cast<std::uint32_t>(lanes_.size());
            for (const std::uint32_t negated : {0U, 1U}) {
                for (const std::uint32_t reader : lanes) {
                    if (reader % 2 == negated) lanes_.push_back(reader / 2);
                }
                if (negated == 0) readers.second = static_cast<std::uint32_t>(lanes_.size());
            }
        }
        const bool own = word >= first_word_ && word < last_word_;
        if (!own && (sources_.empty() || sources_.back() != word)) sources_.push_back(word);
    }
}

void EventValues::start(const std::uint64_t* words) {
    const std::size_t own = section_.last_word_ - section_.first_word_;
    missing_.assign(own * 64, 0);
    dirty_.assign(own, 0);
    marked_.assign((own + 63) / 64, 0);
    seen_.clear();
    for (const std::uint32_t w : section_.sources_) seen_.push_back(words[w]);
    for (const auto& input : section_.inputs_) {
        if (!input.bit.in(words)) ++missing_[input.lane];
    }
    started_ = true;
}

// One input more is missing, or one less, in these lanes. A counter that goes down reaches zero, or one that goes up
// leaves it, where the lane changes.
inline void EventValues::count(const std::uint32_t* first, const std::uint32_t* last, bool more) {
    Counter* const missing = missing_.data();
    if (more) {
        for (; first != last; ++first) {
            if (missing[*first]++ == 0) mark(*first / 64, std::uint64_t{1} << (*first % 64));
        }
    } else {
        for (; first != last; ++first) {
            if (--missing[*first] == 0) mark(*first / 64, std::uint64_t{1} << (*first % 64));
        }
    }
}

void EventValues::tell(std::uint32_t word, std::uint64_t changed, std::uint64_t now) {
    for (; changed != 0; changed &= changed - 1) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(changed));
        const bool holds = (now >> bit & 1) != 0;
        const EventSection::Readers& readers = section_.readers_[std::size_t{word} * 64 + bit];
        if (readers.lanes <= 2) {
            for (std::uint32_t i = 0; i < readers.lanes; ++i) {
                const std::uint32_t reader = i == 0 ? readers.lane : readers.second;
                const std::uint32_t lane = reader / 2;
                count(&lane, &lane + 1, holds == (reader % 2 != 0));
            }
        } else {
            const std::uint32_t* lanes = section_.lanes_.data();
            count(lanes + readers.lane, lanes + readers.second, !holds);
            count(lanes + readers.second, lanes + readers.lane + readers.lanes, holds);
        }
        const EventSection::Block* blocks = section_.blocks_.data() + readers.block;
        for (std::uint32_t i = 0; i < readers.blocks; ++i) {
            const std::uint64_t changes =
                count_(missing_.data() + std::size_t{blocks[i].word} * 64, blocks[i].lanes,
                       holds == blocks[i].negated ? Counter{1} : Counter(-1));
            if (changes != 0) mark(blocks[i].word, changes);
        }
    }
}

bool EventValues::update(std::uint64_t* words) {
    if (!started_) return false;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        const std::uint32_t w = section_.sources_[i];
        const std::uint64_t changed = words[w] ^ seen_[i];
        if (changed == 0) continue;
        seen_[i] = words[w];
        tell(w, changed, words[w]);
    }
    for (std::size_t m = 0; m < marked_.size(); ++m) {
        while (marked_[m] != 0) {
            const std::size_t own = m * 64 + static_cast<std::size_t>(std::countr_zero(marked_[m]));
            marked_[m] &= marked_[m] - 1;
            const std::uint64_t changed = dirty_[own];
            dirty_[own] = 0;
            const auto w = section_.first_word_ + static_cast<std::uint32_t>(own);
            words[w] ^= changed;
            tell(w, changed, words[w]);
        }
    }
    if (keep_) {
        kept_.assign(words + section_.first_word_, words + section_.last_word_);
        kept_seen_ = seen_;
        kept_missing_ = missing_;
        keep_ = false;
    }
    return true;
}

void EventValues::return_to_start(std::uint64_t* words) {
    if (kept_.empty()) {
        keep_ = true;
        return;
    }
    std::ranges::copy(kept_, words + section_.first_word_);
    std::ranges::copy(kept_seen_, seen_.begin());
    std::ranges::copy(kept_missing_, missing_.begin());
}

}  // namespace zermelo::gdl
