// Decisive and anti-decisive moves (Teytaud and Teytaud 2010), compiled into the legality gates of a
// machine: in its playouts nobody overlooks what is certain within two moves.
//
// A move that ends the game with the highest goal of its role is as good as any move can be; one after which
// the opponent has such a move is lost. Both are singleton arc consistency of the action variable under the
// threshold "win": fix the move in the network, and ask whether the goal follows or has become impossible.
// Asking in every state of every playout would be slow, but a fixed move leaves a function of the state
// alone (gdl/circuit/effects.hpp), and this function becomes gates. The result is the network with other
// `legal` signals: where a move wins at once only such moves are legal, and otherwise moves that let the
// opponent win at once are legal only if all are of this kind. It runs wherever a network does, also
// bit-sliced.
//
// Where chance moves between two moves hardly anything is certain. But a move after which chance may let the
// opponent win at once is a risk; the moves without it, where there are some, are `likely`, and random
// playouts choose from them. They stay legal: a risk may be worth it.
//
// Claims are made only in states where the others have no choice; which move they have there is a guess from
// random playouts that the gates check.
//
// Where two opponents mostly move at the same time, nothing is certain, and all moves stay legal. There the others' moves
// are left out: a move that wins by itself, or that the other one's next move by itself does not answer with a win, is `likely`.

#pragma once

#include <memory>

#include "gdl/circuit/machine.hpp"

namespace zermelo::scsp {

struct WinLossFilterOptions {
    unsigned depth = 2;        // 1: decisive moves; 2: also anti-decisive moves; 3: playouts also avoid risks
    bool opposed = false;      // two players with opposite goals; without, the depth is 1
    std::vector<bool> chance;  // by role
    double growth =
        1;  // gates that may be added, as a multiple of the network's: each costs time in every playout
    double seconds = 2;
};

struct WinLossFilter {
    std::unique_ptr<gdl::Machine> machine;  // fluents and moves have the same numbers as before
    unsigned depth = 0;                     // of the filter that fitted the budget
    std::size_t gates = 0;                  // added
};

// The machine is null where the rules are recursive, more than two roles mostly choose at the same time,
// or the budget is too small.
[[nodiscard]] WinLossFilter make_win_loss_filter(const gdl::Machine& machine,
                                                 const WinLossFilterOptions& options);

}  // namespace zermelo::scsp
