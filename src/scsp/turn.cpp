#include "scsp/turn.hpp"

#include <algorithm>
#include <map>

namespace zermelo::scsp {

using gdl::Network;
using gdl::Signal;

namespace {

// Sorted, each once, without what always holds; only `never` where it cannot hold.
void simplify(std::vector<Signal>& conjuncts) {
    std::ranges::sort(conjuncts, [](Signal a, Signal b) { return a.code() < b.code(); });
    conjuncts.erase(std::unique(conjuncts.begin(), conjuncts.end()), conjuncts.end());
    std::erase(conjuncts, Network::always);
    for (std::size_t i = 0; i < conjuncts.size(); ++i) {
        if (conjuncts[i] == Network::never || (i > 0 && conjuncts[i].node() == conjuncts[i - 1].node())) {
            conjuncts = {Network::never};
            return;
        }
    }
}

}  // namespace

Turn::Turn(const Network& of, const MutexGroups& mutex_groups, const TurnOptions& options)
    : network(of),
      nodes(of.nodes),
      start(of.start),
      inputs(of.inputs),
      has_next_outcome(options.next_outcome) {
    if (start.empty()) start.push_back(0);
    for (const auto& stretch : network.stretches) {
        if (stretch.loop) loops.push_back(stretch);
    }
    add_conditions(mutex_groups);
    for (const auto& group : mutex_groups.groups) {
        Group held{{}, group.exact};
        Group held_next{{}, group.exact};
        for (const std::uint32_t member : group.fluents) {
            held.members.push_back(now(member));
            held_next.members.push_back(next(member));
        }
        groups.push_back(std::move(held));
        if (options.next_groups) groups.push_back(std::move(held_next));
    }
    for (const auto& moves : network.moves) {
        Group made{{}, true};
        for (const auto& move : moves) made.members.emplace_back(move.node, false);
        groups.push_back(std::move(made));
    }
    if (!options.next_outcome && !options.next_legal) return;
    copy_early(options.next_legal);
    const auto image = [&](Signal s) { return s.negated() ? !image_[s.node()] : image_[s.node()]; };
    if (options.next_legal) {
        for (const auto& moves : network.moves) {
            auto& legal = next_legal.emplace_back();
            for (const auto& move : moves) legal.push_back(image(move.legal));
        }
    }
    next_terminal = image(network.terminal);
    for (const auto& goals : network.goals) {
        auto& next = next_goals.emplace_back();
        for (const auto& goal : goals) next.push_back({goal.value, image(goal.holds)});
    }
    add_thresholds();
    image_.clear();
}

// Gates for the conditions that groups have. Where the network has a gate for the same conjunction, the condition is this
// gate, so that rules which read it learn what the group says.
void Turn::add_conditions(const MutexGroups& mutex_groups) {
    const auto fluents = static_cast<std::uint32_t>(network.next.size());
    std::vector<bool> wanted(mutex_groups.conditions.size(), false);
    for (const auto& group : mutex_groups.groups) {
        for (const std::uint32_t member : group.fluents) {
            if (member >= fluents) wanted[member - fluents] = true;
        }
    }
    if (std::ranges::find(wanted, true) == wanted.end()) return;
    std::map<std::vector<std::uint32_t>, Signal> gates;
    const auto codes = [](const auto& signals) {
        std::vector<std::uint32_t> result;
        for (const Signal s : signals) result.push_back(s.code());
        std::ranges::sort(result);
        return result;
    };
    for (std::size_t i = 0; i < network.early_stretches; ++i) {
        const auto& stretch = network.stretches[i];
        for (std::uint32_t gate = stretch.first; gate < stretch.last && !stretch.loop; ++gate)
            gates.try_emplace(codes(network.inputs_of(gate)), gate, false);
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        Condition& made = conditions_.emplace_back();
        if (!wanted[i]) continue;
        const auto& literals = mutex_groups.conditions[i];
        const auto known = gates.find(codes(literals));
        made.now = known != gates.end() ? known->second : conjunction(literals);
        std::vector<Signal> after;
        for (const Signal s : literals) {
            const Signal next_fluent = network.next[s.node() - 1];
            after.push_back(s.negated() ? !next_fluent : next_fluent);
        }
        made.next = conjunction(std::move(after));
    }
}

std::uint32_t Turn::add_gate(const std::vector<Signal>& conjuncts) {
    inputs.insert(inputs.end(), conjuncts.begin(), conjuncts.end());
    start.push_back(static_cast<std::uint32_t>(inputs.size()));
    return nodes++;
}

Signal Turn::conjunction(std::vector<Signal> conjuncts) {
    simplify(conjuncts);
    if (conjuncts.empty()) return Network::always;
    if (conjuncts.size() == 1) return conjuncts.front();
    return {add_gate(conjuncts), false};
}

// Gates that depend on the state alone, over the next state: those that terminal, goals and, where wanted,
// legality need.
void Turn::copy_early(bool legal) {
    std::vector<bool> needed(network.nodes, false);
    needed[network.terminal.node()] = true;
    for (const auto& goals : network.goals) {
        for (const auto& goal : goals) needed[goal.holds.node()] = true;
    }
    for (const auto& moves : network.moves) {
        for (const auto& move : moves) needed[move.legal.node()] = needed[move.legal.node()] || legal;
    }
    for (std::size_t i = network.early_stretches; i-- > 0;) {
        const auto& stretch = network.stretches[i];
        const auto begin = needed.begin() + stretch.first;
        const auto end = needed.begin() + stretch.last;
        if (stretch.loop && std::find(begin, end, true) != end) std::fill(begin, end, true);
        for (std::uint32_t gate = stretch.last; gate-- > stretch.first;) {
            if (!needed[gate]) continue;
            for (const Signal s : network.inputs_of(gate)) needed[s.node()] = true;
        }
    }
    image_.assign(network.nodes, Network::never);
    image_[0] = Network::always;
    for (std::size_t f = 0; f < network.next.size(); ++f) image_[1 + f] = network.next[f];
    const auto images = [&](std::uint32_t gate) {
        std::vector<Signal> result;
        for (const Signal s : network.inputs_of(gate))
            result.push_back(s.negated() ? !image_[s.node()] : image_[s.node()]);
        return result;
    };
    for (std::size_t i = 0; i < network.early_stretches; ++i) {
        const auto& stretch = network.stretches[i];
        if (!stretch.loop) {
            for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) {
                if (needed[gate]) image_[gate] = conjunction(images(gate));
            }
            continue;
        }
        if (!needed[stretch.first]) continue;
        // Gates of a loop refer to each other: they are numbered first.
        const std::uint32_t first = nodes;
        for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate)
            image_[gate] = Signal(first + (gate - stretch.first), false);
        for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) {
            auto conjuncts = images(gate);
            simplify(conjuncts);
            add_gate(conjuncts);
        }
        loops.push_back({first, nodes, true, first + (stretch.rules - stretch.first)});
    }
}

void Turn::add_thresholds() {
    thresholds.resize(network.roles.size());
    for (std::size_t role = 0; role < network.roles.size(); ++role) {
        std::map<int, std::vector<Signal>, std::greater<>> by_value;
        for (const auto& goal : next_goals[role]) by_value[goal.value].push_back(!goal.holds);
        Signal less = Network::always;  // no goal so high
        for (auto& [value, none_of] : by_value) {
            none_of.push_back(less);
            less = conjunction(none_of);
            thresholds[role].push_back(
                {value, conjunction({next_terminal, !less}), !conjunction({next_terminal, less})});
        }
        std::ranges::reverse(thresholds[role]);
    }
}

Turn::Threshold Turn::at_least(std::size_t role, int value) const {
    for (const Threshold& threshold : thresholds[role]) {
        if (threshold.value >= value) return {value, threshold.reached, threshold.tolerable};
    }
    return {value, Network::never, !next_terminal};
}

}  // namespace zermelo::scsp
