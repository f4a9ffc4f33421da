#include "play/mac_ucb/symmetric_micros.hpp"

#include <algorithm>
#include <unordered_set>

namespace zermelo::play {

namespace {

constexpr std::size_t most_edges = 200'000;  // of a microstructure: nauty takes about a second there
constexpr std::size_t few_edges = 5000;
constexpr double patience = 1;  // seconds for one key, where there is no deadline

Limits until(const Deadline& deadline) {
    return Limits(std::clamp(deadline.left(), 0.0, patience), std::nullopt);
}

}  // namespace

std::unique_ptr<const TurnStructure> TurnStructure::make(const GameContext& rules, const Limits& limits) {
    if (rules.machine().network().gates() > most_edges) return nullptr;
    try {
        const scsp::MutexGroups groups = scsp::find_mutex_groups(rules.machine(), {.limits = limits});
        if (limits.reached() != Stop::none) return nullptr;
        scsp::MicroScsp network =
            scsp::make_micro_scsp(rules.game(), groups, {.percepts = rules.hidden(), .limits = limits});
        scsp::Microstructure graph(network, {.first_state = false});
        if (limits.reached() != Stop::none || graph.graph().edges.size() > most_edges) return nullptr;
        return std::make_unique<const TurnStructure>(TurnStructure{std::move(network), std::move(graph)});
    } catch (const LimitReached&) {
        return nullptr;
    }
}

bool SymmetricMicros::small() const {
    return structure_ != nullptr && structure_->graph.graph().edges.size() <= few_edges;
}

std::optional<Hash128> SymmetricMicros::key(const State& state, const Deadline& deadline) {
    return structure_ == nullptr ? std::nullopt : structure_->graph.key(state, {}, until(deadline));
}

std::optional<std::vector<MoveId>> SymmetricMicros::representatives(const State& state,
                                                                    const Nogoods& nogoods, std::size_t role,
                                                                    const Deadline& deadline) {
    if (structure_ == nullptr) return std::nullopt;
    const Limits limits = until(deadline);
    const auto generators = structure_->graph.generators(state, nogoods, limits);
    if (limits.reached() != Stop::none) return std::nullopt;
    std::vector<MoveId> least(structure_->network.network->moves[role].size());
    for (MoveId move = 0; move < least.size(); ++move) least[move] = move;
    for (bool changed = true; changed;) {
        changed = false;
        for (const symmetry::Symmetry& one : generators) {
            for (MoveId move = 0; move < least.size(); ++move) {
                MoveId& a = least[move];
                MoveId& b = least[one.move[role][move]];
                changed = changed || a != b;
                a = b = std::min(a, b);
            }
        }
    }
    return least;
}

std::size_t SymmetricMicros::images(const State& state) const {
    std::unordered_set<Hash128, LowBitsHash> found = {gdl::hash(state)};
    for (const symmetry::Symmetry& one : canonical_.symmetries())
        found.insert(gdl::hash(symmetry::image(one, state)));
    return found.size();
}

}  // namespace zermelo::play
