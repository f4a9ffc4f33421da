// Files of equilibria, within the common format of strategies:
//
//     { "format": "zermelo-strategy", "version": 1, "kind": "equilibrium",
//       "game": "kuhn-poker.kif", "rules": "9f…",                     the fingerprint of the rules
//       "by": "views",                                                or "states"
//       "value": {"role": "first", "lower": "875/18", "upper": "875/18"},
//       "strategies": [
//         {"role": "first",
//          "choices": [{"at": "wait [(card jack)]", "moves": {"bet": "1/3", "check": "2/3"}}, …]}, … ] }

#pragma once

#include <iosfwd>

#include "equilibrium/equilibrium.hpp"

namespace zermelo::equilibrium {

void write_json(std::ostream& out, const Equilibrium& equilibrium, const std::string& game,
                const Hash128& rules);

// What can be told without playing is checked. Throws Error with line and column for broken JSON, with a JSON
// pointer otherwise; also where it was made for other rules.
[[nodiscard]] Equilibrium read_json(const std::string& text, const std::string& file, const Hash128& rules);

// For people: the value, and the mixture at each information set, at most `most` of them.
void write_text(std::ostream& out, const Equilibrium& equilibrium, std::size_t most);

// As a picture, by Graphviz: an information set is a node, its moves are edges with their probabilities.
void write_dot(std::ostream& out, const Equilibrium& equilibrium, std::size_t most);

}  // namespace zermelo::equilibrium
