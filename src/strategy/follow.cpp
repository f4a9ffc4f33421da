#include "strategy/follow.hpp"

#include <algorithm>

namespace zermelo {

namespace {

Quantifier other(Quantifier q) { return q == Quantifier::exists ? Quantifier::forall : Quantifier::exists; }

}  // namespace

Follower::Follower(const Model& model, const Structure& structure, const Strategy& strategy)
    : model_(model),
      structure_(structure),
      strategy_(strategy),
      outlook_(model, structure),
      at_(strategy.root) {}

std::optional<VarId> Follower::turn() {
    for (; block_ < structure_.prefix.size() && !winner_; ++block_) {
        const Block& block = structure_.prefix[block_];
        if (!can_finish_block()) {
            winner_ = other(block.quantifier);
            return std::nullopt;
        }
        // The strategy may look at the variables of a block in another order than they stand in.
        const VarId wanted = strategy_.nodes[at_].variable;
        std::optional<VarId> next;
        for (const VarId v : block.variables) {
            if (!outlook_.played(v) && (!next || v == wanted)) next = v;
        }
        if (next) return next;
    }
    if (!winner_) winner_ = outlook_.win() == Truth::yes ? Quantifier::exists : Quantifier::forall;
    return std::nullopt;
}

bool Follower::owners_turn(VarId variable) const {
    return structure_.prefix[structure_.block_of[variable]].quantifier == strategy_.owner;
}

bool Follower::can_finish_block() {
    const Truth rule = outlook_.rule(block_);
    if (rule != Truth::unknown) return rule == Truth::yes;
    const auto& variables = structure_.prefix[block_].variables;
    const auto open =
        std::find_if(variables.begin(), variables.end(), [&](VarId v) { return !outlook_.played(v); });
    if (open == variables.end()) return false;
    bool possible = false;
    for (const Value value : model_.domain(*open).values()) {
        const auto before = outlook_.mark();
        outlook_.play(*open, value);
        possible = can_finish_block();
        outlook_.undo(before);
        if (possible) break;
    }
    return possible;
}

std::vector<Value> Follower::legal(VarId variable) {
    std::vector<Value> values;
    model_.domain(variable).each([&](Value value) {
        const auto before = outlook_.mark();
        outlook_.play(variable, value);
        if (can_finish_block()) values.push_back(value);
        outlook_.undo(before);
    });
    return values;
}

Value Follower::move(VarId variable) {
    const StrategyNode& node = strategy_.nodes[at_];
    if (node.variable == variable) return node.edges.front().values.front();
    return legal(variable).front();  // a variable that the strategy skips: every legal value will do
}

void Follower::play(VarId variable, Value value) {
    outlook_.play(variable, value);
    while (at_ != decided && outlook_.played(strategy_.nodes[at_].variable)) {
        const StrategyNode& node = strategy_.nodes[at_];
        const Value played = outlook_[node.variable].low;
        NodeId next = decided;
        for (const Edge& edge : node.edges) {
            if (std::binary_search(edge.values.begin(), edge.values.end(), played)) next = edge.to;
        }
        at_ = next;
    }
}

}  // namespace zermelo
