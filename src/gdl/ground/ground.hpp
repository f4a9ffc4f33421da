// Grounding by semi-naive evaluation (Bancilhon and Ramakrishnan 1986): all instances of rules that can ever
// matter.
//
// Relations that depend neither on the state nor on moves are *static*: they are computed once and
// disappear. For the rest, everything that could ever be true is collected: a fluent that some `next` may
// make true, a move that some `legal` may allow, whatever negative literals say. Each instance of a rule is
// found exactly once, when the last of its atoms is derived; static literals have been checked and are left
// out of it.
//
// Arguments of which the rules say nothing but a static property are dropped first (Ramakrishnan, Beeri and
// Krishnamurthy 1988). Then rules with many variables are split: a variable that only some literals share is projected out
// through an auxiliary relation, so that joins stay narrow (Bichler, Morak and Woltran 2016).

#pragma once

#include <optional>
#include <span>

#include "core/limits.hpp"
#include "gdl/syntax/description.hpp"

namespace zermelo::gdl {

using TermId = std::uint32_t;
using AtomId = std::uint32_t;

// Ground terms, hash-consed.
class Terms {
public:
    TermId make(Symbol symbol, std::span<const TermId> arguments);
    [[nodiscard]] Symbol symbol(TermId t) const { return nodes_[t].symbol; }
    [[nodiscard]] std::span<const TermId> arguments(TermId t) const {
        return {arguments_.data() + nodes_[t].first, nodes_[t].count};
    }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::size_t depth(TermId t) const { return nodes_[t].depth; }
    [[nodiscard]] std::string text(const Symbols& symbols, TermId t) const;  // (cell 1 1 b)

private:
    struct Node {
        Symbol symbol;
        std::uint32_t first;
        std::uint16_t count;
        std::uint16_t depth;
    };
    void grow();

    std::vector<Node> nodes_;
    std::vector<TermId> arguments_;
    std::vector<std::uint32_t> table_;  // open addressing; 0 is empty, otherwise id + 1
};

// The role of an atom in the game.
enum class AtomKind : std::uint8_t { derived, fluent, move, legal, next, terminal, goal, sees };

struct Grounding {
    Terms terms;
    std::vector<TermId> roles;

    // Atoms whose truth depends on the state or the moves.
    std::vector<AtomKind> kind;  // by atom
    std::vector<TermId>
        term;  // fluent, next: the fluent; move, legal: the move; goal: the value; sees: the percept
    std::vector<std::uint16_t> role;  // move, legal, goal, sees: the role's index
    // fluent ↔ next and move ↔ legal, by atom; none where the other does not exist.
    static constexpr AtomId none = ~AtomId{0};
    std::vector<AtomId> partner;

    std::vector<AtomId> initial;  // fluents that hold at the start
    std::vector<AtomId> facts;    // atoms that always hold

    // Rules one after the other: head, how many positive and negative atoms, then these.
    struct Rule {
        AtomId head;
        std::span<const AtomId> positive;
        std::span<const AtomId> negative;
    };
    std::vector<AtomId> rules;
    std::size_t rule_count = 0;

    template <class Visit>
    void each_rule(Visit visit) const {
        for (std::size_t at = 0; at < rules.size();) {
            const std::size_t p = rules[at + 1];
            const std::size_t n = rules[at + 2];
            visit(Rule{rules[at], {rules.data() + at + 3, p}, {rules.data() + at + 3 + p, n}});
            at += 3 + p + n;
        }
    }
    [[nodiscard]] std::size_t atoms() const { return kind.size(); }
};

// The description shows no mistake, but its grounding is beyond the budget; the reasoner can still run it.
class TooLarge : public Error {
    using Error::Error;
};

struct GroundOptions {
    Limits limits = {};
    std::size_t most_rules = 6'000'000;
    bool split = true;             // project variables out of rules with many
    std::size_t most_depth = 200;  // nesting of terms: beyond it a description is taken to be infinite
};

// Throws Error where the description is broken, TooLarge where its grounding is infinite or has too many
// rules, LimitReached where the limits end it.
[[nodiscard]] Grounding ground(const Description& game, const GroundOptions& options = {});

}  // namespace zermelo::gdl
