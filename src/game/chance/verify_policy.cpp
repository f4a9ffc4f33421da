#include "game/chance/verify_policy.hpp"

#include "game/chance/verify_policy-inl.hpp"
#include "game/views/belief_game.hpp"

namespace zermelo::game {

std::string policy_verify::misfit(std::size_t players, const ChancePolicy& policy) {
    using Claim = ChancePolicy::Claim;
    if (policy.owners.size() != players || policy.player >= players)
        return fmt::format("the policy is not one of a game of {} players", players);
    const bool equilibrium = policy.claim == Claim::equilibrium;
    if (policy.values.size() != (equilibrium ? players : 1))
        return "the policy has too many values, or too few";
    const bool all = std::ranges::find(policy.owners, false) == policy.owners.end();
    const bool any = std::ranges::find(policy.owners, true) != policy.owners.end();
    if (equilibrium && (!all || !policy.exact))
        return "an equilibrium is exact, and has the moves of all players";
    if (policy.claim == Claim::limit && any) return "a limit has no moves";
    if (policy.claim == Claim::guarantee && !policy.owners[policy.player])
        return "a guarantee has the moves of the player it is given to";
    const bool usual = policy.twice_endless == 2 * endless_payoff(players);
    if (!usual && players != 2) return "endless play does not pay what the policy says";
    return "";
}

template PolicyVerification verify_policy(GraphGame&, const ChancePolicy&, const Limits&);
template PolicyVerification verify_policy(ChanceGame&, const ChancePolicy&, const Limits&);
template PolicyVerification verify_policy(ReasonerChanceGame&, const ChancePolicy&, const Limits&);

}  // namespace zermelo::game
