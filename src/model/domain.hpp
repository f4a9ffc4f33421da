// Domain: a finite set of integers, stored as sorted disjoint ranges.

#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace zermelo::model {

using Value = std::int64_t;

// Gecode's integers end here; a variable of a model may not go beyond.
inline constexpr Value largest_value = 2147483646;

class Domain {
public:
    struct Range {
        Value low;
        Value high;
        friend bool operator==(const Range&, const Range&) = default;
    };

    Domain() = default;             // empty
    Domain(Value low, Value high);  // low … high; empty when low > high
    Domain(std::initializer_list<Value> values) : Domain(std::vector<Value>(values)) {}
    explicit Domain(std::vector<Value> values);  // any order, repetitions allowed

    [[nodiscard]] bool empty() const { return ranges_.empty(); }
    [[nodiscard]] Value low() const { return ranges_.front().low; }
    [[nodiscard]] Value high() const { return ranges_.back().high; }
    [[nodiscard]] bool single() const { return !empty() && low() == high(); }
    [[nodiscard]] std::uint64_t size() const;
    [[nodiscard]] bool contains(Value value) const;
    [[nodiscard]] bool contains(const Domain& other) const;
    [[nodiscard]] Domain intersect(const Domain& other) const;
    [[nodiscard]] const std::vector<Range>& ranges() const { return ranges_; }
    [[nodiscard]] std::vector<Value> values() const;
    [[nodiscard]] std::string text() const;  // 1..3, {0, 2} or 1..3 u 7..9

    template <class Visit>
    void each(Visit visit) const {
        for (const auto& range : ranges_) {
            for (Value value = range.low; value <= range.high; ++value) visit(value);
        }
    }
    friend bool operator==(const Domain&, const Domain&) = default;

private:
    std::vector<Range> ranges_;
};

}  // namespace zermelo::model
