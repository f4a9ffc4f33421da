// Projection: arguments that say nothing are dropped (Ramakrishnan, Beeri and Krishnamurthy 1988).
//
// If the only thing that any rule of a relation says of an argument is that it has a static property, the same in
// all rules, then the relation is the product of that property and of a relation without the argument:
//
//     (<= (ready ?a ?b) (bit ?a) (bit ?b) (true (step 1)))
//
// becomes a proposition, and its four instances one. Twenty such arguments have a million instances. Whoever
// reads the relation reads the smaller one and the property.

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "gdl/ground/grounder.hpp"
#include "gdl/ground/patterns.hpp"

namespace zermelo::gdl {

namespace {

using Name = std::pair<Symbol, std::size_t>;  // of a relation

Name name_of(const Atom& atom) { return {atom.relation, atom.arguments.size()}; }

constexpr std::uint32_t the_argument = 0;  // in a property: stands for the argument

// The atom with the variable, or the term, in place of another variable.
Term replaced(const Term& term, std::uint32_t variable, const Term& by) {
    if (term.kind == Term::Kind::variable) return term.id == variable ? by : term;
    Term result{term.kind, term.id};
    for (const Term& argument : term.arguments) result.arguments.push_back(replaced(argument, variable, by));
    return result;
}

Atom replaced(const Atom& atom, std::uint32_t variable, const Term& by) {
    Atom result{atom.relation};
    for (const Term& argument : atom.arguments) result.arguments.push_back(replaced(argument, variable, by));
    return result;
}

using Property = std::vector<Atom>;  // of the_argument, in the order of the first rule

bool mentions(const Atom& atom, std::uint32_t variable) {
    bool found = false;
    each_variable(atom, [&](std::uint32_t v) { found = found || v == variable; });
    return found;
}

bool mentions_only(const Atom& atom, std::uint32_t variable) {
    bool alone = true;
    each_variable(atom, [&](std::uint32_t v) { alone = alone && v == variable; });
    return alone;
}

class Projection {
public:
    Projection(std::vector<Rule> rules, Symbols& symbols) : rules_(std::move(rules)), symbols_(symbols) {}

    std::vector<Rule> run() {
        find_static();
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& [name, heads] : rules_by_head())
                changed = drop_arguments(name, heads) || changed;
        }
        return std::move(rules_);
    }

private:
    std::map<Name, std::vector<std::size_t>> rules_by_head() const {
        std::map<Name, std::vector<std::size_t>> heads;
        for (std::size_t r = 0; r < rules_.size(); ++r) heads[name_of(rules_[r].head)].push_back(r);
        return heads;
    }

    void find_static() {
        dynamic_ = {{kw_true, 1}, {kw_does, 2}};
        for (bool changed = true; changed;) {
            changed = false;
            for (const Rule& rule : rules_) {
                const bool depends = std::ranges::any_of(rule.body, [&](const BodyLiteral& literal) {
                    return literal.kind != BodyLiteral::Kind::distinct &&
                           dynamic_.contains(name_of(literal.atom));
                });
                if (depends) changed = dynamic_.insert(name_of(rule.head)).second || changed;
            }
        }
    }

    // All that the rule says of this argument of its head; nothing if it is more than a static property.
    std::optional<Property> property(const Rule& rule, std::size_t place) const {
        const Term& argument = rule.head.arguments[place];
        if (argument.kind != Term::Kind::variable) return std::nullopt;
        std::size_t in_head = 0;
        each_variable(rule.head, [&](std::uint32_t v) { in_head += v == argument.id ? 1 : 0; });
        if (in_head != 1) return std::nullopt;
        Property result;
        for (const BodyLiteral& literal : rule.body) {
            if (!mentions(literal.atom, argument.id)) continue;
            if (literal.kind != BodyLiteral::Kind::positive || dynamic_.contains(name_of(literal.atom)) ||
                !mentions_only(literal.atom, argument.id))
                return std::nullopt;
            Atom atom = replaced(literal.atom, argument.id, {Term::Kind::variable, the_argument});
            if (std::ranges::find(result, atom) == result.end()) result.push_back(std::move(atom));
        }
        if (result.empty()) return std::nullopt;
        return result;
    }

    static bool same(const Property& a, const Property& b) {
        return a.size() == b.size() && std::ranges::all_of(a, [&](const Atom& atom) {
                   return std::ranges::find(b, atom) != b.end();
               });
    }

    // By argument: its property, if all rules agree.
    std::vector<std::optional<Property>> properties(const Name& name,
                                                    const std::vector<std::size_t>& heads) const {
        std::vector<std::optional<Property>> result(name.second);
        for (std::size_t place = 0; place < name.second; ++place) {
            result[place] = property(rules_[heads.front()], place);
            for (std::size_t i = 1; i < heads.size() && result[place]; ++i) {
                const auto other = property(rules_[heads[i]], place);
                if (!other || !same(*result[place], *other)) result[place].reset();
            }
        }
        return result;
    }

    bool drop_arguments(const Name& name, const std::vector<std::size_t>& heads) {
        if (name.first < first_free_symbol || !dynamic_.contains(name) || done_.contains(name)) return false;
        for (const std::size_t r : heads) {
            for (const BodyLiteral& literal : rules_[r].body) {
                if (literal.kind != BodyLiteral::Kind::distinct && name_of(literal.atom) == name)
                    return false;
            }
        }
        const auto dropped = properties(name, heads);
        const auto number = static_cast<std::size_t>(
            std::ranges::count_if(dropped, [](const auto& property) { return property.has_value(); }));
        if (number == 0) return false;
        done_.insert(name);
        const Symbol smaller = symbols_.intern("project " + std::to_string(fresh_++));  // no name has a blank
        dynamic_.insert({smaller, name.second - number});
        for (const std::size_t r : heads) shorten(rules_[r], smaller, dropped);
        bool still_read = false;
        for (Rule& rule : rules_) still_read = !rewrite_uses(rule, name, smaller, dropped) || still_read;
        if (still_read) rules_.push_back(bridge(name, smaller, dropped));
        return true;
    }

    static Atom without(const Atom& atom, Symbol smaller,
                        const std::vector<std::optional<Property>>& dropped) {
        Atom result{smaller};
        for (std::size_t i = 0; i < dropped.size(); ++i) {
            if (!dropped[i]) result.arguments.push_back(atom.arguments[i]);
        }
        return result;
    }

    static void shorten(Rule& rule, Symbol smaller, const std::vector<std::optional<Property>>& dropped) {
        for (std::size_t i = 0; i < dropped.size(); ++i) {
            if (!dropped[i]) continue;
            const std::uint32_t variable = rule.head.arguments[i].id;
            std::erase_if(rule.body,
                          [&](const BodyLiteral& literal) { return mentions(literal.atom, variable); });
        }
        rule.head = without(rule.head, smaller, dropped);
    }

    // What holds of the arguments that are dropped.
    static std::vector<BodyLiteral> conditions(const BodyLiteral& use,
                                               const std::vector<std::optional<Property>>& dropped) {
        std::vector<BodyLiteral> result;
        for (std::size_t i = 0; i < dropped.size(); ++i) {
            if (!dropped[i]) continue;
            for (const Atom& atom : *dropped[i])
                result.push_back({BodyLiteral::Kind::positive,
                                  replaced(atom, the_argument, use.atom.arguments[i]), use.line, use.column});
        }
        return result;
    }

    // False where the rule must go on reading the larger relation.
    static bool rewrite_uses(Rule& rule, const Name& name, Symbol smaller,
                             const std::vector<std::optional<Property>>& dropped) {
        bool all = true;
        const auto stated = [&](const BodyLiteral& literal) {
            return std::ranges::any_of(rule.body, [&](const BodyLiteral& other) {
                return other.kind == literal.kind && other.atom == literal.atom;
            });
        };
        for (std::size_t l = 0; l < rule.body.size(); ++l) {
            if (rule.body[l].kind == BodyLiteral::Kind::distinct || name_of(rule.body[l].atom) != name)
                continue;
            const auto needed = conditions(rule.body[l], dropped);
            if (rule.body[l].kind == BodyLiteral::Kind::negative && !std::ranges::all_of(needed, stated)) {
                all = false;
                continue;
            }
            rule.body[l].atom = without(rule.body[l].atom, smaller, dropped);
            for (const BodyLiteral& literal : needed) {
                if (!stated(literal)) rule.body.push_back(literal);
            }
        }
        for (std::size_t l = rule.body.size(); l-- > 0;) {  // each literal once
            const auto equal = [&](const BodyLiteral& other) {
                return other.kind == rule.body[l].kind && other.atom == rule.body[l].atom;
            };
            const auto end = rule.body.begin() + static_cast<std::ptrdiff_t>(l);
            if (std::find_if(rule.body.begin(), end, equal) != end) rule.body.erase(end);
        }
        return all;
    }

    Rule bridge(const Name& name, Symbol smaller, const std::vector<std::optional<Property>>& dropped) const {
        Rule rule;
        rule.head.relation = name.first;
        for (std::uint32_t i = 0; i < name.second; ++i) {
            rule.head.arguments.push_back({Term::Kind::variable, i});
            rule.variables.push_back("?" + std::to_string(i));
        }
        const BodyLiteral whole{BodyLiteral::Kind::positive, rule.head};
        rule.body = conditions(whole, dropped);
        rule.body.push_back({BodyLiteral::Kind::positive, without(rule.head, smaller, dropped)});
        return rule;
    }

    std::vector<Rule> rules_;
    Symbols& symbols_;
    std::set<Name> dynamic_;
    std::set<Name> done_;
    std::size_t fresh_ = 0;
};

}  // namespace

std::vector<Rule> project_rules(std::vector<Rule> rules, Symbols& symbols) {
    return Projection(std::move(rules), symbols).run();
}

}  // namespace zermelo::gdl
