// Branching on one variable: its values, and what has become of them.

#pragma once

#include <optional>
#include <vector>

#include "kernel/residue.hpp"
#include "quantified/learning/move_set.hpp"
#include "quantified/solve.hpp"
#include "strategy/strategy.hpp"

namespace zermelo::quantified {

// Objects are used again for other variables, so that their vectors need no new memory.
struct Branching {
    int block = 0;
    model::VarId variable = -1;
    bool ours = true;
    std::vector<model::Value> values;  // in the order in which they are tried
    std::vector<bool> removed;         // by propagation: illegal for ∀ with a rule, lost for ∃
    // What one move ahead shows of a value; the best first.
    struct Prospect {
        double score;
        std::uint64_t impact;
        model::Value value;
        bool removed;
        std::optional<bool> closes;  // what the table knows: this value decides the branching, or does not
        std::optional<kernel::Residue> residue;  // behind it
    };
    std::vector<Prospect> prospects;
    std::ptrdiff_t left = 0;  // values that are still to be tried
    std::vector<model::Value> pure;
    std::vector<model::Value> hopeless;
    std::vector<std::pair<model::Value, strategy::NodeId>> children;  // of a strategy: what values lead to
    // While further first moves are looked for: the verdict, and a node for the winner.
    Verdict verdict = Verdict::unknown;
    strategy::NodeId found = strategy::decided;
    bool some_open = false;  // behind the frontier
    MoveSet reason;          // of a search that learns: why the values so far do not help whoever chooses

    void begin(int b, model::VarId v, bool by_us) {
        block = b;
        variable = v;
        ours = by_us;
        removed.clear();
        prospects.clear();
        pure.clear();
        hopeless.clear();
        children.clear();
        verdict = Verdict::unknown;
        found = strategy::decided;
        some_open = false;
    }
};

}  // namespace zermelo::quantified
