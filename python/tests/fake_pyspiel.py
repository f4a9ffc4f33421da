"""A small part of pyspiel: what its C++ classes do for games in Python, in the same words.

Checks more than OpenSpiel does: actions are legal, tensors have the shape that the game says.
"""

from __future__ import annotations

import copy
import enum
from types import SimpleNamespace


class GameType(SimpleNamespace):
    class Dynamics(enum.Enum):
        SEQUENTIAL = 0
        SIMULTANEOUS = 1

    class ChanceMode(enum.Enum):
        DETERMINISTIC = 0
        EXPLICIT_STOCHASTIC = 1

    class Information(enum.Enum):
        PERFECT_INFORMATION = 0
        IMPERFECT_INFORMATION = 1

    class Utility(enum.Enum):
        ZERO_SUM = 0
        GENERAL_SUM = 1

    class RewardModel(enum.Enum):
        TERMINAL = 0


class GameInfo(SimpleNamespace):
    pass


class Game:
    def __init__(self, game_type, game_info, params):
        self._type, self._info, self._params = game_type, game_info, params

    def get_type(self):
        return self._type

    def num_players(self):
        return self._info.num_players

    def num_distinct_actions(self):
        return self._info.num_distinct_actions

    def max_chance_outcomes(self):
        return self._info.max_chance_outcomes

    def min_utility(self):
        return self._info.min_utility

    def max_utility(self):
        return self._info.max_utility


class State:
    def __init__(self, game):
        self._fake_game, self._fake_history = game, []

    def get_game(self):
        return self._fake_game

    def num_players(self):
        return self._fake_game.num_players()

    def is_chance_node(self):
        return self.current_player() == -1

    def is_simultaneous_node(self):
        return self.current_player() == -2

    def legal_actions(self, player=None):
        if self.is_terminal():
            return []
        player = self.current_player() if player is None else player
        actions = [a for a, _ in self.chance_outcomes()] if player == -1 else self._legal_actions(player)
        most = self._fake_game.max_chance_outcomes() if player == -1 else self._fake_game.num_distinct_actions()
        assert actions == sorted(set(actions)) and all(0 <= a < most for a in actions)
        return actions

    def action_to_string(self, player, action=None):
        return self._action_to_string(*((self.current_player(), player) if action is None else (player, action)))

    def apply_action(self, action):
        assert action in self.legal_actions()
        self._fake_history.append((self.current_player(), action))
        self._apply_action(action)

    def apply_actions(self, actions):
        assert self.is_simultaneous_node()
        assert all(a in self.legal_actions(p) for p, a in enumerate(actions))
        self._fake_history.extend(enumerate(actions))
        self._apply_actions(actions)

    def history(self):
        return [action for _, action in self._fake_history]

    def clone(self):
        """As PyState::Clone: a new initial state, and copies of what Python has put into this one."""
        other = self._fake_game.new_initial_state()
        for name, value in self.__dict__.items():
            if name != "_fake_game":
                setattr(other, name, copy.deepcopy(value))
        return other

    def child(self, action):
        other = self.clone()
        other.apply_action(action)
        return other


registered = {}


def register_game(game_type, game_class):
    registered[game_type.short_name] = game_class


def load_game(name):
    return registered[name]()
