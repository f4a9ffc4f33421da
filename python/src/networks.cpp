// zermelo.Network: one turn of a game as a stochastic constraint network.

#include "networks.hpp"

#include "game.hpp"
#include "long_call.hpp"
#include "zermelo/network.hpp"

#include <sstream>

namespace zermelo::python {

namespace {

struct NetworkObject {
    std::shared_ptr<GameObject> game;  // which the network refers to
    scsp::MicroScsp network;
};

std::unique_ptr<NetworkObject> network_of(const std::shared_ptr<GameObject>& game,
                                          const std::optional<StateObject>& state,
                                          std::optional<double> seconds) {
    if (state && state->game != game)
        throw Error("the state belongs to another game", "give a state of the game itself");
    const Limits limits = limits_of(seconds, std::nullopt);
    scsp::MicroScsp made = long_call([&] {
        scsp::MutexGroupsOptions proving;
        proving.limits = limits;
        scsp::MicroScspOptions how;
        how.limits = limits;
        scsp::MicroScsp network =
            scsp::make_micro_scsp(game->game(), scsp::find_mutex_groups(game->machine(), proving), how);
        if (state) network.load(state->at->state);
        scsp::PreprocessOptions steps;
        steps.limits = limits;
        (void)scsp::preprocess(network, steps);
        return network;
    });
    return std::make_unique<NetworkObject>(NetworkObject{game, std::move(made)});
}

}  // namespace

void bind_networks(py::module_& module) {
    py::class_<NetworkObject>(module, "Network",
                              "One turn of a game as a stochastic constraint network, preprocessed.")
        .def_property_readonly(
            "variables", [](const NetworkObject& self) { return self.network.variables.size(); },
            "How many there are.")
        .def_property_readonly(
            "constraints", [](const NetworkObject& self) { return self.network.constraints.size(); },
            "How many there are.")
        .def(
            "dot",
            [](const NetworkObject& self) {
                std::ostringstream out;
                scsp::write_dot(out, self.network);
                return out.str();
            },
            "A picture in the language of Graphviz: circles for variables, boxes for constraints.")
        .def("__str__", [](const NetworkObject& self) {
            std::ostringstream out;
            scsp::print(out, self.network);
            return out.str();
        });
    module.def("_network", &network_of, py::arg("game"), py::arg("state"), py::arg("seconds"));
}

}  // namespace zermelo::python
