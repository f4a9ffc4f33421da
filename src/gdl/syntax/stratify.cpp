#include "gdl/syntax/stratify.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "gdl/syntax/components.hpp"

namespace zermelo::gdl {

namespace {

using Signature = std::pair<Symbol, std::size_t>;  // a relation and its number of arguments

Signature signature(const Atom& atom) { return {atom.relation, atom.arguments.size()}; }

// Where every rule for the relation has a constant; nothing if there is no such place.
std::optional<std::size_t> constant_place(const Description& game, const Signature& relation) {
    for (std::size_t place = 0; place < relation.second; ++place) {
        const bool everywhere = std::all_of(game.rules.begin(), game.rules.end(), [&](const Rule& rule) {
            return signature(rule.head) != relation ||
                   rule.head.arguments[place].kind == Term::Kind::constant;
        });
        if (everywhere) return place;
    }
    return std::nullopt;
}

class Splitter {
public:
    Splitter(Description& game, Signature relation, std::size_t place)
        : game_(game), relation_(relation), place_(place) {}

    void run() {
        const std::size_t size = game_.rules.size();
        for (std::size_t i = 0; i < size; ++i) {
            Rule& rule = game_.rules[i];
            if (signature(rule.head) == relation_) specialise(rule.head);
            for (BodyLiteral& literal : rule.body) {
                const bool here =
                    literal.kind != BodyLiteral::Kind::distinct && signature(literal.atom) == relation_;
                if (here && literal.atom.arguments[place_].kind == Term::Kind::constant)
                    specialise(literal.atom);
            }
        }
        for (const auto& [constant, part] : parts_) game_.rules.push_back(bridge(constant, part));
    }

private:
    void specialise(Atom& atom) {
        const Symbol constant = atom.arguments[place_].id;
        auto place = parts_.find(constant);
        if (place == parts_.end()) place = parts_.emplace(constant, fresh(constant)).first;
        atom.relation = place->second;
        atom.arguments.erase(atom.arguments.begin() + static_cast<std::ptrdiff_t>(place_));
    }

    Symbol fresh(Symbol constant) {
        std::string name = game_.symbols.name(relation_.first) + "#" + game_.symbols.name(constant);
        std::size_t before = game_.symbols.size();
        Symbol symbol = game_.symbols.intern(name);
        while (symbol != before) {
            name += '#';
            before = game_.symbols.size();
            symbol = game_.symbols.intern(name);
        }
        game_.hidden.push_back(symbol);
        return symbol;
    }

    // The relation as it was, put together from its parts.
    [[nodiscard]] Rule bridge(Symbol constant, Symbol part) const {
        Rule rule;
        rule.head.relation = relation_.first;
        BodyLiteral literal{BodyLiteral::Kind::positive, {part}};
        for (std::size_t i = 0; i < relation_.second; ++i) {
            if (i == place_) {
                rule.head.arguments.push_back({Term::Kind::constant, constant});
                continue;
            }
            const Term variable{Term::Kind::variable, static_cast<std::uint32_t>(rule.variables.size())};
            rule.variables.push_back("?x" + std::to_string(i));
            rule.head.arguments.push_back(variable);
            literal.atom.arguments.push_back(variable);
        }
        rule.body.push_back(std::move(literal));
        return rule;
    }

    Description& game_;
    Signature relation_;
    std::size_t place_;
    std::map<Symbol, Symbol> parts_;  // by constant
};

}  // namespace

std::vector<NegativeCycle> negative_cycles(const Description& game) {
    std::map<Signature, std::uint32_t> numbers;
    std::vector<std::vector<std::uint32_t>> needs;
    const auto number = [&](const Atom& atom) {
        const auto [place, is_new] =
            numbers.try_emplace(signature(atom), static_cast<std::uint32_t>(needs.size()));
        if (is_new) needs.emplace_back();
        return place->second;
    };
    for (const Rule& rule : game.rules) {
        const std::uint32_t head = number(rule.head);
        for (const BodyLiteral& literal : rule.body) {
            if (literal.kind == BodyLiteral::Kind::distinct) continue;
            const std::uint32_t other = number(literal.atom);
            needs[head].push_back(other);
        }
    }
    const Components groups = components(needs);
    std::vector<NegativeCycle> result;
    for (std::uint32_t i = 0; i < game.rules.size(); ++i) {
        const Rule& rule = game.rules[i];
        for (std::uint32_t k = 0; k < rule.body.size(); ++k) {
            if (rule.body[k].kind != BodyLiteral::Kind::negative) continue;
            if (groups.of[number(rule.head)] == groups.of[number(rule.body[k].atom)])
                result.push_back({i, k});
        }
    }
    return result;
}

std::optional<Description> stratified(const Description& game) {
    Description result = game;
    constexpr int most_rounds = 16;
    for (int round = 0; round < most_rounds; ++round) {
        const auto cycles = negative_cycles(result);
        if (cycles.empty()) return result;
        std::set<Signature> candidates;
        for (const auto& [rule, literal] : cycles) {
            candidates.insert(signature(result.rules[rule].head));
            candidates.insert(signature(result.rules[rule].body[literal].atom));
        }
        bool changed = false;
        for (const Signature& relation : candidates) {
            const auto place = constant_place(result, relation);
            if (!place) continue;
            Splitter(result, relation, *place).run();
            changed = true;
        }
        if (!changed) return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace zermelo::gdl
