#include "quantified/parallel/shared_search_state.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "strategy/format/binary.hpp"

namespace zermelo::quantified {

namespace {

constexpr std::size_t max_entries_per_message = 512;
constexpr std::size_t max_strategy_nodes = 512;   // of an entry that is sent
constexpr std::uint64_t min_nodes_searched = 32;  // for an entry that is sent

}  // namespace

SharedSearchState::SharedSearchState(unsigned member_count, std::size_t goods_bytes,
                                     std::vector<model::Renaming> all)
    : goods(goods_bytes, !all.empty()),
      members(member_count),
      renamings(std::move(all)),
      safepoint(member_count),
      outbox(min_nodes_searched, max_entries_per_message),
      at_work_(std::make_unique<std::array<Counter, counters>>()) {
    for (const model::Renaming& renaming : renamings) inverses_.push_back(inverse(renaming));
}

void SharedSearchState::prepare() {
    done = false;
    safepoint.reset(members);
}

strategy::NodeId SharedSearchState::node(model::VarId variable, std::vector<strategy::Edge> edges) {
    const std::lock_guard lock(mutex_);
    return strategies_.node(variable, std::move(edges));
}

std::size_t SharedSearchState::nodes() const {
    const std::lock_guard lock(mutex_);
    return strategies_.size();
}

// Written out without references: what stands behind one is renamed on the way.
strategy::Strategy SharedSearchState::extract(strategy::NodeId root, model::Quantifier owner) const {
    const std::lock_guard lock(mutex_);
    if (renamings.empty()) return strategies_.extract(root, owner);
    strategy::StrategyBuilder plain;
    Compositions compositions;
    std::map<std::pair<strategy::NodeId, std::size_t>, strategy::NodeId> known;
    const strategy::NodeId top = write_out(root, 0, plain, compositions, known);
    return plain.extract(top, owner);
}

void SharedSearchState::collect(std::vector<strategy::NodeId*> roots) {
    const std::lock_guard lock(mutex_);
    goods.each_node([&](strategy::NodeId& node) { roots.push_back(&node); });
    outbox.each([&](Goods::Entry& entry) { roots.push_back(&entry.node); });
    strategies_.collect(roots);
}

// Most of what the table hands out is not part of the answer. So renaming is lazy: a node with a negative
// variable says how the node below it is to be renamed.
strategy::NodeId SharedSearchState::renamed(strategy::NodeId node, std::size_t from, std::size_t to) {
    if (from == to || node == strategy::decided) return node;
    const auto images = static_cast<model::VarId>(renamings.size() + 1);
    const model::VarId reference =
        -2 - (static_cast<model::VarId>(from) * images + static_cast<model::VarId>(to));
    const std::lock_guard lock(mutex_);
    return strategies_.node(reference, 0, node);
}

// First as `from` renames, then back from where `to` leads; the steps of a composition from its last one on.
strategy::Move SharedSearchState::image(const Composition& composition, strategy::Move move) const {
    for (auto step = composition.rbegin(); step != composition.rend(); ++step) {
        const auto [from, to] = *step;
        if (from != 0) {
            const model::Renaming& there = renamings[from - 1];
            move = {there.image(move.variable), there.image(move.variable, move.value)};
        }
        if (to != 0) {
            const model::Renaming& back = inverses_[to - 1];
            move = {back.image(move.variable), back.image(move.variable, move.value)};
        }
    }
    return move;
}

strategy::NodeId SharedSearchState::write_out(
    strategy::NodeId node, std::size_t composition, strategy::StrategyBuilder& plain,
    Compositions& compositions,
    std::map<std::pair<strategy::NodeId, std::size_t>, strategy::NodeId>& known) const {
    if (node == strategy::decided) return node;
    if (const auto at = known.find({node, composition}); at != known.end()) return at->second;
    const strategy::StrategyNode& original = strategies_.at(node);
    strategy::NodeId result = strategy::decided;
    if (original.variable < 0) {
        const std::size_t images = renamings.size() + 1;
        const auto pair = static_cast<std::size_t>(-2 - original.variable);
        const std::size_t longer = compose(compositions, composition, {pair / images, pair % images});
        result = write_out(original.edges.front().to, longer, plain, compositions, known);
    } else {
        std::vector<strategy::Edge> edges;
        for (const strategy::Edge& edge : original.edges) {
            strategy::Edge& renamed = edges.emplace_back(
                strategy::Edge{{}, write_out(edge.to, composition, plain, compositions, known)});
            for (const model::Value value : edge.values)
                renamed.values.push_back(
                    image(compositions.all[composition], {original.variable, value}).value);
        }
        const model::VarId variable = image(compositions.all[composition], {original.variable, 0}).variable;
        result = plain.node(variable, std::move(edges));
    }
    known.emplace(std::pair(node, composition), result);
    return result;
}

// The composition that first takes `step` and then what `earlier` says. Two that do the same are one.
std::size_t SharedSearchState::compose(Compositions& compositions, std::size_t earlier,
                                       RenamingStep step) const {
    const auto [at, added] = compositions.products.try_emplace({earlier, step}, 0);
    if (!added) return at->second;
    Composition longer = compositions.all[earlier];
    longer.push_back(step);
    const auto same = [&](const Composition& other) {
        const auto count = static_cast<model::VarId>(renamings.front().variable.size());
        for (model::VarId v = 0; v < count; ++v) {
            if (image(longer, {v, 0}).variable != image(other, {v, 0}).variable) return false;
        }
        for (const model::Renaming& renaming : renamings) {
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

// ---- messages to other processes

// Children first; nothing where there are too many.
std::vector<strategy::NodeId> SharedSearchState::below(strategy::NodeId root) const {
    std::unordered_set<strategy::NodeId> met = {root};
    std::vector<strategy::NodeId> all = {root};
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const strategy::Edge& edge : strategies_.at(all[i]).edges) {
            if (edge.to != strategy::decided && met.insert(edge.to).second) all.push_back(edge.to);
        }
        if (all.size() > max_strategy_nodes) return {};
    }
    std::ranges::sort(all);
    return all;
}

Bytes SharedSearchState::news() {
    const std::lock_guard lock(mutex_);
    std::vector<Goods::Entry> sent;
    std::vector<strategy::NodeId> needed;
    for (const Goods::Entry& entry : outbox.take()) {
        if (entry.node != strategy::decided) {
            const std::vector<strategy::NodeId> its = below(entry.node);
            if (its.empty()) continue;
            needed.insert(needed.end(), its.begin(), its.end());
        }
        sent.push_back(entry);
    }
    if (sent.empty()) return {};
    std::ranges::sort(needed);
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    std::unordered_map<strategy::NodeId, strategy::NodeId> number = {{strategy::decided, strategy::decided}};
    std::vector<strategy::StrategyNode> nodes(1);
    for (const strategy::NodeId id : needed) {
        strategy::StrategyNode& node = nodes.emplace_back(strategies_.at(id));
        for (strategy::Edge& edge : node.edges) edge.to = number.at(edge.to);
        number.emplace(id, static_cast<strategy::NodeId>(nodes.size() - 1));
    }
    Bytes bytes;
    put(bytes, nodes);
    for (Goods::Entry& entry : sent) {
        entry.node = number.at(entry.node);
        put(bytes, entry);
    }
    return bytes;
}

void SharedSearchState::learn(std::span<const std::byte> news) {
    const std::vector<strategy::StrategyNode> nodes = strategy::take_nodes(news);
    std::vector<strategy::NodeId> ids;
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

strategy::NodeId SharedSearchState::adopt(const strategy::Strategy& strategy) {
    const std::lock_guard lock(mutex_);
    return adopt(strategy.nodes).at(static_cast<std::size_t>(strategy.root));
}

std::vector<strategy::NodeId> SharedSearchState::adopt(const std::vector<strategy::StrategyNode>& nodes) {
    std::vector<strategy::NodeId> ids = {strategy::decided};
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        std::vector<strategy::Edge> edges = nodes[i].edges;
        for (strategy::Edge& edge : edges) edge.to = ids.at(static_cast<std::size_t>(edge.to));
        ids.push_back(strategies_.node(nodes[i].variable, std::move(edges)));
    }
    return ids;
}

}  // namespace zermelo::quantified
