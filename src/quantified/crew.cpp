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

// Written out without references: what stands behind one is renamed on the way.
Strategy Crew::extract(NodeId root, Quantifier owner) const {
    const std::lock_guard lock(mutex_);
    if (renamings.empty()) return strategies_.extract(root, owner);
    StrategyBuilder plain;
    Compositions compositions;
    std::map<std::pair<NodeId, std::size_t>, NodeId> known;
    const NodeId top = write_out(root, 0, plain, compositions, known);
    return plain.extract(top, owner);
}

void Crew::collect(std::vector<NodeId*> roots) {
    const std::lock_guard lock(mutex_);
    goods.each([&](Goods::Entry& entry) { roots.push_back(&entry.node); });
    strategies_.collect(roots);
}

// Most of what the table hands out is not part of the answer. So it is not renamed at once: a node with a
// variable that does not exist says what is to be done with the node below it.
NodeId Crew::renamed(NodeId node, std::size_t from, std::size_t to) {
    if (from == to || node == decided) return node;
    const auto images = static_cast<VarId>(renamings.size() + 1);
    const VarId reference = -2 - (static_cast<VarId>(from) * images + static_cast<VarId>(to));
    const std::lock_guard lock(mutex_);
    return strategies_.node(reference, 0, node);
}

// First as `from` renames, then back from where `to` leads; the steps of a composition from its last one on.
Move Crew::image(const Composition& composition, Move move) const {
    for (auto step = composition.rbegin(); step != composition.rend(); ++step) {
        const auto [from, to] = *step;
        if (from != 0) {
            const Renaming& there = renamings[from - 1];
            move = {there.image(move.variable), there.image(move.variable, move.value)};
        }
        if (to != 0) {
            const Renaming& back = inverses_[to - 1];
            move = {back.image(move.variable), back.image(move.variable, move.value)};
        }
    }
    return move;
}

NodeId Crew::write_out(NodeId node, std::size_t composition, StrategyBuilder& plain,
                       Compositions& compositions,
                       std::map<std::pair<NodeId, std::size_t>, NodeId>& known) const {
    if (node == decided) return node;
    if (const auto at = known.find({node, composition}); at != known.end()) return at->second;
    const StrategyNode& original = strategies_.at(node);
    NodeId result = decided;
    if (original.variable < 0) {
        const std::size_t images = renamings.size() + 1;
        const auto pair = static_cast<std::size_t>(-2 - original.variable);
        const std::size_t longer = compose(compositions, composition, {pair / images, pair % images});
        result = write_out(original.edges.front().to, longer, plain, compositions, known);
    } else {
        std::vector<Edge> edges;
        for (const Edge& edge : original.edges) {
            Edge& renamed =
                edges.emplace_back(Edge{{}, write_out(edge.to, composition, plain, compositions, known)});
            for (const Value value : edge.values)
                renamed.values.push_back(
                    image(compositions.all[composition], {original.variable, value}).value);
        }
        const VarId variable = image(compositions.all[composition], {original.variable, 0}).variable;
        result = plain.node(variable, std::move(edges));
    }
    known.emplace(std::pair(node, composition), result);
    return result;
}

// The composition that first takes `step` and then what `earlier` says. Two that do the same are one.
std::size_t Crew::compose(Compositions& compositions, std::size_t earlier, RenamingStep step) const {
    const auto [at, added] = compositions.products.try_emplace({earlier, step}, 0);
    if (!added) return at->second;
    Composition longer = compositions.all[earlier];
    longer.push_back(step);
    const auto same = [&](const Composition& other) {
        const auto count = static_cast<VarId>(renamings.front().variable.size());
        for (VarId v = 0; v < count; ++v) {
            if (image(longer, {v, 0}).variable != image(other, {v, 0}).variable) return false;
        }
        for (const Renaming& renaming : renamings) {
            for (const auto& [v, values] : renaming.values) {
                for (const auto& [value, unused] : values) {
                    if (image(longer, {v, value}) != image(other, {v, value})) return false;
                }
            }
        }
        return true;
    };
    const auto known = std::find_if(compositions.all.begin(), compositions.all.end(), same);
    at->second = static_cast<std::size_t>(known - compositions.all.begin());
    if (known == compositions.all.end()) compositions.all.push_back(std::move(longer));
    return at->second;
}

}  // namespace zermelo
