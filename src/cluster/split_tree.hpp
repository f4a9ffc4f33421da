// A question that is divided into jobs: the tree of positions that were split, with open leaves.
//
// Which leaf is the next job? The one that would help most whether it comes out won or lost: the most proving
// leaf of proof-number search (L. V. Allis 1994; with jobs as leaves, I-C. Wu and others, Job-level
// proof-number search, 2013). A leaf that somebody is at counts double, so that others rather go elsewhere.
// Positions with the same key at the same distance from the root are one, so this is a graph without cycles.

#pragma once

#include <unordered_map>

#include "core/allies.hpp"

namespace zermelo::cluster {

class SplitTree {
public:
    using Node = std::uint32_t;
    static constexpr Node root = 0;

    explicit SplitTree(const Hash128& root_key);

    // The next job, which is given to somebody now; nothing where all open leaves are taken.
    [[nodiscard]] std::optional<Node> take();
    void decide(Node leaf, bool won);
    // A leaf becomes a position with branches; of those that were met before, the answers may be known.
    // Returns the branches' nodes.
    std::vector<Node> split(Node leaf, const Split& split);
    void give_back(Node leaf);  // nobody is at it any more

    [[nodiscard]] std::optional<bool> answer(Node node = root) const;
    [[nodiscard]] bool wanted(Node node) const;  // its answer is open, and the root's may depend on it
    [[nodiscard]] Line line(Node node) const;
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
        std::uint64_t proof = 1;  // how many leaves at least have to be won for this to be won
        std::uint64_t disproof = 1;
        std::uint32_t depth = 0;
        State state = State::leaf;
        bool was_split = false;
        bool ours = true;
        bool all = false;
        bool enough = false;
        bool taken = false;
        bool free = true;  // an open leaf that nobody is at is here or below
    };

    [[nodiscard]] static bool decided(const Content& node) {
        return node.state == State::won || node.state == State::lost;
    }
    [[nodiscard]] Node child(Node parent, const Split::Branch& branch);
    void update(Node node);
    bool look_again(Content& node) const;
    void count_leaf(Content& node) const;
    void count_inner(Content& node) const;
    static void settle(Content& node, bool won);

    std::vector<Content> nodes_;
    std::unordered_multimap<Hash128, Node, TakeLowBits> known_;
};

}  // namespace zermelo::cluster
