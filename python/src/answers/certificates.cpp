// zermelo.Certificate: what proves a verdict.

#include "answers/strategy.hpp"

#include <sstream>

#include "long_call.hpp"
#include "zermelo/pictures.hpp"

namespace zermelo::python {

namespace {

py::dict check_certificate(const CertificateObject& self, std::optional<double> seconds,
                           std::optional<std::size_t> memory, const py::object& listener) {
    ProgressReport progress(listener);
    CheckOptions options;
    options.limits = limits_of(seconds, memory);
    options.progress = [&](const std::string& text) { progress.say(text, 0); };
    const Report report =
        long_call([&] { return check(self.problem->problem, *self.certificate, options); }, &progress);
    using namespace py::literals;
    return py::dict("valid"_a = report.valid,
                    "stop"_a = report.stop == Stop::none ? "" : describe(report.stop),
                    "positions"_a = report.positions, "scenarios"_a = report.scenarios,
                    "counterexample"_a = report.counterexample);
}

std::string problem_dot(const ProblemObject& self) {
    if (self.problem.graph() == nullptr)
        throw Error({self.problem.file()}, "only graphs have a picture of their own", "draw its strategies");
    std::ostringstream out;
    game::write_graph_dot(out, *self.problem.graph());
    return out.str();
}

}  // namespace

py::object fraction(const Rational& number) {
    return py::module_::import("fractions").attr("Fraction")(text(number));
}

py::dict mixture_dict(const equilibrium::Mixture& mixture) {
    py::dict all;
    for (const auto& [move, probability] : mixture) all[py::str(move)] = fraction(probability);
    return all;
}

void bind_certificates(py::module_& module) {
    py::class_<CertificateObject>(module, "Certificate", "What proves a verdict.")
        .def_property_readonly(
            "problem", [](const CertificateObject& self) { return self.problem; },
            "The rules that it is for.")
        .def_property_readonly(
            "kind", [](const CertificateObject& self) { return self.certificate->kind(); },
            "strategy, counter-strategy, plan, thresholds, policy or equilibrium.")
        .def("__len__", [](const CertificateObject& self) { return self.certificate->size(); })
        .def("__bool__", [](const CertificateObject& self) { return !self.certificate->empty(); })
        .def_property_readonly("strategies", &strategies_of, "How those play whose play it fixes.")
        .def(
            "save",
            [](const CertificateObject& self, const py::object& file) {
                const std::string name = py::module_::import("os").attr("fspath")(file).cast<std::string>();
                run_long([&] { save(name, self.problem->problem, *self.certificate); });
            },
            py::arg("file"), "Writes a file that `zermelo verify` and Problem.load() read.")
        .def(
            "data",
            [](const CertificateObject& self) {
                return from_json(
                    long_call([&] { return to_json_text(self.problem->problem, *self.certificate); }));
            },
            "All of it, as dictionaries and lists.")
        .def("_check", &check_certificate, py::arg("seconds"), py::arg("memory"), py::arg("progress"));
    bind_strategies(module);
    module.def(
        "_load_certificate",
        [](const std::shared_ptr<ProblemObject>& problem, const std::string& file) {
            auto loaded =
                long_call([&] { return std::make_shared<const Certificate>(load(file, problem->problem)); });
            return CertificateObject{problem, std::move(loaded)};
        },
        py::arg("problem"), py::arg("file"));
    module.def("_problem_dot", &problem_dot, py::arg("problem"));
}

}  // namespace zermelo::python
