#include "gdl/analysis/forced_moves.hpp"

#include <algorithm>

namespace zermelo::gdl {

namespace {

// Does a rule ask for moves with this name and so many arguments?
bool is_asked_for(const Description& game, Symbol name, std::size_t arity) {
    return std::ranges::any_of(game.rules, [&](const Rule& rule) {
        return std::ranges::any_of(rule.body, [&](const BodyLiteral& literal) {
            if (literal.kind == BodyLiteral::Kind::distinct || literal.atom.relation != kw_does) return false;
            const Term& move = literal.atom.arguments.back();
            return move.kind == Term::Kind::variable || (move.id == name && move.arguments.size() == arity);
        });
    });
}

}  // namespace

std::optional<Deed> forced_deed(const Game& game, const State& state) { return ForcedMoves(game).at(state); }

std::optional<Deed> ForcedMoves::at(const State& state) {
    runner_.load(state);
    if (runner_.terminal()) return std::nullopt;
    const Network& network = game_.machine().network();
    std::optional<Deed> first;
    std::optional<Deed> counting;
    for (std::size_t role = 0; role < network.roles.size(); ++role) {
        runner_.legal(role, legal_);
        if (legal_.size() != 1) return std::nullopt;
        const TermId move = network.moves[role][legal_.front()].term;
        const Deed deed{game_.text(network.roles[role]), game_.text(move)};
        if (!first) first = deed;
        const bool counts = is_asked_for(game_.description(), network.terms.symbol(move),
                                         network.terms.arguments(move).size());
        if (counts && !counting) counting = deed;
    }
    return counting ? counting : first;
}

}  // namespace zermelo::gdl
