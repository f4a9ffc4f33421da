// What builders of models take from Python.

#pragma once

#include <utility>
#include <vector>

#include "module.hpp"
#include "zermelo/model.hpp"

namespace zermelo::python {

using Ranges = std::vector<std::pair<model::Value, model::Value>>;  // from … to

[[nodiscard]] model::Domain domain_of(const Ranges& ranges);

}  // namespace zermelo::python
