#include "gdl/analysis/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "core/format/nearest.hpp"

namespace zermelo::gdl {

namespace {

using Severity = Finding::Severity;

// The symbol on top of a fluent or move with its number of arguments; nothing for variables.
using Functor = std::pair<Symbol, std::size_t>;

std::optional<Functor> functor(const Term& term) {
    if (term.kind == Term::Kind::variable) return std::nullopt;
    return Functor{term.id, term.arguments.size()};
}

// What is said about one kind of term: where each functor occurs first, and whether a variable stands for any of them.
struct Mentions {
    std::map<Functor, Place> first;
    bool any = false;

    void add(const Term& term, const Place& where) {
        if (const auto top = functor(term)) {
            first.try_emplace(*top, where);
        } else {
            any = true;
        }
    }
    [[nodiscard]] bool contains(const Functor& wanted) const { return any || first.contains(wanted); }
};

class Linter {
public:
    explicit Linter(const Description& game) : game_(game), hidden_(game.hidden.begin(), game.hidden.end()) {
        collect();
    }

    std::vector<Finding> run() {
        unknown(asked_fluents_, given_fluents_, "no `init` and no `next` gives `{}`, so it never holds");
        unknown(asked_moves_, given_moves_, "no `legal` offers the move `{}`, so it is never made");
        unread_fluents();
        unused_relations();
        roles_without(kw_legal, legal_roles_, "has no legal move",
                      "every player needs a move in every turn; give it one");
        roles_without(kw_goal, goal_roles_, "has no goal", "say what it gets with (goal role value)");
        misspelt();
        std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
            return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
        });
        return std::move(findings_);
    }

private:
    [[nodiscard]] const std::string& name(Symbol symbol) const { return game_.symbols.name(symbol); }
    void add(Severity severity, const Place& where, std::string message, std::string remedy) {
        findings_.push_back({severity, where, std::move(message), std::move(remedy)});
    }

    void collect() {
        for (const Rule& rule : game_.rules) {
            head(rule.head, game_.place(rule));
            for (const BodyLiteral& literal : rule.body)
                body(literal, {game_.file, literal.line, literal.column});
        }
    }
    void head(const Atom& atom, const Place& where) {
        if (atom.relation == kw_init || atom.relation == kw_next)
            given_fluents_.add(atom.arguments.front(), where);
        if (atom.relation == kw_legal) given_moves_.add(atom.arguments.back(), where);
        if (atom.relation == kw_legal) speaks_of(atom.arguments.front(), legal_roles_);
        if (atom.relation == kw_goal) speaks_of(atom.arguments.front(), goal_roles_);
        if (atom.relation == kw_role && atom.arguments.front().kind == Term::Kind::constant)
            roles_.try_emplace(atom.arguments.front().id, where);
        if (atom.relation >= first_free_symbol && !hidden_.contains(atom.relation))
            defined_.try_emplace(atom.relation, where);
        count(atom, where);
    }
    void body(const BodyLiteral& literal, const Place& where) {
        const Atom& atom = literal.atom;
        if (literal.kind != BodyLiteral::Kind::distinct) {
            if (atom.relation == kw_true) asked_fluents_.add(atom.arguments.front(), where);
            if (atom.relation == kw_does) asked_moves_.add(atom.arguments.back(), where);
            used_.insert(atom.relation);
        }
        count(atom, where);
    }
    void count(const Atom& atom, const Place& where) {
        for (const Term& argument : atom.arguments) count(argument, where);
    }
    void count(const Term& term, const Place& where) {
        if (term.kind == Term::Kind::constant) {
            auto& [times, first] = occurrences_.try_emplace(term.id, 0, where).first->second;
            ++times;
        }
        for (const Term& argument : term.arguments) count(argument, where);
    }

    struct RolesSpokenOf {
        std::set<Symbol> named;
        bool any = false;
    };
    static void speaks_of(const Term& role, RolesSpokenOf& roles) {
        if (role.kind == Term::Kind::variable) {
            roles.any = true;
        } else {
            roles.named.insert(role.id);
        }
    }

    // What is asked for, but given nowhere.
    void unknown(const Mentions& asked, const Mentions& given, fmt::string_view message) {
        if (given.first.empty()) return;  // check() tells
        std::vector<std::string> names;
        for (const auto& [top, where] : given.first) names.push_back(name(top.first));
        for (const auto& [top, where] : asked.first) {
            if (given.contains(top)) continue;
            const auto same_name = std::ranges::find(given.first, top.first,
                                                     [](const auto& entry) { return entry.first.first; });
            std::string remedy = did_you_mean(name(top.first), names) + "correct its name, or give it";
            if (same_name != given.first.end())
                remedy =
                    fmt::format("with {} arguments it is given; write as many here", same_name->first.second);
            add(Severity::warning, where, fmt::format(fmt::runtime(message), name(top.first)), remedy);
        }
    }

    void unread_fluents() {
        for (const auto& [top, where] : given_fluents_.first) {
            if (asked_fluents_.contains(top)) continue;
            add(Severity::note, where, fmt::format("no rule asks for `{}` with `true`", name(top.first)),
                "leave it out, unless it is for people to look at");
        }
    }

    void unused_relations() {
        for (const auto& [relation, where] : defined_) {
            if (used_.contains(relation)) continue;
            add(Severity::note, where, fmt::format("no rule uses `{}`", name(relation)),
                "leave it out, or use it");
        }
    }

    void roles_without(Symbol relation, const RolesSpokenOf& spoken_of, const std::string& lack,
                       const std::string& remedy) {
        if (spoken_of.any || (spoken_of.named.empty() && !used_.contains(relation))) return;
        for (const auto& [role, where] : roles_) {
            const bool needs_no_goal = relation == kw_goal && role == kw_random;
            if (spoken_of.named.contains(role) || needs_no_goal) continue;
            add(Severity::warning, where, fmt::format("the role {} {}", name(role), lack), remedy);
        }
    }

    // A word that occurs once and differs by one letter from one that occurs more often. Short names differ by a letter
    // on purpose, and so do those with a digit.
    void misspelt() {
        constexpr std::size_t shortest = 4;
        const auto is_word = [&](const std::string& text) {
            return text.size() >= shortest &&
                   std::ranges::all_of(text, [](unsigned char c) { return std::isalpha(c) != 0; });
        };
        for (const auto& [rare, seen] : occurrences_) {
            const auto& [times, where] = seen;
            if (times != 1 || rare < first_free_symbol || !is_word(name(rare))) continue;
            for (const auto& [common, other] : occurrences_) {
                if (other.first < 2 || !is_word(name(common)) || edit_distance(name(rare), name(common)) != 1)
                    continue;
                add(Severity::warning, where,
                    fmt::format("{} occurs only here, and {} is nearly the same", name(rare), name(common)),
                    fmt::format("did you mean {}?", name(common)));
                break;
            }
        }
    }

    const Description& game_;
    const std::set<Symbol> hidden_;
    std::vector<Finding> findings_;
    Mentions given_fluents_, asked_fluents_;
    Mentions given_moves_, asked_moves_;
    std::map<Symbol, Place> roles_;
    RolesSpokenOf legal_roles_, goal_roles_;
    std::map<Symbol, Place> defined_;
    std::set<Symbol> used_;
    std::map<Symbol, std::pair<int, Place>> occurrences_;  // constants: how often, and where first
};

}  // namespace

std::vector<Finding> lint(const Description& game) { return Linter(game).run(); }

}  // namespace zermelo::gdl
