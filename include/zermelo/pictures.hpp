// Pictures in DOT, the language of Graphviz: of strategies, plans, policies, equilibria and graphs.

#pragma once

#include "catalogue/plan_picture.hpp"
#include "equilibrium/file.hpp"
#include "game/graph/graph.hpp"
#include "game/strategy/graph.hpp"
#include "stochastic/format/policy_file.hpp"
#include "strategy/format/dot.hpp"
