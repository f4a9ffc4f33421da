#include "game/strategy/positional_strategy.hpp"

#include "game/strategy/build-inl.hpp"
#include "game/strategy/graph-inl.hpp"
#include "game/views/gdl_walk.hpp"
#include "game/views/model_game.hpp"
#include "game/views/positional_walk.hpp"
#include "game/views/quotient_game.hpp"

namespace zermelo::game {

Hash128 fingerprint(const Plan& plan) {
    Hasher hasher;
    hasher.add(plan.owner);
    hasher.add(static_cast<std::uint64_t>(plan.promise));
    for (const std::uint32_t choice : plan.choices) hasher.add(choice);
    return hasher.value();
}

template PlanGraph plan_graph_of(GraphGame&, const Plan&, std::size_t, const Limits&);
template PlanGraph plan_graph_of(GdlGame&, const Plan&, std::size_t, const Limits&);
template PlanGraph plan_graph_of(ReasonerGame&, const Plan&, std::size_t, const Limits&);
template PlanGraph plan_graph_of(ModelGame&, const Plan&, std::size_t, const Limits&);

template Plan plan_of(GraphGame&, const PlanGraph&, const Place&, const Limits&);
template Plan plan_of(GdlGame&, const PlanGraph&, const Place&, const Limits&);
template Plan plan_of(ReasonerGame&, const PlanGraph&, const Place&, const Limits&);
template Plan plan_of(ModelGame&, const PlanGraph&, const Place&, const Limits&);

template class PlanFollower<GraphGame>;
template class PlanFollower<GdlGame>;
template class PlanFollower<ReasonerGame>;
template class PlanFollower<ModelGame>;

template Plan build_plan(GdlWalk&, Player, int, const Choose<GdlWalk>&, const Limits&);
template Plan build_plan(CompiledWalk&, Player, int, const Choose<CompiledWalk>&, const Limits&);
template Plan build_plan(PositionalWalk&, Player, int, const Choose<PositionalWalk>&, const Limits&);
template Plan build_plan(SymmetricWalk&, Player, int, const Choose<SymmetricWalk>&, const Limits&);
template Plan build_plan(LiftedWalk&, Player, int, const Choose<LiftedWalk>&, const Limits&);
template Plan build_plan(Walker<GraphGame>&, Player, int, const Choose<Walker<GraphGame>>&, const Limits&);
template Plan build_plan(Walker<GdlGame>&, Player, int, const Choose<Walker<GdlGame>>&, const Limits&);
template Plan build_plan(Walker<ModelGame>&, Player, int, const Choose<Walker<ModelGame>>&, const Limits&);

}  // namespace zermelo::game
