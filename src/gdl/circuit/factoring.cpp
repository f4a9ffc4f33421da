// Algebraic factoring (Brayton and McMullen 1982) of the disjunction that the rules of one atom form.

#include <algorithm>

#include "gdl/circuit/network_builder.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::size_t least_to_factor = 16;

}  // namespace

// The disjunction of conjunctions. Many of them are taken apart by their most frequent input, again and
// again, so that what they share is one gate: lines over all combinations of pieces shrink to a few
// decisions a cell.
Signal NetworkBuilder::any_term(std::vector<std::vector<Signal>> terms) {
    std::vector<Signal> none_of;
    std::unordered_map<std::uint32_t, std::uint32_t> frequency;
    while (terms.size() >= least_to_factor) {
        check_limits(terms.size());
        frequency.clear();
        for (const auto& term : terms) {
            if (term.empty()) return Network::always;
            for (const Signal s : term) ++frequency[s.code()];
        }
        std::pair<std::uint32_t, std::uint32_t> best{};  // how often, and which: the smallest of equals
        for (const auto& [code, count] : frequency) {
            if (count > best.first || (count == best.first && code < best.second)) best = {count, code};
        }
        if (best.first < 2) break;
        const Signal shared(best.second >> 1, (best.second & 1) != 0);
        std::vector<std::vector<Signal>> with;
        std::vector<std::vector<Signal>> without;
        for (auto& term : terms) {
            const auto at = std::find(term.begin(), term.end(), shared);
            if (at == term.end()) {
                without.push_back(std::move(term));
            } else {
                term.erase(at);
                with.push_back(std::move(term));
            }
        }
        none_of.push_back(!conjunction({shared, any_term(std::move(with))}));
        terms = std::move(without);
    }
    for (auto& term : terms) none_of.push_back(!conjunction(std::move(term)));
    return !conjunction(std::move(none_of));
}

// Terms that differ only in the move of one role become one term with the disjunction of these moves. A
// role makes exactly one move, so the disjunction of most of its moves is the negation of the few others:
// a frame rule that lists all moves which leave a fluent alone shrinks to those that do not.
void NetworkBuilder::factor_moves(std::vector<std::vector<Signal>>& terms) {
    for (std::size_t role = g_.roles.size(); role-- > 0;) {
        const auto is_move = [&](Signal s) {
            return !s.negated() && s.node() >= result_.first_move && s.node() < result_.first_gate &&
                   role_of_move_[s.node() - result_.first_move] == role;
        };
        std::unordered_map<Hash128, std::size_t, LowBitsHash> group_of;
        struct Group {
            std::vector<Signal> rest;
            std::vector<Signal> moves;
        };
        std::vector<Group> groups;
        std::vector<std::vector<Signal>> others;
        for (auto& term : terms) {
            const auto move = std::find_if(term.begin(), term.end(), is_move);
            if (move == term.end()) {
                others.push_back(std::move(term));
                continue;
            }
            const Signal chosen = *move;
            term.erase(move);
            Hasher hasher;
            for (const Signal s : term) hasher.add(s.code());
            const auto [found, added] = group_of.try_emplace(hasher.value(), groups.size());
            if (added) groups.push_back({std::move(term), {}});
            groups[found->second].moves.push_back(chosen);
        }
        for (Group& group : groups) {
            group.rest.push_back(any_of(role, std::move(group.moves)));
            others.push_back(std::move(group.rest));
        }
        terms = std::move(others);
    }
}

Signal NetworkBuilder::any_of(std::size_t role, std::vector<Signal> moves) {
    const auto& all = result_.moves[role];
    check_limits(moves.size() * 2 > all.size() ? all.size() : moves.size());
    bool inverted = false;
    if (moves.size() * 2 > all.size()) {
        std::vector<bool> listed(result_.first_gate - result_.first_move, false);
        for (const Signal s : moves) listed[s.node() - result_.first_move] = true;
        moves.clear();
        for (const auto& move : all) {
            if (!listed[move.node - result_.first_move]) moves.emplace_back(move.node, false);
        }
        inverted = true;
    }
    for (Signal& s : moves) s = !s;
    const Signal none = conjunction(std::move(moves));
    return inverted ? none : !none;
}

}  // namespace zermelo::gdl
