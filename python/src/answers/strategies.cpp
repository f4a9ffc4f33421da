// zermelo.Strategy: plans, strategies of models, mixed strategies, policies.

#include "answers/strategy.hpp"

#include <sstream>

#include "long_call.hpp"
#include "zermelo/game.hpp"
#include "zermelo/model.hpp"
#include "zermelo/pictures.hpp"

namespace zermelo::python {

namespace {

constexpr std::size_t most_rows = std::size_t{1} << 20;  // of a table

std::size_t strategies_in(const Certificate& certificate) {
    if (const auto* plans = certificate.as<Plans>()) return plans->size();
    if (const auto* proofs = certificate.as<ThresholdProofs>()) return proofs->size();
    if (certificate.as<equilibrium::Equilibrium>() != nullptr) return 2;
    if (const auto* policies = certificate.as<ChancePolicies>()) return policies->size();
    return certificate.empty() ? 0 : 1;
}

// A policy of a model is a graph; this is its tree: by the values so far, what is decided.
class DecisionTable {
public:
    DecisionTable(const stochastic::StochasticModel& model, const stochastic::Policy& policy)
        : model_(model), policy_(policy) {}

    [[nodiscard]] py::dict from(stochastic::NodeId at) {
        add(at);
        return std::move(all_);
    }

private:
    void add(stochastic::NodeId at) {
        if (at == stochastic::leaf) return;
        const auto& edges = policy_.at(at).edges;
        if (model_.order[values_.size()].decision()) {
            if (all_.size() == most_rows)
                throw Error("the policy has too many plays for a table", "Certificate.data() has all of it");
            all_[py::tuple(py::cast(values_))] = edges.front().values.front();
        }
        for (const stochastic::PolicyEdge& edge : edges) {
            for (const model::Value value : edge.values) {
                values_.push_back(value);
                add(edge.to);
                values_.pop_back();
            }
        }
    }

    const stochastic::StochasticModel& model_;
    const stochastic::Policy& policy_;
    std::vector<model::Value> values_;
    py::dict all_;
};

}  // namespace

std::string StrategyObject::owner() const {
    if (const game::Plan* p = plan())
        return problem().with_game([&](auto& game) { return std::string(game.player_name(p->owner)); });
    if (const auto* strategy = as<strategy::Strategy>())
        return strategy->owner == model::Quantifier::exists ? "∃" : "∀";
    if (const auto* proofs = as<ThresholdProofs>()) return (*proofs)[number_]->claim();
    if (const auto* mixed = as<equilibrium::Equilibrium>()) return mixed->roles[number_];
    if (const auto* policies = as<ChancePolicies>()) {
        const game::ChancePolicy& policy = (*policies)[number_];
        return with_chance_game(problem(),
                                [&](auto& game) { return std::string(game.player_name(policy.player)); });
    }
    return "player 1";
}

std::vector<std::string> StrategyObject::owners() const {
    if (const auto* proofs = as<ThresholdProofs>()) {
        const ThresholdProof& proof = *(*proofs)[number_];
        std::vector<std::string> names;
        for (std::size_t r = 0; r < proof.questions->game().machine().roles(); ++r) {
            if (proof.owned_by(r)) names.push_back(proof.questions->role_name(r));
        }
        return names;
    }
    const auto* policies = as<ChancePolicies>();
    if (policies == nullptr) return {owner()};
    const std::vector<bool>& owned = (*policies)[number_].owners;
    return with_chance_game(problem(), [&](auto& game) {
        std::vector<std::string> names;
        for (std::size_t p = 0; p < owned.size(); ++p) {
            if (owned[p]) names.push_back(game.player_name(static_cast<game::Player>(p)));
        }
        return names;
    });
}

std::size_t StrategyObject::size() const {
    if (const game::Plan* p = plan()) return p->choices.size();
    if (const auto* strategy = as<strategy::Strategy>()) return strategy->size();
    if (const auto* proofs = as<ThresholdProofs>()) return (*proofs)[number_]->strategy.size();
    if (const auto* mixed = as<equilibrium::Equilibrium>()) return mixed->strategies[number_].size();
    if (const auto* policies = as<ChancePolicies>()) return (*policies)[number_].choices.size();
    return as<stochastic::Policy>()->size();
}

Following& StrategyObject::following() {
    if (!following_) {
        auto made = long_call([&] { return make_following(whole_, number_); });
        if (!following_) following_ = std::move(made);  // unless another thread was faster
    }
    return *following_;
}

py::dict StrategyObject::table() const {
    py::dict all;
    if (const auto* mixed = as<equilibrium::Equilibrium>()) {
        for (const auto& [at, mixture] : mixed->strategies[number_]) all[py::str(at)] = mixture_dict(mixture);
    } else if (as<ChancePolicies>() != nullptr) {
        const py::object text =
            from_json(long_call([&] { return to_json_text(problem(), *whole_.certificate); }));
        for (const auto& choice : text["policies"][py::int_(number_)]["choices"])
            all[choice["state"]] = choice["move"];
    } else if (const game::Plan* p = plan()) {
        const game::PlanGraph graph =
            problem().with_game([&](auto& game) { return game::plan_graph_of(game, *p, most_rows); });
        for (const auto& node : graph.nodes) {
            if (node.player == graph.owner)
                all[py::str(node.state)] = py::str(node.edges.front().moves.front());
        }
    } else if (const auto* policy = as<stochastic::Policy>()) {
        all = DecisionTable(*problem().stochastic(), *policy).from(policy->root);
    } else {
        throw Error(std::string("a ") + whole_.certificate->kind() + " has no table",
                    "Certificate.data() has all of it");
    }
    return all;
}

std::string StrategyObject::dot(std::size_t most_nodes) const {
    std::ostringstream out;
    if (const game::Plan* p = plan()) {
        game::PlanGraph graph = problem().with_game([&](auto& game) {
            return nearest_positions(game::plan_graph_of(game, *p, std::size_t{1} << 20), most_nodes);
        });
        if (problem().gdl() != nullptr) {
            const catalogue::Speech speech(catalogue::hints_beside(problem().file()), "en");
            catalogue::show_positions(graph, *problem().gdl(), speech);
        }
        game::write_plan_dot(out, graph);
    } else if (const auto* strategy = as<strategy::Strategy>()) {
        strategy::write_dot(out, *problem().model(), *strategy, {most_nodes});
    } else if (const auto* proofs = as<ThresholdProofs>()) {
        const ThresholdProof& proof = *(*proofs)[number_];
        strategy::write_dot(out, proof.quantified.model, proof.strategy, {most_nodes});
    } else if (const auto* policy = as<stochastic::Policy>()) {
        stochastic::write_dot(out, *problem().stochastic(), *policy, most_nodes);
    } else if (const auto* mixed = as<equilibrium::Equilibrium>()) {
        equilibrium::write_dot(out, *mixed, most_nodes);
    } else {
        throw Error("a policy of a game with chance has no picture", "table() tells what it plays");
    }
    return out.str();
}

py::list strategies_of(const CertificateObject& whole) {
    py::list all;
    for (std::size_t i = 0; i < strategies_in(*whole.certificate); ++i) all.append(StrategyObject(whole, i));
    return all;
}

void bind_strategies(py::module_& module) {
    py::class_<StrategyObject>(module, "Strategy", "How somebody plays, as far as a certificate says.")
        .def_property_readonly("problem", &StrategyObject::rules, "The rules that it is for.")
        .def_property_readonly("owner", &StrategyObject::owner, "Who plays so, or what it shows.")
        .def_property_readonly("owners", &StrategyObject::owners, "All whose moves it fixes.")
        .def_property_readonly("promise", &StrategyObject::promise,
                               "What a plan guarantees its owner, 0 to 100; None for others.")
        .def("__len__", &StrategyObject::size)
        .def("move", &StrategyObject::move, py::arg("state"),
             "What the owner plays in a state, or None where it is not on turn or never comes there.\n\n"
             "The state is a State of the game, or the name or number of a state of a graph. For a model: "
             "given the\n"
             "values of the variables so far, as a dictionary, the next variable and its value. Where the "
             "owner mixes,\n"
             "the move is drawn by Python's module random.")
        .def("mixture", &StrategyObject::mixture, py::arg("state"),
             "The probability of each move, as a fraction; empty where move() would be None.")
        .def("table", &StrategyObject::table,
             "By state or information set, what the owner plays: a move, or the probability of each move.\n\n"
             "For a model with chance: by the values so far, in the order of the play, what is decided.")
        .def("dot", &StrategyObject::dot, py::arg("most_nodes") = 300,
             "A picture in the language of Graphviz.");
}

}  // namespace zermelo::python
