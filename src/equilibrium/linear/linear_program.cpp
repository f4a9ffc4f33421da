#include "equilibrium/linear/linear_program.hpp"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>

#include <limits>

namespace zermelo::equilibrium {

namespace {

constexpr double infinity = std::numeric_limits<double>::max();
constexpr double tolerance = 1e-9;  // Clp's own is 1e-7: too coarse where probabilities are rounded

// Ends the simplex method when a limit is reached.
class Interruption : public ClpEventHandler {
public:
    explicit Interruption(const Limits& limits) : limits_(limits) {}
    int event(Event) override { return limits_.reached() == Stop::none ? -1 : 0; }
    [[nodiscard]] ClpEventHandler* clone() const override { return new Interruption(limits_); }

private:
    const Limits& limits_;
};

void load(ClpSimplex& simplex, const LinearProgram& program) {
    std::vector<int> rows;
    std::vector<int> columns;
    std::vector<double> values;
    for (const auto& [row, column, value] : program.entries) {
        rows.push_back(static_cast<int>(row));
        columns.push_back(static_cast<int>(column));
        values.push_back(to_double(value));
    }
    CoinPackedMatrix matrix(true, rows.data(), columns.data(), values.data(),
                            static_cast<int>(values.size()));
    matrix.setDimensions(static_cast<int>(program.rows.size()), static_cast<int>(program.columns.size()));
    std::vector<double> least;
    std::vector<double> cost;
    for (const auto& column : program.columns) {
        least.push_back(column.free ? -infinity : 0);
        cost.push_back(to_double(column.cost));
    }
    std::vector<double> lower;
    std::vector<double> upper;
    for (const auto& row : program.rows) {
        upper.push_back(to_double(row.right));
        lower.push_back(row.equality ? upper.back() : -infinity);
    }
    const std::vector<double> most(program.columns.size(), infinity);
    simplex.loadProblem(matrix, least.data(), most.data(), cost.data(), lower.data(), upper.data());
}

}  // namespace

LinearOptimum maximise(const LinearProgram& program, const Limits& limits) {
    ClpSimplex simplex;
    simplex.setLogLevel(0);
    simplex.setPrimalTolerance(tolerance);
    simplex.setDualTolerance(tolerance);
    const Interruption interruption(limits);
    simplex.passInEventHandler(&interruption);
    load(simplex, program);
    simplex.setOptimizationDirection(-1);
    simplex.dual();
    if (!simplex.isProvenOptimal() && limits.reached() == Stop::none) simplex.primal();
    if (const Stop stop = limits.reached(); stop != Stop::none)
        throw LimitReached(stop, "while solving a linear program", "raise the limit");
    if (!simplex.isProvenOptimal())
        throw Error("the linear program has no optimum that the simplex method finds",
                    "report the game: every finite game has one");
    LinearOptimum optimum;
    optimum.iterations = static_cast<std::uint64_t>(simplex.numberIterations());
    const int columns = simplex.getNumCols();
    const int rows = simplex.getNumRows();
    optimum.primal.assign(simplex.primalColumnSolution(), simplex.primalColumnSolution() + columns);
    optimum.dual.assign(simplex.dualRowSolution(), simplex.dualRowSolution() + rows);
    for (int c = 0; c < columns; ++c) {
        if (simplex.getColumnStatus(c) == ClpSimplex::basic)
            optimum.basic.push_back(static_cast<std::size_t>(c));
    }
    for (int r = 0; r < rows; ++r) {
        if (simplex.getRowStatus(r) != ClpSimplex::basic)
            optimum.tight.push_back(static_cast<std::size_t>(r));
    }
    return optimum;
}

// The tight rows and the basic columns are a square system for the primal solution, and transposed one for
// the dual; all other variables are zero.
std::optional<ExactOptimum> exact(const LinearProgram& program, const LinearOptimum& optimum,
                                  const Limits& limits, std::size_t most_bits) {
    const std::size_t size = optimum.basic.size();
    if (optimum.tight.size() != size) return std::nullopt;
    constexpr std::size_t none = ~std::size_t{0};
    std::vector<std::size_t> place_of_row(program.rows.size(), none);
    std::vector<std::size_t> place_of_column(program.columns.size(), none);
    LinearSystem primal{std::vector<std::vector<LinearSystem::Entry>>(size), {}};
    LinearSystem dual{std::vector<std::vector<LinearSystem::Entry>>(size), {}};
    for (std::size_t i = 0; i < size; ++i) {
        place_of_row[optimum.tight[i]] = i;
        place_of_column[optimum.basic[i]] = i;
        primal.right.push_back(program.rows[optimum.tight[i]].right);
        dual.right.push_back(program.columns[optimum.basic[i]].cost);
    }
    for (const auto& [row, column, value] : program.entries) {
        const std::size_t r = place_of_row[row];
        const std::size_t c = place_of_column[column];
        if (r == none || c == none || value == 0) continue;
        primal.rows[r].push_back({c, value});
        dual.rows[c].push_back({r, value});
    }
    const auto x = solve(primal, limits, most_bits);
    if (!x) return std::nullopt;
    const auto y = solve(dual, limits, most_bits);
    if (!y) return std::nullopt;
    ExactOptimum result{Rationals(program.columns.size()), Rationals(program.rows.size())};
    for (std::size_t i = 0; i < size; ++i) {
        result.primal[optimum.basic[i]] = (*x)[i];
        result.dual[optimum.tight[i]] = (*y)[i];
    }
    return result;
}

}  // namespace zermelo::equilibrium
