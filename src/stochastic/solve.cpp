#include "stochastic/solve.hpp"

#include <chrono>

#include "core/clock.hpp"
#include "core/deep_stack.hpp"
#include "stochastic/search/front.hpp"

namespace zermelo::stochastic {

Answer solve(const StochasticModel& model, const SolveOptions& options) {
    Answer answer;
    const double cpu = cpu_seconds();
    const auto start = Clock::now();
    try {
        with_deep_stack(model.order.size(), [&] {
            answer.policy = options.engine == Engine::mac
                                ? mac(model, options, answer.statistics)
                                : forward_checking(model, options, answer.statistics);
        });
        const bool reached = answer.policy && model.reaches_thresholds(answer.policy->utilities);
        answer.verdict = reached ? Verdict::won : Verdict::lost;
    } catch (const Halt& halt) {
        answer.stop = halt.stop;
    }
    answer.statistics.cpu_seconds = cpu_seconds() - cpu;
    answer.statistics.wall_seconds = seconds_since(start);
    return answer;
}

}  // namespace zermelo::stochastic
