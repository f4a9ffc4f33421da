// Linear programs: the greatest c·x with A x ≤ b or A x = b, row by row, and x ≥ 0 or free (Dantzig 1947).
//
// The simplex method of COIN-OR Clp, in floating-point numbers, finds an optimal basis. The basis is then
// solved in rational numbers (linear_system.hpp), which gives the exact optimum and its exact duals.

#pragma once

#include "equilibrium/linear/linear_system.hpp"

namespace zermelo::equilibrium {

struct LinearProgram {
    struct Column {
        Rational cost;
        bool free = false;  // otherwise at least 0
    };
    struct Row {
        Rational right;
        bool equality = false;  // otherwise at most
    };
    struct Entry {
        std::size_t row;
        std::size_t column;
        Rational value;
    };
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::vector<Entry> entries;  // no two of one place
};

struct LinearOptimum {
    std::vector<double> primal;      // by column
    std::vector<double> dual;        // by row
    std::vector<std::size_t> basic;  // columns of the basis
    std::vector<std::size_t> tight;  // rows whose slack is not in the basis
    std::uint64_t iterations = 0;
};

// Throws LimitReached; Error where there is no optimum.
[[nodiscard]] LinearOptimum maximise(const LinearProgram& program, const Limits& limits = {});

// The optimum of a basis in rational numbers. Feasibility is the caller's to check.
struct ExactOptimum {
    Rationals primal;
    Rationals dual;
};
[[nodiscard]] std::optional<ExactOptimum> exact(const LinearProgram& program, const LinearOptimum& optimum,
                                                const Limits& limits = {},
                                                std::size_t most_bits = longest_fraction);

}  // namespace zermelo::equilibrium
