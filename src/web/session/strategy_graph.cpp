#include "web/session/strategy_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <unordered_set>

#include "core/format/numbers.hpp"
#include "core/limits.hpp"
#include "game/strategy/follow.hpp"
#include "game/views/gdl_game.hpp"
#include "web/api/terms.hpp"

namespace zermelo::web {

using Id = StrategyGraph::Id;
using NodeKind = StrategyGraph::Kind;

namespace {

constexpr std::array<const char*, 4> kinds = {"owner", "other", "chance", "end"};

// Whether a label such as 3 or 1..7 stands for the move.
bool stands_for(const std::string& label, const std::string& move) {
    if (label == move) return true;
    const auto dots = label.find("..");
    if (dots == std::string::npos) return false;
    const auto low = read_number<model::Value>(label.substr(0, dots));
    const auto high = read_number<model::Value>(label.substr(dots + 2));
    const auto value = read_number<model::Value>(move);
    return low && high && value && *low <= *value && *value <= *high;
}

// The parts of `(cell 1 1 x) (control o), mark`: what parentheses hold together, and what commas separate.
std::vector<std::string> parts(const std::string& text) {
    std::vector<std::string> all(1);
    int depth = 0;
    for (const char c : text) {
        if (c == '(' && depth++ == 0) all.emplace_back();
        if (c == ',') all.emplace_back();
        all.back() += c == ',' ? ' ' : c;
        if (c == ')' && --depth == 0) all.emplace_back();
    }
    for (std::string& part : all) part = plain(part);
    std::erase(all, "");
    return all;
}

}  // namespace

std::string plain(const std::string& text) {
    std::string result;
    for (const char c : text) {
        const bool blank = c == '(' || c == ')' || std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!blank) {
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (!result.empty() && result.back() != ' ') {
            result += ' ';
        }
    }
    if (!result.empty() && result.back() == ' ') result.pop_back();
    return result;
}

// ---- making it

std::uint32_t StrategyGraph::word(const std::string& text) {
    const auto [at, fresh] = numbers_.try_emplace(text, static_cast<std::uint32_t>(dictionary_.size()));
    if (fresh) {
        dictionary_.push_back(text);
        text_bytes_ += text.size() + sizeof text;
    }
    return at->second;
}

Id StrategyGraph::add_node(std::uint32_t depth, Id parent, Positions::Row row) {
    nodes_.push_back({.depth = depth, .parent = parent});
    rows_.insert(rows_.end(), row.begin(), row.end());
    if (layers_.size() <= depth) layers_.push_back(0);
    ++layers_[depth];
    return static_cast<Id>(nodes_.size() - 1);
}

void StrategyGraph::describe(Kind kind, const std::string& label, std::optional<int> payoff, bool cut) {
    Node& node = nodes_[described_++];
    node.kind = kind;
    node.label = word(label);
    node.payoff = payoff;
    node.cut = cut;
    node.first_edge = static_cast<std::uint32_t>(edges_.size());
    truncated_ = truncated_ || cut;
}

void StrategyGraph::add_edge(Id to, std::span<const std::string> labels) {
    edges_.push_back({to, static_cast<std::uint32_t>(labels_.size())});
    for (const std::string& label : labels) labels_.push_back(word(label));
}

void StrategyGraph::finish() {
    numbers_ = {};
    nodes_.shrink_to_fit();
    rows_.shrink_to_fit();
    edges_.shrink_to_fit();
    labels_.shrink_to_fit();
}

// ---- looking at it

std::size_t StrategyGraph::bytes() const {
    return nodes_.capacity() * sizeof(Node) + rows_.capacity() * sizeof rows_[0] +
           edges_.capacity() * sizeof(Edge) + labels_.capacity() * sizeof labels_[0] +
           (numbers_.empty() ? 1 : 3) * text_bytes_;
}

std::span<const StrategyGraph::Edge> StrategyGraph::edges(Id id) const {
    const std::size_t end = id + 1 < described_ ? nodes_[id + 1].first_edge : edges_.size();
    return std::span(edges_).subspan(nodes_[id].first_edge, end - nodes_[id].first_edge);
}

std::span<const std::uint32_t> StrategyGraph::labels(const Edge& edge) const {
    const bool last = &edge == &edges_.back();
    const std::size_t end = last ? labels_.size() : (&edge + 1)->first_label;
    return std::span(labels_).subspan(edge.first_label, end - edge.first_label);
}

std::vector<std::pair<std::string, std::string>> StrategyGraph::opening() const {
    std::vector<std::pair<std::string, std::string>> moves;
    for (Id at = 0; nodes_[at].kind == NodeKind::owner && !edges(at).empty(); at = edges(at).front().to) {
        const Edge& edge = edges(at).front();
        moves.emplace_back(label(at), dictionary_[labels(edge).front()]);
    }
    return moves;
}

std::vector<Id> StrategyGraph::around(Id from, std::size_t depth, std::size_t most) const {
    std::vector<Id> found = {from};
    std::unordered_set<Id> seen = {from};
    std::size_t layer_end = 1;
    for (std::size_t i = 0; i < found.size() && depth > 0; ++i) {
        for (const Edge& edge : edges(found[i])) {
            if (found.size() >= most) return found;
            if (seen.insert(edge.to).second) found.push_back(edge.to);
        }
        if (i + 1 == layer_end) {
            layer_end = found.size();
            --depth;
        }
    }
    return found;
}

StrategyGraph::Found StrategyGraph::find(const std::string& text, std::size_t most,
                                         const Positions* positions, const Limits& limits) const {
    // What a part means is found out once, and then it is a matter of bits.
    struct Part {
        std::vector<bool> words;
        std::function<bool(Positions::Row)> facts;
    };
    std::vector<Part> wanted;
    for (const std::string& part : parts(text)) {
        Part& one = wanted.emplace_back();
        for (const std::string& known : dictionary_)
            one.words.push_back(plain(known).find(part) != std::string::npos);
        if (positions != nullptr) one.facts = positions->mention(part);
    }
    const auto mentions = [&](Id id, const Part& part) {
        if (part.words[nodes_[id].label]) return true;
        for (const Edge& edge : edges(id)) {
            if (std::ranges::any_of(labels(edge), [&](std::uint32_t label) { return part.words[label]; }))
                return true;
        }
        return part.facts && part.facts(row(id));
    };
    Found found;
    if (wanted.empty()) return found;
    constexpr Id between_questions = 1024;
    for (Id id = 0; id < size(); ++id) {
        if (id % between_questions == 0) {
            if (const Stop stop = limits.reached(); stop != Stop::none)
                throw LimitReached(stop, "while searching for a position", "use a longer search text");
        }
        if (!std::ranges::all_of(wanted, [&](const Part& part) { return mentions(id, part); })) continue;
        ++found.total;
        if (found.ids.size() < most) found.ids.push_back(id);
    }
    return found;
}

std::vector<std::string> StrategyGraph::path(Id id) const {
    std::vector<std::string> moves;
    for (; id != 0; id = nodes_[id].parent) {
        const auto ways = edges(nodes_[id].parent);
        const auto way = std::ranges::find(ways, id, &Edge::to);
        moves.push_back(dictionary_[labels(*way).front()]);
    }
    std::ranges::reverse(moves);
    return moves;
}

std::optional<Id> StrategyGraph::next(Id id, const std::string& move) const {
    for (const Edge& edge : edges(id)) {
        for (const std::uint32_t label : labels(edge)) {
            if (stands_for(plain(dictionary_[label]), move)) return edge.to;
        }
    }
    return std::nullopt;
}

std::vector<Id> StrategyGraph::follow(const json& moves) const {
    const bool variables = words_ == 0;
    std::vector<Id> path = {0};
    for (const json& each : moves) {
        const std::string mover = label(path.back());
        const json move = each.is_object() ? each.value(mover, json()) : each;
        if (!move.is_string()) break;
        std::string text = plain(move.get<std::string>());
        if (const auto equals = text.find('='); variables && equals != std::string::npos) {
            if (plain(text.substr(0, equals)) != plain(mover)) continue;
            text = plain(text.substr(equals + 1));
        }
        const auto to = next(path.back(), text);
        if (!to) break;
        path.push_back(*to);
    }
    return path;
}

json StrategyGraph::to_json(Id id, const Positions* positions) const {
    const Node& node = nodes_[id];
    json ways = json::array();
    for (const Edge& edge : edges(id)) {
        json names = json::array();
        for (const std::uint32_t label : labels(edge)) names.push_back(dictionary_[label]);
        ways.push_back({{"labels", std::move(names)}, {"to", edge.to}});
    }
    return {{"id", id},
            {"depth", node.depth},
            {"kind", kinds[static_cast<std::size_t>(node.kind)]},
            {"label", label(id)},
            {"facts", positions == nullptr ? json::array() : positions->facts(row(id))},
            {"payoff", node.payoff ? json(*node.payoff) : json()},
            {"edges", std::move(ways)},
            {"cut", node.cut}};
}

// ---- plans of games

namespace {

// Goes through a game breadth first, the owner by the plan.
template <game::Game G>
class Tracer {
public:
    Tracer(G& game, const game::Plan& plan, const Bounds& bounds, const Limits& limits)
        : game_(game),
          plan_(plan),
          bounds_(bounds),
          limits_(limits),
          graph_(game.row_words()),
          row_(game.row_words()) {
        if (bounds.nodes > 1) follower_.emplace(game, plan, limits);
    }

    StrategyGraph run() {
        typename G::State state = game_.initial();
        (void)add_node(state, 0, 0);
        for (Id id = 0; id < graph_.size(); ++id) {
            if (const Stop stop = limits_.reached(); stop != Stop::none)
                throw LimitReached(stop, "while expanding a strategy", "raise the time or memory limit");
            game_.unpack(graph_.row(id), state);
            game_.look(state);
            describe(id, state);
        }
        graph_.finish();
        return std::move(graph_);
    }

private:
    Id add_node(const typename G::State& state, std::uint32_t depth, Id parent) {
        const auto met = table_.insert(game_.key(state), static_cast<Id>(graph_.size()));
        if (!met.fresh) return met.number;
        game_.pack(state, row_);
        return graph_.add_node(depth, parent, row_);
    }

    void describe(Id id, const typename G::State& state) {
        const game::Turn turn = game_.turn();
        if (turn.over()) return graph_.describe(NodeKind::end, "", game_.payoff(plan_.owner));
        full_ = full_ || graph_.size() >= bounds_.nodes || graph_.bytes() >= bounds_.bytes;
        if (turn.kind == game::Turn::Kind::chance) {
            graph_.describe(NodeKind::chance, "chance", {}, full_);
        } else {
            const bool own = turn.player == plan_.owner;
            graph_.describe(own ? NodeKind::owner : NodeKind::other, game_.player_name(turn.player), {},
                            full_);
            if (own && !full_) return choose(id, state);
        }
        if (full_) return;
        std::map<Id, std::vector<std::string>> ways;
        for (std::size_t move = 0; move < game_.moves(); ++move)
            ways[after(move, id)].push_back(game_.move_name(move));
        for (const auto& [to, labels] : ways) graph_.add_edge(to, labels);
    }

    void choose(Id id, const typename G::State& state) {
        const auto move = follower_->move(state);
        if (!move) throw Error("the plan does not fit the game", "use a plan that was made for this game");
        const std::string label = game_.move_name(*move);
        graph_.add_edge(after(*move, id), {&label, 1});
    }

    Id after(std::size_t move, Id id) {
        game_.successor(move, next_);
        return add_node(next_, graph_.node(id).depth + 1, id);
    }

    G& game_;
    const game::Plan& plan_;
    const Bounds& bounds_;
    const Limits& limits_;
    std::optional<game::PlanFollower<G>> follower_;
    game::PlanTable table_;
    StrategyGraph graph_;
    std::vector<std::uint64_t> row_;
    typename G::State next_ = {};
    bool full_ = false;
};

}  // namespace

StrategyGraph graph_of(const gdl::Game& rules, const game::Plan& plan, const Bounds& bounds,
                       const Limits& limits) {
    game::GdlGame game(rules);
    return Tracer(game, plan, bounds, limits).run();
}

StrategyGraph graph_of(const game::Graph& rules, const game::Plan& plan, const Bounds& bounds,
                       const Limits& limits) {
    game::GraphGame game(rules);
    return Tracer(game, plan, bounds, limits).run();
}

// ---- strategies of models

namespace {

// 1, 2, 3, 7: 1..3 and 7.
std::vector<std::string> ranges(const std::vector<model::Value>& values) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < values.size();) {
        std::size_t end = i + 1;
        while (end < values.size() && values[end] == values[end - 1] + 1) ++end;
        all.push_back(end == i + 1 ? fmt::to_string(values[i])
                                   : fmt::format("{}..{}", values[i], values[end - 1]));
        i = end;
    }
    return all;
}

// Renumbers a graph of variables breadth first. `kind(node)` and `label(edge)` say the rest.
template <class Nodes, class KindOf, class LabelsOf>
StrategyGraph renumbered(const model::Model& model, const Nodes& nodes, std::int32_t root,
                         std::optional<int> payoff, const Bounds& bounds, const KindOf& kind,
                         const LabelsOf& labels_of) {
    StrategyGraph graph;
    std::vector<std::int32_t> original = {root};
    std::vector<std::optional<Id>> number(nodes.size());
    number[static_cast<std::size_t>(root)] = graph.add_node(0, 0);
    bool full = false;
    for (Id id = 0; id < original.size(); ++id) {
        const auto& node = nodes[static_cast<std::size_t>(original[id])];
        if (node.variable < 0) {
            graph.describe(NodeKind::end, "", payoff);
            continue;
        }
        full = full || graph.size() >= bounds.nodes || graph.bytes() >= bounds.bytes;
        graph.describe(kind(node), model.name_of(node.variable), {}, full);
        if (full) continue;
        for (const auto& edge : node.edges) {
            auto& to = number[static_cast<std::size_t>(edge.to)];
            if (!to) {
                to = graph.add_node(graph.node(id).depth + 1, id);
                original.push_back(edge.to);
            }
            graph.add_edge(*to, labels_of(edge));
        }
    }
    graph.finish();
    return graph;
}

}  // namespace

StrategyGraph graph_of(const model::Model& model, const strategy::Strategy& strategy, const Bounds& bounds) {
    std::vector<bool> own(model.variables.size(), false);
    std::vector<bool> quantified(model.variables.size(), false);
    for (const model::Block& block : model.prefix) {
        for (const model::VarId v : block.variables) {
            quantified[static_cast<std::size_t>(v)] = true;
            own[static_cast<std::size_t>(v)] = block.quantifier == strategy.owner;
        }
    }
    // What is not in the prefix is innermost, and ∃'s.
    const auto owned = [&](model::VarId v) {
        const auto at = static_cast<std::size_t>(v);
        return quantified[at] ? own[at] : strategy.owner == model::Quantifier::exists;
    };
    return renumbered(
        model, strategy.nodes, strategy.root, game::win, bounds,
        [&](const strategy::StrategyNode& node) {
            return owned(node.variable) ? NodeKind::owner : NodeKind::other;
        },
        [](const strategy::Edge& edge) { return ranges(edge.values); });
}

StrategyGraph graph_of(const stochastic::StochasticModel& model, const stochastic::Policy& policy,
                       const Bounds& bounds) {
    std::vector<bool> decided(model.model.variables.size(), false);
    for (const stochastic::Turn& turn : model.order)
        decided[static_cast<std::size_t>(turn.variable)] = turn.decision();
    return renumbered(
        model.model, policy.nodes, policy.root, {}, bounds,
        [&](const stochastic::PolicyNode& node) {
            return decided[static_cast<std::size_t>(node.variable)] ? NodeKind::owner : NodeKind::chance;
        },
        [](const stochastic::PolicyEdge& edge) { return ranges(edge.values); });
}

// ---- what positions say

namespace {

bool holds(Positions::Row row, std::size_t fluent) { return (row[fluent / 64] >> (fluent % 64) & 1) != 0; }

class GdlPositions : public Positions {
public:
    explicit GdlPositions(std::shared_ptr<const gdl::Game> game) : game_(std::move(game)) {}

    [[nodiscard]] json facts(Row row) const override {
        json all = json::array();
        for (std::size_t i = 0; i < fluents().size(); ++i) {
            if (holds(row, i)) all.push_back(term(*game_, fluents()[i]));
        }
        return all;
    }
    [[nodiscard]] std::function<bool(Row)> mention(const std::string& text) const override {
        std::vector<std::uint64_t> mask((fluents().size() + 63) / 64);
        for (std::size_t i = 0; i < fluents().size(); ++i) {
            if (plain(game_->text(fluents()[i])).find(text) != std::string::npos)
                mask[i / 64] |= std::uint64_t{1} << (i % 64);
        }
        return [mask = std::move(mask)](Row row) {
            for (std::size_t w = 0; w < mask.size(); ++w) {
                if ((mask[w] & row[w]) != 0) return true;
            }
            return false;
        };
    }

private:
    [[nodiscard]] const std::vector<gdl::TermId>& fluents() const {
        return game_->machine().network().fluents;
    }
    std::shared_ptr<const gdl::Game> game_;
};

class GraphPositions : public Positions {
public:
    explicit GraphPositions(std::shared_ptr<const game::Graph> graph) : graph_(std::move(graph)) {}

    [[nodiscard]] json facts(Row row) const override { return json::array({name(row)}); }
    [[nodiscard]] std::function<bool(Row)> mention(const std::string& text) const override {
        return [this, text](Row row) { return plain(name(row)).find(text) != std::string::npos; };
    }

private:
    [[nodiscard]] std::string name(Row row) const { return graph_->name(static_cast<game::StateId>(row[0])); }
    std::shared_ptr<const game::Graph> graph_;
};

}  // namespace

std::shared_ptr<const Positions> positions_of(std::shared_ptr<const gdl::Game> game) {
    return std::make_shared<GdlPositions>(std::move(game));
}

std::shared_ptr<const Positions> positions_of(std::shared_ptr<const game::Graph> graph) {
    return std::make_shared<GraphPositions>(std::move(graph));
}

}  // namespace zermelo::web
