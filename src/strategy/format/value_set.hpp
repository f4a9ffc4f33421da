// Sets of values as files have them: a list of numbers and of ranges [low, high], for example [1, [4, 9]].

#pragma once

#include <fmt/format.h>

#include <vector>

#include "model/domain.hpp"

namespace zermelo::strategy {

// `values` is sorted. A range pays from three values on.
void append_values(fmt::memory_buffer& out, const std::vector<model::Value>& values);
// All of it as ranges, even of one value.
void append_ranges(fmt::memory_buffer& out, const model::Domain& domain);

}  // namespace zermelo::strategy
