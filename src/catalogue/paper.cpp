#include "catalogue/paper.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "core/format/json_text.hpp"

namespace zermelo::catalogue {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string text_or_nothing(const json& object, const char* key) {
    const json value = object.value(key, json());
    return value.is_null() ? "" : value.get<std::string>();
}

Experiment::What what(const std::string& word) {
    if (word == "networks") return Experiment::What::networks;
    if (word == "models") return Experiment::What::models;
    if (word == "matches") return Experiment::What::matches;
    throw Error("'what' is " + word, "it must be networks, models or matches");
}

json how_of(const json& object) {
    const json how = object.value("how", json::object());
    for (const auto& [key, value] : how.items()) {
        const bool known = key == "search"                       ? value == "algorithm 1"
                           : key == "statistic" || key == "keys" ? value.is_string()
                           : key == "times" || key == "share"    ? value.is_number()
                           : key == "matrix"
                               ? value.is_object()
                               : value.is_boolean() && (key == "as_qcsp" || key == "cuts" ||
                                                        key == "pure_values" || key == "symmetry");
        if (!known)
            throw Error("'how' has " + key + ": " + json_text(value),
                        "src/catalogue/paper.hpp says what it may have");
    }
    return how;
}

Experiment::Part part(const json& object) {
    Experiment::Part read;
    read.title = text_or_nothing(object, "title");
    read.player = text_or_nothing(object, "player");
    read.alone = object.value("alone", false);
    for (const json& column : object.at("columns"))
        read.columns.push_back({column.at("title"), text_or_nothing(column, "ours"), how_of(column)});
    if (object.contains("figure")) {
        const json& axes = object.at("figure");
        read.figure = Experiment::Axes{axes.at("x"), axes.at("y")};
    }
    read.remarks = object.value("remarks", std::vector<std::string>());
    for (const json& row : object.at("rows")) {
        read.rows.push_back({row.at("title"), row.at("game"), row.value("define", std::vector<std::string>()),
                             row.at("published"), how_of(row)});
        if (read.rows.back().published.size() != read.columns.size())
            throw Error("the row " + read.rows.back().title + " does not have a figure for each column",
                        "write null for a missing figure");
    }
    return read;
}

Experiment experiment(const fs::path& file) {
    try {
        std::ifstream in(file);
        const json object = json_from_text(in);
        Experiment read;
        read.name = file.stem().string();
        read.aliases = object.value("aliases", std::vector<std::string>());
        read.title = object.at("title");
        read.from = object.at("from");
        read.what = what(object.at("what"));
        for (const json& one : object.at("parts")) read.parts.push_back(part(one));
        return read;
    } catch (const json::exception& problem) {
        throw Error({file.string()}, json_problem(problem), "correct the file");
    } catch (const Error& problem) {
        throw Error({file.string()}, problem.problem(), problem.remedy());
    }
}

}  // namespace

std::vector<Experiment> experiments(const std::string& folder) {
    std::vector<Experiment> all;
    const fs::path papers = fs::path(folder) / "papers";
    if (!fs::is_directory(papers)) return all;
    for (const auto& entry : fs::directory_iterator(papers)) {
        if (entry.path().extension() == ".json") all.push_back(experiment(entry.path()));
    }
    std::ranges::sort(all, {}, &Experiment::name);
    return all;
}

const Experiment* find_experiment(std::span<const Experiment> all, std::string_view name) {
    if (const auto found = std::ranges::find(all, name, &Experiment::name); found != all.end())
        return &*found;
    const auto known_as = [&](const Experiment& one) {
        return std::ranges::find(one.aliases, name) != one.aliases.end();
    };
    const auto found = std::ranges::find_if(all, known_as);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace zermelo::catalogue
