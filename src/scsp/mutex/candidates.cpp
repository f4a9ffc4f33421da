#include "scsp/mutex/candidates.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "gdl/analysis/random_plays.hpp"

namespace zermelo::scsp {

using gdl::Network;
using gdl::TermId;

namespace {

constexpr std::size_t most_places =
    6;  // of a relation whose places are all combined; otherwise two at a time
constexpr std::size_t most_alike_phases = 32;  // of one relation
constexpr std::size_t most_phases = 64;
constexpr std::size_t most_sampled = 2048;  // states

using Group = std::vector<std::uint32_t>;

// The groups of all choices of places.
std::set<Group> alike(const Network& network) {
    std::map<std::pair<std::uint64_t, std::vector<TermId>>, Group> groups;
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
        const TermId term = network.fluents[f];
        const auto arguments = network.terms.arguments(term);
        const std::size_t arity = std::min<std::size_t>(arguments.size(), 63);
        const auto add = [&](std::uint64_t places) {
            std::vector<TermId> rest = {network.terms.symbol(term), static_cast<TermId>(arguments.size())};
            for (std::size_t i = 0; i < arguments.size(); ++i) {
                if (i >= 64 || (places >> i & 1) == 0) rest.push_back(arguments[i]);
            }
            groups[{places, std::move(rest)}].push_back(f);
        };
        if (arity <= most_places) {
            for (std::uint64_t places = 1; places < std::uint64_t{1} << arity; ++places) add(places);
            continue;
        }
        for (std::size_t i = 0; i < arity; ++i) {
            for (std::size_t j = i; j < arity; ++j) add(std::uint64_t{1} << i | std::uint64_t{1} << j);
        }
    }
    std::set<Group> result;
    for (auto& [key, group] : groups) {
        if (group.size() > 1) result.insert(std::move(group));
    }
    return result;
}

// Groups, and in which of them each fluent is.
class Candidates {
public:
    explicit Candidates(const Network& network) : of_(network.fluents.size()) {
        for (const Group& group : alike(network)) {
            for (const std::uint32_t f : group) of_[f].push_back(static_cast<std::uint32_t>(groups_.size()));
            groups_.push_back(group);
        }
        held_.assign(groups_.size(), 0);
        rejected_.assign(groups_.size(), false);
    }

    // Rejects the groups of which two fluents hold.
    void reject_by(const gdl::State& state) {
        touched_.clear();
        for (std::size_t w = 0; w < state.size(); ++w) {
            for (std::uint64_t left = state[w]; left != 0; left &= left - 1) {
                for (const std::uint32_t g : of_[w * 64 + static_cast<std::size_t>(std::countr_zero(left))]) {
                    if (rejected_[g]) continue;
                    if (++held_[g] == 1) touched_.push_back(g);
                    rejected_[g] = held_[g] > 1;
                }
            }
        }
        for (const std::uint32_t g : touched_) held_[g] = 0;
    }

    [[nodiscard]] std::vector<Group> left() {
        std::vector<Group> result;
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            if (!rejected_[g]) result.push_back(std::move(groups_[g]));
        }
        std::ranges::stable_sort(result, std::greater<>(), [](const Group& group) { return group.size(); });
        return result;
    }

private:
    std::vector<Group> groups_;
    std::vector<std::vector<std::uint32_t>> of_;  // by fluent
    std::vector<std::uint32_t> held_;             // by group: fluents of it in the state at hand
    std::vector<bool> rejected_;
    std::vector<std::uint32_t> touched_;
};

bool holds(const gdl::State& state, std::uint32_t fluent) {
    return (state[fluent / 64] >> (fluent % 64) & 1) != 0;
}

std::vector<MutexCandidates::Phase> find_phases(const Network& network) {
    std::map<gdl::Symbol, Group> relations;
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
        if (network.terms.arguments(network.fluents[f]).size() <= 1)
            relations[network.terms.symbol(network.fluents[f])].push_back(f);
    }
    std::vector<MutexCandidates::Phase> phases;
    for (const auto& [symbol, fluents] : relations) {
        if (fluents.size() > most_alike_phases || phases.size() + fluents.size() > most_phases) continue;
        for (const std::uint32_t f : fluents)
            phases.push_back({f, gdl::State((network.fluents.size() + 63) / 64, 0)});
    }
    return phases;
}

void note_phases(std::vector<MutexCandidates::Phase>& phases, const gdl::State& state) {
    for (auto& phase : phases) {
        if (!holds(state, phase.fluent)) continue;
        for (std::size_t w = 0; w < state.size(); ++w) phase.together[w] |= state[w];
    }
}

// States at equal distances, so many that there are between half of the most and the most.
class Sample {
public:
    void add(const gdl::State& state) {
        if (met_++ % stride_ != 0) return;
        states.push_back(state);
        if (states.size() < most_sampled) return;
        for (std::size_t i = 0; 2 * i < states.size(); ++i) states[i] = std::move(states[2 * i]);
        states.resize(states.size() / 2);
        stride_ *= 2;
    }
    std::vector<gdl::State> states;

private:
    std::size_t stride_ = 1;
    std::size_t met_ = 0;
};

}  // namespace

Group MutexCandidates::phases_without(const Group& fluents) const {
    Group taken;
    for (const Phase& phase : phases) {
        const auto apart = [&](std::uint32_t f) { return f != phase.fluent && !holds(phase.together, f); };
        if (std::ranges::all_of(fluents, apart) && std::ranges::all_of(taken, apart))
            taken.push_back(phase.fluent);
    }
    std::ranges::sort(taken);
    return taken;
}

MutexCandidates mutex_candidates(const gdl::Machine& machine, const Limits& limits) {
    Candidates candidates(machine.network());
    std::vector<MutexCandidates::Phase> phases = find_phases(machine.network());
    Sample sample;
    gdl::visit_random_plays(machine, {.limits = limits}, [&](const gdl::State& state) {
        candidates.reject_by(state);
        note_phases(phases, state);
        sample.add(state);
    });
    return {candidates.left(), std::move(phases), std::move(sample.states)};
}

}  // namespace zermelo::scsp
