#include "stochastic/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/flatzinc/chance.hpp"
#include "stochastic/opponent.hpp"

namespace zermelo::stochastic {

namespace {

class Finish {
public:
    explicit Finish(StochasticModel& model) : m_(model) {}

    void run() {
        check_prefix();
        m_.structure = analyse(m_.model);
        if (m_.structure.prefix.size() > m_.model.prefix.size()) refuse_free();
        number_stages();
        for (const Chance& chance : m_.chances) check_scope(chance);
        check_players();
    }

private:
    [[nodiscard]] const std::string& name(model::VarId v) const { return m_.model.name_of(v); }

    void check_prefix() const {
        if (m_.model.strategic)
            throw Error({m_.model.name}, "a model with chance is strategic",
                        "leave state(...) and every_consistent(...) out");
        for (const model::Block& block : m_.model.prefix) {
            if (block.quantifier == model::Quantifier::forall)
                throw Error(block.place, "a model with chance has an opponent",
                            "let it draw with chance(...), or give it a number: choose(level, player, ...)");
            if (block.rule)
                throw Error(block.place, "a model with chance has a rule", "state it with hard(...)");
        }
        if (!m_.model.cuts.empty())
            throw Error(m_.model.cuts.front().place, "a model with chance has a cut", "leave it out");
        if (m_.model.objective)
            throw Error({m_.model.name}, "a model with chance has an objective",
                        "state it with worth(...), and write solve satisfy");
    }

    void refuse_free() const {
        const model::VarId free = m_.structure.prefix.back().variables.front();
        throw Error({m_.model.name},
                    fmt::format("{} is neither a decision, nor a chance variable, nor a function of these",
                                name(free)),
                    "say who chooses it, or define it");
    }

    void number_stages() {
        int stage = 0;
        for (std::size_t i = 0; i < m_.order.size(); ++i) {
            if (i > 0 && m_.order[i].decision() && !m_.order[i - 1].decision()) ++stage;
            m_.order[i].stage = stage;
        }
    }

    void check_scope(const Chance& chance) const {
        const auto place_of = [&](model::VarId v) {
            return std::find_if(m_.order.begin(), m_.order.end(),
                                [&](const Turn& t) { return t.variable == v; });
        };
        for (std::size_t i = 0; i < chance.scope.size(); ++i) {
            const model::VarId v = chance.scope[i];
            const model::Domain& domain = m_.model.domain(v);
            if (!domain.single() && place_of(v) >= place_of(chance.variable)) {
                throw Error(chance.place,
                            fmt::format("the probabilities of {} depend on {}, which does not come before it",
                                        name(chance.variable), name(v)),
                            "use only earlier decisions and chance variables");
            }
            if (!model::Domain(chance.scope_values[i]).contains(domain)) {
                throw Error(chance.place,
                            fmt::format("the probabilities of {} do not cover all values of {}",
                                        name(chance.variable), name(v)),
                            "give a row for each of its values");
            }
        }
    }

    void check_players() const {
        if (m_.thresholds.empty())
            throw Error({m_.model.name}, "a model with chance has no player", "add a decision");
        for (const UtilityTerm& worth : m_.utility_terms) {
            if (worth.player < 0 || worth.player >= m_.players())
                throw Error({m_.model.name}, "a utility belongs to no player", "number players from 1");
        }
    }

    StochasticModel& m_;
};

// Takes the constraints about chance out of a flat model.
class FromFlat {
public:
    explicit FromFlat(model::Model model) { m_.model = std::move(model); }

    StochasticModel run() {
        std::erase_if(m_.model.constraints, [&](const model::Constraint& constraint) {
            const auto* global = std::get_if<model::Global>(&constraint.body);
            return global != nullptr && take(*global, constraint.place);
        });
        for (const model::Block& block : m_.model.prefix) {
            for (const model::VarId v : block.variables) add_turn(v);
        }
        m_.thresholds.resize(static_cast<std::size_t>(players_));
        for (const auto& [player, value] : thresholds_)
            m_.thresholds[static_cast<std::size_t>(player)] = value;
        replace_rules(m_);
        finish(m_);
        return std::move(m_);
    }

private:
    bool take(const model::Global& global, const Place& place) {
        if (global.name == model::says_chance) {
            take_chance(global, place);
        } else if (global.name == model::says_owner) {
            const Player owner = player(global, place);
            for (const model::VarId v : global.arguments[1]) owner_[v] = owner;
        } else if (global.name == model::says_worth) {
            const model::Value unit = number(global.arguments[2].front());
            if (unit == 0) throw Error(place, "a utility is divided by 0", "give a unit that is not 0");
            const Player gets = player(global, place);
            m_.utility_terms.push_back({gets, global.arguments[1].front(), Rational(1) / unit});
        } else if (global.name == model::says_satisfied) {
            m_.satisfied.push_back(global.arguments[0].front());
        } else if (global.name == model::says_threshold) {
            const Player wants = player(global, place);
            const model::Value denominator = number(global.arguments[2].front());
            if (denominator <= 0)
                throw Error(place, "the denominator of a threshold is not positive",
                            "write for example threshold(1, 7, 10)");
            const Rational value = Rational(number(global.arguments[1].front())) / denominator;
            if (!thresholds_.emplace(wants, value).second)
                throw Error(place, fmt::format("player {} has two thresholds", wants + 1), "keep one");
        } else {
            return false;
        }
        return true;
    }

    void take_chance(const model::Global& global, const Place& place) {
        Chance chance;
        chance.variable = global.arguments[0].front();
        chance.scope = global.arguments[1];
        chance.values = m_.model.domain(chance.variable).values();
        chance.place = place;
        for (std::size_t i = 3; i < global.arguments.size(); ++i)
            chance.scope_values.push_back(numbers(global.arguments[i]));
        set_weights(chance, numbers(global.arguments[2]), m_.model.name_of(chance.variable));
        chance_[chance.variable] = static_cast<int>(m_.chances.size());
        m_.chances.push_back(std::move(chance));
    }

    void add_turn(model::VarId v) {
        if (const auto found = chance_.find(v); found != chance_.end()) {
            m_.order.push_back({v, nobody, found->second});
        } else {
            const auto owner = owner_.find(v);
            m_.order.push_back({v, owner == owner_.end() ? 0 : owner->second});
        }
    }

    [[nodiscard]] model::Value number(model::VarId v) const { return m_.model.domain(v).low(); }
    [[nodiscard]] std::vector<model::Value> numbers(const std::vector<model::VarId>& constants) const {
        std::vector<model::Value> result;
        for (const model::VarId v : constants) result.push_back(number(v));
        return result;
    }

    Player player(const model::Global& global, const Place& place) {
        constexpr model::Value most = 64;
        const model::Value said = number(global.arguments[0].front());
        if (said < 1 || said > most)
            throw Error(place, fmt::format("{} is no number of a player", said),
                        "number players from 1 to 64");
        players_ = std::max(players_, static_cast<int>(said));
        return static_cast<Player>(said - 1);
    }

    StochasticModel m_;
    int players_ = 1;
    std::map<model::VarId, Player> owner_;
    std::map<model::VarId, int> chance_;
    std::map<Player, Rational> thresholds_;
};

}  // namespace

bool StochasticModel::has_threshold() const {
    return std::any_of(thresholds.begin(), thresholds.end(), [](const auto& t) { return t.has_value(); });
}

bool StochasticModel::reaches_thresholds(const Rationals& utilities) const {
    for (std::size_t p = 0; p < thresholds.size(); ++p) {
        if (thresholds[p] && utilities[p] < *thresholds[p]) return false;
    }
    return true;
}

void set_weights(Chance& chance, const std::vector<model::Value>& weights, const std::string& name) {
    std::size_t rows = 1;
    for (const auto& values : chance.scope_values) {
        rows *= values.size();
        if (rows > weights.size()) break;  // enough to see that they are too few, and the product stays small
    }
    if (rows * chance.values.size() != weights.size()) {
        throw Error(chance.place,
                    fmt::format("{} has {} weights, which does not match its values and its scope", name,
                                weights.size()),
                    "give a weight for each value, in a row for each combination of values of the scope");
    }
    for (std::size_t row = 0; row < rows; ++row) {
        Rational total = 0;
        for (std::size_t i = 0; i < chance.values.size(); ++i) {
            const model::Value weight = weights[row * chance.values.size() + i];
            if (weight < 0)
                throw Error(chance.place, fmt::format("{} has a negative weight", name),
                            "give weights of 0 and more");
            total += weight;
        }
        if (total == 0)
            throw Error(chance.place, fmt::format("all weights of {} are 0 in row {}", name, row + 1),
                        "give at least one value a positive weight");
        for (std::size_t i = 0; i < chance.values.size(); ++i)
            chance.probabilities.push_back(weights[row * chance.values.size() + i] / total);
    }
}

void finish(StochasticModel& model) { Finish(model).run(); }

bool is_stochastic(const model::Model& model) {
    return std::any_of(
        model.constraints.begin(), model.constraints.end(), [](const model::Constraint& constraint) {
            const auto* global = std::get_if<model::Global>(&constraint.body);
            if (global == nullptr) return false;
            const auto& name = global->name;
            return name == model::says_chance || name == model::says_owner || name == model::says_worth ||
                   name == model::says_satisfied || name == model::says_threshold;
        });
}

StochasticModel from_flat(model::Model model) { return FromFlat(std::move(model)).run(); }

}  // namespace zermelo::stochastic
