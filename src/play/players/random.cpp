#include "play/players/random.hpp"

namespace zermelo::play {

MoveId RandomPlayer::think(const std::vector<MoveId>& legal, const TimeBudget&, Thought&) {
    return legal[random().below(legal.size())];
}

}  // namespace zermelo::play
