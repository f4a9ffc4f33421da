#include "solve/second_opinion.hpp"

namespace zermelo {

CheckedVerdict solve_checked(const Problem& problem, SolveOptions options, const CheckOptions& checking,
                             const std::function<void(const CheckedVerdict&)>& tell) {
    const auto ask = [&] {
        CheckedVerdict answer{solve(problem, options), std::nullopt};
        if (!answer.found.certificate.empty())
            answer.report = check(problem, answer.found.certificate, checking);
        if (answer.refuted()) tell(answer);
        return answer;
    };
    return with_second_opinion(ask(), [&] {
        ask_otherwise(options);
        return ask();
    });
}

}  // namespace zermelo
