#include "strategy/follow.hpp"

#include <algorithm>

namespace zermelo::strategy {

namespace {

model::Quantifier other(model::Quantifier q) {
    return q == model::Quantifier::exists ? model::Quantifier::forall : model::Quantifier::exists;
}

}  // namespace

Follower::Follower(const model::Model& model, const model::Structure& structure, const Strategy& strategy)
    : structure_(structure), strategy_(strategy), rules_(model, structure), at_(strategy.root) {}

std::optional<model::VarId> Follower::turn() {
    for (; block_ < structure_.prefix.size() && !winner_; ++block_) {
        const model::Block& block = structure_.prefix[block_];
        if (!rules_.can_finish(block_)) {
            end(other(block.quantifier));
            return std::nullopt;
        }
        // The strategy may look at the variables of a block in another order than they stand in.
        const model::VarId wanted = strategy_.nodes[at_].variable;
        std::optional<model::VarId> next;
        for (const model::VarId v : block.variables) {
            if (!rules_.played(v) && (!next || v == wanted)) next = v;
        }
        if (next) return next;
    }
    if (!winner_) end(rules_.winner());
    return std::nullopt;
}

void Follower::end(model::Quantifier winner) {
    winner_ = winner;
    rules_.settle();
}

bool Follower::owners_turn(model::VarId variable) const {
    return structure_.prefix[structure_.block_of[variable]].quantifier == strategy_.owner;
}

model::Value Follower::move(model::VarId variable) {
    if (leaves_open(variable)) return legal(variable).front();
    return strategy_.nodes[at_].edges.front().values.front();
}

void Follower::play(model::VarId variable, model::Value value) {
    rules_.play(variable, value);
    while (at_ != decided && rules_.played(strategy_.nodes[at_].variable)) {
        const StrategyNode& node = strategy_.nodes[at_];
        const model::Value played = rules_[node.variable].low;
        NodeId next = decided;
        for (const Edge& edge : node.edges) {
            if (std::binary_search(edge.values.begin(), edge.values.end(), played)) next = edge.to;
        }
        at_ = next;
    }
}

}  // namespace zermelo::strategy
