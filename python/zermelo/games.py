"""Reading games and models, and the games that are shipped."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import _places, _zermelo
from ._zermelo import Batch, Game, Network, Problem, State
from .errors import Error

#: The languages by the endings of their files.
_LANGUAGES = {
    ".kif": "gdl",
    ".gdl": "gdl",
    ".json": "graph",
    ".dot": "graph",
    ".gv": "graph",
    ".mzn": "minizinc",
    ".fzn": "flatzinc",
    ".qdimacs": "qdimacs",
    ".cnf": "qdimacs",
    ".qcir": "qcir",
}


@lru_cache(maxsize=None)
def _shipped() -> Tuple[Dict[str, Any], ...]:
    found = []
    for game in _zermelo._library(_places.GAMES):
        name = game["id"].split("/", 1)[1]
        title = game["title"].get("en", name)
        words = game["words"].get("en", "")
        parameters = {p["name"]: p["value"] for p in game["parameters"]}
        found.append({**game, "name": name, "title": title, "words": words, "parameters": parameters})
    return tuple(found)


def games(
    *, tag: Union[None, str, Sequence[str]] = None, kind: Optional[str] = None, players: Optional[int] = None
) -> List[Dict[str, Any]]:
    """The shipped games, a dictionary each: name, id, kind, title, words, tags, seats, parameters, file.

    ``tag`` asks for games with a tag or theme ("dice"), or with all of several; ``kind`` is "gdl", "minizinc" or
    "graph"; ``players`` counts the seats, without chance.
    """
    wanted = [] if tag is None else [tag] if isinstance(tag, str) else list(tag)
    return [
        dict(game)
        for game in _shipped()
        if all(one in game["tags"] or one in game["themes"] for one in wanted)
        and (kind is None or game["kind"] == kind)
        and (players is None or len(game["seats"]) == players)
    ]


def _find(name: str) -> str:
    if os.path.exists(name) or os.path.splitext(name)[1] in _LANGUAGES:
        return name
    found = [game for game in _shipped() if name in (game["name"], game["id"])]
    if len(found) > 1:  # a game in GDL is meant, unless its folder is named
        found = [game for game in found if game["kind"] == "gdl"] or found
    if len(found) == 1:
        return str(found[0]["file"])
    if found:
        raise Error(f"several games are called {name}; choose from " + ", ".join(game["id"] for game in found))
    raise Error(f"there is no shipped game {name}, and no such file; zermelo.games() lists the games")


def load(
    name: Union[str, "os.PathLike[str]"],
    *,
    parameters: Optional[Dict[str, Any]] = None,
    data: Sequence[Union[str, "os.PathLike[str]"]] = (),
    maximise: str = "",
    seconds: Optional[float] = None,
) -> Any:
    """A shipped game by name ("connect-four", "quantified/baker"), or a file of rules.

    Rules in GDL become a :class:`Game`, all others a :class:`Problem`. A model in MiniZinc takes ``parameters``, files
    of ``data``, and an expression to ``maximise``.
    """
    return _zermelo._read(
        _find(os.fspath(name)),
        dict(parameters or {}),
        [os.fspath(file) for file in data],
        maximise,
        _places.MINIZINC,
        seconds,
    )


def parse(
    text: str,
    language: str = "gdl",
    *,
    name: str = "",
    parameters: Optional[Dict[str, Any]] = None,
    data: Sequence[Union[str, "os.PathLike[str]"]] = (),
    maximise: str = "",
    seconds: Optional[float] = None,
) -> Any:
    """The same from a text in "gdl", "graph", "minizinc", "flatzinc", "qdimacs" or "qcir"."""
    return _zermelo._read_text(
        text,
        language,
        name or f"text.{language}",
        dict(parameters or {}),
        [os.fspath(file) for file in data],
        maximise,
        _places.MINIZINC,
        seconds,
    )


def _batch(self: Game, states: int, *, seed: int = 1, lanes: int = 0) -> Batch:
    """So many initial states, to be stepped in lock-step, with arrays of NumPy in and out."""
    return _zermelo._batch(self, states, seed, lanes)


def _network(self: Game, state: Optional[State] = None, *, seconds: Optional[float] = None) -> Network:
    """One turn as a stochastic constraint network, preprocessed: of this state, or of any."""
    return _zermelo._network(self, state, seconds)


def _observation_tensor_shape(self: Game) -> Tuple[int]:
    """The shape of State.tensor(player)."""
    return (_zermelo._observation_size(self),)


# Rules do not change, so copies of what holds a game may share it.
setattr(Game, "__copy__", lambda self: self)
setattr(Game, "__deepcopy__", lambda self, memo: self)
setattr(Game, "batch", _batch)
setattr(Game, "network", _network)
setattr(Game, "observation_tensor_shape", property(_observation_tensor_shape))
__all__ = ["Batch", "Game", "Network", "Problem", "games", "load", "parse"]
