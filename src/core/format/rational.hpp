// Exact rational arithmetic: probabilities and utilities are fractions of unbounded integers, so that
// expected values are exact and a checker can compare them with `=`.

#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <string>
#include <vector>

namespace zermelo {

using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;

using Rationals = std::vector<Rational>;  // by player

[[nodiscard]] std::string text(const Rational& number);    // 2/3, or 5
[[nodiscard]] std::string text(const Rationals& numbers);  // 2/3, or (2/3, 5) for several

// Reads 2/3, -5 and 0.7; nothing for any other text.
[[nodiscard]] std::optional<Rational> read_rational(const std::string& text);

}  // namespace zermelo
