// The builder behind build_network(): from ground rules to a circuit.
//
// network.cpp makes inputs, gates and outputs, with structural hashing; factoring.cpp shares what the rules
// of one atom have in common; gate_order.cpp drops gates that no output needs and puts the others in order.

#pragma once

#include <unordered_map>

#include "core/hash.hpp"
#include "core/limits.hpp"
#include "gdl/circuit/network.hpp"

namespace zermelo::gdl {

class NetworkBuilder {
public:
    NetworkBuilder(Grounding grounding, const Symbols& symbols)
        : g_(std::move(grounding)), symbols_(symbols) {}

    Network run();

private:
    static constexpr std::uint32_t unset = ~std::uint32_t{0};
    static constexpr std::size_t work_between_checks = 16'384;
    static constexpr const char* building = "while building the propositional network";

    struct Gate {
        std::vector<Signal> inputs;
        int loop = -1;      // which loop it belongs to
        bool atom = false;  // it is the negation of an atom of the loop
    };

    // Ends work when the limits are reached (core/limits.hpp: LimitScope).
    void check_limits(std::size_t work) {
        work_ += work;
        if (work_ < work_between_checks) return;
        work_ = 0;
        stay_within_limits(building);
    }

    [[nodiscard]] std::span<const std::uint32_t> rules(AtomId a) const {
        return {rule_at_.data() + rules_of_[a], rules_of_[a + 1] - rules_of_[a]};
    }

    template <class Visit>
    void each_body_atom(AtomId a, Visit visit) const {  // visit(atom, negative)
        for (const std::uint32_t at : rules(a)) {
            const std::uint32_t p = g_.rules[at + 1];
            const std::uint32_t n = g_.rules[at + 2];
            for (std::uint32_t i = 0; i < p + n; ++i) visit(g_.rules[at + 3 + i], i >= p);
        }
    }

    template <class Visit>
    void each_output(Visit visit) {
        visit(result_.terminal);
        for (Signal& s : result_.next) visit(s);
        for (auto& role : result_.moves)
            for (auto& move : role) visit(move.legal);
        for (auto& role : result_.goals)
            for (auto& goal : role) visit(goal.holds);
        for (auto& role : result_.sees)
            for (auto& percept : role) visit(percept.seen);
    }

    // network.cpp
    void make_inputs();
    void set_input(AtomId a, std::uint32_t node);
    void group_rules();
    void find_components();
    void build(const std::vector<AtomId>& component);
    Signal disjunction(AtomId a);
    [[nodiscard]] std::vector<Signal> inputs_of_rule(std::uint32_t at);
    Signal conjunction(std::uint32_t at) { return conjunction(inputs_of_rule(at)); }
    Signal conjunction(std::vector<Signal> inputs);
    std::uint32_t add_gate(std::vector<Signal> inputs);
    void collect_outputs();

    // factoring.cpp
    Signal any_term(std::vector<std::vector<Signal>> terms);
    void factor_moves(std::vector<std::vector<Signal>>& terms);
    Signal any_of(std::size_t role, std::vector<Signal> moves);

    // gate_order.cpp
    void order_gates();
    [[nodiscard]] std::vector<bool> needed_gates();
    [[nodiscard]] std::vector<bool> late_gates();
    std::vector<std::uint32_t> number_gates(const std::vector<bool>& needed, const std::vector<bool>& late,
                                            std::vector<std::uint32_t>& order);

    Grounding g_;
    const Symbols& symbols_;
    Network result_;
    std::vector<Signal> value_;  // by atom
    std::vector<bool> known_;
    std::vector<AtomId> fluent_atom_;
    std::vector<AtomId> move_atom_;
    std::vector<std::uint16_t> role_of_move_;
    std::vector<std::uint32_t> rules_of_;
    std::vector<std::uint32_t> rule_at_;
    std::vector<std::vector<AtomId>> components_;
    std::vector<Gate> gates_;
    std::unordered_map<Hash128, std::uint32_t, LowBitsHash> shared_;
    int loop_ = -1;
    std::size_t loops_ = 0;
    std::size_t work_ = 0;
};

}  // namespace zermelo::gdl
