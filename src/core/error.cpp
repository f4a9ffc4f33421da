#include "core/error.hpp"

namespace zermelo {

namespace {

std::string message(const std::string& place, const std::string& problem, const std::string& remedy) {
    std::string text = place.empty() ? problem : place + ": " + problem;
    if (!remedy.empty()) text += "; " + remedy;
    return text;
}

// Control characters: they do not occur in what users write.
constexpr char mark_begin = '\x02';
constexpr char mark_end = '\x03';

}  // namespace

std::string setting(const std::string& name, const std::string& value) {
    return mark_begin + name + (value.empty() ? "" : "=" + value) + mark_end;
}

std::string plain_setting(const std::string& name, const std::string& value) {
    return value.empty() ? name : name + " = " + value;
}

std::string worded(const std::string& text, const SettingWords& words) {
    std::string result;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t begin = text.find(mark_begin, at);
        const std::size_t end = text.find(mark_end, begin);
        if (end == std::string::npos) break;
        result += text.substr(at, begin - at);
        const std::string mark = text.substr(begin + 1, end - begin - 1);
        const std::size_t equals = mark.find('=');
        result += equals == std::string::npos ? words(mark, "")
                                              : words(mark.substr(0, equals), mark.substr(equals + 1));
        at = end + 1;
    }
    return result + text.substr(at);
}

std::string Place::text() const {
    if (line == 0) return file;
    std::string text = file + ":" + std::to_string(line);
    if (column != 0) text += ":" + std::to_string(column);
    return text;
}

Error::Error(const Place& place, const std::string& problem, const std::string& remedy)
    : std::runtime_error(worded(message(place.text(), problem, remedy))),
      place_(place),
      problem_(problem),
      remedy_(remedy) {}

Error::Error(const std::string& problem, const std::string& remedy)
    : std::runtime_error(worded(message("", problem, remedy))), problem_(problem), remedy_(remedy) {}

std::string Error::text(const SettingWords& words) const {
    return worded(message(place_.text(), problem_, remedy_), words);
}

}  // namespace zermelo
