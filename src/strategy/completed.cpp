// Completion: a compact strategy expanded over every variable and every value, as in the figures of Barichard
// and Stéphan (2017).
//
// The prefix is walked in its order beside the strategy. Where the strategy has no node, the opponent's
// values all go on in the same way and the owner takes its smallest legal value. Behind an illegal value of
// the opponent, where the play is over, the owner takes the smallest values of all.
//
// What follows depends only on the strategy's node and the depth, unless the owner has rules: then also on
// what is open in the position (ModelRules::residue). Results are memoised by both, so that the result stays
// a graph. A strategy may test the variables of a block out of order; values passed before their node is
// reached are kept as pending.

#include <algorithm>
#include <unordered_map>

#include "core/deep_stack.hpp"
#include "model/structure.hpp"
#include "strategy/check/wellformed.hpp"
#include "strategy/rules/model_rules.hpp"
#include "strategy/strategy.hpp"

namespace zermelo::strategy {

namespace {

class Completion {
public:
    Completion(const model::Model& model, const model::Structure& structure, const Strategy& strategy)
        : model_(model), structure_(structure), strategy_(strategy), rules_(model, structure) {
        position_.assign(model.variables.size(), -1);
        for (std::size_t b = 0; b < structure.prefix.size(); ++b) {
            const model::Block& block = structure.prefix[b];
            const bool own = block.quantifier == strategy.owner;
            for (const model::VarId v : block.variables) {
                position_[static_cast<std::size_t>(v)] = static_cast<int>(order_.size());
                order_.push_back({v, b, own});
            }
        }
        value_.assign(order_.size(), 0);
        find_earliest();
    }

    Strategy run() {
        const NodeId root = complete(strategy_.root, 0, true);
        return builder_.extract(root, strategy_.owner);
    }

private:
    struct Turn {
        model::VarId variable;
        std::size_t block;
        bool own;
    };

    [[nodiscard]] const StrategyNode& node(NodeId id) const {
        return strategy_.nodes[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] int position(NodeId id) const {
        return position_[static_cast<std::size_t>(node(id).variable)];
    }

    void find_earliest() {
        earliest_.assign(strategy_.nodes.size(), static_cast<int>(order_.size()));
        for (std::size_t id = 1; id < strategy_.nodes.size(); ++id) {
            earliest_[id] = position(static_cast<NodeId>(id));
            for (const Edge& edge : strategy_.nodes[id].edges) {
                earliest_[id] = std::min(earliest_[id], earliest_[static_cast<std::size_t>(edge.to)]);
            }
        }
    }

    // The completed strategy from `depth` on. `within_rules`: no rule is broken so far, and `rules_`
    // follows the play.
    NodeId complete(NodeId at, std::size_t depth, bool within_rules) {
        at = skip_passed(at, depth);
        if (depth == order_.size()) return decided;
        within_rules = within_rules && rules_matter(depth);
        const Hash128 key = key_of(at, depth, within_rules);
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        const NodeId result =
            order_[depth].own ? own_turn(at, depth, within_rules) : their_turn(at, depth, within_rules);
        known_.emplace(key, result);
        return result;
    }

    // Can a rule still forbid the owner something? Consistency always can.
    [[nodiscard]] bool rules_matter(std::size_t depth) {
        if (model_.strategic) return true;
        for (std::size_t b = order_[depth].block; b < structure_.prefix.size(); ++b) {
            if (structure_.prefix[b].quantifier == strategy_.owner && rules_.rule(b) != Truth::yes)
                return true;
        }
        return false;
    }

    // Follows nodes whose variables already have a value.
    [[nodiscard]] NodeId skip_passed(NodeId at, std::size_t depth) const {
        while (at != decided && position(at) < static_cast<int>(depth)) {
            at = child(at, value_[static_cast<std::size_t>(position(at))]);
        }
        return at;
    }

    // A value without an edge is illegal: from there on anything goes, as behind the leaf.
    [[nodiscard]] NodeId child(NodeId at, model::Value value) const {
        for (const Edge& edge : node(at).edges) {
            if (std::binary_search(edge.values.begin(), edge.values.end(), value)) return edge.to;
        }
        return decided;
    }

    NodeId own_turn(NodeId at, std::size_t depth, bool within_rules) {
        const auto chosen = own_choice(at, depth);
        const model::Value value = chosen ? *chosen : free_choice(depth, within_rules);
        return builder_.node(order_[depth].variable, value, after(at, depth, value, within_rules));
    }

    NodeId their_turn(NodeId at, std::size_t depth, bool within_rules) {
        const model::VarId variable = order_[depth].variable;
        std::vector<Edge> edges;
        const bool tested = at != decided && node(at).variable == variable;
        const bool indifferent =
            !within_rules && !tested && earliest_[static_cast<std::size_t>(at)] > static_cast<int>(depth);
        if (indifferent) {
            edges.push_back({model_.domain(variable).values(), complete(at, depth + 1, within_rules)});
        } else {
            model_.domain(variable).each([&](model::Value value) {
                edges.push_back({{value}, after(at, depth, value, within_rules)});
            });
        }
        return builder_.node(variable, std::move(edges));
    }

    NodeId after(NodeId at, std::size_t depth, model::Value value, bool within_rules) {
        value_[depth] = value;
        if (!within_rules) return complete(at, depth + 1, false);
        rules_.play(order_[depth].variable, value);
        const bool goes_on = rules_.rule(order_[depth].block) != Truth::no;
        const NodeId result = complete(at, depth + 1, goes_on);
        rules_.take_back();
        return result;
    }

    // What the strategy says about the owner's variable of this turn: here, or below other moves of the
    // owner.
    [[nodiscard]] std::optional<model::Value> own_choice(NodeId at, std::size_t depth) const {
        while (at != decided && earliest_[static_cast<std::size_t>(at)] <= static_cast<int>(depth)) {
            const int found = position(at);
            if (found == static_cast<int>(depth)) return node(at).edges.front().values.front();
            const bool own = order_[static_cast<std::size_t>(found)].own;
            if (!own && found > static_cast<int>(depth)) return std::nullopt;
            at = own ? node(at).edges.front().to : child(at, value_[static_cast<std::size_t>(found)]);
        }
        return std::nullopt;
    }

    // The smallest legal value, with some values of the block's other variables.
    [[nodiscard]] model::Value free_choice(std::size_t depth, bool within_rules) {
        const model::VarId variable = order_[depth].variable;
        const model::Domain& domain = model_.domain(variable);
        if (!within_rules) return domain.low();
        for (const model::Value value : domain.values()) {
            if (rules_.legal(variable, value)) return value;
        }
        return domain.low();
    }

    [[nodiscard]] Hash128 key_of(NodeId at, std::size_t depth, bool within_rules) {
        Hasher hasher;
        hasher.add(static_cast<std::uint64_t>(at));
        hasher.add(depth);
        const auto pending = static_cast<std::size_t>(earliest_[static_cast<std::size_t>(at)]);
        for (std::size_t i = pending; i < depth; ++i) hasher.add(static_cast<std::uint64_t>(value_[i]));
        hasher.add(within_rules ? 1 : 0);
        if (within_rules) {
            const Hash128 residue = rules_.residue();
            hasher.add(residue);
        }
        return hasher.value();
    }

    const model::Model& model_;
    const model::Structure& structure_;
    const Strategy& strategy_;
    ModelRules rules_;
    StrategyBuilder builder_;
    std::vector<Turn> order_;
    std::vector<int> position_;        // by variable: index into order_, or -1
    std::vector<int> earliest_;        // by node: the first position that it or a node below it tests
    std::vector<model::Value> value_;  // by position: the value on the present path
    std::unordered_map<Hash128, NodeId, LowBitsHash> known_;
};

}  // namespace

Strategy completed(const model::Model& model, const Strategy& strategy) {
    const model::Structure structure = analyse(model);
    if (const auto problem = malformed(model, structure, strategy)) {
        throw Error("this is not a strategy for " + model.name + ": " + *problem);
    }
    Strategy result;
    with_deep_stack(model.variables.size(), [&] { result = Completion(model, structure, strategy).run(); });
    return result;
}

}  // namespace zermelo::strategy
