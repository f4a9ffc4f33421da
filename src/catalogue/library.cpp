#include "catalogue/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "core/format/json_text.hpp"
#include "game/graph/graph.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::catalogue {

namespace {

namespace fs = std::filesystem;

struct FileType {
    const char* folder;
    const char* ending;
    Kind kind;
    const char* comment;  // what a line of a comment begins with
};
constexpr FileType file_types[] = {
    {"gdl", ".kif", Kind::gdl, ";"},
    {"graphs", ".json", Kind::graph, ""},
    {"graphs", ".dot", Kind::graph, "//"},
    {"quantified", ".mzn", Kind::minizinc, "%"},
    {"strategic", ".mzn", Kind::minizinc, "%"},
    {"stochastic", ".mzn", Kind::minizinc, "%"},
    {"planning", ".mzn", Kind::minizinc, "%"},
};
constexpr const char* hints_ending = ".hints.json";
constexpr std::string_view themes_mark = "Tags:";
constexpr double seconds_to_look = 0.2;  // at one game

std::string read_file(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw Error({file.string()}, "cannot be read", "check the folder of games");
    return text.str();
}

json read_json(const fs::path& file, json otherwise) {
    if (!fs::exists(file)) return otherwise;
    try {
        json read = json_from_text(read_file(file));
        if (read.type() != otherwise.type()) throw Error({file.string()}, "this file has the wrong form");
        return read;
    } catch (const json::exception& problem) {
        throw Error({file.string()}, json_problem(problem), "correct the file");
    }
}

// The comment that heads a text: its first line, and the paragraphs below. Lines of a paragraph are joined,
// unless they are indented, as a drawing is.
struct Heading {
    std::string title;
    std::string words;
    std::vector<std::string> themes;
};

// "a, b" as a and b
std::vector<std::string> listed(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t first = part.find_first_not_of(' ');
        if (first != std::string::npos)
            all.push_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
    }
    return all;
}

Heading heading(const std::string& text, const std::string& comment) {
    Heading found;
    std::istringstream lines(text);
    bool paragraph = false;  // one that goes on
    for (std::string line; std::getline(lines, line) && line.starts_with(comment);) {
        line.erase(0, comment.size());
        if (line.starts_with(' ')) line.erase(0, 1);
        if (found.title.empty()) {
            found.title = line;
        } else if (line.empty()) {
            paragraph = false;
        } else if (line.starts_with(themes_mark)) {
            found.themes = listed(line.substr(themes_mark.size()));
        } else if (!line.starts_with("Written by:")) {
            if (!found.words.empty()) found.words += !paragraph ? "\n\n" : line.starts_with(' ') ? "\n" : " ";
            found.words += line;
            paragraph = true;
        }
    }
    return found;
}

// "Title. The rest.", as graphs have it.
Heading sentence_heading(const std::string& text) {
    const std::size_t stop = text.find_first_of(".:");
    if (stop == std::string::npos) return {text, "", {}};
    return {text.substr(0, stop), text, {}};
}

// A model with neither comments nor what its strings say.
std::string without_comments(const std::string& text) {
    std::string rest;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        if (text[i] == '%') {
            end = text.find('\n', i);
        } else if (text.compare(i, 2, "/*") == 0) {
            end = text.find("*/", i + 2);
            if (end != std::string::npos) end += 2;
        } else if (text[i] == '"') {
            for (++end; end < text.size() && text[end] != '"';) end += text[end] == '\\' ? 2 : 1;
            ++end;
        }
        rest += end == i ? text[i] : ' ';
        if (end == std::string::npos) break;
        i = std::max(end, i + 1);
    }
    return rest;
}

// Parameters that a model leaves open, in the order of the text: `int: n; int: m;`, `1..9: k;`, `opt int: most;`.
// `begin` says what to begin with.
json open_parameters(const std::string& text, const json& begin) {
    static const std::regex declaration(
        R"(^\s*((?:par|int|bool|float|opt|array|set)\b[^:=]*|[A-Z]\w*|-?\w+\s*\.\.[^:=]*):\s*(\w+)\s*$)");
    json parameters = json::array();
    std::istringstream items(without_comments(text));
    for (std::string item; std::getline(items, item, ';');) {
        std::smatch found;
        if (!std::regex_match(item, found, declaration)) continue;
        static const std::regex variable(R"(\bvar\b)");
        if (std::regex_search(found[1].first, found[1].second, variable)) continue;
        const std::string name = found[2];
        parameters.push_back({{"name", name}, {"value", begin.value(name, "")}});
    }
    return parameters;
}

// What games/examples.json gives the parameters of each file, where it is named first.
std::map<std::string, json> example_values(const fs::path& folder) {
    std::map<std::string, json> values;
    for (const json& example : read_json(folder / "examples.json", json::array())) {
        const std::string file = example.value("file", "");
        if (values.contains(file)) continue;
        json& given = values[file] = json::object();
        for (const std::string definition : example.value("define", json::array())) {
            const std::size_t equals = definition.find('=');
            given[definition.substr(0, equals)] = definition.substr(equals + 1);
        }
    }
    return values;
}

json in_languages(const std::string& english, const json& others) {
    json words = {{"en", english}};
    words.update(others);
    return words;
}

json only_drawing(const json& hints) {
    json kept = json::object();
    for (const char* key :
         {"board", "pieces", "roles", "moves", "facts", "dice", "cards", "sheet", "numbers"}) {
        if (hints.contains(key)) kept[key] = hints[key];
    }
    return kept;
}

Shipped read_game(const fs::path& file, const FileType& type, const std::map<std::string, json>& examples) {
    Shipped game;
    const std::string name = file.stem().string();
    game.id = fmt::format("{}/{}", type.folder, name);
    game.file = file.string();
    game.kind = type.kind;
    game.text = read_file(file);
    const json hints = read_json(file.parent_path() / (name + hints_ending), json::object());
    game.hints = only_drawing(hints);

    Heading said = heading(game.text, type.comment);
    Outline about{{"∃", "∀"}, {type.folder}};
    json parameters = json::array();
    if (type.kind == Kind::gdl) {
        about = outline(gdl::parse(game.text, game.file), Limits(seconds_to_look, std::nullopt));
    } else if (type.kind == Kind::graph) {
        const game::Graph graph = game::read_graph(game.file);
        about = {graph.players, {"graph"}};
        if (*type.comment == '\0') said = sentence_heading(graph.description);
    } else {
        if (std::string(type.folder) == "stochastic") about.seats = {"∃"};
        const auto example = examples.find(fmt::format("{}/{}", type.folder, file.filename().string()));
        json begin = example == examples.end() ? json::object() : example->second;
        begin.update(hints.value("parameters", json::object()));
        parameters = open_parameters(game.text, begin);
    }
    game.summary = {
        {"id", game.id},
        {"kind", catalogue::name(game.kind)},
        {"title", in_languages(said.title.empty() ? name : said.title, hints.value("title", json::object()))},
        {"words", in_languages(said.words, hints.value("words", json::object()))},
        {"tags", about.tags},
        {"themes", said.themes},
        {"seats", about.seats},
        {"solved", hints.contains("solved") ? hints["solved"] : json()},
        {"parameters", parameters}};
    return game;
}

}  // namespace

const char* name(Kind kind) {
    switch (kind) {
        case Kind::gdl:
            return "gdl";
        case Kind::minizinc:
            return "minizinc";
        case Kind::graph:
            return "graph";
    }
    return "";
}

Library::Library(const std::string& folder) {
    if (!fs::is_directory(folder)) throw Error({folder}, "this is not a folder of games", "check its name");
    const auto examples = example_values(folder);
    for (const FileType& type : file_types) {
        const fs::path below = fs::path(folder) / type.folder;
        if (!fs::is_directory(below)) continue;
        for (const auto& entry : fs::directory_iterator(below)) {
            const std::string file = entry.path().filename().string();
            if (!entry.is_regular_file() || !file.ends_with(type.ending) || file.ends_with(hints_ending))
                continue;
            games_.push_back(read_game(entry.path(), type, examples));
        }
    }
    std::ranges::sort(games_, {}, &Shipped::id);
}

const Shipped* Library::find(const std::string& id) const {
    const auto found = std::ranges::lower_bound(games_, id, {}, &Shipped::id);
    return found != games_.end() && found->id == id ? &*found : nullptr;
}

}  // namespace zermelo::catalogue
