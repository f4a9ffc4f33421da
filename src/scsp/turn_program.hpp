// The circuit of a turn, compiled once a game to be evaluated for many joint moves at once (bit-parallel
// simulation, as in the fault simulation of circuits: Seshu 1965).
//
// In a given state the rules of a turn are functions of the moves. Gates that depend on the state alone are
// evaluated when a state is loaded, incrementally from the one before (gdl/circuit/machine.hpp). Each of the
// other gates has a machine word or several, with a bit for each joint move of a list: one pass over these
// gates yields the next state of up to 256 joint moves. The words of a next fluent are the supports of its
// value in a compact table (Demeulenaere et al. 2016) whose tuples are the joint moves.
//
// Preparation simplifies the gates by what is true of every turn: constants that propagation finds on the
// circuit with its mutex groups and, where wanted, singleton consistency of moves and fluents (Debruyne and
// Bessière 1997). Gates that nothing needs are left out, equal ones are merged. All of it is valid as long as
// the game is not over and the state respects the groups.

#pragma once

#include <memory>

#include "scsp/turn.hpp"

namespace zermelo::scsp {

struct TurnProgramOptions {
    bool outcome = true;                   // whether the game is over after the turn, and with which goals
    bool singleton = true;                 // singleton consistency
    std::uint64_t most_work = 20'000'000;  // assignments that it may take
    Limits limits = {};
};

class TurnProgram {
public:
    // The machine has to outlive this.
    explicit TurnProgram(const gdl::Machine& machine, const MutexGroups& mutex_groups = {},
                         const TurnProgramOptions& options = {});

    // A place of words, perhaps negated.
    class Operand {
    public:
        Operand() = default;
        Operand(std::uint32_t place, bool negated) : code_(place << 1 | (negated ? 1U : 0U)) {}
        [[nodiscard]] std::uint32_t place() const { return code_ >> 1; }
        [[nodiscard]] std::uint64_t mask() const { return std::uint64_t{0} - (code_ & 1); }
        [[nodiscard]] bool negated() const { return (code_ & 1) != 0; }
        friend bool operator==(Operand, Operand) = default;
        friend auto operator<=>(Operand, Operand) = default;

    private:
        std::uint32_t code_ = 0;
    };
    struct Import {  // a signal of the state
        std::uint32_t place;
        gdl::Signal signal;  // of the network
    };
    struct Goal {
        int value;
        Operand holds;
    };
    struct Stretch {  // gates first … last - 1, as in gdl::Network::Stretch
        std::uint32_t first;
        std::uint32_t last;
        bool loop;
        std::uint32_t rules;
    };
    struct Preparation {
        std::size_t gates = 0;             // of the turn that depend on moves
        std::size_t kept = 0;              // of these, after simplification
        std::size_t constants = 0;         // nodes that are the same in every turn
        std::size_t singleton_values = 0;  // moves and fluents that singleton consistency decided
        bool complete = true;              // false where singleton consistency was cut short
    };

    [[nodiscard]] const gdl::Machine& machine() const { return machine_; }
    [[nodiscard]] const gdl::Network& network() const { return machine_.network(); }
    [[nodiscard]] const gdl::Machine& early() const { return *early_; }  // without gates that depend on moves
    [[nodiscard]] std::optional<std::uint32_t> chance() const { return chance_; }
    [[nodiscard]] bool has_outcome() const { return has_outcome_; }
    [[nodiscard]] const MutexGroups& mutex_groups() const { return mutex_groups_; }
    [[nodiscard]] const Preparation& preparation() const { return preparation_; }

    // Places: 0 always holds; imports, moves, gates.
    [[nodiscard]] std::uint32_t places() const { return places_; }
    [[nodiscard]] const std::vector<Import>& imports() const { return imports_; }
    [[nodiscard]] std::uint32_t place_of(std::size_t role, gdl::MoveId move) const {
        return network().moves[role][move].node - network().first_move + first_move_;
    }
    [[nodiscard]] const std::vector<Operand>& next() const { return next_; }  // by fluent
    [[nodiscard]] Operand terminal() const { return terminal_; }
    [[nodiscard]] const std::vector<std::vector<Goal>>& goals() const { return goals_; }  // by role

    // Evaluates all gates; each place has `W` words one after the other. Those of imports and moves are given.
    template <int W>
    void evaluate(std::uint64_t* words) const;

private:
    void simplify(const Turn& turn, const TurnProgramOptions& options);
    [[nodiscard]] std::vector<bool> find_needed(const Turn& turn);
    void place_inputs(const std::vector<bool>& needed);
    std::uint32_t add_gate(const std::vector<Operand>& inputs);
    void add_loop(const Turn& turn, const gdl::Network::Stretch& loop);
    [[nodiscard]] std::vector<Operand> folded_inputs(const Turn& turn, std::uint32_t gate) const;
    void compile(const Turn& turn);
    void read_results(const Turn& turn);
    template <int W>
    void evaluate_gates(std::uint64_t* words, std::uint32_t first, std::uint32_t last) const;
    template <int W>
    void evaluate_loop(std::uint64_t* words, const Stretch& loop) const;
    [[nodiscard]] Operand operand(gdl::Signal s) const {
        const Operand of = image_[s.node()];
        return {of.place(), of.negated() != s.negated()};
    }

    const gdl::Machine& machine_;
    MutexGroups mutex_groups_;
    std::unique_ptr<gdl::Machine> early_;
    std::optional<std::uint32_t> chance_;
    bool has_outcome_;
    Preparation preparation_;
    std::uint32_t places_ = 0;
    std::uint32_t first_move_ = 0;
    std::uint32_t first_gate_ = 0;
    std::vector<Import> imports_;
    std::vector<Stretch> stretches_;
    std::vector<std::uint32_t> start_;  // by gate
    std::vector<Operand> inputs_;
    std::vector<Operand> next_;
    Operand terminal_;
    std::vector<std::vector<Goal>> goals_;
    std::vector<std::uint8_t> known_;  // by node of the turn: 0 and 1 where it is constant, while preparing
    std::vector<Operand> image_;       // by node of the turn, while preparing
};

extern template void TurnProgram::evaluate<1>(std::uint64_t*) const;
extern template void TurnProgram::evaluate<4>(std::uint64_t*) const;

}  // namespace zermelo::scsp
