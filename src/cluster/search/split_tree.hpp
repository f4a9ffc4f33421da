// Split tree: a question divided into jobs by young brothers wait (Feldmann 1993), with measured
// probabilities.
//
// The tree holds the positions that were split, with open leaves. The next job is the leaf whose answer is
// most probably needed. The first branch of a position is needed if the position is; a later one only if no
// branch before it suffices. How often an answer suffices is counted, for positions of ours and of theirs
// apart: where the answer to the question is going to be no, one answer hardly ever suffices for us and often
// does for them, so then many processes work on our branches in parallel, and on theirs one after the other.
// A process that works alone visits branches in the order of the search itself.
//
// Positions with the same key at the same distance from the root are one node, so this is an acyclic graph.

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
    // Of the open leaves that are not taken; nothing where there is none.
    [[nodiscard]] std::optional<Choice> next() const;
    void take(Node leaf) { nodes_[leaf].taken = true; }
    void give_back(Node leaf) { nodes_[leaf].taken = false; }  // no process works on it any more

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
    // Answers to branches: how many there were, and how many sufficed for the position before them.
    struct Frequency {
        double answers = 2;
        double enough = 1;
    };

    [[nodiscard]] static bool decided(const Content& node) {
        return node.state == State::won || node.state == State::lost;
    }
    [[nodiscard]] Node child(Node parent, const Split::Branch& branch);
    void settle(Node node, bool won);
    void reevaluate(Node node);
    [[nodiscard]] Choice best_below(Node node, std::unordered_map<Node, Choice>& known) const;

    std::vector<Content> nodes_;
    std::unordered_multimap<Hash128, Node, LowBitsHash> known_;
    std::array<Frequency, 2> frequency_;  // for positions of theirs, and of ours
};

}  // namespace zermelo::cluster
