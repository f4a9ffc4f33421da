#include "stochastic/verify.hpp"

#include <fmt/format.h>

#include "core/deep_stack.hpp"
#include "strategy/rules/evaluate.hpp"

namespace zermelo::stochastic {

namespace {

class Walk {
public:
    Walk(const StochasticModel& model, const Policy& policy, const Limits& limits)
        : m_(model), policy_(policy), limits_(limits) {
        for (const model::Variable& variable : model.model.variables)
            known_.push_back({variable.domain.low(), variable.domain.high()});
    }

    PolicyVerification run() {
        Rationals utilities;
        Rational mass;
        with_deep_stack(m_.order.size(), [&] {
            mass = 0;
            if (policy_.utilities.size() != static_cast<std::size_t>(m_.players())) {
                refute("it does not claim a utility for each player");
                return;
            }
            utilities = walk(policy_.root, 0, 1, mass);
        });
        if (result_.stop != Stop::none || result_.counterexample) return std::move(result_);
        if (mass != 1)
            refute(fmt::format("the probabilities of the plays add up to {}, not to 1", text(mass)));
        for (std::size_t p = 0; p < utilities.size(); ++p) {
            if (utilities[p] == policy_.utilities[p]) continue;
            refute(fmt::format("player {} gets {} on average, but {} is claimed", p + 1, text(utilities[p]),
                               text(policy_.utilities[p])));
        }
        result_.reaches_thresholds = m_.reaches_thresholds(utilities);
        result_.utilities = std::move(utilities);
        result_.valid = !result_.counterexample;
        return std::move(result_);
    }

private:
    [[nodiscard]] bool ended() const { return result_.stop != Stop::none || result_.counterexample; }

    void refute(const std::string& reason) {
        if (!result_.counterexample) result_.counterexample = strategy::Counterexample{play_, reason};
    }

    [[nodiscard]] const std::string& name(model::VarId v) const { return m_.model.name_of(v); }

    // The expected utilities below a node that is reached with this probability. `mass` grows by the
    // probabilities of the plays.
    Rationals walk(NodeId id, std::size_t turn, const Rational& probability, Rational& mass) {
        ++result_.positions;
        Rationals total(static_cast<std::size_t>(m_.players()), 0);
        if (result_.stop = limits_.reached(); ended()) return total;
        if (turn == m_.order.size()) {
            if (id != leaf) refute("the policy goes on after the last variable");
            if (!ended()) evaluate(total);
            ++result_.scenarios;
            mass += probability;
            return total;
        }
        const Turn& now = m_.order[turn];
        if (id == leaf || policy_.at(id).variable != now.variable) {
            refute(fmt::format("the policy does not say what follows at {}", name(now.variable)));
            return total;
        }
        const PolicyNode& node = policy_.at(id);
        if (now.decision()) {
            if (node.edges.size() != 1 || node.edges.front().values.size() != 1) {
                refute(fmt::format("{} is not given one value", name(now.variable)));
                return total;
            }
            return step(now, node.edges.front().values.front(), node.edges.front().to, turn, probability,
                        mass);
        }
        const Chance& chance = m_.chance_at(now);
        const std::size_t row =
            chance.row([&](model::VarId v) { return known_[static_cast<std::size_t>(v)].low; });
        if (!covers(node, chance, row)) return total;
        for (const PolicyEdge& edge : node.edges) {
            for (const model::Value value : edge.values) {
                const Rational here = chance.probability(row, column(chance, value));
                const Rationals below = step(now, value, edge.to, turn, probability * here, mass);
                if (ended()) return total;
                for (std::size_t p = 0; p < total.size(); ++p) total[p] += here * below[p];
            }
        }
        return total;
    }

    Rationals step(const Turn& now, model::Value value, NodeId to, std::size_t turn,
                   const Rational& probability, Rational& mass) {
        if (!m_.model.domain(now.variable).contains(value)) {
            refute(fmt::format("{} is no value of {}", value, name(now.variable)));
            return {};
        }
        const model::Interval before = known_[static_cast<std::size_t>(now.variable)];
        known_[static_cast<std::size_t>(now.variable)] = {value, value};
        play_.push_back({now.variable, value});
        Rationals result = walk(to, turn + 1, probability, mass);
        play_.pop_back();
        known_[static_cast<std::size_t>(now.variable)] = before;
        return result;
    }

    static std::size_t column(const Chance& chance, model::Value value) {
        return static_cast<std::size_t>(std::lower_bound(chance.values.begin(), chance.values.end(), value) -
                                        chance.values.begin());
    }

    // Every possible value once, nothing impossible, and the right probability at every edge.
    bool covers(const PolicyNode& node, const Chance& chance, std::size_t row) {
        const std::string& variable = name(chance.variable);
        std::vector<bool> met(chance.values.size(), false);
        for (const PolicyEdge& edge : node.edges) {
            Rational sum = 0;
            for (const model::Value value : edge.values) {
                const std::size_t at = column(chance, value);
                if (at == chance.values.size() || chance.values[at] != value) {
                    refute(fmt::format("{} is no value of {}", value, variable));
                    return false;
                }
                if (met[at]) refute(fmt::format("{} = {} has two edges", variable, value));
                met[at] = true;
                if (chance.probability(row, at) == 0)
                    refute(fmt::format("{} = {} has probability 0 and needs no edge", variable, value));
                sum += chance.probability(row, at);
            }
            if (sum != edge.probability) {
                refute(fmt::format("an edge of {} says probability {}, but the model gives {}", variable,
                                   text(edge.probability), text(sum)));
            }
        }
        for (std::size_t at = 0; at < met.size(); ++at) {
            if (!met[at] && chance.probability(row, at) > 0)
                refute(fmt::format("{} = {} is possible but has no edge", variable, chance.values[at]));
        }
        return !ended();
    }

    // A complete play: do all hard constraints hold, and what is it worth?
    void evaluate(Rationals& total) {
        strategy::Intervals all = known_;
        for (const int c : m_.structure.definitions) {
            const auto index = static_cast<std::size_t>(c);
            const model::VarId output = m_.structure.output[index];
            const strategy::Computed value = strategy::compute(m_.model.constraints[index], output, all);
            if (value.exists != strategy::Truth::yes || !m_.model.domain(output).contains(value.values.low))
                return violated(m_.model.constraints[index].place);
            all[static_cast<std::size_t>(output)] = value.values;
        }
        for (const int c : m_.structure.winning) {
            const model::Constraint& constraint = m_.model.constraints[static_cast<std::size_t>(c)];
            if (strategy::truth(constraint, all) != strategy::Truth::yes) return violated(constraint.place);
        }
        for (const model::Literal literal : m_.model.win) {
            if (strategy::truth(literal, all) != strategy::Truth::yes) return violated({});
        }
        for (const UtilityTerm& worth : m_.utility_terms)
            total[static_cast<std::size_t>(worth.player)] +=
                worth.factor * all[static_cast<std::size_t>(worth.amount)].low;
        bool satisfied = !m_.satisfied.empty();
        for (const model::VarId v : m_.satisfied)
            satisfied = satisfied && strategy::truth(model::Literal{v}, all) == strategy::Truth::yes;
        if (satisfied) {
            for (Rational& utility : total) utility += 1;
        }
    }

    void violated(const Place& place) {
        refute(place.line > 0 ? fmt::format("a hard constraint is violated: {}", place.text())
                              : std::string("a hard constraint is violated"));
    }

    const StochasticModel& m_;
    const Policy& policy_;
    const Limits& limits_;
    strategy::Intervals known_;  // by variable; of the order, one value where the play has come by
    std::vector<strategy::Move> play_;
    PolicyVerification result_;
};

}  // namespace

PolicyVerification verify(const StochasticModel& model, const Policy& policy, const Limits& limits) {
    return Walk(model, policy, limits).run();
}

}  // namespace zermelo::stochastic
