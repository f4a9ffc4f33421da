#include "game/strategy/positional_strategy.hpp"

namespace zermelo::game {

Hash128 fingerprint(const Plan& plan) {
    Hasher hasher;
    hasher.add(plan.owner);
    hasher.add(static_cast<std::uint64_t>(plan.promise));
    for (const std::uint32_t choice : plan.choices) hasher.add(choice);
    return hasher.value();
}

}  // namespace zermelo::game
