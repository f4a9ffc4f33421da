// Constraint network of a strategic CSP (Bessiere and Verger 2006) with propagation to a fixpoint (AC-3,
// Mackworth 1977, on bounds).
//
// A constraint starts to act with its last block. Acting constraints, total definitions and demands, narrow
// the intervals of all variables in both directions until nothing changes. A trail undoes moves, so that a
// move costs only what it touches. Constraints that wait for a later move have no influence: a definition
// that only waiting demands read waits with them.

#pragma once

#include "model/structure.hpp"
#include "strategy/rules/bounds_propagation.hpp"

namespace zermelo::strategy {

// Small numbers to be dealt with, the smallest first.
class Worklist {
public:
    explicit Worklist(std::size_t numbers) : words_(numbers / 64 + 1, 0) {}
    void add(int number);
    [[nodiscard]] int take();  // -1 when there is none
    void clear();

private:
    std::vector<std::uint64_t> words_;
    std::size_t first_ = 0;  // no bit is set in the words before it
};

class Network {
public:
    static constexpr int never = 1 << 30;  // the level of a definition that no demand reads

    struct Step {                                       // a definition, or a demand
        const model::Constraint* constraint = nullptr;  // none for a literal that is demanded
        model::Literal literal = {-1};
        model::VarId output = -1;  // of a definition
        int level = never;         // the block with which it starts to act
    };
    struct Reader {
        int level;
        int step;
    };
    // A definition is open while more is demanded of its output than its inputs promise, a demand while it
    // may still be broken.
    enum class Status : std::uint8_t { idle, open, settled };

    template <class Visit>
    static void each_variable_of(const Step& step, Visit visit) {
        if (step.constraint != nullptr) {
            each_variable(*step.constraint, visit);
        } else {
            visit(step.literal.variable);
        }
    }

    Network(const model::Model& model, const model::Structure& structure);  // both must outlive it

    struct Mark {
        std::size_t changes, statuses;
        int level;
    };
    [[nodiscard]] Mark mark() const { return {box.changes(), statuses_.size(), level_}; }
    void undo(const Mark& mark);

    void enter(int level);           // from now on everything up to this level acts
    [[nodiscard]] bool propagate();  // false: what acts contradicts the intervals

    [[nodiscard]] int level() const { return level_; }
    [[nodiscard]] bool certain() const { return open_ == 0; }  // whatever the open variables are, all holds
    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
    [[nodiscard]] Status status(int step) const { return status_[step]; }
    [[nodiscard]] Truth truth_of(const Step& demand) const;
    // The steps that a variable occurs in, those that act first come first.
    [[nodiscard]] const std::vector<Reader>& readers(model::VarId v) const { return readers_[v]; }

    Box box;

private:
    struct OldStatus {
        int step;
        Status status;
    };
    void add_steps(const model::Model& model, const model::Structure& structure);
    void find_levels(std::size_t variables);
    void schedule_readers(int except);
    [[nodiscard]] bool revise(int step);
    [[nodiscard]] bool revise_definition(int step);
    void set(int step, Status status);

    std::vector<Step> steps_;                    // definitions in their order, then demands
    std::vector<std::vector<int>> acting_from_;  // by level + 1
    std::vector<std::vector<Reader>> readers_;   // by variable

    int level_ = -2;  // constraints between state variables act from level -1 on
    Worklist due_;
    std::size_t scheduled_ = 0;  // changes of the box whose readers were scheduled
    std::vector<Status> status_;
    std::vector<OldStatus> statuses_;
    int open_ = 0;
};

}  // namespace zermelo::strategy
