#include "scsp/mutex/conditions.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::scsp {

using gdl::Signal;
using Fluents = MutexCandidates::Fluents;

namespace {

constexpr std::size_t most_conditions = 16;  // of a group

MutexGroups::Condition none_of(const Fluents& fluents) {
    MutexGroups::Condition result;
    for (const std::uint32_t f : fluents) result.emplace_back(1 + f, true);
    return result;
}

bool meet(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    for (std::size_t w = 0; w < a.size(); ++w) {
        if ((a[w] & b[w]) != 0) return true;
    }
    return false;
}

}  // namespace

MutexConditions::MutexConditions(const gdl::Network& network, const MutexCandidates& candidates)
    : network_(network), candidates_(candidates), all_((candidates.sample.size() + 63) / 64, 0) {
    held_.assign(network.fluents.size(), Bits(all_.size(), 0));
    for (std::size_t i = 0; i < candidates.sample.size(); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << (i % 64);
        all_[i / 64] |= bit;
        const gdl::State& state = candidates.sample[i];
        for (std::size_t w = 0; w < state.size(); ++w) {
            for (std::uint64_t left = state[w]; left != 0; left &= left - 1)
                held_[w * 64 + static_cast<std::size_t>(std::countr_zero(left))][i / 64] |= bit;
        }
    }
    for (const Fluents& group : candidates.groups) shapes_.push_back(shape_of(group));
}

MutexConditions::Shape MutexConditions::shape_of(const Fluents& group) const {
    const gdl::TermId first = network_.fluents[group.front()];
    const auto arguments = network_.terms.arguments(first);
    Shape shape{network_.terms.symbol(first), 0};
    for (const std::uint32_t f : group) {
        const auto others = network_.terms.arguments(network_.fluents[f]);
        for (std::size_t i = 0; i < std::min<std::size_t>(arguments.size(), 64); ++i) {
            if (others[i] != arguments[i]) shape.places |= std::uint64_t{1} << i;
        }
    }
    return shape;
}

MutexConditions::Bits MutexConditions::some_of(const Fluents& group) const {
    Bits result(all_.size(), 0);
    for (const std::uint32_t f : group) {
        for (std::size_t w = 0; w < result.size(); ++w) result[w] |= held_[f][w];
    }
    return result;
}

MutexConditions::Bits MutexConditions::when_none_of(const Fluents& group) const {
    Bits result = some_of(group);
    for (std::size_t w = 0; w < result.size(); ++w) result[w] = all_[w] & ~result[w];
    return result;
}

std::vector<MutexGroups::Condition> MutexConditions::without(std::uint32_t phase) const {
    const auto is_phase = [&](std::uint32_t f) {
        return f != phase && std::ranges::find(candidates_.phases, f, &MutexCandidates::Phase::fluent) !=
                                 candidates_.phases.end();
    };
    std::vector<MutexGroups::Condition> result;
    for (const Fluents& group : candidates_.groups) {
        const Bits none = when_none_of(group);
        if (std::ranges::all_of(group, is_phase) && meet(none, all_) && !meet(none, held_[phase]))
            result.push_back(none_of(group));
    }
    return result;
}

std::vector<MutexGroups::Condition> MutexConditions::without(const Fluents& fluents,
                                                             const Fluents& phases) const {
    struct Guess {
        MutexGroups::Condition condition;
        Bits met;
        int times;
    };
    std::vector<Guess> guesses;
    Bits taken = some_of(fluents);
    const auto guess = [&](MutexGroups::Condition condition, Bits met) {
        int times = 0;
        for (const std::uint64_t word : met) times += std::popcount(word);
        if (times > 0 && !meet(met, taken)) guesses.push_back({std::move(condition), std::move(met), times});
    };
    const Bits phase_holds = some_of(phases);
    for (std::size_t w = 0; w < taken.size(); ++w) taken[w] |= phase_holds[w];
    for (std::size_t i = 0; i < candidates_.phases.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const std::uint32_t a = candidates_.phases[j].fluent;
            const std::uint32_t b = candidates_.phases[i].fluent;
            Bits both(all_.size());
            for (std::size_t w = 0; w < both.size(); ++w) both[w] = held_[a][w] & held_[b][w];
            guess({Signal(1 + a, false), Signal(1 + b, false)}, std::move(both));
        }
    }
    const Shape shape = shape_of(fluents);
    for (std::size_t g = 0; g < candidates_.groups.size(); ++g) {
        const Fluents& alike = candidates_.groups[g];
        if (shapes_[g] == shape && alike.front() != fluents.front())
            guess(none_of(alike), when_none_of(alike));
    }
    // Those that hold most often say most.
    std::ranges::stable_sort(guesses, std::greater<>(), &Guess::times);
    std::vector<MutexGroups::Condition> result;
    for (Guess& one : guesses) {
        if (result.size() == most_conditions) break;
        if (meet(one.met, taken)) continue;
        for (std::size_t w = 0; w < taken.size(); ++w) taken[w] |= one.met[w];
        result.push_back(std::move(one.condition));
    }
    return result;
}

}  // namespace zermelo::scsp
