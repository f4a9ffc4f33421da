// Random constraints: every form of a model, and every global constraint, over variables with small domains.

#pragma once

#include <functional>
#include <map>
#include <set>

#include "core/random.hpp"
#include "model/globals.hpp"
#include "model/model.hpp"

namespace zermelo::constraint_cases {

using Values = std::vector<model::Value>;

class Case {
public:
    explicit Case(std::uint64_t seed) : random(seed) {}

    model::VarId integer() {
        if (!model.variables.empty() && random.chance(0.1)) return any();
        Values values;
        model::Value value = random.between(-3, 2);
        for (auto n = random.between(1, 5); n > 0; --n) {
            values.push_back(value);
            value += random.chance(0.7) ? 1 : random.between(2, 3);
        }
        return model.add_variable("x", model::Domain(values));
    }
    model::VarId wide() {
        return model.add_variable("w", model::Domain(0, random.chance(0.5) ? 3 : 2'000'000));
    }
    model::VarId boolean() {
        return model.add_variable("b", random.chance(0.1) ? model::Domain(1, 1) : model::Domain(0, 1), true);
    }
    model::Literal literal() { return {boolean(), random.chance(0.5)}; }
    std::optional<model::Literal> maybe() {
        return random.chance(0.6) ? std::optional(literal()) : std::nullopt;
    }
    std::vector<model::VarId> integers(std::int64_t least, std::int64_t most) {
        std::vector<model::VarId> all;
        for (auto n = random.between(least, most); n > 0; --n) all.push_back(integer());
        return all;
    }
    // Some values of low … high, now and then one beyond; or a variable once more, or a constant.
    std::vector<model::VarId> within(std::int64_t number, model::Value low, model::Value high) {
        std::vector<model::VarId> all;
        for (; number > 0; --number) {
            if (!all.empty() && random.chance(0.1)) {
                all.push_back(all[random.below(all.size())]);
                continue;
            }
            Values values = {random.between(low, high)};
            for (model::Value value = low - 1; value <= high + 1; ++value) {
                if (random.chance(value < low || value > high ? 0.1 : 0.6)) values.push_back(value);
            }
            all.push_back(values.size() == 1 ? model.constant(values.front())
                                             : model.add_variable("x", model::Domain(values)));
        }
        return all;
    }
    std::vector<model::VarId> constants(std::int64_t number, model::Value low, model::Value high) {
        std::vector<model::VarId> all;
        for (; number > 0; --number) all.push_back(model.constant(random.between(low, high)));
        return all;
    }
    std::vector<model::Literal> literals(std::int64_t least, std::int64_t most) {
        std::vector<model::Literal> all;
        for (auto n = random.between(least, most); n > 0; --n) {
            all.push_back(!all.empty() && random.chance(0.1) ? !all.front() : literal());
        }
        return all;
    }
    model::VarId any() { return static_cast<model::VarId>(random.below(model.variables.size())); }

    Random random;
    model::Model model;
};

using Make = std::function<model::Constraint(Case&)>;

inline model::Constraint linear(Case& c, bool booleans, std::int64_t most) {
    std::vector<model::Term> terms;
    std::set<model::VarId> seen;
    for (auto n = c.random.between(1, most); n > 0; --n) {
        const model::VarId v = booleans ? c.boolean() : c.integer();
        model::Value coefficient = c.random.between(-3, 3);
        if (coefficient == 0) coefficient = 1;
        if (seen.insert(v).second) terms.push_back({coefficient, v});
    }
    const auto relation = static_cast<model::Relation>(c.random.below(3));
    return {model::Linear{terms, relation, c.random.between(-6, 6), c.maybe()}};
}

inline model::Constraint arithmetic(Case& c, model::Operation operation) {
    const model::VarId left = c.integer();
    const model::VarId right = c.integer();
    const model::VarId result = c.random.chance(0.3) ? c.wide() : c.integer();
    return {model::Arithmetic{operation, left, right, result}};
}

inline std::vector<std::pair<std::string, Make>> small_forms() {
    return {
        {"linear", [](Case& c) { return linear(c, false, 4); }},
        {"long linear", [](Case& c) { return linear(c, false, 6); }},
        {"sum of Booleans", [](Case& c) { return linear(c, true, 7); }},
        {"clause",
         [](Case& c) {
             return model::Constraint{model::Clause{c.literals(0, 5), c.maybe()}};
         }},
        {"parity", [](Case& c) { return model::Constraint{model::Parity{c.literals(1, 5)}}; }},
        {"member",
         [](Case& c) {
             const model::VarId x = c.integer();
             return model::Constraint{model::Member{x, model::Domain{-2, 0, 1, 4}, c.maybe()}};
         }},
        {"element",
         [](Case& c) {
             const model::VarId index = c.integer();
             const auto array = c.integers(1, 4);
             return model::Constraint{model::Element{index, array, c.integer()}};
         }},
        {"element of constants",
         [](Case& c) {
             std::vector<model::VarId> array;
             for (auto n = c.random.between(1, 5); n > 0; --n)
                 array.push_back(c.model.constant(c.random.between(-3, 4)));
             const model::VarId index = c.integer();
             return model::Constraint{
                 model::Element{index, array, c.random.chance(0.2) ? c.wide() : c.integer()}};
         }},
        {"times", [](Case& c) { return arithmetic(c, model::Operation::times); }},
        {"divide", [](Case& c) { return arithmetic(c, model::Operation::divide); }},
        {"modulo", [](Case& c) { return arithmetic(c, model::Operation::modulo); }},
        {"power", [](Case& c) { return arithmetic(c, model::Operation::power); }},
        {"extremum",
         [](Case& c) {
             const auto operands = c.integers(1, 4);
             return model::Constraint{model::Extremum{c.random.chance(0.5), operands, c.integer()}};
         }},
        {"table",
         [](Case& c) {
             const auto variables = c.integers(1, 3);
             Values rows;
             for (std::size_t n = c.random.below(9) * variables.size(); n > 0; --n)
                 rows.push_back(c.random.between(-3, 4));
             return model::Constraint{model::Table{variables, rows, c.maybe()}};
         }},
        {"all different", [](Case& c) { return model::Constraint{model::AllDifferent{c.integers(2, 4)}}; }},
        {"count",
         [](Case& c) {
             const auto variables = c.integers(1, 4);
             const model::VarId value =
                 c.random.chance(0.5) ? c.model.constant(c.random.between(-2, 3)) : c.integer();
             return model::Constraint{model::Count{variables, value, c.integer()}};
         }},
    };
}

// ---- global constraints: instances of each signature

using Arguments = std::vector<std::vector<model::VarId>>;

inline Arguments circuit(Case& c) {
    const auto n = c.random.between(1, 4);
    const auto offset = c.random.between(-1, 2);
    return {c.within(n, offset, offset + n - 1), {c.model.constant(offset)}};
}

inline Arguments inverse(Case& c) {
    const auto n = c.random.between(1, 3);
    const auto first = c.random.between(-1, 2);
    const auto second = c.random.between(-1, 2);
    return {c.within(n, second, second + n - 1),
            {c.model.constant(first)},
            c.within(n, first, first + n - 1),
            {c.model.constant(second)}};
}

inline Arguments cardinality(Case& c) {
    const auto values = c.random.between(1, 2);
    return {c.within(c.random.between(1, 3), -1, 2), c.constants(values, -1, 2), c.within(values, 0, 2)};
}

inline Arguments bounded_cardinality(Case& c) {
    const auto values = c.random.between(1, 3);
    return {c.within(c.random.between(1, 4), -1, 2), c.constants(values, -1, 2), c.constants(values, 0, 1),
            c.constants(values, 0, 3)};
}

inline Arguments cumulative(Case& c) {
    const auto n = c.random.between(1, 4);
    return {c.within(n, -2, 3), c.constants(n, 0, 3), c.constants(n, 0, 3), c.constants(1, 0, 4)};
}

inline Arguments two_words(Case& c) {
    const auto left = c.random.between(0, 3);
    return {c.within(left, -1, 2), c.within(c.random.chance(0.7) ? left : c.random.between(0, 3), -1, 2)};
}

inline Arguments nvalue(Case& c) { return {c.within(1, 1, 3), c.within(c.random.between(1, 4), -1, 2)}; }

inline Arguments sorted(Case& c) {
    const auto n = c.random.between(1, 3);
    return {c.within(n, -1, 2), c.within(n, -1, 2)};
}

inline Arguments regular(Case& c) {
    const auto states = c.random.between(1, 3);
    const auto symbols = c.random.between(1, 3);
    return {c.within(c.random.between(0, 4), 1, symbols),
            {c.model.constant(states)},
            {c.model.constant(symbols)},
            c.constants(states * symbols, 0, states),
            c.constants(1, 1, states),
            c.constants(c.random.between(1, 2), 1, states)};
}

inline Arguments bin_packing(Case& c) {
    const auto bins = c.random.between(1, 2);
    const auto items = c.random.between(1, 3);
    const auto offset = c.random.between(-1, 1);
    return {c.within(bins, 0, 4),
            c.within(items, offset, offset + bins - 1),
            c.constants(items, 0, 3),
            {c.model.constant(offset)}};
}

inline Arguments precedence(Case& c) {
    return {c.constants(1, -1, 2), c.constants(1, -1, 2), c.within(c.random.between(1, 4), -1, 2)};
}

inline const std::map<std::string_view, Arguments (*)(Case&)>& instances() {
    static const std::map<std::string_view, Arguments (*)(Case&)> all = {
        {"zermelo_circuit", circuit},
        {"zermelo_inverse", inverse},
        {"zermelo_global_cardinality", cardinality},
        {"zermelo_global_cardinality_low_up", bounded_cardinality},
        {"zermelo_cumulative", cumulative},
        {"zermelo_lex_less", two_words},
        {"zermelo_lex_lesseq", two_words},
        {"zermelo_nvalue", nvalue},
        {"zermelo_sort", sorted},
        {"zermelo_regular", regular},
        {"zermelo_bin_packing_load", bin_packing},
        {"zermelo_value_precede", precedence},
    };
    return all;
}

// Every signature has to have instances: `at` throws for a new one that has none.
inline const std::vector<std::pair<std::string, Make>>& forms() {
    static const std::vector<std::pair<std::string, Make>> all = [] {
        auto some = small_forms();
        for (const model::GlobalSignature& signature : model::global_signatures()) {
            const std::string name(signature.name);
            some.emplace_back(name, [name, make = instances().at(signature.name)](Case& c) {
                return model::Constraint{model::Global{name, make(c)}};
            });
        }
        return some;
    }();
    return all;
}

}  // namespace zermelo::constraint_cases
