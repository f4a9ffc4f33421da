// FlatZinc reader, its parts: what is known of a program while it becomes a model.
//
// flatzinc.cpp reads declarations and says in which order all happens, prefix.cpp reads blocks, state
// variables, rules and cuts, chance.cpp reads chance and utilities, and names.cpp finds the names that the
// modeller knows.

#pragma once

#include <algorithm>
#include <map>

#include "model/flatzinc/calls.hpp"
#include "model/flatzinc/flatzinc.hpp"

namespace zermelo::model::flatzinc {

class Reader {
public:
    Reader(Program program, bool recorded)
        : program_(std::move(program)),
          recorded_(recorded),
          stands_for_(program_.variables.size()),
          variable_of_(program_.variables.size(), -1),
          quantified_(program_.variables.size(), false),
          calls_(program_, model_, variable_of_) {
        model_.name = program_.file;
    }

    [[nodiscard]] Reading read();

private:
    // A move as the modeller declared it: the variable, or nothing when MiniZinc put a constant in its place.
    struct Move {
        std::optional<std::size_t> declaration;
        std::string name;
        Domain domain;
        bool boolean;
        std::optional<Value> constant = {};  // that stands in its place
        VarId variable = -1;
    };
    struct Level {
        Quantifier quantifier;
        Origin origin;
        std::vector<Move> moves;
        Value player = 1;  // of a model with chance: who chooses here, or 0 for chance
    };
    // What a call says of moves of a level, from the first to before the last.
    struct Stage {
        const Call* call;
        const Level* level;
        std::size_t first, last;
    };
    // A state variable is read like a move, though nobody chooses it.
    struct StateVariable {
        Origin origin;
        Move variable;
    };
    // What MiniZinc found out about a variable and the winning condition has to say instead.
    struct Demand {
        Origin origin;
        const Move* move;                        // or
        std::size_t declaration;                 // when there is no move
        std::variant<Domain, std::size_t> fact;  // it lies in this set, or equals this declaration
    };

    [[nodiscard]] const Declaration& declared(std::size_t i) const { return program_.variables[i]; }
    [[nodiscard]] Place place(const Origin& origin) const { return program_.place(origin); }
    [[nodiscard]] bool has_chance() const {
        return std::any_of(levels_.begin(), levels_.end(),
                           [](const auto& level) { return level.second.player == 0; });
    }
    [[nodiscard]] bool quantifies() const { return !levels_.empty() || model_.strategic; }
    static bool is(const Atom& atom, std::size_t declaration) {
        return atom.kind == Atom::Kind::variable && static_cast<std::size_t>(atom.value) == declaration;
    }
    static bool consistent(const Call& call) {
        return call.name == "zermelo_consistent_block" || call.name == "zermelo_bool_consistent_block";
    }

    // Every move, and every state variable.
    template <class Visit>
    void each_move(Visit visit) {
        for (auto& [number, level] : levels_) {
            for (Move& move : level.moves) visit(move);
        }
        for (auto& [origin, variable] : state_) visit(variable);
    }

    // ---- flatzinc.cpp

    void sort_calls();
    [[nodiscard]] Atom resolve(Atom atom) const;
    void follow_values();
    void merge_with_booleans();
    void make_variables();
    void post(const Demand& demand);
    [[nodiscard]] std::vector<bool> unexplained();
    void make_goal();
    void note_preferences();

    // ---- prefix.cpp

    void find_blocks();
    void read_block(const Call& call);
    void read_stage(const Call& call);
    void read_state(const Call& call);
    template <class Visit>
    void each_chosen(std::size_t list, bool boolean, Visit visit);
    Move move(std::size_t list, const Atom& atom, std::string fallback, const Domain& domain, bool boolean);
    void note_narrowing(const Origin& origin, Move& move);
    bool equates_with_function(const Demand& demand);
    void refuse_narrowing(const Origin& origin, const Move& move) const;
    void make_prefix();
    void make_rules();
    void make_cuts();
    [[nodiscard]] std::optional<Error> find_doubt() const;

    // ---- chance.cpp

    void make_chance();
    void make_chance(const Stage& stage);
    [[nodiscard]] std::vector<VarId> constants(const std::vector<Value>& numbers);
    void say(const Call& call, const std::string& what, std::vector<std::vector<VarId>> arguments);

    // ---- names.cpp

    [[nodiscard]] std::string name(std::size_t i) const;
    [[nodiscard]] std::string shown(std::size_t i) const;
    void name_array_elements();
    void make_outputs();

    Program program_;
    bool recorded_;  // what MiniZinc inferred stands in constraints
    Model model_;
    std::vector<Atom> stands_for_;    // by declaration: itself, the variable that it equals, or a constant
    std::vector<VarId> variable_of_;  // by declaration
    std::vector<bool> quantified_;    // by declaration
    Calls calls_;
    std::vector<const Call*> blocks_, states_, rules_, wins_, cuts_, values_, utilities_, ordinary_;
    std::vector<Stage> stages_;
    std::map<Value, Level> levels_;
    std::vector<StateVariable> state_;
    std::map<Value, std::size_t> block_of_level_;
    std::map<std::size_t, std::string> names_;
    std::vector<Demand> demands_;
    std::vector<std::size_t> functions_;  // declarations whose domain is that of a move which equals them
    std::optional<Demand> narrowed_;      // the first of a narrowed move
};

}  // namespace zermelo::model::flatzinc
