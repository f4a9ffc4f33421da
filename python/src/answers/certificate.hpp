// Certificates and the strategies in them, as Python sees them.

#pragma once

#include "game.hpp"

namespace zermelo::python {

struct CertificateObject {
    std::shared_ptr<ProblemObject> problem;
    std::shared_ptr<const Certificate> certificate;
};

// The value as a fractions.Fraction.
[[nodiscard]] py::object fraction(const Rational& number);
// By information set, the probability of every move.
[[nodiscard]] py::dict mixture_dict(const equilibrium::Mixture& mixture);

}  // namespace zermelo::python
