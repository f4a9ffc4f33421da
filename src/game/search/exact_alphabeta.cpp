#include "game/search/exact_alphabeta-inl.hpp"
#include "game/views/gdl_walk.hpp"
#include "game/views/model_game.hpp"
#include "game/views/positional_walk.hpp"
#include "game/views/quotient_game.hpp"

namespace zermelo::game {

template class ExactAlphaBeta<GdlWalk>;
template class ExactAlphaBeta<CompiledWalk>;
template class ExactAlphaBeta<PositionalWalk>;
template class ExactAlphaBeta<SymmetricWalk>;
template class ExactAlphaBeta<Walker<GraphGame>>;
template class ExactAlphaBeta<Walker<ModelGame>>;

}  // namespace zermelo::game
