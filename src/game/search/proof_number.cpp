#include "game/search/proof_number-inl.hpp"
#include "game/views/gdl_walk.hpp"
#include "game/views/model_game.hpp"
#include "game/views/positional_walk.hpp"
#include "game/views/quotient_game.hpp"

namespace zermelo::game {

template class ProofNumberSearch<GdlWalk>;
template class ProofNumberSearch<CompiledWalk>;
template class ProofNumberSearch<PositionalWalk>;
template class ProofNumberSearch<SymmetricWalk>;
template class ProofNumberSearch<Walker<GraphGame>>;
template class ProofNumberSearch<Walker<ModelGame>>;

}  // namespace zermelo::game
