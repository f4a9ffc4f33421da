#include "model/flatzinc/output_item.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "model/flatzinc/process.hpp"

namespace zermelo::model {

namespace {

constexpr const char* next_solution = "----------\n";
constexpr const char* missing_compiler = "install the minizinc package";

std::string contents_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string value_text(const Model& model, VarId v, const std::vector<Value>& values) {
    const Value value = values[static_cast<std::size_t>(v)];
    if (!model.variables[static_cast<std::size_t>(v)].boolean) return std::to_string(value);
    return value != 0 ? "true" : "false";
}

// x = 3;   or   xs = array1d(1..2, [3, 4]);
std::string assignment(const Model& model, const Output& output, const std::vector<Value>& values) {
    std::vector<std::string> all;
    for (const VarId v : output.variables) all.push_back(value_text(model, v, values));
    if (!output.array) return fmt::format("{} = {};\n", output.name, all.front());
    std::vector<std::string> sets;
    for (const Domain& set : output.index_sets)
        sets.push_back(set.empty() ? "1..0" : fmt::format("{}..{}", set.low(), set.high()));
    return fmt::format("{} = array{}d({}, [{}]);\n", output.name, sets.size(), fmt::join(sets, ", "),
                       fmt::join(all, ", "));
}

}  // namespace

bool has_output_item(const std::string& text) {
    // Comments and strings out of the way, an item begins the text or follows a semicolon.
    static const std::regex ignored(R"(%[^\n]*|/\*[^*]*\*+([^/*][^*]*\*+)*/|"(\\.|[^"\\\n])*")");
    static const std::regex item(R"((^|;)\s*output\b)");
    return std::regex_search(std::regex_replace(text, ignored, " "), item);
}

std::optional<OutputItem> OutputItem::compile(const std::string& path, const MiniZincOptions& options) {
    namespace fs = std::filesystem;
    if (fs::path(path).extension() != ".mzn" || !has_output_item(contents_of(path))) return std::nullopt;
    const flatzinc::TemporaryDirectory directory;
    const std::string library = options.library.empty() ? installed_minizinc_library() : options.library;
    flatzinc::write(directory / "zermelo.msc", flatzinc::solver_configuration(library));
    std::vector<std::string> arguments = {
        options.compiler, "--solver",          directory / "zermelo.msc",  "-c",
        "--output-base",  directory / "model", fs::absolute(path).string()};
    for (const std::string& file : options.data) arguments.insert(arguments.end(), {"-d", file});
    for (const std::string& definition : options.definitions)
        arguments.insert(arguments.end(), {"-D", definition});
    const Limits limits = options.limits != nullptr ? *options.limits : Limits();
    const auto [said, status] = flatzinc::Child(arguments, missing_compiler, options.memory).finish(limits);
    if (status != 0) return std::nullopt;
    return OutputItem(contents_of(directory / "model.ozn"), options.compiler, options.memory);
}

std::optional<OutputItem> OutputItem::compile_text(const std::string& text, const MiniZincOptions& options) {
    const flatzinc::TemporaryDirectory directory;
    const std::string path = directory / "text.mzn";
    flatzinc::write(path, text);
    return compile(path, options);
}

// A declaration without a value.
bool OutputItem::asks_for(const std::string& name) const {
    const std::string declared = ": " + name + ";";
    return output_model_.find(declared) != std::string::npos;
}

std::optional<std::vector<std::string>> OutputItem::texts(const Model& model,
                                                          const std::vector<std::vector<Value>>& assignments,
                                                          const Limits& limits) const {
    const flatzinc::TemporaryDirectory directory;
    std::string solutions;
    for (const auto& values : assignments) {
        for (const Output& output : model.outputs) {
            if (asks_for(output.name)) solutions += assignment(model, output, values);
        }
        solutions += next_solution;
    }
    flatzinc::write(directory / "model.ozn", output_model_);
    flatzinc::write(directory / "solutions", solutions);
    const auto [said, status] =
        flatzinc::Child({compiler_, "--ozn-file", directory / "model.ozn"}, missing_compiler, memory_,
                        directory / "solutions", directory / "shown")
            .finish(limits);
    if (status != 0) return std::nullopt;
    std::vector<std::string> shown;
    const std::string all = contents_of(directory / "shown");
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = all.find(next_solution, at);
        if (end == std::string::npos) break;
        shown.push_back(all.substr(at, end - at));
        at = end + std::string_view(next_solution).size();
    }
    if (shown.empty()) return std::nullopt;
    return shown;
}

}  // namespace zermelo::model
