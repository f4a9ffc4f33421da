// What depth-first search knows about the moves of a game before it starts: their order, which moves of the others go with
// them, and the conjunctions that stand for a role's best goal.

#pragma once

#include <unordered_map>

#include "gdl/analysis/goal_reachability.hpp"
#include "gdl/game.hpp"

namespace zermelo::gdl {

// By role: its moves, bytewise by name.
[[nodiscard]] std::vector<std::vector<MoveId>> moves_by_name(const Game& game);

// By role: the joint moves of the others that random playouts show beside a choice of the role, whose own move is 0. The
// rules do not say it in one place; what playouts do not show turns up later.
[[nodiscard]] std::vector<std::vector<JointMove>> partners_seen(const Machine& machine);

// A gate that stands for a role's best goal, or for a part of it, such as a line.
struct GoalConjunction {
    std::uint8_t roles = 0;  // whose, a bit each
    Signal refuted = Network::never;
};
// By gate of the circuit.
[[nodiscard]] std::unordered_map<std::uint32_t, GoalConjunction> goal_conjunctions(
    const Network& network, const Effects& effects, GoalReachability& reachability);

}  // namespace zermelo::gdl
