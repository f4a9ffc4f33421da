#include "web/api/source.hpp"

#include <algorithm>
#include <sstream>

namespace zermelo::web {

namespace {

Kind read_kind(const json& reference) {
    for (const Kind kind : {Kind::gdl, Kind::minizinc, Kind::graph}) {
        if (reference.value("kind", json()) == name(kind)) return kind;
    }
    throw Refusal(400, "'kind' must be gdl, minizinc or graph");
}

std::vector<std::string> definitions(const json& reference) {
    std::vector<std::string> all;
    const json given = reference.value("parameters", json::object());
    if (!given.is_object()) throw Refusal(400, "'parameters' must be an object");
    for (const auto& [name, value] : given.items()) {
        if (!value.is_string()) throw Refusal(400, "'parameters' must be texts");
        if (!value.get_ref<const std::string&>().empty())
            all.push_back(name + "=" + value.get_ref<const std::string&>());
    }
    return all;
}

bool is_dot(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && text[first] != '{';
}

// Edges between groups multiply: a short text could stand for more edges than fit into any memory. Graphviz,
// which reads DOT, would not notice before it is too late.
void refuse_groups(const std::string& text) {
    std::size_t braces = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '"') {
            while (++at < text.size() && text[at] != '"') at += text[at] == '\\' ? 1 : 0;
        } else if (text[at] == '{' && ++braces > 1) {
            const auto line =
                1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
            throw Error({"", static_cast<int>(line), 0}, "groups of states in braces are not supported",
                        "name the states one by one");
        }
    }
}

}  // namespace

Source source(const Library& library, const json& reference) {
    if (!reference.is_object()) throw Refusal(400, "a game must be an object");
    const json id = reference.value("id", json());
    if (id.is_string()) {
        const Shipped* game = library.find(id);
        if (game == nullptr) throw Refusal(404, "the library does not have this game");
        return {game->kind, game->summary["title"]["en"], game->file, game->text, definitions(reference)};
    }
    const json text = reference.value("text", json());
    if (!text.is_string()) throw Refusal(400, "a game must have an 'id' or a 'text'");
    return {read_kind(reference), "your game", "", text, definitions(reference)};
}

game::Graph read_graph(const Source& source) {
    std::istringstream in(source.text);
    if (!is_dot(source.text)) return game::read_graph_json(in, source.file);
    if (source.file.empty()) refuse_groups(source.text);
    return game::read_graph_dot(in, source.file);
}

}  // namespace zermelo::web
