#include "cluster/search/split_tree.hpp"

#include <algorithm>
#include <stdexcept>

namespace zermelo::cluster {

SplitTree::SplitTree(const Hash128& root_key) {
    nodes_.emplace_back().key = root_key;
    known_.emplace(root_key, root);
}

std::optional<bool> SplitTree::answer(Node node) const {
    if (!decided(nodes_[node])) return std::nullopt;
    return nodes_[node].state == State::won;
}

std::optional<SplitTree::Choice> SplitTree::next() const {
    if (decided(nodes_[root])) return std::nullopt;
    std::unordered_map<Node, Choice> known;
    const Choice best = best_below(root, known);
    if (best.needed <= 0) return std::nullopt;
    return best;
}

// Nothing below is needed where everything is decided or taken.
SplitTree::Choice SplitTree::best_below(Node node, std::unordered_map<Node, Choice>& known) const {
    const Content& at = nodes_[node];
    if (at.state == State::leaf) return {node, at.taken ? 0.0 : 1.0};
    if (const auto found = known.find(node); found != known.end()) return found->second;
    const Frequency& counted = frequency_[at.ours ? 1 : 0];
    const double is_not_enough = at.all ? 1 : 1 - counted.enough / counted.answers;
    Choice best{node, 0};
    double needed = 1;
    for (const Node child : at.children) {
        if (decided(nodes_[child])) continue;
        const Choice below = best_below(child, known);
        if (needed * below.needed > best.needed) best = {below.leaf, needed * below.needed};
        needed *= is_not_enough;
        if (needed <= best.needed) break;
    }
    known.emplace(node, best);
    return best;
}

void SplitTree::decide(Node leaf, bool won) {
    if (!decided(nodes_[leaf])) settle(leaf, won);  // or else by what came in meanwhile
}

void SplitTree::settle(Node node, bool won) {
    nodes_[node].state = won ? State::won : State::lost;
    for (const Node parent : std::vector<Node>(nodes_[node].parents)) {
        const Content& before = nodes_[parent];
        if (decided(before)) continue;
        Frequency& counted = frequency_[before.ours ? 1 : 0];
        counted.answers += 1;
        counted.enough += won == before.ours ? 1 : 0;
        reevaluate(parent);
    }
}

void SplitTree::reevaluate(Node node) {
    const Content& at = nodes_[node];
    bool enough = at.enough;
    bool some_open = false;
    for (const Node child : at.children) {
        const auto known = answer(child);
        some_open |= !known;
        enough |= known == at.ours;
    }
    if (!some_open || (enough && !at.all)) settle(node, enough == at.ours);
}

std::vector<SplitTree::Node> SplitTree::split(Node leaf, const Split& split) {
    if (nodes_[leaf].state != State::leaf) return {};
    std::vector<Node> children;
    for (const Split::Branch& branch : split.open) children.push_back(child(leaf, branch));
    if (children.empty()) throw std::logic_error("a position was split into nothing");
    Content& node = nodes_[leaf];
    node.state = State::inner;
    node.was_split = true;
    node.ours = split.ours;
    node.all = split.all;
    node.enough = split.enough;
    node.children = children;
    reevaluate(leaf);
    return children;
}

SplitTree::Node SplitTree::child(Node parent, const Split::Branch& branch) {
    const auto depth = nodes_[parent].depth + static_cast<std::uint32_t>(branch.moves.size());
    for (auto [at, end] = known_.equal_range(branch.key); at != end; ++at) {
        Content& same = nodes_[at->second];
        if (same.depth != depth) continue;
        if (std::ranges::find(same.parents, parent) == same.parents.end()) same.parents.push_back(parent);
        return at->second;
    }
    const auto fresh = static_cast<Node>(nodes_.size());
    Content& node = nodes_.emplace_back();
    node.key = branch.key;
    node.moves = branch.moves;
    node.parents = {parent};
    node.depth = depth;
    known_.emplace(branch.key, fresh);
    return fresh;
}

bool SplitTree::wanted(Node node) const {
    std::vector<Node> above = {node};
    std::vector<bool> met(nodes_.size(), false);
    while (!above.empty()) {
        const Node at = above.back();
        above.pop_back();
        if (met[at] || decided(nodes_[at])) continue;
        if (at == root) return true;
        met[at] = true;
        above.insert(above.end(), nodes_[at].parents.begin(), nodes_[at].parents.end());
    }
    return false;
}

Line SplitTree::line(Node node) const {
    std::vector<Node> way;
    for (; node != root; node = nodes_[node].parents.front()) way.push_back(node);
    Line line;
    for (auto at = way.rbegin(); at != way.rend(); ++at)
        line.insert(line.end(), nodes_[*at].moves.begin(), nodes_[*at].moves.end());
    return line;
}

std::vector<Hash128> SplitTree::inner() const {
    std::vector<Hash128> keys;
    for (const Content& node : nodes_) {
        if (node.was_split) keys.push_back(node.key);
    }
    return keys;
}

}  // namespace zermelo::cluster
