#include "scsp/turn_program.hpp"

#include <algorithm>
#include <map>

#include "scsp/filter.hpp"
#include "scsp/micro_scsp.hpp"

namespace zermelo::scsp {

using gdl::Network;
using gdl::Signal;
using gdl::Truth;

namespace {

constexpr std::uint8_t varies = 2;

// The gates that depend on the state alone, and what is read off them.
Network early_part(const Network& network) {
    Network early = network;
    early.nodes = network.first_late;
    early.stretches.resize(network.early_stretches);
    if (!early.start.empty()) {
        early.start.resize(network.first_late - network.first_gate + 1);
        early.inputs.resize(early.start.back());
    }
    early.next.assign(network.next.size(), Network::never);
    for (auto& percepts : early.sees) percepts.clear();
    return early;
}

// The loop that a gate is in, if it is in one.
const Network::Stretch* loop_of(const Turn& turn, std::uint32_t gate) {
    const auto found = std::ranges::find_if(
        turn.loops, [&](const auto& loop) { return gate >= loop.first && gate < loop.last; });
    return found == turn.loops.end() ? nullptr : &*found;
}

}  // namespace

TurnProgram::TurnProgram(const gdl::Machine& machine, const MutexGroups& mutex_groups,
                         const TurnProgramOptions& options)
    : machine_(machine),
      mutex_groups_(mutex_groups),
      early_(std::make_unique<gdl::Machine>(early_part(machine.network()))),
      chance_(chance_role(machine.network())),
      has_outcome_(options.outcome) {
    const Turn turn(machine.network(), mutex_groups, {.next_outcome = options.outcome});
    simplify(turn, options);
    compile(turn);
    read_results(turn);
    known_ = {};
    image_ = {};
}

// What is the same in every turn. A move or a fluent that fails when it is assumed never holds.
void TurnProgram::simplify(const Turn& turn, const TurnProgramOptions& options) {
    Filter filter(turn);
    filter.push();
    const auto enough = [&] {
        return filter.assignments() > options.most_work || options.limits.reached() != Stop::none;
    };
    for (bool changed = options.singleton && filter.consistent(); changed && filter.consistent();) {
        changed = false;
        for (std::uint32_t node = 1; node < network().first_gate && filter.consistent(); ++node) {
            if (enough()) {
                preparation_.complete = false;
                break;
            }
            const Signal holds(node, false);
            if (filter.truth(holds) != Truth::unknown) continue;
            const bool fits = filter.assume(holds);
            filter.undo(1);
            if (fits) continue;
            ++preparation_.singleton_values;
            changed = true;
            filter.post(!holds);
        }
        changed = changed && preparation_.complete;
    }
    known_.assign(turn.nodes, varies);
    for (std::uint32_t node = 0; node < turn.nodes; ++node) {
        const Truth truth = filter.truth(Signal(node, false));
        // Where no turn is possible at all, nothing is used.
        if (!filter.consistent() || truth == Truth::unknown) continue;
        known_[node] = truth == Truth::yes ? 1 : 0;
        ++preparation_.constants;
    }
    known_[0] = 1;
}

// The nodes that the results need.
std::vector<bool> TurnProgram::find_needed(const Turn& turn) {
    std::vector<bool> needed(turn.nodes, false);
    for (const Signal s : network().next) needed[s.node()] = true;
    if (has_outcome_) {
        needed[turn.next_terminal.node()] = true;
        for (const auto& goals : turn.next_goals) {
            for (const auto& goal : goals) needed[goal.holds.node()] = true;
        }
    }
    for (std::uint32_t gate = turn.nodes; gate-- > network().first_late;) {
        const auto* loop = loop_of(turn, gate);
        if (loop != nullptr && gate == loop->last - 1) {
            const auto begin = needed.begin() + loop->first;
            const auto end = needed.begin() + loop->last;
            if (std::find(begin, end, true) != end) std::fill(begin, end, true);
        }
        if (!needed[gate]) continue;
        ++preparation_.gates;
        if (known_[gate] != varies && loop == nullptr) continue;
        for (const Signal s : turn.inputs_of(gate)) needed[s.node()] = true;
    }
    return needed;
}

// Places for what is read of the state, and for the moves.
void TurnProgram::place_inputs(const std::vector<bool>& needed) {
    const Network& of = network();
    image_.assign(needed.size(), Operand(0, true));
    image_[0] = Operand(0, false);
    places_ = 1;
    for (std::uint32_t node = 1; node < of.first_late; ++node) {
        if ((node >= of.first_move && node < of.first_gate) || !needed[node]) continue;
        if (known_[node] != varies) {
            image_[node] = Operand(0, known_[node] == 0);
            continue;
        }
        imports_.push_back({places_, Signal(node, false)});
        image_[node] = Operand(places_++, false);
    }
    first_move_ = places_;
    for (std::uint32_t node = of.first_move; node < of.first_gate; ++node)
        image_[node] = Operand(places_++, false);
    first_gate_ = places_;
    start_.push_back(0);
}

std::uint32_t TurnProgram::add_gate(const std::vector<Operand>& inputs) {
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
    start_.push_back(static_cast<std::uint32_t>(inputs_.size()));
    return places_++;
}

void TurnProgram::add_loop(const Turn& turn, const Network::Stretch& loop) {
    const std::uint32_t first = places_;
    for (std::uint32_t gate = loop.first; gate < loop.last; ++gate)
        image_[gate] = Operand(first + (gate - loop.first), false);
    for (std::uint32_t gate = loop.first; gate < loop.last; ++gate) {
        std::vector<Operand> inputs;
        for (const Signal s : turn.inputs_of(gate)) inputs.push_back(operand(s));
        add_gate(inputs);
    }
    stretches_.push_back({first, places_, true, first + (loop.rules - loop.first)});
}

// The inputs of a gate without constants, each once.
std::vector<TurnProgram::Operand> TurnProgram::folded_inputs(const Turn& turn, std::uint32_t gate) const {
    std::vector<Operand> inputs;
    for (const Signal s : turn.inputs_of(gate)) inputs.push_back(operand(s));
    std::ranges::sort(inputs);
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    std::erase(inputs, Operand(0, false));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool both = i > 0 && inputs[i].place() == inputs[i - 1].place();
        if (both || inputs[i] == Operand(0, true)) return {Operand(0, true)};
    }
    return inputs;
}

// Gates that results need, with constants folded and equal gates merged.
void TurnProgram::compile(const Turn& turn) {
    const std::vector<bool> needed = find_needed(turn);
    place_inputs(needed);
    std::map<std::vector<Operand>, std::uint32_t> merged;
    for (std::uint32_t gate = network().first_late; gate < turn.nodes; ++gate) {
        if (!needed[gate]) continue;
        if (const auto* loop = loop_of(turn, gate)) {
            add_loop(turn, *loop);
            gate = loop->last - 1;
            continue;
        }
        if (known_[gate] != varies) {
            image_[gate] = Operand(0, known_[gate] == 0);
            continue;
        }
        std::vector<Operand> inputs = folded_inputs(turn, gate);
        if (inputs.empty()) {
            image_[gate] = Operand(0, false);
        } else if (inputs.size() == 1) {
            image_[gate] = inputs.front();
        } else if (const auto same = merged.find(inputs); same != merged.end()) {
            image_[gate] = Operand(same->second, false);
        } else {
            if (stretches_.empty() || stretches_.back().loop)
                stretches_.push_back({places_, places_, false, places_});
            const std::uint32_t place = add_gate(inputs);
            stretches_.back().last = places_;
            image_[gate] = Operand(place, false);
            merged.emplace(std::move(inputs), place);
        }
    }
    preparation_.kept = places_ - first_gate_;
}

void TurnProgram::read_results(const Turn& turn) {
    for (const Signal s : network().next) next_.push_back(operand(s));
    if (!has_outcome_) return;
    terminal_ = operand(turn.next_terminal);
    for (const auto& goals : turn.next_goals) {
        auto& of_role = goals_.emplace_back();
        for (const auto& goal : goals) of_role.push_back({goal.value, operand(goal.holds)});
    }
}

// ------------------------------------------------------------------------------------------ evaluation

template <int W>
void TurnProgram::evaluate_gates(std::uint64_t* words, std::uint32_t first, std::uint32_t last) const {
    for (std::uint32_t gate = first; gate < last; ++gate) {
        std::uint64_t all[W];
        std::fill(all, all + W, ~std::uint64_t{0});
        const std::uint32_t end = start_[gate - first_gate_ + 1];
        for (std::uint32_t i = start_[gate - first_gate_]; i < end; ++i) {
            const std::uint64_t* input = words + std::size_t{inputs_[i].place()} * W;
            const std::uint64_t mask = inputs_[i].mask();
            for (int w = 0; w < W; ++w) all[w] &= input[w] ^ mask;
            if (W == 1 && all[0] == 0) break;
        }
        std::copy(all, all + W, words + std::size_t{gate} * W);
    }
}

// The least fixpoint, for all moves at once: negated atoms start out true and become false one by one.
template <int W>
void TurnProgram::evaluate_loop(std::uint64_t* words, const Stretch& loop) const {
    const auto begin = words + std::size_t{loop.first} * W;
    const auto end = words + std::size_t{loop.rules} * W;
    std::fill(begin, end, ~std::uint64_t{0});
    std::vector<std::uint64_t> before;
    do {
        before.assign(begin, end);
        evaluate_gates<W>(words, loop.rules, loop.last);
        evaluate_gates<W>(words, loop.first, loop.rules);
        for (std::size_t i = 0; i < before.size(); ++i) begin[i] &= before[i];
    } while (!std::equal(begin, end, before.begin()));
}

template <int W>
void TurnProgram::evaluate(std::uint64_t* words) const {
    for (const Stretch& stretch : stretches_) {
        if (stretch.loop) {
            evaluate_loop<W>(words, stretch);
        } else {
            evaluate_gates<W>(words, stretch.first, stretch.last);
        }
    }
}

template void TurnProgram::evaluate<1>(std::uint64_t*) const;
template void TurnProgram::evaluate<4>(std::uint64_t*) const;

}  // namespace zermelo::scsp
