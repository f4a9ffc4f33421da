#include "equilibrium/linear/matrix_game.hpp"

#include <algorithm>
#include <cmath>

namespace zermelo::equilibrium {

namespace {

Rational least_of_row(const MatrixGame& game, std::size_t row) {
    const auto first = game.payoffs.begin() + static_cast<std::ptrdiff_t>(row * game.columns);
    return *std::min_element(first, first + static_cast<std::ptrdiff_t>(game.columns));
}

Rational most_of_column(const MatrixGame& game, std::size_t column) {
    Rational most = game.at(0, column);
    for (std::size_t r = 1; r < game.rows; ++r) most = std::max(most, game.at(r, column));
    return most;
}

std::optional<MatrixSolution> saddle_point(const MatrixGame& game) {
    std::size_t row = 0;
    Rational lower = least_of_row(game, 0);
    for (std::size_t r = 1; r < game.rows; ++r) {
        Rational least = least_of_row(game, r);
        if (least <= lower) continue;
        lower = std::move(least);
        row = r;
    }
    for (std::size_t c = 0; c < game.columns; ++c) {
        if (most_of_column(game, c) != lower) continue;
        MatrixSolution solution{lower, Rationals(game.rows), Rationals(game.columns)};
        solution.row[row] = 1;
        solution.column[c] = 1;
        return solution;
    }
    return std::nullopt;
}

// Greatest v with v ≤ Σ x_r a_rc for every column c, and Σ x_r = 1. The dual of column c is the other player's
// probability.
LinearProgram program_of(const MatrixGame& game) {
    LinearProgram program;
    program.columns.resize(game.rows + 1);
    program.columns.back() = {1, true};
    program.rows.resize(game.columns + 1);
    program.rows.back() = {1, true};
    for (std::size_t c = 0; c < game.columns; ++c) {
        for (std::size_t r = 0; r < game.rows; ++r) {
            if (game.at(r, c) != 0) program.entries.push_back({c, r, -game.at(r, c)});
        }
        program.entries.push_back({c, game.rows, 1});
    }
    for (std::size_t r = 0; r < game.rows; ++r) program.entries.push_back({game.columns, r, 1});
    return program;
}

bool distribution(const Rationals& weights) {
    Rational sum = 0;
    for (const Rational& weight : weights) {
        if (weight < 0) return false;
        sum += weight;
    }
    return sum == 1;
}

Rational guaranteed_by_row(const MatrixGame& game, const Rationals& row) {
    std::optional<Rational> least;
    for (std::size_t c = 0; c < game.columns; ++c) {
        Rational mean = 0;
        for (std::size_t r = 0; r < game.rows; ++r) {
            if (row[r] != 0) mean += row[r] * game.at(r, c);
        }
        if (!least || mean < *least) least = mean;
    }
    return *least;
}

Rational guaranteed_by_column(const MatrixGame& game, const Rationals& column) {
    std::optional<Rational> most;
    for (std::size_t r = 0; r < game.rows; ++r) {
        Rational mean = 0;
        for (std::size_t c = 0; c < game.columns; ++c) {
            if (column[c] != 0) mean += column[c] * game.at(r, c);
        }
        if (!most || mean > *most) most = mean;
    }
    return *most;
}

}  // namespace

Rationals rounded(const std::vector<double>& weights) {
    double sum = 0;
    for (const double weight : weights) sum += std::max(0.0, weight);
    const Integer one = Integer(1) << grid_bits;
    std::vector<Integer> parts;
    Integer given = 0;
    for (const double weight : weights) {
        const double share =
            sum > 0 ? std::max(0.0, weight) / sum : 1.0 / static_cast<double>(weights.size());
        parts.emplace_back(std::llround(std::ldexp(share, grid_bits)));
        given += parts.back();
    }
    *std::max_element(parts.begin(), parts.end()) += one - given;
    Rationals result;
    for (const Integer& part : parts) result.emplace_back(part, one);
    return result;
}

MatrixSolution solve(const MatrixGame& game, const Limits& limits, std::size_t most_bits) {
    if (auto saddle = saddle_point(game)) return *std::move(saddle);
    const LinearProgram program = program_of(game);
    const LinearOptimum optimum = maximise(program, limits);
    MatrixSolution solution;
    solution.program = true;
    if (auto found = exact(program, optimum, limits, most_bits)) {
        solution.value = found->primal.back();
        solution.row = {found->primal.begin(), found->primal.end() - 1};
        solution.column = {found->dual.begin(), found->dual.end() - 1};
        if (distribution(solution.row) && distribution(solution.column) &&
            guaranteed_by_row(game, solution.row) == guaranteed_by_column(game, solution.column))
            return solution;
    }
    solution.exact = false;
    solution.row = rounded({optimum.primal.begin(), optimum.primal.end() - 1});
    std::vector<double> column(optimum.dual.begin(), optimum.dual.end() - 1);
    for (double& weight : column) weight = std::abs(weight);  // whatever sign the library gives a dual
    solution.column = rounded(column);
    solution.value = guaranteed_by_row(game, solution.row);
    return solution;
}

}  // namespace zermelo::equilibrium
