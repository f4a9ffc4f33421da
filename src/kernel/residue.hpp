// Residue: what is left of the problem at a position.
//
// After a block is played and propagated, the future depends only on the constraints that are still open,
// each reduced to its open variables (a linear sum to its remaining constant, a clause to its open literals),
// and on the domains of the open variables. Two positions before the same block with the same residue have
// the same verdict and the same strategy, so the residue is the key of the table of goods and nogoods.
//
// The same pass tells whether anything is still *demanded*: if no open constraint can be violated any more,
// every continuation inside the current domains satisfies what has been demanded so far. Open total
// definitions demand nothing as long as propagation has not narrowed their variable below what its inputs
// give.

#pragma once

#include <map>

#include "core/hash.hpp"
#include "kernel/position.hpp"

namespace zermelo {

struct Residue {
    Hash128 key;
    bool demands = false;  // some open constraint can still be violated
};

// Scratch memory for the passes of one thread.
class ResidueReader {
public:
    explicit ResidueReader(const Program& program);

    // The residue before block `next` (all earlier blocks are played). Drops what is settled from
    // position.open.
    Residue read(Position& position, int next);

    // Does `variable`, fixed in `after` and open in `before`, leave everything else as it was and satisfied?
    // That is: no constraint that it takes part in, directly or through definitions, demands anything any
    // more, and none has narrowed a variable that does not depend on it. Rules, cuts and a winning condition
    // that is not demanded yet count as demanding.
    [[nodiscard]] bool satisfied_by(VarId variable, const Position& before, const Position& after);

    // Does one of these constraints still demand something?
    [[nodiscard]] bool demands(const Position& position, const std::vector<int>& constraints) const;

private:
    friend struct ReadForm;

    void mark(const Position& position, VarId v);
    [[nodiscard]] bool live(VarId v) const { return stamp_[static_cast<std::size_t>(v)] == pass_; }

    // By variable of the prefix: the constraints it reaches, the other variables of these that do not depend
    // on it, and whether it reaches a rule, a cut or the condition.
    struct Reach {
        std::vector<int> constraints;
        std::vector<VarId> bystanders;
        bool judged = false;
    };
    [[nodiscard]] const Reach& reach(VarId variable);

    const Program& program_;
    std::map<VarId, Reach> reach_;
    std::vector<std::uint32_t> stamp_;  // by variable: the last pass that marked it
    std::uint32_t pass_ = 0;
    std::vector<VarId> marked_;
};

}  // namespace zermelo
