#include "play/random.hpp"

namespace zermelo::play {

MoveId RandomPlayer::think(const std::vector<MoveId>& legal, const Allowance&, Thought&) {
    return legal[random().below(legal.size())];
}

}  // namespace zermelo::play
