#include "gdl/compiled/word_plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "gdl/compiled/word_planner.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::size_t most_inputs_to_try = 40'000;  // larger networks are planned once
constexpr std::size_t most_arguments_to_try = 4;

// The fluents by relation and by one argument; those that agree in it lie in one word where they fit.
std::vector<std::uint32_t> slots_by_argument(const Network& network, std::size_t argument) {
    std::map<std::tuple<Symbol, std::size_t, TermId>, std::vector<std::uint32_t>> classes;
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
        const TermId term = network.fluents[f];
        const auto arguments = network.terms.arguments(term);
        classes[{network.terms.symbol(term), arguments.size(),
                 argument < arguments.size() ? arguments[argument] : 0}]
            .push_back(f);
    }
    std::vector<std::uint32_t> slots(network.fluents.size());
    std::uint32_t next = 0;
    for (const auto& [key, members] : classes) {
        if (next % 64 + members.size() > 64 && next % 64 != 0) next += 64 - next % 64;
        for (const std::uint32_t f : members) slots[f] = next++;
    }
    return slots;
}

// plan(slots) for the order of the network, and where it is small enough, for orders by one argument: the cheapest.
template <class Plan>
WordPlan cheapest(const Network& network, const Network& named, const Plan& plan) {
    std::vector<std::uint32_t> slots(network.fluents.size());
    std::iota(slots.begin(), slots.end(), 0U);
    WordPlan best = plan(slots);
    if (named.terms.size() == 0 || network.inputs.size() > most_inputs_to_try) return best;
    std::size_t most_arguments = 0;
    for (const TermId term : named.fluents)
        most_arguments = std::max(most_arguments, named.terms.arguments(term).size());
    for (std::size_t argument = 0; argument < std::min(most_arguments, most_arguments_to_try); ++argument) {
        slots = slots_by_argument(named, argument);
        WordPlan other = plan(slots);
        if (other.cost < best.cost) best = std::move(other);
    }
    return best;
}

}  // namespace

WordPlan plan_words(const Network& network, std::span<const Signal> extra) {
    return cheapest(network, network, [&](const std::vector<std::uint32_t>& slots) {
        return WordPlanner(network, extra, slots).run();
    });
}

WordPlan plan_query(const Network& network, const Network& named, std::span<const Signal> outputs) {
    return cheapest(network, named, [&](const std::vector<std::uint32_t>& slots) {
        return WordPlanner(network, {}, slots).run_query(outputs);
    });
}

}  // namespace zermelo::gdl
