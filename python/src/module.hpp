// The Python module over include/zermelo/: what its files share. One file a capability binds its classes to the module.

#pragma once

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

namespace zermelo::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_problems(py::module_& module);
void bind_games(py::module_& module);
void bind_states(py::module_& module);
void bind_batches(py::module_& module);
void bind_certificates(py::module_& module);
void bind_solving(py::module_& module);
void bind_models(py::module_& module);
void bind_chance_models(py::module_& module);
void bind_players(py::module_& module);
void bind_tournaments(py::module_& module);
void bind_protocol(py::module_& module);

// What a JSON text says, as dictionaries and lists.
[[nodiscard]] inline py::object from_json(const std::string& text) {
    return py::module_::import("json").attr("loads")(text);
}

}  // namespace zermelo::python
