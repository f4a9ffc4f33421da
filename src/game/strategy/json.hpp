// Plans that people can read, in the common format of strategies.
//
//     {
//       "format": "zermelo-strategy",
//       "version": 1,
//       "kind": "plan",
//       "game": "tic-tac-toe",
//       "rules": "0123456789abcdef0123456789abcdef",     the fingerprint of the rules
//       "owner": "xplayer",
//       "promise": 50,
//       "fingerprint": "0123456789abcdef0123456789abcdef",     of the plan; may be left out
//       "root": 1,
//       "nodes": [
//         {"id": 1, "player": "xplayer", "state": "…", "edges": [{"moves": ["(mark 2 2)"], "to": 2}]}, ...
//       ]
//     }
//
// 0 is an ended play; edges there also tell the payoffs. A file with several plans has a list "plans" of
// objects with the last five members. plan_graph.hpp tells what the graph means.

#pragma once

#include <iosfwd>

#include "game/strategy/graph.hpp"

namespace zermelo::game {

struct PlanText {
    std::string game;
    Hash128 rules;
    std::vector<PlanGraph> plans;
};

void write_plan_json(std::ostream& out, const PlanText& text);
// Throws Error with line and column for broken JSON, with a JSON pointer otherwise.
[[nodiscard]] PlanText read_plan_json(const std::string& text, const std::string& file);

}  // namespace zermelo::game
