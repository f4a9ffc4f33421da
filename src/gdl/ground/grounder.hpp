// The join engine behind ground(): relations with their atoms and hash indexes, and a join plan for each
// rule and each literal that may trigger it.

#pragma once

#include <unordered_map>

#include "core/hash.hpp"
#include "gdl/ground/ground.hpp"

namespace zermelo::gdl {

using RelationId = std::uint32_t;

// dependencies.cpp sorts the relations into static strata and dynamic ones, join_order.cpp plans the join of
// each body, join.cpp evaluates, output.cpp numbers the atoms of the result, and ground.cpp says what comes
// after what. project.cpp and split.cpp rewrite the rules beforehand.
class Grounder {
public:
    Grounder(const Description& game, const GroundOptions& options);
    Grounding run();

private:
    static constexpr std::uint32_t never = ~std::uint32_t{0};
    static constexpr TermId unbound = ~TermId{0};

    // Atoms of a relation by the values at some places of their arguments. The shape says which: it is a
    // pattern in which variables are the marks of patterns.hpp.
    struct Index {
        std::vector<Term> shape;
        std::unordered_map<std::uint64_t, std::vector<AtomId>> atoms;
    };
    struct Relation {
        Symbol symbol;
        std::size_t arity;
        bool dynamic = false;
        int stratum = -1;
        std::vector<AtomId> atoms;  // in the order they were derived
        std::vector<Index> indexes;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;  // positive body literals: rule, literal
    };
    struct Step {
        enum class Kind { match, check_positive, check_negative, distinct } kind;
        std::uint32_t literal;
        std::uint32_t index = never;  // into the relation's indexes; never for a scan
    };
    struct Plan {
        std::vector<Step> steps;
        bool made = false;
    };
    struct Compiled {  // a rule ready for joining
        const Rule* rule;
        RelationId head;
        std::vector<RelationId> relations;  // by body literal
        std::vector<Plan> plans;            // by driving literal; the last one has none
        bool may_repeat = false;            // different bindings may give the same instance
    };

    struct Meaning {  // what the keyword says of an atom
        AtomKind kind = AtomKind::derived;
        TermId term = 0;
        std::uint16_t role = 0;
    };

    // ground.cpp
    void evaluate_static();
    void evaluate_dynamic();

    // dependencies.cpp
    RelationId relation(Symbol symbol, std::size_t arity);
    void compile_rules();
    void find_dynamic();
    void find_strata();

    // join_order.cpp
    Plan& plan(Compiled& rule, std::uint32_t driver) {
        Plan& result = rule.plans[driver == never ? rule.relations.size() : driver];
        if (!result.made) make_plan(rule, driver, result);
        return result;
    }
    void make_plan(Compiled& rule, std::uint32_t driver, Plan& result);
    double expected_matches(RelationId relation, const Atom& atom, const std::vector<bool>& bound) const;
    std::uint32_t index_for(RelationId relation, const Atom& atom, const std::vector<bool>& bound);
    void check_bound(const Rule& rule, const std::vector<bool>& bound, const std::vector<bool>& joined) const;

    // join.cpp
    void evaluate(Compiled& rule, std::uint32_t driver, AtomId atom);
    void join(std::size_t step);
    void emit();
    void derive(AtomId atom);
    void drain(std::size_t& done, const std::vector<bool>& rules);
    AtomId atom(RelationId relation, std::span<const TermId> arguments);
    AtomId instantiate(RelationId relation, const Atom& pattern);
    TermId instantiate(const Term& pattern);
    bool match(const Term& pattern, TermId term);
    bool match(const Atom& pattern, AtomId atom);
    bool key(const std::vector<Term>& shape, std::span<const TermId> arguments, std::uint64_t& hash) const;
    void check_limits();
    void check_growth();

    [[nodiscard]] std::span<const TermId> arguments(AtomId a) const {
        return {atom_arguments_.data() + atom_first_[a], relations_[atom_relation_[a]].arity};
    }
    [[nodiscard]] bool derived(AtomId a) const { return order_[a] != never; }

    // output.cpp
    Grounding finish();
    Meaning meaning(AtomId a, std::span<const TermId> roles) const;
    std::vector<AtomId> number_atoms(Grounding& result) const;
    void pair_atoms(Grounding& result, const std::vector<AtomId>& number, Symbol from, Symbol to);
    void copy_instances(Grounding& result, const std::vector<AtomId>& number) const;

    const Description& game_;
    const GroundOptions& options_;
    std::vector<Rule> rules_;  // after splitting
    std::vector<Compiled> compiled_;
    std::vector<Relation> relations_;
    std::unordered_map<std::uint64_t, RelationId> relation_index_;
    std::vector<std::vector<std::uint32_t>> strata_;  // rules of the static strata, in order

    Terms terms_;
    std::vector<RelationId> atom_relation_;
    std::vector<std::uint32_t> atom_first_;
    std::vector<TermId> atom_arguments_;
    std::vector<std::uint32_t> order_;  // by atom: when it was derived
    std::vector<AtomId> derived_;       // in that order
    std::vector<std::uint32_t> table_;  // of atoms, open addressing

    // The join that is going on.
    Compiled* current_ = nullptr;
    Plan* current_plan_ = nullptr;
    std::uint32_t driver_ = never;
    std::uint32_t now_ = never;  // atoms derived later than this are not seen yet
    bool recording_ = false;     // instances are kept: the dynamic phase
    std::vector<TermId> binding_;
    std::vector<std::uint32_t> trail_;
    std::vector<AtomId> matched_;  // by body literal

    std::vector<AtomId> instances_;
    std::size_t instance_count_ = 0;
    std::unordered_map<Hash128, bool, LowBitsHash> seen_;
    std::uint32_t work_ = 0;

    // When the growth was last looked at.
    struct Growth {
        std::size_t instances = 0;
        std::uint32_t joined = 0;  // atoms
        bool hopeless = false;
    };
    Growth growth_;
};

// Drops arguments of which the rules say nothing but a static property; new relations get fresh symbols.
[[nodiscard]] std::vector<Rule> project_rules(std::vector<Rule> rules, Symbols& symbols);

// Splits rules so that each join has fewer variables; new relations get fresh symbols.
[[nodiscard]] std::vector<Rule> split_rules(std::vector<Rule> rules, Symbols& symbols);

}  // namespace zermelo::gdl
