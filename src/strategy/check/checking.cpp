#include "strategy/check/checking.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::strategy {

WonPositions::WonPositions(const Strategy& strategy, std::size_t most) {
    const std::size_t wanted = 64 * strategy.nodes.size();
    if (most > 0) table_.resize(std::bit_floor(std::min(std::bit_ceil(wanted), most)));

    std::vector<bool> seen(strategy.nodes.size(), false);
    shared_.assign(strategy.nodes.size(), false);
    shared_[decided] = true;
    for (const StrategyNode& node : strategy.nodes) {
        for (const Edge& edge : node.edges) {
            const auto to = static_cast<std::size_t>(edge.to);
            if (seen[to] || edge.values.size() > 1) shared_[to] = true;
            seen[to] = true;
        }
    }
}

bool LimitMonitor::stopped() {
    constexpr std::uint64_t positions_per_report = std::uint64_t{1} << 16;
    constexpr std::uint64_t positions_per_question = 16;
    ++result_.positions;
    if (options_.progress && result_.positions % positions_per_report == 0)
        options_.progress(result_.positions);
    if (result_.positions % positions_per_question == 0) result_.stop = options_.limits.reached();
    return result_.stop != Stop::none;
}

Verification LimitMonitor::report(bool valid, std::optional<Counterexample> counterexample) {
    result_.valid = valid;
    result_.counterexample = std::move(counterexample);
    return std::move(result_);
}

const char* symbol(model::Quantifier player) { return player == model::Quantifier::exists ? "∃" : "∀"; }

}  // namespace zermelo::strategy
