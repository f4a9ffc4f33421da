// StochasticBuilder: a model with chance in C++ that reads like seed 003, section 2.
//
//     StochasticBuilder problem("example 1");
//     const auto x1 = problem.decide("x1", 0, 2);
//     const auto x2 = problem.decide("x2", 0, 2);
//     const auto y = problem.chance("y", 0, 2);    // each value with probability 1/3
//     problem.hard(x1 == x2);
//     problem.worth(x1 + y >= 1);                  // 1 if it holds
//     problem.threshold(Rational(1) / 2);
//     const StochasticModel model = problem.build();
//
// Variables are declared in the order of the play. Players are numbered from 1, as in MiniZinc models.

#pragma once

#include "model/builder.hpp"
#include "stochastic/model.hpp"

namespace zermelo::stochastic {

class StochasticBuilder {
public:
    explicit StochasticBuilder(std::string name = "") : base_(std::move(name)) {}

    IntExpr decide(const std::string& name, const Domain& domain, int player = 1);
    IntExpr decide(const std::string& name, Value low, Value high, int player = 1) {
        return decide(name, Domain(low, high), player);
    }
    // Probabilities in proportion to the weights, one for each value in ascending order; uniform without.
    IntExpr chance(const std::string& name, const Domain& domain, const std::vector<Value>& weights = {});
    IntExpr chance(const std::string& name, Value low, Value high, const std::vector<Value>& weights = {}) {
        return chance(name, Domain(low, high), weights);
    }
    // A row of weights for each combination of values of the scope: earlier variables, the last varies
    // fastest.
    IntExpr chance(const std::string& name, const Domain& domain, const IntExprs& scope,
                   const std::vector<std::vector<Value>>& rows);

    void hard(const BoolExpr& condition) { base_.require(condition); }
    // amount × factor for a player; a condition counts 1 where it holds.
    void worth(const IntExpr& amount, const Rational& factor = 1, int player = 1);
    // A valued constraint as a table over declared variables: for each row of values the utility of each
    // player. Rows that are not listed are worth nothing.
    struct Row {
        std::vector<Value> values;
        Rationals utilities;
    };
    void worth(const IntExprs& scope, const std::vector<Row>& rows);
    // All that is said so is worth 1 to everybody if all of it holds: the probability that it does.
    void satisfied(const BoolExpr& condition);
    void threshold(const Rational& least, int player = 1);

    [[nodiscard]] StochasticModel build() const;

private:
    VarId variable_of(const IntExpr& expression) const;
    VarId auxiliary(const IntExpr& definition, Value low, Value high);
    Player player(int number);

    ModelBuilder base_;
    std::vector<Turn> order_;
    std::vector<Chance> chances_;
    std::vector<Worth> worths_;
    std::vector<VarId> satisfied_;
    std::vector<std::optional<Rational>> thresholds_ = {std::nullopt};
    std::vector<VarId> auxiliaries_;
    std::size_t numbered_ = 0;  // auxiliary variables have names of their own
};

}  // namespace zermelo::stochastic
