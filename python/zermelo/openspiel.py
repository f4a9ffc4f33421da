"""Our games as games of OpenSpiel (Lanctot et al. 2019), for algorithms that are written against its Python interface.

    >>> game = zermelo.openspiel.adapt(zermelo.load("kuhn-poker"))
    >>> state = game.new_initial_state()

An action of OpenSpiel is the number of a move among all moves of its player; chance numbers its own. Where players and
chance move in one step of the rules, the players come first. Goals of games for two that add up to 100 become utilities
from -1 to 1, others from 0 to 1.
"""

from __future__ import annotations

import importlib
from typing import Any, Dict, List, Optional, Tuple, Type

from . import _zermelo
from ._zermelo import CHANCE, SIMULTANEOUS, TERMINAL, Game, State
from .errors import Error


class _Rules:
    """What is worked out once for a game. Copies of states share it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.players = game.players
        self.moves: Dict[str, List[str]] = {role: [] for role in game.roles}
        self.first: Dict[str, int] = {}
        for number, (role, move) in enumerate(game.actions):
            self.first.setdefault(role, number)
            self.moves[role].append(move)
        chance = [role for role in game.roles if role not in game.players]
        self.chance: Optional[str] = chance[0] if chance else None
        self.zero_sum = _zermelo._opposed(game)
        self.hidden = _zermelo._hidden(game)

    def __deepcopy__(self, memo: Dict[int, Any]) -> "_Rules":
        return self

    def role(self, player: int) -> str:
        if player == CHANCE and self.chance is not None:
            return self.chance
        return self.players[player]

    def choosers(self, state: State) -> Tuple[List[int], bool]:
        """The players with a choice, and whether chance has one. Where nobody has, the first player moves."""
        having = [p for p in range(len(self.players)) if len(state.legal_actions(p)) > 1]
        chance = self.chance is not None and len(state.legal_actions(self.chance)) > 1
        return (having or ([] if chance else [0])), chance

    def utilities(self, goals: List[int]) -> List[float]:
        return [(goal - 50) / 50 if self.zero_sum else goal / 100 for goal in goals]


def _state_class(base: Any) -> Type[Any]:
    class ZermeloState(base):  # type: ignore[misc]
        """A state of one of our games. Methods with an underscore are called by OpenSpiel."""

        def __init__(self, game: Any, rules: _Rules) -> None:
            super().__init__(game)
            self._rules = rules
            self._state = rules.game.initial_state()
            self._chosen: Dict[str, int] = {}  # by role, while chance is still to move in this step

        def current_player(self) -> int:
            if self._state.is_terminal():
                return TERMINAL
            players, _ = self._rules.choosers(self._state)
            if self._chosen or not players:
                return CHANCE
            return players[0] if len(players) == 1 else SIMULTANEOUS

        def _legal_actions(self, player: int) -> List[int]:
            role = self._rules.role(player)
            first = self._rules.first[role]
            return [action - first for action in self._state.legal_actions(role)]

        def chance_outcomes(self) -> List[Tuple[int, float]]:
            actions = self._legal_actions(CHANCE)
            return [(action, 1 / len(actions)) for action in actions]

        def _step(self, chosen: Dict[str, int]) -> None:
            _, chance = self._rules.choosers(self._state)
            self._chosen.update(chosen)
            if not chance or self._rules.chance in self._chosen:
                self._state.apply({role: self._rules.first[role] + a for role, a in self._chosen.items()})
                self._chosen = {}

        def _apply_action(self, action: int) -> None:
            self._step({self._rules.role(self.current_player()): action})

        def _apply_actions(self, actions: List[int]) -> None:
            self._step({role: action for role, action in zip(self._rules.players, actions)})

        def _action_to_string(self, player: int, action: int) -> str:
            return self._rules.moves[self._rules.role(player)][action]

        def is_terminal(self) -> bool:
            return self._state.is_terminal()

        def returns(self) -> List[float]:
            if not self._state.is_terminal():
                return [0.0] * len(self._rules.players)
            return self._rules.utilities(self._state.returns())

        def information_state_string(self, player: Optional[int] = None) -> str:
            who = self.current_player() if player is None else player
            return str(self._state.observation(who)) if self._rules.hidden else str(self._state.history())

        def observation_string(self, player: Optional[int] = None) -> str:
            who = self.current_player() if player is None else player
            seen = self._state.observation(who)
            return str(seen[-1:]) if self._rules.hidden else str(self._state)

        def observation_tensor(self, player: Optional[int] = None) -> List[float]:
            who = self.current_player() if player is None else player
            found: List[float] = self._state.tensor(who).tolist()
            return found

        @property
        def zermelo_state(self) -> State:
            """The state as our own module knows it."""
            return self._state

        def __str__(self) -> str:
            return str(self._state)

    return ZermeloState


def _type_of(spiel: Any, rules: _Rules, name: str, simultaneous: bool) -> Any:
    kind = spiel.GameType
    chance = kind.ChanceMode.EXPLICIT_STOCHASTIC if rules.chance else kind.ChanceMode.DETERMINISTIC
    information = kind.Information.IMPERFECT_INFORMATION if rules.hidden else kind.Information.PERFECT_INFORMATION
    return kind(
        short_name=name,
        long_name=rules.game.title,
        dynamics=kind.Dynamics.SIMULTANEOUS if simultaneous else kind.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=information,
        utility=kind.Utility.ZERO_SUM if rules.zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=len(rules.players),
        min_num_players=len(rules.players),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


def _info_of(spiel: Any, rules: _Rules, longest: int) -> Any:
    players = [len(rules.moves[role]) for role in rules.players]
    numbers: Dict[str, Any] = {
        "num_distinct_actions": max(players),
        "max_chance_outcomes": len(rules.moves[rules.chance]) if rules.chance else 0,
        "num_players": len(rules.players),
        "min_utility": -1.0 if rules.zero_sum else 0.0,
        "max_utility": 1.0,
        "max_game_length": longest,
    }
    if rules.zero_sum:
        numbers["utility_sum"] = 0.0
    return spiel.GameInfo(**numbers)


def adapt(
    game: Game, *, name: str = "", max_game_length: int = 10_000, register: bool = False, pyspiel: Any = None
) -> Any:
    """A game of OpenSpiel. Needs the module ``pyspiel``, or one that offers the same.

    With ``register``, ``pyspiel.load_game(name)`` finds it; the name begins with ``python_``.
    """
    spiel = pyspiel
    if spiel is None:
        try:
            spiel = importlib.import_module("pyspiel")
        except ImportError as missing:
            raise Error("the module pyspiel is not there; install OpenSpiel (pip install open_spiel)") from missing
    rules = _Rules(game)
    short = name or "python_" + "".join(c if c.isalnum() else "_" for c in game.title.rsplit(".", 1)[0])
    simultaneous = len(rules.choosers(game.initial_state())[0]) > 1
    game_type = _type_of(spiel, rules, short, simultaneous)
    game_info = _info_of(spiel, rules, max_game_length)
    state_class = _state_class(spiel.State)
    base: Any = spiel.Game

    class ZermeloGame(base):  # type: ignore[misc]
        """One of our games."""

        def __init__(self, params: Optional[Dict[str, Any]] = None) -> None:
            super().__init__(game_type, game_info, params or {})

        def new_initial_state(self) -> Any:
            return state_class(self, rules)

        def observation_tensor_shape(self) -> List[int]:
            return list(game.observation_tensor_shape)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return _Observer(game)

    if register:
        spiel.register_game(game_type, ZermeloGame)
    return ZermeloGame()


class _Observer:
    """What OpenSpiel calls an observer: a tensor and a text of what a player sees."""

    def __init__(self, game: Game) -> None:
        self.tensor = game.initial_state().tensor(0)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: Any, player: int) -> None:
        self.tensor[:] = state.observation_tensor(player)

    def string_from(self, state: Any, player: int) -> str:
        found: str = state.observation_string(player)
        return found


__all__ = ["adapt"]
