// Linking: from effects and outputs to the gates, readers and counters that the stepper runs on.
//
// Effects of the joint moves that occur are compiled into programs, the gates that they and the outputs need
// get dense numbers, and each node gets the list of its readers. When a joint move occurs that was not seen
// before, the circuit grows and everything is linked again.

#include <algorithm>
#include <limits>
#include <string>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "gdl/stepper.hpp"

namespace zermelo::gdl {

namespace {

constexpr const char* linking = "while linking the rules of moves";
constexpr std::uint32_t gates_of_a_linking_step = 1 << 12;
constexpr std::size_t bytes_of_a_link = 24;  // of a node or an input, in all lists

}  // namespace

bool Stepper::supports(const Network& network) {
    for (std::uint32_t gate = network.first_gate; gate < network.nodes; ++gate) {
        if (network.inputs_of(gate).size() > std::numeric_limits<Counter>::max()) return false;
    }
    return Effects::supports(network);
}

Stepper::Stepper(const Game& game, const std::vector<Permutation>& symmetries)
    : game_(game),
      machine_(game.machine()),
      effects_(machine_.network()),
      reachability_(machine_, effects_),
      order_(moves_by_name(game)),
      symmetries_(1 + symmetries.size()) {
    const std::size_t fluents = machine_.network().fluents.size();
    variants_.resize(roles());
    first_legal_.push_back(0);
    for (std::size_t r = 0; r < roles(); ++r) {
        variants_[r].resize(order_[r].size());
        place_.emplace_back(order_[r].size());
        for (std::uint32_t place = 0; place < order_[r].size(); ++place) place_[r][order_[r][place]] = place;
        first_legal_.push_back(first_legal_.back() + (order_[r].size() + 63) / 64);
    }
    Random random(0x5EED);
    zobrist_.resize(fluents);
    for (Hash128& hash : zobrist_) hash = {random.next(), random.next()};
    for (const Permutation& symmetry : symmetries) {
        for (std::size_t f = 0; f < fluents; ++f) zobrist_.push_back(zobrist_[symmetry[f]]);
    }
    compile_seen_moves();
    goal_conjunctions_ = goal_conjunctions(machine_.network(), effects_, reachability_);
    blocks_.resize(1);
    link();
    fill(here_, std::vector<std::uint8_t>(fluents, 0));
    load(machine_.initial());
}

void Stepper::compile_seen_moves() {
    const auto partners = partners_seen(machine_);
    for (std::size_t r = 0; r < roles(); ++r) {
        for (JointMove joint : partners[r]) {
            for (joint[r] = 0; joint[r] < order_[r].size(); ++joint[r]) compile(r, joint);
        }
    }
}

std::uint32_t Stepper::compile(std::size_t role, const JointMove& joint) {
    const auto changes = effects_.changes(joint);
    circuit_changes_.insert(circuit_changes_.end(), changes.begin(), changes.end());
    change_start_.push_back(static_cast<std::uint32_t>(circuit_changes_.size()));
    const auto program = static_cast<std::uint32_t>(change_start_.size() - 2);
    Variant& variant = variants_[role][joint[role]].emplace_back(Variant{joint, program, {}});
    for (std::size_t r = 0; r < roles(); ++r) {
        if (r == role) continue;
        const std::uint32_t place = place_[r][joint[r]];
        variant.others.emplace_back(first_legal_[r] + place / 64, std::uint64_t{1} << (place % 64));
    }
    return program;
}

Signal Stepper::local(Signal s) const { return {local_[s.node()], s.negated()}; }

// Numbers the gates that are needed, those of outcomes first, and wires them up. The blocks are laid out
// anew.
void Stepper::link() {
    const Network& network = machine_.network();
    const Circuit& circuit = effects_.circuit();
    std::vector<std::vector<Network::Goal>> goals;
    std::vector<std::vector<Network::Goal>> impossible;
    for (const auto& of_role : network.goals) {
        goals.emplace_back();
        impossible.emplace_back();
        for (const auto& goal : of_role) {
            const Signal holds = effects_.of_state(goal.holds);
            goals.back().push_back({goal.value, holds});
            impossible.back().push_back({goal.value, reachability_.certain(!holds)});
        }
    }
    enum Need : std::uint8_t { unneeded, needed, outcome };
    std::vector<Need> need(circuit.nodes(), unneeded);
    const auto want = [&](Signal s, Need kind) { need[s.node()] = std::max(need[s.node()], kind); };
    want(effects_.of_state(network.terminal), outcome);
    for (std::size_t r = 0; r < roles(); ++r) {
        for (const auto& goal : goals[r]) want(goal.holds, outcome);
        for (const auto& goal : impossible[r]) want(goal.holds, needed);
        for (const auto& move : network.moves[r]) want(effects_.of_state(move.legal), needed);
    }
    for (const Effects::Change& change : circuit_changes_) want(change.next, needed);
    for (const auto& [gate, conjunction] : goal_conjunctions_) want(conjunction.refuted, needed);
    stay_within_limits(linking, (std::size_t{circuit.nodes()} + circuit.inputs()) * bytes_of_a_link);
    for (std::uint32_t gate = circuit.nodes(); gate-- > circuit.first_gate();) {
        for (const Signal s : circuit.inputs_of(gate)) want(s, need[gate]);
    }

    first_gate_ = circuit.first_gate();
    std::vector<std::uint32_t> gates;
    for (const Need kind : {outcome, needed}) {
        for (std::uint32_t gate = first_gate_; gate < circuit.nodes(); ++gate) {
            if (need[gate] == kind) gates.push_back(gate);
        }
        if (kind == outcome) outcome_gates_ = static_cast<std::uint32_t>(gates.size());
    }
    local_.resize(circuit.nodes());
    for (std::uint32_t node = 0; node < first_gate_; ++node) local_[node] = node;
    for (std::uint32_t i = 0; i < gates.size(); ++i) local_[gates[i]] = first_gate_ + i;
    nodes_ = first_gate_ + static_cast<std::uint32_t>(gates.size());

    terminal_ = local(effects_.of_state(network.terminal));
    goals_ = std::move(goals);
    impossible_ = std::move(impossible);
    for (auto* lists : {&goals_, &impossible_}) {
        for (auto& list : *lists) {
            for (auto& goal : list) goal.holds = local(goal.holds);
        }
    }
    changes_ = circuit_changes_;
    for (auto& change : changes_) change.next = local(change.next);
    conjunction_of_.assign(outcome_gates_, {});
    for (const auto& [gate, conjunction] : goal_conjunctions_)
        conjunction_of_[local_[gate] - first_gate_] = {conjunction.roles, local(conjunction.refuted)};
    list_readers(gates);
    list_watches(nodes_);

    const auto words = [](std::size_t bytes) { return (bytes + 7) / 8; };
    block_words_ = 2 * symmetries_ + first_legal_.back() + words(roles() * sizeof(std::uint32_t)) +
                   words(gates.size() * sizeof(Counter)) + words(nodes_);
    scratch_.assign(block_words_, 0);
    aside_ = position_in(scratch_);
    enter(depth_);
}

void Stepper::list_readers(const std::vector<std::uint32_t>& gates) {
    std::vector<std::vector<std::uint32_t>> readers(nodes_);
    inputs_.assign(gates.size(), {});
    fan_start_.assign(1, 0);
    fan_mid_.clear();
    fan_out_.clear();
    for (std::uint32_t i = 0; i < gates.size(); ++i) {
        if (i % gates_of_a_linking_step == 0) stay_within_limits(linking);
        for (const Signal input : effects_.circuit().inputs_of(gates[i])) {
            const Signal s = local(input);
            inputs_[i].push_back(s);
            readers[s.node()].push_back(i * 2 + (s.negated() ? 1 : 0));
        }
    }
    for (const auto& list : readers) {  // ascending, so those of outcomes come first
        const auto mid = std::ranges::lower_bound(list, outcome_gates_ * 2);
        fan_mid_.push_back(
            static_cast<std::uint32_t>(fan_out_.size() + static_cast<std::size_t>(mid - list.begin())));
        fan_out_.insert(fan_out_.end(), list.begin(), list.end());
        fan_start_.push_back(static_cast<std::uint32_t>(fan_out_.size()));
    }
}

void Stepper::list_watches(std::uint32_t nodes) {
    std::vector<std::vector<Watch>> watches(nodes);
    for (std::uint32_t r = 0; r < roles(); ++r) {
        for (std::uint32_t place = 0; place < order_[r].size(); ++place) {
            const Signal legal =
                local(effects_.of_state(machine_.network().moves[r][order_[r][place]].legal));
            watches[legal.node()].push_back({r, place, legal.negated()});
        }
    }
    watch_start_.assign(1, 0);
    watches_.clear();
    for (const auto& list : watches) {
        watches_.insert(watches_.end(), list.begin(), list.end());
        watch_start_.push_back(static_cast<std::uint32_t>(watches_.size()));
    }
}

}  // namespace zermelo::gdl
