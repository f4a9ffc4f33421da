// zermelo.Certificate and the strategies in it: plans, strategies of models, mixed strategies, policies.

#include "certificate.hpp"

#include <fmt/ranges.h>

#include <sstream>

#include "long_call.hpp"
#include "zermelo/game.hpp"
#include "zermelo/model.hpp"
#include "zermelo/pictures.hpp"

namespace zermelo::python {

namespace {

// A part of a certificate that tells how somebody plays. What is needed to follow it is worked out at the first move.
class StrategyObject {
public:
    StrategyObject(CertificateObject whole, std::size_t number) : whole_(std::move(whole)), number_(number) {}

    [[nodiscard]] std::string owner() const;
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::optional<int> promise() const {
        return plan() != nullptr ? std::optional(plan()->promise) : std::nullopt;
    }
    [[nodiscard]] py::object move(const py::object& state);
    [[nodiscard]] py::dict mixture(const StateObject& state) const;
    [[nodiscard]] py::dict table() const;
    [[nodiscard]] std::string dot(std::size_t most_nodes) const;

private:
    using GdlFollower = game::PlanFollower<game::GdlGame>;

    [[nodiscard]] const Problem& problem() const { return whole_.problem->problem; }
    template <class T>
    [[nodiscard]] const T* as() const {
        return whole_.certificate->as<T>();
    }
    [[nodiscard]] const game::Plan* plan() const {
        return as<Plans>() != nullptr ? &(*as<Plans>())[number_] : nullptr;
    }
    [[nodiscard]] py::object plan_move(const StateObject& state);
    [[nodiscard]] py::object model_move(const py::dict& values) const;
    [[nodiscard]] std::string information_set(const StateObject& state) const;

    CertificateObject whole_;
    std::size_t number_;
    std::unique_ptr<game::GdlGame> game_;
    std::unique_ptr<GdlFollower> follower_;
};

std::size_t strategies_in(const Certificate& certificate) {
    if (const auto* plans = certificate.as<Plans>()) return plans->size();
    if (const auto* proofs = certificate.as<ThresholdProofs>()) return proofs->size();
    if (certificate.as<equilibrium::Equilibrium>() != nullptr) return 2;
    if (const auto* policies = certificate.as<ChancePolicies>()) return policies->size();
    return certificate.empty() ? 0 : 1;
}

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

std::size_t StrategyObject::size() const {
    if (const game::Plan* p = plan()) return p->choices.size();
    if (const auto* strategy = as<strategy::Strategy>()) return strategy->size();
    if (const auto* proofs = as<ThresholdProofs>()) return (*proofs)[number_]->strategy.size();
    if (const auto* mixed = as<equilibrium::Equilibrium>()) return mixed->strategies[number_].size();
    if (const auto* policies = as<ChancePolicies>()) return (*policies)[number_].choices.size();
    return as<stochastic::Policy>()->size();
}

py::object StrategyObject::plan_move(const StateObject& state) {
    if (!follower_) {
        game_ = std::make_unique<game::GdlGame>(*problem().gdl());
        run_long([&] { follower_ = std::make_unique<GdlFollower>(*game_, *plan()); });
    }
    // A state of another copy of the game is known by its facts.
    const bool same = state.game.get() == whole_.problem.get();
    const auto& own = dynamic_cast<const GameObject&>(*whole_.problem);
    const gdl::State here = same ? state.at->state : own.state_of(state.game->game().facts(state.at->state));
    const auto move = follower_->move(here);
    if (!move) return py::none();
    game_->look(here);
    return py::str(game_->move_name(*move));
}

// The values given so far by variable, and what comes next.
py::object StrategyObject::model_move(const py::dict& values) const {
    const model::Model& model = *problem().model();
    const model::Structure structure = model::analyse(model);
    strategy::Follower follower(model, structure, *as<strategy::Strategy>());
    while (const auto variable = follower.turn()) {
        const py::str name(model.name_of(*variable));
        if (!values.contains(name)) {
            if (!follower.owners_turn(*variable)) return py::none();
            return py::make_tuple(name, follower.move(*variable));
        }
        const auto value = values[name].cast<model::Value>();
        const auto legal = follower.legal(*variable);
        if (std::ranges::find(legal, value) == legal.end())
            throw Error(fmt::format("{} may not be {} here", model.name_of(*variable), value),
                        fmt::format("choose from {}", fmt::join(legal, ", ")));
        follower.play(*variable, value);
    }
    return py::none();
}

py::object StrategyObject::move(const py::object& state) {
    if (as<strategy::Strategy>() != nullptr && py::isinstance<py::dict>(state)) return model_move(state);
    if (plan() != nullptr && problem().gdl() != nullptr) return plan_move(state.cast<const StateObject&>());
    throw Error(fmt::format("a {} of this problem has no move for this", whole_.certificate->kind()),
                "plans of games take a state, strategies of models a dictionary of the values so far; "
                "mixture() is for "
                "equilibria, and table() for all others");
}

// What the player of this strategy knows, as equilibria name it.
std::string StrategyObject::information_set(const StateObject& state) const {
    const auto& mixed = *as<equilibrium::Equilibrium>();
    equilibrium::MachineRules rules(state.game->game());
    if (mixed.by == equilibrium::Equilibrium::By::states) return rules.text(state.at->state);
    std::vector<const Node*> past;
    for (const Node* node = state.at.get(); node->parent != nullptr; node = node->parent.get())
        past.push_back(node);
    std::string view;
    for (auto node = past.rbegin(); node != past.rend(); ++node) {
        const auto step = rules.step((*node)->parent->state, (*node)->joint);
        const gdl::MoveId own = (*node)->joint[rules.seats().players[number_]];
        view = equilibrium::longer_view(view, rules.move_text(number_, own), step.seen[number_]);
    }
    return view;
}

py::dict StrategyObject::mixture(const StateObject& state) const {
    const auto* mixed = as<equilibrium::Equilibrium>();
    if (mixed == nullptr) throw Error("this is no mixed strategy", "move() tells what a pure one plays");
    const auto& strategy = mixed->strategies[number_];
    const auto found = strategy.find(information_set(state));
    return found == strategy.end() ? py::dict() : mixture_dict(found->second);
}

// Everything that it says: by information set, state or node.
py::dict StrategyObject::table() const {
    py::dict all;
    if (const auto* mixed = as<equilibrium::Equilibrium>()) {
        for (const auto& [at, mixture] : mixed->strategies[number_]) all[py::str(at)] = mixture_dict(mixture);
        return all;
    }
    if (as<ChancePolicies>() != nullptr) {
        const py::object text =
            from_json(long_call([&] { return to_json_text(problem(), *whole_.certificate); }));
        for (const auto& choice : text["policies"][py::int_(number_)]["choices"])
            all[choice["state"]] = choice["move"];
        return all;
    }
    if (const game::Plan* p = plan()) {
        const game::PlanGraph graph = problem().with_game(
            [&](auto& game) { return game::plan_graph_of(game, *p, std::size_t{1} << 20); });
        for (const auto& node : graph.nodes) {
            if (node.player == graph.owner)
                all[py::str(node.state)] = py::str(node.edges.front().moves.front());
        }
        return all;
    }
    throw Error(fmt::format("a {} has no table", whole_.certificate->kind()),
                "Certificate.data() has all of it");
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

py::list strategies_of(const CertificateObject& self) {
    py::list all;
    for (std::size_t i = 0; i < strategies_in(*self.certificate); ++i) all.append(StrategyObject(self, i));
    return all;
}

py::dict check_certificate(const CertificateObject& self, std::optional<double> seconds,
                           std::optional<std::size_t> memory, const py::object& listener) {
    ProgressReport progress(listener);
    CheckOptions options;
    options.limits = limits_of(seconds, memory);
    options.progress = [&](const std::string& text) { progress.say(text, 0); };
    const Report report =
        long_call([&] { return check(self.problem->problem, *self.certificate, options); }, &progress);
    using namespace py::literals;
    return py::dict("valid"_a = report.valid,
                    "stop"_a = report.stop == Stop::none ? "" : describe(report.stop),
                    "positions"_a = report.positions, "scenarios"_a = report.scenarios,
                    "counterexample"_a = report.counterexample);
}

std::string problem_dot(const ProblemObject& self) {
    if (self.problem.graph() == nullptr)
        throw Error({self.problem.file()}, "only graphs have a picture of their own", "draw its strategies");
    std::ostringstream out;
    game::write_graph_dot(out, *self.problem.graph());
    return out.str();
}

}  // namespace

py::object fraction(const Rational& number) {
    return py::module_::import("fractions").attr("Fraction")(text(number));
}

py::dict mixture_dict(const equilibrium::Mixture& mixture) {
    py::dict all;
    for (const auto& [move, probability] : mixture) all[py::str(move)] = fraction(probability);
    return all;
}

void bind_certificates(py::module_& module) {
    py::class_<CertificateObject>(module, "Certificate", "What proves a verdict.")
        .def_property_readonly("problem", [](const CertificateObject& self) { return self.problem; })
        .def_property_readonly(
            "kind", [](const CertificateObject& self) { return self.certificate->kind(); },
            "strategy, counter-strategy, plan, thresholds, policy or equilibrium.")
        .def("__len__", [](const CertificateObject& self) { return self.certificate->size(); })
        .def("__bool__", [](const CertificateObject& self) { return !self.certificate->empty(); })
        .def_property_readonly("strategies", &strategies_of, "How those play whose play it fixes.")
        .def(
            "save",
            [](const CertificateObject& self, const py::object& file) {
                const std::string name = py::module_::import("os").attr("fspath")(file).cast<std::string>();
                run_long([&] { save(name, self.problem->problem, *self.certificate); });
            },
            py::arg("file"), "Writes a file that `zermelo verify` and Problem.load() read.")
        .def(
            "data",
            [](const CertificateObject& self) {
                return from_json(
                    long_call([&] { return to_json_text(self.problem->problem, *self.certificate); }));
            },
            "All of it, as dictionaries and lists.")
        .def("_check", &check_certificate, py::arg("seconds"), py::arg("memory"), py::arg("progress"));
    py::class_<StrategyObject>(module, "Strategy", "How somebody plays, as far as a certificate says.")
        .def_property_readonly("owner", &StrategyObject::owner, "Who plays so, or what it shows.")
        .def_property_readonly("promise", &StrategyObject::promise,
                               "What a plan guarantees its owner, 0 to 100; None for others.")
        .def("__len__", &StrategyObject::size)
        .def("move", &StrategyObject::move, py::arg("state"),
             "What the owner plays in a state of the game, or None where it is not on turn or never comes "
             "there.\n\n"
             "For a quantified model: given the values of the variables so far, the next variable and its "
             "value.")
        .def("mixture", &StrategyObject::mixture, py::arg("state"),
             "The probability of each move where the owner mixes: empty where it has no choice or never "
             "comes there.")
        .def("table", &StrategyObject::table, "By state or information set, what the owner plays.")
        .def("dot", &StrategyObject::dot, py::arg("most_nodes") = 300,
             "A picture in the language of Graphviz.");
    module.def(
        "_load_certificate",
        [](const std::shared_ptr<ProblemObject>& problem, const std::string& file) {
            auto loaded =
                long_call([&] { return std::make_shared<const Certificate>(load(file, problem->problem)); });
            return CertificateObject{problem, std::move(loaded)};
        },
        py::arg("problem"), py::arg("file"));
    module.def("_problem_dot", &problem_dot, py::arg("problem"));
}

}  // namespace zermelo::python
