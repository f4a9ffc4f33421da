#include "model/flatzinc/minizinc.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "core/files.hpp"
#include "model/flatzinc/flatzinc.hpp"
#include "model/flatzinc/process.hpp"
#include "model/qcir.hpp"
#include "model/qdimacs.hpp"

namespace zermelo::model {

namespace {

namespace fs = std::filesystem;

using flatzinc::Child;
using flatzinc::stop_when_reached;
using flatzinc::TemporaryDirectory;
using flatzinc::write;

// MiniZinc says `Error: what` before or after `file:line.column-…`; we say file:line:column: what.
Error translated(const std::string& said, const std::string& marker, const std::string& path,
                 const std::string& remedy) {
    static const std::regex located(R"((\S[^\n]*?):(\d+)\.(\d+)[-.\d]*:?\s*$)");
    Place place{path};
    std::string problem;
    bool found = false;
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (const auto at = line.find(marker); at != std::string::npos && problem.empty()) {
            problem = line.substr(at + marker.size());
        } else if (!found && std::regex_search(line, match, located) &&
                   (marker == "Error: " || !problem.empty())) {
            found = true;
            const std::string file = match[1].str();
            place = {file == fs::absolute(path).string() ? path : file, std::stoi(match[2].str()),
                     std::stoi(match[3].str())};
        }
    }
    problem.erase(0, problem.find_first_not_of(" :"));
    static const std::regex undefined(R"(variable `(\w+)' must be defined)");
    std::smatch parameter;
    if (std::regex_search(problem, parameter, undefined)) {
        const std::string name = parameter[1].str();
        return {place, fmt::format("the parameter {} has no value", name),
                fmt::format("give it one with {}, or in a data file", setting("define", name + "=VALUE"))};
    }
    if (problem.empty())
        problem = said.empty() ? "MiniZinc failed without a message" : said.substr(0, said.find('\n'));
    return {place, problem, remedy};
}

// Definitions have the form name=value; name=value …
void require_values(const std::string& definitions) {
    std::istringstream parts(definitions);
    for (std::string part; std::getline(parts, part, ';');) {
        constexpr const char* spaces = " \t\n";
        if (part.find_first_not_of(spaces) == std::string::npos) continue;
        const std::size_t equals = part.find('=');
        const std::string name = part.substr(0, equals);
        if (name.find_first_not_of(spaces) == std::string::npos)
            throw Error(
                fmt::format("{}: the name of the parameter is missing", setting("define", definitions)),
                "write NAME=VALUE");
        if (equals == std::string::npos || part.find_first_not_of(spaces, equals + 1) == std::string::npos)
            throw Error(
                fmt::format("{}: syntax error, {} has no value", setting("define", definitions), name),
                fmt::format("write {}=VALUE", name));
    }
}

// MiniZinc says `cmd:/n=many:1:3: …` of the definition n=many, and of some mistakes not even where they are.
Error about_definitions(const Error& said, const std::vector<std::string>& definitions) {
    constexpr std::string_view from_definition = "cmd:/";
    const std::string& file = said.place().file;
    if (file == "unknown file" && !definitions.empty())
        return Error(fmt::format("{}: {}", setting("define", fmt::format("{}", fmt::join(definitions, "; "))),
                                 said.problem()),
                     "give values of the types that the model declares");
    if (!file.starts_with(from_definition)) return said;
    const std::string definition = file.substr(from_definition.size());
    const std::string name = definition.substr(0, definition.find('='));
    static const std::regex undefined(R"(undefined identifier `(\w+)'(?:, did you mean `(\w+)'\?)?)");
    std::smatch match;
    if (std::regex_search(said.problem(), match, undefined) && match[1].str() == name)
        return Error(fmt::format("{}: the model has no parameter {}", setting("define", definition), name),
                     (match[2].matched ? fmt::format("did you mean {}? ", match[2].str()) : "") +
                         "name one that the model declares");
    if (said.problem().find("multiple assignment") != std::string::npos)
        return Error(fmt::format("{}: {} has a value already", setting("define", definition), name),
                     "give it once, here, in the model or in a data file");
    return Error(fmt::format("{}: {}", setting("define", definition), said.problem()),
                 "give a value of the type that the model declares");
}

std::ifstream open(const std::string& path) {
    std::error_code ignored;
    std::ifstream file(path, std::ios::binary);
    if (fs::is_directory(path, ignored)) throw Error({path}, "the file cannot be opened", "check its name");
    if (!file)
        throw Error({path}, "the file cannot be opened", remedy_for_unreadable(path, "check its name"));
    return file;
}

// A contradiction at compile time makes MiniZinc drop the quantifiers too, and with them the question.
bool speaks_of_moves(const std::string& path, const std::string& extra) {
    std::ostringstream text;
    text << open(path).rdbuf() << extra;
    return text.str().find("zermelo.mzn") != std::string::npos;
}

}  // namespace

std::string installed_minizinc_library() {
    std::error_code problem;
    const fs::path program = fs::read_symlink("/proc/self/exe", problem);
    fs::path prefix = program.parent_path().parent_path();
    for (int levels = 0; !problem && levels < 2; ++levels, prefix = prefix.parent_path()) {
        const fs::path library = prefix / "share" / "minizinc" / "zermelo";
        if (fs::exists(library / "zermelo.mzn", problem)) return library.string();
    }
    return "";
}

namespace {

// What the compiler is called with; `recorded` says whether it records what it infers about variables
// instead of narrowing them.
std::vector<std::string> compilation(const std::string& path, const MiniZincOptions& options,
                                     const TemporaryDirectory& directory, bool recorded) {
    // In dzn mode every top-level variable keeps its name; the paths say where in the model a constraint
    // stands.
    std::vector<std::string> arguments = {options.compiler,
                                          "--solver",
                                          directory / "zermelo.msc",
                                          "-c",
                                          "--keep-paths",
                                          "--output-mode",
                                          "dzn",
                                          "--output-base",
                                          directory / "model",
                                          fs::absolute(path).string()};
    if (recorded) arguments.push_back("-g");
    if (!options.include_folder.empty()) {
        arguments.push_back("-I");
        arguments.push_back(fs::absolute(options.include_folder).string());
    }
    if (!options.extra.empty()) arguments.push_back(directory / "extra.mzn");
    for (const std::string& file : options.data) {
        arguments.push_back("-d");
        arguments.push_back(file);
    }
    for (const std::string& definition : options.definitions) {
        require_values(definition);
        arguments.push_back("-D");
        arguments.push_back(definition);
    }
    return arguments;
}

// The strings of a list that starts at `at`; nothing else may stand in it.
std::vector<std::string> listed_strings(const std::string& text, std::size_t at) {
    std::vector<std::string> strings;
    for (; at < text.size() && text[at] != ']'; ++at) {
        if (text[at] != '"') continue;
        std::string& string = strings.emplace_back();
        for (++at; at < text.size() && text[at] != '"'; ++at) {
            if (text[at] == '\\' && at + 1 < text.size()) ++at;
            string += text[at];
        }
    }
    return strings;
}

// Values of enums get their names from the output model: it prints `x` by `"x = ",_toString_COLOUR(x,…)` and has an
// array of strings for COLOUR.
void name_enum_values(Model& model, const std::string& output_model) {
    std::map<std::string, std::shared_ptr<const std::vector<std::string>>> enums;
    const auto names_of = [&](const std::string& type) {
        const auto [known, added] = enums.try_emplace(type, nullptr);
        const std::string start = "_" + type + " = [";
        for (std::size_t at = output_model.find("_enum_to_string_"); added && at != std::string::npos;
             at = output_model.find("_enum_to_string_", at + 1)) {
            const std::size_t digits = output_model.find_first_not_of("0123456789", at + 16);
            if (digits == std::string::npos || output_model.compare(digits, start.size(), start) != 0)
                continue;
            known->second = std::make_shared<const std::vector<std::string>>(
                listed_strings(output_model, digits + start.size()));
            break;
        }
        return known->second;
    };
    for (const Output& output : model.outputs) {
        const std::string printed = "\"" + output.name + " = \",_toString_";
        const std::size_t at = output_model.find(printed);
        if (at == std::string::npos) continue;
        const std::size_t type = at + printed.size();
        const std::size_t end = output_model.find('(', type);
        if (end == std::string::npos) continue;
        const auto names = names_of(output_model.substr(type, end - type));
        for (const VarId v : output.variables)
            model.variables[static_cast<std::size_t>(v)].value_names = names;
    }
}

// Compiles, and reads what came out. There is no reading where MiniZinc found a contradiction and dropped the
// quantifiers with everything else; `contradiction` then says where.
std::optional<Reading> compile(const std::string& path, const MiniZincOptions& options,
                               const TemporaryDirectory& directory, bool recorded,
                               std::optional<Error>& contradiction) {
    const Limits limits = options.limits != nullptr ? *options.limits : Limits();
    const auto [said, status] =
        Child(compilation(path, options, directory, recorded), "install the minizinc package", options.memory)
            .finish(limits);
    // Ctrl-C at a terminal reaches the compiler too, perhaps before us.
    if (status != 0) stop_when_reached(limits);
    if (options.memory > 0 && (status == 128 + SIGXFSZ || said.find("bad_alloc") != std::string::npos))
        throw LimitReached(Stop::memory, "while MiniZinc compiled the model", "take a smaller instance");
    if (status != 0) throw about_definitions(translated(said, "Error: ", path, ""), options.definitions);
    const auto found = said.find("Warning: model inconsistency detected");
    if (found != std::string::npos && speaks_of_moves(path, options.extra)) {
        contradiction =
            translated(said.substr(found), "Warning: ", path, "put conditions on the moves into win(...)");
        return std::nullopt;
    }
    auto file = open(directory / "model.fzn");
    Reading reading = read_flatzinc(file, path, recorded);
    std::ostringstream output_model;
    output_model << open(directory / "model.ozn").rdbuf();
    name_enum_values(reading.model, output_model.str());
    return reading;
}

}  // namespace

Model read_minizinc(const std::string& path, const MiniZincOptions& options) {
    open(path);
    const std::string library = options.library.empty() ? installed_minizinc_library() : options.library;
    if (library.empty() || !fs::exists(fs::path(library) / "zermelo.mzn")) {
        throw Error({library}, "the library zermelo.mzn is not found",
                    "install Zermelo, or say where the library is");
    }
    const TemporaryDirectory directory;
    write(directory / "zermelo.msc", flatzinc::solver_configuration(library));
    if (!options.extra.empty()) write(directory / "extra.mzn", options.extra);
    for (const std::string& file : options.data) open(file);
    // Recording makes larger FlatZinc, so it is for models that need it.
    std::optional<Error> contradiction;
    std::optional<Reading> reading = compile(path, options, directory, false, contradiction);
    if (!reading || reading->doubt) reading = compile(path, options, directory, true, contradiction);
    if (!reading) throw Error(*contradiction);
    return std::move(reading->model);
}

namespace {

// Calls the file of a text as its author does.
void rename_places(Model& model, const std::string& from, const std::string& to) {
    const auto rename = [&](Place& place) {
        if (place.file == from) place.file = to;
    };
    if (model.name == from) model.name = to;
    for (Variable& variable : model.variables) rename(variable.declared);
    for (Block& block : model.prefix) rename(block.place);
    for (Constraint& constraint : model.constraints) rename(constraint.place);
    for (Cut& cut : model.cuts) rename(cut.place);
}

}  // namespace

Model read_minizinc_text(const std::string& text, const std::string& name, const MiniZincOptions& options) {
    const TemporaryDirectory directory;
    const std::string path = directory / "text.mzn";
    write(path, text);
    try {
        Model model = read_minizinc(path, options);
        rename_places(model, path, name);
        return model;
    } catch (const LimitReached&) {
        throw;
    } catch (const Error& problem) {
        Place place = problem.place();
        if (place.file != path) place = {};  // in the library
        place.file = name;
        throw Error(place, problem.problem(), problem.remedy());
    }
}

Model read_model(const std::string& path, const MiniZincOptions& options) {
    const std::string extension = fs::path(path).extension().string();
    if (extension == ".mzn") return read_minizinc(path, options);
    auto file = open(path);
    if (extension == ".fzn") return read_flatzinc(file, path);
    if (extension == ".qdimacs" || extension == ".cnf") return read_qdimacs(file, path);
    if (extension == ".qcir") return read_qcir(file, path);
    throw Error({path}, "the format of this file is not known", "use .mzn, .fzn, .qdimacs, .cnf or .qcir");
}

}  // namespace zermelo::model
