// Fibonacci Nim in C++, after section 3.1 of Barichard and Stéphan (2017): ours are x1, x2, …, theirs y1, y2, …

#pragma once

#include "model/builder.hpp"

namespace zermelo {

struct NimTurn {
    model::IntExpr move;
    model::BoolExpr rule;
};

// The prefix, and what each move must obey.
inline std::vector<NimTurn> nim_turns(model::ModelBuilder& game, int n, int turns) {
    std::vector<NimTurn> all;
    model::IntExpr taken = 0;
    for (int t = 1; t <= turns; ++t) {
        const std::string number = std::to_string((t + 1) / 2);
        const model::IntExpr move =
            t % 2 == 1 ? game.exists("x" + number, 1, n - 1) : game.forall("y" + number, 1, n - 1);
        taken += move;
        all.push_back({move, t == 1 ? model::BoolExpr(true) : move <= 2 * all.back().move && taken <= n});
    }
    return all;
}

// With rules (QCSP+): whoever cannot move has lost, so the end of the prefix is never reached.
inline model::ModelBuilder nim_with_rules(int n) {
    model::ModelBuilder game("nim-fibonacci");
    model::IntExpr taken = 0;
    model::IntExpr last = 0;
    for (int t = 1; t <= n; ++t) {
        const std::string number = std::to_string((t + 1) / 2);
        const model::IntExpr move =
            t % 2 == 1 ? game.exists("x" + number, 1, n - 1) : game.forall("y" + number, 1, n - 1);
        taken += move;
        if (t > 1) game.rule(move <= 2 * last && taken <= n);
        last = move;
    }
    game.win(false);
    return game;
}

// As one formula without rules, for an even n: R∃ ∧ (R∀ → (R∃ ∧ (R∀ → … ⊥))), perhaps with the cuts of
// theorem 1.
inline model::ModelBuilder nim_as_formula(int n, bool cuts) {
    model::ModelBuilder game("nim-formula");
    const auto turns = nim_turns(game, n, n);
    model::BoolExpr formula = false;
    for (int t = n - 1; t >= 0; --t) {
        formula = t % 2 == 0 ? turns[t].rule && formula : implies(turns[t].rule, formula);
    }
    game.require(formula);
    model::BoolExprs ours_so_far;
    for (int t = 0; t < n && cuts; ++t) {
        if (t % 2 == 0) {
            ours_so_far.push_back(turns[t].rule);
        } else {
            game.cut(ours_so_far, implies(turns[t - 1].rule, turns[t].rule));
            ours_so_far.push_back(turns[t].rule);
        }
    }
    return game;
}

inline bool is_fibonacci(int n) {
    int a = 1;
    int b = 2;
    while (a < n) {
        const int next = a + b;
        a = b;
        b = next;
    }
    return a == n;
}

}  // namespace zermelo
