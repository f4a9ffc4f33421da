// Pictures of plans: what the nodes of a game in GDL show, before they are drawn (game/strategy/graph.hpp).
//
// A node shows its position as a small board where one is recognised, with what the move before has changed marked;
// otherwise the facts that this move has made true. Forced moves are nobody's decision, so they belong to whoever really
// moves. Moves are said in words.

#pragma once

#include "catalogue/speech.hpp"
#include "game/strategy/graph.hpp"
#include "gdl/game.hpp"

namespace zermelo::catalogue {

void show_positions(game::PlanGraph& plan, const gdl::Game& game, const Speech& speech);

}  // namespace zermelo::catalogue
