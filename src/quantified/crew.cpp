#include "quantified/crew.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "strategy/wire.hpp"

namespace zermelo {

namespace {

constexpr std::size_t most_told = 512;     // in one letter
constexpr std::size_t largest_told = 512;  // nodes of a strategy
constexpr std::uint64_t least_work = 32;   // nodes that were searched for what is told

}  // namespace

Crew::Crew(unsigned member_count, std::size_t goods_bytes, std::vector<Renaming> all)
    : goods(goods_bytes),
      members(member_count),
      renamings(std::move(all)),
      meeting(member_count),
      noted(least_work, most_told),
      at_work_(std::make_unique<std::array<Counter, counters>>()) {
    for (const Renaming& renaming : renamings) inverses_.push_back(inverse(renaming));
}

void Crew::assemble() {
    done = false;
    meeting.expect(members);
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
    noted.each([&](Goods::Entry& entry) { roots.push_back(&entry.node); });
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

// ------------------------------------------------------------------------------------------ other crews

// Children first; nothing where there are too many.
std::vector<NodeId> Crew::below(NodeId root) const {
    std::unordered_set<NodeId> met = {root};
    std::vector<NodeId> all = {root};
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const Edge& edge : strategies_.at(all[i]).edges) {
            if (edge.to != decided && met.insert(edge.to).second) all.push_back(edge.to);
        }
        if (all.size() > largest_told) return {};
    }
    std::ranges::sort(all);
    return all;
}

Bytes Crew::news() {
    const std::lock_guard lock(mutex_);
    std::vector<Goods::Entry> told;
    std::vector<NodeId> needed;
    for (const Goods::Entry& entry : noted.take()) {
        if (entry.node != decided) {
            const std::vector<NodeId> its = below(entry.node);
            if (its.empty()) continue;
            needed.insert(needed.end(), its.begin(), its.end());
        }
        told.push_back(entry);
    }
    if (told.empty()) return {};
    std::ranges::sort(needed);
    const auto doubles = std::ranges::unique(needed);
    needed.erase(doubles.begin(), doubles.end());
    std::unordered_map<NodeId, NodeId> number = {{decided, decided}};
    std::vector<StrategyNode> nodes(1);
    for (const NodeId id : needed) {
        StrategyNode& node = nodes.emplace_back(strategies_.at(id));
        for (Edge& edge : node.edges) edge.to = number.at(edge.to);
        number.emplace(id, static_cast<NodeId>(nodes.size() - 1));
    }
    Bytes bytes;
    put(bytes, nodes);
    for (Goods::Entry& entry : told) {
        entry.node = number.at(entry.node);
        put(bytes, entry);
    }
    return bytes;
}

void Crew::learn(std::span<const std::byte> news) {
    const std::vector<StrategyNode> nodes = take_nodes(news);
    std::vector<NodeId> ids;
    {
        const std::lock_guard lock(mutex_);
        ids = adopt(nodes);
    }
    while (!news.empty()) {
        auto entry = take<Goods::Entry>(news);
        entry.node = ids.at(static_cast<std::size_t>(entry.node));
        goods.store(entry);
    }
}

NodeId Crew::adopt(const Strategy& strategy) {
    const std::lock_guard lock(mutex_);
    return adopt(strategy.nodes).at(static_cast<std::size_t>(strategy.root));
}

std::vector<NodeId> Crew::adopt(const std::vector<StrategyNode>& nodes) {
    std::vector<NodeId> ids = {decided};
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        std::vector<Edge> edges = nodes[i].edges;
        for (Edge& edge : edges) edge.to = ids.at(static_cast<std::size_t>(edge.to));
        ids.push_back(strategies_.node(nodes[i].variable, std::move(edges)));
    }
    return ids;
}

}  // namespace zermelo
