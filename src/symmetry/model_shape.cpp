#include "symmetry/model_shape.hpp"

#include <algorithm>
#include <map>

namespace zermelo::symmetry {

namespace {

constexpr std::uint64_t most_values = 4096;  // of a variable whose values may be exchanged

// What a group holds; a number added behind it tells several of a kind apart.
enum Role : Value { operands, reified, result, output, values, one_value, entry, place, second, multiple };

// What judges the play, counted on behind the forms of constraints.
enum Judge : Value { rule = 100, win, cut, objective };

// A sum of two: to each value of the one belongs at most one of the other with which it is right.
bool is_pair(const Linear& c) { return c.terms.size() == 2 && c.relation != Relation::at_most; }

std::optional<Value> partner(const Linear& c, Value first) {
    const Value rest = c.constant - c.terms[0].coefficient * first;
    const Value factor = c.terms[1].coefficient;
    return rest % factor == 0 ? std::optional(rest / factor) : std::nullopt;
}

// Takes out of `exchangeable` what a constraint asks more of than where its values lie.
struct Bind {
    const Structure& structure;
    Exchange exchange;
    std::vector<bool>& exchangeable;

    void keep(VarId v) const { exchangeable[v] = false; }
    void keep(const std::optional<Literal>& literal) const {
        if (literal) keep(literal->variable);
    }
    void keep(const std::vector<Literal>& literals) const {
        for (const Literal l : literals) keep(l.variable);
    }
    void keep(const std::vector<VarId>& variables) const {
        for (const VarId v : variables) keep(v);
    }

    void operator()(const Linear& c) const {
        if (c.terms.size() > 1 && !(exchange == Exchange::pairs && is_pair(c))) {
            for (const Term& term : c.terms) keep(term.variable);
        }
        keep(c.reified);
    }
    void operator()(const Clause& c) const { keep(c.literals), keep(c.reified); }
    void operator()(const Parity& c) const { keep(c.literals); }
    void operator()(const Member& c) const { keep(c.reified); }
    void operator()(const Element& c) const {
        const auto constant = [&](VarId v) { return structure.domain[v].single(); };
        if (exchange == Exchange::sets && !std::all_of(c.array.begin(), c.array.end(), constant))
            keep(c.index);
        keep(c.array), keep(c.result);
    }
    void operator()(const Arithmetic& c) const { keep(c.left), keep(c.right), keep(c.result); }
    void operator()(const Extremum& c) const { keep(c.operands), keep(c.result); }
    void operator()(const Table& c) const { keep(c.variables), keep(c.reified); }
    void operator()(const AllDifferent&) const {}
    void operator()(const Count& c) const { keep(c.variables), keep(c.value), keep(c.result); }
    void operator()(const Global& c) const {
        for (const auto& argument : c.arguments) keep(argument);
    }
};

std::vector<bool> exchangeable_values(const Model& model, const Structure& structure, Exchange exchange) {
    std::vector<bool> result;
    for (std::size_t v = 0; v < model.variables.size(); ++v) {
        const Domain& domain = structure.domain[v];
        result.push_back(!model.variables[v].boolean && !domain.single() && domain.size() <= most_values);
    }
    const Bind bind{structure, exchange, result};
    for (const Constraint& constraint : model.constraints) std::visit(bind, constraint.body);
    for (const Block& block : structure.prefix) bind.keep(block.rule);
    bind.keep(model.win);
    for (const Cut& each : model.cuts) bind.keep(each.when), bind.keep(each.claim);
    if (model.objective) bind.keep(*model.objective);
    return result;
}

bool satisfies(const Linear& c, Value value) {
    const Value left = c.terms.front().coefficient * value;
    switch (c.relation) {
        case Relation::equal:
            return left == c.constant;
        case Relation::different:
            return left != c.constant;
        case Relation::at_most:
            return left <= c.constant;
    }
    return false;
}

// Describes one constraint, form by form.
class Describe {
public:
    Describe(const Structure& structure, const std::vector<bool>& exchangeable)
        : structure_(structure), exchangeable_(exchangeable) {}

    Shape operator()(const Constraint& constraint, std::size_t index) {
        shape_ = {};
        label(static_cast<Value>(constraint.body.index()));
        label(structure_.due[index]);
        label(structure_.total[index] ? 1 : 0);
        std::visit([this](const auto& body) { describe(body); }, constraint.body);
        if (structure_.output[index] >= 0) add({output}, structure_.output[index]);
        return finished();
    }

    Shape judge(const Label& its_label, const std::vector<Literal>& literals,
                const std::optional<Literal>& claim = std::nullopt) {
        shape_ = {its_label, {}};
        add(operands, literals);
        add_reified(claim);
        return finished();
    }

    Shape judge(const Label& its_label, VarId variable) {
        shape_ = {its_label, {}};
        add({operands}, variable);
        return finished();
    }

private:
    void label(Value word) { shape_.label.push_back(word); }
    void label(const Domain& domain) {
        for (const auto& [low, high] : domain.ranges()) label(low), label(high);
    }
    void add(Label group, VarId variable) { add(std::move(group), std::vector<VarId>{variable}); }
    void add(Label group, const std::vector<VarId>& variables) {
        std::vector<Operand> all;
        for (const VarId v : variables) all.push_back({v});
        add(std::move(group), std::move(all));
    }
    void add(Role role, const std::vector<Literal>& literals) {
        std::vector<Operand> all;
        for (const auto& [v, positive] : literals)
            all.push_back({v, positive ? Operand::Kind::variable : Operand::Kind::negation});
        add(Label{role}, std::move(all));
    }
    // Operands that occur several times go to a group that says how often.
    void add(Label group, std::vector<Operand> all) {
        std::map<std::size_t, std::vector<Operand>> by_count;
        std::sort(all.begin(), all.end());
        for (auto first = all.begin(); first != all.end();) {
            const auto last = std::find_if(first, all.end(), [&](const Operand& o) { return o != *first; });
            by_count[static_cast<std::size_t>(last - first)].push_back(*first);
            first = last;
        }
        for (auto& [count, each] : by_count) {
            Label its_label = group;
            if (count > 1) its_label.insert(its_label.end(), {multiple, static_cast<Value>(count)});
            shape_.groups.push_back({std::move(its_label), std::move(each)});
        }
    }
    void add_reified(const std::optional<Literal>& literal) {
        if (literal) add(reified, std::vector<Literal>{*literal});
    }
    void add_in_order(const std::vector<VarId>& variables, Value argument = 0) {
        for (std::size_t i = 0; i < variables.size(); ++i)
            add({place, argument, static_cast<Value>(i)}, variables[i]);
    }
    template <class Belongs>
    void add_values(VarId v, Belongs belongs) {
        std::vector<Operand> all;
        structure_.domain[v].each([&](Value value) {
            if (belongs(value)) all.push_back({v, Operand::Kind::value, value});
        });
        add({values}, std::move(all));
    }
    Shape finished() {
        shape_.sort();
        return std::move(shape_);
    }

    void describe(const Linear& c) {
        label(static_cast<Value>(c.relation));
        add_reified(c.reified);
        if (c.terms.size() == 1 && exchangeable_[c.terms.front().variable]) {
            add({operands}, c.terms.front().variable);
            add_values(c.terms.front().variable, [&](Value value) { return satisfies(c, value); });
            return;
        }
        const auto exchanged = [&](const Term& term) { return exchangeable_[term.variable]; };
        if (std::any_of(c.terms.begin(), c.terms.end(), exchanged)) return describe_pair(c);
        label(c.constant);
        std::map<Value, std::vector<VarId>> by_coefficient;
        for (const Term& term : c.terms) by_coefficient[term.coefficient].push_back(term.variable);
        for (const auto& [coefficient, variables] : by_coefficient) add({operands, coefficient}, variables);
    }

    void describe_pair(const Linear& c) {
        const VarId x = c.terms[0].variable;
        const VarId y = c.terms[1].variable;
        add({operands}, std::vector<VarId>{x, y});
        // One that keeps its values may have too many to go through.
        const bool turn = !exchangeable_[x];
        const Linear seen = turn ? Linear{{c.terms[1], c.terms[0]}, c.relation, c.constant, c.reified} : c;
        structure_.domain[turn ? y : x].each([&](Value value) {
            const auto other = partner(seen, value);
            if (!other || !structure_.domain[turn ? x : y].contains(*other)) return;
            add(Label{one_value}, {Operand{turn ? y : x, Operand::Kind::value, value},
                                   Operand{turn ? x : y, Operand::Kind::value, *other}});
        });
    }

    void describe(const Clause& c) {
        add(operands, c.literals);
        add_reified(c.reified);
    }

    // It does not matter which of the literals are negated, only whether an odd number of them is.
    void describe(const Parity& c) {
        std::vector<VarId> variables;
        bool odd = true;
        for (const Literal l : c.literals) {
            variables.push_back(l.variable);
            odd = odd != !l.positive;
        }
        label(odd ? 1 : 0);
        add({operands}, variables);
    }

    void describe(const Member& c) {
        add({operands}, c.variable);
        add_reified(c.reified);
        if (exchangeable_[c.variable]) {
            add_values(c.variable, [&](Value value) { return c.set.contains(value); });
        } else {
            label(c.set);
        }
    }

    void describe(const Element& c) {
        add({operands}, c.index);
        add({result}, c.result);
        if (!exchangeable_[c.index]) return add_in_order(c.array);
        structure_.domain[c.index].each([&](Value index) {
            const Operand chosen{c.index, Operand::Kind::value, index};
            const bool inside = index >= 1 && index <= static_cast<Value>(c.array.size());
            if (inside) {
                add(Label{entry}, {chosen, Operand{c.array[static_cast<std::size_t>(index) - 1]}});
            } else {
                add(Label{entry}, std::vector<Operand>{chosen});
            }
        });
    }

    void describe(const Arithmetic& c) {
        label(static_cast<Value>(c.operation));
        add({result}, c.result);
        if (c.operation == Operation::times) {
            add({operands}, std::vector<VarId>{c.left, c.right});
        } else {
            add({operands}, c.left);
            add({second}, c.right);
        }
    }

    void describe(const Extremum& c) {
        label(c.maximum ? 1 : 0);
        add({operands}, c.operands);
        add({result}, c.result);
    }

    void describe(const Table& c) {
        const std::size_t width = c.variables.size();
        std::vector<Label> rows;
        for (auto row = c.rows.begin(); row != c.rows.end(); row += static_cast<std::ptrdiff_t>(width))
            rows.emplace_back(row, row + static_cast<std::ptrdiff_t>(width));
        std::sort(rows.begin(), rows.end());
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        for (const Label& row : rows) shape_.label.insert(shape_.label.end(), row.begin(), row.end());
        add_in_order(c.variables);
        add_reified(c.reified);
    }

    // Which operands can take a value is asked only of values that may be exchanged.
    void describe(const AllDifferent& c) {
        add({operands}, c.variables);
        std::vector<VarId> variables = c.variables;
        std::sort(variables.begin(), variables.end());
        variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
        std::map<Value, std::vector<Operand>> takers;
        for (const VarId v : variables) {
            if (exchangeable_[v]) structure_.domain[v].each([&](Value value) { takers[value]; });
        }
        for (auto& [value, all] : takers) {
            for (const VarId v : variables) {
                if (structure_.domain[v].contains(value)) all.push_back({v, Operand::Kind::value, value});
            }
            add(Label{one_value}, std::move(all));
        }
    }

    void describe(const Count& c) {
        add({operands}, c.variables);
        add({second}, c.value);
        add({result}, c.result);
    }

    void describe(const Global& c) {
        for (const char letter : c.name) label(letter);
        for (std::size_t a = 0; a < c.arguments.size(); ++a)
            add_in_order(c.arguments[a], static_cast<Value>(a));
    }

    const Structure& structure_;
    const std::vector<bool>& exchangeable_;
    Shape shape_;
};

}  // namespace

void Shape::sort() {
    for (Group& group : groups) std::sort(group.operands.begin(), group.operands.end());
    std::sort(groups.begin(), groups.end());
}

Shapes shapes_of(const Model& model, const Structure& structure, Exchange exchange) {
    Shapes result{exchangeable_values(model, structure, exchange), {}};
    Describe describe(structure, result.exchangeable);
    for (std::size_t c = 0; c < model.constraints.size(); ++c)
        result.all.push_back(describe(model.constraints[c], c));
    for (std::size_t b = 0; b < structure.prefix.size(); ++b) {
        if (const auto& its = structure.prefix[b].rule)
            result.all.push_back(describe.judge({rule, static_cast<Value>(b)}, {*its}));
    }
    for (const Literal literal : model.win) result.all.push_back(describe.judge({win}, {literal}));
    for (const Cut& each : model.cuts) result.all.push_back(describe.judge({cut}, each.when, each.claim));
    if (model.objective) result.all.push_back(describe.judge({objective}, *model.objective));
    return result;
}

}  // namespace zermelo::symmetry
