#include "game/graph/graph.hpp"
#include "game/heuristic/learned.hpp"
#include "game/search/alphabeta-inl.hpp"
#include "game/views/gdl_game.hpp"
#include "game/views/gdl_walk.hpp"

namespace zermelo::game {

template class AlphaBeta<GdlWalk, OnState<LearnedHeuristic>>;
template class AlphaBeta<Walker<GdlGame>, OnState<StateHeuristic>>;
template class AlphaBeta<Walker<GdlGame>, ZeroHeuristic>;
template class AlphaBeta<Walker<GraphGame>, ZeroHeuristic>;

}  // namespace zermelo::game
