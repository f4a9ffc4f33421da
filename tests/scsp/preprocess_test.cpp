#include "scsp/preprocess.hpp"

#include <gtest/gtest.h>

#include <set>

#include "assignment.hpp"
#include "core/random.hpp"
#include "scsp/network/gecode_micro.hpp"

namespace zermelo::scsp {
namespace {

// A few variables with small domains and random tables over one to three of them, some over the same ones,
// some that do not care about a variable.
MicroScsp random_tables(std::uint64_t seed) {
    Random random(seed);
    MicroScsp micro;
    const auto variables = static_cast<VariableId>(random.between(2, 5));
    for (VariableId v = 0; v < variables; ++v) {
        Variable variable{Kind::now, Variable::nothing, "x" + std::to_string(v), {}, {}, {}};
        for (Value value = 0; value < static_cast<Value>(random.between(1, 4)) + 1; ++value) {
            variable.values.push_back(std::to_string(value));
            variable.meaning.push_back(Variable::nothing);
            variable.domain.push_back(value);
        }
        micro.variables.push_back(std::move(variable));
    }
    const auto constraints = random.between(1, 7);
    for (std::int64_t c = 0; c < constraints; ++c) {
        std::set<VariableId> scope;
        const auto arity = static_cast<std::size_t>(random.between(1, 3));
        for (std::size_t i = 0; i < arity; ++i)
            scope.insert(static_cast<VariableId>(random.below(variables)));
        Constraint constraint{Rule::other, {scope.begin(), scope.end()}, true, {}, {}};
        const double share = random.chance(0.3) ? 0.9 : 0.5;
        const std::size_t idle = random.chance(0.3) ? random.below(scope.size()) : scope.size();
        std::set<std::vector<Value>> allowed;
        std::vector<Value> tuple(scope.size(), 0);
        for (bool more = true; more;) {
            std::vector<Value> key = tuple;
            if (idle < key.size()) key[idle] = 0;
            if (key == tuple ? random.chance(share) : allowed.contains(key)) allowed.insert(tuple);
            more = false;
            for (std::size_t i = tuple.size(); i-- > 0 && !more;) {
                more = ++tuple[i] < micro.variables[constraint.scope[i]].values.size();
                if (!more) tuple[i] = 0;
            }
        }
        for (const auto& one : allowed)
            constraint.tuples.insert(constraint.tuples.end(), one.begin(), one.end());
        micro.constraints.push_back(std::move(constraint));
    }
    return micro;
}

std::set<Assignment> solutions_by_trying(const MicroScsp& micro) {
    std::set<Assignment> result;
    ConstraintEvaluator evaluator(micro);
    Assignment assignment(micro.variables.size(), 0);
    for (bool more = true; more;) {
        if (is_solution(micro, evaluator, assignment)) result.insert(assignment);
        more = false;
        for (std::size_t v = 0; v < assignment.size() && !more; ++v) {
            more = ++assignment[v] < micro.variables[v].values.size();
            if (!more) assignment[v] = 0;
        }
    }
    return result;
}

TEST(Preprocess, NeverChangesTheSolutions) {
    Preprocessed sum;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const MicroScsp before = random_tables(seed);
        const auto expected = solutions_by_trying(before);
        for (unsigned steps = 0; steps < 16; ++steps) {
            MicroScsp after = before;
            const Preprocessed done = preprocess(after, {.merge = (steps & 1) != 0,
                                                         .unary = (steps & 2) != 0,
                                                         .universal = (steps & 4) != 0,
                                                         .singleton = (steps & 8) != 0});
            ASSERT_EQ(solutions_by_trying(after), expected) << "seed " << seed << ", steps " << steps;
            EXPECT_TRUE(done.complete);
            ASSERT_TRUE((steps & 1) != 0 || done.merged == 0);
            ASSERT_TRUE((steps & 2) != 0 || done.unary + done.unary_values == 0);
            ASSERT_TRUE((steps & 4) != 0 || done.universal + done.emptied == 0);
            ASSERT_TRUE((steps & 8) != 0 || done.singleton_values == 0);
            sum.merged += done.merged;
            sum.unary += done.unary;
            sum.unary_values += done.unary_values;
            sum.universal += done.universal;
            sum.emptied += done.emptied;
            sum.singleton_values += done.singleton_values;
        }
    }
    for (const std::size_t often :
         {sum.merged, sum.unary, sum.unary_values, sum.universal, sum.emptied, sum.singleton_values})
        EXPECT_GT(often, 100U);
}

TEST(Preprocess, ArcConsistencyIsThatOfGecode) {
    std::size_t removed = 0;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        MicroScsp micro = random_tables(seed);
        GecodeMicro root(micro);
        const bool possible = root.status() != Gecode::SS_FAILED;
        std::size_t before = 0;
        for (const auto& variable : micro.variables) before += variable.domain.size();
        ASSERT_EQ(make_arc_consistent(micro), possible) << "seed " << seed;
        if (!possible) continue;
        for (VariableId v = 0; v < micro.variables.size(); ++v) {
            std::vector<Value> left;
            for (Gecode::IntVarValues value(root.values[static_cast<int>(v)]); value(); ++value)
                left.push_back(static_cast<Value>(value.val()));
            ASSERT_EQ(micro.variables[v].domain, left) << "seed " << seed << ", variable " << v;
            before -= left.size();
        }
        removed += before;
    }
    EXPECT_GT(removed, 500U);
}

// x, y, z are three different values of two: no value is refuted alone, every one as a singleton.
TEST(Preprocess, SingletonConsistencySeesWhatArcConsistencyDoesNot) {
    MicroScsp micro;
    for (int v = 0; v < 3; ++v)
        micro.variables.push_back({Kind::now, Variable::nothing, "x", {"0", "1"}, {0, 0}, {0, 1}});
    for (const auto& [a, b] : {std::pair{0U, 1U}, {0U, 2U}, {1U, 2U}})
        micro.constraints.push_back({Rule::other, {a, b}, true, {0, 1, 1, 0}, {}});
    MicroScsp arcs = micro;
    EXPECT_TRUE(make_arc_consistent(arcs));
    EXPECT_EQ(arcs.variables[0].domain.size(), 2U);
    preprocess(micro);
    EXPECT_FALSE(micro.consistent);
}

TEST(Preprocess, CountsWhatEachStepDoes) {
    MicroScsp micro;
    for (int v = 0; v < 2; ++v)
        micro.variables.push_back({Kind::now, Variable::nothing, "x", {"0", "1", "2"}, {0, 0, 0}, {0, 1, 2}});
    micro.constraints.push_back({Rule::other, {0}, true, {0, 1}, {}});
    micro.constraints.push_back({Rule::other, {0, 1}, true, {0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2}, {}});
    micro.constraints.push_back({Rule::other, {0, 1}, true, {0, 0, 0, 1, 1, 0, 1, 1, 2, 0}, {}});
    const Preprocessed done = preprocess(micro);
    EXPECT_EQ(done.merged, 1U);        // the last two
    EXPECT_EQ(done.universal, 1U);     // then x1 is 0 or 1, whatever x0 is
    EXPECT_EQ(done.unary, 2U);         // and that goes into its domain
    EXPECT_EQ(done.unary_values, 2U);  // 2 of both
    EXPECT_TRUE(micro.constraints.empty());
}

}  // namespace
}  // namespace zermelo::scsp
