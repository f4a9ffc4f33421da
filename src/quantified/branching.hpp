// Branching on one variable: its values, what has become of them, and a position for each.
//
// Positions come from copies of checkpoints or by recomputation (Schulte 1999): a checkpoint is kept every
// `recompute` levels, and the steps since it are played again.

#pragma once

#include "quantified/search.hpp"

namespace zermelo::quantified {

struct Search::Branching {
    Search& search;
    const int block;
    const model::VarId variable;
    const bool ours;
    PositionPtr position;  // until the first value takes it, when it is not a checkpoint
    bool checkpoint;
    std::vector<model::Value> values;  // in the order in which they are tried
    std::vector<bool> removed;         // by propagation: illegal for ∀ with a rule, lost for ∃
    std::ptrdiff_t left;               // values that are still to be tried
    std::vector<model::Value> pure;
    std::vector<model::Value> hopeless;
    std::vector<strategy::Edge> edges;
    // While further first moves are looked for: the verdict, and a node for the winner.
    Verdict verdict = Verdict::unknown;
    strategy::NodeId found = strategy::decided;
    bool some_open = false;  // behind the frontier

    Branching(Search& s, PositionPtr p, int b, model::VarId v);
    ~Branching() {
        search.branchings_.pop_back();
        if (checkpoint) search.checkpoints_.pop_back();
    }
    Branching(const Branching&) = delete;
    Branching& operator=(const Branching&) = delete;

    // A fresh position here; the last one may use up what is kept, unless those below will come back for it.
    PositionPtr take(bool last);
};

}  // namespace zermelo::quantified
