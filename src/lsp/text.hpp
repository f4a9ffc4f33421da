// The text of a document. The protocol counts lines from 0 and columns in units of UTF-16; errors of this program count
// both from 1 and columns in bytes.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace zermelo::lsp {

struct Position {
    std::size_t line = 0;
    std::size_t character = 0;

    friend bool operator==(const Position&, const Position&) = default;
};

struct Range {  // of bytes
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] bool contains(std::size_t at) const { return begin <= at && at < end; }
    [[nodiscard]] bool touches(std::size_t at) const { return begin <= at && at <= end; }
    friend bool operator==(const Range&, const Range&) = default;
};

class Text {
public:
    explicit Text(std::string bytes);

    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    [[nodiscard]] std::string_view of(const Range& range) const {
        return std::string_view(bytes_).substr(range.begin, range.end - range.begin);
    }
    [[nodiscard]] Position position(std::size_t offset) const;
    // The nearest place that there is.
    [[nodiscard]] std::size_t offset(const Position& position) const;
    // Of a line and a column that count from 1, the column in bytes.
    [[nodiscard]] std::size_t offset_of_place(int line, int column) const;
    [[nodiscard]] std::size_t line_of(std::size_t offset) const;
    [[nodiscard]] Range line(std::size_t number) const;  // without its end

private:
    std::string bytes_;
    std::vector<std::size_t> starts_;  // of the lines
};

}  // namespace zermelo::lsp
