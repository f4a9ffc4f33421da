// Strategy graph: a strategy as a graph that can be opened at any node, which the page draws.
//
// Nodes are the positions that can arise, whatever the others do, or the variables that a model's strategy
// asks for. They are numbered breadth first from the root, which is 0, so that a graph that is too large to
// be kept as a whole keeps the layers nearest to the root. The owner's nodes have one edge; branches to the
// same node are one edge with several labels. A graph of a hundred thousand nodes takes some megabytes:
// labels are interned, and positions are rows of words that are spelled out on demand.

#pragma once

#include <optional>
#include <span>
#include <unordered_map>

#include "game/graph/graph.hpp"
#include "game/strategy/positional_strategy.hpp"
#include "gdl/game.hpp"
#include "stochastic/policy.hpp"
#include "strategy/strategy.hpp"
#include "web/session/position_labels.hpp"

namespace zermelo::web {

struct Bounds {
    std::size_t nodes = 1'000'000;
    std::size_t bytes = std::size_t{256} << 20;
};

class StrategyGraph {
public:
    using Id = std::uint32_t;
    enum class Kind : std::uint8_t { owner, other, chance, end };

    struct Node {
        std::uint32_t depth = 0;  // moves from the root, at least
        Id parent = 0;            // on such a way
        Kind kind = Kind::end;
        bool cut = false;  // what follows is not kept
        std::uint32_t label = 0;
        std::uint32_t first_edge = 0;
        std::optional<int> payoff = {};  // the owner's, at an end
    };

    // --- making it: every node is added before it is described, and they are described in their order ---

    explicit StrategyGraph(std::size_t words = 0) : words_(words) {}
    Id add_node(std::uint32_t depth, Id parent, Positions::Row row = {});
    // `cut`: its edges will not be there.
    void describe(Kind kind, const std::string& label, std::optional<int> payoff = {}, bool cut = false);
    void add_edge(Id to, std::span<const std::string> labels);  // of the node that was described last
    void finish();                                              // nothing more is added

    // --- looking at it ---

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] const Node& node(Id id) const { return nodes_[id]; }
    [[nodiscard]] const std::string& label(Id id) const { return dictionary_[nodes_[id].label]; }
    [[nodiscard]] bool truncated() const { return truncated_; }
    [[nodiscard]] Positions::Row row(Id id) const { return std::span(rows_).subspan(id * words_, words_); }
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] const std::vector<std::size_t>& layers() const { return layers_; }
    // The moves that the owner makes before anybody else has a say, as they are labelled.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> opening() const;

    // The nodes at most `depth` moves away from `from`, the nearest first, and at most `most` of them.
    [[nodiscard]] std::vector<Id> around(Id from, std::size_t depth, std::size_t most) const;

    // The nodes that mention all parts of the text, which are separated by commas or parentheses: in facts,
    // in the label, or in a move. `ids` are the first `most` of them.
    struct Found {
        std::size_t total = 0;
        std::vector<Id> ids;
    };
    [[nodiscard]] Found find(const std::string& text, std::size_t most, const Positions* positions,
                             const Limits& limits) const;
    [[nodiscard]] std::vector<std::string> path(Id id) const;  // labels of moves, from the root

    // The nodes that a play goes through, as far as the strategy knows it. A move is its text; `x = 2`, where
    // it names a variable, which a strategy may leave out; or { role: move }, of which that of the role on
    // turn counts.
    [[nodiscard]] std::vector<Id> follow(const json& moves) const;

    [[nodiscard]] json to_json(Id id, const Positions* positions) const;  // StrategyNode

private:
    struct Edge {
        Id to;
        std::uint32_t first_label;
    };
    [[nodiscard]] std::span<const Edge> edges(Id id) const;
    [[nodiscard]] std::span<const std::uint32_t> labels(const Edge& edge) const;
    [[nodiscard]] std::optional<Id> next(Id id, const std::string& move) const;
    std::uint32_t word(const std::string& text);

    std::size_t words_;
    std::vector<Node> nodes_;
    std::vector<std::uint64_t> rows_;
    std::vector<Edge> edges_;            // by node
    std::vector<std::uint32_t> labels_;  // by edge
    std::vector<std::string> dictionary_;
    std::unordered_map<std::string, std::uint32_t> numbers_;  // while it is made
    std::vector<std::size_t> layers_;
    std::size_t described_ = 0;
    std::size_t text_bytes_ = 0;
    bool truncated_ = false;
};

// Throw Error where the plan does not fit the game, LimitReached.
[[nodiscard]] StrategyGraph graph_of(const gdl::Game& game, const game::Plan& plan, const Bounds& bounds,
                                     const Limits& limits);
[[nodiscard]] StrategyGraph graph_of(const game::Graph& game, const game::Plan& plan, const Bounds& bounds,
                                     const Limits& limits);
[[nodiscard]] StrategyGraph graph_of(const model::Model& model, const strategy::Strategy& strategy,
                                     const Bounds& bounds);
[[nodiscard]] StrategyGraph graph_of(const stochastic::StochasticModel& model,
                                     const stochastic::Policy& policy, const Bounds& bounds);

}  // namespace zermelo::web
