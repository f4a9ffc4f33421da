// Second opinion: where the certificate of a verdict fails its check, a propagator may be at fault. The two
// kernels of quantified search have none in common, so the other one is asked.

#pragma once

#include <utility>

#include "solve/solve.hpp"

namespace zermelo {

[[nodiscard]] constexpr quantified::KernelChoice other(quantified::KernelChoice kernel) {
    return kernel == quantified::KernelChoice::trail ? quantified::KernelChoice::gecode
                                                     : quantified::KernelChoice::trail;
}

// Asks the other kernel; where the engine that has none was asked for, the search that has.
inline void ask_otherwise(SolveOptions& options) {
    options.search.kernel = other(options.search.kernel);
    if (options.engine == Engine::qcdcl) options.engine = Engine::quantified;
}

// An answer is anything with a `verdict()` that may be `refuted()`. The second one counts where it is a verdict
// and stands; otherwise the first is returned, refuted as it is. `ask` is called only where a kernel was at work.
template <class Answer, class Ask>
[[nodiscard]] Answer with_second_opinion(Answer first, Ask ask) {
    const Verdict& verdict = first.verdict();
    const bool searched =
        verdict.as<quantified::Answer>() != nullptr || verdict.as<ThresholdSolution>() != nullptr;
    if (!first.refuted() || !searched) return first;
    Answer second = ask();
    const bool stands = second.verdict().outcome != Outcome::unknown && !second.refuted();
    return stands ? std::move(second) : std::move(first);
}

struct CheckedVerdict {
    Verdict found;
    std::optional<Report> report;  // nothing where there is no certificate
    [[nodiscard]] const Verdict& verdict() const { return found; }
    [[nodiscard]] bool refuted() const { return report && report->counterexample.has_value(); }
};

// Solves and checks, with a second opinion. `tell` hears of each verdict that was refuted.
[[nodiscard]] CheckedVerdict solve_checked(const Problem& problem, SolveOptions options,
                                           const CheckOptions& checking,
                                           const std::function<void(const CheckedVerdict&)>& tell);

}  // namespace zermelo
