// Micro-SCSP (Koriche, Lagrue, Piette and Tabary 2015, 2016): one turn of a game as a one-stage stochastic
// constraint network.
//
// Its variables are whether the game is over (`terminal`), the state now and the state after the turn, a
// move for each role, the move of chance, the goal of each role, and what each role sees. The fluents of a
// mutex group, of which at most one can hold (mutex_groups.hpp proves it), are one variable: what a cell
// contains. Every other fluent is a variable of its own, with the values no and yes.
//
// Constraints come from the rules: a move is made only if it is legal, a fluent holds next exactly if its
// rules say so, and so on. One constraint is about one value of one variable and about everything in the
// state and the moves that the rules for it read. It is a table of allowed tuples where that is small;
// otherwise it is kept as gates of the game's circuit. Turns are played only while the game is not over, so
// one more constraint says that `terminal` is no. For a given state now and given moves of all roles the
// network has one solution if these moves are legal, and none otherwise.

#pragma once

#include <iosfwd>
#include <unordered_map>

#include "gdl/game.hpp"
#include "scsp/mutex_groups.hpp"

namespace zermelo::scsp {

using VariableId = std::uint32_t;
using Value = std::uint32_t;

enum class Kind : std::uint8_t { terminal, now, next, action, chance, goal, percept };
[[nodiscard]] const char* describe(Kind kind);

struct Variable {
    static constexpr std::uint32_t nothing = ~std::uint32_t{0};

    Kind kind;
    std::uint32_t role = nothing;     // action, chance, goal, percept
    std::string name;                 // (cell 1 1 ?), (does x), terminal
    std::vector<std::string> values;  // by value, to be printed
    // By value, what it stands for: a fluent, a move of the role, a place in Network::goals or sees of the
    // role; nothing for `no` and `none`.
    std::vector<std::uint32_t> meaning;
    std::vector<Value> domain;  // the values that are left, ascending
};

enum class Rule : std::uint8_t { terminal, legal, next, goal, sees, goes_on, other };
[[nodiscard]] const char* describe(Rule rule);

// A value of a variable and the signal of the network that decides it. The signal reads the state now and the
// moves.
struct Link {
    enum class Sense : std::uint8_t {
        exactly,  // the variable has the value exactly if the signal holds
        only_if,  // it has the value only if the signal holds: moves
        first     // as exactly, but a smaller value may be taken instead: goals, of which the first counts
    };
    VariableId variable;
    Value value;
    gdl::Signal signal;
    Sense sense;
};

struct Constraint {
    Rule rule;
    std::vector<VariableId> scope;  // ascending, each once
    bool table;
    std::vector<Value> tuples;  // of a table: the allowed ones, one after the other, ascending, each once
    std::vector<Link> links;    // where it is not a table: all of them have to be respected

    [[nodiscard]] std::size_t count() const { return scope.empty() ? 0 : tuples.size() / scope.size(); }
    [[nodiscard]] std::span<const Value> tuple(std::size_t i) const {
        return {tuples.data() + i * scope.size(), scope.size()};
    }
};

struct MicroScspOptions {
    std::size_t most_tuples = 4096;  // combinations of values that a table is made from; more stay gates
    bool percepts = true;            // variables for what is seen
    Limits limits = {};
};

struct MicroScsp {
    // The network of the constraints that are gates; it has to outlive this.
    const gdl::Network* network = nullptr;
    std::vector<Variable> variables;
    std::vector<Constraint> constraints;
    // The literals that decide the inputs of the network: by node, fluents now and moves.
    struct Literal {
        VariableId variable = Variable::nothing;
        Value value = 0;
    };
    std::vector<Literal> literals;
    bool consistent = true;  // false once a constraint allows nothing, whatever its scope

    [[nodiscard]] std::size_t largest_domain() const;
    [[nodiscard]] std::size_t tables() const;
    // Restricts the variable to this value; to none if it is not in its domain.
    void fix(VariableId variable, Value value);
    // Restricts the variables of the state now to their values in `state`. Throws Error where the state
    // violates a mutex group.
    void load(const gdl::State& state);
};

[[nodiscard]] MicroScsp make_micro_scsp(const gdl::Game& game, const MutexGroups& mutex_groups,
                                        const MicroScspOptions& options = {});

// Which role is chance (`random`), or none.
[[nodiscard]] std::optional<std::uint32_t> chance_role(const gdl::Network& network);

// The cone of a node: the nodes that it depends on, and itself, without the constant, ascending, so that
// inputs come before readers. A loop is in it as a whole or not at all.
[[nodiscard]] std::vector<std::uint32_t> nodes_below(const gdl::Network& network, std::uint32_t node);

// Evaluates constraints of one micro-SCSP, gates or tables, on complete assignments.
class ConstraintEvaluator {
public:
    explicit ConstraintEvaluator(const MicroScsp& micro);
    // `assignment` gives a value to each variable of the network; only those of the scope are read.
    [[nodiscard]] bool allows(const Constraint& constraint, std::span<const Value> assignment);
    // The variables of the state now and of the moves that a signal of the network depends on, ascending.
    [[nodiscard]] std::vector<VariableId> inputs(gdl::Signal signal);

private:
    [[nodiscard]] bool holds(gdl::Signal signal, std::span<const Value> assignment);
    [[nodiscard]] const std::vector<std::uint32_t>& cone(std::uint32_t node);

    const MicroScsp& micro_;
    std::vector<std::uint8_t> value_;        // by node
    std::vector<bool> met_;                  // by node, of the last traversal
    std::vector<std::uint32_t> stretch_of_;  // by gate
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>
        cones_;  // nodes that a gate needs, in order
};

// Variables with their domains, then constraints with their scopes; tables of at most `most_tuples` in full.
void print(std::ostream& out, const MicroScsp& micro, std::size_t most_tuples = 0);

// The constraint graph for Graphviz: a circle for a variable, a box for a constraint, filled where it is a
// table, and an edge for each variable of a scope.
void write_dot(std::ostream& out, const MicroScsp& micro);

}  // namespace zermelo::scsp
