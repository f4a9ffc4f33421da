#include "model/flatten/plain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/flatten/reify.hpp"
#include "model/structure.hpp"

namespace zermelo::model {

namespace {

class PlainConstraints {
public:
    explicit PlainConstraints(Model& model) : model_(model) {}

    void run() {
        part_merged_functions();
        structure_ = dependencies(model_);
        level_ = structure_.level;
        const std::size_t constraints = model_.constraints.size();
        rules_.resize(model_.prefix.size());
        std::vector<bool> bound(constraints, false);
        for (const int c : structure_.definitions) {
            make_total(static_cast<std::size_t>(c));
            // The domain of a constant says all that its definition does.
            bound[c] = model_.domain(structure_.output[c]).single();
        }
        for (const int c : structure_.winning) {
            if (structure_.output[c] >= 0) continue;
            bound[c] = true;
            const Constraint constraint = model_.constraints[c];
            bind(holds(gates_, constraint), structure_.due[c]);
        }
        for (std::size_t b = 0; b < rules_.size(); ++b) extend_rule(b);
        std::size_t c = 0;
        std::erase_if(model_.constraints,
                      [&](const Constraint&) { return c++ < constraints && bound[c - 1]; });
    }

private:
    // MiniZinc makes one variable of two functions that a constraint equates. They get a variable each again,
    // because the equation acts only when both are known.
    void part_merged_functions() {
        std::vector<int> uses(model_.variables.size(), 0);
        std::vector<std::vector<std::size_t>> defining(model_.variables.size());
        for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
            each_variable(model_.constraints[c], [&](VarId v) { ++uses[v]; });
            if (const auto v = model_.constraints[c].defines; v && can_define(model_.constraints[c], *v))
                defining[*v].push_back(c);
        }
        for (const Literal literal : model_.win) ++uses[literal.variable];
        for (const Cut& cut : model_.cuts) {
            ++uses[cut.claim.variable];
            for (const Literal literal : cut.when) ++uses[literal.variable];
        }
        if (model_.objective) ++uses[*model_.objective];
        for (const Block& block : model_.prefix) {
            if (block.rule) ++uses[block.rule->variable];
            for (const VarId move : block.variables) defining[move].clear();
        }
        for (std::size_t v = 0; v < defining.size(); ++v) {
            if (defining[v].size() < 2) continue;
            const Place place = model_.constraints[defining[v].back()].place;
            if (uses[v] > static_cast<int>(defining[v].size())) {
                throw Error(place, "a plain constraint equates two expressions that stand elsewhere, too",
                            "put the equation into the rule of a block, or into win(...)");
            }
            for (std::size_t k = 1; k < defining[v].size(); ++k)
                part(static_cast<VarId>(v), defining[v][k], place);
        }
    }

    void part(VarId merged, std::size_t constraint, const Place& place) {
        const VarId own = model_.add_variable(model_.name_of(merged), model_.domain(merged));
        model_.constraints[constraint] = with_output(model_.constraints[constraint], merged, own);
        parted_.push_back(merged);
        parted_.push_back(own);
        model_.constraints.push_back(
            {Linear{{{1, merged}, {-1, own}}, Relation::equal, 0, std::nullopt}, place});
    }

    static Constraint with_output(Constraint constraint, VarId from, VarId to) {
        constraint.defines = to;
        std::visit(
            [&](auto& body) {
                if constexpr (requires { body.result; }) {
                    body.result = to;
                } else if constexpr (requires { body.terms; }) {
                    for (Term& term : body.terms)
                        if (term.variable == from) term.variable = to;
                    if (body.reified && body.reified->variable == from) body.reified->variable = to;
                } else if constexpr (requires { body.reified; }) {
                    if (body.reified && body.reified->variable == from) body.reified->variable = to;
                } else if constexpr (requires { body.literals; }) {
                    for (Literal& literal : body.literals)
                        if (literal.variable == from) literal.variable = to;
                }
            },
            constraint.body);
        return constraint;
    }

    // Gives the output of a definition all values that it can take; that they lie in its domain is demanded.
    void make_total(std::size_t c) {
        const VarId output = structure_.output[c];
        const auto bounds = [&](VarId v) {
            return Interval{model_.domain(v).low(), model_.domain(v).high()};
        };
        if (!image(model_.constraints[c], output, bounds)) replace_partial(c, output);
        const Constraint& constraint = model_.constraints[c];
        const auto values = image(constraint, output, bounds);
        if (!values) throw Error(constraint.place, "a plain constraint has no value for some plays");
        const Domain reachable(values->low, values->high);
        const Domain declared = model_.domain(output);
        if (values->low < -largest_value || values->high > largest_value) {
            throw Error(constraint.place,
                        fmt::format("{} can take values beyond ±{}", model_.name_of(output), largest_value),
                        "use smaller domains");
        }
        model_.variables[output].domain = reachable;
        const bool free = std::find(parted_.begin(), parted_.end(), output) != parted_.end();
        if (declared.contains(reachable) || free) return;
        bind(gates_.member(gates_.form_of(output), declared), structure_.level[output]);
    }

    void replace_partial(std::size_t c, VarId output) {
        flat::Literals defined;
        const std::size_t before = model_.constraints.size();
        const Constraint constraint = model_.constraints[c];
        const VarId value = gates_.variable(std::visit(
            [&](const auto& body) -> flat::Form {
                if constexpr (requires { total_value(gates_, body, defined); }) {
                    return total_value(gates_, body, defined);
                } else {
                    return gates_.form_of(output);
                }
            },
            constraint.body));
        model_.constraints[c] = {make_linear(model_, {{1, value}, {-1, output}}, Relation::equal, 0,
                                             std::nullopt, constraint.place),
                                 constraint.place, output};
        note_levels(before);
        for (const Literal literal : defined)
            bind(literal, literal.variable < 0 ? structure_.level[output] : level_[literal.variable]);
    }

    // Gates come after what they depend on.
    void note_levels(std::size_t from) {
        level_.resize(model_.variables.size(), -1);
        for (std::size_t c = from; c < model_.constraints.size(); ++c) {
            const Constraint& gate = model_.constraints[c];
            if (!gate.defines) continue;
            each_variable(gate, [&](VarId v) {
                if (v != *gate.defines) level_[*gate.defines] = std::max(level_[*gate.defines], level_[v]);
            });
        }
    }

    void bind(Literal literal, int block) {
        if (literal == flat::yes) return;
        if (block < 0 || block >= static_cast<int>(rules_.size())) {
            model_.win.push_back(gates_.in_model(literal));
        } else {
            rules_[block].push_back(literal);
        }
    }

    void extend_rule(std::size_t b) {
        if (rules_[b].empty()) return;
        Block& block = model_.prefix[b];
        if (block.rule) {
            const flat::Form own = gates_.form_of(*block.rule);
            rules_[b].push_back(!own.fixed() ? *block.rule : own.constant != 0 ? flat::yes : flat::no);
        }
        block.rule = gates_.in_model(gates_.all(rules_[b]));
    }

    Model& model_;
    flat::Gates gates_{model_};
    Structure structure_;
    std::vector<int> level_;             // by variable, gates included
    std::vector<VarId> parted_;          // functions whose narrow domain comes from an equation
    std::vector<flat::Literals> rules_;  // by block: what is added to its rule
};

}  // namespace

void bind_plain_constraints(Model& model) { PlainConstraints(model).run(); }

}  // namespace zermelo::model
