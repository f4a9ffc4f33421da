// How the strategy of a certificate is followed: one class for each kind of certificate and of rules.

#pragma once

#include "answers/certificate.hpp"

namespace zermelo::python {

// What it needs is worked out when it is made, which may take long.
class Following {
public:
    Following() = default;
    virtual ~Following() = default;
    Following(const Following&) = delete;
    Following& operator=(const Following&) = delete;

    // What its owner plays where `state` says: a move, or a variable and its value; None where the owner is not on turn
    // or never comes there.
    [[nodiscard]] virtual py::object move(const py::object& state) = 0;
    // The same as probabilities by move; empty for None.
    [[nodiscard]] virtual py::dict mixture(const py::object& state);
};

// Of the strategy of this number in the certificate, which must outlive it.
[[nodiscard]] std::unique_ptr<Following> make_following(const CertificateObject& whole, std::size_t number);

}  // namespace zermelo::python
