// What the solvers of this room find: an equilibrium, and what each move of a decision is worth in it.

#pragma once

#include <functional>

#include "core/limits.hpp"
#include "equilibrium/equilibrium.hpp"
#include "equilibrium/rules.hpp"

namespace zermelo::equilibrium {

enum class Method : std::uint8_t { backward_induction, sequence_form };
[[nodiscard]] const char* name(Method method);  // backward induction, sequence form

struct MoveWorth {
    std::string move;
    Rational probability;
    // The role's own expected goal if it makes this move and the other role keeps to its strategy; nothing where
    // the other's strategy never leads here.
    std::optional<Rational> value;
};

// A choice of a player at an information set.
struct Decision {
    std::size_t player = 0;
    std::string at;  // the information set, as certificates name it
    Rational reach;  // how likely chance leads here; 1 where a position was asked for
    std::vector<MoveWorth> moves;
};

// What each pair of moves is worth to the first player, where both choose: a matrix game, row by row.
struct PairWorth {
    std::string at;  // the state
    std::array<std::vector<std::string>, 2> moves;
    Rationals values;
};

struct Solution {
    bool solved = false;
    Stop stop = Stop::none;
    Method method = Method::backward_induction;
    Equilibrium equilibrium;          // its strategies are empty where no certificate was asked for
    int sum = 100;                    // of both goals at every end of play
    std::vector<Decision> decisions;  // at the position that was asked for; otherwise the first of the play
    std::vector<PairWorth> pairs;     // of the same positions; none where moves are hidden
    std::uint64_t positions = 0;      // states, or nodes of the tree
    std::uint64_t programs = 0;       // linear programs
    std::uint64_t information_sets = 0;

    // By player: between which bounds the expected goal is.
    [[nodiscard]] std::array<Rational, 2> bounds(std::size_t player) const {
        const Equilibrium& e = equilibrium;
        if (player == 0) return {e.lower, e.upper};
        return {Rational(sum - e.upper), Rational(sum - e.lower)};
    }
};

struct SolveOptions {
    Limits limits = {};
    std::vector<gdl::JointMove> line = {};  // the joint moves that lead to the position
    bool certificate = true;
    std::function<void(const std::string& stage, std::uint64_t positions)> progress = {};
};

// Counts positions and asks the limits.
class Meter {
public:
    Meter(const SolveOptions& options, std::string stage) : options_(options), stage_(std::move(stage)) {}
    // Throws LimitReached.
    void count();
    [[nodiscard]] std::uint64_t positions() const { return positions_; }

private:
    const SolveOptions& options_;
    std::string stage_;
    std::uint64_t positions_ = 0;
};

// The moves whose probability is not 0.
[[nodiscard]] Mixture mixture(const std::vector<std::string>& moves, const Rationals& probabilities);

}  // namespace zermelo::equilibrium
