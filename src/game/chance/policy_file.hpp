// Files of policies: JSON where the name ends in .json, and a compact form otherwise.
//
//     { "format": "zermelo-strategy", "version": 1, "kind": "policy",
//       "game": "dice-race.kif", "rules": "9f…",                    the fingerprint of the rules
//       "policies": [
//         {"claim": "guarantee", "player": "alice", "owners": ["alice"], "values": ["61/2"], "exact": true,
//          "endless": "50",
//          "choices": [{"state": "…", "move": "(choose calm)"}, …],   what the owners play, by state
//          "circles": [{"state": "…", "value": "30"}, …]}, … ] }      what states are worth where circles close
//
// Reading walks the game along the policy, state by state. A state that is missing ends the walk, and a move
// that is none becomes one that does not exist: the checker (verify_policy.hpp) finds both. The compact form
// holds the numbers of policy.hpp, compressed.

#pragma once

#include "game/chance/policy.hpp"

namespace zermelo::game {

struct PolicyFile {
    std::string game;
    Hash128 rules;
    std::vector<ChancePolicy> policies;
};

[[nodiscard]] bool is_compact_policy(const std::string& bytes);
[[nodiscard]] std::string encode_policies(const PolicyFile& file);  // the compact form

// Instantiated in policy_file.cpp for the games of this room that have chance.
template <Game G>
[[nodiscard]] std::string policies_json(G& game, const PolicyFile& file, const Limits& limits = {});
// Either form. Throws Error about `file`, LimitReached.
template <Game G>
[[nodiscard]] std::vector<ChancePolicy> read_policies(const std::string& bytes, const std::string& file,
                                                      G& game, Hash128 rules, const Limits& limits = {});

}  // namespace zermelo::game
