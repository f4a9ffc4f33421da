// Stepping: playing a game move by move, whoever evaluates the rules. The Runner of a machine, compiled rules
// and the reasoner fit, so what only needs to play (perft, random playouts) is written once.

#pragma once

#include <concepts>

#include "gdl/compiled/compiled_rules.hpp"
#include "gdl/reasoner/reasoner.hpp"

namespace zermelo::gdl {

static_assert(std::same_as<JointMove, Reasoner::Joint>);

template <class T>
concept Stepping = requires(T rules, const typename T::State& state, typename T::State& out, std::size_t role,
                            const JointMove& joint, std::vector<MoveId>& moves) {
    rules.load(state);  // the questions below are about this state
    { rules.terminal() } -> std::same_as<bool>;
    { rules.goal(role) } -> std::same_as<int>;  // -1 where none is stated
    rules.legal(role, moves);
    rules.play(joint);  // then next may be asked
    rules.next(out);
    { hash(state) } -> std::same_as<Hash128>;
};

static_assert(Stepping<Runner> && Stepping<CompiledRunner> && Stepping<Reasoner>);

}  // namespace zermelo::gdl
