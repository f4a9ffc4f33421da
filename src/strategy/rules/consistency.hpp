// Consistency of a strategic CSP (Bessiere and Verger 2006, definition 2): is there a state that agrees with
// the moves made so far?
//
// A state gives every state variable a value. Bounds propagation (network.hpp) decides most cases; where it
// does not, a backtracking search does. It begins with the state found last, moved into the intervals (phase
// saving, Pipatsrisawat and Darwiche 2007), which after a legal move is seldom wrong. Variables are chosen as
// by dom/wdeg (Boussemart et al. 2004), and the search restarts after a number of failures that doubles each
// time. A state is accepted only when everything that acts has been evaluated and holds.
//
// `residue` hashes the residual problem as in partial_assignment.hpp, including the constraints that wait.

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
        std::size_t moves, parts, applied;
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
    void find_reads();
    void update_parts();
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
    std::vector<model::Value> last_;       // by variable: its value in the state found last
    std::vector<std::uint32_t> wipeouts_;  // by variable: how often it ran out of values
    std::uint64_t failures_left_ = 0;

    Worklist stale_;                       // steps whose part of the residue may have changed
    std::size_t applied_ = 0;              // changes of the box that the parts know of
    std::vector<std::vector<int>> reads_;  // by step: the definitions whose outputs it reads
    std::vector<int> read_by_;             // by definition: how many parts of the residue read its output
    std::vector<Hash128> parts_;           // by step
    std::vector<OldPart> old_parts_;
    Hash128 total_ = {};
};

}  // namespace zermelo::strategy
