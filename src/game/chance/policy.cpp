#include "game/chance/policy.hpp"

#include "game/chance/follow.hpp"
#include "game/strategy/walk-inl.hpp"
#include "game/views/belief_game.hpp"

namespace zermelo::game {

namespace {

// Writes down what the walk meets.
class PolicyWriter {
public:
    PolicyWriter(const Graph& graph, const ExpectedValues& values, ChancePolicy& policy)
        : graph_(graph), values_(values), policy_(policy) {}

    bool enter(std::uint32_t, StateId state, std::uint32_t, std::size_t) {
        state_.push_back(state);
        head_.push_back(false);
        if (policy_.claim == ChancePolicy::Claim::equilibrium &&
            graph_.turn(state).kind == Turn::Kind::player)
            policy_.choices.push_back(values_.choice[state]);
        return true;
    }
    std::optional<std::size_t> choose(std::uint32_t number) {
        policy_.choices.push_back(values_.choice[state_[number]]);
        return policy_.choices.back();
    }
    bool meet(std::uint32_t, std::size_t, std::uint32_t to, bool on_path) {
        if (on_path && !head_[to]) {
            head_[to] = true;
            policy_.heads.push_back(policy_.claim == ChancePolicy::Claim::limit
                                        ? values_.upper(state_[to], policy_.player)
                                        : values_.lower(state_[to], policy_.player));
        }
        return true;
    }

private:
    const Graph& graph_;
    const ExpectedValues& values_;
    ChancePolicy& policy_;
    std::vector<StateId> state_;  // by number
    std::vector<bool> head_;
};

}  // namespace

const char* name(ChancePolicy::Claim claim) {
    switch (claim) {
        case ChancePolicy::Claim::guarantee:
            return "guarantee";
        case ChancePolicy::Claim::limit:
            return "limit";
        case ChancePolicy::Claim::equilibrium:
            return "equilibrium";
    }
    return "";
}

Hash128 fingerprint(const ChancePolicy& policy) {
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(policy.claim));
    hasher.add(policy.player);
    hasher.add(policy.exact ? 1 : 0);
    hasher.add(static_cast<std::uint64_t>(policy.twice_endless));
    for (const bool owner : policy.owners) hasher.add(owner ? 1 : 0);
    for (const Rationals* numbers : {&policy.values, &policy.heads}) {
        hasher.add(numbers->size());
        for (const Rational& number : *numbers) {
            hasher.add(text(number));
            hasher.add('\n');
        }
    }
    for (const std::uint32_t choice : policy.choices) hasher.add(choice);
    return hasher.value();
}

std::vector<ChancePolicy> policies_to_write(Interests interests, std::size_t players, int twice_endless) {
    using Claim = ChancePolicy::Claim;
    std::vector<ChancePolicy> policies;
    const auto add = [&](Claim claim, Player player, bool owned) {
        ChancePolicy& policy = policies.emplace_back();
        policy.claim = claim;
        policy.player = player;
        policy.owners.assign(players, owned);
        policy.twice_endless = twice_endless;
    };
    switch (interests) {
        case Interests::shared:
            add(Claim::guarantee, 0, true);
            add(Claim::limit, 0, false);
            break;
        case Interests::opposed:
            for (const Player player : {Player{0}, Player{1}}) {
                add(Claim::guarantee, player, false);
                policies.back().owners[player] = true;
            }
            break;
        case Interests::own:
            add(Claim::equilibrium, 0, true);
            break;
    }
    return policies;
}

std::vector<ChancePolicy> build_policies(const Graph& graph, const ExpectedValues& values,
                                         const Limits& limits) {
    using Claim = ChancePolicy::Claim;
    const std::size_t players = graph.players.size();
    auto policies = policies_to_write(values.interests, players, values.twice_endless);
    for (ChancePolicy& policy : policies) {
        policy.exact = values.exact;
        const bool equilibrium = policy.claim == Claim::equilibrium;
        for (std::size_t p = 0; p < players; ++p) {
            if (!equilibrium && p != policy.player) continue;
            const auto player = static_cast<Player>(p);
            policy.values.push_back(policy.claim == Claim::limit ? values.upper(graph.initial, player)
                                                                 : values.lower(graph.initial, player));
        }
        GraphGame game(graph);
        PolicyWriter writer(graph, values, policy);
        PlanWalk<GraphGame> walk(game, equilibrium ? std::vector<bool>(players, false) : policy.owners,
                                 limits);
        if (walk.run(writer) == PlanWalk<GraphGame>::End::limit)
            throw LimitReached(walk.stop(), "while the policy was written", "raise the limit");
    }
    return policies;
}

// ------------------------------------------------------------------------------------------ following

// In an equilibrium everybody may leave the policy, so the walk takes all moves, and there is a choice all the same.
template <Game G>
struct PolicyFollower<G>::Visitor {
    PolicyFollower& follower;
    const ChancePolicy& policy;
    Hash128 key = {};
    std::size_t next = 0;

    [[nodiscard]] bool everywhere() const { return policy.claim == ChancePolicy::Claim::equilibrium; }
    [[nodiscard]] std::vector<bool> bound() const {
        return everywhere() ? std::vector<bool>(policy.owners.size(), false) : policy.owners;
    }
    bool enter(std::uint32_t number, const typename G::State& state, std::uint32_t, std::size_t) {
        key = follower.game_.key(state);
        return !everywhere() || follower.game_.turn().kind != Turn::Kind::player ||
               choose(number).has_value();
    }
    std::optional<std::size_t> choose(std::uint32_t) {
        if (next == policy.choices.size() || policy.choices[next] >= follower.game_.moves())
            return std::nullopt;
        (void)follower.choice_.insert(key, policy.choices[next]);
        return policy.choices[next++];
    }
    bool meet(std::uint32_t, std::size_t, std::uint32_t, bool) { return true; }
};

template <Game G>
PolicyFollower<G>::PolicyFollower(G& game, const ChancePolicy& policy, const Limits& limits) : game_(game) {
    Visitor visitor{*this, policy};
    PlanWalk<G> walk(game, visitor.bound(), limits);
    const auto end = walk.run(visitor);
    if (end == PlanWalk<G>::End::limit)
        throw LimitReached(walk.stop(), "while reading a policy", "raise the time or memory limit");
    if (end != PlanWalk<G>::End::complete || visitor.next < policy.choices.size())
        throw Error("the policy does not fit the game", "use a policy that was made for this game");
}

template class PolicyFollower<GraphGame>;
template class PolicyFollower<ChanceGame>;

}  // namespace zermelo::game
