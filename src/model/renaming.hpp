// Symmetry of a model: a permutation of its variables, constraints and values that maps the model onto
// itself.

#pragma once

#include <map>
#include <vector>

#include "model/constraint.hpp"

namespace zermelo::model {

struct Renaming {
    std::vector<VarId> variable;                     // by variable: its image
    std::vector<int> constraint;                     // by constraint: its image
    std::map<VarId, std::map<Value, Value>> values;  // of variables whose values change with them

    [[nodiscard]] VarId image(VarId v) const { return variable[static_cast<std::size_t>(v)]; }
    [[nodiscard]] Value image(VarId v, Value value) const {
        const auto of = values.find(v);
        if (of == values.end()) return value;
        const auto to = of->second.find(value);
        return to == of->second.end() ? value : to->second;
    }
};

[[nodiscard]] inline Renaming inverse(const Renaming& renaming) {
    Renaming result;
    result.variable.resize(renaming.variable.size());
    result.constraint.resize(renaming.constraint.size());
    for (std::size_t v = 0; v < renaming.variable.size(); ++v) {
        result.variable[static_cast<std::size_t>(renaming.variable[v])] = static_cast<VarId>(v);
    }
    for (std::size_t c = 0; c < renaming.constraint.size(); ++c) {
        result.constraint[static_cast<std::size_t>(renaming.constraint[c])] = static_cast<int>(c);
    }
    for (const auto& [v, values] : renaming.values) {
        auto& back = result.values[renaming.image(v)];
        for (const auto& [value, image] : values) back[image] = value;
    }
    return result;
}

}  // namespace zermelo::model
