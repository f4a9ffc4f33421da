// Bit-sliced batch (bit slicing: Biham 1997): many states of a game stepped in lock-step by moves that the caller
// chooses, for learning.
//
// Every node holds a word with one bit for each state, as in bitsliced_playouts.hpp. A batch is as many blocks of
// lanes as its states need, which run through one program of gates one after another. Callers think row by row, one
// row a state; matrices of 8 × 8 bits are turned on their side between the two.
//
// Actions number the moves of all roles, those of the first role first. The actions of a state are the legal moves of
// the roles that have a choice there; where nobody has one, the only move of the first role that is not chance, as in
// game/views/gdl_game.hpp. States that are over have none, and stay as they are until they are started again.
//
// A batch belongs to one thread. Its memory is a bit for each node of the network and each state.

#pragma once

#include <memory>
#include <span>

#include "gdl/circuit/machine.hpp"

namespace zermelo::gdl {

class BitslicedBatch {
public:
    virtual ~BitslicedBatch() = default;

    // All states are the initial one. The widest words that this processor runs; `lanes` asks for a certain width
    // (128, 256, 512). Throws Error where there are no states.
    [[nodiscard]] static std::unique_ptr<BitslicedBatch> make(const Machine& machine, std::size_t states,
                                                              std::uint64_t seed, std::size_t lanes = 0);

    [[nodiscard]] virtual std::size_t states() const = 0;
    [[nodiscard]] virtual std::size_t actions() const = 0;  // of all roles together

    // Makes the states `which` (by state; all where it is empty) this one.
    virtual void start(const State& state, std::span<const bool> which) = 0;
    // The states that are over begin again from the initial one. How many there were.
    virtual std::size_t restart() = 0;
    [[nodiscard]] virtual State state(std::size_t number) const = 0;

    // Every state that is not over makes its actions: `columns` a state, at most one for each role; a negative one is
    // none. Roles without one make their only legal move. Throws Error, and then has changed nothing, where an action
    // is not legal or a role with a choice has none.
    virtual void step(std::span<const std::int32_t> actions, std::size_t columns) = 0;

    // --- a row for each state ---
    virtual void fluents(std::span<std::uint8_t> out) const = 0;  // 0 or 1
    virtual void fluents(std::span<float> out) const = 0;
    virtual void legal(std::span<std::uint8_t> out) const = 0;  // by action: is it one of the state's?
    virtual void over(std::span<std::uint8_t> out) const = 0;
    // The role that has a choice, or the negative number of one of these.
    static constexpr std::int8_t several = -2;
    static constexpr std::int8_t nobody = -4;  // the state is over
    virtual void movers(std::span<std::int8_t> out) const = 0;
    virtual void goals(std::span<std::int16_t> out) const = 0;  // by role, where it is over; otherwise -1
    // Actions for step(), drawn uniformly: one a state, -1 where several roles have a choice or none; or one for each
    // role that has a choice, where there are as many columns as roles.
    virtual void random_actions(std::span<std::int32_t> out, std::size_t columns) = 0;
};

}  // namespace zermelo::gdl
