"""Solving, checking, analysing."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Dict, List, Optional, Tuple, Union

from . import _zermelo
from ._zermelo import Certificate, Problem, State, Strategy
from .errors import Error, LimitReached
from .progress import ProgressOption, listener


@dataclass
class Verdict:
    """Who wins, what everybody gets, by which first moves, and the certificate that proves it."""

    #: "won", "lost", "drawn" or "unknown", seen from the first player or ∃.
    outcome: str
    #: By player: 0 to 100 in games, the expected utility in models with chance.
    values: Dict[str, float]
    #: By player: between which exact numbers the value is.
    exact: Dict[str, Tuple[Fraction, Fraction]]
    #: First moves of whoever moves first; ``all_best``: there are no others.
    best: List[str]
    all_best: bool
    #: What moves are worth, as far as the engine tells: a dictionary each.
    moves: List[Dict[str, Any]]
    #: In games with simultaneous or hidden moves: the mixture of the first move, by role.
    mixture: Dict[str, Dict[str, Fraction]]
    #: Of a model with an objective: the value that ∃ can guarantee.
    guarantee: Optional[int]
    engine: str
    players: List[str]
    nodes: int
    cpu_seconds: float
    wall_seconds: float
    statistics: Dict[str, Any]
    certificate: Certificate = field(repr=False)
    #: What ended the work early: "time", "memory", "interrupted", or nothing.
    stop: str = ""

    @property
    def value(self) -> Optional[float]:
        """What the first player gets; None where it is not known."""
        return self.values.get(self.players[0]) if self.players else None

    @property
    def strategies(self) -> List[Strategy]:
        """How those play whose play the certificate fixes."""
        return self.certificate.strategies

    @property
    def strategy(self) -> Strategy:
        """The first of them."""
        found = self.strategies
        if not found:
            raise Error("the verdict has no strategy; solve with certificate=True")
        return found[0]

    def verify(self, **limits: Any) -> "Report":
        """Checks the certificate without the solver."""
        return verify(self.certificate.problem, self.certificate, **limits)

    def _repr_svg_(self) -> Optional[str]:
        return self.certificate._repr_svg_()


@dataclass
class Report:
    """What a checker says of a certificate."""

    valid: bool
    #: How many positions were looked at, and how many plays the certificate covers (a number, or why it is none).
    positions: int
    scenarios: str
    #: A play that breaks the claim.
    counterexample: Optional[str]
    stop: str = ""

    def __bool__(self) -> bool:
        return self.valid


def _problem(thing: Any) -> Problem:
    if isinstance(thing, Problem):
        return thing
    made = getattr(thing, "problem", None)
    if callable(made):
        found = made()
        if isinstance(found, Problem):
            return found
    raise Error(f"a {type(thing).__name__} cannot be solved; give a game, a problem or a model")


def _run(problem: Problem, options: Dict[str, Any], progress: ProgressOption, start: Optional[State]) -> Verdict:
    with listener(progress) as tell:
        verdict = Verdict(**_zermelo._solve(problem, options, tell, start))
    if verdict.stop == "interrupted":
        raise KeyboardInterrupt
    if verdict.outcome == "unknown" and verdict.stop:
        limit = LimitReached(f"{problem.file}: {verdict.stop} limit reached while solving; raise the limit")
        limit.file, limit.stop, limit.partial = problem.file, verdict.stop, verdict
        raise limit
    return verdict


def solve(
    problem: Any,
    *,
    engine: str = "auto",
    seconds: Optional[float] = None,
    memory: Optional[int] = None,
    threads: Optional[int] = None,
    symmetry: Optional[bool] = None,
    certificate: bool = True,
    all_first_moves: bool = False,
    role: str = "",
    threshold: Optional[int] = None,
    horizon: Optional[int] = None,
    best_policy: bool = False,
    checkpoint: str = "",
    progress: ProgressOption = None,
) -> Verdict:
    """Solves a game, a graph or a model.

    ``engine`` is "auto", "forward", "attractors", "alpha-beta", "proof-number", "quantified", "qcdcl", "strategic",
    "mac", "fc", "expectimax", "value-iteration" or "equilibrium". ``seconds`` and ``memory`` (bytes of the process)
    limit the work; :class:`LimitReached` is raised where that is too little, with the unfinished verdict in ``partial``.
    ``role``, ``threshold`` and ``horizon`` are for games that are solved as models. ``progress`` is True, False or a
    function of a text and a count; None shows it on a terminal and in a notebook.
    """
    options = {
        "engine": engine,
        "seconds": seconds,
        "memory": memory,
        "threads": threads,
        "symmetry": symmetry,
        "certificate": certificate,
        "all_first_moves": all_first_moves,
        "role": role,
        "threshold": threshold,
        "horizon": horizon,
        "best_policy": best_policy,
        "checkpoint": checkpoint,
    }
    return _run(_problem(problem), options, progress, None)


def verify(
    problem: Any,
    certificate: Union[Certificate, str, "os.PathLike[str]"],
    *,
    seconds: Optional[float] = None,
    memory: Optional[int] = None,
    progress: ProgressOption = None,
) -> Report:
    """Checks a certificate, or a file with one, by the rules alone."""
    rules = _problem(problem)
    if not isinstance(certificate, Certificate):
        certificate = _zermelo._load_certificate(rules, os.fspath(certificate))
    with listener(progress) as tell:
        report = Report(**certificate._check(seconds, memory, tell))
    if report.stop == "interrupted":
        raise KeyboardInterrupt
    if report.stop:
        limit = LimitReached(f"{rules.file}: {report.stop} while checking; raise the limit")
        limit.stop, limit.partial = report.stop.split()[0], report
        raise limit
    return report


def load_certificate(problem: Any, file: Union[str, "os.PathLike[str]"]) -> Certificate:
    """A certificate from a file, for this problem. :func:`verify` tells whether it is right."""
    return _zermelo._load_certificate(_problem(problem), os.fspath(file))


def _line(state: State) -> List[str]:
    """The moves that led to a state, as solvers name them: the mover's, or those of all roles."""
    game = state.game
    walked = game.initial_state()
    line = []
    for joint in state.history():
        mover = walked.current_player()
        if mover == _zermelo.SIMULTANEOUS:
            line.append(" ".join(joint))
        else:
            chance = [role for role in game.roles if role not in game.players]
            role = chance[0] if mover == _zermelo.CHANCE else game.players[mover]
            line.append(joint[game.roles.index(role)])
        walked.apply(joint)
    if walked != state:
        raise Error("the state has no past; reach it from initial_state() by apply()")
    return line


def analyse(
    state: Union[State, Problem],
    *,
    engine: str = "auto",
    seconds: Optional[float] = None,
    memory: Optional[int] = None,
    threads: Optional[int] = None,
    progress: ProgressOption = None,
) -> Verdict:
    """What every move of a state is worth: ``moves`` of the verdict."""
    options: Dict[str, Any] = {
        "engine": engine,
        "seconds": seconds,
        "memory": memory,
        "threads": threads,
        "certificate": False,
        "all_first_moves": True,
    }
    if not isinstance(state, State):
        return _run(_problem(state), options, progress, None)
    game = state.game
    if _zermelo._solves_chance(game):
        return _run(game, options, progress, state)
    if engine == "auto":
        options["engine"] = "equilibrium" if _zermelo._calls_for_equilibrium(game) else "forward"
    options["line"] = _line(state)
    return _run(game, options, progress, None)
