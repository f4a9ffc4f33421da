// Every propagator of the trail, one by one against the definition of its constraint: a value that it removes
// is in no solution, a failure means that there is none, full assignments are decided, and `pop` brings every
// domain back. What is a solution comes from enumeration with the checker's evaluation.

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "constraint_cases.hpp"
#include "kernel/trail/explanation.hpp"
#include "kernel/trail/post.hpp"
#include "strategy/rules/evaluate.hpp"
#include "support/random_model.hpp"

namespace zermelo {
namespace {

using constraint_cases::Case;
using constraint_cases::forms;
using constraint_cases::Make;
using constraint_cases::Values;
using kernel::trail::Store;

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
        // A value at a bound is not taken: the new bound would also follow from what gave the variable the old one,
        // and moves name no reasons. Those of a search fix their variables.
        const bool fixes = value == values.front() || value == values.back() || c.random.chance(0.5);
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
