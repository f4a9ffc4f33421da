// Refutation by propagation and backtracking (Davis, Logemann and Loveland 1962): a proof that some signals
// never hold together in a turn.
//
// They are assumed and propagated, and then a short depth-first search decides the moves and fluents that
// matter, with propagation after each decision. If every branch ends in a contradiction there is no such
// turn. If not, or if the search was cut short, nothing is known: the state that it found may not be
// reachable. Nodes on which the signals do not depend are left out at first, which is cheap and mostly
// enough.

#pragma once

#include "scsp/filter.hpp"

namespace zermelo::scsp {

class Refutation {
public:
    // The turn has to outlive this. Each question may take `most_nodes` nodes of search.
    Refutation(const Turn& turn, std::uint64_t most_nodes, const Limits& limits);

    // True where it is proven that these never hold together in a turn that respects the mutex groups.
    [[nodiscard]] bool refutes(const std::vector<gdl::Signal>& together);
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }  // of all searches

private:
    void collect_inputs(const std::vector<gdl::Signal>& signals);
    void add_inputs(const std::vector<gdl::Signal>& signals);
    [[nodiscard]] bool contradict(const std::vector<gdl::Signal>& together);
    [[nodiscard]] bool none_from_here();

    const Turn& turn_;
    Filter filter_;
    std::uint64_t most_nodes_;
    Limits limits_;
    std::vector<gdl::Signal> legal_;      // by move
    std::vector<std::uint32_t> readers_;  // by node: how many gates read it
    std::vector<std::uint32_t> seen_;     // by node: the stamp of the last question that depended on it
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> inputs_;
    std::vector<std::uint32_t> todo_;
    std::uint64_t left_ = 0;
    std::uint64_t nodes_ = 0;
};

}  // namespace zermelo::scsp
