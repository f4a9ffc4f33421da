"""What strategies say, as arrays of NumPy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

from ._zermelo import Game, Strategy

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class StrategyArrays(NamedTuple):
    """What Strategy.table() says, in arrays with a row for each of its keys."""

    keys: List[Any]
    #: Moves by their numbers; in games in GDL, those of ``game.actions``.
    moves: List[Any]
    #: By row, the numbers of the moves that are played, likely ones first; -1 after the last.
    actions: "npt.NDArray[np.int32]"
    #: By row, how likely each of them is.
    probabilities: "npt.NDArray[np.float64]"
    #: By row, what State.tensor() says, where the keys are states of a game in GDL.
    states: "Optional[npt.NDArray[np.float32]]"


def _facts(key: str) -> List[str]:
    """The facts of a state, from its name; of the first one that is possible, where several are."""
    facts, depth = [""], 0
    for sign in re.sub(r"^\d+ × ", "", key.split(" | ")[0]):
        depth += (sign == "(") - (sign == ")")
        if sign == " " and depth == 0:
            facts.append("")
        else:
            facts[-1] += sign
    return facts


def _states(game: Game, keys: List[str]) -> "Optional[npt.NDArray[np.float32]]":
    import numpy as np

    place = {fluent: i for i, fluent in enumerate(game.fluents)}
    states = np.zeros((len(keys), len(place)), np.float32)
    for row, key in enumerate(keys):
        facts = _facts(key)
        if " | " in key or not all(fact in place for fact in facts):
            return None
        states[row, [place[fact] for fact in facts]] = 1
    return states


def _roles(strategy: Strategy, game: Game, keys: List[str]) -> List[str]:
    """By key, who moves."""
    if len(strategy.owners) == 1:
        return strategy.owners * len(keys)
    return [game.players[game.state(_facts(key)).current_player()] for key in keys]


def _arrays(self: Strategy) -> StrategyArrays:
    """The table as arrays of NumPy: by row, the moves and their probabilities."""
    import numpy as np

    table = self.table()
    keys, game = list(table), self.problem
    played: List[Dict[Any, Any]] = [says if isinstance(says, dict) else {says: 1} for says in table.values()]
    if isinstance(game, Game):
        moves: List[Any] = [move for _, move in game.actions]
        number: Dict[Tuple[str, Any], int] = {action: i for i, action in enumerate(game.actions)}
        roles = _roles(self, game, keys)
    else:
        moves = sorted({move for row in played for move in row})
        number = {("", move): i for i, move in enumerate(moves)}
        roles = [""] * len(keys)
    most = max(map(len, played), default=0)
    actions = np.full((len(keys), most), -1, np.int32)
    probabilities = np.zeros((len(keys), most))
    for row, (role, mixture) in enumerate(zip(roles, played)):
        for place, (move, likely) in enumerate(sorted(mixture.items(), key=lambda one: -float(one[1]))):
            actions[row, place] = number[role, move]
            probabilities[row, place] = likely
    states = _states(game, keys) if isinstance(game, Game) else None
    return StrategyArrays(keys, moves, actions, probabilities, states)


setattr(Strategy, "arrays", _arrays)
__all__ = ["StrategyArrays"]
