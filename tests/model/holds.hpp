// What the forms of constraint.hpp say about a full assignment: plain code that the tests compare everything
// with.

#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "model/globals.hpp"
#include "model/model.hpp"

namespace zermelo {

using Play = std::vector<model::Value>;

struct Holds {
    const Play& play;
    [[nodiscard]] model::Value of(model::VarId v) const { return play[static_cast<std::size_t>(v)]; }
    [[nodiscard]] bool of(model::Literal l) const { return (of(l.variable) != 0) == l.positive; }
    [[nodiscard]] bool as(const std::optional<model::Literal>& reified, bool body) const {
        return reified ? of(*reified) == body : body;
    }
    [[nodiscard]] std::vector<model::Value> all(const std::vector<model::VarId>& variables) const {
        std::vector<model::Value> values;
        for (const model::VarId v : variables) values.push_back(of(v));
        return values;
    }
    bool operator()(const model::Linear& c) const {
        model::Value sum = 0;
        for (const model::Term& t : c.terms) sum += t.coefficient * of(t.variable);
        return as(c.reified, c.relation == model::Relation::equal       ? sum == c.constant
                             : c.relation == model::Relation::different ? sum != c.constant
                                                                        : sum <= c.constant);
    }
    bool operator()(const model::Clause& c) const {
        bool any = false;
        for (const model::Literal l : c.literals) any = any || of(l);
        return as(c.reified, any);
    }
    bool operator()(const model::Parity& c) const {
        bool odd = false;
        for (const model::Literal l : c.literals) odd = odd != of(l);
        return odd;
    }
    bool operator()(const model::Member& c) const { return as(c.reified, c.set.contains(of(c.variable))); }
    bool operator()(const model::Element& c) const {
        const model::Value i = of(c.index);
        return i >= 1 && i <= static_cast<model::Value>(c.array.size()) &&
               of(c.array[static_cast<std::size_t>(i) - 1]) == of(c.result);
    }
    bool operator()(const model::Arithmetic& c) const {
        const model::Value a = of(c.left);
        const model::Value b = of(c.right);
        if (c.operation == model::Operation::times) return a * b == of(c.result);
        if (c.operation == model::Operation::divide) return b != 0 && a / b == of(c.result);
        if (c.operation == model::Operation::modulo) return b != 0 && a % b == of(c.result);
        if (b < 0) return false;
        model::Value power = 1;
        for (model::Value i = 0; i < b; ++i) power *= a;
        return power == of(c.result);
    }
    bool operator()(const model::Extremum& c) const {
        const auto values = all(c.operands);
        return of(c.result) == (c.maximum ? *std::max_element(values.begin(), values.end())
                                          : *std::min_element(values.begin(), values.end()));
    }
    bool operator()(const model::Table& c) const {
        const auto values = all(c.variables);
        bool found = false;
        for (std::size_t at = 0; at < c.rows.size(); at += values.size()) {
            found = found || std::equal(values.begin(), values.end(),
                                        c.rows.begin() + static_cast<std::ptrdiff_t>(at));
        }
        return as(c.reified, found);
    }
    bool operator()(const model::AllDifferent& c) const {
        const auto values = all(c.variables);
        return std::set<model::Value>(values.begin(), values.end()).size() == values.size();
    }
    bool operator()(const model::Count& c) const {
        const auto values = all(c.variables);
        return std::count(values.begin(), values.end(), of(c.value)) == of(c.result);
    }
    bool operator()(const model::Global& c) const {
        return holds(c, [this](model::VarId v) { return of(v); });
    }
};

}  // namespace zermelo
