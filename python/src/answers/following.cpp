#include "answers/following.hpp"

#include <fmt/ranges.h>

#include "long_call.hpp"
#include "zermelo/game.hpp"
#include "zermelo/model.hpp"

namespace zermelo::python {

namespace {

const StateObject& state_of_game(const py::object& state) {
    if (py::isinstance<StateObject>(state)) return state.cast<const StateObject&>();
    throw Error("this is no state of a game", "give a zermelo.State");
}

py::dict values_so_far(const py::object& state) {
    if (py::isinstance<py::dict>(state)) return state.cast<py::dict>();
    throw Error("these are no values of variables", "give a dictionary of the values so far");
}

[[noreturn]] void refuse_value(const std::string& variable, model::Value value,
                               const std::vector<model::Value>& legal) {
    throw Error(fmt::format("{} may not be {} here", variable, value),
                fmt::format("choose from {}", fmt::join(legal, ", ")));
}

// States of games in GDL. Those of another copy of the game are known by their facts and the names of moves.
class GdlFollowing : public Following {
public:
    explicit GdlFollowing(const CertificateObject& whole)
        : own_(std::dynamic_pointer_cast<GameObject>(whole.problem)) {}

    [[nodiscard]] py::object move(const py::object& state) final {
        const auto found = play(state_of_game(state));
        return found ? py::object(py::str(*found)) : py::none();
    }

protected:
    [[nodiscard]] virtual std::optional<std::string> play(const StateObject& state) = 0;

    [[nodiscard]] GameObject& own() const { return *own_; }
    [[nodiscard]] const gdl::Game& game() const { return own_->game(); }
    [[nodiscard]] gdl::State here(const StateObject& state) const {
        if (state.game == own_) return state.at->state;
        return own_->state_of(state.game->game().facts(state.at->state));
    }
    // The joint moves that led there.
    [[nodiscard]] std::vector<gdl::JointMove> past(const StateObject& state) const;

private:
    std::shared_ptr<GameObject> own_;
};

std::vector<gdl::JointMove> GdlFollowing::past(const StateObject& state) const {
    std::vector<gdl::JointMove> moves;
    const Node* node = state.at.get();
    for (; node->parent != nullptr; node = node->parent.get()) {
        gdl::JointMove& joint = moves.emplace_back(node->joint);
        for (std::size_t r = 0; r < joint.size() && state.game != own_; ++r)
            joint[r] = move_of(*own_, r, py::str(state.game->name(r, joint[r])));
    }
    if (node->state != state.game->initial()->state)
        throw Error("the state has no past", "reach it from initial_state() by apply()");
    std::ranges::reverse(moves);
    return moves;
}

class GdlPlan : public GdlFollowing {
public:
    GdlPlan(const CertificateObject& whole, const game::Plan& plan)
        : GdlFollowing(whole), game_(game()), follower_(game_, plan) {}

protected:
    [[nodiscard]] std::optional<std::string> play(const StateObject& state) override {
        const gdl::State at = here(state);
        const auto move = follower_.move(at);
        if (!move) return std::nullopt;
        game_.look(at);
        return game_.move_name(*move);
    }

private:
    game::GdlGame game_;
    game::PlanFollower<game::GdlGame> follower_;
};

// A policy tells what to do in a belief; where everything is seen, that is a single state.
class GdlPolicy : public GdlFollowing {
public:
    GdlPolicy(const CertificateObject& whole, const game::ChancePolicy& policy)
        : GdlFollowing(whole),
          rules_(game()),
          game_(game()),
          follower_(game_, policy),
          role_(game_.role_of(policy.player)) {}

protected:
    [[nodiscard]] std::optional<std::string> play(const StateObject& state) override {
        const auto at = belief(state);
        if (!at) return std::nullopt;
        const auto move = follower_.move(*at);
        if (!move) return std::nullopt;
        game_.look(*at);
        return game_.move_name(*move);
    }

private:
    using Belief = game::ChanceGame::State;

    [[nodiscard]] std::optional<Belief> belief(const StateObject& state) {
        if (!rules_.percepts_stated()) return Belief{{{here(state), 1}}};
        Belief at = game_.initial();
        gdl::State walked = rules_.initial();
        std::vector<std::size_t> moves;
        for (gdl::JointMove& joint : past(state)) {
            game::ChanceGame::Seen seen{role_, false, std::move(joint), {}};
            rules_.load(walked);
            rules_.play(seen.joint);
            rules_.percepts(role_, seen.percepts);
            rules_.next(walked);
            Belief next;
            if (!game_.follow(at, seen, next, moves)) return std::nullopt;  // the play is over
            at = std::move(next);
        }
        return at;
    }

    game::MachineRules rules_;
    game::ChanceGame game_;
    game::PolicyFollower<game::ChanceGame> follower_;
    std::size_t role_;
};

// The answer to a threshold question: a strategy of the quantified model that the game became.
class GdlThreshold : public GdlFollowing {
public:
    GdlThreshold(const CertificateObject& whole, const ThresholdProof& proof)
        : GdlFollowing(whole), proof_(proof), structure_(model::analyse(proof.quantified.model)) {}

protected:
    [[nodiscard]] std::optional<std::string> play(const StateObject& state) override {
        const auto made = past(state);
        const auto& numbers = proof_.questions->numbers();
        strategy::Follower follower(proof_.quantified.model, structure_, proof_.strategy);
        while (const auto variable = follower.turn()) {
            const auto* turn = proof_.quantified.turn_of(*variable);
            if (turn == nullptr || turn->step > made.size() + 1) break;
            const bool owned = follower.owners_turn(*variable);
            if (turn->step == made.size() + 1) {
                const auto& look = state.game->look(state.at);
                if (!owned || look.over || look.mover != turn->role) break;
                return numbers.text(turn->role, follower.move(*variable));
            }
            const auto value = numbers.value(turn->role, made[turn->step - 1][turn->role]);
            if (owned && !follower.leaves_open(*variable) && value != follower.move(*variable)) break;
            follower.play(*variable, value);
        }
        return std::nullopt;
    }

private:
    const ThresholdProof& proof_;
    model::Structure structure_;
};

// Draws from the mixture of what the player knows.
class GdlMixture : public GdlFollowing {
public:
    GdlMixture(const CertificateObject& whole, const equilibrium::Equilibrium& all, std::size_t player)
        : GdlFollowing(whole), all_(all), player_(player), rules_(game()) {}

    [[nodiscard]] py::dict mixture(const py::object& state) override {
        const auto& strategy = all_.strategies[player_];
        const auto found = strategy.find(information_set(state_of_game(state)));
        return found == strategy.end() ? py::dict() : mixture_dict(found->second);
    }

protected:
    [[nodiscard]] std::optional<std::string> play(const StateObject& state) override {
        const py::dict moves = mixture(py::cast(state));
        if (moves.empty()) return std::nullopt;
        const py::object drawn = py::module_::import("random").attr("choices")(
            py::list(moves.attr("keys")()), py::list(moves.attr("values")()));
        return drawn[py::int_(0)].cast<std::string>();
    }

private:
    // As equilibria name it.
    [[nodiscard]] std::string information_set(const StateObject& state) {
        if (all_.by == equilibrium::Equilibrium::By::states) return rules_.text(here(state));
        std::string view;
        gdl::State walked = rules_.initial();
        for (const gdl::JointMove& joint : past(state)) {
            auto step = rules_.step(walked, joint);
            const gdl::MoveId move = joint[rules_.seats().players[player_]];
            view = equilibrium::longer_view(view, rules_.move_text(player_, move), step.seen[player_]);
            walked = std::move(step.next);
        }
        return view;
    }

    const equilibrium::Equilibrium& all_;
    std::size_t player_;
    equilibrium::MachineRules rules_;
};

// Plans and policies of explicit graphs. States are given by name or number.
template <class Follower>
class GraphFollowing : public Following {
public:
    template <class Strategy>
    GraphFollowing(const game::Graph& graph, const Strategy& strategy)
        : graph_(graph), game_(graph), follower_(game_, strategy) {
        for (game::StateId s = 0; s < graph.states(); ++s) states_.emplace(graph.name(s), s);
    }

    [[nodiscard]] py::object move(const py::object& state) override {
        const game::StateId at = find(state);
        const auto move = follower_.move(at);
        if (!move) return py::none();
        game_.look(at);
        return py::str(game_.move_name(*move));
    }

private:
    [[nodiscard]] game::StateId find(const py::object& state) const {
        if (py::isinstance<py::int_>(state)) {
            const auto number = state.cast<std::int64_t>();
            if (number >= 0 && static_cast<std::size_t>(number) < graph_.states())
                return static_cast<game::StateId>(number);
        }
        const auto found = states_.find(py::str(state));
        if (found != states_.end()) return found->second;
        throw Error("the graph has no state " + std::string(py::str(state)),
                    "give the name of a state, or its number");
    }

    const game::Graph& graph_;
    game::GraphGame game_;
    Follower follower_;
    std::unordered_map<std::string, game::StateId> states_;  // by name
};

// Strategies of quantified models, from the search for them.
class ModelStrategy : public Following {
public:
    ModelStrategy(const model::Model& model, const strategy::Strategy& strategy)
        : model_(model), structure_(model::analyse(model)), strategy_(strategy) {}

    [[nodiscard]] py::object move(const py::object& state) override {
        const py::dict values = values_so_far(state);
        strategy::Follower follower(model_, structure_, strategy_);
        while (const auto variable = follower.turn()) {
            const py::str name(model_.name_of(*variable));
            const bool owned = follower.owners_turn(*variable);
            if (!values.contains(name))
                return owned ? py::object(py::make_tuple(name, follower.move(*variable))) : py::none();
            const auto value = values[name].cast<model::Value>();
            const auto legal = follower.legal(*variable);
            if (std::ranges::find(legal, value) == legal.end()) refuse_value(name, value, legal);
            if (owned && !follower.leaves_open(*variable) && value != follower.move(*variable)) break;
            follower.play(*variable, value);
        }
        return py::none();
    }

private:
    const model::Model& model_;
    model::Structure structure_;
    const strategy::Strategy& strategy_;
};

// Plans of quantified models, from their forward view.
class ModelPlan : public Following {
public:
    ModelPlan(const model::Model& model, const game::Plan& plan)
        : model_(model), structure_(model::analyse(model)), game_(model), follower_(game_, plan) {}

    [[nodiscard]] py::object move(const py::object& state) override {
        const py::dict values = values_so_far(state);
        game::ModelGame::State at = game_.initial();
        for (const model::Block& block : structure_.prefix) {
            for (const model::VarId variable : block.variables) {
                const py::str name(model_.name_of(variable));
                game_.look(at);
                const auto next = options();
                if (!values.contains(name)) {
                    const auto move = follower_.move(at);
                    return move ? py::object(py::make_tuple(name, next[*move])) : py::none();
                }
                const auto value = values[name].cast<model::Value>();
                if (std::ranges::find(next, value) == next.end()) refuse_value(name, value, next);
                at.push_back(value);
            }
        }
        return py::none();
    }

private:
    // By move, the value that it gives to the next variable.
    [[nodiscard]] std::vector<model::Value> options() const {
        std::vector<model::Value> values;
        game::ModelGame::State after;
        for (std::size_t m = 0; m < game_.moves(); ++m) {
            game_.successor(m, after);
            values.push_back(after.back());
        }
        return values;
    }

    const model::Model& model_;
    model::Structure structure_;
    game::ModelGame game_;
    game::PlanFollower<game::ModelGame> follower_;
};

// Policies of models with chance.
class ModelPolicy : public Following {
public:
    ModelPolicy(const stochastic::StochasticModel& model, const stochastic::Policy& policy)
        : model_(model), policy_(policy) {}

    [[nodiscard]] py::object move(const py::object& state) override {
        const py::dict values = values_so_far(state);
        stochastic::NodeId at = policy_.root;
        for (const stochastic::Turn& turn : model_.order) {
            const auto& edges = policy_.at(at).edges;
            const py::str name(model_.model.name_of(turn.variable));
            if (!values.contains(name)) {
                if (!turn.decision()) break;
                return py::make_tuple(name, edges.front().values.front());
            }
            const auto value = values[name].cast<model::Value>();
            const auto edge = std::ranges::find_if(edges, [&](const stochastic::PolicyEdge& one) {
                return std::ranges::binary_search(one.values, value);
            });
            if (edge == edges.end()) break;
            at = edge->to;
        }
        return py::none();
    }

private:
    const stochastic::StochasticModel& model_;
    const stochastic::Policy& policy_;
};

std::unique_ptr<Following> follow_plan(const CertificateObject& whole, const game::Plan& plan) {
    const Problem& problem = whole.problem->problem;
    if (problem.gdl() != nullptr) return std::make_unique<GdlPlan>(whole, plan);
    if (problem.graph() != nullptr)
        return std::make_unique<GraphFollowing<game::PlanFollower<game::GraphGame>>>(*problem.graph(), plan);
    return std::make_unique<ModelPlan>(*problem.model(), plan);
}

std::unique_ptr<Following> follow_policy(const CertificateObject& whole, const game::ChancePolicy& policy) {
    const Problem& problem = whole.problem->problem;
    if (problem.gdl() != nullptr) return std::make_unique<GdlPolicy>(whole, policy);
    return std::make_unique<GraphFollowing<game::PolicyFollower<game::GraphGame>>>(*problem.graph(), policy);
}

}  // namespace

py::dict Following::mixture(const py::object& state) {
    py::dict all;
    const py::object found = move(state);
    if (!found.is_none()) all[found] = fraction(1);
    return all;
}

std::unique_ptr<Following> make_following(const CertificateObject& whole, std::size_t number) {
    const Problem& problem = whole.problem->problem;
    const Certificate& proof = *whole.certificate;
    if (const auto* plans = proof.as<Plans>()) return follow_plan(whole, (*plans)[number]);
    if (const auto* policies = proof.as<ChancePolicies>()) return follow_policy(whole, (*policies)[number]);
    if (const auto* proofs = proof.as<ThresholdProofs>())
        return std::make_unique<GdlThreshold>(whole, *(*proofs)[number]);
    if (const auto* mixed = proof.as<equilibrium::Equilibrium>())
        return std::make_unique<GdlMixture>(whole, *mixed, number);
    if (const auto* policy = proof.as<stochastic::Policy>())
        return std::make_unique<ModelPolicy>(*problem.stochastic(), *policy);
    return std::make_unique<ModelStrategy>(*problem.model(), *proof.as<strategy::Strategy>());
}

}  // namespace zermelo::python
