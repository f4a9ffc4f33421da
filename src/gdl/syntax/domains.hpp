// Domains of arguments: which constants can stand where, by sort inference (after Schiffel and Thielscher 2007,
// "Fluxplayer").
//
// A place is an argument of a relation, or of a term at such a place; `init`, `next`, `true` and `base` share theirs,
// and so do `legal`, `does` and `input`. Constants get to a place by the heads of rules, directly or through the
// variables of their bodies. Where that gives nothing, all constants count that occur in places joined with it by a
// variable. A fixpoint: linear in the rules for each round, and as many rounds as chains of rules are long.

#pragma once

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "gdl/syntax/description.hpp"

namespace zermelo::gdl {

class Domains {
public:
    explicit Domains(const Description& game);

    // What the variable stands for in the rule, by its occurrences in the head and in negations; empty where that is
    // not known, or includes terms with arguments.
    [[nodiscard]] std::set<Symbol> of(const Rule& rule, std::uint32_t variable);
    // What the heads of rules give to an argument, which is counted from 0: of a relation, or of a fluent (below kw_true)
    // or a move (below kw_does).
    [[nodiscard]] std::set<Symbol> of_relation(Symbol relation, std::size_t arity, std::size_t index);
    [[nodiscard]] std::set<Symbol> of_term(Symbol below, Symbol function, std::size_t arity,
                                           std::size_t index);
    // Whose moves and goals the rules give.
    [[nodiscard]] std::set<Symbol> roles();

private:
    using PlaceId = std::uint32_t;
    struct Values {
        std::set<Symbol> given;      // by heads
        std::set<Symbol> mentioned;  // anywhere
        bool compound = false;       // terms with arguments, too
        PlaceId joined;              // union-find
    };
    // Where the variables of a rule occur.
    struct Occurrences {
        std::vector<std::vector<PlaceId>> head, positive, negative;  // by variable
    };

    PlaceId place(PlaceId parent, Symbol symbol, std::size_t arity, std::size_t index);
    PlaceId argument(const Atom& atom, std::size_t index);
    PlaceId sort(PlaceId place);
    void look(const Term& term, PlaceId place, bool gives, std::vector<std::vector<PlaceId>>& occurrences);
    void look(const Atom& atom, bool gives, std::vector<std::vector<PlaceId>>& occurrences);
    Occurrences look(const Rule& rule);
    void join();
    bool flow(const Occurrences& rule);
    std::set<Symbol> common(const std::vector<PlaceId>& places) const;

    std::map<std::tuple<PlaceId, Symbol, std::size_t, std::size_t>, PlaceId> numbers_;
    std::vector<Values> values_;
    std::vector<Occurrences> rules_;
    std::map<const Rule*, std::size_t> index_;
};

}  // namespace zermelo::gdl
