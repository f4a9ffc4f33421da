#include "gdl/analysis/goal_reachability.hpp"

#include <algorithm>

#include "core/limits.hpp"
#include "gdl/analysis/invariants.hpp"

namespace zermelo::gdl {

namespace {

// Beyond this many gate evaluations the proofs would cost more than they can gain.
constexpr std::size_t most_evaluations = 200'000'000;
constexpr std::uint32_t gates_of_a_proving_step = 1 << 14;

}  // namespace

GoalReachability::GoalReachability(const Machine& machine, Effects& effects)
    : network_(machine.network()),
      circuit_(effects.circuit()),
      always_(network_.fluents.size(), Network::never),
      never_(network_.fluents.size(), Network::never) {
    const Invariants invariants = find_invariants(machine);
    for (const std::uint32_t f : invariants.stay_true) always_[f] = Signal(1 + f, false);
    std::vector<std::vector<Signal>> not_excluded(network_.fluents.size());
    for (const std::uint32_t f : invariants.stay_false) not_excluded[f].emplace_back(1 + f, false);

    std::size_t evaluations = 0;
    for (const auto& group : invariants.mutex_candidates) {
        if ((evaluations += group.size() * network_.inputs.size()) > most_evaluations) break;
        for (const std::uint32_t holding : group) {
            if (!stays(group, holding)) continue;
            std::vector<Signal> members;
            for (const std::uint32_t f : group) members.emplace_back(1 + f, f != holding);
            const Signal fixed = circuit_.conjunction(members);
            if (always_[holding] == Network::never) always_[holding] = fixed;
            for (const std::uint32_t f : group) {
                if (f != holding) not_excluded[f].push_back(!fixed);
            }
        }
    }
    for (std::size_t f = 0; f < never_.size(); ++f) never_[f] = !circuit_.conjunction(not_excluded[f]);
}

bool GoalReachability::stays(const std::vector<std::uint32_t>& group, std::uint32_t holding) const {
    enum Truth : std::uint8_t { no, yes, unknown };
    std::vector<Truth> truth(network_.nodes, unknown);
    truth[0] = yes;
    for (const std::uint32_t f : group) truth[1 + f] = f == holding ? yes : no;
    const auto of = [&](Signal s) {
        const Truth t = truth[s.node()];
        return t == unknown || !s.negated() ? t : t == yes ? no : yes;
    };
    const auto evaluate = [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t gate = from; gate < to; ++gate) {
            if (gate % gates_of_a_proving_step == 0) stay_within_limits("while proving which goals are lost");
            truth[gate] = yes;
            for (const Signal s : network_.inputs_of(gate)) {
                const Truth t = of(s);
                if (t != yes) truth[gate] = t;
                if (t == no) break;
            }
        }
    };
    evaluate(network_.first_gate, network_.first_late);
    for (const auto& moves : network_.moves) {
        for (const auto& move : moves) {
            if (of(move.legal) == no) truth[move.node] = no;
        }
    }
    evaluate(network_.first_late, network_.nodes);
    return std::ranges::all_of(
        group, [&](std::uint32_t f) { return of(network_.next[f]) == (f == holding ? yes : no); });
}

Signal GoalReachability::certain(Signal s) {
    if (s.node() == 0) return s;
    if (s.node() < circuit_.first_gate()) return (s.negated() ? never_ : always_)[s.node() - 1];
    if (const auto known = known_.find(s.code()); known != known_.end()) return known->second;
    const auto span = circuit_.inputs_of(s.node());
    const std::vector<Signal> inputs(span.begin(), span.end());  // the circuit grows meanwhile
    // A conjunction is certain when all of it is, its negation when one part is certainly false.
    std::vector<Signal> parts;
    for (const Signal input : inputs) parts.push_back(s.negated() ? !certain(!input) : certain(input));
    const Signal all = circuit_.conjunction(std::move(parts));
    return known_[s.code()] = s.negated() ? !all : all;
}

}  // namespace zermelo::gdl
