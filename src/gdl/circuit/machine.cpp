#include "gdl/circuit/machine.hpp"

#include <bit>
#include <new>

#include "core/limits.hpp"

namespace zermelo::gdl {

namespace {

constexpr const char* preparing = "while preparing the propositional network";
constexpr std::uint32_t gates_of_a_preparing_step = 1 << 14;

}  // namespace

Hash128 hash(const State& state) {
    Hasher hasher;
    for (const std::uint64_t word : state) hasher.add(word);
    return hasher.value();
}

Machine::Machine(Network network, MakeFasterRules make_faster_rules)
    : network_(std::move(network)), make_faster_rules_(std::move(make_faster_rules)) {
    initial_.assign((network_.fluents.size() + 63) / 64, 0);
    for (std::size_t i = 0; i < network_.fluents.size(); ++i) {
        if (network_.initial[i]) initial_[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    stay_within_limits(preparing, (network_.nodes + network_.inputs.size()) * 2 * sizeof(std::uint32_t));
    fan_start_.assign(network_.nodes + 1, 0);
    for (const Signal s : network_.inputs) ++fan_start_[s.node() + 1];
    for (std::size_t n = 0; n < network_.nodes; ++n) fan_start_[n + 1] += fan_start_[n];
    fan_out_.resize(network_.inputs.size());
    std::vector<std::uint32_t> fill(fan_start_.begin(), fan_start_.end());
    for (std::uint32_t gate = network_.first_gate; gate < network_.nodes; ++gate) {
        if (gate % gates_of_a_preparing_step == 0) stay_within_limits(preparing);
        for (const Signal s : network_.inputs_of(gate)) fan_out_[fill[s.node()]++] = gate;
    }
    loop_of_.assign(network_.gates(), ~std::uint32_t{0});
    for (std::uint32_t i = 0; i < network_.stretches.size(); ++i) {
        const auto& stretch = network_.stretches[i];
        if (!stretch.loop) continue;
        for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate)
            loop_of_[gate - network_.first_gate] = i;
    }
}

Machine::~Machine() {
    not_needed_ = true;
    if (maker_.joinable()) maker_.join();
}

void Machine::prepare_faster_rules() const {
    if (!make_faster_rules_) return;
    std::call_once(asked_for_faster_, [this] {
        maker_ = std::thread([this, budget = memory_of_scope()] {
            const Cancellable cancellable(not_needed_);
            const Limits limits(std::nullopt, budget);
            const LimitScope scope(limits);
            try {
                made_ = make_faster_rules_(*this);
            } catch (const std::bad_alloc&) {
                return;  // the interpreter goes on
            } catch (const LimitReached&) {
                return;
            }
            faster_.store(made_.get(), std::memory_order_release);
        });
    });
}

Runner::Runner(const Machine& machine, Rules rules)
    : machine_(machine),
      network_(machine.network()),
      value_(network_.nodes, 0),
      dirty_((network_.gates() + 63) / 64, 0),
      state_(machine.initial().size(), 0),
      played_(machine.roles(), none),
      loads_(rules == Rules::fastest ? 0 : none) {
    value_[0] = 1;
    // Everything is false; evaluate all gates once.
    for (std::uint32_t gate = network_.first_gate; gate < network_.nodes; ++gate) {
        const std::uint32_t at = gate - network_.first_gate;
        dirty_[at / 64] |= std::uint64_t{1} << (at % 64);
    }
    settle();
}

Runner::Runner(const Runner& other)
    : machine_(other.machine_),
      network_(other.network_),
      value_(other.value_),
      dirty_(other.dirty_),
      first_dirty_(other.first_dirty_),
      state_(other.state_),
      played_(other.played_),
      loads_(other.loads_),
      faster_(other.faster_ != nullptr ? other.faster_->clone() : nullptr) {}

bool Runner::evaluate(std::uint32_t gate) const {
    for (const Signal s : network_.inputs_of(gate)) {
        if ((value_[s.node()] != 0) == s.negated()) return false;
    }
    return true;
}

void Runner::changed(std::uint32_t node) {
    for (std::uint32_t i = machine_.fan_start_[node]; i < machine_.fan_start_[node + 1]; ++i) {
        const std::uint32_t at = machine_.fan_out_[i] - network_.first_gate;
        dirty_[at / 64] |= std::uint64_t{1} << (at % 64);
        first_dirty_ = std::min<std::size_t>(first_dirty_, at / 64);
    }
}

void Runner::set(std::uint32_t node, bool value) {
    if ((value_[node] != 0) == value) return;
    value_[node] = value ? 1 : 0;
    changed(node);
}

void Runner::settle() {
    for (std::size_t w = first_dirty_; w < dirty_.size(); ++w) {
        while (dirty_[w] != 0) {
            const int bit = std::countr_zero(dirty_[w]);
            const auto at = static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(bit));
            const std::uint32_t loop = machine_.loop_of_[at];
            if (loop != none) {
                settle_loop(network_.stretches[loop]);
                w = std::min<std::size_t>(w, (network_.stretches[loop].first - network_.first_gate) / 64);
                continue;
            }
            dirty_[w] &= dirty_[w] - 1;
            set(network_.first_gate + at, evaluate(network_.first_gate + at));
        }
    }
    first_dirty_ = dirty_.size();
}

// The least fixpoint is found anew from nothing: what supported itself may have lost its ground.
void Runner::settle_loop(const Network::Stretch& loop) {
    const std::vector<std::uint8_t> before(value_.begin() + loop.first, value_.begin() + loop.last);
    for (std::uint32_t gate = loop.first; gate < loop.last; ++gate) {
        value_[gate] = gate < loop.rules ? 1 : 0;
        const std::uint32_t at = gate - network_.first_gate;
        dirty_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
    }
    for (bool grown = true; grown;) {
        grown = false;
        for (std::uint32_t gate = loop.rules; gate < loop.last; ++gate) value_[gate] = evaluate(gate) ? 1 : 0;
        for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) {
            if (value_[gate] != 0 && !evaluate(gate)) {
                value_[gate] = 0;
                grown = true;
            }
        }
    }
    for (std::uint32_t gate = loop.first; gate < loop.last; ++gate) {
        if (value_[gate] == before[gate - loop.first]) continue;
        for (std::uint32_t i = machine_.fan_start_[gate]; i < machine_.fan_start_[gate + 1]; ++i) {
            const std::uint32_t user = machine_.fan_out_[i];
            if (user >= loop.first && user < loop.last) continue;
            const std::uint32_t at = user - network_.first_gate;
            dirty_[at / 64] |= std::uint64_t{1} << (at % 64);
        }
    }
}

void Runner::consider_switching() {
    if (loads_ == none) return;
    if (++loads_ == loads_before_compiling) machine_.prepare_faster_rules();
    if (loads_ == none) --loads_;
    if (const FasterRules* faster = machine_.faster_rules()) faster_ = faster->make_runner();
}

void Runner::load(const State& state) {
    if (faster_ == nullptr) consider_switching();
    if (faster_ != nullptr) {
        faster_->load(state);
        return;
    }
    for (std::size_t r = 0; r < played_.size(); ++r) {
        if (played_[r] == none) continue;
        set(network_.moves[r][played_[r]].node, false);
        played_[r] = none;
    }
    for (std::size_t w = 0; w < state.size(); ++w) {
        for (std::uint64_t difference = state[w] ^ state_[w]; difference != 0; difference &= difference - 1) {
            const auto i = w * 64 + static_cast<std::size_t>(std::countr_zero(difference));
            set(static_cast<std::uint32_t>(1 + i), (state[w] >> (i % 64) & 1) != 0);
        }
    }
    state_ = state;
    settle();
}

int Runner::goal(std::size_t role) const {
    if (faster_ != nullptr) return faster_->goal(role);
    for (const auto& goal : network_.goals[role]) {
        if (holds(goal.holds)) return goal.value;
    }
    return -1;
}

void Runner::legal(std::size_t role, std::vector<MoveId>& moves) const {
    if (faster_ != nullptr) {
        faster_->legal(role, moves);
        return;
    }
    moves.clear();
    const auto& all = network_.moves[role];
    for (MoveId m = 0; m < all.size(); ++m) {
        if (holds(all[m].legal)) moves.push_back(m);
    }
}

void Runner::play(const JointMove& moves) {
    if (faster_ != nullptr) {
        faster_->play(moves);
        return;
    }
    for (std::size_t r = 0; r < moves.size(); ++r) {
        if (played_[r] == moves[r]) continue;
        if (played_[r] != none) set(network_.moves[r][played_[r]].node, false);
        set(network_.moves[r][moves[r]].node, true);
    }
    played_ = moves;
    settle();
}

void Runner::next(State& state) const {
    if (faster_ != nullptr) {
        faster_->next(state);
        return;
    }
    state.assign(state_.size(), 0);
    for (std::size_t i = 0; i < network_.next.size(); ++i) {
        if (holds(network_.next[i])) state[i / 64] |= std::uint64_t{1} << (i % 64);
    }
}

void Runner::sees(std::size_t role, std::vector<TermId>& percepts) const {
    if (faster_ != nullptr) {
        faster_->sees(role, percepts);
        return;
    }
    percepts.clear();
    for (const auto& percept : network_.sees[role]) {
        if (holds(percept.seen)) percepts.push_back(percept.term);
    }
}

}  // namespace zermelo::gdl
