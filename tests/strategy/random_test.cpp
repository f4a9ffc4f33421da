// The checker against brute force: random models, naive strategies, and strategies damaged in one place.
//
// The reference plays every assignment in the order of the prefix and evaluates what the modeller wrote
// (support/oracle.hpp); it knows neither the flattened constraints nor intervals nor residues.

#include <gtest/gtest.h>

#include <functional>

#include "damage.hpp"
#include "model/structure.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/format/json.hpp"
#include "strategy/rules/evaluate.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"

namespace zermelo {

namespace {

// A game as the reference sees it: moves in the order of `prefix`, and functions that decide finished blocks
// and plays.
struct Game {
    const model::Model& model;
    std::vector<model::Block> prefix;
    std::function<bool(std::size_t block, const oracle::Assignment&)> legal;
    std::function<bool(const oracle::Assignment&)> wins;
};

class Reference {
public:
    explicit Reference(Game game) : game_(std::move(game)), play_(game_.model.variables.size(), 0) {
        position_.assign(play_.size(), -1);
        for (std::size_t b = 0; b < game_.prefix.size(); ++b) {
            const auto& variables = game_.prefix[b].variables;
            for (const model::VarId v : variables) {
                position_[static_cast<std::size_t>(v)] = static_cast<int>(turns_.size());
                turns_.push_back({v, b, v == variables.back()});
            }
        }
    }

    // ---- a strategy for whoever wins --------------------------------------------------------------------

    strategy::Strategy winning_strategy() {
        const model::Quantifier owner =
            wins(model::Quantifier::exists, 0) ? model::Quantifier::exists : model::Quantifier::forall;
        strategy::StrategyBuilder builder;
        return builder.extract(build(builder, owner, 0), owner);
    }

    // ---- is a strategy valid, by definition? ------------------------------------------------------------

    bool valid(const strategy::Strategy& strategy) {
        return check(strategy, strategy.root, 0, nobody) == Result::won;
    }
    [[nodiscard]] int position(model::VarId v) const { return position_[static_cast<std::size_t>(v)]; }

private:
    struct Turn {
        model::VarId variable;
        std::size_t block;
        bool completes;
    };
    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    enum class Result { won, lost, illegal };

    [[nodiscard]] const model::Domain& domain(const Turn& turn) const {
        return game_.model.domain(turn.variable);
    }
    [[nodiscard]] bool legal(const Turn& turn) const { return game_.legal(turn.block, play_); }
    [[nodiscard]] model::Quantifier player(const Turn& turn) const {
        return game_.prefix[turn.block].quantifier;
    }

    // Does `owner` win from here, and is there a legal way on for whoever moves (for blocks of several
    // variables)?
    bool wins(model::Quantifier owner, std::size_t i) {
        if (i == turns_.size()) return game_.wins(play_) == (owner == model::Quantifier::exists);
        const Turn& turn = turns_[i];
        const bool own = player(turn) == owner;
        for (const model::Value value : domain(turn).values()) {
            play_[static_cast<std::size_t>(turn.variable)] = value;
            const bool won = turn.completes && !legal(turn) ? !own : wins(owner, i + 1);
            if (won == own) return own;
        }
        return !own;
    }

    strategy::NodeId build(strategy::StrategyBuilder& builder, model::Quantifier owner, std::size_t i) {
        if (i == turns_.size()) return strategy::decided;
        const Turn& turn = turns_[i];
        const bool own = player(turn) == owner;
        std::vector<strategy::Edge> edges;
        for (const model::Value value : domain(turn).values()) {
            play_[static_cast<std::size_t>(turn.variable)] = value;
            if (turn.completes && !legal(turn)) continue;
            if (own && !wins(owner, i + 1)) continue;
            play_[static_cast<std::size_t>(turn.variable)] = value;
            if (!own && !turn.completes && !some_legal(i + 1)) continue;
            edges.push_back({{value}, build(builder, owner, i + 1)});
            if (own) break;
        }
        return edges.empty() ? strategy::decided : builder.node(turn.variable, std::move(edges));
    }

    bool some_legal(std::size_t i) {
        const Turn& turn = turns_[i];
        for (const model::Value value : domain(turn).values()) {
            play_[static_cast<std::size_t>(turn.variable)] = value;
            if (turn.completes ? legal(turn) : some_legal(i + 1)) return true;
        }
        return false;
    }

    // `unanswered`: the block up to whose end the opponent must break a rule.
    Result check(const strategy::Strategy& strategy, strategy::NodeId at, std::size_t i,
                 std::size_t unanswered) {
        if (i == turns_.size()) {
            return game_.wins(play_) == (strategy.owner == model::Quantifier::exists) ? Result::won
                                                                                      : Result::lost;
        }
        const Turn& turn = turns_[i];
        const strategy::StrategyNode& node = strategy.nodes[static_cast<std::size_t>(at)];
        const bool here = at != strategy::decided && node.variable == turn.variable;
        const bool own = player(turn) == strategy.owner;
        bool some = false;
        for (const model::Value value : domain(turn).values()) {
            strategy::NodeId next = here ? -1 : at;
            for (const strategy::Edge& edge : node.edges) {
                if (here && std::count(edge.values.begin(), edge.values.end(), value)) next = edge.to;
            }
            if (next < 0 && own) continue;
            play_[static_cast<std::size_t>(turn.variable)] = value;
            const std::size_t end = next < 0 ? turn.block : unanswered;
            const Result result = after(strategy, std::max(next, strategy::decided), i, end);
            if (result == Result::lost) return result;
            if (result == Result::illegal && !own) return Result::lost;
            some |= result == Result::won;
        }
        if (some) return Result::won;
        const bool first = i == 0 || turns_[i - 1].block != turn.block;
        return first ? Result::lost : Result::illegal;
    }

    Result after(const strategy::Strategy& strategy, strategy::NodeId next, std::size_t i,
                 std::size_t unanswered) {
        const Turn& turn = turns_[i];
        if (turn.completes && !legal(turn))
            return player(turn) == strategy.owner ? Result::illegal : Result::won;
        if (turn.completes && turn.block == unanswered) return Result::lost;
        return check(strategy, next, i + 1, unanswered);
    }

    Game game_;
    oracle::Assignment play_;
    std::vector<Turn> turns_;
    std::vector<int> position_;
};

Tally compare(const Game& game, std::uint64_t seed) {
    Tally tally;
    const model::Model& model = game.model;
    const model::Structure structure = analyse(model);
    Reference reference(game);
    const strategy::Strategy strategy = reference.winning_strategy();
    (strategy.owner == model::Quantifier::exists ? tally.exists : tally.forall)++;

    const auto check = [&](const strategy::Strategy& each, const std::string& what) {
        const bool expected = reference.valid(each);
        for (const std::size_t remembered : {std::size_t{1} << 20, std::size_t{0}}) {
            const strategy::Verification result =
                verify(model, each, {.apply_cuts = false, .remembered = remembered});
            EXPECT_EQ(result.valid, expected)
                << what << ", seed " << seed << (remembered > 0 ? " with" : " without")
                << " memory: " << (result.counterexample ? result.counterexample->text(model) : "valid");
            EXPECT_EQ(result.counterexample.has_value(), !result.valid);
        }
        return expected;
    };
    EXPECT_TRUE(check(strategy, "naive strategy"));
    EXPECT_TRUE(verify(model, strategy, {.apply_cuts = true}).valid)
        << "with cuts, seed " << seed;  // the cuts of theorem 1 change nothing
    const strategy::Strategy whole = completed(model, strategy);
    EXPECT_TRUE(verify(model, whole).valid) << "completed, seed " << seed;
    EXPECT_EQ(fingerprint(model, completed(model, whole)), fingerprint(model, whole)) << "seed " << seed;

    Random random(seed);
    for (int i = 0; i < 12; ++i) {
        strategy::Strategy damaged = i % 3 == 2 ? whole : strategy;
        if (!damage(damaged, model, structure, reference, random)) continue;
        (check(damaged, "damaged strategy " + std::to_string(i)) ? tally.harmless : tally.rejected)++;
    }
    return tally;
}

void compare_shaped(const Shape& shape, std::size_t models) {
    compare_many(models, [&](std::uint64_t seed) {
        const model::ModelBuilder builder = random_model(seed, shape);
        const model::Source& source = builder.source();
        const model::Model model = builder.build();
        return compare(
            {model, model.prefix,
             [&](std::size_t b, const auto& play) { return oracle::holds(source.blocks[b].rules, play); },
             [&](const auto& play) { return oracle::wins(source, play); }},
            seed);
    });
}

TEST(VerifyRandom, AgreesWithBruteForceOnPlainModels) { compare_shaped({.blocks = 4, .values = 3}, 1500); }

TEST(VerifyRandom, AgreesWithBruteForceOnModelsWithRules) {
    compare_shaped({.blocks = 4, .values = 3, .exists_rules = true, .forall_rules = true}, 1500);
}

TEST(VerifyRandom, AgreesWithBruteForceOnModelsWithCuts) {
    compare_shaped({.blocks = 4, .values = 3, .exists_rules = true, .forall_rules = true, .cuts = true}, 700);
}

TEST(VerifyRandom, AgreesWithBruteForceWhenOnlyExistsHasRules) {
    compare_shaped({.blocks = 4, .values = 3, .exists_rules = true}, 700);
}

// Constraints as they come, over four moves and three auxiliary variables that may be free or have no value.
model::Model raw_model(std::uint64_t seed) {
    Random random(seed);
    model::Model model;
    model.name = "raw-" + std::to_string(seed);
    for (int i = 0; i < 7; ++i) {
        const model::Value low = random.between(-1, 1);
        const model::Value high = low + static_cast<model::Value>(random.between(1, i < 4 ? 2 : 3));
        const model::VarId v =
            model.add_variable((i < 4 ? "m" : "a") + std::to_string(i), model::Domain(low, high));
        if (i >= 4) continue;
        model.prefix.push_back(
            {random.chance(0.5) ? model::Quantifier::exists : model::Quantifier::forall, {v}, std::nullopt});
    }
    const auto any = [&] { return static_cast<model::VarId>(random.below(7)); };
    const auto auxiliary = [&] { return static_cast<model::VarId>(4 + random.below(3)); };
    for (auto n = random.between(1, 4); n > 0; --n) {
        const model::VarId a = any();
        const model::VarId b = (a + static_cast<model::VarId>(random.between(1, 6))) % 7;
        switch (random.below(6)) {
            case 0:
                model.constraints.push_back({model::Arithmetic{
                    model::Operation{static_cast<int>(random.below(4))}, a, b, auxiliary()}});
                break;
            case 1:
                model.constraints.push_back({model::Element{a, {any(), any(), any()}, auxiliary()}});
                break;
            case 2:
                model.constraints.push_back({model::Extremum{random.chance(0.5), {a, b}, auxiliary()}});
                break;
            case 3:
                model.constraints.push_back({model::Linear{{{1, a}, {random.chance(0.5) ? 1 : -1, b}},
                                                           model::Relation::equal,
                                                           random.between(-1, 2),
                                                           std::nullopt}});
                break;
            case 4:
                model.constraints.push_back({model::Linear{
                    {{1, a}, {2, b}}, model::Relation::at_most, random.between(0, 4), std::nullopt}});
                break;
            default:
                model.constraints.push_back({model::AllDifferent{{a, b}}});
        }
    }
    return model;
}

TEST(VerifyRandom, AgreesWithBruteForceOnRawConstraints) {
    compare_many(3000, [](std::uint64_t seed) {
        const model::Model model = raw_model(seed);
        const model::Structure structure = analyse(model);
        // Won when the variables that nobody chooses have some values with which all constraints hold.
        const auto wins = [&](const oracle::Assignment& play) {
            strategy::Intervals point;
            for (const model::Value value : play) point.push_back({value, value});
            const std::function<bool(std::size_t)> some = [&](std::size_t v) {
                if (v == point.size()) {
                    return std::all_of(model.constraints.begin(), model.constraints.end(),
                                       [&](const model::Constraint& c) {
                                           return strategy::truth(c, point) == strategy::Truth::yes;
                                       });
                }
                if (structure.block_of[v] >= 0) return some(v + 1);
                for (const model::Value value : model.variables[v].domain.values()) {
                    point[v] = {value, value};
                    if (some(v + 1)) return true;
                }
                return false;
            };
            return some(0);
        };
        return compare({model, structure.prefix, [](std::size_t, const auto&) { return true; }, wins}, seed);
    });
}

}  // namespace

}  // namespace zermelo
