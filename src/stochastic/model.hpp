// Stochastic CSP (Walsh 2002): decisions and chance in turns, and the utilities of the players.
//
// The problems of Piette et al. (2015, section 2) and, for several players and conditional probabilities, of
// Koriche et al. (2016, section 3). Variables stand in an order. Each is a *decision* of a player, or falls
// by *chance* with probabilities that may depend on earlier variables. A *stage* is some decisions and the
// chance variables that follow them.
//
// A play gives every variable a value. It must obey the hard constraints, and it has a *utility* for each
// player: the sum of the valued constraints. The *satisfied* constraints are Walsh's: together they are worth
// 1 to every player if all of them hold and 0 otherwise, so that their part of the expected utility is the
// probability that they hold.
//
// A *policy* decides at every decision, knowing all that has come before. It is feasible if no play of
// positive probability breaks a hard constraint, and a solution if it is feasible and the expected utility of
// every player is at least the player's threshold.

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/structure.hpp"
#include "stochastic/rational.hpp"

namespace zermelo::stochastic {

using Player = int;  // from 0
inline constexpr Player nobody = -1;

// The conditional probabilities of a chance variable: a row for each combination of values of the scope (the
// last varies fastest), a column for each value of the variable.
struct Chance {
    model::VarId variable = -1;
    std::vector<model::VarId> scope;  // earlier variables
    std::vector<std::vector<model::Value>> scope_values;
    std::vector<model::Value> values;
    Rationals probabilities;  // row by row
    Place place = {};

    // The row for the values that `value(VarId)` tells.
    template <class ValueOf>
    [[nodiscard]] std::size_t row(const ValueOf& value) const;
    [[nodiscard]] const Rational& probability(std::size_t row, std::size_t column) const {
        return probabilities[row * values.size() + column];
    }
};

struct Turn {
    model::VarId variable;
    Player owner = nobody;  // of a decision
    int chance = -1;        // otherwise: index into StochasticModel::chances
    int stage = 0;
    [[nodiscard]] bool decision() const { return owner != nobody; }
};

struct UtilityTerm {  // a valued constraint: it adds factor × amount to the player's utility
    Player player;
    model::VarId amount;
    Rational factor;
};

struct StochasticModel {
    model::Model model;  // the variables and the hard constraints; chance variables stand in its prefix, too
    model::Structure structure;  // of `model`
    std::vector<Turn> order;
    std::vector<Chance> chances;
    std::vector<UtilityTerm> utility_terms;
    std::vector<model::VarId> satisfied;  // Booleans: worth 1 to everybody if all of them are true
    std::vector<std::optional<Rational>> thresholds;  // by player

    [[nodiscard]] int players() const { return static_cast<int>(thresholds.size()); }
    [[nodiscard]] int stages() const { return order.empty() ? 0 : order.back().stage + 1; }
    [[nodiscard]] const Chance& chance_at(const Turn& turn) const {
        return chances[static_cast<std::size_t>(turn.chance)];
    }
    [[nodiscard]] bool has_threshold() const;
    [[nodiscard]] bool reaches_thresholds(const Rationals& utilities) const;
};

// Weights, one for each column of each row, become probabilities. Throws Error at `chance.place` where they
// are not as many, where one is negative, or where a row has none.
void set_weights(Chance& chance, const std::vector<model::Value>& weights, const std::string& name);

// Numbers the stages, analyses the model and checks it: scopes come before their variable, every variable is
// a decision, falls by chance or is a function of those. Readers and the builder end with it.
void finish(StochasticModel& model);

// A model that a reader delivered, with what it says of chance and utilities (model/flatzinc/chance.hpp).
[[nodiscard]] bool is_stochastic(const model::Model& model);
[[nodiscard]] StochasticModel from_flat(model::Model model);

// ---------------------------------------------------------------------------------------------------------

template <class ValueOf>
std::size_t Chance::row(const ValueOf& value) const {
    std::size_t result = 0;
    for (std::size_t i = 0; i < scope.size(); ++i) {
        const auto& known = scope_values[i];
        const auto at = std::lower_bound(known.begin(), known.end(), value(scope[i]));
        result = result * known.size() + static_cast<std::size_t>(at - known.begin());
    }
    return result;
}

}  // namespace zermelo::stochastic
