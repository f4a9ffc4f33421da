// Strategy files: a versioned JSON text that other programs can read without our code.
//
//     {
//       "format": "zermelo-strategy",
//       "version": 1, "kind": "strategy",       "counter-strategy" where the owner is "forall"; may be left out
//       "model": "nim-fibonacci",
//       "owner": "exists",            who plays by it: "exists" or "forall"
//       "prefix": [                   every variable that a player chooses, in the order of the play
//         {"name": "x1", "quantifier": "exists", "block": 1, "domain": [[1, 3]]}, ...
//       ],
//       "root": 3,
//       "nodes": [                    children before parents; node 0 is the leaf and is not listed
//         {"id": 1, "variable": "x2", "edges": [{"values": [2], "to": 0}]},
//         {"id": 3, "variable": "y1", "edges": [{"values": [1, [4, 9]], "to": 1}, ...]}, ...
//       ]
//     }
//
// A set of values is a list of numbers and of ranges [low, high]. An edge to 0 claims that the owner has won
// whatever follows within the rules. strategy.hpp says what the graph means.
//
// Reading accepts nodes in any order and with any positive ids, and checks everything that does not need
// playing. It is streaming (SAX): nodes are taken one by one while the text is parsed, so that millions of
// them need no tree of JSON values.

#pragma once

#include <iosfwd>
#include <string>

#include "model/model.hpp"
#include "strategy/strategy.hpp"

namespace zermelo::strategy {

inline constexpr int strategy_format_version = 1;

// The kind of certificate: ∃ has a strategy, ∀ a counter-strategy.
[[nodiscard]] inline const char* kind_name(model::Quantifier owner) {
    return owner == model::Quantifier::exists ? "strategy" : "counter-strategy";
}

void write_json(std::ostream& out, const model::Model& model, const Strategy& strategy);

// Reads a strategy for `model`; throws Error with line and column for broken JSON, with a JSON pointer
// otherwise.
[[nodiscard]] Strategy read_json(std::istream& in, const model::Model& model,
                                 const std::string& file = "strategy");

// The same with files; Error when one cannot be opened or written.
void save_strategy(const std::string& file, const model::Model& model, const Strategy& strategy);
[[nodiscard]] Strategy load_strategy(const std::string& file, const model::Model& model);

// 32 hexadecimal digits that name the strategy: owner, variables by name, moves. Independent of node numbers.
[[nodiscard]] std::string fingerprint(const model::Model& model, const Strategy& strategy);

}  // namespace zermelo::strategy
