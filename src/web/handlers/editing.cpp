// API: what the page's editor asks of a text while it is written. The functions of the language server answer, in the
// JSON of its protocol; what they tell is translated line by line.

#include <algorithm>
#include <array>
#include <sstream>

#include "lsp/requests.hpp"
#include "web/api/source.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"

namespace zermelo::web {

namespace {

constexpr std::array<std::string_view, 6> requests = {"hover",         "definition", "references",
                                                      "prepareRename", "rename",     "formatting"};
constexpr std::size_t longest_text = std::size_t{256} << 10;  // names are looked for in all of it
constexpr double domain_seconds = 2;

// Without the code in it, which is the text's own.
std::string spoken_markdown(const Call& call, const std::string& markdown) {
    std::string said;
    std::istringstream lines(markdown);
    bool code = false;
    for (std::string line; std::getline(lines, line);) {
        const bool fence = line.starts_with("```");
        said += (code || fence ? line : call.spoken(line)) + "\n";
        if (fence) code = !code;
    }
    return said;
}

json answer_about(const Library& library, const Call& call) {
    const std::string& request = call.path.front();
    if (std::ranges::find(requests, request) == requests.end()) throw Refusal(404, "unknown path");
    const Source asked = source(library, call.body);
    if (asked.text.size() > longest_text)
        throw Refusal(413, "this text is too long for the editor to look names up in");
    const auto document = lsp::open_document("", std::string(name(asked.kind)), asked.text);
    if (document == nullptr) return {{"result", nullptr}};
    const Limits limits = call.limits(domain_seconds);
    const LimitScope scope(limits);
    json result = lsp::answer_about("", *document, request, call.body);
    if (request == "hover" && !result.is_null()) {
        json& told = result["contents"]["value"];
        told = spoken_markdown(call, told.get<std::string>());
    }
    return {{"result", std::move(result)}};
}

}  // namespace

void add_editing(Router& router, GameCache& cache) {
    router.work("POST", "/api/editor/{request}",
                [&library = cache.library()](const Call& call) { return answer_about(library, call); });
}

}  // namespace zermelo::web
