// The rules of a description, as they are written.

#pragma once

#include <string>
#include <vector>

#include "gdl/syntax/parse.hpp"

namespace zermelo::gdl {

inline std::vector<std::string> rule_texts(const std::string& input) {
    const Description game = parse(input, "g.kif");
    std::vector<std::string> result;
    for (const Rule& rule : game.rules) result.push_back(text(game, rule));
    return result;
}

}  // namespace zermelo::gdl
