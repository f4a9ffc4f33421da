// Stepping: the concept of a forward model that plays a game move by move, whatever evaluates the rules. The
// machine and the reasoner both model it, so that perft and random playouts are written once.

#pragma once

#include <concepts>

#include "gdl/circuit/machine.hpp"
#include "gdl/reasoner/reasoner.hpp"

namespace zermelo::gdl {

template <class T>
concept Stepping = requires(T steps, const typename T::State& state, typename T::State& out, std::size_t role,
                            const std::vector<std::size_t>& choice) {
    { steps.roles() } -> std::convertible_to<std::size_t>;
    { steps.initial() } -> std::convertible_to<typename T::State>;
    steps.load(state);  // the questions below are about this state
    { steps.terminal() } -> std::same_as<bool>;
    { steps.goal(role) } -> std::same_as<int>;                    // -1 where none is stated
    { steps.choices(role) } -> std::convertible_to<std::size_t>;  // legal moves; must be asked before next
    steps.next(choice, out);                                      // by role, which of its legal moves
    { steps.key(state) } -> std::same_as<Hash128>;
};

class MachineStepping {
public:
    using State = gdl::State;

    explicit MachineStepping(const Machine& machine)
        : machine_(machine), runner_(machine), legal_(machine.roles()) {
        joint_.resize(machine.roles());
    }
    [[nodiscard]] std::size_t roles() const { return machine_.roles(); }
    [[nodiscard]] const State& initial() const { return machine_.initial(); }
    void load(const State& state) { runner_.load(state); }
    [[nodiscard]] bool terminal() const { return runner_.terminal(); }
    [[nodiscard]] int goal(std::size_t role) const { return runner_.goal(role); }
    std::size_t choices(std::size_t role) {
        runner_.legal(role, legal_[role]);
        return legal_[role].size();
    }
    void next(const std::vector<std::size_t>& choice, State& out) {
        for (std::size_t r = 0; r < choice.size(); ++r) joint_[r] = legal_[r][choice[r]];
        runner_.play(joint_);
        runner_.next(out);
    }
    [[nodiscard]] Hash128 key(const State& state) const { return hash(state); }

private:
    const Machine& machine_;
    Runner runner_;
    std::vector<std::vector<MoveId>> legal_;
    JointMove joint_;
};

class ReasonerStepping {
public:
    using State = Reasoner::State;

    explicit ReasonerStepping(Reasoner& reasoner) : reasoner_(reasoner), legal_(reasoner.roles().size()) {}
    [[nodiscard]] std::size_t roles() const { return legal_.size(); }
    [[nodiscard]] State initial() { return reasoner_.initial(); }
    void load(const State& state) { state_ = state; }
    [[nodiscard]] bool terminal() { return reasoner_.terminal(state_); }
    [[nodiscard]] int goal(std::size_t role) { return reasoner_.goal(state_, role).value_or(-1); }
    std::size_t choices(std::size_t role) {
        legal_[role] = reasoner_.legal(state_, role);
        return legal_[role].size();
    }
    void next(const std::vector<std::size_t>& choice, State& out) {
        Reasoner::Joint joint;
        for (std::size_t r = 0; r < choice.size(); ++r) joint.push_back(legal_[r][choice[r]]);
        out = reasoner_.next(state_, joint);
    }
    [[nodiscard]] Hash128 key(const State& state) const {
        Hasher hasher;
        for (const auto fluent : state) hasher.add(fluent);
        return hasher.value();
    }

private:
    Reasoner& reasoner_;
    State state_;
    std::vector<std::vector<Reasoner::Ground>> legal_;
};

static_assert(Stepping<MachineStepping> && Stepping<ReasonerStepping>);

}  // namespace zermelo::gdl
