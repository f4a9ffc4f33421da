#include "kernel/pure_values.hpp"

#include <algorithm>

#include "kernel/gecode/kernel.hpp"
#include "kernel/trail/kernel.hpp"

namespace zermelo::kernel {

template <class Position>
const typename PureValues<Position>::Reach& PureValues<Position>::reach(model::VarId variable) {
    const auto [at, added] = reach_.try_emplace(variable);
    Reach& result = at->second;
    if (!added) return result;
    // Whatever constraint the variable is in, what this constraint defines is reached with it.
    std::vector<bool> touched(program_.model.variables.size(), false);
    std::vector<bool> reached(program_.model.constraints.size(), false);
    touched[variable] = true;
    for (bool grown = true; grown;) {
        grown = false;
        for (auto c = program_.cone.rbegin(); c != program_.cone.rend(); ++c) {
            const auto& variables = program_.variables_of[*c];
            if (reached[*c] || std::none_of(variables.begin(), variables.end(),
                                            [&](model::VarId v) { return touched[v]; })) {
                continue;
            }
            grown = reached[*c] = true;
            result.constraints.push_back(*c);
            if (const model::VarId output = program_.structure.output[*c]; output >= 0)
                touched[output] = true;
        }
    }
    for (const int c : result.constraints) {
        for (const model::VarId v : program_.variables_of[c]) {
            if (!touched[v]) result.independents.push_back(v);
        }
    }
    const auto check_reader = [&](model::Literal literal) {
        result.conditioned = result.conditioned || touched[literal.variable];
    };
    for (const model::Block& block : program_.structure.prefix) {
        if (block.rule) check_reader(*block.rule);
    }
    for (const model::Cut& cut : program_.model.cuts) {
        for (const model::Literal literal : cut.when) check_reader(literal);
        check_reader(cut.claim);
    }
    if (program_.structure.universal_rules) {
        for (const model::Literal literal : program_.model.win) check_reader(literal);
    }
    return result;
}

template <class Position>
typename PureValues<Position>::Sizes PureValues<Position>::sizes_around(model::VarId variable,
                                                                        const Position& before) {
    Sizes sizes;
    for (const model::VarId v : reach(variable).independents) sizes.push_back(before.size(v));
    return sizes;
}

template <class Position>
bool PureValues<Position>::satisfied_by(model::VarId variable, const Sizes& before, const Position& after) {
    const Reach& reached = reach(variable);
    const bool narrowed =
        !std::equal(before.begin(), before.end(), reached.independents.begin(),
                    [&](std::uint64_t size, model::VarId v) { return size == after.size(v); });
    return !narrowed && !reached.conditioned && !demands(after, reached.constraints);
}

template <class Position>
bool PureValues<Position>::demands(const Position& position, const std::vector<int>& constraints) const {
    return std::any_of(constraints.begin(), constraints.end(), [&](int c) {
        // Most are about moves that are made, and a constraint without open variables holds.
        const auto& variables = program_.variables_of[c];
        if (std::all_of(variables.begin(), variables.end(),
                        [&](model::VarId v) { return position.fixed(v); }))
            return false;
        const Reading reading = read_constraint(program_, position, c, terms_);
        return !reading.settled && reading.demands;
    });
}

template class PureValues<trail::Kernel>;
template class PureValues<gecode::Kernel>;

}  // namespace zermelo::kernel
