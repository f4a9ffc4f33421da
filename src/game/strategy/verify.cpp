#include "game/strategy/verify.hpp"

#include <algorithm>

#include "game/graph/graph.hpp"
#include "game/strategy/verify-inl.hpp"
#include "game/views/gdl_game.hpp"
#include "game/views/model_game.hpp"

namespace zermelo::game {

std::string PlanVerification::Counterexample::text() const {
    std::string moves;
    for (const std::string& move : play) moves += (moves.empty() ? "" : ", ") + move;
    return (moves.empty() ? "at the start" : moves) + ": " + reason;
}

std::string ScenarioCount::text() const {
    if (endless_) return "endless";
    if (too_many_states_) return "not counted";
    const Exact count = counts_.front();
    if (count == ~Exact{0}) return "more than 3.402e+38";
    std::string digits;
    for (Exact rest = count; rest > 0; rest /= 10)
        digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    std::reverse(digits.begin(), digits.end());
    return digits;
}

template PlanVerification verify_plan(GraphGame&, const Plan&, const Limits&);
template PlanVerification verify_plan(GdlGame&, const Plan&, const Limits&);
template PlanVerification verify_plan(ReasonerGame&, const Plan&, const Limits&);
template PlanVerification verify_plan(ModelGame&, const Plan&, const Limits&);

}  // namespace zermelo::game
