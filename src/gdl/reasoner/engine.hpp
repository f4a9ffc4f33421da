// Stratified Datalog, evaluated bottom-up (Apt, Blair and Walker 1988): the engine inside the reasoner.
//
// program.cpp compiles the rules, groups relations that depend on each other and refuses what cannot be
// evaluated; semi_naive.cpp computes a group's least fixpoint; incremental.cpp keeps groups up to date from one
// state to the next; on_demand.cpp answers queries to relations that are too large to be computed as a whole;
// join.cpp joins the literals of one body, in the order that join_order.cpp chose. Each file opens with the
// technique that it implements.

#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
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
    enum class Kind : std::uint8_t { pinned, look_up, contains, absent, absent_match, distinct };
    Kind kind;
    std::uint32_t literal;
    Relation* relation = nullptr;
    Index* index = nullptr;         // of look_up and absent_match
    std::vector<Pattern> key = {};  // what is looked up: the known parts, or all arguments
    std::vector<std::pair<std::uint32_t, Match>> open = {};  // what the columns of a row are matched with
    std::vector<bool> known = {};                            // columns whose values are known
    std::size_t demand = ~std::size_t{0};                    // of a relation on demand: which kind of query
    bool hides_event = false;                                // it does not see the event's row
};

// An order in which to join the literals of a body.
struct JoinPlan {
    std::vector<JoinStep> steps;
    std::vector<Pattern> head = {};
    std::size_t head_bound = 0;            // from this step on, all variables of the head have values
    std::vector<Pattern> early_head = {};  // the head there, where fewer aliases have values
    std::vector<std::size_t> sizes;        // of the literals' relations when the plan was made
    std::uint32_t uses = 0;
};

struct CompiledRule {
    std::uint32_t relation;
    std::vector<Pattern> head;
    std::vector<Literal> body;
    std::size_t variables;  // with aliases
    Place place;
    std::string text;
    // Literals whose relation is computed together with the head's.
    std::vector<std::uint32_t> recursive = {};
    // Some negation has variables that nothing binds.
    bool open_negation = false;
    // Without a pinned literal, then with each literal pinned to given rows.
    std::vector<std::unique_ptr<JoinPlan>> plans = {};
    // By which arguments of the head are known.
    std::map<std::vector<bool>, JoinPlan> query_plans = {};
};

// A join under way.
struct Join {
    enum class Mode : std::uint8_t { derive, count };

    const CompiledRule* rule = nullptr;
    const JoinPlan* plan = nullptr;
    Mode mode = Mode::derive;
    std::int32_t sign = 1;           // what a derivation counts
    std::uint32_t pinned = nothing;  // the literal that takes given rows of its relation
    std::size_t from = 0;            // these, by place among those present
    std::size_t to = 0;
    std::uint32_t event = nothing;  // or this one, which later literals of that relation do not see
    Bindings bindings = {};
    std::vector<Ground> key = {};
};

// Relations that depend on each other, computed together.
struct Group {
    enum class Upkeep : std::uint8_t {
        anew,     // computed as a whole when something that it reads has changed
        counted,  // every row knows how many derivations it has, and changes are followed
    };
    std::vector<std::uint32_t> members;
    std::vector<std::uint32_t> needs;
    std::vector<std::uint32_t> rules;
    Level level = Level::fixed;
    bool recursive = false;
    bool given = false;  // the facts of the state, or the moves
    bool on_demand = false;
    Upkeep upkeep = Upkeep::anew;
    bool dirty = true;
    bool counts_hold = false;
    std::vector<std::uint32_t> touched = {};  // rows whose count has changed, each with this stamp
    std::uint32_t stamp = 0;
    std::uint64_t last_asked = 0;  // state
    std::uint64_t work_anew = 0;
    std::uint64_t work_of_changes = 0;  // since the group was last brought up to date
    int regret = 0;
};

// A relation too large to be computed as a whole: its rows are computed for the arguments in queries.
struct OnDemand {
    std::size_t size;  // at least, of the whole relation
    // The queries that were answered: which arguments were known, and their values.
    std::deque<std::pair<std::vector<bool>, Rows>> answered = {};
};

// Thrown by a join whose relation gets more rows than it may have when it is computed as a whole.
struct TooManyRows {};
// Thrown by a join that finds far more derivations than rows.
struct TooManyDerivations {};

inline void mark(const Pattern& pattern, std::vector<bool>& variables) {
    if (pattern.kind == Pattern::Kind::variable) variables[pattern.id] = true;
    if (pattern.alias != nothing) variables[pattern.alias] = true;
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

// What a step compares and binds. What was known before the step, `start`, has been compared by the index where it is
// `keyed`; `now` also has the variables that the step has bound so far.
[[nodiscard]] Match match_of(const Pattern& pattern, const std::vector<bool>& start, std::vector<bool>& now,
                             bool keyed);

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
    void sort_by_text(std::vector<Ground>& terms) const;
    bool holds(Symbol proposition) { return !complete(proposition, 0).present.empty(); }

    const std::string& text(Ground term) const;
    std::optional<Ground> find(const std::string& text);

private:
    using Level = datalog::Level;
    using Literal = datalog::Literal;
    using Join = datalog::Join;
    using JoinStep = datalog::JoinStep;
    using JoinPlan = datalog::JoinPlan;
    using CompiledRule = datalog::CompiledRule;
    using Group = datalog::Group;
    using Pattern = datalog::Pattern;
    using Match = datalog::Match;
    using Relation = datalog::Relation;

    // program.cpp
    std::uint32_t relation(Symbol symbol, std::size_t width);
    Pattern pattern(const Term& term);
    std::vector<Pattern> patterns(const Atom& atom);
    void add(const Description& game, const Rule& rule);
    void order();
    void group_relations();
    void choose_upkeep(const std::vector<bool>& asked);
    void schedule(Symbol keyword, std::size_t width, std::vector<bool>& asked);
    void check(CompiledRule& rule);
    void check_bound(const CompiledRule& rule, const std::vector<bool>& bound) const;

    // semi_naive.cpp
    Relation& complete(Symbol keyword, std::size_t width);
    void evaluate(Group& group);
    void evaluate_rules(Group& group);
    void evaluate_fixpoint(Group& group);
    void apply_to_delta(CompiledRule& rule, const Group& group,
                        const std::vector<std::pair<std::size_t, std::size_t>>& delta);
    Join& join_of(CompiledRule& rule, std::uint32_t pinned);
    bool is_idle(const CompiledRule& rule) const;

    // incremental.cpp
    void replace_facts(std::uint32_t relation, const std::vector<std::uint32_t>& rows);
    void forget_answers(Level level);
    void purge();
    void set(std::uint32_t relation, std::uint32_t row, bool present);
    void tell(std::uint32_t relation, std::uint32_t row, std::int32_t sign);
    void start_touched(Group& group);
    void make_readers_dirty(std::uint32_t relation);
    void count_anew(Group& group);
    void settle(Group& group);
    void forget_state();

    // on_demand.cpp
    // Makes sure that the relation has all rows with these values of the literal's known arguments.
    void query(const JoinStep& step, Join& outer);
    void answer(CompiledRule& rule, const std::vector<bool>& known, const std::vector<Ground>& values);
    std::size_t most_rows(const Group& group) const;
    void start_demand(Group& group);

    // join_order.cpp
    bool outgrown(const CompiledRule& rule, JoinPlan& plan) const;
    JoinPlan make_plan(const CompiledRule& rule, std::uint32_t pinned, std::vector<bool> bound);
    std::optional<std::uint32_t> most_selective(const CompiledRule& rule, const std::vector<bool>& used,
                                                const std::vector<bool>& bound) const;
    double expected_rows(const Literal& literal, const std::vector<bool>& bound) const;
    JoinStep make_step(JoinStep::Kind kind, const CompiledRule& rule, std::uint32_t literal,
                       const std::vector<bool>& bound);

    // join.cpp; what its inner loops call is defined there alone.
    bool join(Join& j, std::size_t number);
    inline bool each_pinned(Join& j, std::size_t number, const JoinStep& step);
    inline bool each_match(Join& j, std::size_t number, const JoinStep& step);
    inline bool try_row(Join& j, std::size_t number, const JoinStep& step, std::uint32_t row);
    inline bool fits(Join& j, const JoinStep& step, std::uint32_t row);
    inline bool some_match(Join& j, const JoinStep& step);
    inline std::uint32_t first_match(Join& j, const JoinStep& step);
    inline bool make_key(Join& j, const JoinStep& step);
    inline bool holds(Join& j, const JoinStep& step);
    inline bool is_derived(const Relation& r, std::uint32_t row) const;
    inline bool head_is_derived(Join& j);
    inline void derive(Join& j);
    inline void count_work(const Join& j);
    [[noreturn]] void infinite(const Join& j, const std::string& what) const;

    // reasoner.cpp
    Ground find(const Tree& tree, std::uint32_t& at);

    Symbols symbols_;
    ReasonerOptions options_;
    std::string file_;
    datalog::GroundTerms terms_;
    std::vector<Ground> roles_;
    mutable std::deque<std::string> texts_;  // filled on demand; references stay good

    std::vector<Relation> relations_;                                // none is added once there are plans
    std::map<std::pair<Symbol, std::size_t>, std::uint32_t> names_;  // by symbol and number of arguments
    std::vector<CompiledRule> rules_;
    std::vector<Join> joins_;  // by rule

    std::vector<std::uint32_t> group_of_;  // by relation
    std::vector<Group> groups_;
    std::map<Symbol, std::vector<std::uint32_t>> schedule_;  // groups to evaluate, by keyword
    struct Use {
        std::uint32_t rule;
        std::uint32_t literal;
        // What the first argument that is no variable asks of a row.
        std::uint32_t column = datalog::nothing;
        bool function = false;
        std::uint32_t id = 0;
    };
    std::vector<std::vector<Use>> uses_;               // by relation: in rules of groups that are counted
    std::vector<std::vector<std::uint32_t>> readers_;  // by relation: groups that read it

    std::optional<State> state_;
    std::optional<Joint> joint_;
    std::uint64_t states_ = 0;  // loaded so far
    bool at_work_ = false;      // still set after an exception: then nothing about the state holds

    std::map<std::uint32_t, datalog::OnDemand> on_demand_;  // by relation
    std::size_t most_rows_ = 0;                             // of the relation that is computed as a whole
    std::uint32_t stamps_ = 0;                              // given so far
    std::uint32_t stamp_ = 0;                               // of rows that are derived now
    bool link_at_once_ = false;                             // rows that are derived now are present at once
    std::vector<std::uint32_t> derived_;                    // otherwise they are here
    std::uint64_t derivations_ = 0;

    std::uint64_t work_ = 0;
    std::size_t made_ = 0;
};

}  // namespace zermelo::gdl
