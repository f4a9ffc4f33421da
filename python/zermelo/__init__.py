"""Zermelo: finite games, solved, certified and played.

    >>> import zermelo
    >>> game = zermelo.load("tic-tac-toe")
    >>> zermelo.solve(game).outcome
    'drawn'

`load` reads a game or a model, `solve` says who wins, `verify` checks the certificate, `analyse` tells what moves are
worth. `Game.initial_state` steps through plays, `Game.batch` through many at once. See docs/python.md.
"""

from __future__ import annotations

from . import models, openspiel, pictures
from ._zermelo import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    Batch,
    Certificate,
    Game,
    Network,
    Problem,
    State,
    Strategy,
    __version__,
)
from .arena import Deadline, Player, PlayerServer, Tournament, match, player, players, tournament
from .errors import Error, LimitReached
from .games import games, load, parse
from .models import Model, StochasticModel
from .solving import Report, Verdict, analyse, load_certificate, solve, verify
from .strategies import StrategyArrays

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Batch",
    "Certificate",
    "Deadline",
    "Error",
    "Game",
    "LimitReached",
    "Model",
    "Network",
    "Player",
    "PlayerServer",
    "Problem",
    "Report",
    "State",
    "StochasticModel",
    "Strategy",
    "StrategyArrays",
    "Tournament",
    "Verdict",
    "__version__",
    "analyse",
    "games",
    "load",
    "load_certificate",
    "match",
    "models",
    "openspiel",
    "parse",
    "pictures",
    "player",
    "players",
    "solve",
    "tournament",
    "verify",
]
