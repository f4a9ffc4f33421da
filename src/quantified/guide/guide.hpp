// Guide: a dynamic value-ordering heuristic from outside the search (Barichard and Stéphan 2017, section
// 7.2).
//
// The search asks before it branches, and reports where it is and what it has decided. It stays complete
// whatever a guide says. All functions but `start` and `stop` are called from all threads of the search, and
// must not take long.

#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"
#include "strategy/check/verify.hpp"

namespace zermelo::quantified {

class Guide {
public:
    virtual ~Guide() = default;
    virtual void start(const model::Model&) {}  // before the first question; the model stays until `stop`
    virtual void now_at(std::span<const strategy::Move>) {
    }  // the search has come to the position after this play
    // Reorders `values` of `variable` after `play`: the most promising for whoever chooses it first.
    virtual void advise(std::span<const strategy::Move> play, model::VarId variable,
                        std::vector<model::Value>& values) = 0;
    virtual void learn(std::span<const strategy::Move>, bool /*won*/) {
    }  // the position after this play is decided
    virtual void stop() {}
};

// Asks the guide. The result is always a permutation of the values: what the guide added or doubled is taken
// out, and what it left out comes last.
void consult(Guide& guide, std::span<const strategy::Move> play, model::VarId variable,
             std::vector<model::Value>& values);

}  // namespace zermelo::quantified
