// Checking: what the checkers of quantified and of strategic models have in common.

#pragma once

#include "model/structure.hpp"
#include "strategy/check/verify.hpp"

namespace zermelo::strategy {

// Positions known to be won, in a table of fixed size where newer ones push out older ones.
class WonPositions {
public:
    WonPositions(const Strategy& strategy, std::size_t most);

    // Only nodes that several plays come to are.
    [[nodiscard]] bool worth_remembering(NodeId id) const { return shared_[static_cast<std::size_t>(id)]; }
    [[nodiscard]] bool knows(const Hash128& position) const {
        return !table_.empty() && table_[position.low & (table_.size() - 1)] == position;
    }
    void learn(const Hash128& position) {
        if (!table_.empty()) table_[position.low & (table_.size() - 1)] = position;
    }

private:
    std::vector<bool> shared_;  // by node
    std::vector<Hash128> table_;
};

// Counts positions, and says when it is time to stop.
class Watch {
public:
    explicit Watch(const VerifyOptions& options) : options_(options) {}  // which must outlive it

    [[nodiscard]] bool stopped();  // at a new position
    void stop(Stop reason) { result_.stop = reason; }
    [[nodiscard]] Verification report(bool valid, std::optional<Counterexample> counterexample);

private:
    const VerifyOptions& options_;
    Verification result_;
};

[[nodiscard]] const char* symbol(model::Quantifier player);

// The checker of strategic models. The strategy is well formed.
[[nodiscard]] Verification verify_strategic(const model::Model& model, const model::Structure& structure,
                                            const Strategy& strategy, const VerifyOptions& options);

}  // namespace zermelo::strategy
