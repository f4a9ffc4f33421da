#include "gdl/positional/three_valued.hpp"

#include <algorithm>

namespace zermelo::gdl {

void ThreeValued::start(const std::vector<std::pair<std::uint32_t, bool>>& fixed) {
    claimed_.clear();
    known_.clear();
    prepared_ = false;
    for (const auto& [fluent, value] : fixed) set_fluent(fluent, value);
}

void ThreeValued::set_fluent(std::uint32_t fluent, bool value) {
    known_.emplace_back(1 + fluent, truth(value));
    prepared_ = false;
}

void ThreeValued::set_empty(std::size_t spot) {
    for (const std::uint32_t stone : spots_[spot].stone) set_fluent(stone, false);
    if (spots_[spot].empty) set_fluent(*spots_[spot].empty, true);
}

void ThreeValued::set_held(std::size_t spot, std::size_t role) {
    set_fluent(spots_[spot].stone[role], true);
    set_fluent(spots_[spot].stone[1 - role], false);
    if (spots_[spot].empty) set_fluent(*spots_[spot].empty, false);
}

void ThreeValued::set_claimed(std::size_t spot) {
    claimed_.push_back(spot);
    if (spots_[spot].empty) set_fluent(*spots_[spot].empty, false);
    prepared_ = false;
}

void ThreeValued::force(Signal s, bool value) {
    known_.emplace_back(s.node(), truth(value != s.negated()));
    prepared_ = false;
}

void ThreeValued::prepare() {
    if (prepared_) return;
    for (const std::uint32_t node : evaluated_nodes_) evaluated_[node] = false;
    evaluated_nodes_.clear();
    evaluated_.resize(circuit_.nodes(), false);
    value_.resize(circuit_.nodes(), Truth::unknown);
    set(0, Truth::yes);
    for (const auto& [node, value] : known_) set(node, value);
    prepared_ = true;
}

void ThreeValued::set(std::uint32_t node, Truth value) {
    evaluated_[node] = true;
    value_[node] = value;
    evaluated_nodes_.push_back(node);
}

Truth ThreeValued::of(Signal s) {
    prepare();
    if (!evaluated_[s.node()]) set(s.node(), evaluate(s.node()));
    return s.negated() ? !value_[s.node()] : value_[s.node()];
}

Truth ThreeValued::evaluate(std::uint32_t node) {
    if (node < circuit_.first_gate()) return Truth::unknown;
    Truth all = Truth::yes;
    for (const Signal input : circuit_.inputs_of(node)) {
        const Truth t = of(input);
        if (t == Truth::no) return t;
        if (t == Truth::unknown) all = t;
    }
    return all == Truth::unknown && denies_a_claim(node) ? Truth::no : all;
}

// Is it part of the conjunction that nobody holds a spot which is claimed?
bool ThreeValued::denies_a_claim(std::uint32_t gate) const {
    const auto inputs = circuit_.inputs_of(gate);
    const auto denies = [&](std::uint32_t fluent) {
        return std::ranges::find(inputs, Signal(1 + fluent, true)) != inputs.end();
    };
    return std::ranges::any_of(claimed_, [&](std::size_t spot) {
        return denies(spots_[spot].stone[0]) && denies(spots_[spot].stone[1]);
    });
}

std::vector<std::uint32_t> ThreeValued::fluents_below(Signal s) const {
    std::vector<bool> needed(s.node() + std::size_t{1}, false);
    needed[s.node()] = true;
    for (std::uint32_t gate = s.node() + 1; gate-- > circuit_.first_gate();) {
        if (!needed[gate]) continue;
        for (const Signal input : circuit_.inputs_of(gate)) needed[input.node()] = true;
    }
    std::vector<std::uint32_t> fluents;
    for (std::uint32_t node = 1; node < std::min<std::size_t>(circuit_.first_gate(), needed.size()); ++node) {
        if (needed[node]) fluents.push_back(node - 1);
    }
    return fluents;
}

}  // namespace zermelo::gdl
