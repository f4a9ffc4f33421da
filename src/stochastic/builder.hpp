// Builder of a stochastic CSP (Walsh 2002) in C++, in the notation of Piette et al. (2015, section 2).
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

    model::IntExpr decide(const std::string& name, const model::Domain& domain, int player = 1);
    model::IntExpr decide(const std::string& name, model::Value low, model::Value high, int player = 1) {
        return decide(name, model::Domain(low, high), player);
    }
    // Probabilities in proportion to the weights, one for each value in ascending order; uniform without.
    model::IntExpr chance(const std::string& name, const model::Domain& domain,
                          const std::vector<model::Value>& weights = {});
    model::IntExpr chance(const std::string& name, model::Value low, model::Value high,
                          const std::vector<model::Value>& weights = {}) {
        return chance(name, model::Domain(low, high), weights);
    }
    // A row of weights for each combination of values of the scope: earlier variables, the last varies
    // fastest.
    model::IntExpr chance(const std::string& name, const model::Domain& domain, const model::IntExprs& scope,
                          const std::vector<std::vector<model::Value>>& rows);

    void hard(const model::BoolExpr& condition) { base_.require(condition); }
    // amount × factor for a player; a condition counts 1 where it holds.
    void worth(const model::IntExpr& amount, const Rational& factor = 1, int player = 1);
    // A valued constraint as a table over declared variables: for each row of values the utility of each
    // player. Rows that are not listed are worth nothing.
    struct Row {
        std::vector<model::Value> values;
        Rationals utilities;
    };
    void worth(const model::IntExprs& scope, const std::vector<Row>& rows);
    // Together these conditions are worth 1 to every player if all of them hold: the probability that they
    // do.
    void satisfied(const model::BoolExpr& condition);
    void threshold(const Rational& least, int player = 1);

    [[nodiscard]] StochasticModel build() const;

private:
    model::VarId variable_of(const model::IntExpr& expression) const;
    model::VarId auxiliary(const model::IntExpr& definition, model::Value low, model::Value high);
    Player player(int number);

    model::ModelBuilder base_;
    std::vector<Turn> order_;
    std::vector<Chance> chances_;
    std::vector<UtilityTerm> utility_terms_;
    std::vector<model::VarId> satisfied_;
    std::vector<std::optional<Rational>> thresholds_ = {std::nullopt};
    std::vector<model::VarId> auxiliaries_;
    std::size_t numbered_ = 0;  // auxiliary variables have names of their own
};

}  // namespace zermelo::stochastic
