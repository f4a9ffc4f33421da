// Linear systems with rational coefficients, solved exactly by p-adic lifting (Dixon 1982).
//
// The matrix is factored once modulo the prime 2^61 - 1, with pivots that create few new entries (Markowitz
// 1957). Each further step solves for the next p-adic digit of the solution and divides the residue by p. From
// enough digits the fractions are reconstructed, and the solution is accepted only if it satisfies the
// equations exactly. Unlike elimination in rationals, no intermediate number is longer than the solution
// itself.
//
// Cost: one sparse elimination in machine words, then for each digit one pass over the factors and the
// matrix; as many digits as numerator and denominator have together, 61 bits each.

#pragma once

#include <optional>

#include "core/format/rational.hpp"
#include "core/limits.hpp"

namespace zermelo::equilibrium {

using Integer =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;

// Up to 2^-64, however long numerator and denominator are.
[[nodiscard]] double to_double(const Rational& number);

struct LinearSystem {
    struct Entry {
        std::size_t column;
        Rational value;
    };
    std::vector<std::vector<Entry>> rows;  // square: as many columns as rows; no two entries of one place
    Rationals right;                       // by row
};

inline constexpr std::size_t longest_fraction = 4096;  // bits of a numerator or denominator

// Nothing where the matrix is singular, where the solution would be longer than `most_bits`, or where a limit
// is reached.
[[nodiscard]] std::optional<Rationals> solve(const LinearSystem& system, const Limits& limits = {},
                                             std::size_t most_bits = longest_fraction);

}  // namespace zermelo::equilibrium
