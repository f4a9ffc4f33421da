#include "symmetry/model_shape.hpp"

#include <algorithm>
#include <map>

namespace zermelo::symmetry {

namespace {

constexpr std::uint64_t most_values = 4096;  // of a variable whose values may be exchanged

// What a group holds; a number added behind it tells several of a kind apart.
enum Role : model::Value {
    operands,
    reified,
    result,
    output,
    values,
    one_value,
    entry,
    place,
    second,
    multiple
};

// The parts of a model that decide a play; labels beyond those of the forms of constraints.
enum Criterion : model::Value { rule = 100, win, cut, objective };

// A sum of two: to each value of the one belongs at most one of the other with which it is right.
bool is_pair(const model::Linear& c) { return c.terms.size() == 2 && c.relation != model::Relation::at_most; }

std::optional<model::Value> partner(const model::Linear& c, model::Value first) {
    const model::Value rest = c.constant - c.terms[0].coefficient * first;
    const model::Value factor = c.terms[1].coefficient;
    return rest % factor == 0 ? std::optional(rest / factor) : std::nullopt;
}

// Takes out of `exchangeable` what a constraint asks more of than where its values lie.
struct Bind {
    const model::Structure& structure;
    Exchange exchange;
    std::vector<bool>& exchangeable;

    void keep(model::VarId v) const { exchangeable[v] = false; }
    void keep(const std::optional<model::Literal>& literal) const {
        if (literal) keep(literal->variable);
    }
    void keep(const std::vector<model::Literal>& literals) const {
        for (const model::Literal l : literals) keep(l.variable);
    }
    void keep(const std::vector<model::VarId>& variables) const {
        for (const model::VarId v : variables) keep(v);
    }

    void operator()(const model::Linear& c) const {
        if (c.terms.size() > 1 && !(exchange == Exchange::pairs && is_pair(c))) {
            for (const model::Term& term : c.terms) keep(term.variable);
        }
        keep(c.reified);
    }
    void operator()(const model::Clause& c) const { keep(c.literals), keep(c.reified); }
    void operator()(const model::Parity& c) const { keep(c.literals); }
    void operator()(const model::Member& c) const { keep(c.reified); }
    void operator()(const model::Element& c) const {
        const auto constant = [&](model::VarId v) { return structure.domain[v].single(); };
        if (exchange == Exchange::sets && !std::all_of(c.array.begin(), c.array.end(), constant))
            keep(c.index);
        keep(c.array), keep(c.result);
    }
    void operator()(const model::Arithmetic& c) const { keep(c.left), keep(c.right), keep(c.result); }
    void operator()(const model::Extremum& c) const { keep(c.operands), keep(c.result); }
    void operator()(const model::Table& c) const { keep(c.variables), keep(c.reified); }
    void operator()(const model::AllDifferent&) const {}
    void operator()(const model::Count& c) const { keep(c.variables), keep(c.value), keep(c.result); }
    void operator()(const model::Global& c) const {
        for (const auto& argument : c.arguments) keep(argument);
    }
};

std::vector<bool> exchangeable_values(const model::Model& model, const model::Structure& structure,
                                      Exchange exchange) {
    std::vector<bool> result;
    for (std::size_t v = 0; v < model.variables.size(); ++v) {
        const model::Domain& domain = structure.domain[v];
        result.push_back(!model.variables[v].boolean && !domain.single() && domain.size() <= most_values);
    }
    const Bind bind{structure, exchange, result};
    for (const model::Constraint& constraint : model.constraints) std::visit(bind, constraint.body);
    for (const model::Block& block : structure.prefix) bind.keep(block.rule);
    bind.keep(model.win);
    for (const model::Cut& each : model.cuts) bind.keep(each.when), bind.keep(each.claim);
    if (model.objective) bind.keep(*model.objective);
    return result;
}

bool satisfies(const model::Linear& c, model::Value value) {
    const model::Value left = c.terms.front().coefficient * value;
    switch (c.relation) {
        case model::Relation::equal:
            return left == c.constant;
        case model::Relation::different:
            return left != c.constant;
        case model::Relation::at_most:
            return left <= c.constant;
    }
    return false;
}

// Describes one constraint, form by form.
class Describe {
public:
    Describe(const model::Structure& structure, const std::vector<bool>& exchangeable)
        : structure_(structure), exchangeable_(exchangeable) {}

    Shape operator()(const model::Constraint& constraint, std::size_t index) {
        shape_ = {};
        label(static_cast<model::Value>(constraint.body.index()));
        label(structure_.due[index]);
        label(structure_.total[index] ? 1 : 0);
        std::visit([this](const auto& body) { describe(body); }, constraint.body);
        if (structure_.output[index] >= 0) add({output}, structure_.output[index]);
        return finished();
    }

    Shape criterion(const Label& its_label, const std::vector<model::Literal>& literals,
                    const std::optional<model::Literal>& claim = std::nullopt) {
        shape_ = {its_label, {}};
        add(operands, literals);
        add_reified(claim);
        return finished();
    }

    Shape criterion(const Label& its_label, model::VarId variable) {
        shape_ = {its_label, {}};
        add({operands}, variable);
        return finished();
    }

private:
    void label(model::Value word) { shape_.label.push_back(word); }
    void label(const model::Domain& domain) {
        for (const auto& [low, high] : domain.ranges()) label(low), label(high);
    }
    void add(Label group, model::VarId variable) {
        add(std::move(group), std::vector<model::VarId>{variable});
    }
    void add(Label group, const std::vector<model::VarId>& variables) {
        std::vector<Operand> all;
        for (const model::VarId v : variables) all.push_back({v});
        add(std::move(group), std::move(all));
    }
    void add(Role role, const std::vector<model::Literal>& literals) {
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
            if (count > 1) its_label.insert(its_label.end(), {multiple, static_cast<model::Value>(count)});
            shape_.groups.push_back({std::move(its_label), std::move(each)});
        }
    }
    void add_reified(const std::optional<model::Literal>& literal) {
        if (literal) add(reified, std::vector<model::Literal>{*literal});
    }
    void add_in_order(const std::vector<model::VarId>& variables, model::Value argument = 0) {
        for (std::size_t i = 0; i < variables.size(); ++i)
            add({place, argument, static_cast<model::Value>(i)}, variables[i]);
    }
    template <class Belongs>
    void add_values(model::VarId v, Belongs belongs) {
        std::vector<Operand> all;
        structure_.domain[v].each([&](model::Value value) {
            if (belongs(value)) all.push_back({v, Operand::Kind::value, value});
        });
        add({values}, std::move(all));
    }
    Shape finished() {
        shape_.sort();
        return std::move(shape_);
    }

    void describe(const model::Linear& c) {
        label(static_cast<model::Value>(c.relation));
        add_reified(c.reified);
        if (c.terms.size() == 1 && exchangeable_[c.terms.front().variable]) {
            add({operands}, c.terms.front().variable);
            add_values(c.terms.front().variable, [&](model::Value value) { return satisfies(c, value); });
            return;
        }
        const auto exchanged = [&](const model::Term& term) { return exchangeable_[term.variable]; };
        if (std::any_of(c.terms.begin(), c.terms.end(), exchanged)) return describe_pair(c);
        label(c.constant);
        std::map<model::Value, std::vector<model::VarId>> by_coefficient;
        for (const model::Term& term : c.terms) by_coefficient[term.coefficient].push_back(term.variable);
        for (const auto& [coefficient, variables] : by_coefficient) add({operands, coefficient}, variables);
    }

    void describe_pair(const model::Linear& c) {
        const model::VarId x = c.terms[0].variable;
        const model::VarId y = c.terms[1].variable;
        add({operands}, std::vector<model::VarId>{x, y});
        // One that keeps its values may have too many to go through.
        const bool turn = !exchangeable_[x];
        const model::Linear seen =
            turn ? model::Linear{{c.terms[1], c.terms[0]}, c.relation, c.constant, c.reified} : c;
        structure_.domain[turn ? y : x].each([&](model::Value value) {
            const auto other = partner(seen, value);
            if (!other || !structure_.domain[turn ? x : y].contains(*other)) return;
            add(Label{one_value}, {Operand{turn ? y : x, Operand::Kind::value, value},
                                   Operand{turn ? x : y, Operand::Kind::value, *other}});
        });
    }

    void describe(const model::Clause& c) {
        add(operands, c.literals);
        add_reified(c.reified);
    }

    // It does not matter which of the literals are negated, only whether an odd number of them is.
    void describe(const model::Parity& c) {
        std::vector<model::VarId> variables;
        bool odd = true;
        for (const model::Literal l : c.literals) {
            variables.push_back(l.variable);
            odd = odd != !l.positive;
        }
        label(odd ? 1 : 0);
        add({operands}, variables);
    }

    void describe(const model::Member& c) {
        add({operands}, c.variable);
        add_reified(c.reified);
        if (exchangeable_[c.variable]) {
            add_values(c.variable, [&](model::Value value) { return c.set.contains(value); });
        } else {
            label(c.set);
        }
    }

    void describe(const model::Element& c) {
        add({operands}, c.index);
        add({result}, c.result);
        if (!exchangeable_[c.index]) return add_in_order(c.array);
        structure_.domain[c.index].each([&](model::Value index) {
            const Operand chosen{c.index, Operand::Kind::value, index};
            const bool inside = index >= 1 && index <= static_cast<model::Value>(c.array.size());
            if (inside) {
                add(Label{entry}, {chosen, Operand{c.array[static_cast<std::size_t>(index) - 1]}});
            } else {
                add(Label{entry}, std::vector<Operand>{chosen});
            }
        });
    }

    void describe(const model::Arithmetic& c) {
        label(static_cast<model::Value>(c.operation));
        add({result}, c.result);
        if (c.operation == model::Operation::times) {
            add({operands}, std::vector<model::VarId>{c.left, c.right});
        } else {
            add({operands}, c.left);
            add({second}, c.right);
        }
    }

    void describe(const model::Extremum& c) {
        label(c.maximum ? 1 : 0);
        add({operands}, c.operands);
        add({result}, c.result);
    }

    void describe(const model::Table& c) {
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
    void describe(const model::AllDifferent& c) {
        add({operands}, c.variables);
        std::vector<model::VarId> variables = c.variables;
        std::sort(variables.begin(), variables.end());
        variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
        std::map<model::Value, std::vector<Operand>> takers;
        for (const model::VarId v : variables) {
            if (exchangeable_[v]) structure_.domain[v].each([&](model::Value value) { takers[value]; });
        }
        for (auto& [value, all] : takers) {
            for (const model::VarId v : variables) {
                if (structure_.domain[v].contains(value)) all.push_back({v, Operand::Kind::value, value});
            }
            add(Label{one_value}, std::move(all));
        }
    }

    void describe(const model::Count& c) {
        add({operands}, c.variables);
        add({second}, c.value);
        add({result}, c.result);
    }

    void describe(const model::Global& c) {
        for (const char letter : c.name) label(letter);
        for (std::size_t a = 0; a < c.arguments.size(); ++a)
            add_in_order(c.arguments[a], static_cast<model::Value>(a));
    }

    const model::Structure& structure_;
    const std::vector<bool>& exchangeable_;
    Shape shape_;
};

}  // namespace

void Shape::sort() {
    for (Group& group : groups) std::sort(group.operands.begin(), group.operands.end());
    std::sort(groups.begin(), groups.end());
}

Shapes shapes_of(const model::Model& model, const model::Structure& structure, Exchange exchange) {
    Shapes result{exchangeable_values(model, structure, exchange), {}};
    Describe describe(structure, result.exchangeable);
    for (std::size_t c = 0; c < model.constraints.size(); ++c)
        result.all.push_back(describe(model.constraints[c], c));
    for (std::size_t b = 0; b < structure.prefix.size(); ++b) {
        if (const auto& its = structure.prefix[b].rule)
            result.all.push_back(describe.criterion({rule, static_cast<model::Value>(b)}, {*its}));
    }
    for (const model::Literal literal : model.win) result.all.push_back(describe.criterion({win}, {literal}));
    for (const model::Cut& each : model.cuts)
        result.all.push_back(describe.criterion({cut}, each.when, each.claim));
    if (model.objective) result.all.push_back(describe.criterion({objective}, *model.objective));
    return result;
}

}  // namespace zermelo::symmetry
