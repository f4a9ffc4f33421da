// Shared parts of the checkers of quantified and of strategic models.

#pragma once

#include "model/structure.hpp"
#include "strategy/check/verify.hpp"

namespace zermelo::strategy {

// Positions known to be won: a hash table of fixed size that always replaces.
class WonPositions {
public:
    WonPositions(const Strategy& strategy, std::size_t most);

    // Only nodes that several plays reach are.
    [[nodiscard]] bool worth_caching(NodeId id) const { return shared_[static_cast<std::size_t>(id)]; }
    [[nodiscard]] bool contains(const Hash128& position) const {
        return !table_.empty() && table_[position.low & (table_.size() - 1)] == position;
    }
    void insert(const Hash128& position) {
        if (!table_.empty()) table_[position.low & (table_.size() - 1)] = position;
    }

private:
    std::vector<bool> shared_;  // by node
    std::vector<Hash128> table_;
};

// Counts positions, reports progress, and stops the check at the limits.
class LimitMonitor {
public:
    explicit LimitMonitor(const VerifyOptions& options) : options_(options) {}  // which must outlive it

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
