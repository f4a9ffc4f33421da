// Random stochastic problems, and an oracle that knows them as they were drawn: it tries everything, with
// exact fractions, and shares nothing with the engines but the type of a number.

#pragma once

#include <algorithm>
#include <optional>
#include <set>

#include "core/random.hpp"
#include "stochastic/builder.hpp"
#include "stochastic/policy.hpp"

namespace zermelo::stochastic {

using Play = std::vector<model::Value>;  // by turn

// coefficients · play (≤, =, ≠) constant, over some turns; or membership in a list of rows.
struct Condition {
    std::vector<std::size_t> scope;
    std::vector<model::Value> coefficients;
    model::Relation relation = model::Relation::at_most;
    model::Value constant = 0;
    std::vector<std::vector<model::Value>> rows;  // not empty: a table, and the rest does not count

    [[nodiscard]] bool holds(const Play& play) const {
        if (!rows.empty()) {
            std::vector<model::Value> here;
            for (const std::size_t t : scope) here.push_back(play[t]);
            return std::find(rows.begin(), rows.end(), here) != rows.end();
        }
        model::Value sum = 0;
        for (std::size_t i = 0; i < scope.size(); ++i) sum += coefficients[i] * play[scope[i]];
        return relation == model::Relation::at_most ? sum <= constant
               : relation == model::Relation::equal ? sum == constant
                                                    : sum != constant;
    }
    [[nodiscard]] model::BoolExpr expression(const model::IntExprs& turns) const {
        model::IntExprs columns;
        for (const std::size_t t : scope) columns.push_back(turns[t]);
        if (!rows.empty()) return table(columns, rows);
        model::IntExpr sum = 0;
        for (std::size_t i = 0; i < scope.size(); ++i) sum += coefficients[i] * columns[i];
        return relation == model::Relation::at_most ? sum <= constant
               : relation == model::Relation::equal ? sum == constant
                                                    : sum != constant;
    }
};

struct RandomTurn {
    std::vector<model::Value> values;
    int player = 0;  // 0: by chance
    std::vector<std::size_t> scope;
    std::vector<std::vector<model::Value>> weights;  // by combination of values of the scope
};

struct ValuedPart {  // a valued constraint: factor × (left × right, or a condition)
    int player;
    Rational factor;
    std::size_t left, right;
    std::optional<Condition> condition;
};

struct RandomProblem {
    int players = 1;
    std::vector<RandomTurn> turns;
    std::vector<Condition> hard, satisfied;
    std::vector<ValuedPart> valued;
    std::vector<std::size_t> table_scope;  // of a valued constraint as a table
    std::vector<StochasticBuilder::Row> table_rows;

    [[nodiscard]] bool feasible(const Play& play) const {
        return std::all_of(hard.begin(), hard.end(), [&](const Condition& c) { return c.holds(play); });
    }

    [[nodiscard]] Rationals utilities(const Play& play) const {
        Rationals result(static_cast<std::size_t>(players), 0);
        for (const ValuedPart& part : valued) {
            const model::Value amount =
                part.condition ? (part.condition->holds(play) ? 1 : 0) : play[part.left] * play[part.right];
            result[static_cast<std::size_t>(part.player - 1)] += part.factor * amount;
        }
        for (const auto& row : table_rows) {
            bool here = true;
            for (std::size_t i = 0; i < table_scope.size(); ++i)
                here = here && play[table_scope[i]] == row.values[i];
            if (!here) continue;
            for (std::size_t p = 0; p < result.size(); ++p) result[p] += row.utilities[p];
        }
        const bool all = std::all_of(satisfied.begin(), satisfied.end(),
                                     [&](const Condition& c) { return c.holds(play); });
        if (all && !satisfied.empty()) {
            for (Rational& utility : result) utility += 1;
        }
        return result;
    }

    [[nodiscard]] Rational probability(std::size_t t, const Play& play, model::Value value) const {
        const RandomTurn& turn = turns[t];
        std::size_t row = 0;
        for (const std::size_t s : turn.scope) {
            const auto& values = turns[s].values;
            row = row * values.size() +
                  static_cast<std::size_t>(std::find(values.begin(), values.end(), play[s]) - values.begin());
        }
        Rational total = 0;
        Rational own = 0;
        for (std::size_t i = 0; i < turn.values.size(); ++i) {
            total += turn.weights[row][i];
            if (turn.values[i] == value) own = turn.weights[row][i];
        }
        return own / total;
    }

    [[nodiscard]] StochasticModel model() const {
        StochasticBuilder builder("random");
        model::IntExprs all;
        for (std::size_t t = 0; t < turns.size(); ++t) {
            const std::string name = (turns[t].player > 0 ? "x" : "y") + std::to_string(t + 1);
            model::IntExprs scope;
            for (const std::size_t s : turns[t].scope) scope.push_back(all[s]);
            all.push_back(
                turns[t].player > 0
                    ? builder.decide(name, model::Domain(turns[t].values), turns[t].player)
                    : builder.chance(name, model::Domain(turns[t].values), scope, turns[t].weights));
        }
        for (const Condition& c : hard) builder.hard(c.expression(all));
        for (const Condition& c : satisfied) builder.satisfied(c.expression(all));
        for (const ValuedPart& part : valued) {
            builder.worth(part.condition ? model::IntExpr(part.condition->expression(all))
                                         : all[part.left] * all[part.right],
                          part.factor, part.player);
        }
        if (!table_rows.empty()) {
            model::IntExprs scope;
            for (const std::size_t t : table_scope) scope.push_back(all[t]);
            builder.worth(scope, table_rows);
        }
        builder.worth(0, 1, players);  // so that the last player is there, whatever was drawn
        return builder.build();
    }
};

inline Condition random_condition(Random& random, const RandomProblem& problem) {
    Condition result;
    std::set<std::size_t> scope;
    const auto size = static_cast<std::size_t>(random.between(1, 3));
    while (scope.size() < std::min(size, problem.turns.size()))
        scope.insert(random.below(problem.turns.size()));
    result.scope.assign(scope.begin(), scope.end());
    if (random.chance(0.3)) {
        const auto rows = random.between(2, 12);
        for (model::Value r = 0; r < rows; ++r) {
            auto& row = result.rows.emplace_back();
            for (const std::size_t t : result.scope)
                row.push_back(problem.turns[t].values[random.below(problem.turns[t].values.size())]);
        }
        return result;
    }
    for (std::size_t i = 0; i < result.scope.size(); ++i)
        result.coefficients.push_back(random.between(-2, 2));
    result.relation = random.chance(0.7)   ? model::Relation::at_most
                      : random.chance(0.7) ? model::Relation::different
                                           : model::Relation::equal;
    result.constant = random.between(-1, 4);
    return result;
}

// One to three stages; zeros among the weights; one or two players.
inline RandomProblem random_problem(std::uint64_t seed) {
    Random random(seed);
    RandomProblem problem;
    problem.players = random.chance(0.6) ? 1 : 2;
    const auto stages = random.between(1, 3);
    for (model::Value s = 0; s < stages; ++s) {
        const auto decisions = random.between(s == 0 ? 0 : 1, stages == 3 ? 1 : 2);
        const auto chances = random.between(1, stages == 1 ? 2 : 1);
        for (model::Value i = 0; i < decisions + chances; ++i) {
            RandomTurn turn;
            const model::Value from = random.between(-1, 1);
            const model::Value step = random.chance(0.2) ? 2 : 1;
            for (model::Value v = 0; v < random.between(2, 3); ++v) turn.values.push_back(from + v * step);
            if (i < decisions) {
                turn.player = static_cast<int>(random.between(1, problem.players));
            } else {
                std::size_t rows = 1;
                for (std::size_t t = 0; t < problem.turns.size(); ++t) {
                    if (turn.scope.size() < 2 && random.chance(0.3)) {
                        turn.scope.push_back(t);
                        rows *= problem.turns[t].values.size();
                    }
                }
                for (std::size_t r = 0; r < rows; ++r) {
                    auto& row = turn.weights.emplace_back();
                    for (std::size_t v = 0; v < turn.values.size(); ++v)
                        row.push_back(random.chance(0.3) ? 0 : random.between(1, 4));
                    row[random.below(row.size())] += 1;
                }
            }
            problem.turns.push_back(std::move(turn));
        }
    }
    const auto hard = random.between(0, 2);
    for (model::Value i = 0; i < hard; ++i) problem.hard.push_back(random_condition(random, problem));
    const auto satisfied = random.between(0, 2);
    for (model::Value i = 0; i < satisfied; ++i)
        problem.satisfied.push_back(random_condition(random, problem));
    const auto valued = random.between(1, 3);
    for (model::Value i = 0; i < valued; ++i) {
        ValuedPart part{static_cast<int>(random.between(1, problem.players)),
                        Rational(random.between(-3, 4)) / random.between(1, 5),
                        random.below(problem.turns.size()), random.below(problem.turns.size()), std::nullopt};
        if (random.chance(0.5)) part.condition = random_condition(random, problem);
        problem.valued.push_back(std::move(part));
    }
    if (random.chance(0.3)) {
        problem.table_scope = {0};
        if (problem.turns.size() > 1) problem.table_scope.push_back(problem.turns.size() - 1);
        std::set<std::vector<model::Value>> seen;
        for (int r = 0; r < 4; ++r) {
            StochasticBuilder::Row row;
            for (const std::size_t t : problem.table_scope)
                row.values.push_back(problem.turns[t].values[random.below(problem.turns[t].values.size())]);
            for (int p = 0; p < problem.players; ++p)
                row.utilities.push_back(Rational(random.between(-2, 5)) / random.between(1, 6));
            if (seen.insert(row.values).second) problem.table_rows.push_back(std::move(row));
        }
    }
    return problem;
}

// ---- the oracle ------------------------------------------------------------------------------------------

// Everybody decides for itself, the smallest of equal values; nothing where no policy is feasible.
inline std::optional<Rationals> best_by_force(const RandomProblem& problem, Play& play) {
    const std::size_t t = play.size();
    if (t == problem.turns.size()) {
        if (!problem.feasible(play)) return std::nullopt;
        return problem.utilities(play);
    }
    const RandomTurn& turn = problem.turns[t];
    std::optional<Rationals> best;
    Rationals sum(static_cast<std::size_t>(problem.players), 0);
    for (const model::Value value : turn.values) {
        const Rational probability = turn.player > 0 ? Rational(1) : problem.probability(t, play, value);
        if (probability == 0) continue;
        play.push_back(value);
        const auto found = best_by_force(problem, play);
        play.pop_back();
        if (turn.player > 0) {
            const auto p = static_cast<std::size_t>(turn.player - 1);
            if (found && (!best || (*found)[p] > (*best)[p])) best = found;
        } else {
            if (!found) return std::nullopt;
            for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += probability * (*found)[p];
        }
    }
    if (turn.player > 0) return best;
    return sum;
}

// The expected utilities of all feasible policies.
inline std::set<Rationals> all_by_force(const RandomProblem& problem, Play& play) {
    const std::size_t t = play.size();
    if (t == problem.turns.size()) {
        if (!problem.feasible(play)) return {};
        return {problem.utilities(play)};
    }
    const RandomTurn& turn = problem.turns[t];
    std::set<Rationals> result;
    if (turn.player == 0) result.insert(Rationals(static_cast<std::size_t>(problem.players), 0));
    for (const model::Value value : turn.values) {
        const Rational probability = turn.player > 0 ? Rational(1) : problem.probability(t, play, value);
        if (probability == 0) continue;
        play.push_back(value);
        const auto found = all_by_force(problem, play);
        play.pop_back();
        if (turn.player > 0) {
            result.insert(found.begin(), found.end());
            continue;
        }
        std::set<Rationals> sums;
        for (const Rationals& before : result) {
            for (const Rationals& here : found) {
                Rationals sum = before;
                for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += probability * here[p];
                sums.insert(std::move(sum));
            }
        }
        result = std::move(sums);
    }
    return result;
}

// What a policy is worth, if it is feasible, leaves nothing open and tells the right probabilities.
inline std::optional<Rationals> worth_by_force(const RandomProblem& problem, const Policy& policy, NodeId at,
                                               Play& play) {
    const std::size_t t = play.size();
    if (t == problem.turns.size()) {
        if (!problem.feasible(play)) return std::nullopt;
        return problem.utilities(play);
    }
    Rationals sum(static_cast<std::size_t>(problem.players), 0);
    const auto follow = [&](model::Value value, const Rational& probability) {
        for (const PolicyEdge& edge : policy.at(at).edges) {
            if (std::find(edge.values.begin(), edge.values.end(), value) == edge.values.end()) continue;
            play.push_back(value);
            const auto found = worth_by_force(problem, policy, edge.to, play);
            play.pop_back();
            if (!found) return false;
            for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += probability * (*found)[p];
            return true;
        }
        return false;
    };
    if (problem.turns[t].player > 0) {
        if (!follow(policy.at(at).edges.front().values.front(), 1)) return std::nullopt;
        return sum;
    }
    for (const PolicyEdge& edge : policy.at(at).edges) {
        Rational total = 0;
        for (const model::Value value : edge.values) {
            total += problem.probability(t, play, value);
            if (problem.probability(t, play, value) == 0) return std::nullopt;
        }
        if (total != edge.probability) return std::nullopt;
    }
    for (const model::Value value : problem.turns[t].values) {
        const Rational probability = problem.probability(t, play, value);
        if (probability > 0 && !follow(value, probability)) return std::nullopt;
    }
    return sum;
}

}  // namespace zermelo::stochastic
