// Small games and strategies for the tests of this room.

#pragma once

#include "model/builder.hpp"
#include "strategy/strategy.hpp"

namespace zermelo {

inline model::VarId variable(const model::Model& model, const std::string& name) {
    for (std::size_t v = 0; v < model.variables.size(); ++v) {
        if (model.variables[v].name == name) return static_cast<model::VarId>(v);
    }
    throw std::out_of_range("no variable " + name);
}

// Barichard and Stéphan (2017, section 3.1, formula 1): Fibonacci Nim with four matches.
inline model::Model fibonacci_nim_4() {
    model::ModelBuilder game("nim-4");
    const auto x1 = game.exists("x1", 1, 3);
    const auto y1 = game.forall("y1", 1, 3);
    game.rule(y1 <= 2 * x1);
    game.rule(x1 + y1 <= 4);
    const auto x2 = game.exists("x2", 1, 3);
    game.rule(x2 <= 2 * y1);
    game.rule(x1 + y1 + x2 <= 4);
    const auto y2 = game.forall("y2", 1, 3);
    game.rule(y2 <= 2 * x2);
    game.rule(x1 + y1 + x2 + y2 <= 4);
    game.win(false);
    return game.build();
}

// x1 = 1; against 1 take 2, against 2 take 1; 3 is illegal.
inline strategy::Strategy compact_nim_strategy(const model::Model& nim) {
    strategy::StrategyBuilder builder;
    const strategy::NodeId after_1 = builder.node(variable(nim, "x2"), 2, strategy::decided);
    const strategy::NodeId after_2 = builder.node(variable(nim, "x2"), 1, strategy::decided);
    const strategy::NodeId y1 = builder.node(variable(nim, "y1"), {{{1}, after_1}, {{2}, after_2}});
    return builder.extract(builder.node(variable(nim, "x1"), 1, y1), model::Quantifier::exists);
}

// Barichard and Stéphan (2017, section 2.1): ∃x ∃y ∀z ∃t (x = y·z + t ∧ t ≤ x), all in {0, 1, 2}.
inline model::Model section_two() {
    model::ModelBuilder game("section-2");
    const auto x = game.exists("x", 0, 2);
    const auto y = game.exists("y", 0, 2);
    const auto z = game.forall("z", 0, 2);
    const auto t = game.exists("t", 0, 2);
    game.require(x == y * z + t);
    game.require(t <= x);
    return game.build();
}

inline strategy::Strategy section_two_strategy(const model::Model& model) {  // figure 1
    strategy::StrategyBuilder builder;
    const strategy::NodeId t = builder.node(variable(model, "t"), 0, strategy::decided);
    const strategy::NodeId z = builder.node(variable(model, "z"), {{{0, 1, 2}, t}});
    const strategy::NodeId y = builder.node(variable(model, "y"), 0, z);
    return builder.extract(builder.node(variable(model, "x"), 0, y), model::Quantifier::exists);
}

// Bessiere and Verger (2006, section 5.2): Connect-Four on a square grid, as printed. The state says of each
// cell at which turn it gets its disc; the last move says what the outcome is, and must say that the first
// player has a line.
inline model::Model rank_connect_four(int size, int aligned) {
    model::ModelBuilder game("rank-connect-four");
    const int cells = size * size;
    const model::IntExprs rank = game.state("rank", cells, 1, cells);
    const auto at = [&](int row, int column) { return rank[static_cast<std::size_t>(row * size + column)]; };
    for (int turn = 1; turn <= cells; ++turn) {
        const std::string name = "drop" + std::to_string(turn);
        const model::IntExpr drop =
            turn % 2 == 1 ? game.exists(name, 1, cells) : game.forall_consistent(name, 1, cells);
        for (int c = 1; c <= cells; ++c)
            game.require(iff(drop == c, rank[static_cast<std::size_t>(c - 1)] == turn));
    }
    for (int row = 0; row + 1 < size; ++row) {
        for (int column = 0; column < size; ++column) game.require(at(row + 1, column) > at(row, column));
    }
    model::BoolExprs odd_lines;
    model::BoolExprs even_lines;
    for (const auto& [up, right] : std::vector<std::pair<int, int>>{{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
        const auto inside = [&](int i) { return 0 <= i && i < size; };
        for (int start = 0; start < cells; ++start) {
            const int row = start / size;
            const int column = start % size;
            if (!inside(row + up * (aligned - 1)) || !inside(column + right * (aligned - 1))) continue;
            model::BoolExprs odd;
            model::BoolExprs even;
            for (int i = 0; i < aligned; ++i) {
                odd.push_back(at(row + up * i, column + right * i) % 2 == 1);
                even.push_back(at(row + up * i, column + right * i) % 2 == 0);
            }
            odd_lines.push_back(model::all_of(odd));
            even_lines.push_back(model::all_of(even));
        }
    }
    game.require(!(model::any_of(odd_lines) && model::any_of(even_lines)));
    const model::IntExpr outcome = game.exists("outcome", 0, 1);
    game.require(outcome == 1);
    game.require(iff(outcome == 1, model::any_of(odd_lines)));
    return game.build();
}

}  // namespace zermelo
