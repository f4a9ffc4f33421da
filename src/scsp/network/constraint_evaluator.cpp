// Evaluation of the constraints of a micro-SCSP on complete assignments: gates by their cones, tables by
// halving.

#include <algorithm>

#include "scsp/micro_scsp.hpp"

namespace zermelo::scsp {

using gdl::Network;
using gdl::Signal;

namespace {

// The node and all that it depends on, each once, in no order; those in `met` are left out, and are in it then.
std::vector<std::uint32_t> collect_below(const Network& network, std::uint32_t node, std::vector<bool>& met) {
    std::vector<std::uint32_t> found;
    const auto meet = [&](std::uint32_t other) {
        if (other == 0 || met[other]) return;
        met[other] = true;
        found.push_back(other);
    };
    meet(node);
    for (std::size_t next = 0; next < found.size(); ++next) {
        const std::uint32_t gate = found[next];
        if (gate < network.first_gate) continue;
        for (const Signal s : network.inputs_of(gate)) meet(s.node());
        const auto stretch =
            std::upper_bound(network.stretches.begin(), network.stretches.end(), gate,
                             [](std::uint32_t g, const Network::Stretch& s) { return g < s.last; });
        for (std::uint32_t other = stretch->first; stretch->loop && other < stretch->last; ++other)
            meet(other);
    }
    return found;
}

}  // namespace

std::vector<std::uint32_t> nodes_below(const Network& network, std::uint32_t node) {
    std::vector<bool> met(network.nodes, false);
    std::vector<std::uint32_t> found = collect_below(network, node, met);
    std::ranges::sort(found);
    return found;
}

ConstraintEvaluator::ConstraintEvaluator(const MicroScsp& micro) : micro_(micro) {
    if (micro.network == nullptr) return;
    value_.assign(micro.network->nodes, 0);
    value_[0] = 1;
    stretch_of_.resize(micro.network->gates());
    for (std::uint32_t i = 0; i < micro.network->stretches.size(); ++i) {
        const auto& stretch = micro.network->stretches[i];
        for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate)
            stretch_of_[gate - micro.network->first_gate] = i;
    }
}

const std::vector<std::uint32_t>& ConstraintEvaluator::cone(std::uint32_t node) {
    const auto [found, added] = cones_.try_emplace(node);
    if (added) found->second = nodes_below(*micro_.network, node);
    return found->second;
}

bool ConstraintEvaluator::holds(Signal signal, std::span<const Value> assignment) {
    const Network& network = *micro_.network;
    const auto evaluate = [&](std::uint32_t gate) {
        return std::ranges::all_of(network.inputs_of(gate),
                                   [&](Signal s) { return (value_[s.node()] != 0) != s.negated(); });
    };
    const auto& nodes = cone(signal.node());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::uint32_t node = nodes[i];
        if (node < network.first_gate) {
            const auto& literal = micro_.literals[node];
            value_[node] = assignment[literal.variable] == literal.value ? 1 : 0;
            continue;
        }
        const auto& stretch = network.stretches[stretch_of_[node - network.first_gate]];
        if (!stretch.loop) {
            value_[node] = evaluate(node) ? 1 : 0;
            continue;
        }
        for (std::uint32_t gate = stretch.first; gate < stretch.rules; ++gate) value_[gate] = 1;
        for (bool grown = true; grown;) {
            grown = false;
            for (std::uint32_t gate = stretch.rules; gate < stretch.last; ++gate)
                value_[gate] = evaluate(gate) ? 1 : 0;
            for (std::uint32_t gate = stretch.first; gate < stretch.rules; ++gate) {
                if (value_[gate] == 0 || evaluate(gate)) continue;
                value_[gate] = 0;
                grown = true;
            }
        }
        i += stretch.last - node - 1;
    }
    return (value_[signal.node()] != 0) != signal.negated();
}

namespace {

bool respected(const Link& link, bool holds, Value value) {
    if (!holds) return value != link.value;
    switch (link.sense) {
        case Link::Sense::exactly:
            return value == link.value;
        case Link::Sense::only_if:
            return true;
        case Link::Sense::first:
            return value <= link.value;
    }
    return false;
}

}  // namespace

bool ConstraintEvaluator::allows(const Constraint& constraint, std::span<const Value> assignment) {
    if (!constraint.table) {
        return std::ranges::all_of(constraint.links, [&](const Link& link) {
            return respected(link, holds(link.signal, assignment), assignment[link.variable]);
        });
    }
    // Tuples are in order: halve the part in which this one would be.
    std::size_t low = 0;
    std::size_t high = constraint.count();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const auto tuple = constraint.tuple(middle);
        std::size_t i = 0;
        while (i < tuple.size() && tuple[i] == assignment[constraint.scope[i]]) ++i;
        if (i == tuple.size()) return true;
        (tuple[i] < assignment[constraint.scope[i]] ? low : high) =
            tuple[i] < assignment[constraint.scope[i]] ? middle + 1 : middle;
    }
    return false;
}

std::vector<VariableId> ConstraintEvaluator::inputs(Signal signal) {
    std::vector<VariableId> variables;
    if (signal.node() == 0) return variables;
    met_.assign(micro_.network->nodes, false);
    for (const std::uint32_t node : collect_below(*micro_.network, signal.node(), met_)) {
        if (node < micro_.network->first_gate) variables.push_back(micro_.literals[node].variable);
    }
    std::ranges::sort(variables);
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    return variables;
}

}  // namespace zermelo::scsp
