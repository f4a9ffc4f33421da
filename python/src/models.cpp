// What zermelo.Model is made of: expressions with operators, and the builder of quantified models.

#include "zermelo/model.hpp"

#include "expressions.hpp"
#include "game.hpp"

namespace zermelo::python {

namespace {

using model::BoolExpr;
using model::BoolExprs;
using model::Domain;
using model::IntExpr;
using model::IntExprs;
using model::ModelBuilder;
using model::Value;

[[noreturn]] bool no_truth(const py::object&) {
    throw py::type_error(
        "an expression of a model has no truth value; write & | ~ for and, or, not, and (a <= b) & (b <= c) "
        "for a chain");
}

// m.some, m.every and so on, by name: one variable, or an array of them.
py::object add(ModelBuilder& self, const std::string& role, const std::string& name, const Ranges& ranges,
               std::optional<int> count) {
    const Domain domain = domain_of(ranges);
    if (role == "var" && !count) return py::cast(self.declare(name, domain));
    if (role == "some")
        return count ? py::cast(self.exists(name, *count, domain)) : py::cast(self.exists(name, domain));
    if (role == "every")
        return count ? py::cast(self.forall(name, *count, domain)) : py::cast(self.forall(name, domain));
    if (role == "also")
        return count ? py::cast(self.also(name, *count, domain)) : py::cast(self.also(name, domain));
    if (role == "every_consistent")
        return count ? py::cast(self.forall_consistent(name, *count, domain))
                     : py::cast(self.forall_consistent(name, domain));
    if (role == "state")
        return count ? py::cast(self.state(name, *count, domain)) : py::cast(self.state(name, domain));
    throw Error("there is no kind of variable " + role,
                "choose some, every, also, every_consistent, state or var");
}

void take(ModelBuilder& self, const std::string& role, const IntExprs& declared) {
    if (role == "some") return self.exists(declared);
    if (role == "every") return self.forall(declared);
    if (role == "also") return self.also(declared);
    if (role == "every_consistent") return self.forall_consistent(declared);
    if (role == "state") return self.state(declared);
    throw Error("there is no kind of block " + role, "choose some, every, also, every_consistent or state");
}

void bind_numbers(py::module_& module) {
    py::class_<IntExpr>(module, "IntExpr", "A whole number that depends on the variables of a model.")
        .def(py::init([](Value value) { return IntExpr(value); }))
        .def(py::init([](const BoolExpr& truth) { return IntExpr(truth); }))
        .def(
            "__add__", [](const IntExpr& a, const IntExpr& b) { return a + b; }, py::is_operator())
        .def(
            "__radd__", [](const IntExpr& a, const IntExpr& b) { return b + a; }, py::is_operator())
        .def(
            "__sub__", [](const IntExpr& a, const IntExpr& b) { return a - b; }, py::is_operator())
        .def(
            "__rsub__", [](const IntExpr& a, const IntExpr& b) { return b - a; }, py::is_operator())
        .def(
            "__mul__", [](const IntExpr& a, const IntExpr& b) { return a * b; }, py::is_operator())
        .def(
            "__rmul__", [](const IntExpr& a, const IntExpr& b) { return b * a; }, py::is_operator())
        .def(
            "__floordiv__", [](const IntExpr& a, const IntExpr& b) { return a / b; }, py::is_operator(),
            "Division towards zero, as in MiniZinc.")
        .def(
            "__rfloordiv__", [](const IntExpr& a, const IntExpr& b) { return b / a; }, py::is_operator())
        .def(
            "__mod__", [](const IntExpr& a, const IntExpr& b) { return a % b; }, py::is_operator(),
            "The remainder, with the sign of the first number, as in MiniZinc.")
        .def(
            "__rmod__", [](const IntExpr& a, const IntExpr& b) { return b % a; }, py::is_operator())
        .def(
            "__pow__", [](const IntExpr& a, const IntExpr& b) { return pow(a, b); }, py::is_operator())
        .def("__neg__", [](const IntExpr& a) { return -a; })
        .def("__abs__", [](const IntExpr& a) { return abs(a); })
        .def(
            "__eq__", [](const IntExpr& a, const IntExpr& b) { return a == b; }, py::is_operator())
        .def(
            "__ne__", [](const IntExpr& a, const IntExpr& b) { return a != b; }, py::is_operator())
        .def(
            "__lt__", [](const IntExpr& a, const IntExpr& b) { return a < b; }, py::is_operator())
        .def(
            "__le__", [](const IntExpr& a, const IntExpr& b) { return a <= b; }, py::is_operator())
        .def(
            "__gt__", [](const IntExpr& a, const IntExpr& b) { return a > b; }, py::is_operator())
        .def(
            "__ge__", [](const IntExpr& a, const IntExpr& b) { return a >= b; }, py::is_operator())
        .def("__bool__", &no_truth)
        .attr("__hash__") = py::none();
    py::implicitly_convertible<py::int_, IntExpr>();
    py::implicitly_convertible<BoolExpr, IntExpr>();
}

void bind_truths(py::module_& module) {
    py::class_<BoolExpr>(module, "BoolExpr", "A condition on the variables of a model; as a number, 0 or 1.")
        .def(py::init([](bool value) { return BoolExpr(value); }))
        .def(
            "__and__", [](const BoolExpr& a, const BoolExpr& b) { return a && b; }, py::is_operator())
        .def(
            "__rand__", [](const BoolExpr& a, const BoolExpr& b) { return b && a; }, py::is_operator())
        .def(
            "__or__", [](const BoolExpr& a, const BoolExpr& b) { return a || b; }, py::is_operator())
        .def(
            "__ror__", [](const BoolExpr& a, const BoolExpr& b) { return b || a; }, py::is_operator())
        .def(
            "__xor__", [](const BoolExpr& a, const BoolExpr& b) { return xor_(a, b); }, py::is_operator())
        .def("__invert__", [](const BoolExpr& a) { return !a; })
        .def(
            "implies", [](const BoolExpr& a, const BoolExpr& b) { return implies(a, b); }, py::arg("other"),
            "Whether the other one holds where this one does.")
        .def(
            "iff", [](const BoolExpr& a, const BoolExpr& b) { return iff(a, b); }, py::arg("other"),
            "Whether both hold, or none.")
        .def(
            "__add__", [](const BoolExpr& a, const IntExpr& b) { return IntExpr(a) + b; }, py::is_operator())
        .def(
            "__radd__", [](const BoolExpr& a, const IntExpr& b) { return b + IntExpr(a); }, py::is_operator())
        .def(
            "__mul__", [](const BoolExpr& a, const IntExpr& b) { return IntExpr(a) * b; }, py::is_operator())
        .def(
            "__rmul__", [](const BoolExpr& a, const IntExpr& b) { return b * IntExpr(a); }, py::is_operator())
        .def("__bool__", &no_truth);
    py::implicitly_convertible<py::bool_, BoolExpr>();
}

void bind_functions(py::module_& module) {
    module.def(
        "minimum", [](const IntExprs& all) { return min(all); }, py::arg("numbers"),
        "The least of some numbers.");
    module.def(
        "maximum", [](const IntExprs& all) { return max(all); }, py::arg("numbers"), "The greatest of them.");
    module.def(
        "total", [](const IntExprs& all) { return sum(all); }, py::arg("numbers"), "Their sum.");
    module.def(
        "element", [](const IntExprs& array, const IntExpr& index) { return element(array, index); },
        py::arg("array"), py::arg("index"), "The element at an index, counted from 1 as in MiniZinc.");
    module.def(
        "count", [](const IntExprs& array, const IntExpr& value) { return count(array, value); },
        py::arg("array"), py::arg("value"), "How many elements have the value.");
    module.def(
        "choose",
        [](const BoolExpr& condition, const IntExpr& then, const IntExpr& otherwise) {
            return if_then_else(condition, then, otherwise);
        },
        py::arg("condition"), py::arg("then"), py::arg("otherwise"), "A number by a condition.");
    module.def(
        "all_of", [](const BoolExprs& all) { return all_of(all); }, py::arg("conditions"),
        "Whether all of them hold.");
    module.def(
        "any_of", [](const BoolExprs& all) { return any_of(all); }, py::arg("conditions"),
        "Whether one of them holds.");
    module.def(
        "member",
        [](const IntExpr& a, const std::vector<Value>& values) { return member(a, Domain(values)); },
        py::arg("number"), py::arg("values"), "Whether a number is one of these.");
    module.def(
        "table",
        [](const IntExprs& columns, const std::vector<std::vector<Value>>& rows) {
            return table(columns, rows);
        },
        py::arg("columns"), py::arg("rows"), "Whether the numbers are one of the rows.");
    module.def(
        "all_different", [](const IntExprs& all) { return all_different(all); }, py::arg("numbers"),
        "Whether no two of them are equal.");
}

}  // namespace

Domain domain_of(const Ranges& ranges) {
    if (ranges.size() == 1) return Domain(ranges.front().first, ranges.front().second);
    std::vector<Value> values;
    for (const auto& [low, high] : ranges) {
        for (Value value = low; value <= high; ++value) values.push_back(value);
    }
    return Domain(values);
}

void bind_models(py::module_& module) {
    bind_numbers(module);
    bind_truths(module);
    bind_functions(module);
    py::class_<ModelBuilder>(module, "_Builder")
        .def(py::init<std::string>(), py::arg("name"))
        .def("add", &add, py::arg("role"), py::arg("name"), py::arg("ranges"), py::arg("count"))
        .def("take", &take, py::arg("role"), py::arg("declared"))
        .def("rule", &ModelBuilder::rule, py::arg("condition"))
        .def("win", &ModelBuilder::win, py::arg("condition"))
        .def("require", &ModelBuilder::require, py::arg("condition"))
        .def("cut", &ModelBuilder::cut, py::arg("when"), py::arg("claim"))
        .def("maximise", &ModelBuilder::maximise, py::arg("objective"))
        .def("problem", [](const ModelBuilder& self) { return as_object(make_problem(self.build())); });
}

}  // namespace zermelo::python
