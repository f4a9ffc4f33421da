// Errors become exceptions with the place, the problem and the remedy as attributes (zermelo/errors.py).

#include "module.hpp"
#include "zermelo/solve.hpp"

namespace zermelo::python {

namespace {

py::object number_or_none(int number) {
    if (number == 0) return py::none();
    return py::int_(number);
}

py::object text_or_none(const std::string& text) {
    if (text.empty()) return py::none();
    return py::str(text);
}

// The exception as Python knows it. Settings are keyword arguments here, so they are written in plain words.
py::object exception_of(const Error& error, const char* type) {
    py::object made = py::module_::import("zermelo.errors").attr(type)(error.what());
    made.attr("file") = text_or_none(error.place().file);
    made.attr("line") = number_or_none(error.place().line);
    made.attr("column") = number_or_none(error.place().column);
    made.attr("problem") = worded(error.problem());
    made.attr("remedy") = text_or_none(worded(error.remedy()));
    return made;
}

void raise(const py::object& exception) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

const char* word(Stop stop) {
    switch (stop) {
        case Stop::time:
            return "time";
        case Stop::memory:
            return "memory";
        case Stop::interrupted:
            return "interrupted";
        case Stop::none:
            break;
    }
    return "";
}

}  // namespace

void bind_errors(py::module_&) {
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const LimitReached& limit) {
            const py::object made = exception_of(limit, "LimitReached");
            made.attr("stop") = word(limit.stop());
            raise(made);
        } catch (const Error& error) {
            raise(exception_of(error, "Error"));
        }
    });
}

}  // namespace zermelo::python
