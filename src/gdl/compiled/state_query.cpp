#include "gdl/compiled/state_query.hpp"

#include <algorithm>

namespace zermelo::gdl {

namespace {

constexpr std::size_t most_query_inputs = 100'000;

// The gates that the signals need, and the signals among them. No gates where they have too many inputs.
struct Cone {
    Network network;
    std::vector<Signal> outputs;
};

Cone cone_of(std::size_t fluents, const Circuit& circuit, std::span<const Signal> outputs) {
    std::vector<bool> needed(circuit.nodes(), false);
    for (const Signal s : outputs) needed[s.node()] = true;
    std::size_t inputs = 0;
    for (std::uint32_t gate = circuit.nodes(); gate-- > circuit.first_gate();) {
        if (!needed[gate]) continue;
        for (const Signal s : circuit.inputs_of(gate)) needed[s.node()] = true;
        inputs += circuit.inputs_of(gate).size();
    }
    Cone cone;
    Network& network = cone.network;
    network.fluents.resize(fluents);
    network.first_move = network.first_gate = circuit.first_gate();
    network.nodes = network.first_gate;
    if (inputs > most_query_inputs) return cone;
    std::vector<std::uint32_t> number(circuit.nodes());
    for (std::uint32_t node = 0; node < circuit.first_gate(); ++node) number[node] = node;
    const auto renumber = [&](Signal s) { return Signal(number[s.node()], s.negated()); };
    for (std::uint32_t gate = circuit.first_gate(); gate < circuit.nodes(); ++gate) {
        if (!needed[gate]) continue;
        number[gate] = network.nodes++;
        network.start.push_back(static_cast<std::uint32_t>(network.inputs.size()));
        for (const Signal s : circuit.inputs_of(gate)) network.inputs.push_back(renumber(s));
    }
    network.start.push_back(static_cast<std::uint32_t>(network.inputs.size()));
    network.first_late = network.nodes;
    network.terminal = Network::never;
    if (network.nodes > network.first_gate)
        network.stretches.push_back({network.first_gate, network.nodes, false, network.first_gate});
    network.early_stretches = network.stretches.size();
    for (const Signal s : outputs) cone.outputs.push_back(renumber(s));
    return cone;
}

}  // namespace

std::unique_ptr<StateQuery> StateQuery::compile(const Network& network, const Circuit& circuit,
                                                std::span<const Signal> outputs) {
    const Cone cone = cone_of(network.fluents.size(), circuit, outputs);
    if (cone.outputs.size() != outputs.size() || outputs.empty()) return nullptr;
    WordPlan plan = plan_query(cone.network, network, cone.outputs);
    auto code = MachineCode::assemble(plan);
    if (!code) return nullptr;
    plan.groups.clear();  // they are code now
    return std::unique_ptr<StateQuery>(new StateQuery(std::move(plan), std::move(code)));
}

std::uint64_t* StateQuery::Words::at_least(std::uint32_t words) {
    constexpr std::size_t line = 8;  // words of a cache line
    if (memory_.size() < words + line) {
        memory_.assign(words + line, 0);
        const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
        aligned_ = reinterpret_cast<std::uint64_t*>((address + 63) / 64 * 64);
    }
    return aligned_;
}

const std::uint64_t* StateQuery::run(const std::uint64_t* state, Words& words) const {
    std::uint64_t* at = words.at_least(plan_.words);
    at[0] = ~std::uint64_t{0};
    for (std::uint32_t w = 0; w < plan_.state_words; ++w) at[plan_.first_entered + w] = state[w];
    code_->run(WordPlan::outcome, at);
    return at + plan_.first_output;
}

}  // namespace zermelo::gdl
