#include "learn/gate_cone.hpp"

#include <bit>

namespace zermelo::learn {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

}  // namespace

std::vector<bool> GateCone::plain(const gdl::Network& network) {
    std::vector<bool> is(network.first_late, true);
    for (std::uint32_t node = network.first_move; node < network.first_gate; ++node) is[node] = false;
    for (const auto& stretch : network.stretches) {
        for (std::uint32_t gate = stretch.first; gate < stretch.last && gate < network.first_late; ++gate) {
            if (stretch.loop) is[gate] = false;
            for (const gdl::Signal s : network.inputs_of(gate)) {
                if (s.node() >= gate || !is[s.node()]) is[gate] = false;
            }
        }
    }
    return is;
}

GateCone::GateCone(const gdl::Network& network, const std::vector<gdl::Signal>& gates)
    : slot_of_fluent_(network.fluents.size(), none) {
    std::vector<bool> needed(network.first_late, false);
    for (const gdl::Signal s : gates) needed[s.node()] = true;
    for (std::uint32_t gate = network.first_late; gate-- > network.first_gate;) {
        if (!needed[gate]) continue;
        for (const gdl::Signal s : network.inputs_of(gate)) needed[s.node()] = true;
    }
    std::vector<std::uint32_t> slot(network.first_late, none);
    slot[0] = 0;
    std::uint32_t slots = 1;
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
        if (needed[1 + f]) slot_of_fluent_[f] = slot[1 + f] = slots++;
    }
    first_gate_ = slots;
    const auto input = [&](gdl::Signal s) {
        return Input{slot[s.node()], s.negated() ? ~std::uint64_t{0} : 0};
    };
    for (std::uint32_t gate = network.first_gate; gate < network.first_late; ++gate) {
        if (!needed[gate]) continue;
        const auto first = static_cast<std::uint32_t>(inputs_.size());
        for (const gdl::Signal s : network.inputs_of(gate)) inputs_.push_back(input(s));
        gates_.push_back({first, static_cast<std::uint32_t>(inputs_.size())});
        slot[gate] = slots++;
    }
    for (const gdl::Signal s : gates) outputs_.push_back(input(s));
}

void GateCone::evaluate(std::span<const gdl::State* const> states, std::vector<std::uint64_t>& out) const {
    thread_local std::vector<std::uint64_t> value;
    value.assign(first_gate_ + gates_.size(), 0);
    value[0] = ~std::uint64_t{0};
    for (std::size_t lane = 0; lane < states.size(); ++lane) {
        const gdl::State& state = *states[lane];
        const std::uint64_t bit = std::uint64_t{1} << lane;
        for (std::size_t word = 0; word < state.size(); ++word) {
            for (std::uint64_t left = state[word]; left != 0; left &= left - 1) {
                const std::uint32_t slot =
                    slot_of_fluent_[64 * word + static_cast<std::size_t>(std::countr_zero(left))];
                if (slot != none) value[slot] |= bit;
            }
        }
    }
    std::uint64_t* result = value.data() + first_gate_;
    for (const Gate& gate : gates_) {
        std::uint64_t all = ~std::uint64_t{0};
        for (std::uint32_t i = gate.first; i < gate.last; ++i)
            all &= value[inputs_[i].slot] ^ inputs_[i].flip;
        *result++ = all;
    }
    out.clear();
    for (const Input& one : outputs_) out.push_back(value[one.slot] ^ one.flip);
}

}  // namespace zermelo::learn
