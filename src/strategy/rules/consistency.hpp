// Consistency: has a strategic model a state that agrees with the moves made so far? (seed 001, definition 2)
//
// A state gives every state variable a value. The moves narrow the intervals of all variables (network.hpp);
// where that does not decide, a search does. It begins with the state found last, moved into the intervals,
// which after a legal move is seldom wrong. Then it goes value by value, variables that often ran out of
// values first, and from the start again after some failures, so that a contradiction between few variables
// is found among many. A state is believed only when everything that acts has been evaluated and holds.
//
// `residue` names the future of a position as in outlook.hpp, with all that waits.

#pragma once

#include <span>

#include "core/limits.hpp"
#include "strategy/rules/network.hpp"

namespace zermelo::strategy {

class PossibleStates {
public:
    // Model and structure must outlive it. A search that reaches a limit ends by LimitReached.
    PossibleStates(const model::Model& model, const model::Structure& structure, const Limits& limits = {});

    struct Mark {
        Network::Mark network;
        std::size_t moves, parts, accounted;
        bool contradiction;
    };
    [[nodiscard]] Mark mark() const;
    void play(model::VarId variable,
              model::Value value);  // blocks in their order, the variables of a block in any order
    void undo(const Mark& mark);

    [[nodiscard]] bool played(model::VarId v) const { return played_[v]; }
    [[nodiscard]] const model::Interval& operator[](model::VarId v) const { return network_.box[v]; }

    // Is there a state with which all holds that acts by the latest move? Moves of its block that are not
    // made yet may be any.
    [[nodiscard]] bool exist();
    [[nodiscard]] bool exist_in(std::size_t block);  // the same when a block is due: has it a legal move?
    void settle();                                   // on one of them, if there are any

    [[nodiscard]] Hash128 residue();

private:
    enum class Found : std::uint8_t { none, one, gave_up };
    struct OldPart {
        int step;
        Hash128 part;
    };

    [[nodiscard]] std::span<const model::VarId> present_block()
        const;  // the variables of the latest block played

    // ---- the search
    void find_unknowns();
    [[nodiscard]] bool guess();
    [[nodiscard]] Found dive();
    [[nodiscard]] Found try_value(model::VarId v, model::Value value);
    [[nodiscard]] model::VarId choose() const;
    [[nodiscard]] model::Value preferred(model::VarId v) const;
    void remember_state();

    // ---- the residue
    void find_questions();
    void account();
    [[nodiscard]] Hash128 part_of(int step);
    void set_part(int step, Hash128 part);
    void exchange_part(int step, Hash128 part);

    const model::Model& model_;
    const model::Structure& structure_;
    Limits limits_;
    Network network_;
    bool contradiction_ = false;
    std::vector<model::VarId> moves_;
    std::vector<bool> played_;
    Hash128 moves_hash_ = {};

    std::vector<model::VarId> unknowns_;
    std::vector<model::Value> last_;      // by variable: its value in the state found last
    std::vector<std::uint32_t> trouble_;  // by variable: how often it ran out of values
    std::uint64_t failures_left_ = 0;

    Agenda stale_;                        // steps whose part of the residue may have changed
    std::size_t accounted_ = 0;           // changes of the box that the parts know of
    std::vector<std::vector<int>> asks_;  // by step: the definitions whose outputs it reads
    std::vector<int> asked_;              // by definition: how many parts of the residue read its output
    std::vector<Hash128> parts_;          // by step
    std::vector<OldPart> old_parts_;
    Hash128 total_ = {};
};

}  // namespace zermelo::strategy
