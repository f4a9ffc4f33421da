// Building blocks of reports: number formats, tables for terminals, Markdown and HTML, and the colours of
// pages and pictures.

#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "arena/ratings.hpp"

namespace zermelo::arena {

[[nodiscard]] std::string percent(double share);   // 62 %
[[nodiscard]] std::string range(Interval shares);  // 50 to 73 %
[[nodiscard]] std::string number(double value);    // without zeros at the end: 12, 12.5, 0.33
[[nodiscard]] std::string counted(std::uint64_t count, const std::string& one, const std::string& many);

[[nodiscard]] std::size_t width(std::string_view text);  // characters, not bytes
[[nodiscard]] std::string shortened(const std::string& text, std::size_t most);

// A table: the first row is its head, and the first `names` columns name things; these stand to the left,
// numbers to the right.
using Rows = std::vector<std::vector<std::string>>;
// What stands in a table, in the language of who reads it; nothing: as it is.
using Speak = std::function<std::string(const std::string&)>;
[[nodiscard]] std::string aligned(Rows rows, std::size_t names, const Speak& say = {});
[[nodiscard]] std::string markdown_table(const Rows& rows, std::size_t names);
[[nodiscard]] std::string html_table(const std::string& caption, const Rows& rows, std::size_t names);

// For HTML and SVG alike: between tags and in quoted attributes. What XML does not allow becomes a space.
[[nodiscard]] std::string escaped(std::string_view text);

// A picture with the words above it.
[[nodiscard]] std::string figure(const std::string& caption, const std::string& picture);

// A page of HTML that needs nothing else, for light and dark screens. `body` is HTML, the title is text.
[[nodiscard]] std::string page(const std::string& title, const std::string& body);
// The same colours and letters for a picture that stands alone.
[[nodiscard]] std::string picture_style();
inline constexpr std::size_t series_colours = 6;  // classes series1 … series6 of lines and marks

// A field of CSV, quoted by RFC 4180 where it has to be. A number that is not finite is empty.
[[nodiscard]] std::string field(const std::string& text);
[[nodiscard]] std::string field(double value);

[[nodiscard]] nlohmann::json json_of(double value, Interval interval);

// What games are called in tables: by the names of their files, without folders and endings where they can be
// told apart by that.
[[nodiscard]] std::vector<std::string> game_titles(const std::vector<std::string>& files);

}  // namespace zermelo::arena
