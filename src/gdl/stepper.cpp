#include "gdl/stepper.hpp"

#include <bit>
#include <cstring>
#include <limits>

namespace zermelo::gdl {

Stepper::Position Stepper::position_in(std::vector<std::uint64_t>& block) const {
    const auto words = [](std::size_t bytes) { return (bytes + 7) / 8; };
    Position p{};
    std::uint64_t* at = block.data();
    p.keys = reinterpret_cast<Hash128*>(at);
    p.legal = at += 2 * symmetries_;
    p.choices = reinterpret_cast<std::uint32_t*>(at += first_legal_.back());
    p.open = reinterpret_cast<Counter*>(at += words(roles() * sizeof(std::uint32_t)));
    p.value = reinterpret_cast<std::uint8_t*>(at + words(inputs_.size() * sizeof(Counter)));
    return p;
}

// Everything from the fluents.
void Stepper::fill(const Position& p, const std::vector<std::uint8_t>& fluents) const {
    std::fill(p.keys, p.keys + symmetries_, Hash128{});
    std::fill(p.legal, p.legal + first_legal_.back(), 0);
    std::fill(p.choices, p.choices + roles(), 0);
    p.value[0] = 1;
    for (std::size_t f = 0; f < fluents.size(); ++f) {
        p.value[1 + f] = fluents[f];
        if (fluents[f] == 0) continue;
        for (std::size_t g = 0; g < symmetries_; ++g)
            p.keys[g] = p.keys[g] ^ zobrist_[g * fluents.size() + f];
    }
    // Gates that outcomes depend on read only each other, so this order is one from inputs to readers.
    for (std::size_t gate = 0; gate < inputs_.size(); ++gate) {
        p.open[gate] = static_cast<Counter>(
            std::ranges::count_if(inputs_[gate], [&](Signal s) { return !holds(p, s); }));
        p.value[first_gate_ + gate] = p.open[gate] == 0 ? 1 : 0;
    }
    for (std::uint32_t node = 0; node < nodes_; ++node) {
        for (std::uint32_t w = watch_start_[node]; w < watch_start_[node + 1]; ++w) {
            if ((p.value[node] != 0) != watches_[w].negated) set_legal(p, watches_[w], true);
        }
    }
}

void Stepper::enter(std::size_t depth) {
    if (depth == blocks_.size()) blocks_.emplace_back();
    blocks_[depth].resize(block_words_);
    depth_ = depth;
    here_ = position_in(blocks_[depth]);
}

void Stepper::set_legal(const Position& p, const Watch& watch, bool legal) const {
    const std::uint64_t bit = std::uint64_t{1} << (watch.place % 64);
    std::uint64_t& word = p.legal[first_legal_[watch.role] + watch.place / 64];
    if (legal) {
        word |= bit;
        ++p.choices[watch.role];
    } else {
        word &= ~bit;
        --p.choices[watch.role];
    }
}

// Carries the changes of toggles_ through the gates. A gate that is queued twice and has come back to its
// value is passed over. Returns how many goal conjunctions of the mover, not refuted, now lack one input.
template <bool outcome_only>
int Stepper::toggle(const Position& p, std::uint8_t mover) {
    int threats = 0;
    queue_.clear();
    const auto tell = [&](std::uint32_t node) {
        const bool now = p.value[node] != 0;
        if constexpr (!outcome_only) {
            for (std::uint32_t w = watch_start_[node]; w < watch_start_[node + 1]; ++w) {
                set_legal(p, watches_[w], now != watches_[w].negated);
            }
        }
        const std::uint32_t end = outcome_only ? fan_mid_[node] : fan_start_[node + 1];
        for (std::uint32_t i = fan_start_[node]; i < end; ++i) {
            const std::uint32_t gate = fan_out_[i] >> 1;
            Counter& open = p.open[gate];
            if (now != ((fan_out_[i] & 1) != 0)) {
                if (--open == 0) queue_.push_back(gate);
                if constexpr (outcome_only) {
                    if (open == 1 && (conjunction_of_[gate].roles & mover) != 0 &&
                        !holds(here_, conjunction_of_[gate].refuted))
                        ++threats;
                }
            } else {
                if (open++ == 0) queue_.push_back(gate);
            }
        }
    };
    for (const std::uint32_t f : toggles_) {
        p.value[1 + f] ^= 1;
        tell(1 + f);
    }
    for (std::size_t head = 0; head < queue_.size(); ++head) {
        const std::uint32_t gate = queue_[head];
        const std::uint8_t truth = p.open[gate] == 0 ? 1 : 0;
        if (p.value[first_gate_ + gate] == truth) continue;
        p.value[first_gate_ + gate] = truth;
        tell(first_gate_ + gate);
    }
    return threats;
}

void Stepper::load(const State& state) {
    enter(0);
    std::vector<std::uint8_t> fluents(machine_.network().fluents.size());
    for (std::size_t f = 0; f < fluents.size(); ++f) fluents[f] = state[f / 64] >> (f % 64) & 1;
    fill(here_, fluents);
}

State Stepper::state() const {
    State state;
    this->state(state);
    return state;
}

void Stepper::state(State& out) const {
    constexpr std::uint64_t to_the_top = 0x0102040810204080;  // the lowest bits of eight bytes
    out.assign(machine_.initial().size(), 0);
    const std::size_t fluents = machine_.network().fluents.size();
    std::size_t f = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; f + 8 <= fluents; f += 8) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, here_.value + 1 + f, sizeof eight);
            out[f / 64] |= (eight * to_the_top >> 56) << (f % 64);
        }
    }
    for (; f < fluents; ++f) {
        if (here_.value[1 + f] != 0) out[f / 64] |= std::uint64_t{1} << (f % 64);
    }
}

int Stepper::goal(const Position& p, std::size_t role) const {
    for (const auto& goal : goals_[role]) {
        if (holds(p, goal.holds)) return goal.value;
    }
    return -1;
}

std::pair<int, int> Stepper::goal_bounds(std::size_t role) const {
    int low = std::numeric_limits<int>::max();
    int high = -1;
    for (const auto& goal : impossible_[role]) {
        if (holds(here_, goal.holds)) continue;
        low = std::min(low, goal.value);
        high = std::max(high, goal.value);
    }
    return high < 0 ? std::pair(0, 100) : std::pair(low, high);
}

void Stepper::legal(std::size_t role, std::vector<MoveId>& moves) const {
    moves.clear();
    for (std::size_t w = first_legal_[role]; w < first_legal_[role + 1]; ++w) {
        for (std::uint64_t bits = here_.legal[w]; bits != 0; bits &= bits - 1) {
            const std::size_t place =
                (w - first_legal_[role]) * 64 + static_cast<std::size_t>(std::countr_zero(bits));
            moves.push_back(order_[role][place]);
        }
    }
}

std::uint32_t Stepper::program(std::size_t role, MoveId move) {
    for (const Variant& variant : variants_[role][move]) {
        if (std::ranges::all_of(variant.others, [&](const auto& other) {
                return (here_.legal[other.first] & other.second) != 0;
            })) {
            return variant.program;
        }
    }
    joint_.resize(roles());
    for (std::size_t r = 0; r < roles(); ++r) {
        std::size_t w = first_legal_[r];
        while (here_.legal[w] == 0) ++w;
        const std::size_t place =
            (w - first_legal_[r]) * 64 + static_cast<std::size_t>(std::countr_zero(here_.legal[w]));
        joint_[r] = r == role ? move : order_[r][place];
    }
    // The circuit grows, so the blocks of the whole path are made anew.
    const std::uint32_t added = compile(role, joint_);
    std::vector<std::vector<std::uint8_t>> path;
    const std::size_t fluents = machine_.network().fluents.size();
    for (std::size_t d = 0; d <= depth_; ++d) {
        const std::uint8_t* values = position_in(blocks_[d]).value + 1;
        path.emplace_back(values, values + fluents);
    }
    link();
    for (std::size_t d = 0; d < path.size(); ++d) {
        enter(d);
        fill(here_, path[d]);
    }
    return added;
}

void Stepper::find_toggles(std::uint32_t program) {
    toggles_.clear();
    for (std::uint32_t i = change_start_[program]; i < change_start_[program + 1]; ++i) {
        const Effects::Change& change = changes_[i];
        if (holds(here_, change.next) != (here_.value[1 + change.fluent] != 0))
            toggles_.push_back(change.fluent);
    }
}

void Stepper::play(std::size_t role, MoveId move) {
    find_toggles(program(role, move));
    const std::uint64_t* before = blocks_[depth_].data();
    enter(depth_ + 1);
    std::memcpy(blocks_[depth_].data(), before, block_bytes());
    const std::size_t fluents = machine_.network().fluents.size();
    for (std::size_t g = 0; g < symmetries_; ++g) {
        for (const std::uint32_t f : toggles_) here_.keys[g] = here_.keys[g] ^ zobrist_[g * fluents + f];
    }
    toggle<false>(here_, 0);
}

void Stepper::undo() { enter(depth_ - 1); }

Stepper::Peek Stepper::peek(std::size_t role, MoveId move, std::size_t whose_goal) {
    find_toggles(program(role, move));
    Peek peek{};
    const std::size_t fluents = machine_.network().fluents.size();
    for (std::size_t g = 0; g < symmetries_; ++g) {
        Hash128 effect{};
        for (const std::uint32_t f : toggles_) effect = effect ^ zobrist_[g * fluents + f];
        const Hash128 key = here_.keys[g] ^ effect;
        if (g == 0) peek.effect = effect;
        if (g == 0 || key < peek.key) peek.key = key;
    }
    std::memcpy(aside_.open, here_.open, outcome_gates_ * sizeof(Counter));
    std::memcpy(aside_.value, here_.value, first_gate_ + outcome_gates_);
    peek.threats = toggle<true>(aside_, static_cast<std::uint8_t>(role < 8 ? 1U << role : 0U));
    peek.terminal = holds(aside_, terminal_);
    if (!peek.terminal) return peek;
    peek.goal = goal(aside_, whose_goal);
    for (std::size_t r = 0; r < roles(); ++r) peek.goals += goal(aside_, r);
    return peek;
}

}  // namespace zermelo::gdl
