#include "strategy/follow.hpp"

#include <algorithm>

namespace zermelo {

namespace {

Quantifier other(Quantifier q) { return q == Quantifier::exists ? Quantifier::forall : Quantifier::exists; }

}  // namespace

Follower::Follower(const Model& model, const Structure& structure, const Strategy& strategy)
    : structure_(structure), strategy_(strategy), referee_(model, structure), at_(strategy.root) {}

std::optional<VarId> Follower::turn() {
    for (; block_ < structure_.prefix.size() && !winner_; ++block_) {
        const Block& block = structure_.prefix[block_];
        if (!referee_.can_finish(block_)) {
            end(other(block.quantifier));
            return std::nullopt;
        }
        // The strategy may look at the variables of a block in another order than they stand in.
        const VarId wanted = strategy_.nodes[at_].variable;
        std::optional<VarId> next;
        for (const VarId v : block.variables) {
            if (!referee_.played(v) && (!next || v == wanted)) next = v;
        }
        if (next) return next;
    }
    if (!winner_) end(referee_.winner());
    return std::nullopt;
}

void Follower::end(Quantifier winner) {
    winner_ = winner;
    referee_.settle();
}

bool Follower::owners_turn(VarId variable) const {
    return structure_.prefix[structure_.block_of[variable]].quantifier == strategy_.owner;
}

Value Follower::move(VarId variable) {
    const StrategyNode& node = strategy_.nodes[at_];
    if (node.variable == variable) return node.edges.front().values.front();
    return legal(variable).front();  // a variable that the strategy skips: every legal value will do
}

void Follower::play(VarId variable, Value value) {
    referee_.play(variable, value);
    while (at_ != decided && referee_.played(strategy_.nodes[at_].variable)) {
        const StrategyNode& node = strategy_.nodes[at_];
        const Value played = referee_[node.variable].low;
        NodeId next = decided;
        for (const Edge& edge : node.edges) {
            if (std::binary_search(edge.values.begin(), edge.values.end(), played)) next = edge.to;
        }
        at_ = next;
    }
}

}  // namespace zermelo
