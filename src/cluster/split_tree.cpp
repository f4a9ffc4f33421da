#include "cluster/split_tree.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace zermelo::cluster {

namespace {

constexpr std::uint64_t never = std::uint64_t{1} << 40;  // of proof numbers: it cannot be done

}  // namespace

SplitTree::SplitTree(const Hash128& root_key) {
    nodes_.emplace_back().key = root_key;
    known_.emplace(root_key, root);
}

std::optional<bool> SplitTree::answer(Node node) const {
    const State state = nodes_[node].state;
    if (state != State::won && state != State::lost) return std::nullopt;
    return state == State::won;
}

std::optional<SplitTree::Node> SplitTree::take() {
    if (decided(nodes_[root]) || !nodes_[root].free) return std::nullopt;
    Node at = root;
    while (nodes_[at].state == State::inner) {
        const Content& node = nodes_[at];
        const auto effort = [&](Node child) {
            const Content& below = nodes_[child];
            if (decided(below) || !below.free) return never + 1;
            return node.ours ? below.proof : below.disproof;
        };
        at = *std::ranges::min_element(node.children, {}, effort);
    }
    nodes_[at].taken = true;
    update(at);
    return at;
}

void SplitTree::decide(Node leaf, bool won) {
    if (decided(nodes_[leaf])) return;  // by what came in meanwhile
    settle(nodes_[leaf], won);
    for (const Node parent : nodes_[leaf].parents) update(parent);
}

void SplitTree::give_back(Node leaf) {
    nodes_[leaf].taken = false;
    if (nodes_[leaf].state == State::leaf) update(leaf);
}

std::vector<SplitTree::Node> SplitTree::split(Node leaf, const Split& split) {
    if (nodes_[leaf].state != State::leaf) return {};
    std::vector<Node> children;
    for (const Split::Branch& branch : split.open) children.push_back(child(leaf, branch));
    if (children.empty()) throw std::logic_error("a position was split into nothing");
    Content& node = nodes_[leaf];
    node.state = State::inner;
    node.was_split = true;
    node.taken = false;
    node.ours = split.ours;
    node.all = split.all;
    node.enough = split.enough;
    node.children = std::move(children);
    update(leaf);
    return nodes_[leaf].children;
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

// From here up, as far as anything changes.
void SplitTree::update(Node node) {
    std::vector<Node> changed = {node};
    while (!changed.empty()) {
        const Node next = changed.back();
        changed.pop_back();
        if (look_again(nodes_[next])) {
            changed.insert(changed.end(), nodes_[next].parents.begin(), nodes_[next].parents.end());
        }
    }
}

bool SplitTree::look_again(Content& node) const {
    if (decided(node)) return false;
    const std::tuple before(node.proof, node.disproof, node.free);
    if (node.state == State::leaf) {
        count_leaf(node);
    } else {
        count_inner(node);
    }
    return decided(node) || before != std::tuple(node.proof, node.disproof, node.free);
}

void SplitTree::count_leaf(Content& node) const {
    node.proof = node.disproof = node.taken ? 2 : 1;
    node.free = !node.taken;
}

void SplitTree::count_inner(Content& node) const {
    bool some_won = false;
    bool some_lost = false;
    bool some_open = false;
    std::uint64_t least_proof = never;
    std::uint64_t least_disproof = never;
    std::uint64_t all_proof = 0;
    std::uint64_t all_disproof = 0;
    node.free = false;
    for (const Node child : node.children) {
        const Content& below = nodes_[child];
        some_won |= below.state == State::won;
        some_lost |= below.state == State::lost;
        if (decided(below)) continue;
        some_open = true;
        node.free |= below.free;
        least_proof = std::min(least_proof, below.proof);
        least_disproof = std::min(least_disproof, below.disproof);
        all_proof += below.proof;
        all_disproof += below.disproof;
    }
    const bool enough = node.enough || (node.ours ? some_won : some_lost);
    if (!some_open || (enough && !node.all)) return settle(node, enough == node.ours);
    if (node.all) least_proof = least_disproof = all_proof = all_disproof = all_proof + all_disproof;
    node.proof = std::min(never, node.ours ? least_proof : all_proof);
    node.disproof = std::min(never, node.ours ? all_disproof : least_disproof);
}

void SplitTree::settle(Content& node, bool won) {
    node.state = won ? State::won : State::lost;
    node.free = false;
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
