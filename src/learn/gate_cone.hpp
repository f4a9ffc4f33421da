// Gates of a rule network that depend on the state alone, evaluated for 64 states at once: one bit a state.

#pragma once

#include <span>
#include <vector>

#include "gdl/circuit/machine.hpp"

namespace zermelo::learn {

class GateCone {
public:
    // The gates, and what they are made of. They must not depend on recursive rules (see `plain`).
    GateCone(const gdl::Network& network, const std::vector<gdl::Signal>& gates);

    // By node up to the first gate that depends on moves: whether it can be asked for.
    [[nodiscard]] static std::vector<bool> plain(const gdl::Network& network);

    // For each of the gates the bits of at most 64 states.
    void evaluate(std::span<const gdl::State* const> states, std::vector<std::uint64_t>& out) const;

private:
    struct Input {
        std::uint32_t slot;
        std::uint64_t flip;
    };
    struct Gate {
        std::uint32_t first;  // of its inputs
        std::uint32_t last;
    };
    std::vector<std::uint32_t> slot_of_fluent_;  // none: not needed
    std::size_t first_gate_ = 1;                 // slots: the constant, fluents, gates
    std::vector<Gate> gates_;
    std::vector<Input> inputs_;
    std::vector<Input> outputs_;
};

}  // namespace zermelo::learn
