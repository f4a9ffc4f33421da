#include "web/session/strategy_graph.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_set>

#include "core/format/numbers.hpp"
#include "core/limits.hpp"

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

}  // namespace zermelo::web
