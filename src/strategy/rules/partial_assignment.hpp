// Partial assignment: an interval for every variable of a quantified model when only some moves have been
// made.
//
// A move fixes a variable of the prefix; the definitions that depend on it are computed again, inputs before
// outputs, and only those (a bit per step marks the ones to run). A trail undoes moves. Rules and the winning
// condition are then three-valued; when all moves are made they are exact.
//
// `residue` hashes the residual problem to 128 bits: positions with the same moves left to make and the same
// open constraints, reduced to what is open in them, cannot be told apart by any continuation.
//
// Strategic models, where constraints wait, have consistency.hpp instead.

#pragma once

#include "model/structure.hpp"
#include "strategy/rules/evaluate.hpp"

namespace zermelo::strategy {

class PartialAssignment {
public:
    PartialAssignment(const model::Model& model, const model::Structure& structure);  // both must outlive it

    struct Mark {
        std::size_t moves;
        std::size_t intervals;
        std::size_t steps;
    };
    [[nodiscard]] Mark mark() const { return {moves_.size(), intervals_.size(), changed_.size()}; }
    void play(model::VarId variable, model::Value value);  // a variable of the prefix that is not played yet
    void undo(const Mark& mark);

    [[nodiscard]] bool played(model::VarId v) const { return played_[static_cast<std::size_t>(v)]; }
    [[nodiscard]] const model::Interval& operator[](model::VarId v) const {
        return known_[static_cast<std::size_t>(v)];
    }
    [[nodiscard]] Truth rule(std::size_t block) const;  // `yes` for a block without a rule
    [[nodiscard]] Truth cut(std::size_t cut) const;     // `no` where it says that ∃ has won
    [[nodiscard]] Truth win() const;
    [[nodiscard]] Hash128 residue() const;

    // A demand of the winning condition that is broken, in words; empty when there are no good words.
    [[nodiscard]] std::string broken_demand() const;

private:
    struct Step {                                       // a definition to compute, or a demand to look at
        const model::Constraint* constraint = nullptr;  // none for a literal of the winning condition
        model::Literal literal = {-1};
        model::VarId output = -1;
        bool demand = true;  // false for a total definition, which demands nothing
    };
    struct Status {
        Truth truth = Truth::unknown;
        Hash128 residue = {};
    };
    struct OldInterval {
        model::VarId variable;
        model::Interval interval;
    };
    struct OldStatus {
        int step;
        Status status;
    };

    void add_step(const Step& step);
    void count(const Step& step, const Status& status, int sign);
    void set(model::VarId v, model::Interval interval);
    void set(int step, Status status);
    void run();  // every step that is due
    void evaluate(int step);
    [[nodiscard]] Truth evaluate_definition(const Step& step);
    [[nodiscard]] Hash128 residue_of(int step) const;
    [[nodiscard]] bool settled(int step) const;

    const model::Model& model_;
    const model::Structure& structure_;
    std::vector<Step> steps_;                // definitions in their order, then demands
    std::vector<std::vector<int>> readers_;  // by variable: the steps that read it

    Intervals known_;
    std::vector<bool> played_;
    std::vector<Status> status_;  // by step
    int broken_ = 0;              // demands that are false
    int open_ = 0;                // demands that are unknown
    Hash128 residues_ = {};       // their sum over the steps that are not settled
    Hash128 moves_hash_ = {};

    std::vector<model::VarId> moves_;
    std::vector<OldInterval> intervals_;
    std::vector<OldStatus> changed_;
    std::vector<std::uint64_t> due_;  // one bit a step
    std::size_t first_due_ = 0;       // no bit is set in the words before it
};

}  // namespace zermelo::strategy
