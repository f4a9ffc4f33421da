// What zermelo.StochasticModel is made of: the builder of models with chance.

#include "zermelo/stochastic.hpp"

#include "expressions.hpp"
#include "game.hpp"

namespace zermelo::python {

namespace {

using model::IntExpr;
using model::IntExprs;
using model::Value;
using stochastic::StochasticBuilder;

// A fraction, a whole number, or a text such as 1/3 or 0.25.
Rational rational_of(const py::object& number) {
    const std::string exact = py::str(py::module_::import("fractions").attr("Fraction")(number));
    if (const auto read = read_rational(exact)) return *read;
    throw Error(exact + " is no fraction", "write one as in 2/3");
}

IntExpr chance(StochasticBuilder& self, const std::string& name, const Ranges& ranges,
               const std::vector<Value>& weights, const IntExprs& scope,
               const std::vector<std::vector<Value>>& rows) {
    if (scope.empty()) return self.chance(name, domain_of(ranges), weights);
    return self.chance(name, domain_of(ranges), scope, rows);
}

void worth_table(StochasticBuilder& self, const IntExprs& scope, const py::dict& rows) {
    std::vector<StochasticBuilder::Row> all;
    for (const auto& [values, utilities] : rows) {
        StochasticBuilder::Row& row = all.emplace_back();
        row.values = values.cast<std::vector<Value>>();
        for (const auto& utility : utilities)
            row.utilities.push_back(rational_of(py::cast<py::object>(utility)));
    }
    self.worth(scope, all);
}

}  // namespace

void bind_chance_models(py::module_& module) {
    py::class_<StochasticBuilder>(module, "_StochasticBuilder")
        .def(py::init<std::string>(), py::arg("name"))
        .def(
            "decide",
            [](StochasticBuilder& self, const std::string& name, const Ranges& ranges, int player) {
                return self.decide(name, domain_of(ranges), player);
            },
            py::arg("name"), py::arg("ranges"), py::arg("player"))
        .def("chance", &chance, py::arg("name"), py::arg("ranges"), py::arg("weights"), py::arg("given"),
             py::arg("rows"))
        .def("hard", &StochasticBuilder::hard, py::arg("condition"))
        .def(
            "worth",
            [](StochasticBuilder& self, const IntExpr& amount, const py::object& factor, int player) {
                self.worth(amount, rational_of(factor), player);
            },
            py::arg("amount"), py::arg("factor"), py::arg("player"))
        .def("worth_table", &worth_table, py::arg("scope"), py::arg("rows"))
        .def("satisfied", &StochasticBuilder::satisfied, py::arg("condition"))
        .def(
            "threshold",
            [](StochasticBuilder& self, const py::object& least, int player) {
                self.threshold(rational_of(least), player);
            },
            py::arg("least"), py::arg("player"))
        .def("problem", [](const StochasticBuilder& self) { return as_object(make_problem(self.build())); });
}

}  // namespace zermelo::python
