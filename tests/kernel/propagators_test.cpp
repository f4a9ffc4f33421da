// Every propagator of the trail, one by one against the definition of its constraint: a value that it removes
// is in no solution, a failure means that there is none, full assignments are decided, and `pop` brings every
// domain back. What is a solution comes from enumeration with the checker's evaluation.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "core/random.hpp"
#include "kernel/trail/explanation.hpp"
#include "kernel/trail/post.hpp"
#include "model/globals.hpp"
#include "model/model.hpp"
#include "strategy/rules/evaluate.hpp"
#include "support/random_model.hpp"

namespace zermelo {
namespace {

using kernel::trail::Store;
using Values = std::vector<model::Value>;

class Case {
public:
    explicit Case(std::uint64_t seed) : random(seed) {}

    model::VarId integer() {
        if (!model.variables.empty() && random.chance(0.1)) return any();
        Values values;
        model::Value value = random.between(-3, 2);
        for (auto n = random.between(1, 5); n > 0; --n) {
            values.push_back(value);
            value += random.chance(0.7) ? 1 : random.between(2, 3);
        }
        return model.add_variable("x", model::Domain(values));
    }
    model::VarId wide() {
        return model.add_variable("w", model::Domain(0, random.chance(0.5) ? 3 : 2'000'000));
    }
    model::VarId boolean() {
        return model.add_variable("b", random.chance(0.1) ? model::Domain(1, 1) : model::Domain(0, 1), true);
    }
    model::Literal literal() { return {boolean(), random.chance(0.5)}; }
    std::optional<model::Literal> maybe() {
        return random.chance(0.6) ? std::optional(literal()) : std::nullopt;
    }
    std::vector<model::VarId> integers(std::int64_t least, std::int64_t most) {
        std::vector<model::VarId> all;
        for (auto n = random.between(least, most); n > 0; --n) all.push_back(integer());
        return all;
    }
    // Some values of low … high, now and then one beyond; or a variable once more, or a constant.
    std::vector<model::VarId> within(std::int64_t number, model::Value low, model::Value high) {
        std::vector<model::VarId> all;
        for (; number > 0; --number) {
            if (!all.empty() && random.chance(0.1)) {
                all.push_back(all[random.below(all.size())]);
                continue;
            }
            Values values = {random.between(low, high)};
            for (model::Value value = low - 1; value <= high + 1; ++value) {
                if (random.chance(value < low || value > high ? 0.1 : 0.6)) values.push_back(value);
            }
            all.push_back(values.size() == 1 ? model.constant(values.front())
                                             : model.add_variable("x", model::Domain(values)));
        }
        return all;
    }
    std::vector<model::VarId> constants(std::int64_t number, model::Value low, model::Value high) {
        std::vector<model::VarId> all;
        for (; number > 0; --number) all.push_back(model.constant(random.between(low, high)));
        return all;
    }
    std::vector<model::Literal> literals(std::int64_t least, std::int64_t most) {
        std::vector<model::Literal> all;
        for (auto n = random.between(least, most); n > 0; --n) {
            all.push_back(!all.empty() && random.chance(0.1) ? !all.front() : literal());
        }
        return all;
    }
    model::VarId any() { return static_cast<model::VarId>(random.below(model.variables.size())); }

    Random random;
    model::Model model;
};

using Make = std::function<model::Constraint(Case&)>;

model::Constraint linear(Case& c, bool booleans, std::int64_t most) {
    std::vector<model::Term> terms;
    std::set<model::VarId> seen;
    for (auto n = c.random.between(1, most); n > 0; --n) {
        const model::VarId v = booleans ? c.boolean() : c.integer();
        model::Value coefficient = c.random.between(-3, 3);
        if (coefficient == 0) coefficient = 1;
        if (seen.insert(v).second) terms.push_back({coefficient, v});
    }
    const auto relation = static_cast<model::Relation>(c.random.below(3));
    return {model::Linear{terms, relation, c.random.between(-6, 6), c.maybe()}};
}

model::Constraint arithmetic(Case& c, model::Operation operation) {
    const model::VarId left = c.integer();
    const model::VarId right = c.integer();
    const model::VarId result = c.random.chance(0.3) ? c.wide() : c.integer();
    return {model::Arithmetic{operation, left, right, result}};
}

std::vector<std::pair<std::string, Make>> small_forms() {
    return {
        {"linear", [](Case& c) { return linear(c, false, 4); }},
        {"long linear", [](Case& c) { return linear(c, false, 6); }},
        {"sum of Booleans", [](Case& c) { return linear(c, true, 7); }},
        {"clause",
         [](Case& c) {
             return model::Constraint{model::Clause{c.literals(0, 5), c.maybe()}};
         }},
        {"parity", [](Case& c) { return model::Constraint{model::Parity{c.literals(1, 5)}}; }},
        {"member",
         [](Case& c) {
             const model::VarId x = c.integer();
             return model::Constraint{model::Member{x, model::Domain{-2, 0, 1, 4}, c.maybe()}};
         }},
        {"element",
         [](Case& c) {
             const model::VarId index = c.integer();
             const auto array = c.integers(1, 4);
             return model::Constraint{model::Element{index, array, c.integer()}};
         }},
        {"element of constants",
         [](Case& c) {
             std::vector<model::VarId> array;
             for (auto n = c.random.between(1, 5); n > 0; --n)
                 array.push_back(c.model.constant(c.random.between(-3, 4)));
             const model::VarId index = c.integer();
             return model::Constraint{
                 model::Element{index, array, c.random.chance(0.2) ? c.wide() : c.integer()}};
         }},
        {"times", [](Case& c) { return arithmetic(c, model::Operation::times); }},
        {"divide", [](Case& c) { return arithmetic(c, model::Operation::divide); }},
        {"modulo", [](Case& c) { return arithmetic(c, model::Operation::modulo); }},
        {"power", [](Case& c) { return arithmetic(c, model::Operation::power); }},
        {"extremum",
         [](Case& c) {
             const auto operands = c.integers(1, 4);
             return model::Constraint{model::Extremum{c.random.chance(0.5), operands, c.integer()}};
         }},
        {"table",
         [](Case& c) {
             const auto variables = c.integers(1, 3);
             Values rows;
             for (std::size_t n = c.random.below(9) * variables.size(); n > 0; --n)
                 rows.push_back(c.random.between(-3, 4));
             return model::Constraint{model::Table{variables, rows, c.maybe()}};
         }},
        {"all different", [](Case& c) { return model::Constraint{model::AllDifferent{c.integers(2, 4)}}; }},
        {"count",
         [](Case& c) {
             const auto variables = c.integers(1, 4);
             const model::VarId value =
                 c.random.chance(0.5) ? c.model.constant(c.random.between(-2, 3)) : c.integer();
             return model::Constraint{model::Count{variables, value, c.integer()}};
         }},
    };
}

// ---- global constraints: instances of each signature

using Arguments = std::vector<std::vector<model::VarId>>;

Arguments circuit(Case& c) {
    const auto n = c.random.between(1, 4);
    const auto offset = c.random.between(-1, 2);
    return {c.within(n, offset, offset + n - 1), {c.model.constant(offset)}};
}

Arguments inverse(Case& c) {
    const auto n = c.random.between(1, 3);
    const auto first = c.random.between(-1, 2);
    const auto second = c.random.between(-1, 2);
    return {c.within(n, second, second + n - 1),
            {c.model.constant(first)},
            c.within(n, first, first + n - 1),
            {c.model.constant(second)}};
}

Arguments cardinality(Case& c) {
    const auto values = c.random.between(1, 2);
    return {c.within(c.random.between(1, 3), -1, 2), c.constants(values, -1, 2), c.within(values, 0, 2)};
}

Arguments bounded_cardinality(Case& c) {
    const auto values = c.random.between(1, 3);
    return {c.within(c.random.between(1, 4), -1, 2), c.constants(values, -1, 2), c.constants(values, 0, 1),
            c.constants(values, 0, 3)};
}

Arguments cumulative(Case& c) {
    const auto n = c.random.between(1, 4);
    return {c.within(n, -2, 3), c.constants(n, 0, 3), c.constants(n, 0, 3), c.constants(1, 0, 4)};
}

Arguments two_words(Case& c) {
    const auto left = c.random.between(0, 3);
    return {c.within(left, -1, 2), c.within(c.random.chance(0.7) ? left : c.random.between(0, 3), -1, 2)};
}

Arguments nvalue(Case& c) { return {c.within(1, 1, 3), c.within(c.random.between(1, 4), -1, 2)}; }

Arguments sorted(Case& c) {
    const auto n = c.random.between(1, 3);
    return {c.within(n, -1, 2), c.within(n, -1, 2)};
}

Arguments regular(Case& c) {
    const auto states = c.random.between(1, 3);
    const auto symbols = c.random.between(1, 3);
    return {c.within(c.random.between(0, 4), 1, symbols),
            {c.model.constant(states)},
            {c.model.constant(symbols)},
            c.constants(states * symbols, 0, states),
            c.constants(1, 1, states),
            c.constants(c.random.between(1, 2), 1, states)};
}

Arguments bin_packing(Case& c) {
    const auto bins = c.random.between(1, 2);
    const auto items = c.random.between(1, 3);
    const auto offset = c.random.between(-1, 1);
    return {c.within(bins, 0, 4),
            c.within(items, offset, offset + bins - 1),
            c.constants(items, 0, 3),
            {c.model.constant(offset)}};
}

Arguments precedence(Case& c) {
    return {c.constants(1, -1, 2), c.constants(1, -1, 2), c.within(c.random.between(1, 4), -1, 2)};
}

const std::map<std::string_view, Arguments (*)(Case&)>& instances() {
    static const std::map<std::string_view, Arguments (*)(Case&)> all = {
        {"zermelo_circuit", circuit},
        {"zermelo_inverse", inverse},
        {"zermelo_global_cardinality", cardinality},
        {"zermelo_global_cardinality_low_up", bounded_cardinality},
        {"zermelo_cumulative", cumulative},
        {"zermelo_lex_less", two_words},
        {"zermelo_lex_lesseq", two_words},
        {"zermelo_nvalue", nvalue},
        {"zermelo_sort", sorted},
        {"zermelo_regular", regular},
        {"zermelo_bin_packing_load", bin_packing},
        {"zermelo_value_precede", precedence},
    };
    return all;
}

// Every signature has to have instances: `at` throws for a new one that has none.
const std::vector<std::pair<std::string, Make>>& forms() {
    static const std::vector<std::pair<std::string, Make>> all = [] {
        auto some = small_forms();
        for (const model::GlobalSignature& signature : model::global_signatures()) {
            const std::string name(signature.name);
            some.emplace_back(name, [name, make = instances().at(signature.name)](Case& c) {
                return model::Constraint{model::Global{name, make(c)}};
            });
        }
        return some;
    }();
    return all;
}

Values domain_of(const Store& store, model::VarId v) {
    if (store.size(v) > 100) return {store.low(v), store.high(v)};  // a wide domain: no holes
    Values values;
    store.each_value(v, [&](model::Value value) { values.push_back(value); });
    return values;
}

// Of a wide domain: whatever the others can make, and its end.
const Values& samples() {
    static const Values all = [] {
        Values values(300);
        std::iota(values.begin(), values.end(), 0);
        for (model::Value base = 2; base < 20; ++base) {
            for (model::Value power = base; power < 2'000'000; power *= base) values.push_back(power);
        }
        values.push_back(2'000'000);
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        return values;
    }();
    return all;
}

class Enumeration {
public:
    Enumeration(const Case& c, const model::Constraint& constraint, const Store& store)
        : constraint_(constraint), play_(c.model.variables.size()), seen_(c.model.variables.size()) {
        for (std::size_t v = 0; v < play_.size(); ++v) {
            domains_.push_back(
                store.high(static_cast<model::VarId>(v)) - store.low(static_cast<model::VarId>(v)) > 100
                    ? samples()
                    : domain_of(store, static_cast<model::VarId>(v)));
            std::erase_if(domains_.back(), [&](model::Value value) {
                return !store.allows(static_cast<model::VarId>(v), value);
            });
        }
        enumerate(0);
    }
    [[nodiscard]] bool none() const { return found_.empty(); }
    [[nodiscard]] bool has(model::VarId v, model::Value value) const { return seen_[v].contains(value); }
    [[nodiscard]] const std::vector<Values>& found() const { return found_; }
    [[nodiscard]] const std::vector<Values>& others() const { return others_; }

private:
    void enumerate(std::size_t v) {
        if (v < play_.size()) {
            for (const model::Value value : domains_[v]) {
                play_[v] = value;
                enumerate(v + 1);
            }
            return;
        }
        strategy::Intervals known;
        for (const model::Value value : play_) known.push_back({value, value});
        if (strategy::truth(constraint_, known) != strategy::Truth::yes) {
            if (others_.size() < 200) others_.push_back(play_);
            return;
        }
        found_.push_back(play_);
        for (std::size_t i = 0; i < play_.size(); ++i) seen_[i].insert(play_[i]);
    }

    const model::Constraint& constraint_;
    Values play_;
    std::vector<Values> domains_;
    std::vector<std::set<model::Value>> seen_;
    std::vector<Values> found_;
    std::vector<Values> others_;
};

void check(const std::string& form, const Make& make, std::uint64_t seed) {
    Case c(seed);
    const model::Constraint constraint = make(c);
    const bool waits = c.random.chance(0.2);
    Store store(c.model.variables.size());
    for (std::size_t v = 0; v < c.model.variables.size(); ++v)
        store.create(static_cast<model::VarId>(v), c.model.variables[v].domain);
    post(store, constraint, waits ? 0 : -1);
    const std::string where = form + ", seed " + std::to_string(seed);

    const Enumeration all(c, constraint, store);
    if (!store.propagate()) {  // before the first push: what acts once has acted
        ASSERT_TRUE(all.none()) << where << " fails although there is a solution";
        return;
    }

    // Down a few random steps: after each, what is gone had no support, and what is full is decided.
    std::vector<std::vector<Values>> before;
    for (int step = 0; step < 6; ++step) {
        std::vector<Values> now;
        for (std::size_t v = 0; v < c.model.variables.size(); ++v)
            now.push_back(domain_of(store, static_cast<model::VarId>(v)));
        before.push_back(now);
        const Enumeration solutions(c, constraint, store);
        store.push();
        if (waits && step == 0) store.reach(1);
        if (!store.propagate()) {
            ASSERT_TRUE(solutions.none()) << where << " fails although there is a solution";
            break;
        }
        bool all_fixed = true;
        for (std::size_t i = 0; i < c.model.variables.size(); ++i) {
            const auto v = static_cast<model::VarId>(i);
            all_fixed = all_fixed && store.fixed(v);
            for (const model::Value value : now[i]) {
                ASSERT_TRUE(store.allows(v, value) || !solutions.has(v, value))
                    << where << " removes " << value << " from variable " << v << ", which a solution has";
            }
        }
        if (all_fixed) {
            ASSERT_FALSE(solutions.none()) << where << " lets all variables have values that are no solution";
            break;
        }
        // Some open variable loses a value, or gets one.
        model::VarId v = c.any();
        while (store.fixed(v)) v = c.any();
        const Values values = domain_of(store, v);
        const model::Value value = values[c.random.below(values.size())];
        store.push();
        const bool kept = c.random.chance(0.5) ? store.assign(v, value) : store.remove(v, value);
        ASSERT_TRUE(kept) << where;
        before.push_back({});
    }
    // Back again, and then every full assignment.
    while (!before.empty()) {
        store.pop();
        for (std::size_t v = 0; v < before.back().size(); ++v) {
            ASSERT_EQ(domain_of(store, static_cast<model::VarId>(v)), before.back()[v])
                << where << " is not taken back";
        }
        before.pop_back();
    }
    const auto decided = [&](const Values& play) {
        store.push();
        if (waits) store.reach(1);
        bool holds = true;
        for (std::size_t v = 0; v < play.size() && holds; ++v)
            holds = store.assign(static_cast<model::VarId>(v), play[v]);
        holds = holds && store.propagate();
        store.pop();
        return holds;
    };
    for (const Values& play : all.found()) ASSERT_TRUE(decided(play)) << where << " refuses a solution";
    for (const Values& play : all.others()) ASSERT_FALSE(decided(play)) << where << " accepts what is none";
}

// ---- explanations

bool obeys(const kernel::trail::Fact& fact, const Values& play) {
    using Kind = kernel::trail::Fact::Kind;
    const model::Value value = fact.kind == Kind::failure ? 0 : play[static_cast<std::size_t>(fact.variable)];
    switch (fact.kind) {
        case Kind::failure:
            return false;
        case Kind::low:
            return value >= fact.value;
        case Kind::high:
            return value <= fact.value;
        case Kind::gone:
            return value != fact.value;
        case Kind::equal:
            return value == fact.value;
    }
    return false;
}

// Every solution that has the premises has the fact.
void implied(const kernel::trail::Explanation::Step& step, const std::vector<Values>& solutions,
             const std::string& where) {
    for (const Values& play : solutions) {
        const bool premises = std::all_of(step.premises.begin(), step.premises.end(),
                                          [&](const auto& fact) { return obeys(fact, play); });
        std::string text = where + ": kind " + std::to_string(static_cast<int>(step.fact.kind)) + " of " +
                           std::to_string(step.fact.variable) + " value " + std::to_string(step.fact.value) +
                           ", premises";
        for (const auto& fact : step.premises)
            text += " (" + std::to_string(static_cast<int>(fact.kind)) + ", " +
                    std::to_string(fact.variable) + ", " + std::to_string(fact.value) + ")";
        ASSERT_TRUE(!premises || obeys(step.fact, play)) << text;
    }
}

// A random play of moves that fix a variable or, as if another constraint had done so, take a value from it. Each
// change and each failure is explained, one step back and down to the moves. A watched variable loses nothing.
void check_explanations(const std::string& form, const Make& make, std::uint64_t seed) {
    Case c(seed);
    const model::Constraint constraint = make(c);
    Store store(c.model.variables.size(), true);
    for (std::size_t v = 0; v < c.model.variables.size(); ++v)
        store.create(static_cast<model::VarId>(v), c.model.variables[v].domain);
    if (!c.model.variables.empty() && c.random.chance(0.2)) store.watch_values(c.any());
    post(store, constraint, -1);
    const std::string where = form + ", seed " + std::to_string(seed);
    const Enumeration all(c, constraint, store);
    if (!store.propagate()) return;
    kernel::trail::Explanation explanation(store);
    std::vector<kernel::trail::Fact> moves;
    for (int step = 0; step < 8; ++step) {
        std::vector<model::VarId> open;
        for (std::size_t v = 0; v < c.model.variables.size(); ++v) {
            if (!store.fixed(static_cast<model::VarId>(v))) open.push_back(static_cast<model::VarId>(v));
        }
        if (open.empty()) return;
        const model::VarId v = open[c.random.below(open.size())];
        const Values values = domain_of(store, v);
        const model::Value value = values[c.random.below(values.size())];
        store.push();
        store.playing(v);
        store.begin({Store::Origin::Kind::move});
        const std::size_t before = store.changes().size();
        const bool fixes = c.random.chance(0.5);
        moves.push_back(
            {fixes ? kernel::trail::Fact::Kind::equal : kernel::trail::Fact::Kind::gone, v, value});
        ASSERT_TRUE(fixes ? store.assign(v, value) : store.remove(v, value)) << where;
        const bool kept = store.propagate();
        for (std::size_t i = before; i < store.changes().size(); ++i) {
            for (const auto& made : explanation.steps_of(i)) {
                if (made.moved) continue;
                ASSERT_NO_FATAL_FAILURE(implied(made, all.found(), where));
            }
        }
        if (kept) continue;
        const model::VarId refuted = store.refuted();
        kernel::trail::Explanation::Step failure = explanation.step_of_failure();
        if (refuted >= 0) failure.fact = {kernel::trail::Fact::Kind::gone, refuted, store.refuting()};
        ASSERT_NO_FATAL_FAILURE(implied(failure, all.found(), where + ", failure"));
        // Down to the moves.
        kernel::trail::Explanation::Step whole{failure.fact, {}, false};
        for (const model::VarId moved : explanation.failure()) {
            std::copy_if(moves.begin(), moves.end(), std::back_inserter(whole.premises),
                         [&](const kernel::trail::Fact& fact) { return fact.variable == moved; });
        }
        ASSERT_NO_FATAL_FAILURE(implied(whole, all.found(), where + ", moves"));
        return;
    }
}

TEST(Propagators, ExplainEveryChangeAndFailure) {
    for (const auto& [form, make] : forms()) {
        for (const auto seed : seeds(1000)) ASSERT_NO_FATAL_FAILURE(check_explanations(form, make, seed));
    }
}

TEST(Propagators, RemoveOnlyWhatNoSolutionHasAndDecideEveryAssignment) {
    for (const auto& [form, make] : forms()) {
        for (const auto seed : seeds(1500)) ASSERT_NO_FATAL_FAILURE(check(form, make, seed));
    }
}

}  // namespace
}  // namespace zermelo
