// The FlatZinc reader: what each constraint means, what becomes of the prefix, and where each mistake is
// found.

#include "model/flatzinc/flatzinc.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <set>
#include <sstream>

#include "core/random.hpp"
#include "model/holds.hpp"

namespace zermelo {
namespace {

model::Model from_flatzinc(const std::string& text) {
    std::istringstream input(text);
    return model::read_flatzinc(input, "f.fzn");
}

std::string flatzinc_complaint(const std::string& text) {
    try {
        from_flatzinc(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

bool accepts(const model::Model& model, const Play& play) {
    return std::all_of(model.constraints.begin(), model.constraints.end(),
                       [&](const model::Constraint& c) { return std::visit(Holds{play}, c.body); });
}

// Whether some values of the `extra` variables from `next` on complete the play.
bool can_complete(const model::Model& model, const std::vector<bool>& extra, Play& play, std::size_t next) {
    if (next == model.variables.size()) return accepts(model, play);
    if (!extra[next]) return can_complete(model, extra, play, next + 1);
    bool possible = false;
    model.variables[next].domain.each([&](model::Value value) {
        play[next] = value;
        possible = possible || can_complete(model, extra, play, next + 1);
    });
    return possible;
}

struct Xyzabr {
    model::Value x, y, z, a, b, r;
};

// One constraint over x, y, z in -2..3 and the Booleans a, b, r means exactly `meaning`.
void expect_means(const std::string& constraint, const std::function<bool(const Xyzabr&)>& meaning) {
    std::string text;
    for (const char* name : {"x", "y", "z"}) text += fmt::format("var -2..3: {}:: output_var;\n", name);
    for (const char* name : {"a", "b", "r"}) text += fmt::format("var bool: {}:: output_var;\n", name);
    const model::Model model = from_flatzinc(text + "constraint " + constraint + ";\nsolve satisfy;\n");
    std::vector<bool> extra(model.variables.size(), true);
    for (const model::Output& output : model.outputs)
        extra[static_cast<std::size_t>(output.variables[0])] = false;
    Play play(model.variables.size());
    for (model::Value code = 0; code < 6 * 6 * 6 * 8; ++code) {
        const Xyzabr v{code % 6 - 2,   code / 6 % 6 - 2, code / 36 % 6 - 2,
                       code / 216 % 2, code / 432 % 2,   code / 864};
        const std::array<model::Value, 6> values = {v.x, v.y, v.z, v.a, v.b, v.r};
        for (std::size_t i = 0; i < 6; ++i)
            play[static_cast<std::size_t>(model.outputs[i].variables[0])] = values[i];
        bool agrees = true;  // an integer and a Boolean may have become one variable
        for (std::size_t i = 0; i < 6; ++i) {
            agrees = agrees && play[static_cast<std::size_t>(model.outputs[i].variables[0])] == values[i];
        }
        ASSERT_EQ(agrees && can_complete(model, extra, play, 0), meaning(v))
            << constraint << " at x=" << v.x << " y=" << v.y << " z=" << v.z << " a=" << v.a << " b=" << v.b
            << " r=" << v.r;
    }
}

TEST(FlatZinc, IntegerComparisonsMeanWhatTheySay) {
    expect_means("int_eq(x,y)", [](const auto& v) { return v.x == v.y; });
    expect_means("int_ne(x,y)", [](const auto& v) { return v.x != v.y; });
    expect_means("int_le(x,y)", [](const auto& v) { return v.x <= v.y; });
    expect_means("int_lt(x,y)", [](const auto& v) { return v.x < v.y; });
    expect_means("int_lt(x,x)", [](const auto&) { return false; });
    expect_means("int_le(x,x)", [](const auto&) { return true; });
    expect_means("int_eq_reif(x,y,r)", [](const auto& v) { return v.r == (v.x == v.y); });
    expect_means("int_ne_reif(x,2,r)", [](const auto& v) { return v.r == (v.x != 2); });
    expect_means("int_le_reif(x,y,false)", [](const auto& v) { return v.x > v.y; });
    expect_means("int_eq_reif(x,y,false)", [](const auto& v) { return v.x != v.y; });
    expect_means("int_lt_reif(3,2,r)", [](const auto& v) { return v.r == 0; });
    expect_means("int_lt_imp(x,y,r)", [](const auto& v) { return v.r == 0 || v.x < v.y; });
    expect_means("int_lt_imp(x,y,true)", [](const auto& v) { return v.x < v.y; });
    expect_means("int_lt_imp(x,y,false)", [](const auto&) { return true; });
}

TEST(FlatZinc, LinearConstraintsMeanWhatTheySay) {
    expect_means("int_lin_eq([1,2,-1],[x,y,z],1)", [](const auto& v) { return v.x + 2 * v.y - v.z == 1; });
    expect_means("int_lin_ne([1,1],[x,x],2)", [](const auto& v) { return 2 * v.x != 2; });
    expect_means("int_lin_le([1,-1],[x,2],0)", [](const auto& v) { return v.x <= 2; });
    expect_means("int_lin_le_reif([1,1],[x,y],1,r)", [](const auto& v) { return v.r == (v.x + v.y <= 1); });
    expect_means("int_lin_eq_reif([],[],0,r)", [](const auto& v) { return v.r == 1; });
    expect_means("bool_lin_eq([1,2],[a,b],x)", [](const auto& v) { return v.a + 2 * v.b == v.x; });
    expect_means("bool_lin_le([1,2],[a,b],2)", [](const auto& v) { return v.a + 2 * v.b <= 2; });
    expect_means("bool_lin_gt([1,2],[a,b],x)", [](const auto& v) { return v.a + 2 * v.b > v.x; });
    expect_means("int_plus(x,y,z)", [](const auto& v) { return v.x + v.y == v.z; });
    expect_means("int_minus(x,y,z)", [](const auto& v) { return v.x - v.y == v.z; });
}

TEST(FlatZinc, ArithmeticMeansWhatItSays) {
    expect_means("int_times(x,y,z)", [](const auto& v) { return v.x * v.y == v.z; });
    expect_means("int_times(x,2,z)", [](const auto& v) { return 2 * v.x == v.z; });
    expect_means("int_div(x,y,z)", [](const auto& v) { return v.y != 0 && v.x / v.y == v.z; });
    expect_means("int_mod(x,y,z)", [](const auto& v) { return v.y != 0 && v.x % v.y == v.z; });
    expect_means("int_mod(x,0,z)", [](const auto&) { return false; });
    expect_means("int_pow(x,y,z)", [](const auto& v) {
        model::Value power = 1;
        for (model::Value i = 0; i < v.y; ++i) power *= v.x;
        return v.y >= 0 && power == v.z;
    });
    expect_means("int_pow(2,0,z)", [](const auto& v) { return v.z == 1; });
    expect_means("int_abs(x,y)", [](const auto& v) { return std::abs(v.x) == v.y; });
    expect_means("int_abs(-2,y)", [](const auto& v) { return v.y == 2; });
    expect_means("int_max(x,y,z)", [](const auto& v) { return std::max(v.x, v.y) == v.z; });
    expect_means("int_min(x,1,z)", [](const auto& v) { return std::min<model::Value>(v.x, 1) == v.z; });
    expect_means("array_int_maximum(z,[x,y,0])", [](const auto& v) {
        return std::max({v.x, v.y, model::Value{0}}) == v.z;
    });
    expect_means("array_int_minimum(z,[x])", [](const auto& v) { return v.x == v.z; });
    expect_means("set_in(x,{-1,2,9})", [](const auto& v) { return v.x == -1 || v.x == 2; });
    expect_means("set_in_reif(x,0..1,r)", [](const auto& v) { return v.r == (v.x == 0 || v.x == 1); });
    expect_means("set_in_reif(x,0..1,false)", [](const auto& v) { return v.x < 0 || v.x > 1; });
    expect_means("set_in_reif(5,0..1,r)", [](const auto& v) { return v.r == 0; });
}

TEST(FlatZinc, BooleanConstraintsMeanWhatTheySay) {
    expect_means("bool2int(a,x)", [](const auto& v) { return v.a == v.x; });
    expect_means("bool_eq(a,b)", [](const auto& v) { return v.a == v.b; });
    expect_means("bool_eq(a,false)", [](const auto& v) { return v.a == 0; });
    expect_means("bool_eq_reif(a,b,r)", [](const auto& v) { return v.r == (v.a == v.b); });
    expect_means("bool_not(a,b)", [](const auto& v) { return v.a != v.b; });
    expect_means("bool_ne_reif(a,b,r)", [](const auto& v) { return v.r == (v.a != v.b); });
    expect_means("bool_xor(a,b)", [](const auto& v) { return v.a != v.b; });
    expect_means("bool_xor(a,b,r)", [](const auto& v) { return v.r == (v.a != v.b); });
    expect_means("bool_xor(a,true,r)", [](const auto& v) { return v.r != v.a; });
    expect_means("bool_le(a,b)", [](const auto& v) { return v.a <= v.b; });
    expect_means("bool_lt(a,b)", [](const auto& v) { return v.a < v.b; });
    expect_means("bool_lt_reif(a,b,r)", [](const auto& v) { return v.r == (v.a < v.b); });
    expect_means("bool_and(a,b,r)", [](const auto& v) { return v.r == (v.a && v.b); });
    expect_means("bool_or(a,b,r)", [](const auto& v) { return v.r == (v.a || v.b); });
    expect_means("bool_or_reif(a,b,true,r)", [](const auto& v) { return v.r == (v.a || v.b); });
    expect_means("bool_and_reif(a,b,b,r)", [](const auto& v) { return v.r == ((v.a && v.b) == v.b); });
    expect_means("array_bool_and([a,b,true],r)", [](const auto& v) { return v.r == (v.a && v.b); });
    expect_means("array_bool_or([a,b],true)", [](const auto& v) { return v.a || v.b; });
    expect_means("array_bool_or([a,b],false)", [](const auto& v) { return !v.a && !v.b; });
    expect_means("array_bool_and([],r)", [](const auto& v) { return v.r == 1; });
    expect_means("array_bool_xor([a,b,r])", [](const auto& v) { return (v.a + v.b + v.r) % 2 == 1; });
    expect_means("array_bool_xor([a,a,r,true])", [](const auto& v) { return v.r == 0; });
    expect_means("bool_clause([a],[b])", [](const auto& v) { return v.a || !v.b; });
    expect_means("bool_clause([],[])", [](const auto&) { return false; });
    expect_means("bool_clause([a],[a])", [](const auto&) { return true; });
    expect_means("bool_clause_reif([a],[b],r)", [](const auto& v) { return v.r == (v.a || !v.b); });
}

TEST(FlatZinc, ElementsTablesAndChoicesMeanWhatTheySay) {
    expect_means("array_int_element(x,[3,1,2],y)",
                 [](const auto& v) { return v.x >= 1 && v.x <= 3 && v.y == (v.x == 1 ? 3 : v.x - 1); });
    expect_means("array_int_element(2,[3,1,2],y)", [](const auto& v) { return v.y == 1; });
    expect_means("array_int_element(4,[3,1,2],y)", [](const auto&) { return false; });
    expect_means("array_var_int_element(x,[y,z],1)",
                 [](const auto& v) { return (v.x == 1 && v.y == 1) || (v.x == 2 && v.z == 1); });
    expect_means("array_bool_element(x,[true,false],a)",
                 [](const auto& v) { return (v.x == 1 && v.a) || (v.x == 2 && !v.a); });
    expect_means("array_var_bool_element(x,[a,b],r)",
                 [](const auto& v) { return (v.x == 1 && v.a == v.r) || (v.x == 2 && v.b == v.r); });
    expect_means("fzn_if_then_else_var_int([a,b,true],[x,y,1],z)", [](const auto& v) {
        return v.z == (v.a ? v.x : v.b ? v.y : 1);
    });
    expect_means("fzn_if_then_else_bool([a,true,true],[false,true,false],r)",
                 [](const auto& v) { return v.r == !v.a; });
    expect_means("fzn_if_then_else_int([false,true],[1,2],x)", [](const auto& v) { return v.x == 2; });
    expect_means("fzn_all_different_int([x,y,z])",
                 [](const auto& v) { return v.x != v.y && v.y != v.z && v.x != v.z; });
    expect_means("fzn_count_eq([x,y],1,z)", [](const auto& v) { return (v.x == 1) + (v.y == 1) == v.z; });
    expect_means("zermelo_table_int([x,y],[1,2,3,3])",
                 [](const auto& v) { return (v.x == 1 && v.y == 2) || (v.x == 3 && v.y == 3); });
    expect_means("zermelo_table_int_reif([x,y],[1,2],r)",
                 [](const auto& v) { return v.r == (v.x == 1 && v.y == 2); });
    expect_means("zermelo_table_int_reif([x,y],[1,2],false)",
                 [](const auto& v) { return v.x != 1 || v.y != 2; });
    expect_means("zermelo_table_bool([a,b],[true,false])", [](const auto& v) { return v.a && !v.b; });
    expect_means("zermelo_table_int([x],[])", [](const auto&) { return false; });
    expect_means("zermelo_lex_less([x,1],[y,z])",
                 [](const auto& v) { return v.x < v.y || (v.x == v.y && 1 < v.z); });
    expect_means("zermelo_nvalue(x,[y,z])", [](const auto& v) { return v.x == (v.y == v.z ? 1 : 2); });
}

// ---- variables, names, outputs, goals

TEST(FlatZinc, ABooleanAndItsIntegerAreOneVariable) {
    const model::Model model = from_flatzinc(
        "var bool: X_INTRODUCED_1_; var 0..1: i;\n"
        "constraint bool2int(X_INTRODUCED_1_,i);\nsolve satisfy;\n");
    ASSERT_EQ(model.variables.size(), 1U);
    EXPECT_EQ(model.name_of(0), "i");
    EXPECT_TRUE(model.variables[0].boolean);
}

TEST(FlatZinc, ElementsOfAnArrayAreNamedAfterIt) {
    const model::Model model = from_flatzinc(
        "var 1..4: X_INTRODUCED_0_; var 1..4: X_INTRODUCED_1_; var 1..4: y:: output_var;\n"
        "array [1..4] of var int: zs:: output_array([0..1,1..2]) = "
        "[X_INTRODUCED_0_,X_INTRODUCED_1_,y,3];\nsolve satisfy;\n");
    EXPECT_EQ(model.name_of(0), "zs[0,1]");
    EXPECT_EQ(model.name_of(1), "zs[0,2]");
    EXPECT_EQ(model.name_of(2), "y");
    ASSERT_EQ(model.outputs.size(), 2U);
    EXPECT_EQ(model.outputs[0].name, "y");
    EXPECT_EQ(model.outputs[1].name, "zs");
    EXPECT_EQ(model.outputs[1].variables.size(), 4U);
    EXPECT_EQ(model.outputs[1].index_sets,
              (std::vector<model::Domain>{model::Domain(0, 1), model::Domain(1, 2)}));
}

TEST(FlatZinc, DefinesVarIsKept) {
    const model::Model model = from_flatzinc(
        "var 1..3: x; var 0..9: y:: is_defined_var;\n"
        "constraint int_lin_eq([2,-1],[x,y],0):: defines_var(y);\nsolve satisfy;\n");
    ASSERT_EQ(model.constraints.size(), 1U);
    EXPECT_EQ(model.constraints[0].defines, 1);
    ASSERT_EQ(model.prefix.size(), 1U);
    EXPECT_EQ(model.prefix[0].variables, std::vector<model::VarId>{0});
}

TEST(FlatZinc, MinimisingIsMaximisingTheOpposite) {
    EXPECT_EQ(from_flatzinc("var 1..3: x; solve maximize x;").objective, 0);
    const model::Model model = from_flatzinc("var 1..3: x; solve minimize x;");
    ASSERT_TRUE(model.objective);
    EXPECT_EQ(model.name_of(*model.objective), "-x");
    EXPECT_EQ(model.domain(*model.objective), model::Domain(-3, -1));
    ASSERT_EQ(model.constraints.size(), 1U);
    EXPECT_EQ(model.constraints[0].defines, model.objective);
}

TEST(FlatZinc, AVariableWithAValueIsThatValue) {
    const model::Model model = from_flatzinc(
        "var 1..3: x:: output_var = 2; var 1..3: y; var 1..2: z = y;\n"
        "constraint int_le(x,z);\nsolve satisfy;\n");
    ASSERT_EQ(model.outputs.size(), 1U);
    EXPECT_EQ(model.domain(model.outputs[0].variables[0]), model::Domain(2, 2));
    ASSERT_EQ(model.constraints.size(), 2U);  // y in 1..2 and 2 <= y
    EXPECT_TRUE(std::holds_alternative<model::Member>(model.constraints[0].body));
}

// ---- the prefix

const std::string two_moves = "var 1..3: x; var 1..3: y; var bool: w;\n";

TEST(FlatZinc, BlocksAreOrderedByLevelAndJoined) {
    const model::Model model = from_flatzinc(two_moves +
                                             "constraint zermelo_block(2,true,[y],[1..3]);\n"
                                             "constraint zermelo_block(1,false,[x],[1..3]);\n"
                                             "constraint zermelo_bool_block(2,true,[w]);\n"
                                             "constraint zermelo_win(w);\nsolve satisfy;\n");
    ASSERT_EQ(model.prefix.size(), 2U);
    EXPECT_EQ(model.prefix[0].quantifier, model::Quantifier::exists);
    EXPECT_EQ(model.prefix[0].variables, std::vector<model::VarId>{0});
    EXPECT_EQ(model.prefix[1].quantifier, model::Quantifier::forall);
    EXPECT_EQ(model.prefix[1].variables, (std::vector<model::VarId>{1, 2}));
    EXPECT_EQ(model.win, std::vector<model::Literal>{model::Literal{2}});
}

TEST(FlatZinc, AMoveKeepsItsDeclaredDomainAndTheNarrowingBecomesADemand) {
    const model::Model model =
        from_flatzinc("var 2..3: y;\nconstraint zermelo_block(1,true,[y],[1..3]);\nsolve satisfy;\n");
    EXPECT_EQ(model.domain(0), model::Domain(1, 3));
    ASSERT_EQ(model.constraints.size(), 1U);
    EXPECT_EQ(std::get<model::Member>(model.constraints[0].body).set, model::Domain(2, 3));
}

TEST(FlatZinc, AMoveReplacedByAConstantComesBack) {
    const model::Model model =
        from_flatzinc("constraint zermelo_block(2,true,[3],[1..3]);\nsolve satisfy;\n");
    ASSERT_EQ(model.prefix.size(), 1U);
    const model::VarId move = model.prefix[0].variables.at(0);
    EXPECT_EQ(model.name_of(move), "level2[1]");
    EXPECT_EQ(model.domain(move), model::Domain(1, 3));
    ASSERT_EQ(model.constraints.size(), 1U);
    EXPECT_EQ(std::get<model::Member>(model.constraints[0].body).set, model::Domain(3, 3));
}

TEST(FlatZinc, AMoveThatIsAnotherNameForAMoveBecomesAnEqualOne) {
    const model::Model model = from_flatzinc(
        "var 1..3: z; var 1..3: x = z;\nconstraint zermelo_block(1,false,[x],[1..3]);\n"
        "constraint zermelo_block(2,true,[z],[1..3]);\nsolve satisfy;\n");
    ASSERT_EQ(model.prefix.size(), 2U);
    EXPECT_NE(model.prefix[0].variables, model.prefix[1].variables);
    ASSERT_EQ(model.constraints.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<model::Linear>(model.constraints[0].body));
}

TEST(FlatZinc, SeveralRulesOfALevelAreOneConjunction) {
    const model::Model model = from_flatzinc(
        "var 1..3: y; var bool: a; var bool: b;\n"
        "constraint zermelo_block(1,true,[y],[1..3]);\n"
        "constraint zermelo_rule(1,a);\nconstraint zermelo_rule(1,b);\n"
        "constraint zermelo_rule(1,true);\nsolve satisfy;\n");
    ASSERT_TRUE(model.prefix[0].rule);
    ASSERT_EQ(model.constraints.size(), 1U);
    EXPECT_EQ(model.constraints[0].defines, model.prefix[0].rule->variable);
    EXPECT_EQ(std::get<model::Clause>(model.constraints[0].body).literals.size(), 2U);
}

TEST(FlatZinc, WhatIsFalseStaysADemandThatFails) {
    for (const char* text :
         {"constraint bool_eq(false,true);\nsolve satisfy;", "constraint int_le(3,2);\nsolve satisfy;",
          "constraint bool_clause([false],[true]);\nsolve satisfy;"}) {
        const model::Model model = from_flatzinc(text);
        ASSERT_EQ(model.constraints.size(), 1U) << text;
        EXPECT_TRUE(std::get<model::Clause>(model.constraints[0].body).literals.empty()) << text;
    }
    EXPECT_EQ(from_flatzinc("constraint zermelo_win(false); solve satisfy;").win.size(), 1U);
}

TEST(FlatZinc, CutsAndValuesAreRead) {
    const model::Model model = from_flatzinc(
        two_moves + "constraint zermelo_cut([w],false);\nconstraint zermelo_value(x);\nsolve satisfy;\n");
    ASSERT_EQ(model.cuts.size(), 1U);
    EXPECT_EQ(model.cuts[0].when, std::vector<model::Literal>{model::Literal{2}});
    EXPECT_EQ(model.objective, 0);
}

// ---- mistakes

TEST(FlatZinc, EveryMistakeIsFoundAtItsPlace) {
    const std::vector<std::pair<std::string, std::string>> mistakes = {
        {"var 1..3 x;", "f.fzn:1:10: expected `:` but found `x`"},
        {"var 1..3: x;\nvar float: f;\nsolve satisfy;", "f.fzn:2:1: floats are not supported; scale"},
        {"var 1.0..2.0: f;\nsolve satisfy;", "f.fzn:1:1: floats are not supported"},
        {"var set of 1..3: s;\nsolve satisfy;", "f.fzn:1:1: set variables are not supported; compile with"},
        {"var 3..1: x;\nsolve satisfy;", "f.fzn:1:11: the domain of x is empty"},
        {"var {}: x;\nsolve satisfy;", "f.fzn:1:9: the domain of x is empty"},
        {"var 0..2147483647: x;\nsolve satisfy;", "f.fzn:1:8: 2147483647 is outside the range"},
        {"var 0..99999999999999999999: x;\nsolve satisfy;",
         "f.fzn:1:8: this number does not fit into 64 bits"},
        {"var 1..3: x;\nvar 1..3: x;\nsolve satisfy;", "f.fzn:2:11: x is declared twice"},
        {"constraint int_eq(x,1);\nsolve satisfy;", "f.fzn:1:19: x is not declared"},
        {"var 1..3: x;\nconstraint frobnicate(x);\nsolve satisfy;",
         "f.fzn:2:12: the constraint frobnicate is not known"},
        {"var 1..3: x;\nconstraint int_eq(x);\nsolve satisfy;",
         "f.fzn:2:12: int_eq takes 2 arguments but has 1"},
        {"var bool: b;\nconstraint int_eq(1,b);\nsolve satisfy;",
         "f.fzn:2:21: argument 2 of int_eq must be an integer"},
        {"var 1..3: x;\nconstraint bool_eq(x,true);\nsolve satisfy;",
         "f.fzn:2:20: argument 1 of bool_eq must be a Boolean"},
        {"var 1..3: x;\nconstraint int_lin_eq([1,2],[x],3);\nsolve satisfy;",
         "f.fzn:2:12: there are not as many"},
        {"var 1..3: x;\nconstraint int_lin_eq(3,[x],3);\nsolve satisfy;",
         "f.fzn:2:23: argument 1 of int_lin_eq"},
        {"constraint zermelo_sort([1,2],[3]);\nsolve satisfy;",
         "f.fzn:1:12: arguments 1 and 2 of zermelo_sort"},
        {"array [1..2] of int: a = [1,2,3];\nsolve satisfy;",
         "f.fzn:1:22: a is declared with 2 elements but has 3"},
        {"array [1..1] of int: a = [[1]];\nsolve satisfy;", "f.fzn:1:27: arrays do not nest"},
        {"var 1..3: x", "f.fzn:1:12: expected `;` but found the end of the file; the file may be truncated"},
        {"var 1..3: x;\n", "f.fzn:2:1: the file ends before its solve item"},
        {"solve satisfy;\nvar 1..3: x;", "f.fzn:2:1: something follows the solve item"},
        {"", "f.fzn:1:1: the file ends before its solve item"},
        {"var 1..3: x :: \"abc;", "f.fzn:1:16: this string has no end"},
        {"var 1..3: x :: f(((;\nsolve satisfy;", "f.fzn:1:17: this bracket is never closed"},
        {"var 1..3: x;\n@", "f.fzn:2:1: character '@' does not belong in FlatZinc"},
        {"var 1..3: x = true;\nsolve satisfy;", "f.fzn:1:11: x and its value have different types"},
        {"var 1..3: x;\nconstraint int_plus(x,5000000000,x);\nsolve satisfy;",
         "f.fzn:2:23: 5000000000 is outside"},
        {"var 1..9: x;\nconstraint int_lin_le([1000000000000000000,1000000000000000000],[x,x],3);\nsolve "
         "satisfy;",
         "f.fzn:2:12: a linear sum leaves the range"},
        {"solve perhaps;", "f.fzn:1:7: expected satisfy, minimize or maximize but found `perhaps`"},
    };
    for (const auto& [text, expected] : mistakes) {
        EXPECT_EQ(flatzinc_complaint(text).substr(0, expected.size()), expected) << text;
    }
}

TEST(FlatZinc, EveryMistakeInThePrefixIsFoundAtItsPlace) {
    const std::vector<std::pair<std::string, std::string>> mistakes = {
        {"constraint zermelo_block(1,true,[x],[1..3]);\nconstraint zermelo_block(2,false,[x],[1..3]);\n",
         "f.fzn:3:12: x is quantified twice"},
        {"constraint zermelo_block(1,true,[x],[1..3]);\nconstraint zermelo_block(1,false,[y],[1..3]);\n",
         "f.fzn:3:12: level 1 belongs to both some and every; use two levels"},
        {"constraint zermelo_block(1,true,[x],[1..3]);\nconstraint zermelo_rule(2,w);\n",
         "f.fzn:3:12: there is a rule for level 2"},
        {"constraint zermelo_block(1,true,[x],[2..1]);\n", "f.fzn:2:12: a quantified variable has no values"},
        {"constraint zermelo_block(1,true,[x],[1..3,1..3]);\n", "f.fzn:2:12: there are not as many domains"},
        {"constraint zermelo_block(1,true,[w],[1..3]);\n", "f.fzn:2:33: argument 3 of zermelo_block"},
        {"constraint zermelo_block(1,true,[x]);\n", "f.fzn:2:12: zermelo_block takes 4 arguments but has 3"},
        {"constraint zermelo_block(1,true,[x],[0..3]);\nconstraint zermelo_rule(1,w);\n",
         "f.fzn:1:11: a plain constraint narrows a quantified variable; put it into win(...) or into the "
         "rule of "
         "a block, or solve the MiniZinc model itself"},
        {"constraint zermelo_block(1,true,[2],[0..3]);\nconstraint zermelo_rule(1,w);\n",
         "f.fzn:2:12: a plain constraint narrows a quantified variable"},
        {"constraint zermelo_block(1,false,[x],[0..3]);\nconstraint zermelo_cut([w],w);\n",
         "f.fzn:1:11: a plain constraint narrows a quantified variable; put it into win(...)"},
        {"constraint zermelo_block(1,true,[x],[1..3]);\nconstraint zermelo_block(2,false,[y],[1..3]);\n"
         "constraint int_le_reif(2,x,w):: defines_var(w);\nconstraint zermelo_rule(1,w);\n"
         "constraint int_ne(x,y);\n",
         "f.fzn:6:12: a plain constraint stands in a model with rules; put it into win(...)"},
    };
    for (const auto& [text, expected] : mistakes) {
        EXPECT_EQ(flatzinc_complaint(two_moves + text + "solve satisfy;\n").substr(0, expected.size()),
                  expected)
            << text;
    }
}

TEST(FlatZinc, PathsLeadBackToTheModel) {
    EXPECT_EQ(
        flatzinc_complaint(
            "var bool: b; var 1..3: x;\nconstraint bool_eq(x,b) :: mzn_path(\"m.mzn|5|12|5|115|ca|forall;"
            "m.mzn|7|19|5|19|t=3;/usr/lib/a.mzn|1|1|1|1|x;\");\nsolve satisfy;\n"),
        "m.mzn:7:19: argument 1 of bool_eq must be a Boolean");
}

TEST(FlatZinc, ARuleForAllThatIsAlwaysTrueStaysVisible) {
    const model::Model model =
        from_flatzinc(two_moves +
                      "constraint zermelo_block(1,true,[x],[1..3]);\nconstraint zermelo_rule(1,true);\n"
                      "constraint zermelo_block(2,false,[y],[1..3]);\nconstraint zermelo_rule(2,true);\n"
                      "solve satisfy;\n");
    EXPECT_TRUE(model.prefix[0].rule);
    EXPECT_FALSE(model.prefix[1].rule);
    EXPECT_TRUE(model.has_universal_rules());
}

TEST(FlatZinc, ManyBracketsAreRefusedAtOnce) {
    const std::string brackets(20'000'000, '[');
    EXPECT_FALSE(flatzinc_complaint(brackets).empty());
    EXPECT_FALSE(flatzinc_complaint("array [1..1] of int: a = " + brackets).empty());
    EXPECT_FALSE(flatzinc_complaint("var 1..3: x :: f(" + brackets).empty());
}

TEST(FlatZinc, LongArraysAndLongFilesAreReadQuickly) {
    constexpr int size = 262144;
    std::string text = fmt::format("array [1..{}] of int: a = [", size);
    for (int i = 0; i < size; ++i) text += fmt::format("{}{}", i == 0 ? "" : ",", i % 1000);
    text += fmt::format("];\nvar 1..{}: x;\nvar 0..999: y;\nconstraint array_int_element(x,a,y);\n", size);
    for (int i = 0; i < 60'000; ++i) {
        text += fmt::format(
            "var bool: X_INTRODUCED_{0}_ ::var_is_introduced :: is_defined_var;\n"
            "constraint int_lin_le_reif([1,-1],[x,y],{0},X_INTRODUCED_{0}_):: "
            "defines_var(X_INTRODUCED_{0}_);\n",
            i);
    }
    text += "solve satisfy;\n";
    const model::Model model = from_flatzinc(text);
    EXPECT_EQ(std::get<model::Element>(model.constraints[0].body).array.size(),
              static_cast<std::size_t>(size));
}

// Any change of bytes leaves either a model or an Error, never anything else.
TEST(FlatZinc, DamagedFilesAreRefusedPolitely) {
    const std::vector<std::string> samples = {
        two_moves +
            "array [1..2] of var int: xs:: output_array([1..2]) = [x,y];\n"
            "constraint zermelo_block(1,false,[x],[1..3]);\nconstraint zermelo_block(2,true,[y],[1..3]);\n"
            "constraint zermelo_rule(2,w);\nconstraint int_lin_le_reif([1,-2],xs,0,w):: defines_var(w);\n"
            "constraint zermelo_win(w);\nsolve :: int_search(xs,first_fail,indomain_min) maximize x;\n",
        "predicate p(array [int] of var int: x);\nint: n = 3; set of int: S = {1,5,7};\nvar {1,4}: x = 4; "
        "var int: y;\n"
        "var bool: b; var 0..1: i;\nconstraint bool2int(b,i);\nconstraint set_in_reif(y,S,b);\n"
        "constraint array_int_element(y,[1,n,2],i);\nconstraint fzn_if_then_else_int([b,true],[1,2],y);\n"
        "constraint zermelo_regular([x,y],2,2,[1,2,2,0],1,{2});\nsolve minimize y;\n",
    };
    const std::string bytes = "[](){},;:=.\"%0123456789-xyab_ \n\\";
    for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
        Random random(seed);
        std::string text = samples[random.below(samples.size())];
        for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
            const auto at = random.below(text.size());
            const char byte =
                random.chance(0.1) ? static_cast<char>(random.below(256)) : bytes[random.below(bytes.size())];
            if (random.chance(0.3)) {
                text.erase(at, 1 + random.below(8));
            } else if (random.chance(0.5)) {
                text.insert(at, 1 + random.below(3), byte);
            } else {
                text[at] = byte;
            }
            if (text.empty()) text = "x";
        }
        try {
            from_flatzinc(text);
        } catch (const Error&) {
        } catch (const std::exception& other) {
            FAIL() << "seed " << seed << ": " << other.what() << "\n" << text;
        }
    }
}

}  // namespace
}  // namespace zermelo
