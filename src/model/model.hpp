// Model: a QCSP+ (Benedetti, Lallouet and Vautard 2007) or a strategic CSP (Bessiere and Verger 2006), as
// every reader delivers it and every engine takes it.
//
// A prefix of ∃ and ∀ blocks, each with variables and perhaps a rule, and a winning condition. The meaning,
// block by block: ∃ needs a value that obeys its rule and leads to a win; ∀ wants a win for every value that
// obeys its rule. So an ∃ block without a legal value is lost and a ∀ block without one is won. After the
// last block the winning condition decides: all `constraints` and all literals of `win` hold. With rules that
// are all true this is a plain QCSP.
//
// Variables outside the prefix are auxiliary: functions of the others, or innermost ∃ (see structure.hpp).
//
// A *strategic* model has state variables beside the moves, and no rules, cuts or objective. Its constraints
// and the literals of `win` act one by one: each waits until the last move that it mentions, directly or
// through auxiliary variables, is due. A move is legal when the state variables still have values with which
// everything that acts by then holds; ∀ is the ∀° of Bessiere and Verger and ranges over the legal values,
// and ∃, too, must choose a legal one. A player without a legal value has lost; when all moves are made, ∃
// has won.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/constraint.hpp"

namespace zermelo::model {

// Which values to try first; `impact` looks one move ahead.
enum class Preference : std::uint8_t { none, smallest, greatest, middle, impact };

struct Variable {
    std::string name;
    Domain domain;
    bool boolean = false;
    Place declared = {};  // where a modeller who quantifies declared it: it must be quantified or defined
    Preference preference = Preference::none;
    // Of the values 1, 2, … where these are the members of an enum.
    std::shared_ptr<const std::vector<std::string>> value_names = nullptr;
};

enum class Quantifier { exists, forall };

struct Block {
    Quantifier quantifier;
    std::vector<VarId> variables;
    std::optional<Literal> rule;
    Place place = {};
};

// The cut of Barichard and Stéphan (2017, section 5): as soon as all of `when` hold and `claim` does not, the current subproblem is won.
struct Cut {
    std::vector<Literal> when;
    Literal claim;
    Place place = {};
};

// What the MiniZinc conventions print of a solution: one variable, or an array with its index sets.
struct Output {
    std::string name;
    std::vector<VarId> variables;
    bool array = false;
    std::vector<Domain> index_sets;
};

struct Model {
    std::string name;
    std::vector<Variable> variables;
    std::vector<Block> prefix;
    std::vector<Constraint> constraints;
    std::vector<Literal> win;
    std::vector<Cut> cuts;
    bool strategic = false;
    std::vector<VarId> state;        // the state variables of a strategic model
    std::optional<VarId> objective;  // to be maximised when the question is for the best guaranteed value
    bool minimises = false;          // the objective is the negative of what the modeller minimises
    std::vector<Output> outputs;

    VarId add_variable(std::string name, Domain domain, bool boolean = false);
    VarId constant(Value value);  // the variable that stands for this value
    [[nodiscard]] Literal literal(bool value) { return {constant(1), value}; }

    [[nodiscard]] const Domain& domain(VarId v) const {
        return variables[static_cast<std::size_t>(v)].domain;
    }
    [[nodiscard]] const std::string& name_of(VarId v) const {
        return variables[static_cast<std::size_t>(v)].name;
    }
    // The value as the modeller writes it: the name of a member of an enum, or a number.
    [[nodiscard]] std::string value_text(VarId v, Value value) const;
    [[nodiscard]] bool has_universal_rules() const;

private:
    std::map<Value, VarId> constants_;
};

// Linear terms without repetitions, zero coefficients and fixed variables; what is fixed moves into
// `constant`. Throws Error (at `place`) where a sum could leave 64 bits.
[[nodiscard]] Linear make_linear(const Model& model, std::vector<Term> terms, Relation relation,
                                 Value constant, std::optional<Literal> reified, const Place& place = {});

}  // namespace zermelo::model
