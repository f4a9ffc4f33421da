#include "model/builder.hpp"

#include <gtest/gtest.h>

#include "model/structure.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"

namespace zermelo {

namespace {

using oracle::Assignment;

// Evaluates a flattened model forwards: definitions in the order in which they stand, then everything else.
class Forward {
public:
    Forward(const model::Model& model, const Assignment& moves) : model_(model), values_(moves) {
        values_.resize(model.variables.size());
        known_.assign(model.variables.size(), false);
        for (std::size_t v = 0; v < model.variables.size(); ++v) {
            known_[v] = v < moves.size() || model.variables[v].domain.single();
            if (v >= moves.size() && known_[v]) values_[v] = model.variables[v].domain.low();
        }
        for (const model::Constraint& constraint : model.constraints) {
            if (constraint.defines) {
                define(constraint);
            } else {
                constraints_hold_ = constraints_hold_ && std::visit(*this, constraint.body);
            }
        }
    }

    [[nodiscard]] bool holds(model::Literal literal) const {
        return (value(literal.variable) == 1) == literal.positive;
    }
    [[nodiscard]] bool wins() const { return constraints_hold_ && all(model_.win); }
    [[nodiscard]] model::Value value(model::VarId v) const {
        EXPECT_TRUE(known_[v]) << model_.name_of(v) << " is used before it is defined";
        return values_[v];
    }

    // Each constraint form, by its definition in constraint.hpp.
    bool operator()(const model::Linear& c) const {
        model::Value sum = 0;
        for (const model::Term& term : c.terms) sum += term.coefficient * value(term.variable);
        return holds_reified(c, c.relation == model::Relation::at_most
                                    ? sum <= c.constant
                                    : (sum == c.constant) == (c.relation == model::Relation::equal));
    }
    bool operator()(const model::Clause& c) const {
        return holds_reified(
            c, std::any_of(c.literals.begin(), c.literals.end(), [&](model::Literal l) { return holds(l); }));
    }
    bool operator()(const model::Member& c) const {
        return holds_reified(c, c.set.contains(value(c.variable)));
    }
    bool operator()(const model::Table& c) const {
        const auto row = all_values(c.variables);
        bool found = false;
        for (auto r = c.rows.begin(); r != c.rows.end(); r += static_cast<std::ptrdiff_t>(row.size())) {
            found = found || std::equal(row.begin(), row.end(), r);
        }
        return holds_reified(c, found);
    }
    bool operator()(const model::Element& c) const {
        const model::Value index = value(c.index);
        return index >= 1 && index <= static_cast<model::Value>(c.array.size()) &&
               value(c.array[index - 1]) == value(c.result);
    }
    bool operator()(const model::Arithmetic& c) const {
        const model::Value left = value(c.left);
        const model::Value right = value(c.right);
        model::Value power = 1;
        for (model::Value i = 0; i < right && c.operation == model::Operation::power; ++i) power *= left;
        switch (c.operation) {
            case model::Operation::times:
                return left * right == value(c.result);
            case model::Operation::divide:
                return right != 0 && left / right == value(c.result);
            case model::Operation::modulo:
                return right != 0 && left % right == value(c.result);
            case model::Operation::power:
                return right >= 0 && power == value(c.result);
        }
        return false;
    }
    bool operator()(const model::Extremum& c) const {
        const auto v = all_values(c.operands);
        return value(c.result) ==
               (c.maximum ? *std::max_element(v.begin(), v.end()) : *std::min_element(v.begin(), v.end()));
    }
    bool operator()(const model::AllDifferent& c) const {
        auto v = all_values(c.variables);
        std::sort(v.begin(), v.end());
        return std::adjacent_find(v.begin(), v.end()) == v.end();
    }
    bool operator()(const model::Count& c) const {
        const auto v = all_values(c.variables);
        return std::count(v.begin(), v.end(), value(c.value)) == value(c.result);
    }
    bool operator()(const model::Parity&) const { return false; }
    bool operator()(const model::Global&) const { return false; }

private:
    // A total definition allows exactly one value of the domain.
    void define(const model::Constraint& constraint) {
        const model::VarId v = *constraint.defines;
        EXPECT_FALSE(known_[v]) << model_.name_of(v) << " is defined twice";
        known_[v] = true;
        std::vector<model::Value> possible;
        model_.domain(v).each([&](model::Value candidate) {
            values_[v] = candidate;
            if (std::visit(*this, constraint.body)) possible.push_back(candidate);
        });
        EXPECT_EQ(possible.size(), 1U) << model_.name_of(v);
        if (!possible.empty()) values_[v] = possible.front();
    }
    template <class Body>
    bool holds_reified(const Body& body, bool truth) const {
        return body.reified ? holds(*body.reified) == truth : truth;
    }
    [[nodiscard]] bool all(const std::vector<model::Literal>& literals) const {
        return std::all_of(literals.begin(), literals.end(), [&](model::Literal l) { return holds(l); });
    }
    [[nodiscard]] std::vector<model::Value> all_values(const std::vector<model::VarId>& variables) const {
        std::vector<model::Value> result;
        for (const model::VarId v : variables) result.push_back(value(v));
        return result;
    }

    const model::Model& model_;
    std::vector<model::Value> values_;
    std::vector<bool> known_;
    bool constraints_hold_ = true;
};

Assignment random_play(const model::Source& source, Random& random) {
    Assignment play;
    for (const model::Variable& variable : source.variables) {
        const auto values = variable.domain.values();
        play.push_back(values[random.below(values.size())]);
    }
    return play;
}

void expect_same_truth(const model::Source& source, const model::Model& model, const Assignment& play) {
    const Forward flat(model, play);
    for (std::size_t b = 0; b < source.blocks.size(); ++b) {
        const auto rule = model.prefix[b].rule;
        ASSERT_EQ(!rule || flat.holds(*rule), oracle::holds(source.blocks[b].rules, play))
            << "block " << b + 1;
    }
    const bool defined = !source.objective || oracle::value(*source.objective, play);
    ASSERT_EQ(flat.wins(), oracle::wins(source, play) && defined);
    if (source.objective && defined) {
        ASSERT_EQ(flat.value(*model.objective), oracle::value(*source.objective, play));
    }
    const bool cut_flat = std::any_of(model.cuts.begin(), model.cuts.end(), [&](const model::Cut& cut) {
        return std::all_of(cut.when.begin(), cut.when.end(),
                           [&](model::Literal l) { return flat.holds(l); }) &&
               !flat.holds(cut.claim);
    });
    const bool cut_said = std::any_of(source.cuts.begin(), source.cuts.end(), [&](const auto& cut) {
        return oracle::holds(cut.when, play) && !oracle::holds(cut.claim, play);
    });
    ASSERT_EQ(cut_flat, cut_said);
}

void expect_faithful(const Shape& shape, std::size_t models) {
    for (const auto seed : seeds(models)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const model::ModelBuilder game = random_model(seed, shape);
        const model::Model model = game.build();
        Random random(seed);
        for (int i = 0; i < 12; ++i)
            expect_same_truth(game.source(), model, random_play(game.source(), random));
        if (testing::Test::HasFailure()) return;
    }
}

// ∃ x1 ∀ y1 … with the rules of Barichard and Stéphan (2017, section 3.1); whoever cannot move loses.
model::ModelBuilder fibonacci_nim(int n) {
    model::ModelBuilder game("nim-fibonacci");
    model::IntExpr taken = 0;
    std::optional<model::IntExpr> last;
    for (int turn = 1; turn <= n / 2 + 1; ++turn) {
        for (const bool ours : {true, false}) {
            const std::string name = (ours ? "x" : "y") + std::to_string(turn);
            const auto move = ours ? game.exists(name, 1, n - 1) : game.forall(name, 1, n - 1);
            taken += move;
            if (last) game.rule(move <= 2 * *last && taken <= n);
            last = move;
        }
    }
    game.win(false);
    return game;
}

}  // namespace

TEST(Builder, SaysTheSameAsTheTreesInPlainModels) { expect_faithful(Shape::plain(), 3000); }
TEST(Builder, SaysTheSameAsTheTreesUnderRules) { expect_faithful(Shape::with_rules(), 3000); }
TEST(Builder, SaysTheSameAsTheTreesUnderCuts) { expect_faithful(Shape::with_cuts(), 1000); }
TEST(Builder, SaysTheSameAsTheTreesAboutAnObjective) {
    expect_faithful({.exists_rules = true, .objective = true}, 2000);
}

TEST(Builder, DefinesEveryAuxiliaryVariableTotally) {
    for (const auto seed : seeds(3000)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Shape shape = {.exists_rules = seed % 2 == 0, .forall_rules = seed % 3 == 0};
        const model::Model model = random_model(seed, shape).build();
        const model::Structure structure = analyse(model);
        ASSERT_EQ(structure.prefix.size(), model.prefix.size());  // no variable is left free
        const bool literals_only =
            std::all_of(model.constraints.begin(), model.constraints.end(),
                        [](const model::Constraint& c) { return c.defines.has_value(); });
        ASSERT_TRUE(structure.winning.empty() || !literals_only);
        ASSERT_TRUE(literals_only || !model.has_universal_rules());
    }
}

TEST(RandomModel, IsOftenWonAndOftenLost) {
    for (const Shape& shape : {Shape::plain(), Shape::with_rules(), Shape::with_cuts()}) {
        std::size_t won = 0;
        const auto drawn = seeds(1000);
        for (const auto seed : drawn) won += oracle::won(random_model(seed, shape).source()) ? 1 : 0;
        EXPECT_GT(won, drawn.size() * 3 / 10);
        EXPECT_LT(won, drawn.size() * 7 / 10);
    }
}

TEST(RandomModel, HasCutsThatChangeNoVerdict) {
    for (const auto seed : seeds(1000)) {
        const model::ModelBuilder game = random_model(seed, Shape::with_cuts());
        model::Source without_cuts = game.source();
        without_cuts.cuts.clear();
        ASSERT_EQ(oracle::won(game.source()), oracle::won(without_cuts)) << "seed " << seed;
    }
}

TEST(Oracle, WinsTheExampleOfSection2) {
    model::ModelBuilder game;
    const auto x = game.exists("x", 0, 2);
    const auto y = game.exists("y", 0, 2);
    const auto z = game.forall("z", 0, 2);
    const auto t = game.exists("t", 0, 2);
    game.require(x == y * z + t);
    game.require(t <= x);
    EXPECT_TRUE(oracle::won(game.source()));
    game.require(x == 2 && y == 2);  // promises something for z = 0, but there is no t for z = 2
    EXPECT_FALSE(oracle::won(game.source()));
}

TEST(Oracle, LosesFibonacciNimExactlyForFibonacciNumbers) {
    for (int n = 2; n <= 8; ++n) {
        const bool fibonacci = n == 2 || n == 3 || n == 5 || n == 8;
        EXPECT_EQ(oracle::won(fibonacci_nim(n).source()), !fibonacci) << n << " matches";
    }
}

TEST(Oracle, JudgesABlockWithoutALegalValueAgainstItsOwner) {
    model::ModelBuilder ours;
    ours.exists("x", 0, 1);
    ours.rule(false);
    EXPECT_FALSE(oracle::won(ours.source()));
    model::ModelBuilder theirs;
    theirs.forall("y", 0, 1);
    theirs.rule(false);
    theirs.win(false);
    EXPECT_TRUE(oracle::won(theirs.source()));
}

TEST(Oracle, FindsTheBestGuaranteedValue) {
    model::ModelBuilder game;
    const auto x = game.exists("x", 0, 3);
    const auto y = game.forall("y", 0, 3);
    game.maximise(abs(x - y));
    EXPECT_EQ(oracle::best_guaranteed(game.source()), 0);
    game.rule(y >= 2);
    EXPECT_EQ(oracle::best_guaranteed(game.source()), 2);
    game.win(x > 0);
    EXPECT_EQ(oracle::best_guaranteed(game.source()), 1);
    game.win(y != 2);
    EXPECT_EQ(oracle::best_guaranteed(game.source()), oracle::nothing);
}

TEST(Builder, CollectsALinearRuleIntoOneConstraint) {
    model::ModelBuilder game;
    const auto x = game.exists("x", 1, 9);
    const auto y = game.forall("y", 1, 9);
    game.rule(2 * (x + y) - x <= 12 - (y - 3));
    const model::Model model = game.build();
    ASSERT_EQ(model.constraints.size(), 1U);
    const auto& linear = std::get<model::Linear>(model.constraints[0].body);
    EXPECT_EQ(linear.terms.size(), 2U);  // x + 3 y <= 15
    EXPECT_EQ(linear.constant, 15);
    EXPECT_EQ(linear.reified, model.prefix[1].rule);
}

TEST(Builder, SharesEqualSubexpressionsAndTheirNegations) {
    model::ModelBuilder game;
    const auto x = game.exists("x", 1, 9);
    const auto y = game.forall("y", 1, 9);
    game.rule(x + y < 7 || x * y == 12);
    game.win(!(6 >= y + x) || !(y * x != 12));
    const model::Model model = game.build();
    EXPECT_EQ(model.constraints.size(), 5U);  // the product, two comparisons, two clauses
}

TEST(Builder, UsesTruthValuedVariablesAsLiterals) {
    model::ModelBuilder game;
    const auto x = game.exists("x", 0, 1);
    const auto y = game.exists("y", 0, 1);
    game.win(x == 1 && y < 1);
    const model::Model model = game.build();
    EXPECT_TRUE(model.constraints.empty());
    EXPECT_EQ(model.win, (std::vector<model::Literal>{{0, true}, {1, false}}));
}

TEST(Builder, PostsRequirementsDirectlyUnlessARuleBindsTheOpponent) {
    for (const bool ruled : {false, true}) {
        model::ModelBuilder game;
        const auto x = game.exists("x", 3, 1, 3);
        const auto y = game.forall("y", 1, 3);
        if (ruled) game.rule(y != x[0]);
        game.require(model::all_different(x) && sum(x) + y >= 5);
        game.require(x[0] == 1 || x[1] == 2);
        game.require(table(x, {{1, 2, 3}, {2, 1, 3}}) && member(x[2], {1, 3}));
        const model::Model model = game.build();
        const auto direct =
            std::count_if(model.constraints.begin(), model.constraints.end(),
                          [](const model::Constraint& c) { return !c.defines && !model::reified_by(c); });
        EXPECT_EQ(direct, ruled ? 0 : 5);
        EXPECT_EQ(model.win.empty(), !ruled);
    }
}

TEST(Builder, FoldsConstantRules) {
    model::ModelBuilder game;
    const auto x = game.exists("x", 1, 3);
    game.rule(x < 4 && (x > 5 || true));
    game.forall("y", 1, 3);
    game.rule(x == 4);
    model::Model model = game.build();
    EXPECT_FALSE(model.prefix[0].rule);
    EXPECT_EQ(model.prefix[1].rule, model.literal(false));
    EXPECT_TRUE(model.constraints.empty());
}

TEST(Builder, NamesTheVariablesOfAnArray) {
    model::ModelBuilder game("names");
    game.exists("e", 2, -1, 1);
    game.also("f", model::Domain{4, 7});
    const model::Model model = game.build();
    EXPECT_EQ(model.name_of(1), "e[2]");
    EXPECT_EQ(model.prefix.size(), 1U);
    EXPECT_EQ(model.prefix[0].variables, (std::vector<model::VarId>{0, 1, 2}));
}

TEST(Builder, LetsBlocksTakeVariablesThatWereDeclaredInAnyOrder) {
    for (const bool reversed : {false, true}) {
        model::ModelBuilder game("declared");
        const auto late =
            reversed ? game.declare("y", model::Domain(1, 4)) : game.declare("x", model::Domain(1, 3));
        const auto early =
            reversed ? game.declare("x", model::Domain(1, 3)) : game.declare("y", model::Domain(1, 4));
        const auto& x = reversed ? early : late;
        const auto& y = reversed ? late : early;
        game.exists(model::IntExprs{x});
        game.forall(model::IntExprs{y});
        game.rule(y <= 2 * x);
        game.win(x + y <= 3);
        EXPECT_EQ(game.build().name_of(game.build().prefix.front().variables.front()), "x");
        EXPECT_TRUE(oracle::won(game.source())) << "reversed " << reversed;
        game.win(y != 2);
        EXPECT_FALSE(oracle::won(game.source())) << "reversed " << reversed;
    }
    model::ModelBuilder game;
    const auto x = game.declare("x", model::Domain(1, 3));
    EXPECT_THROW((void)game.build(), Error);
    EXPECT_THROW(game.exists(model::IntExprs{x, x}), Error);
    EXPECT_THROW(game.exists(model::IntExprs{x + 1}), Error);
}

TEST(Builder, RefusesWhatCannotBeMeant) {
    model::ModelBuilder game;
    EXPECT_THROW(game.rule(true), Error);
    EXPECT_THROW((void)game.also("x", 1, 2), Error);
    const auto x = game.exists("x", 1, 3);
    EXPECT_THROW((void)game.forall("x", 1, 3), Error);
    EXPECT_THROW((void)game.forall("y", 3, 1), Error);
    EXPECT_THROW((void)game.forall("y", 0, model::largest_value + 1), Error);
    EXPECT_THROW((void)game.forall("y", 0, 1, 3), Error);
    EXPECT_THROW((void)model::table({x, x}, {{1, 2}, {1}}), Error);
    EXPECT_EQ(game.source().blocks.size(), 1U);
    game.win(x * x * model::largest_value * 2 * x >= 0);
    EXPECT_THROW((void)game.build(), Error);
    model::ModelBuilder wide;
    const auto w = wide.exists("w", 0, model::largest_value);
    wide.win(w * std::numeric_limits<model::Value>::max() + w > 0);
    EXPECT_THROW((void)wide.build(), Error);
    model::ModelBuilder other;
    other.win(w == 1);
    EXPECT_THROW((void)other.build(), Error);
}

}  // namespace zermelo
