#include "stochastic/builder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zermelo::stochastic {

namespace {

using Integer = boost::multiprecision::cpp_int;

// The least common denominator of what the rows give a player.
Integer common_denominator(const std::vector<StochasticBuilder::Row>& rows, std::size_t player) {
    Integer result = 1;
    for (const auto& row : rows) result = lcm(result, Integer(denominator(row.utilities[player])));
    return result;
}

}  // namespace

Player StochasticBuilder::player(int number) {
    if (number < 1) throw Error(fmt::format("{} is no number of a player", number), "number players from 1");
    if (static_cast<std::size_t>(number) > thresholds_.size())
        thresholds_.resize(static_cast<std::size_t>(number));
    return number - 1;
}

model::VarId StochasticBuilder::variable_of(const model::IntExpr& expression) const {
    const model::Expression& tree = *expression.tree();
    const auto declared = [&](const Turn& turn) { return turn.variable == tree.variable; };
    if (tree.kind != model::Expression::Kind::variable ||
        std::none_of(order_.begin(), order_.end(), declared))
        throw Error("a scope contains something that is not a variable",
                    "use decisions and chance variables of this builder");
    return tree.variable;
}

model::IntExpr StochasticBuilder::decide(const std::string& name, const model::Domain& domain, int number) {
    model::IntExpr expression = base_.exists(name, domain);
    order_.push_back({expression.tree()->variable, player(number)});
    return expression;
}

model::IntExpr StochasticBuilder::chance(const std::string& name, const model::Domain& domain,
                                         const std::vector<model::Value>& weights) {
    return chance(name, domain, {},
                  {weights.empty() ? std::vector<model::Value>(domain.size(), 1) : weights});
}

model::IntExpr StochasticBuilder::chance(const std::string& name, const model::Domain& domain,
                                         const model::IntExprs& scope,
                                         const std::vector<std::vector<model::Value>>& rows) {
    Chance chance;
    std::vector<model::Value> weights;
    for (const auto& row : rows) {
        if (row.size() != domain.size())
            throw Error(fmt::format("a row of weights of {} does not have one weight per value", name),
                        "give one weight per value");
        weights.insert(weights.end(), row.begin(), row.end());
    }
    for (const model::IntExpr& expression : scope) {
        chance.scope.push_back(variable_of(expression));
        chance.scope_values.push_back(
            base_.source().variables[static_cast<std::size_t>(chance.scope.back())].domain.values());
    }
    model::IntExpr expression = base_.exists(name, domain);
    chance.variable = expression.tree()->variable;
    chance.values = domain.values();
    set_weights(chance, weights, name);
    order_.push_back({chance.variable, nobody, static_cast<int>(chances_.size())});
    chances_.push_back(std::move(chance));
    return expression;
}

// A variable that stands for an expression: a function of the others, and not in the order of the play.
model::VarId StochasticBuilder::auxiliary(const model::IntExpr& definition, model::Value low,
                                          model::Value high) {
    model::IntExpr expression = base_.exists(fmt::format("worth {}", ++numbered_), low, high);
    base_.require(expression == definition);
    auxiliaries_.push_back(expression.tree()->variable);
    return auxiliaries_.back();
}

void StochasticBuilder::worth(const model::IntExpr& amount, const Rational& factor, int number) {
    utility_terms_.push_back(
        {player(number), auxiliary(amount, -model::largest_value, model::largest_value), factor});
}

void StochasticBuilder::worth(const model::IntExprs& scope, const std::vector<Row>& rows) {
    // The rows stand in an array, found by a number with mixed radices.
    constexpr std::size_t most_cells = std::size_t{1} << 20;
    model::IntExpr index = 1;
    std::size_t cells = 1;
    std::vector<std::vector<model::Value>> domains;
    for (const model::IntExpr& expression : scope)
        domains.push_back(
            base_.source().variables[static_cast<std::size_t>(variable_of(expression))].domain.values());
    for (std::size_t i = scope.size(); i-- > 0;) {
        const auto& values = domains[i];
        const auto span = static_cast<std::size_t>(values.back() - values.front() + 1);
        if (span > most_cells || cells * values.size() > most_cells) {
            throw Error("the table of a valued constraint is too large", "state it as an expression");
        }
        std::vector<model::Value> rank(span, 0);
        for (std::size_t k = 0; k < values.size(); ++k)
            rank[static_cast<std::size_t>(values[k] - values.front())] = static_cast<model::Value>(k);
        index += static_cast<model::Value>(cells) * element(rank, scope[i] - values.front() + 1);
        cells *= values.size();
    }
    const std::size_t gets = rows.empty() ? 0 : rows.front().utilities.size();
    for (std::size_t p = 0; p < gets; ++p) {
        const Integer unit = common_denominator(rows, p);
        std::vector<model::Value> amounts(cells, 0);
        for (const Row& row : rows) {
            if (row.values.size() != scope.size() || row.utilities.size() != gets)
                throw Error(
                    "a row of a valued constraint differs in length from its scope or from the first row",
                    "make all rows equally long");
            std::size_t cell = 0;
            for (std::size_t i = 0; i < scope.size(); ++i) {
                const auto at = std::lower_bound(domains[i].begin(), domains[i].end(), row.values[i]);
                if (at == domains[i].end() || *at != row.values[i])
                    throw Error("a row of a valued constraint has a value outside the domain",
                                "use values of the variables");
                cell = cell * domains[i].size() + static_cast<std::size_t>(at - domains[i].begin());
            }
            const Rational amount = row.utilities[p] * Rational(unit);
            if (abs(amount) > model::largest_value)
                throw Error("the numerator or denominator of a utility is too large",
                            "use simpler fractions");
            amounts[cell] = static_cast<model::Value>(numerator(amount));
        }
        worth(element(amounts, index), Rational(1) / Rational(unit), static_cast<int>(p) + 1);
    }
}

void StochasticBuilder::satisfied(const model::BoolExpr& condition) {
    satisfied_.push_back(auxiliary(condition, 0, 1));
}

void StochasticBuilder::threshold(const Rational& least, int number) {
    const Player of = player(number);
    thresholds_[static_cast<std::size_t>(of)] = least;
}

StochasticModel StochasticBuilder::build() const {
    StochasticModel result;
    result.model = base_.build();
    std::erase_if(result.model.prefix, [&](const model::Block& block) {
        return std::find(auxiliaries_.begin(), auxiliaries_.end(), block.variables.front()) !=
               auxiliaries_.end();
    });
    result.order = order_;
    result.chances = chances_;
    result.utility_terms = utility_terms_;
    result.satisfied = satisfied_;
    result.thresholds = thresholds_;
    finish(result);
    return result;
}

}  // namespace zermelo::stochastic
