#include "equilibrium/solution.hpp"

namespace zermelo::equilibrium {

const char* name(Method method) {
    return method == Method::sequence_form ? "sequence form" : "backward induction";
}

void Meter::count() {
    constexpr std::uint64_t between_reports = 1024;
    ++positions_;
    if (const Stop stop = options_.limits.reached(); stop != Stop::none)
        throw LimitReached(stop, "while looking for an equilibrium", "raise the limit");
    if (options_.progress && positions_ % between_reports == 0) options_.progress(stage_, positions_);
}

Mixture mixture(const std::vector<std::string>& moves, const Rationals& probabilities) {
    Mixture all;
    for (std::size_t m = 0; m < moves.size(); ++m) {
        if (probabilities[m] != 0) all.push_back({moves[m], probabilities[m]});
    }
    return all;
}

}  // namespace zermelo::equilibrium
