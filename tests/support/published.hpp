// Published games and what a reference prover says about them; the directory is optional.

#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace zermelo::published {

inline const std::string directory = ZERMELO_SOURCE_DIR "/../shared/gdl";

// With ZERMELO_ALL_STEPS set, everything is compared, which takes a long time.
inline bool everything() { return std::getenv("ZERMELO_ALL_STEPS") != nullptr; }

// With ZERMELO_PART=K/N beside it, only every Nth game from the Kth on: a part of that time.
inline bool in_part(std::size_t game) {
    const char* part = std::getenv("ZERMELO_PART");
    if (part == nullptr) return true;
    char* rest = nullptr;
    const std::size_t first = std::strtoul(part, &rest, 10);
    const std::size_t step = *rest == '/' ? std::strtoul(rest + 1, nullptr, 10) : 0;
    if (first == 0 || first > step) throw std::runtime_error("ZERMELO_PART is K/N, for example 2/5");
    return game % step == first - 1;
}

inline bool present() { return std::filesystem::exists(directory + "/traces.tsv"); }

inline std::vector<std::string> split(const std::string& text, const std::string& separator) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t at = 0; (at = text.find(separator, from)) != std::string::npos;
         from = at + separator.size()) {
        parts.push_back(text.substr(from, at - from));
    }
    parts.push_back(text.substr(from));
    return parts;
}

// Lines as lists of fields, by game; comments and the heading left out.
inline std::map<std::string, std::vector<std::vector<std::string>>> table(const std::string& name) {
    std::map<std::string, std::vector<std::vector<std::string>>> result;
    std::ifstream input(directory + "/" + name);
    for (std::string line; std::getline(input, line);) {
        if (line.starts_with('#') || line.starts_with("game\t")) continue;
        auto fields = split(line, "\t");
        result[fields.front()].push_back(std::move(fields));
    }
    return result;
}

inline std::string path(const std::string& game) { return directory + "/" + game; }

inline std::vector<std::string> games() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        if (entry.path().extension() == ".kif") names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace zermelo::published
