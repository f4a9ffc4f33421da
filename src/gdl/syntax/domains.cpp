#include "gdl/syntax/domains.hpp"

#include <algorithm>
#include <iterator>

namespace zermelo::gdl {

namespace {

constexpr std::uint32_t no_parent = ~std::uint32_t{0};

std::set<Symbol> intersection(const std::set<Symbol>& a, const std::set<Symbol>& b) {
    std::set<Symbol> both;
    std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
    return both;
}

// Relations that speak of the same things.
Symbol kind_of(Symbol relation) {
    switch (relation) {
        case kw_init:
        case kw_next:
        case kw_base:
            return kw_true;
        case kw_legal:
        case kw_input:
            return kw_does;
        default:
            return relation;
    }
}

bool speaks_of_roles(Symbol relation) {
    return relation == kw_does || relation == kw_legal || relation == kw_input || relation == kw_goal ||
           relation == kw_sees;
}

}  // namespace

Domains::Domains(const Description& game) {
    for (const Rule& rule : game.rules) {
        index_.emplace(&rule, rules_.size());
        rules_.push_back(look(rule));
    }
    join();
    for (bool changed = true; changed;) {
        changed = false;
        for (const Occurrences& rule : rules_) changed = flow(rule) || changed;
    }
}

Domains::PlaceId Domains::place(PlaceId parent, Symbol symbol, std::size_t arity, std::size_t index) {
    const auto next = static_cast<PlaceId>(values_.size());
    const auto [found, is_new] = numbers_.try_emplace({parent, symbol, arity, index}, next);
    if (is_new) values_.push_back({{}, {}, false, next});
    return found->second;
}

Domains::PlaceId Domains::argument(const Atom& atom, std::size_t index) {
    if (index == 0 && speaks_of_roles(atom.relation)) return place(no_parent, kw_role, 1, 0);
    return place(no_parent, kind_of(atom.relation), atom.arguments.size(), index);
}

void Domains::look(const Term& term, PlaceId at, bool gives, std::vector<std::vector<PlaceId>>& occurrences) {
    if (term.kind == Term::Kind::variable) {
        occurrences[term.id].push_back(at);
    } else if (term.kind == Term::Kind::constant) {
        values_[at].mentioned.insert(term.id);
        if (gives) values_[at].given.insert(term.id);
    } else {
        values_[at].compound = true;
        for (std::size_t i = 0; i < term.arguments.size(); ++i)
            look(term.arguments[i], place(at, term.id, term.arguments.size(), i), gives, occurrences);
    }
}

void Domains::look(const Atom& atom, bool gives, std::vector<std::vector<PlaceId>>& occurrences) {
    for (std::size_t i = 0; i < atom.arguments.size(); ++i)
        look(atom.arguments[i], argument(atom, i), gives, occurrences);
}

Domains::Occurrences Domains::look(const Rule& rule) {
    const std::vector<std::vector<PlaceId>> none(rule.variables.size());
    Occurrences result{none, none, none};
    look(rule.head, true, result.head);
    for (const BodyLiteral& literal : rule.body) {
        if (literal.kind == BodyLiteral::Kind::positive) look(literal.atom, false, result.positive);
        if (literal.kind == BodyLiteral::Kind::negative) look(literal.atom, false, result.negative);
    }
    return result;
}

Domains::PlaceId Domains::sort(PlaceId at) {
    while (values_[at].joined != at) at = values_[at].joined = values_[values_[at].joined].joined;
    return at;
}

// Places that a variable joins become one sort, which keeps what is mentioned in any of them.
void Domains::join() {
    for (const Occurrences& rule : rules_) {
        for (std::size_t v = 0; v < rule.head.size(); ++v) {
            std::vector<PlaceId> all = rule.head[v];
            all.insert(all.end(), rule.positive[v].begin(), rule.positive[v].end());
            all.insert(all.end(), rule.negative[v].begin(), rule.negative[v].end());
            for (std::size_t i = 1; i < all.size(); ++i) values_[sort(all[i])].joined = sort(all.front());
        }
    }
    for (PlaceId at = 0; at < values_.size(); ++at) {
        const PlaceId whole = sort(at);
        if (whole == at) continue;
        values_[whole].mentioned.insert(values_[at].mentioned.begin(), values_[at].mentioned.end());
        values_[whole].compound = values_[whole].compound || values_[at].compound;
    }
}

std::set<Symbol> Domains::common(const std::vector<PlaceId>& places) const {
    std::set<Symbol> result = values_[places.front()].given;
    for (const PlaceId at : places) result = intersection(result, values_[at].given);
    return result;
}

// What the body gives to the head; true if there is more than before.
bool Domains::flow(const Occurrences& rule) {
    bool more = false;
    for (std::size_t v = 0; v < rule.head.size(); ++v) {
        if (rule.positive[v].empty() || rule.head[v].empty()) continue;
        const std::set<Symbol> values = common(rule.positive[v]);
        for (const PlaceId at : rule.head[v]) {
            const std::size_t before = values_[at].given.size();
            values_[at].given.insert(values.begin(), values.end());
            more = more || values_[at].given.size() != before;
        }
    }
    return more;
}

std::set<Symbol> Domains::of(const Rule& rule, std::uint32_t variable) {
    const Occurrences& seen = rules_[index_.at(&rule)];
    std::vector<PlaceId> places = seen.negative[variable];
    places.insert(places.end(), seen.head[variable].begin(), seen.head[variable].end());
    if (places.empty() || values_[sort(places.front())].compound) return {};
    std::vector<PlaceId> known;
    std::ranges::copy_if(places, std::back_inserter(known),
                         [&](PlaceId at) { return !values_[at].given.empty(); });
    std::set<Symbol> result;
    if (!known.empty()) result = common(known);
    const bool guessed = result.empty() && !seen.negative[variable].empty();
    return guessed ? values_[sort(places.front())].mentioned : result;
}

std::set<Symbol> Domains::of_relation(Symbol relation, std::size_t arity, std::size_t index) {
    return values_[place(no_parent, kind_of(relation), arity, index)].given;
}

std::set<Symbol> Domains::of_term(Symbol below, Symbol function, std::size_t arity, std::size_t index) {
    const bool move = below == kw_does;
    const PlaceId whole = place(no_parent, below, move ? 2 : 1, move ? 1 : 0);
    return values_[place(whole, function, arity, index)].given;
}

std::set<Symbol> Domains::roles() { return values_[place(no_parent, kw_role, 1, 0)].given; }

}  // namespace zermelo::gdl
