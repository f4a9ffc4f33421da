#include "strategy/rules/consistency.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "games.hpp"
#include "random_constraint.hpp"
#include "strategy/check/verify.hpp"
#include "support/random_model.hpp"
#include "support/random_strategic.hpp"

namespace zermelo {

namespace {

// ---- narrow.hpp -----------------------------------------------------------------------------------------

std::vector<model::Domain> random_domains(Random& random) {
    std::vector<model::Domain> domains;
    for (int i = 0; i < 7; ++i) {
        model::Domain domain = i < 4                ? random_set(random)
                               : random.chance(0.5) ? model::Domain(0, 1)
                                                    : model::Domain(0, 0);
        domains.push_back(domain.empty() ? model::Domain(2, 2) : domain);
    }
    return domains;
}

template <class Visit>
void each_assignment(const std::vector<model::Domain>& domains, strategy::Intervals& point, Visit visit) {
    if (point.size() == domains.size()) return visit();
    domains[point.size()].each([&](model::Value value) {
        point.push_back({value, value});
        each_assignment(domains, point, visit);
        point.pop_back();
    });
}

TEST(Narrow, LosesNoValuesWithWhichTheConstraintHolds) {
    std::size_t narrowed = 0;
    std::size_t impossible = 0;
    const auto drawn = seeds(5000);
    for (const auto seed : drawn) {
        Random random(seed);
        const model::Constraint constraint = random_constraint(random);
        const std::vector<model::Domain> domains = random_domains(random);
        strategy::Box box(domains);
        const bool possible = narrow(constraint, box);
        strategy::Intervals point;
        each_assignment(domains, point, [&] {
            if (strategy::truth(constraint, point) != strategy::Truth::yes) return;
            ASSERT_TRUE(possible) << "seed " << seed;
            for (std::size_t v = 0; v < point.size(); ++v)
                ASSERT_TRUE(box.known()[v].contains(point[v].low)) << "seed " << seed << ", variable " << v;
        });
        if (HasFatalFailure()) return;
        narrowed += box.changes() > 0 ? 1 : 0;
        impossible += possible ? 0 : 1;
        for (std::size_t v = 0; v < domains.size(); ++v) {
            ASSERT_TRUE(domains[v].contains(box.known()[v].low)) << "seed " << seed;
            ASSERT_TRUE(domains[v].contains(box.known()[v].high)) << "seed " << seed;
        }
        box.undo(0);
        for (std::size_t v = 0; v < domains.size(); ++v) {
            ASSERT_EQ(box.known()[v].low, domains[v].low()) << "seed " << seed;
            ASSERT_EQ(box.known()[v].high, domains[v].high()) << "seed " << seed;
        }
    }
    EXPECT_GT(narrowed, drawn.size() / 5);
    EXPECT_GT(impossible, drawn.size() / 50);
}

// ---- consistency.hpp ------------------------------------------------------------------------------------

// Three blocks of moves and five state variables, with constraints of every form as they come. Variables 0 …
// 3 and 7 are integers, 4 … 6 are Boolean; gates make further Booleans of them.
model::Model raw_strategic_model(std::uint64_t seed) {
    Random random(seed);
    model::Model model;
    model.name = "raw-strategic-" + std::to_string(seed);
    model.strategic = true;
    const std::vector<model::Domain> domains = random_domains(random);
    for (const model::Domain& domain : domains)
        model.add_variable("v" + std::to_string(model.variables.size()),
                           domain.single() ? model::Domain(0, 1) : domain);
    for (const model::Quantifier player :
         {model::Quantifier::exists, model::Quantifier::forall, model::Quantifier::exists}) {
        model::Block block{player, {}, std::nullopt};
        block.variables.push_back(
            model.add_variable("move" + std::to_string(model.prefix.size()), {0, 1, 3}));
        if (random.chance(0.4))
            block.variables.push_back(
                model.add_variable("also" + std::to_string(model.prefix.size()), {0, 1}));
        model.prefix.push_back(block);
    }
    for (model::VarId v = 0; v < 7; ++v) model.state.push_back(v);
    const auto variables = model.variables.size();

    // Some of the variables of a constraint of the state become moves, so that it has to wait.
    const auto any_move = [&] { return static_cast<model::VarId>(7 + random.below(variables - 7)); };
    const auto exchange = [&](model::VarId& v) {
        if (random.chance(0.25)) v = any_move();
    };
    for (auto n = random.between(2, 6); n > 0; --n) {
        model::Constraint constraint = random_constraint(random);
        if (auto* element = std::get_if<model::Element>(&constraint.body)) exchange(element->index);
        if (auto* sum = std::get_if<model::Linear>(&constraint.body)) exchange(sum->terms.front().variable);
        if (auto* power = std::get_if<model::Arithmetic>(&constraint.body)) exchange(power->result);
        if (auto* extremum = std::get_if<model::Extremum>(&constraint.body)) exchange(extremum->result);
        if (auto* all = std::get_if<model::AllDifferent>(&constraint.body)) exchange(all->variables.front());
        if (auto* table = std::get_if<model::Table>(&constraint.body)) exchange(table->variables.front());
        if (auto* count = std::get_if<model::Count>(&constraint.body)) exchange(count->value);
        model.constraints.push_back(constraint);
    }
    for (auto n = random.between(0, 3); n > 0; --n) {
        const model::VarId gate = model.add_variable("gate" + std::to_string(n), model::Domain(0, 1), true);
        const model::VarId above = model.add_variable("above" + std::to_string(n), model::Domain(0, 1), true);
        const model::Linear equal{{{1, static_cast<model::VarId>(random.below(7))}, {-1, any_move()}},
                                  model::Relation{static_cast<int>(random.below(3))},
                                  random.between(-1, 1),
                                  model::Literal{gate}};
        const auto boolean = static_cast<model::VarId>(4 + random.below(3));
        const model::Clause clause{{{gate, random.chance(0.5)}, {boolean, random.chance(0.5)}},
                                   model::Literal{above}};
        model.constraints.push_back({equal, {}, gate});
        model.constraints.push_back({clause, {}, above});
        model.win.push_back({random.chance(0.7) ? above : gate, random.chance(0.5)});
    }
    return model;
}

// By brute force over all values of what is open, with everything computed and evaluated on points.
class BruteForce {
public:
    BruteForce(const model::Model& model, const model::Structure& structure)
        : model_(model), structure_(structure) {
        for (const model::Domain& domain : structure.domain) point_.push_back({domain.low(), domain.low()});
    }

    bool some_state(int level, const std::vector<std::pair<model::VarId, model::Value>>& moves) {
        open_ = structure_.state;
        if (level >= 0) {
            for (const model::VarId v : structure_.prefix[static_cast<std::size_t>(level)].variables)
                open_.push_back(v);
        }
        for (const auto& [v, value] : moves) {
            point_[static_cast<std::size_t>(v)] = {value, value};
            std::erase(open_, v);
        }
        return some(0, level);
    }

private:
    bool some(std::size_t i, int level) {
        if (i == open_.size()) return holds(level);
        const auto values = model_.domain(open_[i]).values();
        return std::any_of(values.begin(), values.end(), [&](model::Value value) {
            point_[static_cast<std::size_t>(open_[i])] = {value, value};
            return some(i + 1, level);
        });
    }

    bool holds(int level) {
        for (const int c : structure_.definitions) {
            const model::VarId output = structure_.output[static_cast<std::size_t>(c)];
            if (structure_.level[static_cast<std::size_t>(output)] > level) continue;
            point_[static_cast<std::size_t>(output)] =
                strategy::compute(model_.constraints[static_cast<std::size_t>(c)], output, point_).values;
        }
        for (const int c : structure_.winning) {
            if (structure_.due[static_cast<std::size_t>(c)] > level) continue;
            if (strategy::truth(model_.constraints[static_cast<std::size_t>(c)], point_) !=
                strategy::Truth::yes)
                return false;
        }
        return std::all_of(model_.win.begin(), model_.win.end(), [&](model::Literal literal) {
            return structure_.level[static_cast<std::size_t>(literal.variable)] > level ||
                   strategy::truth(literal, point_) == strategy::Truth::yes;
        });
    }

    const model::Model& model_;
    const model::Structure& structure_;
    strategy::Intervals point_;
    std::vector<model::VarId> open_;
};

TEST(PossibleStates, AgreeWithBruteForceInEveryPosition) {
    std::size_t possible = 0;
    std::size_t impossible = 0;
    const auto drawn = seeds(400);
    for (const auto seed : drawn) {
        const model::Model model = raw_strategic_model(seed);
        const model::Structure structure = analyse(model);
        strategy::PossibleStates states(model, structure);
        BruteForce reference(model, structure);
        std::vector<std::pair<model::VarId, model::Value>> moves;
        const std::function<void(std::size_t)> visit = [&](std::size_t b) {
            if (b == structure.prefix.size()) return;
            ASSERT_EQ(states.exist_in(b), reference.some_state(static_cast<int>(b), moves))
                << "seed " << seed;
            const auto& variables = structure.prefix[b].variables;
            const model::VarId v = states.played(variables.front()) ? variables.back() : variables.front();
            for (const model::Value value : model.domain(v).values()) {
                const strategy::PossibleStates::Mark mark = states.mark();
                states.play(v, value);
                moves.emplace_back(v, value);
                const bool exist = states.exist();
                (exist ? possible : impossible)++;
                ASSERT_EQ(exist, reference.some_state(static_cast<int>(b), moves)) << "seed " << seed;
                ASSERT_EQ(states[v].low, value);
                if (exist) visit(v == variables.back() ? b + 1 : b);
                if (HasFatalFailure()) return;
                moves.pop_back();
                states.undo(mark);
            }
        };
        visit(0);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(possible, drawn.size() * 5 / 2);
    EXPECT_GT(impossible, drawn.size() * 5 / 2);
}

// Sixty pairs of coins, and two variables that no interval tells to be at odds.
model::Model needle(bool possible) {
    model::ModelBuilder game("needle");
    const model::IntExprs coins = game.state("coin", 61, 0, 1);
    const model::IntExpr a = game.state("a", 0, 2);
    const model::IntExpr b = game.state("b", 0, 2);
    game.exists("move", 0, 1);
    for (std::size_t i = 0; i + 1 < coins.size(); ++i) game.require(coins[i] + coins[i + 1] >= 1);
    game.require(model::table({a, b}, {{0, 0}, {1, 1}, {2, 2}}));
    game.require(model::table({a, b}, {{0, 2}, {1, possible ? 1 : 0}, {2, 1}}));
    return game.build();
}

TEST(PossibleStates, AContradictionBetweenFewVariablesIsFoundAmongMany) {
    for (const bool possible : {true, false}) {
        const model::Model model = needle(possible);
        const model::Structure structure = analyse(model);
        strategy::PossibleStates states(model, structure, Limits(60, std::nullopt));
        EXPECT_EQ(states.exist(), possible);
    }
}

// Eleven pigeons in ten holes, said so that only a search can tell.
TEST(PossibleStates, ASearchEndsAtItsLimits) {
    model::ModelBuilder game("pigeons");
    const model::IntExprs hole = game.state("hole", 11, 1, 10);
    const model::IntExpr x = game.exists("x", 0, 1);
    for (std::size_t i = 0; i < hole.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) game.require(hole[i] != hole[j] || x == 0);
    }
    const model::Model model = game.build();
    const model::Structure structure = analyse(model);
    strategy::PossibleStates states(model, structure, Limits(0.05, std::nullopt));
    states.play(variable(model, "x"), 1);
    EXPECT_THROW(static_cast<void>(states.exist()), LimitReached);

    const strategy::Verification stopped =
        verify(model, strategy::Strategy{}, {.limits = Limits(0.05, std::nullopt)});
    EXPECT_FALSE(stopped.valid);
    EXPECT_EQ(stopped.stop, Stop::time);
    EXPECT_FALSE(stopped.counterexample);
}

TEST(PossibleStates, ElevenPigeonsAreTooManyForTenHolesAtOnce) {
    model::ModelBuilder game("pigeons");
    const model::IntExprs hole = game.state("hole", 11, 1, 10);
    game.exists("x", 0, 1);
    game.require(model::all_different(hole));
    const model::Model model = game.build();
    const model::Structure structure = analyse(model);
    EXPECT_FALSE(strategy::PossibleStates(model, structure, Limits(60, std::nullopt)).exist());
}

// Bessiere and Verger (2006, section 5.2): a disc lies on the one that was dropped before it into the same
// column.
TEST(PossibleStates, ADiscFallsToTheLowestFreeCell) {
    constexpr std::size_t size = 6;
    const model::Model model = rank_connect_four(size, 4);
    const model::Structure structure = analyse(model);
    for (const auto seed : seeds(10)) {
        Random random(seed);
        strategy::PossibleStates states(model, structure);
        std::vector<std::size_t> height(size, 0);
        for (std::size_t turn = 0; turn < 12; ++turn) {  // nobody is forced to anything so early
            const model::VarId drop = model.prefix[turn].variables.front();
            std::vector<std::size_t> columns;
            for (std::size_t cell = 0; cell < size * size; ++cell) {
                const bool lowest = height[cell % size] == cell / size;
                const strategy::PossibleStates::Mark mark = states.mark();
                states.play(drop, static_cast<model::Value>(cell) + 1);
                ASSERT_EQ(states.exist(), lowest)
                    << "seed " << seed << ", turn " << turn << ", cell " << cell;
                states.undo(mark);
                if (lowest) columns.push_back(cell % size);
            }
            const std::size_t column = columns[random.below(columns.size())];
            states.play(drop, static_cast<model::Value>(height[column]++ * size + column) + 1);
        }
    }
}

// The ranks of the discs that lie are all that the order of the drops has left, and only their parity
// matters.
TEST(PossibleStates, TheOrderOfTheDropsIsForgotten) {
    const model::Model model = rank_connect_four(5, 4);
    const model::Structure structure = analyse(model);
    const auto residue = [&](std::vector<model::Value> cells) {
        strategy::PossibleStates states(model, structure);
        for (std::size_t turn = 0; turn < cells.size(); ++turn)
            states.play(model.prefix[turn].variables.front(), cells[turn]);
        return states.residue();
    };
    EXPECT_EQ(residue({1, 2, 3, 4}), residue({3, 4, 1, 2}));
    EXPECT_EQ(residue({1, 2, 3, 4}), residue({3, 2, 1, 4}));
    EXPECT_NE(residue({1, 2, 3, 4}), residue({2, 1, 3, 4}));
    EXPECT_NE(residue({1, 2, 3, 4}), residue({1, 2, 3, 5}));
}

TEST(PossibleStates, SettleOnAStateThatAgreesWithTheMoves) {
    model::ModelBuilder game("settle");
    const model::IntExpr a = game.state("a", 0, 9);
    const model::IntExpr b = game.state("b", 0, 9);
    const model::IntExpr x = game.exists("x", 0, 9);
    game.require(a + b == 2 * x);
    game.require(a > b + 2);
    const model::Model model = game.build();
    const model::Structure structure = analyse(model);
    strategy::PossibleStates states(model, structure);
    states.play(variable(model, "x"), 7);
    ASSERT_TRUE(states.exist());
    states.settle();
    const model::Interval first = states[variable(model, "a")];
    const model::Interval second = states[variable(model, "b")];
    ASSERT_TRUE(first.single() && second.single());
    EXPECT_EQ(first.low + second.low, 14);
    EXPECT_GT(first.low, second.low + 2);
}

TEST(PossibleStates, ResiduesAreTheSameOnEveryWayToAPosition) {
    for (const auto seed : seeds(300)) {
        const model::Model model =
            seed % 2 == 0 ? raw_strategic_model(seed) : random_strategic_model(seed).build();
        const model::Structure structure = analyse(model);
        std::vector<model::VarId> turns;
        for (const model::Block& block : structure.prefix)
            turns.insert(turns.end(), block.variables.begin(), block.variables.end());
        Random random(seed);
        strategy::PossibleStates wandering(model, structure);
        std::vector<model::Value> moves;
        std::vector<strategy::PossibleStates::Mark> marks;
        for (int i = 0; i < 40; ++i) {
            const bool forwards = moves.size() < turns.size() && wandering.exist() && random.chance(0.6);
            if (forwards) {
                const model::VarId v = turns[moves.size()];
                const auto values = model.domain(v).values();
                marks.push_back(wandering.mark());
                moves.push_back(values[random.below(values.size())]);
                wandering.play(v, moves.back());
            } else if (!moves.empty()) {
                wandering.undo(marks.back());
                marks.pop_back();
                moves.pop_back();
            }
            if (!wandering.exist() || random.chance(0.3)) continue;
            strategy::PossibleStates direct(model, structure);
            for (std::size_t m = 0; m < moves.size(); ++m) direct.play(turns[m], moves[m]);
            ASSERT_EQ(wandering.residue(), direct.residue()) << "seed " << seed;
        }
    }
}

}  // namespace

}  // namespace zermelo
