#include "strategy/format/value_set.hpp"

#include <iterator>

namespace zermelo::strategy {

void append_values(fmt::memory_buffer& out, const std::vector<model::Value>& values) {
    auto to = std::back_inserter(out);
    out.push_back('[');
    for (std::size_t i = 0; i < values.size();) {
        std::size_t last = i;
        while (last + 1 < values.size() && values[last + 1] == values[last] + 1) ++last;
        if (i > 0) fmt::format_to(to, ", ");
        if (last >= i + 2) {
            fmt::format_to(to, "[{}, {}]", values[i], values[last]);
            i = last + 1;
        } else {
            fmt::format_to(to, "{}", values[i]);
            ++i;
        }
    }
    out.push_back(']');
}

void append_ranges(fmt::memory_buffer& out, const model::Domain& domain) {
    auto to = std::back_inserter(out);
    out.push_back('[');
    const char* comma = "";
    for (const model::Domain::Range& range : domain.ranges()) {
        fmt::format_to(to, "{}[{}, {}]", comma, range.low, range.high);
        comma = ", ";
    }
    out.push_back(']');
}

}  // namespace zermelo::strategy
