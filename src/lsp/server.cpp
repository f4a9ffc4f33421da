#include "lsp/server.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/format/json_text.hpp"
#include "lsp/requests.hpp"
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
    return answer_about(uri, document, wanted, parameters);
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
        list.push_back({{"range", range_json(open.document->text(), diagnostic.range)},
                        {"severity", static_cast<int>(diagnostic.severity)},
                        {"source", "zermelo"},
                        {"message", diagnostic.message}});
    }
    json parameters = {{"uri", uri}, {"diagnostics", list}};
    if (open.version.is_number()) parameters["version"] = open.version;
    stream_.send({{"jsonrpc", "2.0"}, {"method", "textDocument/publishDiagnostics"}, {"params", parameters}});
}

}  // namespace zermelo::lsp
