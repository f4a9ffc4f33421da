// The bodies of verify.hpp.

#pragma once

#include <fmt/format.h>

#include "game/strategy/verify.hpp"
#include "game/strategy/walk-inl.hpp"

namespace zermelo::game {

// How many plays there are. More than 2^128 - 1 are as many as that.
class ScenarioCount {
public:
    __extension__ using Exact = unsigned __int128;
    static constexpr std::size_t most_counted = std::size_t{1} << 26;  // states, sixteen bytes each

    void enter(bool over) {
        if (counts_.size() == most_counted) too_many_states_ = true;
        if (endless_ || too_many_states_) {
            counts_.clear();
            counts_.shrink_to_fit();
        } else {
            counts_.push_back(over ? 1 : 0);
        }
    }
    void add(std::uint32_t from, std::uint32_t to) {
        if (too_many_states_ || endless_) return;
        const Exact sum = counts_[from] + counts_[to];
        counts_[from] = sum < counts_[to] ? ~Exact{0} : sum;
    }
    void circle() { endless_ = true; }
    [[nodiscard]] std::string text() const;

private:
    std::vector<Exact> counts_;  // by state
    bool endless_ = false;
    bool too_many_states_ = false;
};

namespace plan_verify {

template <Game G>
class Visitor : public Choices {
public:
    Visitor(G& game, const Plan& plan)
        : Choices(plan),
          game_(game),
          plan_(plan),
          endless_pays_(endless_payoff(game.players()) >= plan.promise) {}

    bool enter(std::uint32_t, const typename G::State&, std::uint32_t, std::size_t) {
        const bool over = game_.turn().over();
        count_.enter(over);
        if (!over) return true;
        const int payoff = game_.payoff(plan_.owner);
        if (payoff >= plan_.promise) return true;
        reason_ = fmt::format("{} gets {}, but {} was promised", game_.player_name(plan_.owner), payoff,
                              plan_.promise);
        return false;
    }
    bool meet(std::uint32_t from, std::size_t, std::uint32_t to, bool on_path) {
        if (!on_path) {
            count_.add(from, to);
            return true;
        }
        count_.circle();
        reason_ = "the play can go round in a circle for ever";
        return endless_pays_;
    }

    [[nodiscard]] const std::string& reason() const { return reason_; }
    [[nodiscard]] std::string scenarios() const { return count_.text(); }

private:
    G& game_;
    const Plan& plan_;
    bool endless_pays_;
    ScenarioCount count_;
    std::string reason_;
};

}  // namespace plan_verify

template <Game G>
PlanVerification verify_plan(G& game, const Plan& plan, const Limits& limits) {
    PlanVerification result;
    const auto wrong = [&](const std::vector<std::size_t>& moves, std::string reason) {
        result.counterexample = {move_names(game, moves), std::move(reason)};
    };
    if (plan.owner >= game.players()) {
        wrong({}, fmt::format("the game has no player {}", plan.owner + 1));
        return result;
    }
    using Walk = PlanWalk<G>;
    plan_verify::Visitor<G> visitor(game, plan);
    Walk walk(game, plan.owner, limits);
    const auto end = walk.run(visitor);
    result.positions = walk.positions();
    result.stop = walk.stop();
    switch (end) {
        case Walk::End::refused:
            wrong(walk.path(), visitor.reason());
            break;
        case Walk::End::no_choice:
            wrong(walk.path(), "the plan has no choice for this state");
            break;
        case Walk::End::bad_choice:
            wrong(walk.path(), "the plan chooses a move that does not exist");
            break;
        case Walk::End::limit:
            break;
        case Walk::End::complete:
            if (visitor.left() > 0) {
                wrong({}, fmt::format("{} choices of the plan are not used", visitor.left()));
            } else {
                result.valid = true;
                result.scenarios = visitor.scenarios();
            }
    }
    return result;
}

}  // namespace zermelo::game
