// Places of a FlatZinc program: in the model that MiniZinc compiled where it kept its paths, or else in the
// text itself.

#include <algorithm>
#include <charconv>

#include "model/flatzinc/syntax.hpp"

namespace zermelo::model::flatzinc {

namespace {

// A path of MiniZinc is `file|line|column|…;file|line|column|…;…` from the item down to the expression; the
// last step that is still in the item's own file is what the modeller wrote.
std::optional<Place> source(std::string_view path) {
    if (path.size() < 2) return std::nullopt;
    path = path.substr(1, path.size() - 2);
    const std::string_view file = path.substr(0, path.find('|'));
    std::optional<Place> place;
    while (!path.empty()) {
        const std::string_view step = path.substr(0, path.find(';'));
        path.remove_prefix(std::min(step.size() + 1, path.size()));
        if (!step.starts_with(file) || step.size() <= file.size()) continue;
        const char* end = step.data() + step.size();
        Place here{std::string(file)};
        const auto line = std::from_chars(step.data() + file.size() + 1, end, here.line);
        if (line.ec != std::errc{} || line.ptr == end || *line.ptr != '|') continue;
        if (std::from_chars(line.ptr + 1, end, here.column).ec == std::errc{}) place = std::move(here);
    }
    return place;
}

}  // namespace

Place Program::place(const Origin& origin) const {
    if (auto written = source(origin.path)) {
        if (written->file == full_name) written->file = file;
        return *written;
    }
    if (has_paths) return {file};
    const auto after = std::upper_bound(lines.begin(), lines.end(), origin.at);
    const auto line = static_cast<std::size_t>(after - lines.begin());
    const std::size_t start = line == 0 ? 0 : lines[line - 1];
    return {file, static_cast<int>(line), static_cast<int>(origin.at - start) + 1};
}

}  // namespace zermelo::model::flatzinc
