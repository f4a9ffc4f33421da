// Bit-sliced random playouts (bit slicing: Biham 1997): many playouts in lock-step on one network.
//
// Every node holds a machine word with one bit for each playout (a lane), so one instruction a gate serves
// all lanes: 128, 256 or 512, whatever the processor offers. Random moves are drawn in the same form: the
// legal moves of a role are counted with a vertical counter (one word for each binary digit), each lane
// draws a number below its count, and a second pass counts these numbers down; the move at which a lane
// reaches zero is its move. A lane that has reached a terminal state is read off and starts again from the
// initial state.

#pragma once

#include <memory>
#include <span>

#include "gdl/circuit/machine.hpp"

namespace zermelo::gdl {

struct Tally {
    std::uint64_t playouts = 0;  // that have ended
    std::uint64_t states = 0;    // moves made, in all lanes
    std::uint64_t length = 0;    // moves of the playouts that have ended, added up
    std::uint64_t stuck = 0;     // playouts given up because a role had no legal move
    std::vector<double> goals;   // by role, added up over the playouts that have ended
    std::vector<std::uint64_t>
        lengths;  // how many playouts ended after so many moves; the last entry holds the rest
};

class BitslicedPlayouts {
public:
    virtual ~BitslicedPlayouts() = default;

    // The widest kind that this processor runs; `lanes` asks for a certain width (128, 256, 512).
    [[nodiscard]] static std::unique_ptr<BitslicedPlayouts> make(const Machine& machine, std::uint64_t seed,
                                                                 std::size_t lanes = 0);

    [[nodiscard]] virtual std::size_t lanes() const = 0;

    // Starts all lanes from `state`, which must not be terminal; ended playouts start from there again.
    virtual void start(const State& state) = 0;
    // One random move in every lane, uniform over the legal moves, or over the likely ones (network.hpp);
    // adds the playouts that end to the tally.
    virtual void step(Tally& tally) = 0;
    // At most `steps` further steps in which ended playouts do not start again; true when all have ended.
    virtual bool drain(Tally& tally, std::uint64_t steps) = 0;

    // Divides the lanes among several states: group i is `each` lanes that start from states[i]; 0 for as
    // many as there are. There must be enough. Then call `drain`, and then the functions below. Terminal
    // states have no playouts.
    virtual void assign_groups(std::span<const State* const> states, std::size_t each, bool record_moves) = 0;
    // Before `drain`: every group that is not terminal makes a given joint move, joints[i] in group i.
    virtual void play_in_groups(std::span<const JointMove* const> joints) = 0;
    // The states of the groups before `drain`.
    struct GroupState {
        State state;
        bool terminal = false;
        std::vector<int> goals;                  // by role, when terminal; -1 where none is stated
        std::vector<std::vector<MoveId>> legal;  // by role, when not
    };
    virtual void group_states(std::vector<GroupState>& out) const = 0;
    struct GroupResult {
        std::uint32_t playouts = 0;  // of the group that have ended
        std::vector<double> goals;   // by role, added up over them
    };
    virtual void group_result(std::size_t group, GroupResult& out) const = 0;
    // Where moves were recorded: AMAF statistics (all moves as first, Brügmann 1993) of the group's ended
    // playouts.
    struct MoveStatistics {
        std::uint32_t role;
        MoveId move;
        std::uint32_t playouts;  // that contain it
        double goals;            // of the role, added up over them
    };
    virtual void move_statistics(std::size_t group, std::vector<MoveStatistics>& out) const = 0;

    // Lanes one by one: as soon as a play has ended, its lane may begin another one. First, all lanes are free.
    virtual void free_lanes() = 0;
    // From the next step on the lane plays from this state, which must not be terminal.
    virtual void put(std::size_t lane, const State& state) = 0;
    // One random move in every lane at work. Tells which lanes have come to an end, and are free; and of each of them
    // the goals by role, -1 where none is stated.
    virtual void step_lanes(std::vector<std::uint32_t>& ended, std::vector<int>& goals) = 0;

    // For tests: the state of a lane, and the moves it made in the last step.
    [[nodiscard]] virtual State state(std::size_t lane) const = 0;
    [[nodiscard]] virtual JointMove moves(std::size_t lane) const = 0;
};

}  // namespace zermelo::gdl
