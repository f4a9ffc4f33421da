#include "gdl/analysis/unreachable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "gdl/game.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::gdl {

namespace {

// Is the ground term an instance of the pattern? Equal variables stand for equal terms.
class Matcher {
public:
    explicit Matcher(const Terms& terms) : terms_(terms) {}

    [[nodiscard]] bool matches(const Term& pattern, TermId term) {
        if (pattern.kind == Term::Kind::variable)
            return values_.try_emplace(pattern.id, term).first->second == term;
        const auto arguments = terms_.arguments(term);
        if (terms_.symbol(term) != pattern.id || arguments.size() != pattern.arguments.size()) return false;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (!matches(pattern.arguments[i], arguments[i])) return false;
        }
        return true;
    }

private:
    const Terms& terms_;
    std::map<std::uint32_t, TermId> values_;
};

class Search {
public:
    Search(const Description& game, const Network& network) : game_(game), network_(network) {}

    std::vector<Finding> run() {
        for (const Rule& rule : game_.rules) {
            if (rule.head.relation == kw_legal && !is_legal(rule.head)) {
                add(rule,
                    fmt::format("the move {} can never be legal", written(rule, rule.head.arguments[1])));
            }
            if (rule.head.relation == kw_goal && !holds(rule.head)) {
                add(rule,
                    fmt::format("the goal {} of {} can never hold", written(rule, rule.head.arguments[1]),
                                written(rule, rule.head.arguments[0])));
            }
        }
        return std::move(findings_);
    }

private:
    [[nodiscard]] std::string written(const Rule& rule, const Term& term) const {
        return text(game_.symbols, term, &rule.variables);
    }

    [[nodiscard]] bool is_legal(const Atom& head) const {
        for (std::size_t role = 0; role < network_.roles.size(); ++role) {
            for (const Network::Move& move : network_.moves[role]) {
                if (move.legal == Network::never) continue;
                Matcher matcher(network_.terms);
                if (matcher.matches(head.arguments[0], network_.roles[role]) &&
                    matcher.matches(head.arguments[1], move.term))
                    return true;
            }
        }
        return false;
    }

    // Values that are variables are left alone: their instances are not in the network.
    [[nodiscard]] bool holds(const Atom& head) const {
        if (head.arguments[1].kind != Term::Kind::constant) return true;
        const std::string value = game_.symbols.name(head.arguments[1].id);
        for (std::size_t role = 0; role < network_.roles.size(); ++role) {
            Matcher matcher(network_.terms);
            if (!matcher.matches(head.arguments[0], network_.roles[role])) continue;
            for (const Network::Goal& goal : network_.goals[role]) {
                if (goal.holds != Network::never && std::to_string(goal.value) == value) return true;
            }
        }
        return false;
    }

    // A condition that no fluent can meet, if there is one.
    [[nodiscard]] const BodyLiteral* impossible_condition(const Rule& rule) const {
        for (const BodyLiteral& literal : rule.body) {
            if (literal.kind != BodyLiteral::Kind::positive || literal.atom.relation != kw_true) continue;
            const bool possible = std::ranges::any_of(network_.fluents, [&](TermId fluent) {
                return Matcher(network_.terms).matches(literal.atom.arguments.front(), fluent);
            });
            if (!possible) return &literal;
        }
        return nullptr;
    }

    void add(const Rule& rule, const std::string& message) {
        const Place where = game_.place(rule);
        const bool told = std::ranges::any_of(findings_, [&](const Finding& finding) {
            return finding.place.line == where.line && finding.place.column == where.column;
        });
        if (told) return;  // an alternative of the same rule
        const BodyLiteral* condition = impossible_condition(rule);
        const std::string remedy =
            condition != nullptr
                ? fmt::format("{} never becomes true; correct it, or leave the rule out",
                              text(game_.symbols, condition->atom, &rule.variables))
                : "its conditions are never met together; correct them, or leave the rule out";
        findings_.push_back({Finding::Severity::warning, where, message, remedy});
    }

    const Description& game_;
    const Network& network_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> unreachable(const Description& game, const Network& network) {
    return Search(game, network).run();
}

std::vector<Finding> unreachable(const Description& game, const Limits& limits) {
    GroundOptions how;
    how.limits = limits;
    try {
        return unreachable(game, Game(game, how).machine().network());
    } catch (const LimitReached&) {
        return {{Finding::Severity::note,
                 {game.file},
                 "the limit was reached before moves and goals that never happen were looked for",
                 ""}};
    } catch (const Error&) {
        return {};
    }
}

}  // namespace zermelo::gdl
