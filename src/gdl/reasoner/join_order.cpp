// Join order: greedy, by estimated selectivity (after Selinger et al. 1979).
//
// Filters come as soon as their variables have values; then the literal that is expected to have the fewest
// rows for each key, by the sizes of the relation and of its index. A plan is made again when relations have
// outgrown the sizes that it was made for.

#include <algorithm>
#include <cmath>

#include "gdl/reasoner/engine.hpp"

namespace zermelo::gdl {

using datalog::covered;
using datalog::mark;
using datalog::nothing;
using datalog::Shape;

bool Reasoner::Engine::outgrown(const CompiledRule& rule, const JoinPlan& plan) const {
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        const std::uint32_t r = rule.body[i].relation;
        if (r == nothing || on_demand_.contains(r)) continue;
        if (relations_[r].rows.size() > 4 * plan.sizes[i] + 16) return true;
    }
    return false;
}

// Greedy: filters as soon as they can be asked, then the literal with the fewest rows for each key.
// `bound` tells which variables have values from the start.
datalog::JoinPlan Reasoner::Engine::make_plan(const CompiledRule& rule, std::size_t variant,
                                              std::vector<bool> bound) {
    JoinPlan result;
    for (const Literal& literal : rule.body) {
        result.sizes.push_back(literal.relation == nothing ? 0 : relations_[literal.relation].rows.size());
    }
    std::vector<bool> used(rule.body.size(), false);
    bool head_bound = covered(rule.head, bound);
    const auto take = [&](JoinStep step) {
        used[step.literal] = true;
        const bool generates =
            step.kind == JoinStep::Kind::delta_rows || step.kind == JoinStep::Kind::look_up;
        if (generates) {
            for (const Pattern& p : rule.body[step.literal].patterns) mark(p, bound);
        }
        result.steps.push_back(std::move(step));
        if (!head_bound && covered(rule.head, bound)) {
            head_bound = true;
            result.head_bound = result.steps.size();
        }
    };
    if (variant > 0) take({JoinStep::Kind::delta_rows, rule.recursive[variant - 1]});
    for (;;) {
        for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
            if (used[i] || !covered(rule.body[i].patterns, bound)) continue;
            const BodyLiteral::Kind kind = rule.body[i].kind;
            take({kind == BodyLiteral::Kind::positive   ? JoinStep::Kind::contains
                  : kind == BodyLiteral::Kind::negative ? JoinStep::Kind::absent
                                                        : JoinStep::Kind::distinct,
                  i, 0, bound});
        }
        const std::optional<JoinStep> best = most_selective(rule, used, bound);
        if (!best) break;
        take(*best);
    }
    // Negations with variables that nothing binds: no value may fit.
    for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
        if (!used[i]) take(look_up_step(JoinStep::Kind::absent_match, rule.body[i], i, bound));
    }
    return result;
}

std::optional<datalog::JoinStep> Reasoner::Engine::most_selective(const CompiledRule& rule,
                                                                  const std::vector<bool>& used,
                                                                  const std::vector<bool>& bound) {
    std::optional<JoinStep> best;
    double fewest = 0;
    for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
        if (used[i] || rule.body[i].kind != BodyLiteral::Kind::positive) continue;
        JoinStep step = look_up_step(JoinStep::Kind::look_up, rule.body[i], i, bound);
        const double rows = expected_rows(rule.body[i], step, bound);
        if (best && rows >= fewest) continue;
        fewest = rows;
        best = std::move(step);
    }
    return best;
}

double Reasoner::Engine::expected_rows(const Literal& literal, const JoinStep& step,
                                       const std::vector<bool>& bound) {
    Relation& r = relations_[literal.relation];
    if (const auto found = on_demand_.find(literal.relation); found != on_demand_.end()) {
        const auto open = std::count_if(literal.patterns.begin(), literal.patterns.end(),
                                        [&](const Pattern& p) { return !covered(p, bound); });
        const double share = static_cast<double>(open) / static_cast<double>(literal.patterns.size());
        return std::pow(static_cast<double>(found->second.size), share);
    }
    datalog::Index& index = r.indexes[step.index];
    index.extend(terms_, r.rows);
    return static_cast<double>(r.rows.size()) / static_cast<double>(std::max<std::size_t>(1, index.keys()));
}

datalog::JoinStep Reasoner::Engine::look_up_step(JoinStep::Kind kind, const Literal& literal,
                                                 std::uint32_t number, const std::vector<bool>& bound) {
    std::vector<Shape> shapes;
    for (const Pattern& p : literal.patterns) shapes.push_back(datalog::shape(p, bound));
    return {kind, number, relations_[literal.relation].index(std::move(shapes)), bound};
}

}  // namespace zermelo::gdl
