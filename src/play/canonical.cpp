#include "play/canonical.hpp"

#include <algorithm>

namespace zermelo::play {

Canonical::Canonical(const Rules& rules, const Limits& limits)
    : symmetries_(symmetry::symmetries(rules.machine().network(), most_symmetries, limits)) {
    for (const symmetry::Symmetry& one : symmetries_) {
        symmetry::Symmetry& inverse = inverse_.emplace_back();
        for (const auto& moves : one.move) {
            auto& back = inverse.move.emplace_back(moves.size());
            for (MoveId move = 0; move < moves.size(); ++move) back[moves[move]] = move;
        }
    }
}

Canonical::Turn Canonical::turn(State& state) const {
    Turn best = 0;
    State least = state;
    for (std::size_t i = 0; i < symmetries_.size(); ++i) {
        State image = symmetry::image(symmetries_[i], state);
        if (image >= least) continue;
        least = std::move(image);
        best = static_cast<Turn>(i + 1);
    }
    state = std::move(least);
    return best;
}

void Canonical::turn(Turn by, std::size_t role, std::vector<MoveId>& moves) const {
    if (by == 0) return;
    for (MoveId& move : moves) move = symmetries_[by - 1U].move[role][move];
    std::sort(moves.begin(), moves.end());
}

MoveId Canonical::back(Turn by, std::size_t role, MoveId move) const {
    return by == 0 ? move : inverse_[by - 1U].move[role][move];
}

}  // namespace zermelo::play
