// zermelo solve, for games in GDL that become quantified models: who gets how much, and strategies that prove
// it.
//
// The value of a game for a role is found by asking for thresholds among its goals, by bisection. It is
// certified by the strategy for the value and the opponent's strategy against the next greater goal.

#pragma once

#include "cli/solve/game_questions.hpp"
#include "cli/solve/solving.hpp"

namespace zermelo::cli {

struct SolveAsModel {
    encode::ModelForm form = encode::ModelForm::quantified;
    std::string role;  // empty: the first
    std::optional<int> threshold;
    std::optional<std::size_t> horizon;
    SearchOptions search;
    std::string strategy_file;
    bool json = false;
    bool verbose = false;
    bool check = true;
    double check_seconds = 10;

    [[nodiscard]] int run(const std::string& file, const Limits& limits) const;
};

}  // namespace zermelo::cli
