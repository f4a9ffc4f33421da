#include "stochastic/search/tables.hpp"

#include <algorithm>
#include <set>

#include "model/globals.hpp"

namespace zermelo::stochastic {

namespace {

__extension__ using Wide = __int128;

constexpr Wide far = Wide{1} << 62;  // beyond every value that a model can name

model::Value narrow(Wide value) { return static_cast<model::Value>(std::clamp(value, -far, far)); }

// What a constraint says when all of its variables have values, but for the output where it defines one.
struct Exact {
    const std::vector<model::Value>& at;

    [[nodiscard]] model::Value of(model::VarId v) const { return at[static_cast<std::size_t>(v)]; }
    [[nodiscard]] bool of(model::Literal l) const { return (of(l.variable) != 0) == l.positive; }

    [[nodiscard]] std::optional<model::Value> arithmetic(const model::Arithmetic& c) const {
        const Wide a = of(c.left);
        const Wide b = of(c.right);
        switch (c.operation) {
            case model::Operation::times:
                return narrow(a * b);
            case model::Operation::divide:
                if (b == 0) return std::nullopt;
                return narrow(a / b);
            case model::Operation::modulo:
                if (b == 0) return std::nullopt;
                return narrow(a % b);
            case model::Operation::power: {
                if (b < 0) return std::nullopt;
                if (a == 0 || a == 1) return narrow(b == 0 ? Wide{1} : a);
                if (a == -1) return b % 2 == 0 ? 1 : -1;
                Wide power = 1;
                for (Wide i = 0; i < b && power < far && power > -far; ++i) power *= a;
                return narrow(power);
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] model::Value extremum(const model::Extremum& c) const {
        model::Value result = of(c.operands.front());
        for (const model::VarId v : c.operands)
            result = c.maximum ? std::max(result, of(v)) : std::min(result, of(v));
        return result;
    }
    [[nodiscard]] model::Value count(const model::Count& c) const {
        return std::count_if(c.variables.begin(), c.variables.end(),
                             [&](model::VarId v) { return of(v) == of(c.value); });
    }
    [[nodiscard]] std::optional<model::Value> element(const model::Element& c) const {
        const model::Value index = of(c.index);
        if (index < 1 || index > static_cast<model::Value>(c.array.size())) return std::nullopt;
        return of(c.array[static_cast<std::size_t>(index - 1)]);
    }
    [[nodiscard]] bool odd(const model::Parity& c) const {
        return std::count_if(c.literals.begin(), c.literals.end(), [&](model::Literal l) { return of(l); }) %
                   2 ==
               1;
    }

    // The body alone, whatever it is reified by.
    bool operator()(const model::Linear& c) const {
        Wide sum = 0;
        for (const model::Term& t : c.terms) sum += Wide{t.coefficient} * of(t.variable);
        return c.relation == model::Relation::equal       ? sum == c.constant
               : c.relation == model::Relation::different ? sum != c.constant
                                                          : sum <= c.constant;
    }
    bool operator()(const model::Clause& c) const {
        return std::any_of(c.literals.begin(), c.literals.end(), [&](model::Literal l) { return of(l); });
    }
    bool operator()(const model::Parity& c) const { return odd(c); }
    bool operator()(const model::Member& c) const { return c.set.contains(of(c.variable)); }
    bool operator()(const model::Element& c) const { return element(c) == of(c.result); }
    bool operator()(const model::Arithmetic& c) const { return arithmetic(c) == of(c.result); }
    bool operator()(const model::Extremum& c) const { return extremum(c) == of(c.result); }
    bool operator()(const model::Table& c) const {
        const std::size_t width = c.variables.size();
        for (std::size_t row = 0; row < c.rows.size(); row += width) {
            std::size_t i = 0;
            while (i < width && of(c.variables[i]) == c.rows[row + i]) ++i;
            if (i == width) return true;
        }
        return false;
    }
    bool operator()(const model::AllDifferent& c) const {
        std::set<model::Value> seen;
        return std::all_of(c.variables.begin(), c.variables.end(),
                           [&](model::VarId v) { return seen.insert(of(v)).second; });
    }
    bool operator()(const model::Count& c) const { return count(c) == of(c.result); }
    bool operator()(const model::Global& c) const {
        return holds(c, [this](model::VarId v) { return of(v); });
    }

    [[nodiscard]] bool truth(const model::Constraint& constraint) const {
        const bool body = std::visit(*this, constraint.body);
        const auto reified = model::reified_by(constraint);
        return reified ? of(*reified) == body : body;
    }

    [[nodiscard]] std::optional<model::Value> defined(const model::Constraint& constraint,
                                                      model::VarId output) const {
        if (const auto reified = model::reified_by(constraint)) {
            return std::visit(*this, constraint.body) == reified->positive ? 1 : 0;
        }
        if (const auto* c = std::get_if<model::Arithmetic>(&constraint.body)) return arithmetic(*c);
        if (const auto* c = std::get_if<model::Extremum>(&constraint.body)) return extremum(*c);
        if (const auto* c = std::get_if<model::Count>(&constraint.body)) return count(*c);
        if (const auto* c = std::get_if<model::Element>(&constraint.body)) return element(*c);
        if (const auto* c = std::get_if<model::Parity>(&constraint.body)) {
            bool others = false;
            bool positive = true;
            for (const model::Literal l : c->literals) {
                if (l.variable == output) {
                    positive = l.positive;
                } else {
                    others = others != of(l);
                }
            }
            return others != positive ? 1 : 0;
        }
        if (const auto* c = std::get_if<model::Linear>(&constraint.body)) {
            Wide rest = c->constant;
            model::Value own = 1;
            for (const model::Term& t : c->terms) {
                if (t.variable == output) {
                    own = t.coefficient;
                } else {
                    rest -= Wide{t.coefficient} * of(t.variable);
                }
            }
            return narrow(rest * own);  // own is 1 or -1
        }
        return std::nullopt;
    }
};

}  // namespace

Reading::Reading(const StochasticModel& model) : m_(model) {
    turn_of_.assign(model.model.variables.size(), -1);
    for (std::size_t i = 0; i < model.order.size(); ++i) {
        turn_of_[static_cast<std::size_t>(model.order[i].variable)] = static_cast<int>(i);
        values_.push_back(model.model.domain(model.order[i].variable).values());
    }
    for (const model::Variable& variable : model.model.variables) scratch_.push_back(variable.domain.low());
}

Formula Reading::of_constraint(int constraint) const {
    Formula formula;
    formula.constraint = constraint;
    std::vector<model::VarId> open;
    each_variable(m_.model.constraints[static_cast<std::size_t>(constraint)],
                  [&](model::VarId v) { open.push_back(v); });
    close(formula, std::move(open));
    return formula;
}

Formula Reading::of_variable(model::VarId variable) const {
    Formula formula;
    formula.variable = variable;
    close(formula, {variable});
    return formula;
}

// Follows definitions until only turns are left.
void Reading::close(Formula& formula, std::vector<model::VarId> open) const {
    std::set<model::VarId> seen(open.begin(), open.end());  // a constraint may mention a variable twice
    open.assign(seen.begin(), seen.end());
    std::set<int> needed;
    while (!open.empty()) {
        const model::VarId v = open.back();
        open.pop_back();
        if (const int turn = turn_of_[static_cast<std::size_t>(v)]; turn >= 0) {
            formula.turns.push_back(turn);
            continue;
        }
        const int definition = m_.structure.definition[static_cast<std::size_t>(v)];
        if (definition < 0) continue;  // a constant
        needed.insert(definition);
        each_variable(m_.model.constraints[static_cast<std::size_t>(definition)], [&](model::VarId input) {
            if (seen.insert(input).second) open.push_back(input);
        });
    }
    std::sort(formula.turns.begin(), formula.turns.end());
    for (const int c : m_.structure.definitions) {
        if (needed.contains(c)) formula.definitions.push_back(c);
    }
}

std::optional<model::Value> Reading::value(const Formula& formula,
                                           const std::vector<model::Value>& at) const {
    for (std::size_t i = 0; i < formula.turns.size(); ++i)
        scratch_[static_cast<std::size_t>(m_.order[static_cast<std::size_t>(formula.turns[i])].variable)] =
            at[i];
    const Exact exact{scratch_};
    for (const int c : formula.definitions) {
        const model::VarId output = m_.structure.output[static_cast<std::size_t>(c)];
        const auto value = exact.defined(m_.model.constraints[static_cast<std::size_t>(c)], output);
        if (!value || !m_.model.domain(output).contains(*value)) return std::nullopt;
        scratch_[static_cast<std::size_t>(output)] = *value;
    }
    if (formula.variable >= 0) return exact.of(formula.variable);
    return exact.truth(m_.model.constraints[static_cast<std::size_t>(formula.constraint)]) ? 1 : 0;
}

std::optional<std::size_t> Reading::entries(const Formula& formula) const {
    constexpr std::size_t most = std::size_t{1} << 16;
    std::size_t result = 1;
    for (const int turn : formula.turns) {
        result *= values(turn).size();
        if (result > most) return std::nullopt;
    }
    return result;
}

std::vector<std::optional<model::Value>> Reading::table(const Formula& formula) const {
    std::vector<std::optional<model::Value>> result;
    std::vector<std::size_t> digit(formula.turns.size(), 0);
    std::vector<model::Value> at;
    for (const int turn : formula.turns) at.push_back(values(turn).front());
    while (true) {
        result.push_back(value(formula, at));
        std::size_t i = digit.size();
        while (i > 0 && digit[i - 1] + 1 == values(formula.turns[i - 1]).size()) {
            digit[i - 1] = 0;
            at[i - 1] = values(formula.turns[i - 1]).front();
            --i;
        }
        if (i == 0) return result;
        at[i - 1] = values(formula.turns[i - 1])[++digit[i - 1]];
    }
}

}  // namespace zermelo::stochastic
