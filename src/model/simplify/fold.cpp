#include "model/simplify/fold.hpp"

#include <algorithm>
#include <utility>

namespace zermelo::model {

std::optional<bool> Fold::known(Literal literal) const {
    const auto value = known(literal.variable);
    if (!value) return std::nullopt;
    return (*value != 0) == literal.positive;
}

std::optional<Value> Fold::known(VarId variable) const {
    const Domain& domain = model_.domain(variable);
    return domain.single() ? std::optional(domain.low()) : std::nullopt;
}

void Fold::add(decltype(Constraint::body) body) {
    Constraint constraint{std::move(body), place_};
    if (defines_) {
        bool mentioned = false;
        each_variable(constraint, [&](VarId v) { mentioned = mentioned || v == *defines_; });
        if (mentioned) constraint.defines = std::exchange(defines_, std::nullopt);
    }
    model_.constraints.push_back(std::move(constraint));
}

void Fold::define(VarId variable, decltype(Constraint::body) body) {
    model_.constraints.push_back({std::move(body), place_, variable});
}

Literal Fold::fresh_literal(const std::string& name) {
    return {model_.add_variable(name, Domain(0, 1), true)};
}

VarId Fold::negative(VarId x) {
    if (const auto value = known(x)) return model_.constant(-*value);
    const Domain mirrored(-model_.domain(x).high(), -model_.domain(x).low());
    const VarId result = model_.add_variable("-" + model_.name_of(x), mirrored);
    define(result, make_linear(model_, {{1, x}, {1, result}}, Relation::equal, 0, std::nullopt, place_));
    return result;
}

Literal Fold::all_of(std::vector<Literal> literals, const std::string& name) {
    std::erase_if(literals, [&](Literal l) { return known(l) == true; });
    if (literals.empty()) return model_.literal(true);
    if (std::any_of(literals.begin(), literals.end(), [&](Literal l) { return known(l) == false; })) {
        return model_.literal(false);
    }
    if (literals.size() == 1) return literals.front();
    const Literal all = fresh_literal(name);
    for (Literal& literal : literals) literal = !literal;
    define(all.variable, Clause{std::move(literals), !all});
    return all;
}

void Fold::demand(bool truth) {
    if (!truth) add(Clause{{}, std::nullopt});
}

void Fold::require(Literal literal) { clause({literal}); }

void Fold::settle(bool truth, std::optional<Literal> reified) {
    if (reified && !known(*reified) && defines_ == reified->variable) {
        // Still a definition, of a constant; a clause would turn it into a demand.
        add(Linear{
            {{1, reified->variable}}, Relation::equal, truth == reified->positive ? 1 : 0, std::nullopt});
    } else if (reified) {
        require(truth ? *reified : !*reified);
    } else {
        demand(truth);
    }
}

void Fold::linear(std::vector<Term> terms, Relation relation, Value constant,
                  std::optional<Literal> reified) {
    Linear linear = make_linear(model_, std::move(terms), relation, constant, reified, place_);
    if (linear.terms.empty()) {
        const bool truth = relation == Relation::equal       ? linear.constant == 0
                           : relation == Relation::different ? linear.constant != 0
                                                             : linear.constant >= 0;
        settle(truth, reified);
        return;
    }
    if (reified && known(*reified)) {
        if (known(*reified) == false) {
            if (relation == Relation::at_most) {  // not Σ ≤ c is -Σ ≤ -c - 1
                for (Term& term : linear.terms) term.coefficient = -term.coefficient;
                linear.constant = -linear.constant - 1;
            } else {
                linear.relation = relation == Relation::equal ? Relation::different : Relation::equal;
            }
        }
        linear.reified.reset();
    }
    add(std::move(linear));
}

void Fold::clause(std::vector<Literal> literals, std::optional<Literal> reified) {
    std::erase_if(literals, [&](Literal l) { return known(l) == false; });
    std::sort(literals.begin(), literals.end(), [](Literal a, Literal b) {
        return a.variable != b.variable ? a.variable < b.variable : a.positive < b.positive;
    });
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    const bool contradictory = std::adjacent_find(literals.begin(), literals.end(), [](Literal a, Literal b) {
                                   return a.variable == b.variable;
                               }) != literals.end();
    if (contradictory ||
        std::any_of(literals.begin(), literals.end(), [&](Literal l) { return known(l) == true; })) {
        settle(true, reified);
    } else if (literals.empty()) {
        settle(false, reified);
    } else if (reified && known(*reified) == false) {
        for (const Literal literal : literals) add(Clause{{!literal}, std::nullopt});
    } else if (reified && !known(*reified)) {
        add(Clause{std::move(literals), reified});
    } else {
        add(Clause{std::move(literals), std::nullopt});
    }
}

void Fold::conjunction(std::vector<Literal> literals, Literal result) {
    for (Literal& literal : literals) literal = !literal;
    clause(std::move(literals), !result);
}

void Fold::equate(Literal a, Literal b) {
    if (a.variable == b.variable) {
        demand(a.positive == b.positive);
    } else if (known(b)) {
        clause({a}, b);
    } else if (defines_ == a.variable) {
        clause({b}, a);
    } else {
        clause({a}, b);
    }
}

void Fold::parity(std::vector<Literal> literals) {
    // Equal variables cancel, constants and signs go into one bit.
    bool odd = true;  // what the positive literals that remain must sum up to
    std::sort(literals.begin(), literals.end(), [](Literal a, Literal b) { return a.variable < b.variable; });
    std::vector<Literal> open;
    for (const Literal literal : literals) {
        if (!literal.positive) odd = !odd;
        if (const auto value = known(literal.variable)) {
            odd = odd != (*value != 0);
        } else if (!open.empty() && open.back().variable == literal.variable) {
            open.pop_back();
        } else {
            open.push_back({literal.variable});
        }
    }
    if (open.empty()) {
        demand(!odd);
    } else if (open.size() == 1) {
        require({open[0].variable, odd});
    } else if (open.size() == 2) {
        equate(open[0], {open[1].variable, !odd});
    } else {
        open.back().positive = odd;
        add(Parity{std::move(open)});
    }
}

void Fold::member(VarId variable, const Domain& set, std::optional<Literal> reified) {
    const Domain inside = model_.domain(variable).intersect(set);
    if (inside.empty()) {
        settle(false, reified);
    } else if (inside == model_.domain(variable)) {
        settle(true, reified);
    } else {
        add(Member{variable, inside, reified && known(*reified) == true ? std::nullopt : reified});
    }
}

void Fold::element(VarId index, std::vector<VarId> array, VarId result) {
    const Domain positions(1, static_cast<Value>(array.size()));
    if (const auto position = known(index)) {
        if (!positions.contains(*position)) {
            demand(false);
        } else {
            equal(array[static_cast<std::size_t>(*position) - 1], result);
        }
    } else if (model_.domain(index).intersect(positions).empty()) {
        demand(false);
    } else {
        add(Element{index, std::move(array), result});
    }
}

namespace {

// left ∘ right where it is defined and stays within 64 bits.
std::optional<Value> apply(Operation operation, Value left, Value right) {
    Value result = 0;
    switch (operation) {
        case Operation::times:
            return __builtin_mul_overflow(left, right, &result) ? std::nullopt : std::optional(result);
        case Operation::divide:
            return right == 0 ? std::nullopt : std::optional(left / right);
        case Operation::modulo:
            return right == 0 ? std::nullopt : std::optional(left % right);
        case Operation::power:
            break;
    }
    if (right < 0) return std::nullopt;
    if (left == 0 || left == 1) return right == 0 ? 1 : left;
    if (left == -1) return right % 2 == 0 ? 1 : -1;
    result = 1;
    for (Value i = 0; i < right; ++i) {
        if (__builtin_mul_overflow(result, left, &result)) return std::nullopt;
    }
    return result;
}

}  // namespace

void Fold::arithmetic(Operation operation, VarId left, VarId right, VarId result) {
    const auto a = known(left);
    const auto b = known(right);
    if (a && b) {
        const auto value = apply(operation, *a, *b);
        // A value beyond 64 bits is beyond every domain, so it violates the constraint as well.
        if (!value) {
            demand(false);
        } else {
            linear({{1, result}}, Relation::equal, *value);
        }
    } else if (operation == Operation::times && (a || b)) {
        linear({{a ? *a : *b, a ? right : left}, {-1, result}}, Relation::equal, 0);
    } else if (operation != Operation::times && operation != Operation::modulo && b == 1) {
        equal(left, result);
    } else if ((operation == Operation::divide || operation == Operation::modulo) && b == 0) {
        demand(false);
    } else if (const auto image = detail::image_of_arithmetic(operation, bounds(left), bounds(right));
               image && image->single()) {
        linear({{1, result}}, Relation::equal, image->low);  // x div 4, where x is at most 3
    } else {
        add(Arithmetic{operation, left, right, result});
    }
}

void Fold::extremum(bool maximum, std::vector<VarId> operands, VarId result) {
    if (operands.size() == 1) {
        equal(operands.front(), result);
        return;
    }
    Interval best = bounds(operands.front());
    for (const VarId v : operands) {
        const Interval x = bounds(v);
        best = maximum ? Interval{std::max(best.low, x.low), std::max(best.high, x.high)}
                       : Interval{std::min(best.low, x.low), std::min(best.high, x.high)};
    }
    if (best.single()) {
        linear({{1, result}}, Relation::equal, best.low);
    } else {
        add(Extremum{maximum, std::move(operands), result});
    }
}

void Fold::table(std::vector<VarId> variables, std::vector<Value> rows, std::optional<Literal> reified) {
    if (rows.empty()) {
        settle(false, reified);
    } else {
        add(Table{std::move(variables), std::move(rows),
                  reified && known(*reified) == true ? std::nullopt : reified});
    }
}

}  // namespace zermelo::model
