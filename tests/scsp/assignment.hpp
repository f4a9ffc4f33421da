// What a turn of the machine says about the variables of a micro network, and whether the network agrees.

#pragma once

#include <algorithm>

#include "scsp/micro_scsp.hpp"

namespace zermelo::scsp {

using Assignment = std::vector<Value>;

// The values that a joint move in a state gives to all variables; none where the network has no such value,
// because the state breaks a group.
inline std::optional<Assignment> assignment_of(const MicroScsp& micro, const gdl::Machine& machine,
                                               const gdl::State& state, const gdl::JointMove& joint) {
    gdl::Runner runner(machine);
    runner.load(state);
    runner.play(joint);
    gdl::State next;
    runner.next(next);
    const auto value_in = [](const Variable& variable, const gdl::State& of) -> std::optional<Value> {
        std::optional<Value> held;
        for (Value value = 0; value < variable.values.size(); ++value) {
            const std::uint32_t f = variable.meaning[value];
            if (f == Variable::nothing || (of[f / 64] >> (f % 64) & 1) == 0) continue;
            if (held) return std::nullopt;
            held = value;
        }
        for (Value value = 0; !held && value < variable.values.size(); ++value) {
            if (variable.meaning[value] == Variable::nothing) held = value;
        }
        return held;
    };
    Assignment result;
    for (const Variable& variable : micro.variables) {
        std::optional<Value> value;
        const auto& network = machine.network();
        switch (variable.kind) {
            case Kind::terminal:
                value = runner.terminal() ? 1 : 0;
                break;
            case Kind::now:
                value = value_in(variable, state);
                break;
            case Kind::next:
                value = value_in(variable, next);
                break;
            case Kind::action:
            case Kind::chance:
                value = joint[variable.role];
                break;
            case Kind::goal:
                for (Value i = 0; i < network.goals[variable.role].size() && !value; ++i) {
                    if (runner.holds(network.goals[variable.role][i].holds)) value = i;
                }
                if (!value && variable.meaning.back() == Variable::nothing)
                    value = static_cast<Value>(variable.values.size() - 1);
                break;
            case Kind::percept:
                value = runner.holds(network.sees[variable.role][variable.meaning[1]].seen) ? 1 : 0;
                break;
        }
        if (!value) return std::nullopt;
        result.push_back(*value);
    }
    return result;
}

// Whether it is a solution of the network, as far as domains and constraints go.
inline bool is_solution(const MicroScsp& micro, ConstraintEvaluator& evaluator,
                        const Assignment& assignment) {
    if (!micro.consistent) return false;
    for (VariableId v = 0; v < micro.variables.size(); ++v) {
        if (!std::ranges::binary_search(micro.variables[v].domain, assignment[v])) return false;
    }
    return std::ranges::all_of(micro.constraints, [&](const Constraint& constraint) {
        return evaluator.allows(constraint, assignment);
    });
}

}  // namespace zermelo::scsp
