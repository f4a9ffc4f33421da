#include "core/error.hpp"

namespace zermelo {

namespace {

std::string message(const std::string& place, const std::string& problem, const std::string& remedy) {
    std::string text = place.empty() ? problem : place + ": " + problem;
    if (!remedy.empty()) text += "; " + remedy;
    return text;
}

}  // namespace

std::string Place::text() const {
    if (line == 0) return file;
    std::string text = file + ":" + std::to_string(line);
    if (column != 0) text += ":" + std::to_string(column);
    return text;
}

Error::Error(const Place& place, const std::string& problem, const std::string& remedy)
    : std::runtime_error(message(place.text(), problem, remedy)),
      place_(place),
      problem_(problem),
      remedy_(remedy) {}

Error::Error(const std::string& problem, const std::string& remedy)
    : std::runtime_error(message("", problem, remedy)), problem_(problem), remedy_(remedy) {}

}  // namespace zermelo
