#include "core/format/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/format/json_text.hpp"

namespace zermelo {

using nlohmann::json;

namespace {

// Of a byte that is counted from 1, as the library does.
Place place_of(const std::string& file, const std::string& text, std::size_t byte) {
    Place place{file, 1, 1};
    for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
        place.column = text[i] == '\n' ? 1 : place.column + 1;
        if (text[i] == '\n') ++place.line;
    }
    return place;
}

// The library's message without its number and its own idea of the place.
std::string reason(const json::parse_error& error) {
    const std::string message = json_problem(error);
    const auto start = message.find(": ");
    return start == std::string::npos ? message : message.substr(start + 2);
}

std::optional<std::int64_t> integer_in(const json& value) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > most))
        return std::nullopt;
    return value.get<std::int64_t>();
}

}  // namespace

json parse_json(const std::string& text, const JsonFile& file, const json::parser_callback_t& take) {
    try {
        return json::parse(text, [&](int depth, json::parse_event_t event, json& parsed) {
            if (depth > file.deepest)
                throw Error({file.name}, "this is nested too deeply for a " + file.what, file.not_json);
            return !take || take(depth, event, parsed);
        });
    } catch (const json::parse_error& error) {
        throw Error(place_of(file.name, text, error.byte), "this is not JSON: " + reason(error),
                    file.not_json);
    } catch (const json::exception& error) {
        throw Error({file.name}, json_problem(error), file.remedy);
    }
}

std::string quoted_json(const std::string& text) { return json_text(json(text)); }

Error JsonCursor::wrong(const std::string& problem, const std::string& remedy) const {
    return Error({file_->name}, pointer_.empty() ? problem : pointer_ + ": " + problem, remedy);
}

Error JsonCursor::wrong_type(const std::string& problem, const std::string& hint) const {
    return wrong(problem, file_->remedy.empty() ? hint : file_->remedy);
}

void JsonCursor::require_object() const {
    if (!value_->is_object()) throw wrong_type("this should be an object", "put it between { and }");
}

JsonCursor JsonCursor::member(const char* name) const {
    if (auto found = find(name)) return std::move(*found);
    throw wrong(fmt::format("\"{}\" is missing", name));
}

std::optional<JsonCursor> JsonCursor::find(const char* name) const {
    require_object();
    const auto found = value_->find(name);
    if (found == value_->end()) return std::nullopt;
    return JsonCursor(*file_, *found, pointer_ + '/' + name);
}

void JsonCursor::allow_only(std::initializer_list<std::string_view> members) const {
    require_object();
    for (const auto& [name, value] : value_->items()) {
        if (std::ranges::find(members, std::string_view(name)) != members.end()) continue;
        throw JsonCursor(*file_, value, (json::json_pointer(pointer_) / name).to_string())
            .wrong("this is unknown here", fmt::format("write one of {}", fmt::join(members, ", ")));
    }
}

std::size_t JsonCursor::size() const {
    if (!value_->is_array()) throw wrong_type("this should be a list", "put it between [ and ]");
    return value_->size();
}

JsonCursor JsonCursor::element(std::size_t index) const {
    return {*file_, value_->at(index), fmt::format("{}/{}", pointer_, index)};
}

std::string JsonCursor::text() const {
    if (!value_->is_string()) throw wrong_type("this should be a text", "put it between quotation marks");
    return value_->get<std::string>();
}

std::int64_t JsonCursor::integer() const {
    const auto number = integer_in(*value_);
    if (!number) throw wrong("this should be an integer");
    return *number;
}

std::int64_t JsonCursor::integer(std::int64_t least, std::int64_t most) const {
    const auto number = integer_in(*value_);
    if (!number || *number < least || *number > most)
        throw wrong(fmt::format("this should be an integer from {} to {}", least, most));
    return *number;
}

}  // namespace zermelo
