#include "core/format/json_text.hpp"

#include <istream>
#include <nlohmann/json.hpp>

namespace zermelo {

using nlohmann::json;

std::string json_text(const json& value, int indent) {
    return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

json json_from_text(const std::string& text) { return json::parse(text); }

json json_from_text(std::istream& text) { return json::parse(text); }

json json_or_discarded(const std::string& text) { return json::parse(text, nullptr, false); }

std::vector<std::uint8_t> cbor_from_json(const json& value) { return json::to_cbor(value); }

json json_from_cbor(std::span<const std::uint8_t> bytes) { return json::from_cbor(bytes); }

std::string json_problem(const std::exception& error) {
    const std::string message = error.what();
    const std::size_t number =
        message.starts_with("[json.exception.") ? message.find("] ") : std::string::npos;
    return number == std::string::npos ? message : message.substr(number + 2);
}

}  // namespace zermelo
