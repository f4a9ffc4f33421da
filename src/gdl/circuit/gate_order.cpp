// The order of the gates: those that no output needs go, and every gate comes after its inputs.
//
// Gates that depend only on the state come first, so that legality and goals can be read before moves are
// known; all gates of a loop are on the same side.

#include "gdl/circuit/network_builder.hpp"

namespace zermelo::gdl {

std::vector<bool> NetworkBuilder::needed_gates() {
    const std::uint32_t base = result_.first_gate;
    std::vector<bool> needed(gates_.size(), false);
    std::vector<std::uint32_t> todo;
    const auto need = [&](Signal s) {
        if (s.node() >= base && !needed[s.node() - base]) {
            needed[s.node() - base] = true;
            todo.push_back(s.node() - base);
        }
    };
    each_output(need);
    while (!todo.empty()) {
        const std::uint32_t gate = todo.back();
        todo.pop_back();
        check_limits(1 + gates_[gate].inputs.size());
        for (const Signal s : gates_[gate].inputs) need(s);
    }
    return needed;
}

// A gate is late when an input is a move or late; all gates of a loop are late together.
std::vector<bool> NetworkBuilder::late_gates() {
    const std::uint32_t base = result_.first_gate;
    std::vector<bool> late(gates_.size(), false);
    std::vector<bool> late_loop(loops_, false);
    for (bool changed = true; changed;) {
        changed = false;
        check_limits(gates_.size());
        for (std::size_t i = 0; i < gates_.size(); ++i) {
            if (late[i]) continue;
            bool is = gates_[i].loop >= 0 && late_loop[gates_[i].loop];
            for (const Signal s : gates_[i].inputs) {
                is = is || (s.node() >= result_.first_move && (s.node() < base || late[s.node() - base]));
            }
            if (!is) continue;
            late[i] = true;
            if (gates_[i].loop >= 0 && !late_loop[gates_[i].loop]) {
                late_loop[gates_[i].loop] = true;
                changed = true;
            }
        }
    }
    return late;
}

// The new node of each gate; `order` lists the gates by it. Gates of one kind form a stretch.
std::vector<std::uint32_t> NetworkBuilder::number_gates(const std::vector<bool>& needed,
                                                        const std::vector<bool>& late,
                                                        std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> number(gates_.size(), unset);
    std::uint32_t next = result_.first_gate;
    for (const bool phase : {false, true}) {
        if (phase) {
            result_.first_late = next;
            result_.early_stretches = result_.stretches.size();
        }
        bool fresh = true;  // a stretch may not go on across the phases
        for (std::uint32_t i = 0; i < gates_.size(); ++i) {
            if (!needed[i] || late[i] != phase) continue;
            const bool loop = gates_[i].loop >= 0;
            const bool same = !fresh && !result_.stretches.empty() && result_.stretches.back().loop == loop &&
                              (!loop || gates_[order.back()].loop == gates_[i].loop);
            if (same) {
                ++result_.stretches.back().last;
            } else {
                result_.stretches.push_back({next, next + 1, loop, next});
            }
            if (gates_[i].atom) result_.stretches.back().rules = next + 1;
            fresh = false;
            order.push_back(i);
            number[i] = next++;
        }
    }
    result_.nodes = next;
    return number;
}

void NetworkBuilder::order_gates() {
    const std::uint32_t base = result_.first_gate;
    std::vector<std::uint32_t> order;
    const std::vector<std::uint32_t> number = number_gates(needed_gates(), late_gates(), order);
    const auto renumber = [&](Signal s) {
        return s.node() < base ? s : Signal(number[s.node() - base], s.negated());
    };
    for (const std::uint32_t i : order) {
        check_limits(1 + gates_[i].inputs.size());
        ask_to_grow(result_.inputs, building, gates_[i].inputs.size());
        result_.start.push_back(static_cast<std::uint32_t>(result_.inputs.size()));
        for (const Signal s : gates_[i].inputs) result_.inputs.push_back(renumber(s));
    }
    result_.start.push_back(static_cast<std::uint32_t>(result_.inputs.size()));
    each_output([&](Signal& s) { s = renumber(s); });
}

}  // namespace zermelo::gdl
