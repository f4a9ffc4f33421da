// JSON files: a parser that says where a text is no JSON, and a cursor that knows its place in the document
// (a JSON pointer, RFC 6901), so that every complaint about a file tells which value is wrong.
//
// This header is large to compile; only who reads or writes JSON includes it.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace zermelo {

// What complaints about a file have in common.
struct JsonFile {
    std::string name;
    std::string what;         // it should be: "strategy"
    std::string not_json;     // remedy where it is no JSON, or nested too deeply
    int deepest = 16;         // how far it may be nested, so that reading needs no deep stack
    std::string remedy = {};  // where a complaint has none of its own
};

// `take` sees every value while the text is parsed, and may leave it out of the document by answering false.
// Throws Error with line and column.
[[nodiscard]] nlohmann::json parse_json(const std::string& text, const JsonFile& file,
                                        const nlohmann::json::parser_callback_t& take = nullptr);

// A text as JSON writes it, in quotation marks; what is not UTF-8 is replaced.
[[nodiscard]] std::string quoted_json(const std::string& text);

// A value of a document. The file and the document must outlive it. All functions that ask for something
// throw Error where it is not there or of another type.
class JsonCursor {
public:
    JsonCursor(const JsonFile& file, const nlohmann::json& value, std::string pointer = "")
        : file_(&file), value_(&value), pointer_(std::move(pointer)) {}

    [[nodiscard]] const nlohmann::json& value() const { return *value_; }
    [[nodiscard]] const std::string& pointer() const { return pointer_; }

    // A complaint about this value: `file: /pointer: problem; remedy`.
    [[nodiscard]] Error wrong(const std::string& problem) const { return wrong(problem, file_->remedy); }
    [[nodiscard]] Error wrong(const std::string& problem, const std::string& remedy) const;

    // --- objects ---
    [[nodiscard]] JsonCursor member(const char* name) const;
    [[nodiscard]] std::optional<JsonCursor> find(const char* name) const;
    // A member that nobody knows is more often a slip of the pen than meant to be passed over.
    void allow_only(std::initializer_list<std::string_view> members) const;

    // --- lists ---
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] JsonCursor element(std::size_t index) const;

    class Elements;
    [[nodiscard]] Elements elements() const;

    // --- values ---
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::int64_t integer() const;
    [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most) const;

private:
    void require_object() const;
    // The hint is for files that a person writes: those without a remedy of their own.
    [[nodiscard]] Error wrong_type(const std::string& problem, const std::string& hint) const;

    const JsonFile* file_;
    const nlohmann::json* value_;
    std::string pointer_;
};

// for (const JsonCursor& element : list.elements())
class JsonCursor::Elements {
public:
    explicit Elements(JsonCursor list) : list_(std::move(list)), size_(list_.size()) {}

    struct Iterator {
        const JsonCursor* list;
        std::size_t index;
        JsonCursor operator*() const { return list->element(index); }
        Iterator& operator++() {
            ++index;
            return *this;
        }
        bool operator==(const Iterator& other) const { return index == other.index; }
    };
    [[nodiscard]] Iterator begin() const { return {&list_, 0}; }
    [[nodiscard]] Iterator end() const { return {&list_, size_}; }

private:
    JsonCursor list_;
    std::size_t size_;
};

inline JsonCursor::Elements JsonCursor::elements() const { return Elements(*this); }

}  // namespace zermelo
