// Machine: runs a game on its network, one state at a time.
//
// A state is a set of bits, one a fluent. A Runner holds the value of every node for the state it was given
// last; moving to another state or trying another joint move evaluates only the gates whose inputs changed,
// in order, so that no gate is looked at twice. The machine is shared by any number of threads; each has a
// runner of its own.

#pragma once

#include "core/hash.hpp"
#include "gdl/circuit/network.hpp"

namespace zermelo::gdl {

using State = std::vector<std::uint64_t>;  // bit i: fluent i
using MoveId = std::uint32_t;              // index into Network::moves of the role
using JointMove = std::vector<MoveId>;     // by role

[[nodiscard]] Hash128 hash(const State& state);

class Machine {
public:
    explicit Machine(Network network);

    [[nodiscard]] const Network& network() const { return network_; }
    [[nodiscard]] const State& initial() const { return initial_; }
    [[nodiscard]] std::size_t roles() const { return network_.roles.size(); }

private:
    friend class Runner;
    Network network_;
    State initial_;
    std::vector<std::uint32_t> fan_start_;  // by node: into fan_out_; one more at the end
    std::vector<std::uint32_t> fan_out_;    // the gates that read it
    std::vector<std::uint32_t> loop_of_;    // by gate: its stretch when this is a loop, or none
};

class Runner {
public:
    using State = gdl::State;

    explicit Runner(const Machine& machine);

    void load(const State& state);
    [[nodiscard]] bool terminal() const { return holds(network_.terminal); }
    [[nodiscard]] int goal(std::size_t role) const;  // -1 where none is stated
    void legal(std::size_t role, std::vector<MoveId>& moves) const;
    void play(const JointMove& moves);  // then next() and sees() may be asked
    void next(State& state) const;
    void sees(std::size_t role, std::vector<TermId>& percepts) const;
    [[nodiscard]] bool holds(Signal s) const { return (value_[s.node()] != 0) != s.negated(); }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void set(std::uint32_t node, bool value);
    void settle();
    void settle_loop(const Network::Stretch& loop);
    [[nodiscard]] bool evaluate(std::uint32_t gate) const;
    void changed(std::uint32_t node);

    const Machine& machine_;
    const Network& network_;
    std::vector<std::uint8_t> value_;  // by node
    std::vector<std::uint64_t> dirty_;
    std::size_t first_dirty_ = 0;
    State state_;
    JointMove played_;
};

}  // namespace zermelo::gdl
