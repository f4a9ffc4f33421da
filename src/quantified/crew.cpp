#include "quantified/crew.hpp"

namespace zermelo {

Crew::Crew(unsigned member_count, std::size_t goods_bytes, std::vector<Renaming> all)
    : goods(goods_bytes),
      members(member_count),
      renamings(std::move(all)),
      meeting(member_count),
      at_work_(std::make_unique<std::array<Counter, counters>>()) {
    for (const Renaming& renaming : renamings) inverses_.push_back(inverse(renaming));
}

NodeId Crew::node(VarId variable, std::vector<Edge> edges) {
    const std::lock_guard lock(mutex_);
    return strategies_.node(variable, std::move(edges));
}

std::size_t Crew::nodes() const {
    const std::lock_guard lock(mutex_);
    return strategies_.size();
}

Strategy Crew::extract(NodeId root, Quantifier owner) const {
    const std::lock_guard lock(mutex_);
    return strategies_.extract(root, owner);
}

void Crew::collect(std::vector<NodeId*> roots) {
    const std::lock_guard lock(mutex_);
    goods.each([&](Goods::Entry& entry) { roots.push_back(&entry.node); });
    strategies_.collect(roots);
    renamed_.clear();
}

NodeId Crew::renamed(NodeId node, std::size_t from, std::size_t to) {
    if (from == to || node == decided) return node;
    const std::lock_guard lock(mutex_);
    return rename(node, from, to, renamed_[{from, to}]);
}

// First as `from` renames, then back from where `to` leads.
NodeId Crew::rename(NodeId node, std::size_t from, std::size_t to,
                    std::unordered_map<NodeId, NodeId>& known) {
    if (node == decided) return node;
    if (const auto at = known.find(node); at != known.end()) return at->second;
    const StrategyNode original = strategies_.at(node);
    VarId variable = original.variable;
    if (from != 0) variable = renamings[from - 1].image(variable);
    const VarId between = variable;
    if (to != 0) variable = inverses_[to - 1].image(variable);
    const auto image = [&](Value value) {
        if (from != 0) value = renamings[from - 1].image(original.variable, value);
        return to != 0 ? inverses_[to - 1].image(between, value) : value;
    };
    std::vector<Edge> edges;
    for (const Edge& edge : original.edges) {
        Edge& renamed = edges.emplace_back(Edge{{}, rename(edge.to, from, to, known)});
        for (const Value value : edge.values) renamed.values.push_back(image(value));
        std::sort(renamed.values.begin(), renamed.values.end());
    }
    const NodeId result = strategies_.node(variable, std::move(edges));
    known.emplace(node, result);
    return result;
}

}  // namespace zermelo
