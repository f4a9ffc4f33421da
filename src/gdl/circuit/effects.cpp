#include "gdl/circuit/effects.hpp"

#include <algorithm>
#include <set>

#include "core/limits.hpp"

namespace zermelo::gdl {

namespace {

constexpr const char* finding = "while finding what moves change";
constexpr std::uint32_t gates_of_a_finding_step = 1 << 12;

}  // namespace

std::uint32_t& Circuit::place_of(std::span<const Signal> inputs) {
    Hasher hasher;
    for (const Signal s : inputs) hasher.add(s.code());
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hasher.value().low & mask;
    while (table_[at] != 0 && !std::ranges::equal(inputs_of(table_[at]), inputs)) at = (at + 1) & mask;
    return table_[at];
}

void Circuit::grow_table() {
    stay_within_limits(finding, 2 * table_.size() * sizeof(std::uint32_t));
    table_ = std::vector<std::uint32_t>(2 * table_.size());
    for (std::uint32_t gate = first_gate(); gate < nodes(); ++gate) place_of(inputs_of(gate)) = gate;
}

Signal Circuit::conjunction(std::vector<Signal> inputs) {
    std::sort(inputs.begin(), inputs.end(), [](Signal a, Signal b) { return a.code() < b.code(); });
    std::size_t kept = 0;
    for (const Signal s : inputs) {
        if (s == Network::always) continue;
        if (s == Network::never) return Network::never;
        if (kept > 0 && inputs[kept - 1] == s) continue;
        if (kept > 0 && inputs[kept - 1] == !s) return Network::never;
        inputs[kept++] = s;
    }
    inputs.resize(kept);
    if (inputs.empty()) return Network::always;
    if (inputs.size() == 1) return inputs.front();
    if (2 * start_.size() > table_.size()) grow_table();
    std::uint32_t& place = place_of(inputs);
    if (place != 0) return {place, false};
    const std::uint32_t gate = nodes();
    if (gate % gates_of_a_finding_step == 0) stay_within_limits(finding);
    ask_to_grow(inputs_, finding, inputs.size());
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
    start_.push_back(static_cast<std::uint32_t>(inputs_.size()));
    place = gate;
    return {gate, false};
}

bool Effects::supports(const Network& network) {
    return std::ranges::none_of(network.stretches, [](const auto& stretch) { return stretch.loop; });
}

Effects::Effects(const Network& network)
    : network_(network), circuit_(network.fluents.size()), image_(network.nodes), feeds_(network.nodes) {
    if (!supports(network)) {
        throw Error("the rules are recursive, so their moves have no closed form", "use another engine");
    }
    for (std::uint32_t node = 0; node < network.nodes; ++node) {
        if (node % gates_of_a_finding_step == 0) stay_within_limits(finding);
        image_[node] = node < network.first_move   ? Signal(node, false)
                       : node < network.first_gate ? Network::never
                                                   : rebuild(node);
    }
    fan_start_.assign(network.nodes + 1, 0);
    for (std::uint32_t gate = network.first_late; gate < network.nodes; ++gate) {
        for (const Signal s : network.inputs_of(gate)) ++fan_start_[s.node() + 1];
    }
    for (std::size_t n = 0; n < network.nodes; ++n) fan_start_[n + 1] += fan_start_[n];
    fan_out_.resize(fan_start_.back());
    std::vector<std::uint32_t> fill(fan_start_.begin(), fan_start_.end() - 1);
    for (std::uint32_t gate = network.first_late; gate < network.nodes; ++gate) {
        if (gate % gates_of_a_finding_step == 0) stay_within_limits(finding);
        for (const Signal s : network.inputs_of(gate)) fan_out_[fill[s.node()]++] = gate;
    }
    for (std::uint32_t f = 0; f < network.next.size(); ++f) {
        feeds_[network.next[f].node()].push_back(f);
        if (translate(network.next[f]) != Signal(1 + f, false)) moving_.push_back(f);
    }
}

Signal Effects::translate(Signal s) const {
    const Signal image = image_[s.node()];
    return s.negated() ? !image : image;
}

Signal Effects::of_state(Signal s) const { return translate(s); }

Signal Effects::rebuild(std::uint32_t gate) {
    std::vector<Signal> inputs;
    for (const Signal s : network_.inputs_of(gate)) inputs.push_back(translate(s));
    return circuit_.conjunction(std::move(inputs));
}

// Only what the moves reach is built anew, and afterwards put back.
std::vector<Effects::Change> Effects::changes(const JointMove& moves) {
    std::vector<std::pair<std::uint32_t, Signal>> before;
    std::set<std::uint32_t> reached;
    std::vector<std::uint32_t> fluents = moving_;
    const auto set = [&](std::uint32_t node, Signal image) {
        before.emplace_back(node, image_[node]);
        image_[node] = image;
        reached.insert(fan_out_.begin() + fan_start_[node], fan_out_.begin() + fan_start_[node + 1]);
        fluents.insert(fluents.end(), feeds_[node].begin(), feeds_[node].end());
    };
    stay_within_limits(finding);
    for (std::size_t r = 0; r < moves.size(); ++r) {
        if (moves[r] != no_move) set(network_.moves[r][moves[r]].node, Network::always);
    }
    while (!reached.empty()) {
        const std::uint32_t gate = *reached.begin();
        reached.erase(reached.begin());
        if (const Signal image = rebuild(gate); image != image_[gate]) set(gate, image);
    }
    std::sort(fluents.begin(), fluents.end());
    fluents.erase(std::unique(fluents.begin(), fluents.end()), fluents.end());
    std::vector<Change> changes;
    for (const std::uint32_t f : fluents) {
        const Signal next = translate(network_.next[f]);
        if (next != Signal(1 + f, false)) changes.push_back({f, next});
    }
    for (auto at = before.rbegin(); at != before.rend(); ++at) image_[at->first] = at->second;
    return changes;
}

}  // namespace zermelo::gdl
