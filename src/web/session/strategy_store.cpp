#include "web/session/strategy_store.hpp"

#include <algorithm>

namespace zermelo::web {

json StoredStrategy::about(const Call& call) const {
    return {{"id", id},
            {"owner", owner},
            {"promise", promise},
            {"nodes", graph.size()},
            {"layers", graph.layers()},
            {"root", 0},
            {"truncated", graph.truncated()},
            {"check",
             {{"valid", check.valid},
              {"positions", check.positions},
              {"scenarios", check.scenarios},
              {"problem", call.spoken(check.problem)}}}};
}

void StrategyStore::keep(std::shared_ptr<const StoredStrategy> strategy, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    std::erase_if(kept_, [&](const auto& each) { return each->id == strategy->id; });
    kept_.push_front(std::move(strategy));
    std::size_t all = 0;
    std::size_t count = 0;
    auto at = kept_.begin();
    for (; at != kept_.end(); ++at) {
        all += (*at)->bytes();
        if (++count > 1 && (all > bytes || count > most_)) break;
    }
    kept_.erase(at, kept_.end());
}

std::shared_ptr<const StoredStrategy> StrategyStore::find(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto at = std::ranges::find(kept_, id, [](const auto& each) { return each->id; });
    if (at == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, at);
    return kept_.front();
}

std::size_t StrategyStore::size() const {
    const std::lock_guard lock(mutex_);
    return kept_.size();
}

std::size_t StrategyStore::bytes() const {
    const std::lock_guard lock(mutex_);
    std::size_t all = 0;
    for (const auto& each : kept_) all += each->bytes();
    return all;
}

}  // namespace zermelo::web
