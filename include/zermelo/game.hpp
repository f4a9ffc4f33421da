// The forward view of games: the Game concept, graphs, attractors, and games in GDL or models seen that way.

#pragma once

#include "game/chance/follow.hpp"
#include "game/game.hpp"
#include "game/graph/attractor.hpp"
#include "game/graph/graph.hpp"
#include "game/graph/regions.hpp"
#include "game/graph/values.hpp"
#include "game/solve.hpp"
#include "game/strategy/follow.hpp"
#include "game/views/belief_game.hpp"
#include "game/views/gdl_game.hpp"
#include "game/views/model_game.hpp"
