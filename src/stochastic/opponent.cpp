#include "stochastic/opponent.hpp"

#include <fmt/format.h>

#include <set>

#include "model/flatten/gates.hpp"
#include "strategy/rules/evaluate.hpp"

namespace zermelo::stochastic {

namespace {

class DrawnOpponent {
public:
    explicit DrawnOpponent(StochasticModel& model)
        : m_(model), structure_(model::dependencies(model.model)), gates_(model.model) {}

    void run() {
        model::flat::Literals wanted;
        for (const model::VarId v : m_.satisfied) wanted.push_back(opened({v}));
        model::Literal goal = gates_.all(wanted);
        for (std::size_t b = m_.model.prefix.size(); b-- > 0;) {
            model::Block& block = m_.model.prefix[b];
            if (!block.rule) continue;
            const model::Literal rule = *block.rule;
            check_level(rule, b);
            const bool drawn = chance_of(block.variables.front()) != nullptr;
            if (drawn) restrict_draw(block, rule);
            goal = drawn ? gates_.any({!opened(rule), goal}) : gates_.all({opened(rule), goal});
            m_.model.prefix[b].rule.reset();
        }
        m_.satisfied = {gates_.variable(gates_.form_of(goal))};
    }

private:
    [[nodiscard]] model::Literal opened(model::Literal literal) const {
        const model::flat::Form form = gates_.form_of(literal);
        return !form.fixed() ? literal : form.constant != 0 ? model::flat::yes : model::flat::no;
    }

    void check_level(model::Literal rule, std::size_t block) const {
        if (structure_.level[static_cast<std::size_t>(rule.variable)] <= static_cast<int>(block)) return;
        throw Error(m_.model.prefix[block].place,
                    fmt::format("the rule of block {} depends on something that is decided later", block + 1),
                    "a rule may mention only the moves made so far and functions of them");
    }

    [[nodiscard]] Chance* chance_of(model::VarId v) {
        const auto found = std::find_if(m_.chances.begin(), m_.chances.end(),
                                        [&](const Chance& chance) { return chance.variable == v; });
        return found == m_.chances.end() ? nullptr : &*found;
    }

    // The moves that a variable is a function of.
    void collect_moves(model::VarId v, std::set<model::VarId>& moves, std::set<int>& definitions) const {
        const auto index = static_cast<std::size_t>(v);
        if (structure_.block_of[index] >= 0) {
            moves.insert(v);
            return;
        }
        const int c = structure_.definition[index];
        if (c < 0 || !definitions.insert(c).second) return;
        each_variable(m_.model.constraints[static_cast<std::size_t>(c)], [&](model::VarId input) {
            if (input != v) collect_moves(input, moves, definitions);
        });
    }

    // The draw among the legal values. Where none is legal it stays as it was: the play is won anyway.
    void restrict_draw(const model::Block& block, model::Literal rule) {
        std::set<model::VarId> moves;
        std::set<int> definitions;
        collect_moves(rule.variable, moves, definitions);
        std::vector<model::VarId> own;
        for (const model::VarId v : block.variables) {
            if (moves.erase(v) > 0) own.push_back(v);
        }
        if (own.empty()) return;
        if (own.size() > 1) {
            throw Error(block.place, "a rule speaks of two chance variables of one level",
                        "draw them at two levels, each with its rule");
        }
        Chance& chance = *chance_of(own.front());
        Chance restricted = chance;
        restricted.probabilities.clear();
        for (const model::VarId v : moves) {
            if (std::find(chance.scope.begin(), chance.scope.end(), v) != chance.scope.end()) continue;
            restricted.scope.push_back(v);
            restricted.scope_values.push_back(m_.model.domain(v).values());
        }
        fill(chance, restricted, rule, definitions);
        chance = std::move(restricted);
    }

    void fill(const Chance& before, Chance& after, model::Literal rule, const std::set<int>& needed) const {
        constexpr std::size_t most_entries = 1'000'000;
        std::size_t rows = 1;
        for (const auto& values : after.scope_values) {
            rows *= values.size();
            if (rows * after.values.size() > most_entries) {
                throw Error(before.place,
                            fmt::format("the rule for {} depends on too many earlier moves",
                                        m_.model.name_of(before.variable)),
                            "let it depend on fewer, or give the moves smaller domains");
            }
        }
        strategy::Intervals known;
        for (const model::Variable& variable : m_.model.variables)
            known.push_back({variable.domain.low(), variable.domain.high()});
        const auto value = [&](model::VarId v) { return known[static_cast<std::size_t>(v)].low; };
        for (std::size_t row = 0; row < rows; ++row) {
            std::size_t rest = row;
            for (std::size_t i = after.scope.size(); i-- > 0;) {
                const auto& values = after.scope_values[i];
                const model::Value here = values[rest % values.size()];
                known[static_cast<std::size_t>(after.scope[i])] = {here, here};
                rest /= values.size();
            }
            const std::size_t old_row = before.row(value);
            Rationals drawn;
            Rational total = 0;
            for (std::size_t i = 0; i < after.values.size(); ++i) {
                known[static_cast<std::size_t>(after.variable)] = {after.values[i], after.values[i]};
                drawn.push_back(legal(rule, needed, known) ? before.probability(old_row, i) : Rational(0));
                total += drawn.back();
            }
            for (std::size_t i = 0; i < after.values.size(); ++i)
                after.probabilities.push_back(total == 0 ? before.probability(old_row, i) : drawn[i] / total);
        }
    }

    [[nodiscard]] bool legal(model::Literal rule, const std::set<int>& needed,
                             strategy::Intervals known) const {
        for (const int c : structure_.definitions) {
            if (!needed.contains(c)) continue;
            const model::VarId output = structure_.output[static_cast<std::size_t>(c)];
            const auto computed =
                strategy::compute(m_.model.constraints[static_cast<std::size_t>(c)], output, known);
            if (computed.exists != strategy::Truth::yes) return false;
            known[static_cast<std::size_t>(output)] = computed.values;
        }
        return strategy::truth(rule, known) == strategy::Truth::yes;
    }

    StochasticModel& m_;
    model::Structure structure_;
    model::flat::Gates gates_;
};

}  // namespace

void replace_rules(StochasticModel& model) {
    const bool ruled = std::any_of(model.model.prefix.begin(), model.model.prefix.end(),
                                   [](const model::Block& block) { return block.rule.has_value(); });
    if (!ruled) return;
    if (!model.utility_terms.empty() || model.thresholds.size() > 1) {
        throw Error({model.model.name}, "a model with chance has rules and utilities, or several players",
                    "state the rules with hard(...), or ask for win(...) alone");
    }
    DrawnOpponent(model).run();
}

}  // namespace zermelo::stochastic
