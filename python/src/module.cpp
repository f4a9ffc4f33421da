// The extension zermelo._zermelo. What users see is the package around it.

#include "module.hpp"

#include "networks.hpp"
#include "zermelo/version.hpp"

PYBIND11_MODULE(_zermelo, module) {
    using namespace zermelo::python;
    module.doc() = "The extension behind the package zermelo.";
    module.attr("__version__") = ZERMELO_VERSION;
    bind_errors(module);
    bind_problems(module);
    bind_games(module);
    bind_states(module);
    bind_batches(module);
    bind_certificates(module);
    bind_solving(module);
    bind_models(module);
    bind_chance_models(module);
    bind_players(module);
    bind_tournaments(module);
    bind_protocol(module);
    bind_networks(module);
}
