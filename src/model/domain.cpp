#include "model/domain.hpp"

#include <fmt/format.h>

namespace zermelo::model {

Domain::Domain(Value low, Value high) {
    if (low <= high) ranges_.push_back({low, high});
}

Domain::Domain(std::vector<Value> values) {
    std::sort(values.begin(), values.end());
    for (const Value value : values) {
        if (!ranges_.empty() && value <= ranges_.back().high + 1) {
            ranges_.back().high = value;
        } else {
            ranges_.push_back({value, value});
        }
    }
}

std::uint64_t Domain::size() const {
    std::uint64_t total = 0;
    for (const auto& range : ranges_) total += static_cast<std::uint64_t>(range.high - range.low) + 1;
    return total;
}

bool Domain::contains(Value value) const {
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), value,
                                        [](Value v, const Range& range) { return v < range.low; });
    return after != ranges_.begin() && value <= std::prev(after)->high;
}

bool Domain::contains(const Domain& other) const { return intersect(other) == other; }

Domain Domain::intersect(const Domain& other) const {
    Domain result;
    auto a = ranges_.begin();
    auto b = other.ranges_.begin();
    while (a != ranges_.end() && b != other.ranges_.end()) {
        const Value low = std::max(a->low, b->low);
        const Value high = std::min(a->high, b->high);
        if (low <= high) result.ranges_.push_back({low, high});
        if (a->high < b->high) {
            ++a;
        } else {
            ++b;
        }
    }
    return result;
}

std::vector<Value> Domain::values() const {
    std::vector<Value> all;
    all.reserve(size());
    each([&](Value value) { all.push_back(value); });
    return all;
}

std::string Domain::text() const {
    if (empty()) return "{}";
    const bool scattered = std::all_of(ranges_.begin(), ranges_.end(),
                                       [](const Range& range) { return range.high - range.low <= 1; });
    if (scattered && ranges_.size() > 1) return fmt::format("{{{}}}", fmt::join(values(), ", "));
    std::string text;
    for (const auto& range : ranges_) {
        if (!text.empty()) text += " u ";
        text += range.low == range.high ? fmt::format("{}", range.low)
                                        : fmt::format("{}..{}", range.low, range.high);
    }
    return text;
}

}  // namespace zermelo::model
