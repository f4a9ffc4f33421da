// Requests about one document (Language Server Protocol 3.17, textDocument/…): hover, definition, references, rename,
// formatting and their like, in the JSON of the protocol. The server of editors and the page's server answer by it.

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lsp/document.hpp"

namespace zermelo::lsp {

struct UnknownMethod {};

[[nodiscard]] Position position_in(const nlohmann::json& object);
[[nodiscard]] nlohmann::json range_json(const Text& text, const Range& range);

// The result of the request textDocument/`wanted`; `uri` is what the protocol calls the document. Throws UnknownMethod,
// Error where a new name would make another game, and json::exception where parameters are missing.
[[nodiscard]] nlohmann::json answer_about(const std::string& uri, const Document& document,
                                          const std::string& wanted, const nlohmann::json& parameters);

}  // namespace zermelo::lsp
