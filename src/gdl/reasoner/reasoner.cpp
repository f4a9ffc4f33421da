#include "gdl/reasoner/reasoner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "gdl/reasoner/engine.hpp"

namespace zermelo::gdl {

using datalog::nothing;

Reasoner::State Reasoner::Engine::column(Symbol keyword) {
    const Relation& found = complete(keyword, 1);
    State result;
    for (const std::uint32_t row : found.present) result.push_back(found.rows[row][0]);
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<Reasoner::Ground> Reasoner::Engine::of_role(Symbol keyword, std::size_t role) {
    const Relation& found = complete(keyword, 2);
    std::vector<Ground> result;
    for (const std::uint32_t row : found.present) {
        if (found.rows[row][0] == roles_.at(role)) result.push_back(found.rows[row][1]);
    }
    return result;
}

void Reasoner::Engine::sort_by_text(std::vector<Ground>& terms) const {
    std::sort(terms.begin(), terms.end(), [&](Ground a, Ground b) { return text(a) < text(b); });
}

const std::string& Reasoner::Engine::text(Ground term) const {
    if (texts_.size() < terms_.size()) texts_.resize(terms_.size());
    if (texts_[term].empty()) {
        const auto arguments = terms_.arguments(term);
        std::string result = symbols_.name(terms_.function(term));
        for (const Ground argument : arguments) result += " " + text(argument);
        texts_[term] = arguments.empty() ? result : "(" + result + ")";
    }
    return texts_[term];
}

std::optional<Reasoner::Ground> Reasoner::Engine::find(const std::string& text) {
    Tree tree;
    try {
        tree = read_tree(text, "term");
    } catch (const Error&) {
        return std::nullopt;
    }
    if (tree.nodes.empty()) return std::nullopt;
    std::uint32_t at = 0;
    const Ground found = find(tree, at);
    return found == nothing || at != tree.nodes.size() ? std::nullopt : std::optional(found);
}

Reasoner::Ground Reasoner::Engine::find(const Tree& tree, std::uint32_t& at) {
    const Node& node = tree.nodes[at];
    ++at;
    if (!node.list) return terms_.find(symbols_.intern(tree.word(node)), {}).value_or(nothing);
    if (at == node.end || tree.nodes[at].list) return nothing;
    const Symbol function = symbols_.intern(tree.word(tree.nodes[at++]));
    std::vector<Ground> arguments;
    while (at < node.end) {
        arguments.push_back(find(tree, at));
        if (arguments.back() == nothing) return nothing;
    }
    return terms_.find(function, arguments).value_or(nothing);
}

Reasoner::Reasoner(const Description& game, const ReasonerOptions& options)
    : engine_(std::make_unique<Engine>(game, options)) {}
Reasoner::~Reasoner() = default;
Reasoner::Reasoner(Reasoner&&) noexcept = default;
Reasoner& Reasoner::operator=(Reasoner&&) noexcept = default;

const std::vector<Reasoner::Ground>& Reasoner::roles() const { return engine_->roles(); }

Reasoner::State Reasoner::initial() { return engine_->column(kw_init); }

bool Reasoner::terminal(const State& state) {
    engine_->load(state);
    return engine_->holds(kw_terminal);
}

std::vector<Reasoner::Ground> Reasoner::legal(const State& state, std::size_t role) {
    engine_->load(state);
    auto result = engine_->of_role(kw_legal, role);
    engine_->sort_by_text(result);
    return result;
}

Reasoner::Ground Reasoner::random_move(std::size_t role, Random& random) {
    engine_->load(loaded_);
    const auto moves = engine_->of_role(kw_legal, role);
    return moves.empty() ? no_move : moves[random.below(moves.size())];
}

Reasoner::State Reasoner::next(const State& state, const Joint& joint) {
    engine_->load(state, joint);
    return engine_->column(kw_next);
}

std::vector<Reasoner::Ground> Reasoner::sees(const State& state, const Joint& joint, std::size_t role) {
    engine_->load(state, joint);
    auto result = engine_->of_role(kw_sees, role);
    engine_->sort_by_text(result);
    return result;
}

std::vector<Reasoner::Ground> Reasoner::goals(const State& state, std::size_t role) {
    engine_->load(state);
    auto result = engine_->of_role(kw_goal, role);
    engine_->sort_by_text(result);
    return result;
}

std::optional<int> Reasoner::goal(const State& state, std::size_t role) {
    const auto values = goals(state, role);
    if (values.size() != 1) return std::nullopt;
    const std::string& digits = text(values.front());
    int value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

const std::string& Reasoner::text(Ground term) const { return engine_->text(term); }

std::string Reasoner::text(std::span<const Ground> terms) const {
    std::vector<std::string> lines;
    for (const Ground term : terms) lines.push_back(text(term));
    std::sort(lines.begin(), lines.end());
    return fmt::format("{}", fmt::join(lines, "\n"));
}

std::optional<Reasoner::Ground> Reasoner::find(const std::string& text) { return engine_->find(text); }

Hash128 hash(const Reasoner::State& state) {
    Hasher hasher;
    for (const auto fluent : state) hasher.add(fluent);
    return hasher.value();
}

}  // namespace zermelo::gdl
