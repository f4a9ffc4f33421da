#include "lsp/server.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/format/json_text.hpp"
#include "zermelo/version.hpp"

namespace zermelo::lsp {

namespace {

using nlohmann::json;

// Of JSON-RPC and of the protocol.
enum Code {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    not_initialized = -32002,
    request_failed = -32803
};

constexpr double seconds_for_diagnostics = 10;

// file:///a%20b.kif is /a b.kif. Other addresses stay as they are.
std::string path_of(const std::string& uri) {
    constexpr std::string_view scheme = "file://";
    if (!uri.starts_with(scheme)) return uri;
    std::string path;
    for (std::size_t at = scheme.size(); at < uri.size(); ++at) {
        if (uri[at] == '%' && at + 2 < uri.size()) {
            path += static_cast<char>(std::strtol(uri.substr(at + 1, 2).c_str(), nullptr, 16));
            at += 2;
        } else {
            path += uri[at];
        }
    }
    return path;
}

json json_of(const Position& position) {
    return {{"line", position.line}, {"character", position.character}};
}
json json_of(const Text& text, const Range& range) {
    return {{"start", json_of(text.position(range.begin))}, {"end", json_of(text.position(range.end))}};
}
Position position_in(const json& object) {
    return {object.at("line").get<std::size_t>(), object.at("character").get<std::size_t>()};
}

json capabilities() {
    return {{"capabilities",
             {{"positionEncoding", "utf-16"},
              {"textDocumentSync", {{"openClose", true}, {"change", 2}}},
              {"hoverProvider", true},
              {"definitionProvider", true},
              {"referencesProvider", true},
              {"documentHighlightProvider", true},
              {"renameProvider", {{"prepareProvider", true}}},
              {"documentFormattingProvider", true},
              {"documentSymbolProvider", true},
              {"completionProvider", {{"triggerCharacters", {"(", "?"}}}}}},
            {"serverInfo", {{"name", "zermelo"}, {"version", ZERMELO_VERSION}}}};
}

json symbols_json(const Document& document) {
    auto list = json::array();
    for (const Symbol& symbol : document.symbols()) {
        list.push_back({{"name", symbol.name},
                        {"detail", symbol.detail},
                        {"kind", static_cast<int>(symbol.kind)},
                        {"range", json_of(document.text(), symbol.whole)},
                        {"selectionRange", json_of(document.text(), symbol.name_range)}});
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
            {"range", json_of(document.text(), hover->range)}};
}

json formatted_json(const Document& document) {
    const auto formatted = document.formatted();
    if (!formatted || *formatted == document.text().bytes()) return json::array();
    const Range whole{0, document.text().bytes().size()};
    auto edits = json::array();
    edits.push_back({{"range", json_of(document.text(), whole)}, {"newText", *formatted}});
    return edits;
}

json places_json(const std::string& uri, const Document& document, const std::vector<Range>& ranges) {
    auto list = json::array();
    for (const Range& range : ranges)
        list.push_back({{"uri", uri}, {"range", json_of(document.text(), range)}});
    return list;
}

json highlights_json(const Document& document, std::size_t at) {
    auto list = json::array();
    for (const Range& range : document.occurrences(at))
        list.push_back({{"range", json_of(document.text(), range)}});
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
        if (range.touches(at)) return json_of(document.text(), range);
    }
    return nullptr;
}

struct UnknownMethod {};

}  // namespace

bool Server::run() {
    while (!exit_) {
        if (!stream_.waiting()) publish_changed();
        const auto text = stream_.next();
        if (!text) break;
        const json message = json_or_discarded(*text);
        if (message.is_discarded()) {
            fail(nullptr, parse_error, "this message is no JSON");
        } else {
            handle(message);
        }
    }
    return shut_down_;
}

void Server::fail(const json& id, int code, const std::string& message) {
    stream_.send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::handle(const json& message) {
    const bool call = message.is_object() && message.contains("method") && message["method"].is_string();
    const json id = message.is_object() ? message.value("id", json()) : json();
    if (!call) {
        // An answer to what we have asked: we ask for nothing.
        if (!message.is_object() || !message.contains("id"))
            fail(nullptr, invalid_request, "no method is named");
        return;
    }
    const std::string method = message["method"];
    const json parameters = message.value("params", json::object());
    const bool request = message.contains("id");
    try {
        if (!request) {
            if (initialized_ || method == "exit") notice(method, parameters);
        } else if (!initialized_ && method != "initialize") {
            fail(id, not_initialized, "initialize comes first");
        } else if (shut_down_) {
            fail(id, invalid_request, "the server is shut down");
        } else {
            stream_.send({{"jsonrpc", "2.0"}, {"id", id}, {"result", answer(method, parameters)}});
        }
    } catch (const UnknownMethod&) {
        fail(id, method_not_found, "there is no method " + method);
    } catch (const Error& problem) {
        if (request) fail(id, request_failed, worded(problem.problem() + "; " + problem.remedy()));
    } catch (const json::exception& problem) {
        if (request) fail(id, invalid_params, json_problem(problem));
    }
}

json Server::answer(const std::string& method, const json& parameters) {
    if (method == "initialize") {
        initialized_ = true;
        return capabilities();
    }
    if (method == "shutdown") {
        shut_down_ = true;
        return nullptr;
    }
    constexpr std::string_view about_text = "textDocument/";
    if (!method.starts_with(about_text)) throw UnknownMethod{};
    const std::string wanted = method.substr(about_text.size());
    const std::string uri = parameters.at("textDocument").at("uri");
    const auto found = documents_.find(uri);
    if (found == documents_.end()) throw Error("the document " + uri + " is not open", "open it first");
    if (found->second.document == nullptr) return nullptr;
    const Document& document = *found->second.document;
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
    if (wanted == "rename") return rename(uri, document, at, parameters);
    throw UnknownMethod{};
}

json Server::rename(const std::string& uri, const Document& document, std::size_t at,
                    const json& parameters) const {
    const std::string name = parameters.at("newName");
    auto edits = json::array();
    for (const Range& range : document.renaming(at, name))
        edits.push_back({{"range", json_of(document.text(), range)}, {"newText", name}});
    return {{"changes", {{uri, edits}}}};
}

// ---- documents

void Server::notice(const std::string& method, const json& parameters) {
    if (method == "exit") {
        exit_ = true;
    } else if (method == "textDocument/didOpen") {
        open(parameters.at("textDocument"));
    } else if (method == "textDocument/didChange") {
        change(parameters);
    } else if (method == "textDocument/didClose") {
        close(parameters.at("textDocument").at("uri"));
    }
}

void Server::open(const json& item) {
    Open opened;
    const std::string uri = item.at("uri");
    opened.file = path_of(uri);
    opened.language = item.value("languageId", "");
    opened.version = item.value("version", json());
    opened.document = open_document(opened.file, opened.language, item.at("text"));
    documents_[uri] = std::move(opened);
}

void Server::change(const json& parameters) {
    const auto found = documents_.find(parameters.at("textDocument").at("uri"));
    if (found == documents_.end() || found->second.document == nullptr) return;
    Open& open = found->second;
    for (const json& part : parameters.at("contentChanges")) {
        std::string bytes = part.at("text");
        if (part.contains("range")) {
            const Text& text = open.document->text();
            const std::size_t begin = text.offset(position_in(part["range"].at("start")));
            const std::size_t end = std::max(begin, text.offset(position_in(part["range"].at("end"))));
            bytes = text.bytes().substr(0, begin) + bytes + text.bytes().substr(end);
        }
        open.document = open_document(open.file, open.language, std::move(bytes));
    }
    open.version = parameters["textDocument"].value("version", json());
    open.changed = true;
}

void Server::close(const std::string& uri) {
    const auto found = documents_.find(uri);
    if (found == documents_.end()) return;
    publish(uri, found->second, {});
    documents_.erase(found);
}

void Server::publish_changed() {
    for (auto& [uri, open] : documents_) {
        if (!std::exchange(open.changed, false) || open.document == nullptr) continue;
        const Limits limits(seconds_for_diagnostics, std::nullopt);
        publish(uri, open, open.document->diagnostics(limits));
        if (stream_.waiting()) return;  // the others later
    }
}

void Server::publish(const std::string& uri, const Open& open, const std::vector<Diagnostic>& found) {
    if (open.document == nullptr) return;
    auto list = json::array();
    for (const Diagnostic& diagnostic : found) {
        list.push_back({{"range", json_of(open.document->text(), diagnostic.range)},
                        {"severity", static_cast<int>(diagnostic.severity)},
                        {"source", "zermelo"},
                        {"message", diagnostic.message}});
    }
    json parameters = {{"uri", uri}, {"diagnostics", list}};
    if (open.version.is_number()) parameters["version"] = open.version;
    stream_.send({{"jsonrpc", "2.0"}, {"method", "textDocument/publishDiagnostics"}, {"params", parameters}});
}

}  // namespace zermelo::lsp
