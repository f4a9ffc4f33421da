// A part of a certificate that tells how somebody plays: zermelo.Strategy.

#pragma once

#include "answers/following.hpp"

namespace zermelo::python {

class StrategyObject {
public:
    StrategyObject(CertificateObject whole, std::size_t number) : whole_(std::move(whole)), number_(number) {}

    [[nodiscard]] std::shared_ptr<ProblemObject> rules() const { return whole_.problem; }
    [[nodiscard]] std::string owner() const;
    [[nodiscard]] std::vector<std::string> owners() const;  // whose moves it fixes
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::optional<int> promise() const {
        return plan() != nullptr ? std::optional(plan()->promise) : std::nullopt;
    }
    [[nodiscard]] py::object move(const py::object& state) { return following().move(state); }
    [[nodiscard]] py::dict mixture(const py::object& state) { return following().mixture(state); }
    [[nodiscard]] py::dict table() const;
    [[nodiscard]] std::string dot(std::size_t most_nodes) const;

private:
    [[nodiscard]] const Problem& problem() const { return whole_.problem->problem; }
    template <class T>
    [[nodiscard]] const T* as() const {
        return whole_.certificate->as<T>();
    }
    [[nodiscard]] const game::Plan* plan() const {
        return as<Plans>() != nullptr ? &(*as<Plans>())[number_] : nullptr;
    }
    [[nodiscard]] Following& following();

    CertificateObject whole_;
    std::size_t number_;
    std::unique_ptr<Following> following_;  // made at the first move
};

[[nodiscard]] py::list strategies_of(const CertificateObject& whole);
void bind_strategies(py::module_& module);

}  // namespace zermelo::python
