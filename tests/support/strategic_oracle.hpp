// The oracle for strategic models: definition 2 of Bessiere and Verger (2006) by brute force, over the trees that the modeller
// wrote.
//
// A constraint is one condition of the source, and its variables are those that its tree mentions. A move is
// consistent when some values of the state variables satisfy every constraint that mentions no later move.
// One reading is ours: ∃, too, must make a consistent move. Taken literally the definition would let ∃ break
// a constraint and then win, because no move of ∀ is consistent any more; but the seed's text says that an
// existential variable without a consistent value is a failure.

#pragma once

#include <algorithm>
#include <vector>

#include "support/oracle.hpp"

namespace zermelo::oracle {

class StrategicSearch {
public:
    explicit StrategicSearch(const model::Source& source)
        : source_(source), play_(source.variables.size(), 0) {
        for (const model::BoolExprs* conditions : {&source.win, &source.require}) {
            for (const model::BoolExpr& condition : *conditions) {
                constraints_.push_back(condition);
                last_.push_back(last_block(*condition.tree()));
            }
        }
    }

    bool won() { return source_.blocks.empty() ? consistent(-1, 0) : block(0); }

private:
    [[nodiscard]] int block_of(model::VarId v) const {
        for (std::size_t b = 0; b < source_.blocks.size(); ++b) {
            const auto& variables = source_.blocks[b].variables;
            if (std::count(variables.begin(), variables.end(), v) > 0) return static_cast<int>(b);
        }
        return -1;
    }

    [[nodiscard]] int last_block(const model::Expression& e) const {
        int last = e.kind == model::Expression::Kind::variable ? block_of(e.variable) : -1;
        for (const auto& part : e.parts) last = std::max(last, last_block(*part));
        return last;
    }

    // Do the state variables from the i-th on have values such that everything up to block b holds?
    bool consistent(int b, std::size_t i) {
        if (i < source_.state.size()) {
            const auto v = static_cast<std::size_t>(source_.state[i]);
            const auto values = source_.variables[v].domain.values();
            return std::any_of(values.begin(), values.end(), [&](model::Value value) {
                play_[v] = value;
                return consistent(b, i + 1);
            });
        }
        for (std::size_t c = 0; c < constraints_.size(); ++c) {
            if (last_[c] <= b && !holds(constraints_[c], play_)) return false;
        }
        return true;
    }

    bool block(std::size_t b) { return b == source_.blocks.size() || choice(b, 0); }

    // Does ∃ win when the variables of block b before the i-th have values?
    bool choice(std::size_t b, std::size_t i) {
        const auto& [quantifier, variables, rules] = source_.blocks[b];
        const bool ours = quantifier == model::Quantifier::exists;
        if (i == variables.size()) return consistent(static_cast<int>(b), 0) ? block(b + 1) : !ours;
        const auto v = static_cast<std::size_t>(variables[i]);
        for (const model::Value value : source_.variables[v].domain.values()) {
            play_[v] = value;
            if (choice(b, i + 1) == ours) return ours;
        }
        return !ours;
    }

    const model::Source& source_;
    Assignment play_;
    model::BoolExprs constraints_;
    std::vector<int> last_;  // by constraint: the last block that it mentions, -1 for none
};

inline bool strategically_won(const model::Source& source) { return StrategicSearch(source).won(); }

inline bool mentions_nothing(const model::Expression& e) {
    return e.kind != model::Expression::Kind::variable &&
           std::all_of(e.parts.begin(), e.parts.end(),
                       [](const auto& part) { return mentions_nothing(*part); });
}

// The reduction of theorem 1: a copy of every variable is quantified as the original was, then ∃ chooses the
// originals, each equal to its copy, under the constraints of the QCSP. These must mention a variable; a
// constraint that mentions none would act before the first copy is chosen, so it is tied to the last
// original.
inline model::Source strategic_form(const model::Source& qcsp) {
    const auto count = static_cast<model::VarId>(qcsp.variables.size());
    model::Source result = qcsp;
    result.name += "-strategic";
    result.strategic = true;
    result.outputs.clear();
    result.blocks.clear();
    for (const model::Variable& original : qcsp.variables) {
        result.variables.push_back({original.name + "'", original.domain});
    }
    for (const auto& block : qcsp.blocks) {
        result.blocks.push_back({block.quantifier, {}, {}});
        for (const model::VarId v : block.variables) result.blocks.back().variables.push_back(count + v);
    }
    const auto variable = [](model::VarId v) {
        return model::IntExpr(model::Expression{.kind = model::Expression::Kind::variable, .variable = v});
    };
    for (const auto& block : qcsp.blocks) {
        for (const model::VarId v : block.variables) {
            result.blocks.push_back({model::Quantifier::exists, {v}, {}});
            result.require.push_back(variable(v) == variable(count + v));
        }
    }
    const model::IntExpr last = variable(result.blocks.back().variables.back());
    for (model::BoolExprs* conditions : {&result.win, &result.require}) {
        for (model::BoolExpr& condition : *conditions) {
            if (mentions_nothing(*condition.tree())) condition = condition && last == last;
        }
    }
    return result;
}

}  // namespace zermelo::oracle
