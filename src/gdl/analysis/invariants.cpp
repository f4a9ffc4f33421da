#include "gdl/analysis/invariants.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "core/limits.hpp"
#include "gdl/analysis/random_plays.hpp"

namespace zermelo::gdl {

namespace {

using Group = std::vector<std::uint32_t>;

// Fluents that are the same term but for the argument at one place.
std::vector<Group> alike(const Network& network) {
    std::map<std::pair<std::size_t, std::vector<TermId>>, Group> groups;
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
        const TermId term = network.fluents[f];
        const auto arguments = network.terms.arguments(term);
        for (std::size_t place = 0; place < arguments.size(); ++place) {
            std::vector<TermId> rest = {network.terms.symbol(term)};
            rest.insert(rest.end(), arguments.begin(), arguments.end());
            rest[place + 1] = ~TermId{0};
            groups[{place, std::move(rest)}].push_back(f);
        }
    }
    std::vector<Group> result;
    for (auto& [key, group] : groups) {
        if (group.size() > 1) result.push_back(std::move(group));
    }
    return result;
}

std::size_t count_true(const Group& group, const State& state) {
    return static_cast<std::size_t>(std::count_if(
        group.begin(), group.end(), [&](std::uint32_t f) { return (state[f / 64] >> (f % 64) & 1) != 0; }));
}

}  // namespace

Invariants find_invariants(const Machine& machine, int playouts, const Limits& limits) {
    const Network& network = machine.network();
    Invariants found;
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
        const Signal next = network.next[f];
        const Signal own(1 + f, false);
        const auto reads = [&](Signal s) {
            if (next.node() < network.first_gate) return false;
            const auto inputs = network.inputs_of(next.node());
            return std::find(inputs.begin(), inputs.end(), s) != inputs.end();
        };
        // next is a disjunction with the fluent itself, or a conjunction with it.
        if (next == own || next == Network::always || (next.negated() && reads(!own)))
            found.stay_true.push_back(f);
        if (next == own || next == Network::never || (!next.negated() && reads(own)))
            found.stay_false.push_back(f);
    }

    std::vector<Group> groups = alike(network);
    visit_random_plays(machine, {.plays = playouts, .limits = limits}, [&](const State& state) {
        ++found.states;
        stay_within_limits("while playing at random");
        std::erase_if(groups, [&](const Group& group) { return count_true(group, state) > 1; });
    });
    // Largest first; a fluent belongs to one group only.
    std::stable_sort(groups.begin(), groups.end(),
                     [](const Group& a, const Group& b) { return a.size() > b.size(); });
    std::vector<bool> taken(network.fluents.size(), false);
    for (Group& group : groups) {
        if (std::any_of(group.begin(), group.end(), [&](std::uint32_t f) { return taken[f]; })) continue;
        for (const std::uint32_t f : group) taken[f] = true;
        found.mutex_candidates.push_back(std::move(group));
    }
    return found;
}

}  // namespace zermelo::gdl
