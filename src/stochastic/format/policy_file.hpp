// Policy files (JSON), DOT pictures and plain text.
//
//     {
//       "format": "zermelo-strategy",
//       "version": 1,
//       "kind": "policy",
//       "model": "example-1",
//       "order": [                    every decision and chance variable, in the order of the play
//         {"name": "x1", "kind": "decision", "player": 1, "stage": 1, "domain": [[0, 2]]},
//         {"name": "y", "kind": "chance", "stage": 1, "domain": [[0, 2]]}, ...
//       ],
//       "utilities": ["2/3"],         what is claimed: the expected utility of each player
//       "root": 2,
//       "nodes": [                    children before parents; node 0 is the leaf and is not listed
//         {"id": 1, "variable": "y", "edges": [{"values": [[0, 2]], "probability": "1", "to": 0}]},
//         {"id": 2, "variable": "x1", "edges": [{"values": [0], "to": 1}]}, ...
//       ]
//     }
//
// A set of values is a list of numbers and of ranges [low, high], a probability or utility a fraction in a
// string. policy.hpp says what the graph means. Reading accepts nodes in any order and with any positive ids,
// and checks everything that does not need playing; verify.hpp checks whether the numbers are right.

#pragma once

#include <iosfwd>
#include <string>

#include "stochastic/policy.hpp"

namespace zermelo::stochastic {

inline constexpr int policy_format_version = 1;

void write_json(std::ostream& out, const StochasticModel& model, const Policy& policy);

// Reads a policy for `model`; throws Error with line and column for broken JSON, with a JSON pointer
// otherwise.
[[nodiscard]] Policy read_json(std::istream& in, const StochasticModel& model,
                               const std::string& file = "policy");

// The same with files; Error when one cannot be opened or written.
void save_policy(const std::string& file, const StochasticModel& model, const Policy& policy);
[[nodiscard]] Policy load_policy(const std::string& file, const StochasticModel& model);

// For Graphviz: decisions are boxes, chance variables ellipses, whose arrows tell values and probability.
// Only the nodes nearest to the root are drawn; a note tells how many are not.
void write_dot(std::ostream& out, const StochasticModel& model, const Policy& policy,
               std::size_t most_nodes = 300);

// The same as lines of text. `how_to_see_more`, if any, goes with the note.
void write_text(std::ostream& out, const StochasticModel& model, const Policy& policy,
                std::size_t most_nodes = 300, const std::string& how_to_see_more = "");

}  // namespace zermelo::stochastic
