// Whether two signals cannot both hold, as far as the gates that they consist of show it at sight.

#include <algorithm>

#include "scsp/mutex/induction.hpp"

namespace zermelo::scsp {

using gdl::Signal;
using gdl::Truth;

namespace {

constexpr int most_depth = 10;                  // of gates that are taken apart to compare two signals
constexpr int most_comparisons = 300;           // of their parts
constexpr std::uint64_t most_work = 6'000'000;  // comparisons in a round

}  // namespace

// The fluent or condition that the signal says to hold now.
std::optional<std::uint32_t> MutexInduction::member_of(Signal s) const {
    if (!s.negated() && s.node() > 0 && s.node() < network_.first_move) return s.node() - 1;
    const auto found = conditions_.find(s.code());
    return found == conditions_.end() ? std::nullopt : std::optional(found->second);
}

bool MutexInduction::in_one_group(std::uint32_t f, std::uint32_t g) const {
    return f != g && std::ranges::any_of(groups_of_[f], [&](std::uint32_t group) {
               return std::ranges::find(groups_of_[g], group) != groups_of_[g].end();
           });
}

bool MutexInduction::exclusive(Signal a, Signal b) {
    comparisons_ = most_comparisons;
    cut_short_ = false;
    return exclusive(a, b, most_depth);
}

// Whether the two cannot both hold: a disjunction if none of its parts can, a conjunction if one of its parts
// cannot. The answers are kept while the case is the same.
bool MutexInduction::exclusive(Signal a, Signal b, int depth) {
    a = filter_.resolve(a);
    b = filter_.resolve(b);
    if (filter_.truth(a) == Truth::no || filter_.truth(b) == Truth::no || a == !b) return true;
    if (a == b) return false;
    const auto member_a = member_of(a);
    const auto member_b = member_of(b);
    if (member_a && member_b && in_one_group(*member_a, *member_b)) return true;
    const auto is_gate = [&](Signal s) {
        return s.node() >= network_.first_gate && filter_.truth(s) == Truth::unknown;
    };
    if (!is_gate(a) && !is_gate(b)) return false;
    if (depth == 0 || comparisons_ == 0 || work_ > most_work) {
        cut_short_ = true;
        return false;
    }
    --comparisons_;
    ++work_;
    const std::uint64_t key =
        std::uint64_t{std::min(a.code(), b.code())} << 32 | std::max(a.code(), b.code());
    if (const auto [known, added] = compared_.try_emplace(key, false); !added) return known->second;
    const bool result = parts_exclude(a, b, depth);
    if (result)
        compared_[key] = true;
    else if (cut_short_)
        compared_.erase(key);
    return result;
}

bool MutexInduction::parts_exclude(Signal a, Signal b, int depth) {
    // First what can be seen at once: two conjunctions with an input and its negation.
    if (!a.negated() && !b.negated() && a.node() >= network_.first_gate && b.node() >= network_.first_gate) {
        for (const Signal s : turn_.inputs_of(a.node())) {
            for (const Signal t : turn_.inputs_of(b.node())) {
                if (s == !t) return true;
            }
        }
    }
    for (const bool disjunction : {true, false}) {
        for (const bool swapped : {false, true}) {
            const Signal whole = swapped ? b : a;
            const Signal other = swapped ? a : b;
            if (whole.node() < network_.first_gate || filter_.truth(whole) != Truth::unknown ||
                whole.negated() != disjunction)
                continue;
            const auto inputs = turn_.inputs_of(whole.node());
            const auto part_is = [&](Signal s) { return exclusive(disjunction ? !s : s, other, depth - 1); };
            if (disjunction) return std::ranges::all_of(inputs, part_is);
            if (std::ranges::any_of(inputs, part_is)) return true;
        }
    }
    return false;
}

}  // namespace zermelo::scsp
