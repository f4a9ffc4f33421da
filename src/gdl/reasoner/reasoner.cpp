#include "gdl/reasoner/reasoner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <set>

#include "gdl/reasoner/store.hpp"
#include "gdl/syntax/components.hpp"
#include "gdl/syntax/lexer.hpp"
#include "gdl/syntax/parse.hpp"
#include "gdl/syntax/stratify.hpp"

namespace zermelo::gdl {

namespace {

using oracle::Bindings;
using oracle::Ground;
using oracle::GroundTerms;
using oracle::nothing;
using oracle::Pattern;
using oracle::Relation;
using oracle::Shape;

constexpr std::size_t most_literals = 2000;  // in a body, since joining them is recursive

// What a relation depends on: nothing that changes, the state, or the state and the moves.
enum class Level : std::uint8_t { fixed, state, moves };

struct Literal {
    BodyLiteral::Kind kind;
    std::uint32_t relation = nothing;  // of `distinct`, none
    std::vector<Pattern> patterns = {};
};

struct Step {
    enum class Kind : std::uint8_t { fresh_rows, look_up, contains, absent, absent_match, distinct };
    Kind kind;
    std::uint32_t literal;
    std::size_t index = 0;  // of look_up and absent_match
    std::vector<bool> known = {};
};

// An order in which to join the literals of a body.
struct Plan {
    std::vector<Step> steps;
    std::size_t head_bound = 0;      // from this step on, all variables of the head have values
    std::vector<std::size_t> sizes;  // of the literals' relations when the plan was made
};

struct EvaluatedRule {
    std::uint32_t relation;
    std::vector<Pattern> head;
    std::vector<Literal> body;
    std::size_t variables;
    Place place;
    std::string text;
    // Literals whose relation is computed together with the head's.
    std::vector<std::uint32_t> recursive = {};
    // Without fresh rows, then with fresh rows for each recursive literal.
    std::vector<std::optional<Plan>> plans = {};
    // By which arguments of the head are known.
    std::map<std::vector<bool>, Plan> asked = {};
};

struct Range {
    std::size_t from = 0;
    std::size_t to = 0;
};

// A join under way.
struct Join {
    const EvaluatedRule* rule = nullptr;
    const Plan* plan = nullptr;
    Range fresh = {};
    Bindings bindings = {};
    std::vector<std::uint32_t> trail = {};
};

struct TooLarge {};

// A relation too large to be computed as a whole: its rows are computed for the arguments somebody asks
// about.
struct OnDemand {
    std::size_t size;  // at least, of the whole relation
    // Which arguments were known, and their values.
    std::set<std::pair<std::vector<bool>, std::vector<Ground>>> asked = {};
};

void mark(const Pattern& pattern, std::vector<bool>& variables) {
    if (pattern.kind == Pattern::Kind::variable) variables[pattern.id] = true;
    for (const Pattern& argument : pattern.arguments) mark(argument, variables);
}

bool covered(const Pattern& pattern, const std::vector<bool>& variables) {
    if (pattern.kind == Pattern::Kind::variable) return variables[pattern.id];
    return std::all_of(pattern.arguments.begin(), pattern.arguments.end(),
                       [&](const Pattern& argument) { return covered(argument, variables); });
}

bool covered(const std::vector<Pattern>& patterns, const std::vector<bool>& variables) {
    return std::all_of(patterns.begin(), patterns.end(),
                       [&](const Pattern& p) { return covered(p, variables); });
}

}  // namespace

class Reasoner::Engine {
public:
    Engine(const Description& game, const ReasonerOptions& options) : options_(options), file_(game.file) {
        for (const Symbol keyword : {kw_role, kw_init, kw_true, kw_next}) relation(keyword, 1);
        for (const Symbol keyword : {kw_does, kw_legal, kw_goal, kw_sees}) relation(keyword, 2);
        relation(kw_terminal, 0);
        // Where this fails, order() says which rule is to blame.
        const Description usable = stratified(game).value_or(game);
        symbols_ = usable.symbols;
        for (const Rule& rule : usable.rules) add(usable, rule);
        order();
        const Relation& role = complete(kw_role, 1);
        for (std::size_t i = 0; i < role.rows.size(); ++i) roles_.push_back(role.rows[i][0]);
        if (roles_.empty()) throw Error({file_}, "no roles", "name the players with (role …)");
    }

    [[nodiscard]] const std::vector<Ground>& roles() const { return roles_; }

    State column(Symbol keyword) {
        const Relation& found = complete(keyword, 1);
        State result;
        for (std::size_t i = 0; i < found.rows.size(); ++i) result.push_back(found.rows[i][0]);
        std::sort(result.begin(), result.end());
        return result;
    }
    std::vector<Ground> of_role(Symbol keyword, std::size_t role) {
        const Relation& found = complete(keyword, 2);
        std::vector<Ground> result;
        for (std::size_t i = 0; i < found.rows.size(); ++i) {
            if (found.rows[i][0] == roles_.at(role)) result.push_back(found.rows[i][1]);
        }
        std::sort(result.begin(), result.end(), [&](Ground a, Ground b) { return text(a) < text(b); });
        return result;
    }
    bool holds(Symbol proposition) { return complete(proposition, 0).rows.size() > 0; }

    void load(const State& state) {
        if (state_ && *state_ == state) return;
        forget(Level::state);
        Relation& facts = relations_[relation(kw_true, 1)];
        for (const Ground fluent : state) facts.rows.insert(std::array{fluent});
        state_ = state;
    }
    void load(const State& state, const Joint& joint) {
        load(state);
        if (joint_ && *joint_ == joint) return;
        if (joint.size() != roles_.size())
            throw Error(Place{file_}, "a joint move has one move for each role");
        forget(Level::moves);
        Relation& facts = relations_[relation(kw_does, 2)];
        for (std::size_t i = 0; i < roles_.size(); ++i) facts.rows.insert(std::array{roles_[i], joint[i]});
        joint_ = joint;
    }

    const std::string& text(Ground term) const {
        if (texts_.size() < terms_.size()) texts_.resize(terms_.size());
        if (texts_[term].empty()) {
            const auto arguments = terms_.arguments(term);
            std::string result = symbols_.name(terms_.function(term));
            for (const Ground argument : arguments) result += " " + text(argument);
            texts_[term] = arguments.empty() ? result : "(" + result + ")";
        }
        return texts_[term];
    }

    std::optional<Ground> find(const std::string& text) {
        Tree tree;
        try {
            tree = read_tree(text, "term");
        } catch (const Error&) {
            return std::nullopt;
        }
        if (tree.nodes.empty()) return std::nullopt;
        std::uint32_t at = 0;
        const Ground found = find(tree, at);
        return found == nothing || at != tree.nodes.size() ? std::nullopt : std::optional(found);
    }

private:
    // Reading the rules

    std::uint32_t relation(Symbol symbol, std::size_t width) {
        const auto [place, is_new] =
            names_.try_emplace({symbol, width}, static_cast<std::uint32_t>(relations_.size()));
        if (is_new) relations_.emplace_back(symbol, width);
        return place->second;
    }

    Pattern pattern(const Term& term) {
        if (term.kind == Term::Kind::variable) return {Pattern::Kind::variable, term.id};
        Pattern result{Pattern::Kind::compound, term.id};
        std::vector<Ground> ground;
        for (const Term& argument : term.arguments) {
            result.arguments.push_back(pattern(argument));
            if (result.arguments.back().kind == Pattern::Kind::ground)
                ground.push_back(result.arguments.back().id);
        }
        if (ground.size() < term.arguments.size()) return result;
        return {Pattern::Kind::ground, terms_.make(term.id, ground)};
    }
    std::vector<Pattern> patterns(const Atom& atom) {
        std::vector<Pattern> result;
        for (const Term& term : atom.arguments) result.push_back(pattern(term));
        return result;
    }

    void add(const Description& game, const Rule& rule) {
        EvaluatedRule result{relation(rule.head.relation, rule.head.arguments.size()),
                             patterns(rule.head),
                             {},
                             rule.variables.size(),
                             game.place(rule),
                             rule.body.empty() ? "" : gdl::text(game.symbols, rule.head, &rule.variables)};
        for (const BodyLiteral& literal : rule.body) {
            result.body.push_back({literal.kind, nothing, patterns(literal.atom)});
            if (literal.kind == BodyLiteral::Kind::distinct) continue;
            result.body.back().relation = relation(literal.atom.relation, literal.atom.arguments.size());
        }
        rules_.push_back(std::move(result));
    }

    // Groups the relations that depend on each other, and refuses what cannot be evaluated.
    void order() {
        std::vector<std::vector<std::uint32_t>> needs(relations_.size());
        for (const EvaluatedRule& rule : rules_) {
            for (const Literal& literal : rule.body) {
                if (literal.relation != nothing) needs[rule.relation].push_back(literal.relation);
            }
        }
        groups_ = components(needs);
        group_needs_.resize(groups_.members.size());
        for (std::uint32_t r = 0; r < relations_.size(); ++r) {
            for (const std::uint32_t other : needs[r]) {
                if (groups_.of[other] != groups_.of[r])
                    group_needs_[groups_.of[r]].push_back(groups_.of[other]);
            }
        }
        level_.assign(groups_.members.size(), Level::fixed);
        level_[groups_.of[relation(kw_true, 1)]] = Level::state;
        level_[groups_.of[relation(kw_does, 2)]] = Level::moves;
        for (std::size_t group = 0; group < level_.size(); ++group) {
            for (const std::uint32_t other : group_needs_[group])
                level_[group] = std::max(level_[group], level_[other]);
        }
        done_.assign(groups_.members.size(), false);
        group_rules_.resize(groups_.members.size());
        for (std::uint32_t i = 0; i < rules_.size(); ++i)
            group_rules_[groups_.of[rules_[i].relation]].push_back(i);

        std::vector<bool> asked(groups_.members.size(), false);
        for (const Symbol keyword : {kw_role, kw_init, kw_next}) prepare(keyword, 1, asked);
        for (const Symbol keyword : {kw_legal, kw_goal, kw_sees}) prepare(keyword, 2, asked);
        prepare(kw_terminal, 0, asked);
        for (EvaluatedRule& rule : rules_) {
            if (asked[groups_.of[rule.relation]]) examine(rule);
        }
    }

    // What has to be computed, in order, to know the relation.
    void prepare(Symbol keyword, std::size_t width, std::vector<bool>& asked) {
        const std::uint32_t target = groups_.of[relation(keyword, width)];
        std::vector<std::uint32_t> open{target};
        std::vector<bool> found(groups_.members.size(), false);
        found[target] = true;
        while (!open.empty()) {
            const std::uint32_t group = open.back();
            open.pop_back();
            asked[group] = true;
            agenda_[keyword].push_back(group);
            for (const std::uint32_t other : group_needs_[group]) {
                if (!found[other]) open.push_back(other);
                found[other] = true;
            }
        }
        std::sort(agenda_[keyword].begin(), agenda_[keyword].end());
    }

    void examine(EvaluatedRule& rule) {
        if (rule.body.size() > most_literals) {
            throw Error(rule.place, fmt::format("more than {} literals in one rule", most_literals),
                        "split the rule");
        }
        std::vector<bool> bound(rule.variables, false);
        for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
            const Literal& literal = rule.body[i];
            const bool inside =
                literal.relation != nothing && groups_.of[literal.relation] == groups_.of[rule.relation];
            if (literal.kind == BodyLiteral::Kind::positive) {
                if (inside) rule.recursive.push_back(i);
                for (const Pattern& p : literal.patterns) mark(p, bound);
            } else if (inside) {
                throw Error(rule.place,
                            fmt::format("{} depends on its own negation through `{}`", rule.text,
                                        symbols_.name(relations_[literal.relation].symbol)),
                            "break the circle");
            }
        }
        rule.plans.resize(rule.recursive.size() + 1);
        const auto demand = [&](const std::vector<Pattern>& terms, const char* where) {
            if (covered(terms, bound)) return;
            throw Error(rule.place, fmt::format("a variable of {} has no value", where),
                        "add a positive literal that binds it");
        };
        demand(rule.head, "the head");
        for (const Literal& literal : rule.body) {
            if (literal.kind == BodyLiteral::Kind::distinct) demand(literal.patterns, "`distinct`");
        }
    }

    // Evaluation

    Relation& complete(Symbol keyword, std::size_t width) {
        for (const std::uint32_t group : agenda_[keyword]) {
            if (!done_[group]) evaluate(group);
        }
        return relations_[relation(keyword, width)];
    }

    // Drops what depends on the state, or on the moves.
    void forget(Level level) {
        joint_.reset();
        if (level == Level::state) state_.reset();
        made_ = 0;
        for (std::size_t group = 0; group < level_.size(); ++group) {
            if (level_[group] < level) continue;
            for (const std::uint32_t member : groups_.members[group]) {
                relations_[member].clear();
                if (const auto found = on_demand_.find(member); found != on_demand_.end())
                    found->second.asked.clear();
            }
            done_[group] = false;
        }
    }

    void evaluate(std::uint32_t group) {
        if (on_demand_.contains(groups_.members[group].front())) return;
        most_rows_ = most_rows(group);
        try {
            for (const std::uint32_t i : group_rules_[group]) {
                if (rules_[i].recursive.empty()) apply(rules_[i], 0, {});
            }
        } catch (const TooLarge&) {
            start_demand(group);
            return;
        }
        std::vector<Range> fresh(groups_.members[group].size());
        for (bool more = is_recursive(group); more;) {
            more = false;
            for (std::size_t m = 0; m < fresh.size(); ++m) {
                fresh[m] = {fresh[m].to, relations_[groups_.members[group][m]].rows.size()};
                more = more || fresh[m].from < fresh[m].to;
            }
            for (const std::uint32_t i : group_rules_[group]) apply_to_fresh(rules_[i], group, fresh);
        }
        done_[group] = true;
    }

    bool is_recursive(std::uint32_t group) const {
        return std::any_of(group_rules_[group].begin(), group_rules_[group].end(),
                           [&](std::uint32_t i) { return !rules_[i].recursive.empty(); });
    }

    void apply_to_fresh(EvaluatedRule& rule, std::uint32_t group, const std::vector<Range>& fresh) {
        for (std::size_t k = 0; k < rule.recursive.size(); ++k) {
            const std::uint32_t wanted = rule.body[rule.recursive[k]].relation;
            for (std::size_t m = 0; m < fresh.size(); ++m) {
                if (groups_.members[group][m] == wanted && fresh[m].from < fresh[m].to)
                    apply(rule, k + 1, fresh[m]);
            }
        }
    }

    // All that follows by the rule; if `variant` is not 0, with a row of `fresh` for that recursive literal.
    void apply(EvaluatedRule& rule, std::size_t variant, Range fresh) {
        if (is_idle(rule)) return;
        std::optional<Plan>& plan = rule.plans[variant];
        if (!plan || outgrown(rule, *plan))
            plan = make_plan(rule, variant, std::vector<bool>(rule.variables, false));
        join_ = {&rule, &*plan, fresh, Bindings(rule.variables, nothing)};
        join(0);
    }

    // Some positive literal has no rows at all.
    bool is_idle(const EvaluatedRule& rule) const {
        return std::any_of(rule.body.begin(), rule.body.end(), [&](const Literal& literal) {
            return literal.kind == BodyLiteral::Kind::positive && !on_demand_.contains(literal.relation) &&
                   relations_[literal.relation].rows.size() == 0;
        });
    }

    // On demand

    // Makes sure that the relation has all rows with these values of the literal's known arguments.
    void demand(const Literal& literal, const std::vector<bool>& bound) {
        const auto found = on_demand_.find(literal.relation);
        if (found == on_demand_.end()) return;
        std::vector<bool> known;
        std::vector<Ground> values;
        for (const Pattern& p : literal.patterns) {
            known.push_back(covered(p, bound));
            if (known.back()) values.push_back(build(terms_, p, join_.bindings));
        }
        if (!found->second.asked.emplace(known, values).second) return;
        Join outer = std::move(join_);
        for (const std::uint32_t i : group_rules_[groups_.of[literal.relation]])
            answer(rules_[i], known, values);
        join_ = std::move(outer);
    }

    void answer(EvaluatedRule& rule, const std::vector<bool>& known, const std::vector<Ground>& values) {
        if (is_idle(rule)) return;
        std::vector<bool> bound(rule.variables, false);
        Bindings bindings(rule.variables, nothing);
        std::vector<std::uint32_t> trail;
        for (std::size_t i = 0, v = 0; i < known.size(); ++i) {
            if (!known[i]) continue;
            if (!match(terms_, rule.head[i], values[v++], bindings, trail)) return;
            mark(rule.head[i], bound);
        }
        auto plan = rule.asked.find(known);
        if (plan == rule.asked.end() || outgrown(rule, plan->second)) {
            plan = rule.asked.insert_or_assign(known, make_plan(rule, 0, bound)).first;
        }
        join_ = {&rule, &plan->second, {}, std::move(bindings)};
        join(0);
    }

    // How many rows the relation may get before it is computed on demand instead.
    std::size_t most_rows(std::uint32_t group) const {
        const std::uint32_t member = groups_.members[group].front();
        const bool keyword = relations_[member].symbol < first_free_symbol;
        if (keyword || is_recursive(group)) return std::numeric_limits<std::size_t>::max();
        return level_[group] == Level::fixed ? 20 * options_.large_relation : options_.large_relation;
    }

    // The rows found so far are good, but not all. Plans were made for a complete relation.
    void start_demand(std::uint32_t group) {
        const std::uint32_t member = groups_.members[group].front();
        on_demand_.emplace(member, OnDemand{relations_[member].rows.size()});
        for (EvaluatedRule& rule : rules_) {
            for (std::optional<Plan>& plan : rule.plans) plan.reset();
            rule.asked.clear();
        }
    }

    // Planning

    bool outgrown(const EvaluatedRule& rule, const Plan& plan) const {
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            const std::uint32_t r = rule.body[i].relation;
            if (r == nothing || on_demand_.contains(r)) continue;
            if (relations_[r].rows.size() > 4 * plan.sizes[i] + 16) return true;
        }
        return false;
    }

    // Greedy: filters as soon as they can be asked, then the literal with the fewest rows for each key.
    // `bound` tells which variables have values from the start.
    Plan make_plan(const EvaluatedRule& rule, std::size_t variant, std::vector<bool> bound) {
        Plan result;
        for (const Literal& literal : rule.body) {
            result.sizes.push_back(literal.relation == nothing ? 0
                                                               : relations_[literal.relation].rows.size());
        }
        std::vector<bool> used(rule.body.size(), false);
        bool head_bound = covered(rule.head, bound);
        const auto take = [&](Step step) {
            used[step.literal] = true;
            const bool generates = step.kind == Step::Kind::fresh_rows || step.kind == Step::Kind::look_up;
            if (generates) {
                for (const Pattern& p : rule.body[step.literal].patterns) mark(p, bound);
            }
            result.steps.push_back(std::move(step));
            if (!head_bound && covered(rule.head, bound)) {
                head_bound = true;
                result.head_bound = result.steps.size();
            }
        };
        if (variant > 0) take({Step::Kind::fresh_rows, rule.recursive[variant - 1]});
        for (;;) {
            for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
                if (used[i] || !covered(rule.body[i].patterns, bound)) continue;
                const BodyLiteral::Kind kind = rule.body[i].kind;
                take({kind == BodyLiteral::Kind::positive   ? Step::Kind::contains
                      : kind == BodyLiteral::Kind::negative ? Step::Kind::absent
                                                            : Step::Kind::distinct,
                      i, 0, bound});
            }
            const std::optional<Step> best = most_selective(rule, used, bound);
            if (!best) break;
            take(*best);
        }
        // Negations with variables that nothing binds: no value may fit.
        for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
            if (!used[i]) take(look_up_step(Step::Kind::absent_match, rule.body[i], i, bound));
        }
        return result;
    }

    std::optional<Step> most_selective(const EvaluatedRule& rule, const std::vector<bool>& used,
                                       const std::vector<bool>& bound) {
        std::optional<Step> best;
        double fewest = 0;
        for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
            if (used[i] || rule.body[i].kind != BodyLiteral::Kind::positive) continue;
            Step step = look_up_step(Step::Kind::look_up, rule.body[i], i, bound);
            const double rows = expected_rows(rule.body[i], step, bound);
            if (best && rows >= fewest) continue;
            fewest = rows;
            best = std::move(step);
        }
        return best;
    }

    double expected_rows(const Literal& literal, const Step& step, const std::vector<bool>& bound) {
        Relation& r = relations_[literal.relation];
        if (const auto found = on_demand_.find(literal.relation); found != on_demand_.end()) {
            const auto open = std::count_if(literal.patterns.begin(), literal.patterns.end(),
                                            [&](const Pattern& p) { return !covered(p, bound); });
            const double share = static_cast<double>(open) / static_cast<double>(literal.patterns.size());
            return std::pow(static_cast<double>(found->second.size), share);
        }
        oracle::Index& index = r.indexes[step.index];
        index.extend(terms_, r.rows);
        return static_cast<double>(r.rows.size()) /
               static_cast<double>(std::max<std::size_t>(1, index.keys()));
    }

    Step look_up_step(Step::Kind kind, const Literal& literal, std::uint32_t number,
                      const std::vector<bool>& bound) {
        std::vector<Shape> shapes;
        for (const Pattern& p : literal.patterns) shapes.push_back(oracle::shape(p, bound));
        return {kind, number, relations_[literal.relation].index(std::move(shapes)), bound};
    }

    // Joins the literals from this step on; true if the head followed.
    bool join(std::size_t number) {
        count_work();
        if (number == join_.plan->steps.size()) {
            derive();
            return true;
        }
        if (number == join_.plan->head_bound && is_row(join_.rule->relation, join_.rule->head)) return true;
        const Step& step = join_.plan->steps[number];
        const Literal& literal = join_.rule->body[step.literal];
        switch (step.kind) {
            case Step::Kind::fresh_rows:
                return each_fresh(number, literal);
            case Step::Kind::look_up:
                return each_match(number, step, literal);
            case Step::Kind::contains:
                return holds(step, literal) && join(number + 1);
            case Step::Kind::absent:
                return !holds(step, literal) && join(number + 1);
            case Step::Kind::absent_match:
                return !some_match(step, literal) && join(number + 1);
            case Step::Kind::distinct:
                return is_distinct(literal) && join(number + 1);
        }
        return false;
    }

    bool each_fresh(std::size_t number, const Literal& literal) {
        bool found = false;
        for (std::size_t row = join_.fresh.from; row < join_.fresh.to; ++row) {
            found = try_row(number, literal, static_cast<std::uint32_t>(row)) || found;
            if (found && number >= join_.plan->head_bound) return true;
        }
        return found;
    }

    bool each_match(std::size_t number, const Step& step, const Literal& literal) {
        bool found = false;
        for (std::uint32_t row = last_match(step, literal); row != nothing;
             row = relations_[literal.relation].indexes[step.index].before(row)) {
            found = try_row(number, literal, row) || found;
            if (found && number >= join_.plan->head_bound) return true;
        }
        return found;
    }

    bool try_row(std::size_t number, const Literal& literal, std::uint32_t row) {
        const std::size_t before = join_.trail.size();
        const bool result = fits(literal, row) && join(number + 1);
        undo(before);
        return result;
    }

    bool some_match(const Step& step, const Literal& literal) {
        const std::size_t before = join_.trail.size();
        for (std::uint32_t row = last_match(step, literal); row != nothing;
             row = relations_[literal.relation].indexes[step.index].before(row)) {
            const bool result = fits(literal, row);
            undo(before);
            if (result) return true;
        }
        return false;
    }

    bool fits(const Literal& literal, std::uint32_t row) {
        const auto values = relations_[literal.relation].rows[row];
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!match(terms_, literal.patterns[i], values[i], join_.bindings, join_.trail)) return false;
        }
        return true;
    }

    void undo(std::size_t before) {
        while (join_.trail.size() > before) {
            join_.bindings[join_.trail.back()] = nothing;
            join_.trail.pop_back();
        }
    }

    std::uint32_t last_match(const Step& step, const Literal& literal) {
        demand(literal, step.known);
        Relation& r = relations_[literal.relation];
        oracle::Index& index = r.indexes[step.index];
        index.extend(terms_, r.rows);
        key_.clear();
        for (const Pattern& p : literal.patterns) {
            if (!add_key(p, step.known)) return nothing;
        }
        return index.last(key_);
    }

    // The known parts of the pattern, in the order of its shape.
    bool add_key(const Pattern& p, const std::vector<bool>& known) {
        if (covered(p, known)) {
            key_.push_back(oracle::look_up(terms_, p, join_.bindings));
            return key_.back() != nothing;
        }
        return std::all_of(p.arguments.begin(), p.arguments.end(),
                           [&](const Pattern& argument) { return add_key(argument, known); });
    }

    bool holds(const Step& step, const Literal& literal) {
        demand(literal, step.known);
        return is_row(literal.relation, literal.patterns);
    }

    bool is_row(std::uint32_t r, const std::vector<Pattern>& patterns) {
        key_.clear();
        for (const Pattern& p : patterns) {
            key_.push_back(oracle::look_up(terms_, p, join_.bindings));
            if (key_.back() == nothing) return false;
        }
        return relations_[r].rows.find(key_) != nothing;
    }

    bool is_distinct(const Literal& literal) {
        return build(terms_, literal.patterns[0], join_.bindings) !=
               build(terms_, literal.patterns[1], join_.bindings);
    }

    void derive() {
        key_.clear();
        for (const Pattern& p : join_.rule->head) {
            key_.push_back(build(terms_, p, join_.bindings));
            if (terms_.depth(key_.back()) > options_.most_depth) infinite("ever deeper terms");
        }
        Relation& r = relations_[join_.rule->relation];
        if (!r.rows.insert(key_).second) return;
        if (r.rows.size() > most_rows_ && !on_demand_.contains(join_.rule->relation)) throw TooLarge();
        if (++made_ > options_.most_facts || terms_.size() > options_.most_facts) infinite("too many facts");
    }

    [[noreturn]] void infinite(const std::string& what) const {
        throw Error(join_.rule->place, fmt::format("{} makes {}", join_.rule->text, what),
                    "bound its recursion, or raise the limit");
    }

    void count_work() {
        constexpr std::uint32_t work_per_check = 1024;
        if (++work_ % work_per_check != 0) return;
        const Stop stop = options_.limits.reached();
        if (stop != Stop::none)
            throw LimitReached(stop, fmt::format("while evaluating {}", join_.rule->place.text()),
                               "allow more, or simplify the rules");
    }

    Ground find(const Tree& tree, std::uint32_t& at) {
        const Node& node = tree.nodes[at];
        ++at;
        if (!node.list) return terms_.find(symbols_.intern(tree.word(node)), {}).value_or(nothing);
        if (at == node.end || tree.nodes[at].list) return nothing;
        const Symbol function = symbols_.intern(tree.word(tree.nodes[at++]));
        std::vector<Ground> arguments;
        while (at < node.end) {
            arguments.push_back(find(tree, at));
            if (arguments.back() == nothing) return nothing;
        }
        return terms_.find(function, arguments).value_or(nothing);
    }

    Symbols symbols_;
    ReasonerOptions options_;
    std::string file_;
    GroundTerms terms_;
    std::vector<Ground> roles_;
    mutable std::deque<std::string> texts_;  // filled on demand; references stay good

    std::vector<Relation> relations_;
    std::map<std::pair<Symbol, std::size_t>, std::uint32_t> names_;  // by symbol and number of arguments
    std::vector<EvaluatedRule> rules_;

    Components groups_;
    std::vector<std::vector<std::uint32_t>> group_needs_;
    std::vector<std::vector<std::uint32_t>> group_rules_;
    std::vector<Level> level_;                             // by group
    std::vector<bool> done_;                               // by group
    std::map<Symbol, std::vector<std::uint32_t>> agenda_;  // groups to evaluate, by keyword

    std::optional<State> state_;
    std::optional<Joint> joint_;

    std::map<std::uint32_t, OnDemand> on_demand_;  // by relation
    std::size_t most_rows_ = 0;                    // of the relation that is computed as a whole

    Join join_;  // the one under way
    std::vector<Ground> key_;
    std::uint32_t work_ = 0;
    std::size_t made_ = 0;
};

Reasoner::Reasoner(const Description& game, const ReasonerOptions& options)
    : engine_(std::make_unique<Engine>(game, options)) {}
Reasoner::~Reasoner() = default;
Reasoner::Reasoner(Reasoner&&) noexcept = default;
Reasoner& Reasoner::operator=(Reasoner&&) noexcept = default;

const std::vector<Reasoner::Ground>& Reasoner::roles() const { return engine_->roles(); }

Reasoner::State Reasoner::initial() { return engine_->column(kw_init); }

bool Reasoner::terminal(const State& state) {
    engine_->load(state);
    return engine_->holds(kw_terminal);
}

std::vector<Reasoner::Ground> Reasoner::legal(const State& state, std::size_t role) {
    engine_->load(state);
    return engine_->of_role(kw_legal, role);
}

Reasoner::State Reasoner::next(const State& state, const Joint& joint) {
    engine_->load(state, joint);
    return engine_->column(kw_next);
}

std::vector<Reasoner::Ground> Reasoner::sees(const State& state, const Joint& joint, std::size_t role) {
    engine_->load(state, joint);
    return engine_->of_role(kw_sees, role);
}

std::vector<Reasoner::Ground> Reasoner::goals(const State& state, std::size_t role) {
    engine_->load(state);
    return engine_->of_role(kw_goal, role);
}

std::optional<int> Reasoner::goal(const State& state, std::size_t role) {
    const auto values = goals(state, role);
    if (values.size() != 1) return std::nullopt;
    const std::string& digits = text(values.front());
    int value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

const std::string& Reasoner::text(Ground term) const { return engine_->text(term); }

std::string Reasoner::text(std::span<const Ground> terms) const {
    std::vector<std::string> lines;
    for (const Ground term : terms) lines.push_back(text(term));
    std::sort(lines.begin(), lines.end());
    return fmt::format("{}", fmt::join(lines, "\n"));
}

std::optional<Reasoner::Ground> Reasoner::find(const std::string& text) { return engine_->find(text); }

Hash128 hash(const Reasoner::State& state) {
    Hasher hasher;
    for (const auto fluent : state) hasher.add(fluent);
    return hasher.value();
}

}  // namespace zermelo::gdl
