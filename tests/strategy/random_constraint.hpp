// Random constraints of every form, and the boxes of values that they are evaluated on.

#pragma once

#include "core/random.hpp"
#include "strategy/rules/evaluate.hpp"

namespace zermelo {

inline model::Interval random_interval(Random& random) {
    const model::Value low = random.between(-3, 3);
    return {low, random.chance(0.3) ? low : random.between(low, 3)};
}

inline model::Domain random_set(Random& random) {
    std::vector<model::Value> values;
    for (model::Value v = -3; v <= 3; ++v) {
        if (random.chance(0.5)) values.push_back(v);
    }
    return model::Domain(values);
}

// Variables 0 … 3 are integers; 4 … 6 are Boolean.
inline model::Constraint random_constraint(Random& random) {
    const auto literal = [&] {
        return model::Literal{static_cast<model::VarId>(4 + random.below(3)), random.chance(0.5)};
    };
    const auto reified = [&] {
        return random.chance(0.5) ? std::optional(model::Literal{6, random.chance(0.5)}) : std::nullopt;
    };
    const std::vector<model::VarId> some{0, 1, 2};
    switch (random.below(10)) {
        case 0: {
            const model::Relation relation{static_cast<int>(random.below(3))};
            return {model::Linear{{{random.between(-3, 3), 0}, {1, 1}, {random.between(-3, 3), 4}},
                                  relation,
                                  random.between(-4, 4),
                                  reified()}};
        }
        case 1:
            return {model::Clause{{literal(), literal()}, reified()}};
        case 2:
            return {model::Parity{{literal(), literal(), literal()}}};
        case 3:
            return {model::Member{0, random_set(random), reified()}};
        case 4:
            return {model::Element{0, {1, 2, 3}, static_cast<model::VarId>(random.below(4))}};
        case 5:
            return {model::Arithmetic{model::Operation{static_cast<int>(random.below(4))}, 0, 1, 2}};
        case 6:
            return {model::Extremum{random.chance(0.5), some, 3}};
        case 7: {
            model::Table table{{0, 1}, {}, reified()};
            for (auto i = 2 * random.below(6); i > 0; --i) table.rows.push_back(random.between(-3, 3));
            return {table};
        }
        case 8:
            return {model::AllDifferent{some}};
        default:
            return {model::Count{some, 3, static_cast<model::VarId>(random.below(5))}};
    }
}

template <class Visit>
void each_point(const strategy::Intervals& box, strategy::Intervals& point, std::size_t i, Visit visit) {
    if (i == box.size()) return visit();
    for (model::Value v = box[i].low; v <= box[i].high; ++v) {
        point[i] = {v, v};
        each_point(box, point, i + 1, visit);
    }
}

}  // namespace zermelo
