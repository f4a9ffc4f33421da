"""Tabular value iteration on a game that is solved as well: both find the same values.

The states of a small game are listed by stepping through it, and their values are computed from those of their
successors, again and again, until nothing changes.
"""

from __future__ import annotations

from typing import Dict, List

import zermelo


def reachable(game: zermelo.Game) -> Dict[zermelo.State, List[zermelo.State]]:
    """Every state with its successors."""
    found: Dict[zermelo.State, List[zermelo.State]] = {}
    waiting = [game.initial_state()]
    while waiting:
        state = waiting.pop()
        if state in found:
            continue
        found[state] = []
        for action in state.legal_actions():
            successor = state.clone()
            successor.apply(action)
            found[state].append(successor)
        waiting += found[state]
    return found


def value_iteration(successors: Dict[zermelo.State, List[zermelo.State]]) -> Dict[zermelo.State, float]:
    """What the first player gets from each state, in a game for two who take turns."""
    values = {state: state.returns()[0] if state.is_terminal() else 50.0 for state in successors}
    changed = True
    while changed:
        changed = False
        for state, following in successors.items():
            if not following:
                continue
            best = max if state.current_player() == 0 else min
            value = best(values[successor] for successor in following)
            changed = changed or value != values[state]
            values[state] = value
    return values


def main() -> None:
    game = zermelo.load("tic-tac-toe")
    values = value_iteration(reachable(game))
    start = game.initial_state()
    print(f"{len(values)} states; the first player gets {values[start]:g}, solve() says {zermelo.solve(game).value:g}")
    assert values[start] == zermelo.solve(game).value
    for state in list(values)[:: len(values) // 10]:
        if not state.is_terminal():
            assert zermelo.analyse(state).value == values[state]


if __name__ == "__main__":
    main()
