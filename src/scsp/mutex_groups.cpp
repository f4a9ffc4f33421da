#include "scsp/mutex_groups.hpp"

#include <algorithm>

#include "gdl/analysis/invariants.hpp"
#include "scsp/refutation.hpp"

namespace zermelo::scsp {

using gdl::Network;
using gdl::Signal;

namespace {

// No two of the group hold after a turn.
bool stays_mutex(const Network& network, const MutexGroups::Group& group, Refutation& refutation) {
    for (std::size_t i = 0; i < group.fluents.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!refutation.refutes({network.next[group.fluents[i]], network.next[group.fluents[j]]}))
                return false;
        }
    }
    return true;
}

// One of the group holds after a turn.
bool stays_occupied(const Network& network, const MutexGroups::Group& group, Refutation& refutation) {
    std::vector<Signal> none;
    for (const std::uint32_t f : group.fluents) none.push_back(!network.next[f]);
    return refutation.refutes(none);
}

}  // namespace

MutexGroups find_mutex_groups(const gdl::Machine& machine, const MutexGroupsOptions& options) {
    const Network& network = machine.network();
    MutexGroups found;
    for (auto& fluents : gdl::find_invariants(machine, 20, options.limits).mutex_candidates) {
        const auto held = std::ranges::count_if(fluents, [&](std::uint32_t f) { return network.initial[f]; });
        ++found.tried;
        if (held <= 1) found.groups.push_back({std::move(fluents), held == 1});
    }
    for (bool changed = true; changed;) {
        changed = false;
        // The groups are assumed now; that they hold next is what is to be proven.
        const Turn turn(network, found, {.next_outcome = false, .next_groups = false});
        Refutation refutation(turn, options.most_nodes, options.limits);
        std::vector<MutexGroups::Group> kept;
        for (auto& group : found.groups) {
            const bool stopped = options.limits.reached() != Stop::none;
            if (stopped || !stays_mutex(network, group, refutation)) {
                changed = true;
                continue;
            }
            if (group.exact && !stays_occupied(network, group, refutation)) {
                changed = true;
                group.exact = false;
            }
            kept.push_back(std::move(group));
        }
        found.groups = std::move(kept);
        found.nodes += refutation.nodes();
    }
    return found;
}

}  // namespace zermelo::scsp
