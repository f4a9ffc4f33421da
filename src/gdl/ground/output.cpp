// The grounding that the network is built from: dynamic atoms renumbered, with their keyword's meaning.

#include <algorithm>

#include "gdl/ground/grounder.hpp"

namespace zermelo::gdl {

Grounder::Meaning Grounder::meaning(AtomId a, std::span<const TermId> roles) const {
    const auto of_role = [&](AtomKind kind) -> Meaning {
        const auto at = std::find(roles.begin(), roles.end(), arguments(a)[0]);
        if (at == roles.end()) return {};
        return {kind, arguments(a)[1], static_cast<std::uint16_t>(at - roles.begin())};
    };
    switch (relations_[atom_relation_[a]].symbol) {
        case kw_true:
            return {AtomKind::fluent, arguments(a)[0]};
        case kw_next:
            return {AtomKind::next, arguments(a)[0]};
        case kw_does:
            return of_role(AtomKind::move);
        case kw_legal:
            return of_role(AtomKind::legal);
        case kw_goal:
            return of_role(AtomKind::goal);
        case kw_sees:
            return of_role(AtomKind::sees);
        case kw_terminal:
            return {AtomKind::terminal};
        default:
            return {};
    }
}

// The new number of each dynamic atom. Atoms that were only mentioned, never derived, are numbered too: they
// are always false.
std::vector<AtomId> Grounder::number_atoms(Grounding& result) const {
    std::vector<AtomId> number(atom_relation_.size(), Grounding::none);
    for (AtomId a = 0; a < atom_relation_.size(); ++a) {
        if (!relations_[atom_relation_[a]].dynamic) continue;
        const Meaning found = meaning(a, result.roles);
        number[a] = static_cast<AtomId>(result.kind.size());
        result.kind.push_back(found.kind);
        result.term.push_back(found.term);
        result.role.push_back(found.role);
    }
    return number;
}

void Grounder::pair_atoms(Grounding& result, const std::vector<AtomId>& number, Symbol from, Symbol to) {
    const std::size_t arity = from == kw_next ? 1 : 2;
    for (const AtomId a : relations_[relation(from, arity)].atoms) {
        const std::vector<TermId> terms(arguments(a).begin(), arguments(a).end());
        const AtomId other = atom(relation(to, arity), terms);
        result.partner[number[a]] = number[other];
        result.partner[number[other]] = number[a];
    }
}

// Instances without a body are facts.
void Grounder::copy_instances(Grounding& result, const std::vector<AtomId>& number) const {
    for (std::size_t at = 0; at < instances_.size();) {
        const std::size_t length = 3 + instances_[at + 1] + instances_[at + 2];
        ask_to_grow(result.rules, "while grounding the rules", length);
        if (length == 3) {
            result.facts.push_back(number[instances_[at]]);
        } else {
            result.rules.push_back(number[instances_[at]]);
            result.rules.push_back(instances_[at + 1]);
            result.rules.push_back(instances_[at + 2]);
            for (std::size_t i = at + 3; i < at + length; ++i) result.rules.push_back(number[instances_[i]]);
            ++result.rule_count;
        }
        at += length;
    }
}

Grounding Grounder::finish() {
    Grounding result;
    for (const AtomId a : relations_[relation(kw_role, 1)].atoms) result.roles.push_back(arguments(a)[0]);
    if (result.roles.empty()) throw Error({game_.file}, "there are no roles", "state them with (role name)");
    const std::vector<AtomId> number = number_atoms(result);
    result.partner.assign(result.kind.size(), Grounding::none);
    pair_atoms(result, number, kw_next, kw_true);
    pair_atoms(result, number, kw_legal, kw_does);
    for (const AtomId a : relations_[relation(kw_init, 1)].atoms) {
        const TermId fluent = arguments(a)[0];
        result.initial.push_back(number[atom(relation(kw_true, 1), std::span(&fluent, 1))]);
    }
    copy_instances(result, number);
    result.terms = std::move(terms_);
    return result;
}

}  // namespace zermelo::gdl
