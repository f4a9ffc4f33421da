"""What the tests share: shipped games, random plays."""

from __future__ import annotations

import random
from typing import Iterator, List

import pytest
import zermelo

#: Steps after which tests leave a play that may go on for much longer.
LONGEST_PLAY = 600


def random_move(state: zermelo.State, draw: random.Random) -> object:
    """A legal move, or one of each player where several have a choice."""
    if state.current_player() != zermelo.SIMULTANEOUS:
        return draw.choice(state.legal_actions())
    return {role: draw.choice(state.legal_actions(role)) for role in state.game.roles}


def play(state: zermelo.State, draw: random.Random, most: int = 200) -> Iterator[zermelo.State]:
    """The states of a random play, the first one first."""
    yield state
    for _ in range(most):
        if state.is_terminal():
            return
        state.apply(random_move(state, draw))
        yield state


def names(kind: str = "gdl") -> List[str]:
    return [game["name"] for game in zermelo.games(kind=kind)]


@pytest.fixture(scope="session")
def tic_tac_toe() -> zermelo.Game:
    return zermelo.load("tic-tac-toe")


@pytest.fixture(scope="session")
def kuhn() -> zermelo.Game:
    return zermelo.load("kuhn-poker")
