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
    // One move in every lane, random ones of those that are legal, or likely (network.hpp); adds the playouts
    // that end to the tally.
    virtual void step(Tally& tally) = 0;
    // At most `steps` further steps in which ended playouts do not start again; true when none is left
    // running.
    virtual bool drain(Tally& tally, std::uint64_t steps) = 0;

    // Lanes dealt out to several states, `each` to every one of them and all that there are if it is 0: group
    // i starts from states[i]. There must be enough. Then `drain`, and then the questions below. States that
    // are terminal have no playouts.
    virtual void deal(std::span<const State* const> states, std::size_t each, bool note_moves) = 0;
    // Before `drain`: every group makes these moves, joints[i] in group i, where it is not terminal.
    virtual void lead(std::span<const JointMove* const> joints) = 0;
    // What the groups look like before `drain`.
    struct Look {
        State state;
        bool terminal = false;
        std::vector<int> goals;                  // by role, when terminal; -1 where none is stated
        std::vector<std::vector<MoveId>> legal;  // by role, when not
    };
    virtual void look(std::vector<Look>& out) const = 0;
    struct Yield {
        std::uint32_t playouts = 0;  // of the group that have ended
        std::vector<double> goals;   // by role, added up over them
    };
    virtual void yield(std::size_t group, Yield& out) const = 0;
    // Where moves were noted: the moves that playouts of the group which have ended contain.
    struct Use {
        std::uint32_t role;
        MoveId move;
        std::uint32_t playouts;  // that contain it
        double goals;            // what they gave to the role, added up
    };
    virtual void uses(std::size_t group, std::vector<Use>& out) const = 0;

    // For tests: what a lane looks like, and which moves it made in the last step.
    [[nodiscard]] virtual State state(std::size_t lane) const = 0;
    [[nodiscard]] virtual JointMove moves(std::size_t lane) const = 0;
};

}  // namespace zermelo::gdl
