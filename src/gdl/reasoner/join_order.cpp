// Join order: greedy, by estimated selectivity (after Selinger et al. 1979).
//
// Filters come as soon as their variables have values; then the literal that is expected to have the fewest
// rows for each key, by the size of the relation and the number of its keys. A plan is made again when relations
// have outgrown the sizes that it was made for.

#include <algorithm>
#include <cmath>

#include "gdl/reasoner/engine.hpp"

namespace zermelo::gdl {

using datalog::covered;
using datalog::mark;
using datalog::nothing;
using datalog::Shape;

namespace {

using datalog::Match;
using datalog::Pattern;

// Compounds whose alias has a value are replaced by it.
Pattern with_aliases(const Pattern& pattern, const std::vector<bool>& bound) {
    if (pattern.kind != Pattern::Kind::compound) return pattern;
    if (bound[pattern.alias]) return {Pattern::Kind::variable, pattern.alias};
    Pattern result{pattern.kind, pattern.id, {}, pattern.alias};
    for (const Pattern& argument : pattern.arguments)
        result.arguments.push_back(with_aliases(argument, bound));
    return result;
}

void add_key(const Pattern& pattern, const Shape& shape, const std::vector<bool>& bound,
             std::vector<Pattern>& key) {
    if (shape.kind == Shape::Kind::known) key.push_back(with_aliases(pattern, bound));
    if (shape.kind != Shape::Kind::compound) return;
    for (std::size_t i = 0; i < pattern.arguments.size(); ++i)
        add_key(pattern.arguments[i], shape.arguments[i], bound, key);
}

std::vector<Shape> shapes_of(const std::vector<Pattern>& patterns, const std::vector<bool>& bound) {
    std::vector<Shape> shapes;
    for (const Pattern& p : patterns) shapes.push_back(datalog::shape(p, bound));
    return shapes;
}

}  // namespace

datalog::Match datalog::match_of(const Pattern& pattern, const std::vector<bool>& start,
                                 std::vector<bool>& now, bool keyed) {
    if (keyed && covered(pattern, start)) {
        mark(pattern, now);
        return {Match::Kind::pass};
    }
    if (pattern.kind == Pattern::Kind::ground) return {Match::Kind::ground, pattern.id};
    const std::uint32_t variable = pattern.kind == Pattern::Kind::variable ? pattern.id : pattern.alias;
    if (now[variable]) return {Match::Kind::same, variable};
    if (pattern.kind == Pattern::Kind::variable) {
        now[variable] = true;
        return {Match::Kind::bind, variable};
    }
    Match result{Match::Kind::compound, pattern.id, pattern.alias};
    for (const Pattern& argument : pattern.arguments)
        result.arguments.push_back(match_of(argument, start, now, keyed));
    now[variable] = true;
    return result;
}

bool Reasoner::Engine::outgrown(const CompiledRule& rule, JoinPlan& plan) const {
    constexpr std::uint32_t uses_between_looks = 16;
    if (plan.uses++ % uses_between_looks != 0) return false;
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        const std::uint32_t r = rule.body[i].relation;
        if (r == nothing || groups_[group_of_[r]].on_demand) continue;
        if (relations_[r].present.size() > 4 * plan.sizes[i] + 16) return true;
    }
    return false;
}

// Greedy: filters as soon as they can be asked, then the literal with the fewest rows for each key.
// `bound` tells which variables have values from the start.
datalog::JoinPlan Reasoner::Engine::make_plan(const CompiledRule& rule, std::uint32_t pinned,
                                              std::vector<bool> bound) {
    JoinPlan result;
    for (const Literal& literal : rule.body) {
        result.sizes.push_back(literal.relation == nothing ? 0 : relations_[literal.relation].present.size());
    }
    std::vector<bool> used(rule.body.size(), false);
    const auto head = [&] {
        std::vector<Pattern> patterns;
        for (const Pattern& p : rule.head) patterns.push_back(with_aliases(p, bound));
        return patterns;
    };
    bool head_bound = covered(rule.head, bound);
    if (head_bound) result.early_head = head();
    const auto take = [&](JoinStep::Kind kind, std::uint32_t literal) {
        used[literal] = true;
        JoinStep step = make_step(kind, rule, literal, bound);
        step.hides_event = pinned != nothing && literal > pinned && step.relation != nullptr &&
                           rule.body[literal].relation == rule.body[pinned].relation;
        result.steps.push_back(std::move(step));
        const bool succeeds = kind == JoinStep::Kind::pinned || kind == JoinStep::Kind::look_up ||
                              kind == JoinStep::Kind::contains;
        if (succeeds) {
            for (const Pattern& p : rule.body[literal].patterns) mark(p, bound);
        }
        if (!head_bound && covered(rule.head, bound)) {
            head_bound = true;
            result.head_bound = result.steps.size();
            result.early_head = head();
        }
    };
    if (pinned != nothing) take(JoinStep::Kind::pinned, pinned);
    for (;;) {
        for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
            if (used[i] || !covered(rule.body[i].patterns, bound)) continue;
            const BodyLiteral::Kind kind = rule.body[i].kind;
            take(kind == BodyLiteral::Kind::positive   ? JoinStep::Kind::contains
                 : kind == BodyLiteral::Kind::negative ? JoinStep::Kind::absent
                                                       : JoinStep::Kind::distinct,
                 i);
        }
        const std::optional<std::uint32_t> best = most_selective(rule, used, bound);
        if (!best) break;
        take(JoinStep::Kind::look_up, *best);
    }
    // Negations with variables that nothing binds: no value may fit.
    for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
        if (!used[i]) take(JoinStep::Kind::absent_match, i);
    }
    result.head = head();
    return result;
}

std::optional<std::uint32_t> Reasoner::Engine::most_selective(const CompiledRule& rule,
                                                              const std::vector<bool>& used,
                                                              const std::vector<bool>& bound) const {
    std::optional<std::uint32_t> best;
    double fewest = 0;
    for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
        if (used[i] || rule.body[i].kind != BodyLiteral::Kind::positive) continue;
        const double rows = expected_rows(rule.body[i], bound);
        if (best && rows >= fewest) continue;
        fewest = rows;
        best = i;
    }
    return best;
}

double Reasoner::Engine::expected_rows(const Literal& literal, const std::vector<bool>& bound) const {
    const Relation& r = relations_[literal.relation];
    if (const auto found = on_demand_.find(literal.relation); found != on_demand_.end()) {
        const auto open = std::count_if(literal.patterns.begin(), literal.patterns.end(),
                                        [&](const Pattern& p) { return !covered(p, bound); });
        const double share = static_cast<double>(open) / static_cast<double>(literal.patterns.size());
        return std::pow(static_cast<double>(found->second.size), share);
    }
    const std::size_t keys = r.keys(terms_, shapes_of(literal.patterns, bound));
    return static_cast<double>(r.present.size()) / static_cast<double>(std::max<std::size_t>(1, keys));
}

datalog::JoinStep Reasoner::Engine::make_step(JoinStep::Kind kind, const CompiledRule& rule,
                                              std::uint32_t number, const std::vector<bool>& bound) {
    const Literal& literal = rule.body[number];
    JoinStep step{kind, number};
    for (const Pattern& p : literal.patterns) step.known.push_back(covered(p, bound));
    if (literal.relation == nothing) {
        for (const Pattern& p : literal.patterns) step.key.push_back(with_aliases(p, bound));
        return step;
    }
    step.relation = &relations_[literal.relation];
    std::vector<bool> now = bound;
    const bool keyed = kind == JoinStep::Kind::look_up || kind == JoinStep::Kind::absent_match;
    if (keyed) {
        const std::vector<Shape> shapes = shapes_of(literal.patterns, bound);
        step.index = &step.relation->indexes[step.relation->index(terms_, shapes)];
        for (std::size_t i = 0; i < shapes.size(); ++i)
            add_key(literal.patterns[i], shapes[i], bound, step.key);
    } else if (kind != JoinStep::Kind::pinned) {
        for (const Pattern& p : literal.patterns) step.key.push_back(with_aliases(p, bound));
    }
    if (keyed || kind == JoinStep::Kind::pinned) {
        for (std::uint32_t i = 0; i < literal.patterns.size(); ++i) {
            Match match = match_of(literal.patterns[i], bound, now, keyed);
            if (match.kind != Match::Kind::pass) step.open.emplace_back(i, std::move(match));
        }
    }
    if (const auto table = on_demand_.find(literal.relation); table != on_demand_.end()) {
        auto& answered = table->second.answered;
        const auto same =
            std::ranges::find(answered, step.known, &std::pair<std::vector<bool>, datalog::Rows>::first);
        step.demand = static_cast<std::size_t>(same - answered.begin());
        if (same == answered.end())
            answered.emplace_back(
                step.known, datalog::Rows(static_cast<std::size_t>(std::ranges::count(step.known, true))));
    }
    return step;
}

}  // namespace zermelo::gdl
