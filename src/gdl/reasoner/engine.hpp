// Stratified Datalog, evaluated bottom-up (Apt, Blair and Walker 1988): the engine inside the reasoner.
//
// program.cpp compiles the rules, groups relations that depend on each other and refuses what cannot be
// evaluated; semi_naive.cpp computes a group's least fixpoint; on_demand.cpp answers queries to relations
// that are too large to be computed as a whole; join.cpp joins the literals of one body, in the order that
// join_order.cpp chose. Each file opens with the technique that it implements.

#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gdl/reasoner/reasoner.hpp"
#include "gdl/reasoner/store.hpp"
#include "gdl/syntax/components.hpp"
#include "gdl/syntax/lexer.hpp"

namespace zermelo::gdl {

namespace datalog {

// What a relation depends on: nothing that changes, the state, or the state and the moves.
enum class Level : std::uint8_t { fixed, state, moves };

struct Literal {
    BodyLiteral::Kind kind;
    std::uint32_t relation = nothing;  // of `distinct`, none
    std::vector<Pattern> patterns = {};
};

struct JoinStep {
    enum class Kind : std::uint8_t { delta_rows, look_up, contains, absent, absent_match, distinct };
    Kind kind;
    std::uint32_t literal;
    std::size_t index = 0;  // of look_up and absent_match
    std::vector<bool> known = {};
};

// An order in which to join the literals of a body.
struct JoinPlan {
    std::vector<JoinStep> steps;
    std::size_t head_bound = 0;      // from this step on, all variables of the head have values
    std::vector<std::size_t> sizes;  // of the literals' relations when the plan was made
};

struct CompiledRule {
    std::uint32_t relation;
    std::vector<Pattern> head;
    std::vector<Literal> body;
    std::size_t variables;
    Place place;
    std::string text;
    // Literals whose relation is computed together with the head's.
    std::vector<std::uint32_t> recursive = {};
    // Without a delta, then with the delta for each recursive literal.
    std::vector<std::optional<JoinPlan>> plans = {};
    // By which arguments of the head are known.
    std::map<std::vector<bool>, JoinPlan> query_plans = {};
};

struct RowRange {
    std::size_t from = 0;
    std::size_t to = 0;
};

// A join under way.
struct Join {
    const CompiledRule* rule = nullptr;
    const JoinPlan* plan = nullptr;
    RowRange delta = {};
    Bindings bindings = {};
    std::vector<std::uint32_t> trail = {};
};

// A relation too large to be computed as a whole: its rows are computed for the arguments in queries.
struct OnDemand {
    std::size_t size;  // at least, of the whole relation
    // The queries that were answered: which arguments were known, and their values.
    std::set<std::pair<std::vector<bool>, std::vector<Ground>>> answered = {};
};

// Thrown by a join whose relation gets more rows than it may have when it is computed as a whole.
struct TooManyRows {};

inline void mark(const Pattern& pattern, std::vector<bool>& variables) {
    if (pattern.kind == Pattern::Kind::variable) variables[pattern.id] = true;
    for (const Pattern& argument : pattern.arguments) mark(argument, variables);
}

inline bool covered(const Pattern& pattern, const std::vector<bool>& variables) {
    if (pattern.kind == Pattern::Kind::variable) return variables[pattern.id];
    for (const Pattern& argument : pattern.arguments) {
        if (!covered(argument, variables)) return false;
    }
    return true;
}

inline bool covered(const std::vector<Pattern>& patterns, const std::vector<bool>& variables) {
    for (const Pattern& pattern : patterns) {
        if (!covered(pattern, variables)) return false;
    }
    return true;
}

}  // namespace datalog

class Reasoner::Engine {
public:
    Engine(const Description& game, const ReasonerOptions& options);

    [[nodiscard]] const std::vector<Ground>& roles() const { return roles_; }

    // The facts that the next answers are about. What does not depend on what changed is kept.
    void load(const State& state);
    void load(const State& state, const Joint& joint);

    State column(Symbol keyword);                                   // of a relation with one argument
    std::vector<Ground> of_role(Symbol keyword, std::size_t role);  // of one with a role and an argument
    bool holds(Symbol proposition) { return complete(proposition, 0).rows.size() > 0; }

    const std::string& text(Ground term) const;
    std::optional<Ground> find(const std::string& text);

private:
    using Level = datalog::Level;
    using Literal = datalog::Literal;
    using JoinStep = datalog::JoinStep;
    using JoinPlan = datalog::JoinPlan;
    using CompiledRule = datalog::CompiledRule;
    using RowRange = datalog::RowRange;
    using Pattern = datalog::Pattern;
    using Relation = datalog::Relation;

    // program.cpp
    std::uint32_t relation(Symbol symbol, std::size_t width);
    Pattern pattern(const Term& term);
    std::vector<Pattern> patterns(const Atom& atom);
    void add(const Description& game, const Rule& rule);
    void order();
    void group_relations();
    void schedule(Symbol keyword, std::size_t width, std::vector<bool>& asked);
    void check(CompiledRule& rule);
    void check_bound(const CompiledRule& rule, const std::vector<bool>& bound) const;

    // semi_naive.cpp
    Relation& complete(Symbol keyword, std::size_t width);
    void forget(Level level);
    void evaluate(std::uint32_t group);
    bool is_recursive(std::uint32_t group) const;
    void apply_to_delta(CompiledRule& rule, std::uint32_t group, const std::vector<RowRange>& delta);
    void apply(CompiledRule& rule, std::size_t variant, RowRange delta);
    bool is_idle(const CompiledRule& rule) const;

    // on_demand.cpp
    // Makes sure that the relation has all rows with these values of the literal's known arguments.
    void demand(const Literal& literal, const std::vector<bool>& bound) {
        const auto found = on_demand_.find(literal.relation);
        if (found != on_demand_.end()) query(found->second, literal, bound);
    }
    void query(datalog::OnDemand& table, const Literal& literal, const std::vector<bool>& bound);
    void answer(CompiledRule& rule, const std::vector<bool>& known, const std::vector<Ground>& values);
    std::size_t most_rows(std::uint32_t group) const;
    void start_demand(std::uint32_t group);

    // join_order.cpp
    bool outgrown(const CompiledRule& rule, const JoinPlan& plan) const;
    JoinPlan make_plan(const CompiledRule& rule, std::size_t variant, std::vector<bool> bound);
    std::optional<JoinStep> most_selective(const CompiledRule& rule, const std::vector<bool>& used,
                                           const std::vector<bool>& bound);
    double expected_rows(const Literal& literal, const JoinStep& step, const std::vector<bool>& bound);
    JoinStep look_up_step(JoinStep::Kind kind, const Literal& literal, std::uint32_t number,
                          const std::vector<bool>& bound);

    // join.cpp; what its inner loops call is defined there alone.
    void run(datalog::Join join);
    bool join(std::size_t number);
    inline bool each_delta(std::size_t number, const Literal& literal);
    inline bool each_match(std::size_t number, const JoinStep& step, const Literal& literal);
    inline bool try_row(std::size_t number, const Literal& literal, std::uint32_t row);
    inline bool some_match(const JoinStep& step, const Literal& literal);
    inline bool fits(const Literal& literal, std::uint32_t row);
    inline void undo(std::size_t before);
    inline std::uint32_t last_match(const JoinStep& step, const Literal& literal);
    inline bool add_key(const Pattern& p, const std::vector<bool>& known);
    inline bool holds(const JoinStep& step, const Literal& literal);
    inline bool is_row(std::uint32_t r, const std::vector<Pattern>& patterns);
    inline bool is_distinct(const Literal& literal);
    inline void derive();
    inline void count_work();
    [[noreturn]] void infinite(const std::string& what) const;

    // reasoner.cpp
    Ground find(const Tree& tree, std::uint32_t& at);

    Symbols symbols_;
    ReasonerOptions options_;
    std::string file_;
    datalog::GroundTerms terms_;
    std::vector<Ground> roles_;
    mutable std::deque<std::string> texts_;  // filled on demand; references stay good

    std::vector<Relation> relations_;
    std::map<std::pair<Symbol, std::size_t>, std::uint32_t> names_;  // by symbol and number of arguments
    std::vector<CompiledRule> rules_;

    Components groups_;  // relations that depend on each other
    std::vector<std::vector<std::uint32_t>> group_needs_;
    std::vector<std::vector<std::uint32_t>> group_rules_;
    std::vector<Level> level_;                               // by group
    std::vector<bool> done_;                                 // by group
    std::map<Symbol, std::vector<std::uint32_t>> schedule_;  // groups to evaluate, by keyword

    std::optional<State> state_;
    std::optional<Joint> joint_;

    std::map<std::uint32_t, datalog::OnDemand> on_demand_;  // by relation
    std::size_t most_rows_ = 0;                             // of the relation that is computed as a whole

    datalog::Join join_;  // the one under way
    std::vector<Ground> key_;
    std::uint32_t work_ = 0;
    std::size_t made_ = 0;
};

}  // namespace zermelo::gdl
