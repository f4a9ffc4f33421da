"""Algorithms written against OpenSpiel's interface run on our games: on a fake of it, and on the real one."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any, Dict, List

import fake_pyspiel
import pytest
import zermelo
from zermelo import openspiel

try:
    import pyspiel
except ImportError:
    pyspiel = None

SPIELS = [
    pytest.param(fake_pyspiel, id="fake"),
    pytest.param(pyspiel, id="real", marks=pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed")),
]


def minimax(state: Any) -> float:
    """The value for the first player."""
    if state.is_terminal():
        return float(state.returns()[0])
    if state.is_chance_node():
        return sum(p * minimax(state.child(a)) for a, p in state.chance_outcomes())
    values = [minimax(state.child(a)) for a in state.legal_actions()]
    return max(values) if state.current_player() == 0 else min(values)


@pytest.mark.parametrize("spiel", SPIELS)
def test_minimax_finds_what_solve_finds(spiel: Any) -> None:
    game = zermelo.load("subtraction")
    adapted = openspiel.adapt(game, pyspiel=spiel)
    assert adapted.num_players() == 2 and adapted.num_distinct_actions() > 0
    goal = zermelo.solve(game).value
    assert goal is not None
    assert minimax(adapted.new_initial_state()) == pytest.approx((goal - 50) / 50)


class Regrets:
    """Counterfactual regret minimisation (Zinkevich et al. 2007), as in OpenSpiel's examples."""

    def __init__(self) -> None:
        self.regret: Dict[str, List[float]] = {}
        self.total: Dict[str, List[float]] = {}

    def policy(self, view: str, actions: int) -> List[float]:
        positive = [max(r, 0.0) for r in self.regret.setdefault(view, [0.0] * actions)]
        whole = sum(positive)
        return [r / whole for r in positive] if whole > 0 else [1 / actions] * actions

    def walk(self, state: Any, reach: List[float], luck: float) -> List[float]:
        if state.is_terminal():
            return list(state.returns())
        if state.is_chance_node():
            below = [(p, self.walk(state.child(a), reach, luck * p)) for a, p in state.chance_outcomes()]
            return [sum(p * values[i] for p, values in below) for i in (0, 1)]
        player, actions = state.current_player(), state.legal_actions()
        view = f"{player}{state.information_state_string(player)}"
        policy = self.policy(view, len(actions))
        below = []
        for action, probability in zip(actions, policy):
            after = list(reach)
            after[player] *= probability
            below.append(self.walk(state.child(action), after, luck))
        value = [sum(p * values[i] for p, values in zip(policy, below)) for i in (0, 1)]
        total = self.total.setdefault(view, [0.0] * len(actions))
        for a, values in enumerate(below):
            self.regret[view][a] += luck * reach[1 - player] * (values[player] - value[player])
            total[a] += reach[player] * policy[a]
        return value

    def value(self, state: Any) -> float:
        """Of the average policy."""
        if state.is_terminal():
            return float(state.returns()[0])
        if state.is_chance_node():
            return sum(p * self.value(state.child(a)) for a, p in state.chance_outcomes())
        total = self.total[f"{state.current_player()}{state.information_state_string()}"]
        return sum(t / sum(total) * self.value(state.child(a)) for t, a in zip(total, state.legal_actions()) if t > 0)


@pytest.mark.parametrize("spiel", SPIELS)
def test_regrets_find_the_value_of_poker(spiel: Any) -> None:
    """The exact value is that of our linear program."""
    game = zermelo.load("kuhn-poker")
    adapted = openspiel.adapt(game, pyspiel=spiel)
    learned = Regrets()
    for _ in range(60):
        learned.walk(adapted.new_initial_state(), [1.0, 1.0], 1.0)
    exact = float(zermelo.solve(game).exact[game.players[0]][0])
    assert learned.value(adapted.new_initial_state()) == pytest.approx((exact - 50) / 50, abs=0.03)


@pytest.mark.parametrize("spiel", SPIELS)
@pytest.mark.parametrize("name", ["connect-four-simultaneous", "dice-race", "backgammon-small", "breakthrough"])
def test_random_plays_end_and_say_what_they_should(spiel: Any, name: str) -> None:
    game = zermelo.load(name)
    adapted = openspiel.adapt(game, pyspiel=spiel)
    draw = random.Random(name)
    state = adapted.new_initial_state()
    kinds: Dict[str, int] = defaultdict(int)
    while not state.is_terminal() and len(state.history()) < 400:
        before = state.clone()
        if state.is_chance_node():
            kinds["chance"] += 1
            assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1)
            state.apply_action(draw.choice(state.chance_outcomes())[0])
        elif state.is_simultaneous_node():
            kinds["simultaneous"] += 1
            state.apply_actions([draw.choice(state.legal_actions(p)) for p in range(state.num_players())])
        else:
            player = state.current_player()
            action = draw.choice(state.legal_actions())
            assert state.action_to_string(player, action) in before.zermelo_state.legal_moves(player)
            assert len(state.observation_tensor(player)) == adapted.observation_tensor_shape()[0]
            state.apply_action(action)
        assert len(before.history()) < len(state.history())
    assert all(adapted.min_utility() <= r <= adapted.max_utility() for r in state.returns())
    assert (kinds["simultaneous"] > 0) == (name == "connect-four-simultaneous")
    assert (kinds["chance"] > 0) == (name in ("dice-race", "backgammon-small"))


def test_a_game_is_registered_by_name() -> None:
    openspiel.adapt(zermelo.load("tic-tac-toe"), register=True, pyspiel=fake_pyspiel)
    state = fake_pyspiel.load_game("python_tic_tac_toe").new_initial_state()
    assert len(state.legal_actions()) == 9
    if pyspiel is None:
        with pytest.raises(zermelo.Error, match="pyspiel is not there"):
            openspiel.adapt(zermelo.load("tic-tac-toe"))
