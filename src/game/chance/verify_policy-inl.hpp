// The bodies of verify_policy.hpp.

#pragma once

#include <fmt/format.h>

#include "game/chance/verify_policy.hpp"
#include "game/strategy/verify-inl.hpp"

namespace zermelo::game {

namespace policy_verify {

// How the values of a policy are computed: exactly, or rounded to multiples of 2^-52 on the safe side.
struct ExactNumbers {
    using Value = Rational;
    bool up;
    [[nodiscard]] static std::optional<Value> from(const Rational& number) { return number; }
    [[nodiscard]] static Value mean(const Rational& sum, std::uint64_t weights) { return sum / weights; }
    using Sum = Rational;
};

struct GridNumbers {
    using Value = Grid;
    __extension__ using Sum = __int128;
    bool up;
    [[nodiscard]] static std::optional<Value> from(const Rational& number) {
        const Rational scaled = number * Rational(Grid{1} << grid_bits);
        if (denominator(scaled) != 1 || abs(numerator(scaled)) > (Grid{1} << 62)) return std::nullopt;
        return static_cast<Value>(numerator(scaled));
    }
    [[nodiscard]] Value mean(Sum sum, std::uint64_t weights) const {
        const Sum all = weights;
        Sum quotient = sum / all;
        if (sum % all != 0) {
            if (up && sum > 0) ++quotient;
            if (!up && sum < 0) --quotient;
        }
        return static_cast<Value>(quotient);
    }
};

[[nodiscard]] inline Rational to_rational(const Rational& number) { return number; }
[[nodiscard]] inline Rational to_rational(Grid number) { return from_grid(number); }

// The states that the walk has met, and what was concluded about them: for guarantees and limits.
template <Game G, class Numbers>
class BoundVisitor {
public:
    using Value = typename Numbers::Value;
    using Number = std::uint32_t;

    BoundVisitor(G& game, const ChancePolicy& policy)
        : game_(game),
          policy_(policy),
          limit_(policy.claim == ChancePolicy::Claim::limit),
          numbers_{limit_},
          endless_(Numbers::from(Rational(policy.twice_endless) / 2).value()),
          odd_endless_(policy.twice_endless != 2 * endless_payoff(game.players())) {}

    bool enter(Number, const typename G::State&, Number, std::size_t) {
        const Turn turn = game_.turn();
        State& state = states_.emplace_back();
        state.weights = weights_.size();
        count_.enter(turn.over());
        if (turn.over()) {
            state.kind = Kind::over;
            state.value = Numbers::from(game_.payoff(policy_.player)).value();
            state.done = true;
            if (!odd_endless_ || game_.payoff(0) + game_.payoff(1) == policy_.twice_endless) return true;
            reason_ = "the payoffs do not add up to twice what endless play is said to pay";
            return false;
        }
        if (turn.kind == Turn::Kind::chance) {
            state.kind = Kind::chance;
            for (std::size_t m = 0; m < game_.moves(); ++m) weights_.push_back(weight_of(game_, m));
        } else {
            state.kind = policy_.owners[turn.player] ? Kind::bound : Kind::free;
        }
        return true;
    }

    std::optional<std::size_t> choose(Number) {
        if (next_choice_ == policy_.choices.size()) return std::nullopt;
        return policy_.choices[next_choice_++];
    }

    bool meet(Number from, std::size_t move, Number to, bool on_path) {
        if (on_path) {
            count_.circle();
            if (!claim(to)) return false;
        } else {
            count_.add(from, to);
            if (!finish(to)) return false;
        }
        edges_.emplace_back(from, to);
        fold(states_[from], move, states_[to].value);
        return true;
    }

    // After the walk: the rest of the proof. False where the claim does not hold.
    bool conclude() {
        if (!finish(0)) return false;
        if (next_choice_ < policy_.choices.size() || next_head_ < policy_.heads.size()) {
            reason_ = fmt::format("{} choices and {} values of the policy are not used",
                                  policy_.choices.size() - next_choice_, policy_.heads.size() - next_head_);
            return false;
        }
        const auto promised = Numbers::from(policy_.values.front());
        const Value& found = states_.front().value;
        if (!promised || (limit_ ? found > *promised : found < *promised)) {
            reason_ = fmt::format("{} expects {}, but {} {} is claimed", game_.player_name(policy_.player),
                                  text(to_rational(found)), limit_ ? "at most" : "at least",
                                  text(policy_.values.front()));
            return false;
        }
        if (next_head_ > 0 && can_be_held_up()) {
            reason_ = fmt::format(
                "the play can be kept for ever among states that are claimed to be worth {} than that pays",
                limit_ ? "less" : "more");
            return false;
        }
        return true;
    }

    [[nodiscard]] const std::string& reason() const { return reason_; }
    [[nodiscard]] std::string scenarios() const { return count_.text(); }
    [[nodiscard]] Rational value() const { return to_rational(states_.front().value); }

private:
    enum class Kind : std::uint8_t { over, chance, bound, free };
    struct State {
        Kind kind = Kind::over;
        bool done = false;     // its value is computed
        bool claimed = false;  // and is that of the policy
        bool begun = false;    // a move has been counted
        Value value = {};      // of what is done, or claimed
        Value computed = {};   // of players: the best so far
        typename Numbers::Sum sum = 0;
        std::uint64_t all = 0;
        std::size_t weights = 0;  // of its moves, from here on
    };

    // The play has come back to a state on the path: it is worth what the policy says.
    bool claim(Number number) {
        State& state = states_[number];
        if (state.claimed) return true;
        if (next_head_ == policy_.heads.size()) {
            reason_ = "the play can go round in a circle here, and the policy has no value for it";
            return false;
        }
        const auto value = Numbers::from(policy_.heads[next_head_++]);
        if (!value) {
            reason_ =
                fmt::format("{} is no multiple of 2^-{}", text(policy_.heads[next_head_ - 1]), grid_bits);
            return false;
        }
        state.claimed = true;
        state.value = *value;
        return true;
    }

    void fold(State& state, std::size_t move, const Value& value) {
        if (state.kind == Kind::chance) {
            const std::uint64_t weight = weights_[state.weights + move];
            state.sum += static_cast<typename Numbers::Sum>(weight) * value;
            state.all += weight;
            return;
        }
        if (!state.begun || (limit_ ? value > state.computed : value < state.computed))
            state.computed = value;
        state.begun = true;
    }

    // All moves of the state have been counted.
    bool finish(Number number) {
        State& state = states_[number];
        if (state.done) return true;
        state.done = true;
        const Value found = state.kind == Kind::chance ? numbers_.mean(state.sum, state.all) : state.computed;
        state.sum = 0;
        if (!state.claimed) {
            state.value = found;
            return true;
        }
        if (limit_ ? found <= state.value : found >= state.value) return true;
        reason_ =
            fmt::format("a state where the play can go round in a circle is worth {}, but {} is claimed",
                        text(to_rational(found)), text(to_rational(state.value)));
        return false;
    }

    // Whether those who are free can stay for ever in states of more (for a limit: less) than endless play
    // pays: the largest set in which they have a move, and chance and the bound have no other.
    [[nodiscard]] bool can_be_held_up() const {
        std::vector<std::uint32_t> start(states_.size() + 1, 0);  // moves by target
        std::vector<std::uint32_t> stays(states_.size(), 0);      // moves that stay, by state
        std::vector<std::uint32_t> all(states_.size(), 0);
        std::vector<bool> held(states_.size());
        for (std::size_t s = 0; s < states_.size(); ++s) {
            const State& state = states_[s];
            held[s] = state.kind != Kind::over && (limit_ ? state.value < endless_ : state.value > endless_);
        }
        for (const auto& [from, to] : edges_) {
            ++start[to + 1];
            ++all[from];
            if (held[to]) ++stays[from];
        }
        for (std::size_t s = 0; s < states_.size(); ++s) start[s + 1] += start[s];
        std::vector<Number> sources(edges_.size());
        std::vector<std::uint32_t> fill(start.begin(), start.end() - 1);
        for (const auto& [from, to] : edges_) sources[fill[to]++] = from;
        const auto holds = [&](Number s) {
            return states_[s].kind == Kind::free ? stays[s] > 0 : stays[s] == all[s];
        };
        std::vector<Number> left;
        for (Number s = 0; s < states_.size(); ++s) {
            if (!held[s] || holds(s)) continue;
            held[s] = false;
            left.push_back(s);
        }
        while (!left.empty()) {
            const Number s = left.back();
            left.pop_back();
            for (std::uint32_t e = start[s]; e < start[s + 1]; ++e) {
                const Number from = sources[e];
                --stays[from];
                if (!held[from] || holds(from)) continue;
                held[from] = false;
                left.push_back(from);
            }
        }
        return std::ranges::find(held, true) != held.end();
    }

    G& game_;
    const ChancePolicy& policy_;
    bool limit_;
    Numbers numbers_;
    Value endless_;
    bool odd_endless_;
    std::vector<State> states_;
    std::vector<std::uint64_t> weights_;
    std::vector<std::pair<Number, Number>> edges_;
    std::size_t next_choice_ = 0;
    std::size_t next_head_ = 0;
    ScenarioCount count_;
    std::string reason_;
};

// For equilibria: everybody's value where all follow the policy, and no better move for who is on turn.
template <Game G>
class EquilibriumVisitor {
public:
    using Number = std::uint32_t;
    EquilibriumVisitor(G& game, const ChancePolicy& policy) : game_(game), policy_(policy) {}

    bool enter(Number, const typename G::State&, Number, std::size_t) {
        const Turn turn = game_.turn();
        State& state = states_.emplace_back();
        state.turn = turn;
        state.weights = weights_.size();
        count_.enter(turn.over());
        state.values.assign(game_.players(), 0);
        if (turn.over()) {
            for (std::size_t p = 0; p < game_.players(); ++p)
                state.values[p] = game_.payoff(static_cast<Player>(p));
        } else if (turn.kind == Turn::Kind::chance) {
            for (std::size_t m = 0; m < game_.moves(); ++m) {
                weights_.push_back(weight_of(game_, m));
                state.all += weights_.back();
            }
        } else {
            if (next_ == policy_.choices.size() || policy_.choices[next_] >= game_.moves()) {
                reason_ = next_ == policy_.choices.size() ? "the policy has no choice for this state"
                                                          : "the policy chooses a move that does not exist";
                return false;
            }
            state.choice = policy_.choices[next_++];
        }
        return true;
    }
    static std::optional<std::size_t> choose(Number) { return std::nullopt; }

    bool meet(Number from, std::size_t move, Number to, bool on_path) {
        State& state = states_[from];
        if (on_path) {
            reason_ = "the play can go round in a circle";
            return false;
        }
        count_.add(from, to);
        if (!sound(states_[to])) return false;
        if (state.turn.kind == Turn::Kind::chance) {
            const Rational probability = Rational(weights_[state.weights + move]) / state.all;
            for (std::size_t p = 0; p < state.values.size(); ++p)
                state.values[p] += probability * states_[to].values[p];
            return true;
        }
        const Rational& own = states_[to].values[state.turn.player];
        if (!state.begun || own > state.best) state.best = own;
        state.begun = true;
        if (move == state.choice) state.values = states_[to].values;
        return true;
    }

    bool conclude() {
        if (!sound(states_.front())) return false;
        if (next_ < policy_.choices.size() || !policy_.heads.empty()) {
            reason_ = fmt::format("{} choices and {} values of the policy are not used",
                                  policy_.choices.size() - next_, policy_.heads.size());
            return false;
        }
        if (states_.front().values == policy_.values) return true;
        reason_ = fmt::format("the players expect {}, but {} is claimed", text(states_.front().values),
                              text(policy_.values));
        return false;
    }
    [[nodiscard]] const std::string& reason() const { return reason_; }
    [[nodiscard]] std::string scenarios() const { return count_.text(); }
    [[nodiscard]] const Rationals& values() const { return states_.front().values; }

private:
    struct State {
        Turn turn;
        std::size_t choice = 0;
        std::size_t weights = 0;
        std::uint64_t all = 0;
        bool begun = false;
        Rational best = 0;  // for who is on turn
        Rationals values;
    };

    // When all moves of the state have been counted.
    bool sound(const State& state) {
        if (state.turn.kind != Turn::Kind::player || state.values[state.turn.player] == state.best)
            return true;
        reason_ = fmt::format("{} would get {} by another move than the one that is chosen, which gives {}",
                              game_.player_name(state.turn.player), text(state.best),
                              text(state.values[state.turn.player]));
        return false;
    }

    G& game_;
    const ChancePolicy& policy_;
    std::vector<State> states_;
    std::vector<std::uint64_t> weights_;
    std::size_t next_ = 0;
    ScenarioCount count_;
    std::string reason_;
};

template <Game G, class Visitor>
PolicyVerification run(G& game, Visitor& visitor, const std::vector<bool>& owners, const Limits& limits) {
    PolicyVerification result;
    const auto wrong = [&](const std::vector<std::size_t>& moves, std::string reason) {
        result.counterexample = {move_names(game, moves), std::move(reason)};
    };
    using Walk = PlanWalk<G>;
    Walk walk(game, owners, limits);
    const auto end = walk.run(visitor);
    result.positions = walk.positions();
    result.stop = walk.stop();
    switch (end) {
        case Walk::End::refused:
            wrong(walk.path(), visitor.reason());
            break;
        case Walk::End::no_choice:
            wrong(walk.path(), "the policy has no choice for this state");
            break;
        case Walk::End::bad_choice:
            wrong(walk.path(), "the policy chooses a move that does not exist");
            break;
        case Walk::End::limit:
            break;
        case Walk::End::complete:
            result.valid = visitor.conclude();
            if (!result.valid) wrong({}, visitor.reason());
            result.scenarios = visitor.scenarios();
    }
    return result;
}

template <Game G, class Numbers>
PolicyVerification run_bound(G& game, const ChancePolicy& policy, const Limits& limits) {
    BoundVisitor<G, Numbers> visitor(game, policy);
    PolicyVerification result = run(game, visitor, policy.owners, limits);
    if (result.valid) result.values = {visitor.value()};
    return result;
}

// What needs no playing; empty where nothing is wrong.
[[nodiscard]] std::string misfit(std::size_t players, const ChancePolicy& policy);

}  // namespace policy_verify

template <Game G>
PolicyVerification verify_policy(G& game, const ChancePolicy& policy, const Limits& limits) {
    using namespace policy_verify;
    if (std::string reason = misfit(game.players(), policy); !reason.empty()) {
        PolicyVerification result;
        result.counterexample = {{}, std::move(reason)};
        return result;
    }
    if (policy.claim == ChancePolicy::Claim::equilibrium) {
        EquilibriumVisitor<G> visitor(game, policy);
        PolicyVerification result = run(game, visitor, std::vector<bool>(game.players(), false), limits);
        if (result.valid) result.values = visitor.values();
        return result;
    }
    return policy.exact ? run_bound<G, ExactNumbers>(game, policy, limits)
                        : run_bound<G, GridNumbers>(game, policy, limits);
}

}  // namespace zermelo::game
