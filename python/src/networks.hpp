// One turn of a game as a constraint network.

#pragma once

#include "module.hpp"

namespace zermelo::python {

void bind_networks(py::module_& module);

}  // namespace zermelo::python
