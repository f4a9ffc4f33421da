// A question that is divided into jobs: the tree of positions that were split, with open leaves.
//
// Which leaf is the next job? The one whose answer is needed most probably. What stands first among the
// branches of a position is needed if the position is; what stands behind it only if nothing before it is
// enough. How often an answer is enough is counted, for positions of ours and of theirs apart: where the
// question is going to be answered with no, one answer is hardly ever enough for us, and one often is for
// them, so then many work on our branches side by side, and on theirs one after the other. Whoever works
// alone goes as the search itself would. (Young brothers wait, R. Feldmann 1993, with a measured patience.)
//
// Positions with the same key at the same distance from the root are one, so this is a graph without cycles.

#pragma once

#include <array>
#include <unordered_map>

#include "core/distributed_search.hpp"

namespace zermelo::cluster {

class SplitTree {
public:
    using Node = std::uint32_t;
    static constexpr Node root = 0;

    explicit SplitTree(const Hash128& root_key);

    struct Choice {
        Node leaf = root;
        double needed = 1;  // how probably
    };
    // Of the open leaves that nobody is at; nothing where there is none.
    [[nodiscard]] std::optional<Choice> next() const;
    void take(Node leaf) { nodes_[leaf].taken = true; }
    void give_back(Node leaf) { nodes_[leaf].taken = false; }  // nobody is at it any more

    void decide(Node leaf, bool won);
    // A leaf becomes a position with branches; of those that were met before, the answers may be known.
    // Returns the branches' nodes.
    std::vector<Node> split(Node leaf, const Split& split);

    [[nodiscard]] std::optional<bool> answer(Node node = root) const;
    [[nodiscard]] bool wanted(Node node) const;  // its answer is open, and the root's may depend on it
    [[nodiscard]] Line line(Node node) const;
    [[nodiscard]] std::size_t depth(Node node) const { return nodes_[node].depth; }
    [[nodiscard]] const Hash128& key(Node node) const { return nodes_[node].key; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::vector<Hash128> inner() const;  // positions that were split

private:
    enum class State : std::uint8_t { leaf, inner, won, lost };
    struct Content {
        Hash128 key;
        Line moves;                 // from the first of the parents
        std::vector<Node> parents;  // none: the root
        std::vector<Node> children;
        std::uint32_t depth = 0;
        State state = State::leaf;
        bool was_split = false;
        bool ours = true;
        bool all = false;
        bool enough = false;
        bool taken = false;
    };
    // Answers about branches: how many there were, and how many were enough for the position before them.
    struct Counted {
        double answers = 2;
        double enough = 1;
    };

    [[nodiscard]] static bool decided(const Content& node) {
        return node.state == State::won || node.state == State::lost;
    }
    [[nodiscard]] Node child(Node parent, const Split::Branch& branch);
    void settle(Node node, bool won);
    void look_again(Node node);
    [[nodiscard]] Choice best_below(Node node, std::unordered_map<Node, Choice>& known) const;

    std::vector<Content> nodes_;
    std::unordered_multimap<Hash128, Node, LowBitsHash> known_;
    std::array<Counted, 2> counted_;  // for positions of theirs, and of ours
};

}  // namespace zermelo::cluster
