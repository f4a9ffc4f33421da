// zermelo.Problem: rules in any language, and reading them.

#include "game.hpp"
#include "long_call.hpp"
#include "zermelo/catalogue.hpp"

namespace zermelo::python {

namespace {

const char* kind_name(const Problem& problem) {
    switch (problem.kind()) {
        case Problem::Kind::gdl:
            return "gdl";
        case Problem::Kind::graph:
            return "graph";
        case Problem::Kind::quantified:
            return "quantified";
        case Problem::Kind::stochastic:
            return "stochastic";
    }
    return "";
}

std::string value_text(const py::handle& value) {
    if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
    if (!py::isinstance<py::str>(value) && py::isinstance<py::sequence>(value)) {
        std::string all;
        for (const auto& element : value) all += (all.empty() ? "" : ", ") + value_text(element);
        return "[" + all + "]";
    }
    return py::str(value);
}

// Parameters are name = value for MiniZinc.
ReadOptions reading(const py::dict& parameters, const std::vector<std::string>& data,
                    const std::string& maximise, const std::string& library, std::optional<double> seconds) {
    ReadOptions options;
    options.limits = limits_of(seconds, std::nullopt);
    options.minizinc.data = data;
    options.minizinc.library = library;
    options.objective = maximise;
    for (const auto& [name, value] : parameters)
        options.minizinc.definitions.push_back(std::string(py::str(name)) + "=" + value_text(value));
    return options;
}

Language language_named(const std::string& name) {
    static const std::map<std::string, Language> languages = {
        {"gdl", Language::gdl},           {"graph", Language::graph},     {"minizinc", Language::minizinc},
        {"flatzinc", Language::flatzinc}, {"qdimacs", Language::qdimacs}, {"qcir", Language::qcir}};
    const auto found = languages.find(name);
    if (found == languages.end())
        throw Error("there is no language " + name, "choose gdl, graph, minizinc, flatzinc, qdimacs or qcir");
    return found->second;
}

}  // namespace

std::shared_ptr<ProblemObject> as_object(Problem problem) {
    if (problem.gdl() != nullptr) return std::make_shared<GameObject>(std::move(problem));
    return std::make_shared<ProblemObject>(std::move(problem));
}

void bind_problems(py::module_& module) {
    py::class_<ProblemObject, std::shared_ptr<ProblemObject>>(module, "Problem", "Rules that can be solved.")
        .def_property_readonly(
            "kind", [](const ProblemObject& self) { return kind_name(self.problem); },
            "gdl, graph, quantified or stochastic.")
        .def_property_readonly(
            "file", [](const ProblemObject& self) { return self.problem.file(); },
            "What messages and certificates call it.")
        .def_property_readonly(
            "title", [](const ProblemObject& self) { return self.problem.title(); },
            "The file's name without folders.")
        .def("__repr__", [](const ProblemObject& self) {
            return std::string("<zermelo ") + kind_name(self.problem) + " " + self.problem.title() + ">";
        });
    module.def(
        "_read",
        [](const std::string& file, const py::dict& parameters, const std::vector<std::string>& data,
           const std::string& maximise, const std::string& library, std::optional<double> seconds) {
            const ReadOptions options = reading(parameters, data, maximise, library, seconds);
            return as_object(long_call([&] { return read(file, options); }));
        },
        py::arg("file"), py::arg("parameters"), py::arg("data"), py::arg("maximise"), py::arg("library"),
        py::arg("seconds"));
    module.def(
        "_read_text",
        [](const std::string& text, const std::string& language, const std::string& name,
           const py::dict& parameters, const std::vector<std::string>& data, const std::string& maximise,
           const std::string& library, std::optional<double> seconds) {
            const ReadOptions options = reading(parameters, data, maximise, library, seconds);
            const Language chosen = language_named(language);
            return as_object(long_call([&] { return read_text(text, chosen, name, options); }));
        },
        py::arg("text"), py::arg("language"), py::arg("name"), py::arg("parameters"), py::arg("data"),
        py::arg("maximise"), py::arg("library"), py::arg("seconds"));
    module.def(
        "_library",
        [](const std::string& folder) {
            py::list all;
            const auto library = long_call([&] { return catalogue::Library(folder); });
            for (const catalogue::Shipped& game : library.games()) {
                py::object summary = from_json(game.summary.dump());
                summary["file"] = game.file;
                all.append(summary);
            }
            return all;
        },
        py::arg("folder"));
}

}  // namespace zermelo::python
