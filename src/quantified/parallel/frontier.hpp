// Frontier: where a search that is a part of a larger one begins and ends.
//
// A part begins behind a line of moves and has the verdict of the position there. It ends at positions that
// are known already, and at positions that are open and become parts of their own; the latter are listed. A
// position before a block is named by its residual key, as in the table of goods, and one within a block by
// that and the choices since. Without a table, all are named by their moves.

#pragma once

#include <unordered_map>
#include <unordered_set>

#include "core/distributed_search.hpp"
#include "quantified/goods.hpp"

namespace zermelo::quantified {

struct Frontier {
    Hash128 question;       // names the position without moves
    bool one_move = false;  // the search ends behind the first variable that has several values
    // Otherwise it goes through these positions, and ends behind them.
    std::unordered_set<Hash128, LowBitsHash> inner;
    std::unordered_map<Hash128, Goods::Entry, LowBitsHash> known;
    // Found by the search: who chooses first, whether a choice that is not open is enough, and those that
    // are.
    bool ours = true;
    bool enough = false;
    std::vector<Split::Branch> open;

    // Some moves after a position that has a name.
    [[nodiscard]] static Hash128 name_of(const Hash128& position, const Line& moves) {
        if (moves.empty()) return position;
        Hasher hasher;
        hasher.add(position);
        for (const auto move : moves) hasher.add(static_cast<std::uint64_t>(move));
        return hasher.value();
    }
};

}  // namespace zermelo::quantified
