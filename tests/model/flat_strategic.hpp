// A strategic model by brute force, as model.hpp says what it means: knows the flattened model and when its
// constraints are due, and nothing of propagation. For comparing what the builder and the readers deliver
// with what was written.

#pragma once

#include "model/holds.hpp"
#include "model/structure.hpp"

namespace zermelo {

class FlatStrategicSearch {
public:
    explicit FlatStrategicSearch(const model::Model& model)
        : model_(model), structure_(analyse(model)), play_(model.variables.size(), 0) {
        for (std::size_t v = 0; v < play_.size(); ++v) {
            if (model.variables[v].domain.single()) play_[v] = model.variables[v].domain.low();
        }
    }

    bool won() { return model_.prefix.empty() ? consistent(-1, 0) : block(0); }

private:
    [[nodiscard]] bool holds(int c) const {
        return std::visit(Holds{play_}, model_.constraints[static_cast<std::size_t>(c)].body);
    }

    void define_up_to(int b) {
        for (const int c : structure_.definitions) {
            const auto output = static_cast<std::size_t>(structure_.output[static_cast<std::size_t>(c)]);
            if (structure_.level[output] > b) continue;
            structure_.domain[output].each([&](model::Value value) {
                const model::Value before = play_[output];
                play_[output] = value;
                if (!holds(c)) play_[output] = before;
            });
        }
    }

    // Do the state variables from the i-th on have values such that everything due up to block b holds?
    bool consistent(int b, std::size_t i) {
        if (i < structure_.state.size()) {
            const auto v = static_cast<std::size_t>(structure_.state[i]);
            const auto values = structure_.domain[v].values();
            return std::any_of(values.begin(), values.end(), [&](model::Value value) {
                play_[v] = value;
                return consistent(b, i + 1);
            });
        }
        define_up_to(b);
        const auto literal_holds = [&](model::Literal l) {
            return structure_.level[static_cast<std::size_t>(l.variable)] > b || Holds{play_}.of(l);
        };
        const auto constraint_holds = [&](int c) {
            return structure_.due[static_cast<std::size_t>(c)] > b || holds(c);
        };
        return std::all_of(model_.win.begin(), model_.win.end(), literal_holds) &&
               std::all_of(structure_.winning.begin(), structure_.winning.end(), constraint_holds);
    }

    bool block(std::size_t b) { return b == model_.prefix.size() || choice(b, 0); }

    bool choice(std::size_t b, std::size_t i) {
        const model::Block& block_ = model_.prefix[b];
        const bool ours = block_.quantifier == model::Quantifier::exists;
        if (i == block_.variables.size()) return consistent(static_cast<int>(b), 0) ? block(b + 1) : !ours;
        const auto v = static_cast<std::size_t>(block_.variables[i]);
        for (const model::Value value : model_.variables[v].domain.values()) {
            play_[v] = value;
            if (choice(b, i + 1) == ours) return ours;
        }
        return !ours;
    }

    const model::Model& model_;
    model::Structure structure_;
    Play play_;
};

}  // namespace zermelo
