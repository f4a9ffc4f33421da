#include "lsp/requests.hpp"

#include <algorithm>

namespace zermelo::lsp {

namespace {

using nlohmann::json;

json position_json(const Position& position) {
    return {{"line", position.line}, {"character", position.character}};
}

json symbols_json(const Document& document) {
    auto list = json::array();
    for (const Symbol& symbol : document.symbols()) {
        list.push_back({{"name", symbol.name},
                        {"detail", symbol.detail},
                        {"kind", static_cast<int>(symbol.kind)},
                        {"range", range_json(document.text(), symbol.whole)},
                        {"selectionRange", range_json(document.text(), symbol.name_range)}});
    }
    return list;
}

json completions_json(const Document& document, std::size_t at) {
    auto list = json::array();
    for (const Completion& completion : document.completions(at)) {
        list.push_back({{"label", completion.label}, {"kind", static_cast<int>(completion.kind)}});
        if (!completion.detail.empty()) list.back()["detail"] = completion.detail;
    }
    return list;
}

json hover_json(const Document& document, std::size_t at) {
    const auto hover = document.hover(at);
    if (!hover) return nullptr;
    return {{"contents", {{"kind", "markdown"}, {"value", hover->markdown}}},
            {"range", range_json(document.text(), hover->range)}};
}

json formatted_json(const Document& document) {
    const auto formatted = document.formatted();
    if (!formatted || *formatted == document.text().bytes()) return json::array();
    const Range whole{0, document.text().bytes().size()};
    auto edits = json::array();
    edits.push_back({{"range", range_json(document.text(), whole)}, {"newText", *formatted}});
    return edits;
}

json places_json(const std::string& uri, const Document& document, const std::vector<Range>& ranges) {
    auto list = json::array();
    for (const Range& range : ranges)
        list.push_back({{"uri", uri}, {"range", range_json(document.text(), range)}});
    return list;
}

json highlights_json(const Document& document, std::size_t at) {
    auto list = json::array();
    for (const Range& range : document.occurrences(at))
        list.push_back({{"range", range_json(document.text(), range)}});
    return list;
}

// The references that are wanted: without those that are definitions, unless these are asked for.
std::vector<Range> references(const Document& document, std::size_t at, const json& parameters) {
    std::vector<Range> found = document.occurrences(at);
    if (parameters.contains("context") && !parameters["context"].value("includeDeclaration", true)) {
        const auto given = document.definitions(at);
        std::erase_if(found, [&](const Range& range) {
            return std::find(given.begin(), given.end(), range) != given.end();
        });
    }
    return found;
}

json prepared_rename(const Document& document, std::size_t at) {
    if (document.definitions(at).empty()) return nullptr;
    for (const Range& range : document.occurrences(at)) {
        if (range.touches(at)) return range_json(document.text(), range);
    }
    return nullptr;
}

json renamed_json(const std::string& uri, const Document& document, std::size_t at, const json& parameters) {
    const std::string name = parameters.at("newName");
    auto edits = json::array();
    for (const Range& range : document.renaming(at, name))
        edits.push_back({{"range", range_json(document.text(), range)}, {"newText", name}});
    return {{"changes", {{uri, edits}}}};
}

}  // namespace

json range_json(const Text& text, const Range& range) {
    return {{"start", position_json(text.position(range.begin))},
            {"end", position_json(text.position(range.end))}};
}

Position position_in(const json& object) {
    return {object.at("line").get<std::size_t>(), object.at("character").get<std::size_t>()};
}

json answer_about(const std::string& uri, const Document& document, const std::string& wanted,
                  const json& parameters) {
    if (wanted == "formatting") return formatted_json(document);
    if (wanted == "documentSymbol") return symbols_json(document);
    const bool has_place = parameters.contains("position");
    const std::size_t at = has_place ? document.text().offset(position_in(parameters["position"])) : 0;
    if (wanted == "hover") return hover_json(document, at);
    if (wanted == "definition") return places_json(uri, document, document.definitions(at));
    if (wanted == "references") return places_json(uri, document, references(document, at, parameters));
    if (wanted == "documentHighlight") return highlights_json(document, at);
    if (wanted == "completion") return completions_json(document, at);
    if (wanted == "prepareRename") return prepared_rename(document, at);
    if (wanted == "rename") return renamed_json(uri, document, at, parameters);
    throw UnknownMethod{};
}

}  // namespace zermelo::lsp
