#include "scsp/filter.hpp"

#include <algorithm>

namespace zermelo::scsp {

using gdl::Network;
using gdl::Signal;

namespace {

// Turns counts, one place further on, into starts.
void sum_up(std::vector<std::uint32_t>& counts) {
    for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
}

}  // namespace

Filter::Filter(const Turn& turn)
    : turn_(turn),
      first_gate_(turn.network.first_gate),
      value_(turn.nodes, open),
      fan_start_(turn.nodes + 1, 0),
      unsettled_(turn.nodes, 0),
      implied_start_(2 * turn.nodes + 1, 0),
      member_start_(turn.nodes + 1, 0),
      near_loop_(turn.nodes, false),
      trail_(turn.nodes, 0),
      pending_(turn.nodes, 0),
      derived_(turn.nodes, 0) {
    const Network& network = turn.network;
    for (const Signal s : turn.inputs) ++fan_start_[s.node() + 1];
    sum_up(fan_start_);
    fan_out_.resize(turn.inputs.size());
    std::vector<std::uint32_t> fill(fan_start_.begin(), fan_start_.end());
    for (std::uint32_t gate = first_gate_; gate < turn.nodes; ++gate) {
        const auto inputs = turn.inputs_of(gate);
        for (const Signal s : inputs) fan_out_[fill[s.node()]++] = gate << 1 | (s.negated() ? 1U : 0U);
        unsettled_[gate] = static_cast<std::uint32_t>(inputs.size());
    }

    // A move is made only if it is legal.
    std::vector<std::pair<Signal, Signal>> implications;
    for (const auto& moves : network.moves) {
        for (const auto& move : moves) {
            const Signal made(move.node, false);
            implications.emplace_back(made, move.legal);
            implications.emplace_back(!move.legal, !made);
        }
    }
    for (const auto& [from, to] : implications) ++implied_start_[from.code() + 1];
    sum_up(implied_start_);
    implied_.resize(implications.size());
    fill.assign(implied_start_.begin(), implied_start_.end());
    for (const auto& [from, to] : implications) implied_[fill[from.code()]++] = to;

    moves_of_ = turn.groups.size() - network.moves.size();
    for (const auto& group : turn.groups) {
        left_.push_back(static_cast<std::uint32_t>(group.members.size()));
        for (const Signal s : group.members) ++member_start_[s.node() + 1];
    }
    sum_up(member_start_);
    member_of_.resize(member_start_.back());
    fill.assign(member_start_.begin(), member_start_.end());
    for (std::uint32_t g = 0; g < turn.groups.size(); ++g) {
        for (const Signal s : turn.groups[g].members) member_of_[fill[s.node()]++] = {g, s.negated()};
    }

    for (const auto& loop : turn.loops) {
        for (std::uint32_t gate = loop.first; gate < loop.last; ++gate) {
            near_loop_[gate] = true;
            for (const Signal s : turn.inputs_of(gate)) near_loop_[s.node()] = true;
        }
    }
    fresh_.reserve(turn.nodes);
    marks_.reserve(turn.nodes);

    set(Network::always);
    set(!network.terminal);
    for (std::uint32_t gate = first_gate_; gate < turn.nodes; ++gate) {
        if (unsettled_[gate] == 0) set(Signal(gate, false));
    }
    for (std::uint32_t g = 0; g < turn.groups.size(); ++g) {
        if (turn.groups[g].exact && left_[g] <= 1) force_member(g);
    }
    stale_ = true;
    broken_ = !propagate();
}

void Filter::set(Signal s) {
    std::uint8_t& value = value_[s.node()];
    const std::uint8_t wanted = s.negated() ? 0 : 1;
    if (value == open) {
        value = wanted;
        trail_[size_++] = s.node();
    } else if (value != wanted && value != left_out) {
        conflict_ = true;
    }
}

// The gate does not hold and all inputs but one do: the last one does not.
void Filter::force_last(std::uint32_t gate) {
    for (const Signal s : turn_.inputs_of(gate)) {
        if (value_[s.node()] == open) {
            set(!s);
            return;
        }
        if ((value_[s.node()] != 0) == s.negated()) return;
    }
}

void Filter::force_member(std::uint32_t group) {
    if (left_[group] == 0) {
        conflict_ = true;
        return;
    }
    for (const Signal s : turn_.groups[group].members) {
        if (value_[s.node()] == open) set(s);
    }
}

// Counts are brought up to date for every gate and group even after a contradiction, so that undo() can take
// them back.
void Filter::process(std::uint32_t node) {
    ++assignments_;
    const bool holds = value_[node] != 0;
    for (std::uint32_t i = fan_start_[node]; i < fan_start_[node + 1]; ++i) {
        const std::uint32_t gate = fan_out_[i] >> 1;
        if (holds == ((fan_out_[i] & 1) != 0)) {
            set(Signal(gate, true));
            continue;
        }
        const std::uint32_t left = --unsettled_[gate];
        if (left == 0) {
            set(Signal(gate, false));
        } else if (left == 1 && value_[gate] == 0) {
            force_last(gate);
        }
    }
    if (node >= first_gate_) {
        if (holds) {
            for (const Signal s : turn_.inputs_of(node)) set(s);
        } else if (unsettled_[node] == 1) {
            force_last(node);
        }
    }
    const std::uint32_t literal = Signal(node, !holds).code();
    for (std::uint32_t i = implied_start_[literal]; i < implied_start_[literal + 1]; ++i) set(implied_[i]);
    for (std::uint32_t i = member_start_[node]; i < member_start_[node + 1]; ++i) {
        const auto [group, negated] = member_of_[i];
        const Turn::Group& all = turn_.groups[group];
        if (holds != negated) {
            bool itself = true;  // a signal that stands in the group twice excludes itself
            for (const Signal s : all.members) {
                if (s == Signal(node, negated) && itself) {
                    itself = false;
                } else {
                    set(!s);
                }
            }
        } else if (--left_[group] <= 1 && all.exact) {
            force_member(group);
        }
    }
    stale_ = stale_ || near_loop_[node];
}

bool Filter::propagate() {
    while (!conflict_) {
        while (head_ < size_ && !conflict_) process(trail_[head_++]);
        if (conflict_ || !stale_) break;
        stale_ = false;
        for (const auto& loop : turn_.loops) {
            if (!conflict_) refute_unfounded(loop);
        }
        if (head_ == size_) break;
    }
    return !conflict_;
}

// Which atoms of the loop can be derived if everything that is open outside of it comes true? The others are
// false, whatever the equations of their gates say. An atom is the negation of its gate.
void Filter::refute_unfounded(const Network::Stretch& loop) {
    const auto inside = [&](Signal s) { return s.node() >= loop.first && s.node() < loop.last; };
    fresh_.clear();
    for (std::uint32_t gate = loop.first; gate < loop.last; ++gate) derived_[gate] = 0;
    for (std::uint32_t gate = loop.rules; gate < loop.last; ++gate) {
        pending_[gate] = 0;
        for (const Signal s : turn_.inputs_of(gate)) pending_[gate] += inside(s) ? 1U : 0U;
        if (pending_[gate] == 0) derive(gate, loop);
    }
    for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) {
        for (const Signal s : turn_.inputs_of(gate)) {
            if (!inside(s) && (value_[s.node()] >= open || (value_[s.node()] != 0) == s.negated()))
                derive(gate, loop);
        }
    }
    while (!fresh_.empty()) {
        const std::uint32_t node = fresh_.back();
        fresh_.pop_back();
        for (std::uint32_t i = fan_start_[node]; i < fan_start_[node + 1]; ++i) {
            const std::uint32_t user = fan_out_[i] >> 1;
            if (user < loop.first || user >= loop.last) continue;
            if (user < loop.rules || --pending_[user] == 0) derive(user, loop);
        }
    }
    for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) {
        if (derived_[gate] == 0) set(Signal(gate, false));
    }
}

// The atom of the gate, or the body of a rule, may hold, unless it is known not to.
void Filter::derive(std::uint32_t gate, const Network::Stretch& loop) {
    const std::uint8_t refuted = gate < loop.rules ? 1 : 0;
    if (derived_[gate] != 0 || value_[gate] == refuted) return;
    derived_[gate] = 1;
    fresh_.push_back(gate);
}

bool Filter::load(const gdl::State& state) {
    undo(0);
    push();
    if (broken_) return false;
    for (std::uint32_t f = 0; f < turn_.network.fluents.size(); ++f)
        set(Signal(1 + f, (state[f / 64] >> (f % 64) & 1) == 0));
    return propagate();
}

bool Filter::assume(Signal signal) {
    push();
    return post(signal);
}

bool Filter::post(Signal signal) {
    if (conflict_) return false;
    set(signal);
    return propagate();
}

bool Filter::post(const std::vector<Signal>& signals) {
    if (conflict_) return false;
    for (const Signal signal : signals) set(signal);
    return propagate();
}

void Filter::undo(std::size_t level) {
    if (level >= marks_.size()) return;
    const std::uint32_t mark = marks_[level];
    marks_.resize(level);
    while (size_ > mark) {
        const std::uint32_t node = trail_[--size_];
        if (size_ < head_) {
            const std::uint32_t held = value_[node] != 0 ? 0 : 1;  // the sign under which it held
            for (std::uint32_t i = fan_start_[node]; i < fan_start_[node + 1]; ++i) {
                if ((fan_out_[i] & 1) == held) ++unsettled_[fan_out_[i] >> 1];
            }
            for (std::uint32_t i = member_start_[node]; i < member_start_[node + 1]; ++i) {
                if (member_of_[i].negated != (held != 0)) ++left_[member_of_[i].group];
            }
        }
        value_[node] = open;
    }
    head_ = std::min(head_, size_);
    conflict_ = broken_;
    stale_ = false;
}

Signal Filter::resolve(Signal s) const {
    while (s.node() >= first_gate_ && value_[s.node()] == open && unsettled_[s.node()] == 1) {
        const auto inputs = turn_.inputs_of(s.node());
        const auto last =
            std::ranges::find_if(inputs, [&](Signal input) { return value_[input.node()] == open; });
        if (last == inputs.end() || last->node() >= s.node()) return s;  // not round and round in a loop
        s = s.negated() ? !*last : *last;
    }
    return s;
}

void Filter::possible(std::size_t role, std::vector<gdl::MoveId>& moves) const {
    moves.clear();
    const auto& all = turn_.network.moves[role];
    for (gdl::MoveId m = 0; m < all.size(); ++m) {
        if (value_[all[m].node] != 0) moves.push_back(m);
    }
}

bool Filter::probe() {
    const auto& roles = turn_.network.moves;
    for (bool changed = true; changed && !conflict_;) {
        changed = false;
        for (std::size_t r = 0; r < roles.size() && !conflict_; ++r) {
            for (gdl::MoveId m = 0; m < roles[r].size() && !conflict_; ++m) {
                const Signal made(roles[r][m].node, false);
                if (value_[made.node()] != open) continue;
                const bool fits = assume(made);
                undo(level() - 1);
                if (fits) continue;
                changed = true;
                post(!made);
            }
        }
    }
    return !conflict_;
}

void Filter::next(gdl::State& state) const {
    state.assign((turn_.network.fluents.size() + 63) / 64, 0);
    for (std::size_t f = 0; f < turn_.network.next.size(); ++f) {
        const Signal s = turn_.network.next[f];
        if ((value_[s.node()] == 1) != s.negated()) state[f / 64] |= std::uint64_t{1} << (f % 64);
    }
}

}  // namespace zermelo::scsp
