"""Matches and tournaments, between built-in players, players in Python, and players elsewhere.

A built-in player is named as on the command line: ``"uct:playouts=1000"``; :func:`players` lists them with their
settings. A player in Python is an object with ``choose(state, deadline)``, which returns one of ``state.legal_moves()``
(a name, or a number of ``state.legal_actions()``) before ``deadline.left()`` seconds are gone; or a class of such
objects, one of which is made for each match. It may have ``start(state, player, deadline)`` for what it prepares, and a
``name``. It is asked only where it has a choice. In games with hidden moves its state is one of those that agree with all
that it has done and seen, drawn at random. ``"http://host:port"`` is a player that speaks the GGP protocol.
"""

from __future__ import annotations

import atexit
import os
import weakref
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Union

from . import _zermelo
from ._zermelo import Deadline, Game, Player, player, players
from .errors import Error, LimitReached
from .games import load
from .progress import ProgressOption, listener


class PlayerServer(_zermelo.PlayerServer):
    """A player that game managers can reach over HTTP, until it is closed: by the GGP protocol, POST or GET.

    ``port=0`` takes any that is free. It closes itself at the end of a ``with`` block, and of the program.
    """

    def __init__(self, player: Any, **options: Any) -> None:
        super().__init__(player, **options)
        _open.add(self)


_open: "weakref.WeakSet[PlayerServer]" = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for server in list(_open):
        server.close()


@dataclass
class Tournament:
    """What came out of a tournament."""

    #: A dictionary for each seat of each match: pandas.DataFrame(tournament.rows).
    rows: List[Dict[str, Any]] = field(repr=False)
    #: Scores, ratings and times of the players.
    standings: Dict[str, Any] = field(repr=False)
    scheduled: int
    text: str = field(repr=False)
    html: str = field(repr=False)
    stop: str = ""

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html

    @property
    def scores(self) -> Dict[str, float]:
        """The points that each player made in a match on average: 1 for a win, a half for a draw."""
        return {one["player"]: one["score"]["value"] for one in self.standings["players"]}


def tournament(
    games: Union[str, Game, Sequence[Union[str, Game]]],
    players: Sequence[Any],
    *,
    rounds: int = 1,
    form: str = "round-robin",
    clock: Optional[float] = None,
    playouts: int = 0,
    start_clock: float = 1.0,
    seed: int = 1,
    parallel: int = 0,
    memory: int = 64 << 20,
    check: bool = False,
    alone: bool = False,
    seconds: Optional[float] = None,
    record: Union[str, "os.PathLike[str]"] = "",
    progress: ProgressOption = None,
) -> Tournament:
    """Plays a tournament: every seating of every pairing in every game, ``rounds`` times.

    ``form`` is "round-robin", "gauntlet" (the first against all others), "together" or "seated". Players have ``clock``
    seconds or ``playouts`` for a move, a second where neither is said. With a ``record``, an SQLite file, a tournament
    that was stopped goes on there. ``seconds`` limits all of it, and :class:`LimitReached` has the matches that were
    played in ``partial``.
    """
    listed = [games] if isinstance(games, (str, Game)) else list(games)
    loaded = [load(game) if isinstance(game, str) else game for game in listed]
    for game in loaded:
        if not isinstance(game, Game):
            raise Error("matches are played in games in GDL; give such a game")
    names = [game.title for game in loaded]
    if len(set(names)) < len(names):
        raise Error("two games have the same name; Game(text=…, name=…) gives one another name")
    plan = {
        "form": form,
        "rounds": rounds,
        "clock": clock if clock is not None else (0.0 if playouts else 1.0),
        "playouts": playouts,
        "start_clock": start_clock,
        "seed": seed,
        "parallel": parallel,
        "memory": memory,
        "check": check,
        "alone": alone,
        "seconds": seconds,
    }
    with listener(progress) as tell:
        result = Tournament(**_zermelo._tournament(names, loaded, list(players), plan, os.fspath(record), tell))
    if result.stop == "interrupted":
        raise KeyboardInterrupt
    if result.stop:
        limit = LimitReached(f"{result.stop} after {len(result.rows)} seats were played; raise the limit")
        limit.stop, limit.partial = result.stop.split()[0], result
        raise limit
    return result


def match(game: Union[str, Game], players: Sequence[Any], *, games: int = 1, **options: Any) -> Tournament:
    """Plays one match, or several, with a player for each seat in the order of the roles."""
    return tournament(game, players, form="seated", rounds=games, **options)


__all__ = ["Deadline", "Player", "PlayerServer", "Tournament", "match", "player", "players", "tournament"]
