// Walks the trees of a source and flattens them into gates, blocks and a winning condition.

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "model/builder.hpp"
#include "model/flatten/gates.hpp"

namespace zermelo::model {

namespace {

using namespace flat;
using Kind = Expression::Kind;

struct Flat {
    Form form;
    Literals defined = {};  // the expression has a value where all of these hold
};

class Flattener {
public:
    explicit Flattener(const Source& source) : source_(source) {
        model_.name = source.name;
        model_.variables = source.variables;
        model_.outputs = source.outputs;
        model_.strategic = source.strategic;
        model_.state = source.state;
    }

    Model run() {
        count_uses();
        if (source_.strategic) return strategic();
        for (const auto& block : source_.blocks) {
            const Literal rule = gates_.all(conjuncts(block.rules));
            model_.prefix.push_back({block.quantifier, block.variables, std::nullopt});
            if (rule != yes) model_.prefix.back().rule = gates_.in_model(rule);
        }
        const bool posting = !model_.has_universal_rules();
        win(conjuncts(source_.win));
        if (posting) {
            for (const BoolExpr& condition : source_.require) post(*condition.tree(), true);
        } else {
            win(conjuncts(source_.require));
        }
        for (const auto& cut : source_.cuts) add_cut(cut);
        if (source_.objective) {
            const Flat objective = integer(*source_.objective->tree());
            model_.objective = gates_.variable(objective.form);
            win(objective.defined);
        }
        return std::move(model_);
    }

private:
    Model strategic() {
        level_.assign(source_.variables.size(), -1);
        for (const auto& block : source_.blocks) {
            for (const VarId v : block.variables) level_[v] = static_cast<int>(model_.prefix.size());
            model_.prefix.push_back({block.quantifier, block.variables, std::nullopt});
        }
        for (const BoolExprs* conditions : {&source_.win, &source_.require}) {
            for (const BoolExpr& condition : *conditions) hold(*condition.tree(), last(*condition.tree()));
        }
        return std::move(model_);
    }

    // How many places of the trees lead to a node. Connectives are merged into the one above only where they
    // have no other use, because a shared literal is worth more than a flat clause.
    void count_uses() {
        const auto each = [&](const BoolExprs& all) {
            for (const BoolExpr& root : all) count_uses(*root.tree());
        };
        for (const auto& block : source_.blocks) each(block.rules);
        each(source_.win);
        each(source_.require);
        for (const auto& cut : source_.cuts) each(cut.when), count_uses(*cut.claim.tree());
        if (source_.objective) count_uses(*source_.objective->tree());
    }

    void count_uses(const Expression& e) {
        if (uses_[&e]++ > 0) return;
        if (e.kind == Kind::variable && e.variable >= static_cast<VarId>(source_.variables.size())) {
            throw Error("an expression mentions a variable of another model",
                        "use only variables of this builder");
        }
        for (const auto& part : e.parts) count_uses(*part);
    }

    // The result for a node, remembered where another place will ask again.
    template <class Result, class Make>
    Result once(std::unordered_map<const Expression*, Result>& known, const Expression& e, Make make) {
        if (uses_[&e] <= 1) return make();
        if (const auto at = known.find(&e); at != known.end()) return at->second;
        return known.emplace(&e, make()).first->second;
    }

    // ---- integers --------------------------------------------------------------------------------------

    Flat integer(const Expression& e) {
        return once(integers_, e, [&] {
            Flat flat;
            flat.form = integer(e, flat.defined);
            return flat;
        });
    }

    Form part(const Expression& e, std::size_t i, Literals& defined) {
        Flat flat = integer(*e.parts[i]);
        for (const Literal literal : flat.defined) {  // once each: shared operands would double the list
            if (std::find(defined.begin(), defined.end(), literal) == defined.end())
                defined.push_back(literal);
        }
        return std::move(flat.form);
    }

    Forms parts(const Expression& e, Literals& defined, std::size_t from = 0) {
        Forms forms;
        for (std::size_t i = from; i < e.parts.size(); ++i) forms.push_back(part(e, i, defined));
        return forms;
    }

    Form integer(const Expression& e, Literals& defined) {
        switch (e.kind) {
            case Kind::constant:
                return Form{e.value};
            case Kind::variable:
                return gates_.form_of(e.variable);
            case Kind::choose:
                return choose(e, defined);
            case Kind::element:
            case Kind::count: {
                const Form first = part(e, 0, defined);
                const Forms array = parts(e, defined, 1);
                return e.kind == Kind::count ? gates_.count(array, first)
                                             : gates_.element(array, first, defined);
            }
            default:
                return e.kind < Kind::truth ? operation(e, parts(e, defined), defined)
                                            : gates_.form_of(boolean(e));
        }
    }

    Form operation(const Expression& e, const Forms& operands, Literals& defined) {
        switch (e.kind) {
            case Kind::sum: {
                Form total;
                for (const Form& form : operands) total = total.plus(form);
                return total;
            }
            case Kind::subtract:
                return operands[0].minus(operands[1]);
            case Kind::negate:
                return Form{}.minus(operands[0]);
            case Kind::multiply:
                return gates_.product(operands[0], operands[1]);
            case Kind::divide:
                return gates_.quotient(Operation::divide, operands[0], operands[1], defined);
            case Kind::modulo:
                return gates_.quotient(Operation::modulo, operands[0], operands[1], defined);
            case Kind::power:
                return gates_.power(operands[0], operands[1], defined);
            case Kind::absolute:
                return gates_.absolute(operands[0]);
            default:
                return gates_.extremum(e.kind == Kind::maximum, operands);
        }
    }

    Form choose(const Expression& e, Literals& defined) {
        const Literal condition = boolean(*e.parts[0]);
        const Flat then = integer(*e.parts[1]);
        const Flat otherwise = integer(*e.parts[2]);
        defined.push_back(gates_.any({!condition, gates_.all(then.defined)}));
        defined.push_back(gates_.any({condition, gates_.all(otherwise.defined)}));
        return gates_.choose(condition, then.form, otherwise.form);
    }

    // ---- Booleans --------------------------------------------------------------------------------------

    Literal boolean(const Expression& e) {
        return once(booleans_, e, [&] { return flatten(e); });
    }

    Literal flatten(const Expression& e) {
        Literals conditions;  // all of them make e true: its atoms, and that its operands are defined
        switch (e.kind) {
            case Kind::truth:
                return e.value != 0 ? yes : no;
            case Kind::negation:
                return !boolean(*e.parts[0]);
            case Kind::conjunction:
            case Kind::disjunction:
                for (const auto& each : e.parts) collect(*each, true, e.kind, conditions);
                return e.kind == Kind::conjunction ? gates_.all(conditions) : gates_.any(conditions);
            case Kind::member: {
                const Form form = part(e, 0, conditions);
                conditions.push_back(gates_.member(form, e.set));
                break;
            }
            case Kind::table: {
                const Forms columns = parts(e, conditions);
                conditions.push_back(gates_.table(columns, e));
                break;
            }
            case Kind::all_different: {
                const Forms forms = parts(e, conditions);
                for (std::size_t i = 0; i < forms.size(); ++i) {
                    for (std::size_t j = 0; j < i; ++j) {
                        conditions.push_back(gates_.compare(forms[i].minus(forms[j]), Relation::different));
                    }
                }
                break;
            }
            default: {
                const Form form = difference(e, conditions);
                conditions.push_back(gates_.compare(form, relation(e)));
            }
        }
        return gates_.all(conditions);
    }

    // A comparison says that the difference of its sides is (=, ≠, ≤) 0.
    Form difference(const Expression& e, Literals& defined) {
        const Form left = part(e, 0, defined);
        const Form right = part(e, 1, defined);
        return e.kind == Kind::less ? left.minus(right).plus(Form{1}) : left.minus(right);
    }

    static Relation relation(const Expression& e) {
        switch (e.kind) {
            case Kind::equal:
            case Kind::equivalent:
                return Relation::equal;
            case Kind::different:
            case Kind::exclusive:
                return Relation::different;
            default:
                return Relation::at_most;
        }
    }

    // The literals whose conjunction (or disjunction, as `joint` says) is `e`, or ¬e where `sign` is false.
    void collect(const Expression& e, bool sign, Kind joint, Literals& literals) {
        if (e.kind == Kind::negation) return collect(*e.parts[0], !sign, joint, literals);
        const bool connective = e.kind == Kind::conjunction || e.kind == Kind::disjunction;
        if (connective && (e.kind == joint) == sign && uses_[&e] <= 1) {
            for (const auto& each : e.parts) collect(*each, sign, joint, literals);
        } else {
            literals.push_back(sign ? boolean(e) : !boolean(e));
        }
    }

    Literals conjuncts(const BoolExprs& conditions) {
        Literals literals;
        for (const BoolExpr& each : conditions) collect(*each.tree(), true, Kind::conjunction, literals);
        return literals;
    }

    // ---- the winning condition -------------------------------------------------------------------------

    void win(const Literals& literals) {
        for (const Literal literal : literals) {
            if (literal != yes) model_.win.push_back(gates_.in_model(literal));
        }
    }

    template <class Body>
    void demand(const Body& body, const std::optional<Literal>& decided = std::nullopt) {
        if (decided) {
            win({*decided});
        } else {
            model_.constraints.push_back({body, {}, std::nullopt});
        }
    }

    // Demands e, or ¬e where `sign` is false, without a literal for it where there is such a constraint.
    void post(const Expression& e, bool sign) {
        switch (e.kind) {
            case Kind::negation:
                return post(*e.parts[0], !sign);
            case Kind::conjunction:
            case Kind::disjunction:
                if ((e.kind == Kind::disjunction) == sign) return post_clause(e, sign);
                for (const auto& each : e.parts) post(*each, sign);
                return;
            case Kind::truth:
                return win({(e.value != 0) == sign ? yes : no});
            default:
                // Where an operand is undefined, e is false: ¬e is not simply the opposite constraint.
                if (sign) return post_atom(e);
                win({!boolean(e)});
        }
    }

    void post_clause(const Expression& e, bool sign) {
        Literals literals;
        for (const auto& each : e.parts) collect(*each, sign, Kind::disjunction, literals);
        std::erase(literals, no);
        if (std::find(literals.begin(), literals.end(), yes) != literals.end()) return;
        if (literals.size() <= 1) return win({literals.empty() ? no : literals.front()});
        demand(Clause{literals, std::nullopt});
    }

    void post_atom(const Expression& e) {
        Literals defined;
        if (e.kind == Kind::member) {
            const VarId v = gates_.variable(part(e, 0, defined));
            const Domain inside = model_.domain(v).intersect(e.set);
            demand(Member{v, inside, std::nullopt}, inside.empty()               ? std::optional(no)
                                                    : inside == model_.domain(v) ? std::optional(yes)
                                                                                 : std::nullopt);
        } else if (e.kind == Kind::table) {
            const auto [table, decided] = gates_.rows(parts(e, defined), e);
            demand(table, decided);
        } else if (e.kind == Kind::all_different) {
            const auto variables = gates_.variables(parts(e, defined));
            const std::set<VarId> distinct(variables.begin(), variables.end());
            if (distinct.size() < variables.size()) return win({no});
            if (distinct.size() > 1) demand(AllDifferent{variables});
        } else {
            const auto [linear, decided] = gates_.linear(difference(e, defined), relation(e));
            demand(linear, decided);
        }
        win(defined);
    }

    // ---- strategic models ------------------------------------------------------------------------------
    //
    // When a condition acts is part of what it means. What flattening makes of it must not act earlier,
    // though a part of it may mention less, and a value that does not matter may have vanished.

    // The last block that an expression mentions, -1 for none.
    int last(const Expression& e) {
        if (e.kind == Kind::variable) return level_[e.variable];
        return once(last_, e, [&] {
            int block = -1;
            for (const auto& each : e.parts) block = std::max(block, last(*each));
            return block;
        });
    }

    void hold(const Expression& e, int when) {
        if (e.kind == Kind::conjunction) {
            for (const auto& each : e.parts) hold(*each, when);
            return;
        }
        const std::size_t constraints = model_.constraints.size();
        const std::size_t literals = model_.win.size();
        post(e, true);
        if (act_at(when, constraints, literals)) return;
        const auto first = model_.constraints.begin() + static_cast<std::ptrdiff_t>(constraints);
        model_.constraints.erase(
            std::remove_if(first, model_.constraints.end(), [](const Constraint& c) { return !c.defines; }),
            model_.constraints.end());
        model_.win.erase(model_.win.begin() + static_cast<std::ptrdiff_t>(literals), model_.win.end());
        hold_at(boolean(e), when);
        note_levels(constraints);
    }

    // Whether all demands since then act at this block, as they should.
    bool act_at(int when, std::size_t constraints, std::size_t literals) {
        note_levels(constraints);
        for (std::size_t i = literals; i < model_.win.size(); ++i) {
            if (level_[model_.win[i].variable] != when) return false;
        }
        for (std::size_t c = constraints; c < model_.constraints.size(); ++c) {
            if (!model_.constraints[c].defines && level(model_.constraints[c]) != when) return false;
        }
        return true;
    }

    void hold_at(Literal literal, int when) {
        if (literal == yes) return;
        if (literal == no) return win({never(when)});
        demand(Clause{{literal, never(when)}, std::nullopt});
    }

    // A literal that is false, and mentions this block.
    Literal never(int block) {
        if (const auto known = never_.find(block); known != never_.end()) return known->second;
        const VarId move = source_.blocks[block].variables.front();
        const VarId result = model_.add_variable(fmt::format("never{}", block + 1), Domain(0, 1), true);
        const Linear below{{{1, move}}, Relation::at_most, model_.domain(move).low() - 1, Literal{result}};
        model_.constraints.push_back({below, {}, result});
        return never_.emplace(block, Literal{result}).first->second;
    }

    [[nodiscard]] int level(const Constraint& constraint) const {
        int block = -1;
        each_variable(constraint, [&](VarId v) {
            if (constraint.defines != v) block = std::max(block, level_[v]);
        });
        return block;
    }

    // Gates come after what they depend on.
    void note_levels(std::size_t constraints) {
        level_.resize(model_.variables.size(), -1);
        for (std::size_t c = constraints; c < model_.constraints.size(); ++c) {
            if (const auto gate = model_.constraints[c].defines) level_[*gate] = level(model_.constraints[c]);
        }
    }

    void add_cut(const Source::Shortcut& cut) {
        Cut result{{}, gates_.in_model(boolean(*cut.claim.tree()))};
        for (const Literal literal : conjuncts(cut.when)) {
            if (literal != yes) result.when.push_back(gates_.in_model(literal));
        }
        model_.cuts.push_back(std::move(result));
    }

    const Source& source_;
    Model model_;
    Gates gates_{model_};
    std::unordered_map<const Expression*, int> uses_;
    std::unordered_map<const Expression*, Flat> integers_;
    std::unordered_map<const Expression*, Literal> booleans_;
    std::unordered_map<const Expression*, int> last_;
    std::map<int, Literal> never_;
    std::vector<int> level_;  // by variable of a strategic model: the last block that it depends on, or -1
};

void check_strategic(const Source& source) {
    const bool ruled = std::any_of(source.blocks.begin(), source.blocks.end(),
                                   [](const Source::Group& block) { return !block.rules.empty(); });
    if (ruled) throw Error("a strategic model has a rule", "state it with require, which binds both players");
    if (!source.cuts.empty()) throw Error("a strategic model has a cut", "leave it out");
    if (source.objective) {
        throw Error("a strategic model has an objective",
                    "ask for a threshold: require(objective >= threshold) for a last move of ∃");
    }
}

}  // namespace

Model flatten(const Source& source) {
    if (source.strategic) check_strategic(source);
    return Flattener(source).run();
}

}  // namespace zermelo::model
