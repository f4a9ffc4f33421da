#include "equilibrium/check/best_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/deep_stack.hpp"

namespace zermelo::equilibrium {

namespace {

// Found while a strategy is followed; becomes the fault of the result.
struct Broken {
    Fault fault;
};

// What both ways of checking share: one role keeps to its strategy, which is looked up by name.
template <class Rules>
class Follower {
public:
    using State = typename Rules::State;

    Follower(Rules& rules, const Equilibrium& equilibrium, std::size_t owner, const Limits& limits,
             Guarantees& found)
        : rules_(rules), equilibrium_(equilibrium), owner_(owner), limits_(limits), found_(found) {}

protected:
    void look(const State& state, Expansion<State>& out) {
        if (const Stop stop = limits_.reached(); stop != Stop::none)
            throw LimitReached(stop, "while checking the equilibrium", "raise the limit");
        ++found_.positions;
        rules_.expand(state, out);
        if (!out.over) return;
        sum_.require(out.goals, rules_.roles(), rules_.file());
        found_.sum = sum_.value();
    }

    // By move of the owner.
    [[nodiscard]] Rationals probabilities(const std::string& at, const std::vector<std::string>& moves) {
        if (moves.size() == 1) return {Rational(1)};
        const BehaviourStrategy& strategy = equilibrium_.strategies[owner_];
        const auto found = strategy.find(at);
        if (found == strategy.end())
            broken(at, fmt::format("{} has a choice here, but no mixture", rules_.roles()[owner_]));
        used_.insert(at);
        Rationals result(moves.size());
        Rational sum = 0;
        for (const Chosen& one : found->second) {
            const auto place = std::ranges::lower_bound(moves, one.move);
            if (place == moves.end() || *place != one.move)
                broken(at, fmt::format("{} cannot play {}", rules_.roles()[owner_], one.move));
            Rational& probability = result[static_cast<std::size_t>(place - moves.begin())];
            if (one.probability <= 0 || probability != 0)
                broken(at, fmt::format("the probability of {} is not positive, or told twice", one.move));
            probability = one.probability;
            sum += one.probability;
        }
        if (sum != 1) broken(at, "the probabilities add up to " + zermelo::text(sum));
        return result;
    }

    void require_all_used() const {
        for (const auto& [at, mixture] : equilibrium_.strategies[owner_]) {
            if (!used_.contains(at))
                broken(at, fmt::format("{} never comes here by this strategy", rules_.roles()[owner_]));
        }
    }

    [[noreturn]] static void broken(const std::string& at, const std::string& reason) {
        throw Broken{{at, reason}};
    }

    // The other role wants the first role's goal to be great or small.
    [[nodiscard]] bool better(const Rational& a, const Rational& b) const {
        return owner_ == 0 ? a < b : a > b;
    }

    Rules& rules_;
    const Equilibrium& equilibrium_;
    std::size_t owner_;
    const Limits& limits_;
    Guarantees& found_;

private:
    ConstantSum sum_;
    std::set<std::string> used_;
};

template <class Rules>
class ByStates : public Follower<Rules> {
public:
    using Follower<Rules>::Follower;
    using State = typename Rules::State;

    Rational run(const State& start) {
        Rational value = of(start, 0);
        this->require_all_used();
        return value;
    }

private:
    Rational of(const State& state, std::size_t depth) {
        const auto [entry, fresh] = values_.try_emplace(this->rules_.key(state));
        if (!fresh) {
            if (!entry->second) refuse_endless(this->rules_.file());
            return *entry->second;
        }
        if (depth > longest_play) refuse_endless(this->rules_.file());
        Rational value = expanded(state, depth);
        values_[this->rules_.key(state)] = value;
        return value;
    }

    Rational expanded(const State& state, std::size_t depth) {
        Expansion<State> here;
        this->look(state, here);
        if (here.over) return here.goals[0];
        const std::size_t owner = this->owner_;
        const Rationals weights = here.choice(owner)
                                      ? this->probabilities(this->rules_.text(state), here.moves[owner])
                                      : Rationals{Rational(1)};
        std::optional<Rational> best;
        for (std::size_t reply = 0; reply < here.moves[1 - owner].size(); ++reply) {
            Rational mean = 0;
            for (std::size_t own = 0; own < weights.size(); ++own) {
                if (weights[own] == 0) continue;
                Rational over_chance = 0;
                for (std::size_t c = 0; c < here.chances; ++c)
                    over_chance +=
                        of((owner == 0 ? here.at(own, reply, c) : here.at(reply, own, c)).next, depth + 1);
                mean += weights[own] * over_chance / here.chances;
            }
            if (!best || this->better(mean, *best)) best = mean;
        }
        return *best;
    }

    std::unordered_map<Hash128, std::optional<Rational>, LowBitsHash> values_;  // nothing: on the way
};

template <class Rules>
class ByViews : public Follower<Rules> {
public:
    using Follower<Rules>::Follower;
    using State = typename Rules::State;

    Rational run(const State& start) {
        Views views;
        walk(start, views, 1, 0, 0);
        this->require_all_used();
        // An information set is numbered after the sequence before it, so the last ones are complete first.
        for (std::size_t i = sets_.size(); i-- > 0;) {
            const Set& set = sets_[i];
            Rational best = worth_[set.first];
            for (std::size_t m = 1; m < set.moves.size(); ++m) {
                if (this->better(worth_[set.first + m], best)) best = worth_[set.first + m];
            }
            worth_[set.before] += best;
        }
        return worth_.front();
    }

private:
    using Views = std::array<std::string, 2>;
    struct Set {             // an information set of the other role
        std::size_t before;  // the sequence that leads to it
        std::size_t first;   // the sequences that go on from it, one for each move
        std::vector<std::string> moves;
    };

    void walk(const State& state, const Views& views, const Rational& weight, std::size_t sequence,
              std::size_t depth) {
        if (depth > longest_play) refuse_endless(this->rules_.file());
        Expansion<State> here;
        this->look(state, here);
        if (here.over) {
            worth_[sequence] += weight * here.goals[0];
            return;
        }
        const std::size_t owner = this->owner_;
        const std::size_t other = 1 - owner;
        const Rationals weights = this->probabilities(views[owner], here.moves[owner]);
        const std::size_t first =
            here.choice(other) ? find_set(views[other], sequence, here.moves[other]) : 0;
        for (std::size_t own = 0; own < weights.size(); ++own) {
            if (weights[own] == 0) continue;
            const Rational share = weight * weights[own] / here.chances;
            for (std::size_t reply = 0; reply < here.moves[other].size(); ++reply) {
                const std::size_t i = owner == 0 ? own : reply;
                const std::size_t j = owner == 0 ? reply : own;
                for (std::size_t c = 0; c < here.chances; ++c) {
                    const auto& step = here.at(i, j, c);
                    walk(step.next,
                         {longer_view(views[0], here.moves[0][i], step.seen[0]),
                          longer_view(views[1], here.moves[1][j], step.seen[1])},
                         share, here.choice(other) ? first + reply : sequence, depth + 1);
                }
            }
        }
    }

    // Its first sequence.
    std::size_t find_set(const std::string& view, std::size_t before, const std::vector<std::string>& moves) {
        const auto [entry, fresh] = number_.try_emplace(view, sets_.size());
        if (fresh) {
            sets_.push_back({before, worth_.size(), moves});
            worth_.resize(worth_.size() + moves.size());
        }
        const Set& set = sets_[entry->second];
        if (set.before != before || set.moves != moves) {
            throw Error(fmt::format("{} does not know its legal moves after {}",
                                    this->rules_.roles()[1 - this->owner_], view),
                        "let each role see enough to know them");
        }
        return set.first;
    }

    std::unordered_map<std::string, std::size_t> number_;
    std::vector<Set> sets_;
    Rationals worth_ = Rationals(1);  // by sequence of the other role; the first is the empty one
};

template <class Rules>
Verification verify_by(Rules& rules, const Equilibrium& equilibrium, const Limits& limits) {
    Verification result;
    const auto fault = [&](const std::string& reason) { result.fault = {"", reason}; };
    if (equilibrium.roles != rules.roles()) {
        fault("the strategies are those of other roles");
        return result;
    }
    if ((equilibrium.by == Equilibrium::By::views) != rules.hidden()) {
        fault(rules.hidden() ? "moves are hidden, but the strategies go by states"
                             : "everything is seen, but the strategies go by views");
        return result;
    }
    try {
        result.found = guarantees(rules, rules.initial(), equilibrium, limits);
    } catch (const LimitReached& limit) {
        result.stop = limit.stop();
        return result;
    }
    if (result.found.fault) {
        result.fault = result.found.fault;
    } else if (result.found.lower != equilibrium.lower) {
        fault(fmt::format("{} claims to guarantee {}, but a best response leaves it {}", rules.roles()[0],
                          text(equilibrium.lower), text(result.found.lower)));
    } else if (result.found.upper != equilibrium.upper) {
        fault(fmt::format("{} claims to allow {} no more than {}, but a best response gets {}",
                          rules.roles()[1], rules.roles()[0], text(equilibrium.upper),
                          text(result.found.upper)));
    }
    result.valid = !result.fault;
    return result;
}

}  // namespace

template <class Rules>
Guarantees guarantees(Rules& rules, const typename Rules::State& start, const Equilibrium& equilibrium,
                      const Limits& limits) {
    Guarantees found;
    with_deep_stack(longest_play, [&] {
        try {
            for (std::size_t owner = 0; owner < 2; ++owner) {
                Rational& bound = owner == 0 ? found.lower : found.upper;
                bound = equilibrium.by == Equilibrium::By::states
                            ? ByStates<Rules>(rules, equilibrium, owner, limits, found).run(start)
                            : ByViews<Rules>(rules, equilibrium, owner, limits, found).run(start);
            }
        } catch (const Broken& broken) {
            found.fault = broken.fault;
        }
    });
    return found;
}

template Guarantees guarantees(MachineRules&, const MachineRules::State&, const Equilibrium&, const Limits&);
template Guarantees guarantees(ReasonerRules&, const ReasonerRules::State&, const Equilibrium&,
                               const Limits&);

Verification verify(MachineRules& rules, const Equilibrium& equilibrium, const Limits& limits) {
    return verify_by(rules, equilibrium, limits);
}
Verification verify(ReasonerRules& rules, const Equilibrium& equilibrium, const Limits& limits) {
    return verify_by(rules, equilibrium, limits);
}

}  // namespace zermelo::equilibrium
