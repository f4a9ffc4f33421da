#include "strategy/rules/partial_assignment.hpp"

#include <gtest/gtest.h>

#include "random_constraint.hpp"
#include "support/random_model.hpp"

namespace zermelo {

namespace {

// ---- evaluate.hpp ---------------------------------------------------------------------------------------

TEST(Evaluate, SaysYesOrNoOnlyWhenAllValuesAgree) {
    for (const auto seed : seeds(3000)) {
        Random random(seed);
        const model::Constraint constraint = random_constraint(random);
        strategy::Intervals box;
        for (int i = 0; i < 4; ++i) box.push_back(random_interval(random));
        for (int i = 0; i < 3; ++i)
            box.push_back(random.chance(0.5) ? model::Interval{0, 1} : model::Interval{1, 1});
        const strategy::Truth claim = strategy::truth(constraint, box);
        strategy::Intervals point = box;
        each_point(box, point, 0, [&] {
            const strategy::Truth here = strategy::truth(constraint, point);
            ASSERT_NE(here, strategy::Truth::unknown) << "seed " << seed;
            ASSERT_TRUE(claim == strategy::Truth::unknown || claim == here) << "seed " << seed;
        });
        if (HasFatalFailure()) return;
    }
}

TEST(Evaluate, DefinitionsCoverTheirValues) {
    for (const auto seed : seeds(3000)) {
        Random random(seed);
        const model::Constraint constraint = random_constraint(random);
        for (model::VarId output = 0; output < 7; ++output) {
            if (!model::can_define(constraint, output)) continue;
            strategy::Intervals box;
            for (int i = 0; i < 4; ++i) box.push_back(random_interval(random));
            for (int i = 0; i < 3; ++i)
                box.push_back(random.chance(0.5) ? model::Interval{0, 1} : model::Interval{0, 0});
            box[static_cast<std::size_t>(output)] = {0, 0};
            const strategy::Computed all = strategy::compute(constraint, output, box);
            strategy::Intervals point = box;
            each_point(box, point, 0, [&] {
                const strategy::Computed one = strategy::compute(constraint, output, point);
                ASSERT_NE(one.exists, strategy::Truth::unknown) << "seed " << seed;
                ASSERT_TRUE(all.exists == strategy::Truth::unknown || all.exists == one.exists)
                    << "seed " << seed;
                if (one.exists == strategy::Truth::no) return;
                ASSERT_TRUE(one.values.single() && all.values.contains(one.values.low)) << "seed " << seed;
                // The value is the one that the constraint itself accepts.
                strategy::Intervals with = point;
                with[static_cast<std::size_t>(output)] = one.values;
                ASSERT_EQ(strategy::truth(constraint, with), strategy::Truth::yes) << "seed " << seed;
            });
            if (HasFatalFailure()) return;
        }
    }
}

TEST(Evaluate, DividesTowardsZeroAndKnowsWhatIsUndefined) {
    const auto value = [](model::Operation operation, model::Value left,
                          model::Value right) -> std::optional<model::Value> {
        const strategy::Computed result = strategy::compute({model::Arithmetic{operation, 0, 1, 2}}, 2,
                                                            {{left, left}, {right, right}, {0, 0}});
        return result.exists == strategy::Truth::yes ? std::optional(result.values.low) : std::nullopt;
    };
    EXPECT_EQ(value(model::Operation::divide, -7, 2), -3);
    EXPECT_EQ(value(model::Operation::modulo, -7, 2), -1);
    EXPECT_EQ(value(model::Operation::modulo, 7, -2), 1);
    EXPECT_EQ(value(model::Operation::divide, 7, 0), std::nullopt);
    EXPECT_EQ(value(model::Operation::modulo, 7, 0), std::nullopt);
    EXPECT_EQ(value(model::Operation::power, 0, 0), 1);
    EXPECT_EQ(value(model::Operation::power, -2, 3), -8);
    EXPECT_EQ(value(model::Operation::power, 2, -1), std::nullopt);
    EXPECT_GT(value(model::Operation::power, 10, 2000000000), model::largest_value);
    EXPECT_LT(value(model::Operation::power, -10, 1999999999), -model::largest_value);
    EXPECT_EQ(value(model::Operation::times, model::largest_value, -model::largest_value),
              -model::largest_value * model::largest_value);
}

// ---- partial_assignment.hpp -----------------------------------------------------------------------------

TEST(PartialAssignment, IsTheSameOnEveryWayToAPosition) {
    for (const auto seed : seeds(400)) {
        const model::Model model = random_model(seed, Shape::with_rules()).build();
        const model::Structure structure = analyse(model);
        std::vector<model::VarId> variables;
        for (const model::Block& block : structure.prefix)
            variables.insert(variables.end(), block.variables.begin(), block.variables.end());
        Random random(seed);
        strategy::PartialAssignment wandering(model, structure);
        std::vector<std::pair<model::VarId, model::Value>> moves;
        std::vector<strategy::PartialAssignment::Mark> marks;
        for (int i = 0; i < 60; ++i) {
            const model::VarId v = variables[random.below(variables.size())];
            if (!moves.empty() && random.chance(0.4)) {
                wandering.undo(marks.back());
                marks.pop_back();
                moves.pop_back();
            } else if (!wandering.played(v)) {
                const auto values = model.domain(v).values();
                marks.push_back(wandering.mark());
                moves.emplace_back(v, values[random.below(values.size())]);
                wandering.play(moves.back().first, moves.back().second);
            }
            strategy::PartialAssignment direct(model, structure);
            for (auto move = moves.rbegin(); move != moves.rend(); ++move)
                direct.play(move->first, move->second);
            ASSERT_EQ(wandering.win(), direct.win()) << "seed " << seed;
            ASSERT_EQ(wandering.residue(), direct.residue()) << "seed " << seed;
            for (std::size_t b = 0; b < structure.prefix.size(); ++b)
                ASSERT_EQ(wandering.rule(b), direct.rule(b)) << "seed " << seed;
        }
    }
}

TEST(PartialAssignment, NamesWhatIsLeftOfASum) {
    model::ModelBuilder game("sum");
    const auto x = game.exists("x", 3, 0, 3);
    game.win(sum(x) <= 4);
    const model::Model model = game.build();
    const model::Structure structure = analyse(model);
    const auto residue = [&](model::Value first, model::Value second) {
        strategy::PartialAssignment assignment(model, structure);
        assignment.play(0, first);
        assignment.play(1, second);
        return assignment.residue();
    };
    EXPECT_EQ(residue(1, 2), residue(2, 1));
    EXPECT_EQ(residue(1, 2), residue(3, 0));
    EXPECT_NE(residue(1, 2), residue(2, 2));
}

}  // namespace

}  // namespace zermelo
