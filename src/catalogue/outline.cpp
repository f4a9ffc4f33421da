// Static outline of a GDL game: its seats, and tags for chance, hidden moves and turns, without grounding.

#include <algorithm>
#include <set>

#include "catalogue/library.hpp"
#include "core/random.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/syntax/check.hpp"

namespace zermelo::catalogue {

namespace {

using gdl::BodyLiteral;
using gdl::Rule;
using gdl::Term;

constexpr int most_steps = 12;  // to see who moves

std::vector<gdl::Symbol> roles_of(const gdl::Description& game) {
    std::vector<gdl::Symbol> roles;
    for (const Rule& rule : game.rules) {
        if (rule.head.relation != gdl::kw_role || rule.head.arguments.size() != 1) continue;
        const Term& role = rule.head.arguments.front();
        if (role.kind == Term::Kind::constant) roles.push_back(role.id);
    }
    return roles;
}

// A set of moves: those of a role or of all, written by a function with any arguments or all.
struct Moves {
    std::optional<gdl::Symbol> role;
    std::optional<gdl::Symbol> function;

    Moves(const Term& who, const Term& move) {
        if (who.kind != Term::Kind::variable) role = who.id;
        if (move.kind != Term::Kind::variable) function = move.id;
    }
    [[nodiscard]] bool belong_to(gdl::Symbol other) const { return !role || *role == other; }
    [[nodiscard]] bool contain(const Moves& other) const { return !function || function == other.function; }
};

// A rule by which its observer sees all moves of a kind: nothing but the move is asked for.
bool shows_moves(const Rule& rule, const Term*& who, const Term*& move) {
    who = move = nullptr;
    for (const BodyLiteral& literal : rule.body) {
        if (literal.kind != BodyLiteral::Kind::positive) return false;
        if (literal.atom.relation == gdl::kw_role) continue;
        if (literal.atom.relation != gdl::kw_does || literal.atom.arguments.size() != 2 || who != nullptr)
            return false;
        who = &literal.atom.arguments[0];
        move = &literal.atom.arguments[1];
    }
    return move != nullptr && std::all_of(move->arguments.begin(), move->arguments.end(),
                                          [](const Term& t) { return t.kind == Term::Kind::variable; });
}

// Whether somebody may not learn of a move of another. By the form of the rules: a game that shows all moves
// in a roundabout way is taken for one that hides some.
bool hides_moves(const gdl::Description& game, const std::vector<gdl::Symbol>& roles) {
    std::vector<Moves> made;
    std::vector<std::pair<std::optional<gdl::Symbol>, Moves>> shown;  // to whom
    bool percepts = false;
    for (const Rule& rule : game.rules) {
        const auto& head = rule.head.arguments;
        if (rule.head.relation == gdl::kw_legal && head.size() == 2) made.emplace_back(head[0], head[1]);
        if (rule.head.relation != gdl::kw_sees || head.size() != 2) continue;
        percepts = true;
        const Term* who = nullptr;
        const Term* move = nullptr;
        if (!shows_moves(rule, who, move)) continue;
        const bool everybody = head[0].kind == Term::Kind::variable;
        shown.emplace_back(everybody ? std::nullopt : std::optional(head[0].id), Moves(*who, *move));
    }
    const auto learns = [&](gdl::Symbol seat, gdl::Symbol other, const Moves& moves) {
        return std::any_of(shown.begin(), shown.end(), [&](const auto& sight) {
            return sight.first.value_or(seat) == seat && sight.second.belong_to(other) &&
                   sight.second.contain(moves);
        });
    };
    for (const gdl::Symbol seat : roles) {
        for (const gdl::Symbol other : roles) {
            if (!percepts || seat == gdl::kw_random || seat == other) continue;
            for (const Moves& moves : made) {
                if (moves.belong_to(other) && !learns(seat, other, moves)) return true;
            }
        }
    }
    return false;
}

// Whether two seats have a choice at the same time, as far as the beginning of a random play shows.
bool move_together(const gdl::Description& game, const Limits& limits) {
    gdl::Reasoner reasoner(game, {.limits = limits});
    Random random(1);
    auto state = reasoner.initial();
    for (int step = 0; step < most_steps && !reasoner.terminal(state); ++step) {
        int choosing = 0;
        gdl::Reasoner::Joint joint;
        for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
            const auto moves = reasoner.legal(state, role);
            if (moves.empty()) return false;
            const bool chance = reasoner.text(reasoner.roles()[role]) == game.symbols.name(gdl::kw_random);
            choosing += moves.size() > 1 && !chance ? 1 : 0;
            joint.push_back(moves[random.below(moves.size())]);
        }
        if (choosing > 1) return true;
        state = reasoner.next(state, joint);
    }
    return false;
}

}  // namespace

Outline outline(const gdl::Description& game, const Limits& limits) {
    const auto roles = roles_of(game);
    Outline about;
    for (const gdl::Symbol role : roles) {
        if (role != gdl::kw_random) about.seats.push_back(game.symbols.name(role));
    }
    if (about.seats.size() < roles.size()) about.tags.emplace_back("dice");
    if (hides_moves(game, roles)) about.tags.emplace_back("hidden");
    if (about.seats.size() == 1) about.tags.emplace_back("puzzle");
    if (about.seats.size() < 2) return about;
    try {
        about.tags.emplace_back(move_together(game, limits) ? "simultaneous" : "turns");
    } catch (const Error&) {  // it cannot be played, or not so fast
    }
    return about;
}

}  // namespace zermelo::catalogue
