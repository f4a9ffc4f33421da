// JSON as text (RFC 8259) and as CBOR (RFC 8949), which unlike text keeps every number, infinity included, and every byte.
//
// The library's readers and writers are large templates. They are compiled here, once for all who read or write a value.

#pragma once

#include <cstdint>
#include <exception>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace zermelo {

// On one line, or indented by so many spaces; what is not UTF-8 is replaced.
[[nodiscard]] std::string json_text(const nlohmann::json& value, int indent = -1);

// For what the program wrote itself: throws nlohmann::json::parse_error. parse_json() tells people what is wrong with a file.
[[nodiscard]] nlohmann::json json_from_text(const std::string& text);
[[nodiscard]] nlohmann::json json_from_text(std::istream& text);
// Discarded where the text is no JSON.
[[nodiscard]] nlohmann::json json_or_discarded(const std::string& text);

[[nodiscard]] std::vector<std::uint8_t> cbor_from_json(const nlohmann::json& value);
// Throws nlohmann::json::parse_error.
[[nodiscard]] nlohmann::json json_from_cbor(std::span<const std::uint8_t> bytes);

// What the library found wrong, without its number of it: "type must be string, but is number".
[[nodiscard]] std::string json_problem(const std::exception& error);

}  // namespace zermelo
