#include "gdl/syntax/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "core/format/nearest.hpp"
#include "core/format/numbers.hpp"
#include "gdl/syntax/components.hpp"
#include "gdl/syntax/parse.hpp"
#include "gdl/syntax/stratify.hpp"

namespace zermelo::gdl {

namespace {

using Severity = Finding::Severity;

bool contains(const Term& term, const Term& part) {
    return term == part || std::any_of(term.arguments.begin(), term.arguments.end(),
                                       [&](const Term& argument) { return contains(argument, part); });
}
bool contains(const Atom& atom, const Term& part) {
    return std::any_of(atom.arguments.begin(), atom.arguments.end(),
                       [&](const Term& argument) { return contains(argument, part); });
}
bool is_ground(const Term& term) {
    return term.kind != Term::Kind::variable &&
           std::all_of(term.arguments.begin(), term.arguments.end(), is_ground);
}
void collect(const Term& term, std::set<std::uint32_t>& variables) {
    if (term.kind == Term::Kind::variable) variables.insert(term.id);
    for (const Term& argument : term.arguments) collect(argument, variables);
}
std::set<std::uint32_t> variables_of(const Atom& atom) {
    std::set<std::uint32_t> result;
    for (const Term& argument : atom.arguments) collect(argument, result);
    return result;
}

class Checker {
public:
    explicit Checker(const Description& game) : game_(game) {
        for (const Symbol symbol : game.hidden) hidden_.insert(symbol);
        connect();
    }

    std::vector<Finding> run(Strictness strictness) {
        existence();
        for (const Repair& repair : game_.repairs)
            add(strictness == Strictness::strict ? Severity::error : Severity::warning, repair.place,
                repair.message, repair.remedy);
        for (const Rule& rule : game_.rules) {
            keywords(rule);
            roles(rule);
            goal_value(rule);
            safety(rule);
            recursion(rule);
            arities(rule);
        }
        stratification();
        dependencies();
        undefined();
        std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
            return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
        });
        const auto same = [](const Finding& a, const Finding& b) {
            return a.place.line == b.place.line && a.place.column == b.place.column && a.message == b.message;
        };
        findings_.erase(std::unique(findings_.begin(), findings_.end(), same), findings_.end());
        return std::move(findings_);
    }

private:
    [[nodiscard]] const std::string& name(Symbol symbol) const { return game_.symbols.name(symbol); }
    [[nodiscard]] Place place(const BodyLiteral& literal) const {
        return {game_.file, literal.line, literal.column};
    }
    void add(Severity severity, const Place& where, std::string message, std::string remedy) {
        findings_.push_back({severity, where, std::move(message), std::move(remedy)});
    }

    // The graph of relations: which depend on which.
    std::uint32_t node(Symbol relation) {
        const auto [found, is_new] = nodes_.try_emplace(relation, static_cast<std::uint32_t>(needs_.size()));
        if (is_new) {
            needs_.emplace_back();
            relations_.push_back(relation);
        }
        return found->second;
    }
    void connect() {
        for (const Rule& rule : game_.rules) {
            const std::uint32_t head = node(rule.head.relation);
            defined_.insert(rule.head.relation);
            if (rule.head.relation == kw_role && rule.body.empty()) {
                const Term& role = rule.head.arguments.front();
                if (role.kind == Term::Kind::constant) roles_.insert(role.id);
            }
            for (const BodyLiteral& literal : rule.body) {
                if (literal.kind == BodyLiteral::Kind::distinct) continue;
                const std::uint32_t other = node(literal.atom.relation);
                needs_[head].push_back(other);
            }
        }
        groups_ = components(needs_);
    }

    void existence() {
        const std::array<std::pair<Symbol, const char*>, 6> wanted{{
            {kw_role, "name the players with (role …)"},
            {kw_init, "say what holds at the start with (init …)"},
            {kw_legal, "say which moves are possible with (legal role move)"},
            {kw_next, "say what holds after a move with (next …)"},
            {kw_terminal, "say when the game ends with `terminal`"},
            {kw_goal, "say what each player gets with (goal role value)"},
        }};
        for (const auto& [keyword, remedy] : wanted) {
            if (!defined_.contains(keyword)) {
                add(Severity::error, {game_.file}, fmt::format("no rule for `{}`", name(keyword)), remedy);
            }
        }
    }

    void keywords(const Rule& rule) {
        const Place where = game_.place(rule);
        const Symbol head = rule.head.relation;
        if (head == kw_true || head == kw_does) {
            add(Severity::error, where, fmt::format("`{}` in the head of a rule", name(head)),
                head == kw_true ? "use init or next to say what holds"
                                : "moves are chosen by the players; use legal");
        }
        if (head == kw_role && !rule.body.empty()) {
            add(Severity::error, where, "`role` is defined by a rule",
                "list the roles as facts, (role name)");
        }
        if (head == kw_random) {
            add(Severity::warning, where, "`random` is a role, but is used as a relation",
                "choose another name");
        }
        for (const BodyLiteral& literal : rule.body) {
            const Symbol relation = literal.atom.relation;
            const bool head_only = relation == kw_init || relation == kw_next || relation == kw_sees ||
                                   relation == kw_base || relation == kw_input;
            if (literal.kind != BodyLiteral::Kind::distinct && head_only) {
                add(Severity::error, place(literal),
                    fmt::format("`{}` in the body of a rule", name(relation)),
                    "it may only be defined; put what both need into a relation of its own");
            }
            if (literal.kind != BodyLiteral::Kind::distinct && relation >= kw_not && relation <= kw_implied) {
                add(Severity::error, place(literal),
                    fmt::format("`{}` without parentheses is a proposition that never holds", name(relation)),
                    fmt::format("write ({} …)", name(relation)));
            }
        }
    }

    void roles(const Rule& rule) {
        roles(rule.head, game_.place(rule));
        for (const BodyLiteral& literal : rule.body) roles(literal.atom, place(literal));
    }
    void roles(const Atom& atom, const Place& where) {
        const Symbol relation = atom.relation;
        const bool has_role = relation == kw_legal || relation == kw_does || relation == kw_goal ||
                              relation == kw_sees || relation == kw_input;
        if (!has_role || roles_.empty()) return;
        const Term& role = atom.arguments.front();
        if (role.kind == Term::Kind::variable ||
            (role.kind == Term::Kind::constant && roles_.contains(role.id)))
            return;
        add(Severity::warning, where,
            fmt::format("{} is no role, but `{}` speaks of it as one", text(game_.symbols, role),
                        name(relation)),
            "correct the name, or add it as a role");
    }

    void goal_value(const Rule& rule) {
        if (rule.head.relation != kw_goal) return;
        const Term& value = rule.head.arguments.back();
        if (!is_ground(value)) return;
        const auto points = read_number<int>(text(game_.symbols, value));
        if (points && *points >= 0 && *points <= 100) return;
        add(Severity::error, game_.place(rule),
            fmt::format("goal value {} is not in 0 to 100", text(game_.symbols, value)),
            "goals are whole numbers from 0 to 100");
    }

    void safety(const Rule& rule) {
        std::set<std::uint32_t> bound;
        for (const BodyLiteral& literal : rule.body) {
            if (literal.kind == BodyLiteral::Kind::positive) bound.merge(variables_of(literal.atom));
        }
        const auto demand = [&](const Atom& atom, const Place& where, const std::string& what) {
            for (const std::uint32_t variable : variables_of(atom)) {
                if (bound.contains(variable)) continue;
                add(Severity::error, where,
                    fmt::format("variable {} in {} does not occur in a positive literal of the body",
                                rule.variables[variable], what),
                    fmt::format("add a literal that binds {}", rule.variables[variable]));
            }
        };
        const bool is_hidden = hidden_.contains(rule.head.relation);
        demand(rule.head, game_.place(rule),
               is_hidden ? "this part of a rule" : fmt::format("the head of `{}`", name(rule.head.relation)));
        for (const BodyLiteral& literal : rule.body) {
            if (literal.kind == BodyLiteral::Kind::negative)
                demand(literal.atom, place(literal), "a negation");
            if (literal.kind == BodyLiteral::Kind::distinct)
                demand(literal.atom, place(literal), "`distinct`");
        }
    }

    // Definition 15 of the specification: what goes round a cycle must be ground, an argument of the head, or
    // bound by a literal outside the cycle. Otherwise terms could grow for ever.
    void recursion(const Rule& rule) {
        const auto group = [&](const Atom& atom) { return groups_.of[node(atom.relation)]; };
        const auto inside = [&](const BodyLiteral& literal) {
            return literal.kind != BodyLiteral::Kind::distinct && group(literal.atom) == group(rule.head);
        };
        const auto bounded = [&](const Term& term) {
            if (is_ground(term)) return true;
            if (std::find(rule.head.arguments.begin(), rule.head.arguments.end(), term) !=
                rule.head.arguments.end()) {
                return true;
            }
            return std::any_of(rule.body.begin(), rule.body.end(), [&](const BodyLiteral& other) {
                return other.kind == BodyLiteral::Kind::positive && !inside(other) &&
                       contains(other.atom, term);
            });
        };
        for (const BodyLiteral& literal : rule.body) {
            if (!inside(literal)) continue;
            for (const Term& term : literal.atom.arguments) {
                if (bounded(term)) continue;
                add(Severity::error, place(literal),
                    fmt::format("recursion restriction: {} in the recursive `{}` is neither an argument of "
                                "the head nor "
                                "bound outside the recursion",
                                text(game_.symbols, term, &rule.variables), name(literal.atom.relation)),
                    "add a literal that bounds it and does not depend on the head");
            }
        }
    }

    void arities(const Rule& rule) {
        arity(rule.head, game_.place(rule));
        for (const BodyLiteral& literal : rule.body) arity(literal.atom, place(literal));
    }
    void arity(const Atom& atom, const Place& where) {
        const std::size_t size = atom.arguments.size();
        const auto [first, is_new] = arities_.try_emplace(atom.relation, size, where);
        if (is_new || first->second.first == size) return;
        add(Severity::error, where,
            fmt::format("`{}` has {} argument{} here, and {} in line {}", name(atom.relation), size,
                        size == 1 ? "" : "s", first->second.first, first->second.second.line),
            "give it the same number of arguments everywhere");
    }

    void stratification() {
        const auto cycles = negative_cycles(game_);
        if (cycles.empty()) return;
        const bool harmless = stratified(game_).has_value();
        for (const auto& [r, l] : cycles) {
            const Rule& rule = game_.rules[r];
            const Symbol relation = rule.body[l].atom.relation;
            add(harmless ? Severity::warning : Severity::error, place(rule.body[l]),
                fmt::format(
                    "`{}` depends on its own negation{}", name(rule.head.relation),
                    relation == rule.head.relation ? "" : fmt::format(" through `{}`", name(relation))),
                harmless ? "the atoms themselves do not, but other programs may refuse it; use a relation of "
                           "its own"
                         : "break the circle: negate only what does not depend on the head");
        }
    }

    void dependencies() {
        for (const Symbol relation : {kw_legal, kw_terminal, kw_goal}) {
            forbid(relation, kw_does, "moves are not known yet when it is asked for; use only the state");
        }
        for (const Symbol relation : {kw_init, kw_role, kw_base, kw_input}) {
            forbid(relation, kw_true, "it holds before any state; use only what never changes");
            forbid(relation, kw_does, "it holds before any move; use only what never changes");
        }
    }

    void forbid(Symbol relation, Symbol other, const std::string& remedy) {
        if (!nodes_.contains(relation) || !nodes_.contains(other)) return;
        std::vector<std::uint32_t> path{nodes_[relation]};
        std::map<std::uint32_t, std::uint32_t> from{{path.front(), path.front()}};
        for (std::size_t i = 0; i < path.size() && !from.contains(nodes_[other]); ++i) {
            for (const std::uint32_t child : needs_[path[i]]) {
                if (from.emplace(child, path[i]).second) path.push_back(child);
            }
        }
        if (!from.contains(nodes_[other])) return;
        std::vector<std::string> way;
        std::uint32_t first = nodes_[other];
        for (std::uint32_t at = first; at != nodes_[relation]; at = from[at]) {
            way.insert(way.begin(), name(relations_[at]));
            first = at;
        }
        add(Severity::error, where_uses(relation, relations_[first]),
            fmt::format("`{}` depends on `{}`{}", name(relation), name(other),
                        way.size() > 1
                            ? fmt::format(" (through {})", fmt::join(way.begin(), way.end() - 1, ", "))
                            : ""),
            remedy);
    }
    Place where_uses(Symbol relation, Symbol other) const {
        for (const Rule& rule : game_.rules) {
            if (rule.head.relation != relation) continue;
            for (const BodyLiteral& literal : rule.body) {
                if (literal.kind != BodyLiteral::Kind::distinct && literal.atom.relation == other)
                    return place(literal);
            }
        }
        return {game_.file};
    }

    void undefined() {
        std::vector<std::string> names;
        for (const Symbol relation : defined_) {
            if (!hidden_.contains(relation)) names.push_back(name(relation));
        }
        std::set<Symbol> told;
        for (const Rule& rule : game_.rules) {
            for (const BodyLiteral& literal : rule.body) {
                const Symbol relation = literal.atom.relation;
                const bool given =
                    literal.kind == BodyLiteral::Kind::distinct || relation < first_free_symbol;
                if (given || defined_.contains(relation) || hidden_.contains(relation)) continue;
                if (!told.insert(relation).second) continue;
                add(Severity::warning, place(literal),
                    fmt::format("no rule for `{}`, so it never holds", name(relation)),
                    did_you_mean(name(relation), names) + "correct its name, or define it");
            }
        }
    }

    const Description& game_;
    std::vector<Finding> findings_;
    std::set<Symbol> hidden_;
    std::set<Symbol> defined_;
    std::set<Symbol> roles_;
    std::map<Symbol, std::uint32_t> nodes_;
    std::vector<Symbol> relations_;  // by node
    std::vector<std::vector<std::uint32_t>> needs_;
    Components groups_;
    std::map<Symbol, std::pair<std::size_t, Place>> arities_;
};

}  // namespace

std::string Finding::text() const {
    const char* kind = severity == Severity::error     ? "error"
                       : severity == Severity::warning ? "warning"
                                                       : "note";
    return fmt::format("{}: {}: {}; {}", place.text(), kind, message, remedy);
}

std::vector<Finding> check(const Description& game, Strictness strictness) {
    return Checker(game).run(strictness);
}

}  // namespace zermelo::gdl
