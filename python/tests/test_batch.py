"""Batches: lane by lane what single states do."""

from __future__ import annotations

import numpy as np
import pytest
import zermelo
from conftest import LONGEST_PLAY, names


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough", "dice-race", "checkers"])
@pytest.mark.parametrize("size", [1, 65, 300])
def test_a_batch_equals_single_states(name: str, size: int) -> None:
    game = zermelo.load(name)
    batch = game.batch(size, seed=5)
    states = [game.initial_state() for _ in range(size)]
    for _ in range(25):
        movers, legal, tensor, over = batch.current_player(), batch.legal(), batch.tensor(), batch.is_terminal()
        returns, actions = batch.returns(), batch.random_actions()
        for i, state in enumerate(states):
            assert movers[i] == state.current_player()
            assert over[i] == state.is_terminal()
            assert (tensor[i] == state.tensor()).all()
            assert list(legal[i].nonzero()[0]) == state.legal_actions()
            assert returns[i].tolist() == (state.returns() if over[i] else [-1] * len(game.players))
            if not over[i]:
                assert legal[i, actions[i]]
                state.apply(int(actions[i]))
        batch.step(actions)
    assert [batch[i] for i in range(size)] == states


@pytest.mark.parametrize("name", names())
def test_a_batch_equals_single_states_in_every_game_to_the_end(name: str) -> None:
    """Lanes at the edges of two machine words, by all that both tell."""
    game = zermelo.load(name)
    batch = game.batch(70, seed=7)
    states = {lane: game.initial_state() for lane in (0, 1, 31, 63, 64, 69)}
    for _ in range(LONGEST_PLAY):
        movers, legal, tensor, ended = batch.current_player(), batch.legal(), batch.tensor(), batch.is_terminal()
        returns, joints = batch.returns(), batch.random_actions(joint=True)
        for lane, state in states.items():
            assert ended[lane] == state.is_terminal(), lane
            if state.is_terminal():
                assert returns[lane].tolist() == state.returns(), lane
                continue
            assert movers[lane] == state.current_player(), lane
            assert (tensor[lane] == state.tensor()).all(), lane
            free = [state.legal_actions(role) for role in game.roles]
            choices = [action for actions in free if len(actions) > 1 for action in actions]
            assert sorted(legal[lane].nonzero()[0]) == sorted(choices or state.legal_actions()), lane
            moves = {role: int(action) for role, action in zip(game.roles, joints[lane]) if action >= 0}
            assert all(len(actions) == 1 or role in moves for role, actions in zip(game.roles, free)), lane
            state.apply(moves)
        if ended.all():
            break
        batch.step(joints)
    assert all(batch[lane] == state for lane, state in states.items())


def test_simultaneous_moves_are_given_by_role() -> None:
    game = zermelo.load("connect-four-simultaneous")
    batch = game.batch(40)
    states = [game.initial_state() for _ in range(40)]
    while not batch.is_terminal().all():
        actions = batch.random_actions(joint=True)
        assert actions.shape == (40, len(game.roles))
        for state, joint in zip(states, actions):
            if not state.is_terminal():
                state.apply({game.roles[r]: int(a) for r, a in enumerate(joint) if a >= 0})
        batch.step(actions)
    assert [batch[i] for i in range(40)] == states
    assert batch.restart() == 40 and batch[0] == game.initial_state()


def test_states_are_started_where_a_mask_says(tic_tac_toe: zermelo.Game) -> None:
    batch = tic_tac_toe.batch(4)
    state = tic_tac_toe.initial_state()
    state.apply("(mark 2 2)")
    batch.start(state, np.array([True, False, True, False]))
    assert [batch[i] == state for i in range(4)] == [True, False, True, False]
    batch.start()
    assert batch[-1] == tic_tac_toe.initial_state()


def test_what_is_wrong_is_refused_and_nothing_is_changed(tic_tac_toe: zermelo.Game) -> None:
    batch = tic_tac_toe.batch(3)
    for actions in ([0, 0], [0, 0, 99], [0, 0, -1], [[0, 0, 0]], [0, 0, 9]):
        with pytest.raises(zermelo.Error):
            batch.step(np.array(actions))
    assert batch[0] == tic_tac_toe.initial_state()
    with pytest.raises(IndexError):
        batch[3]
    with pytest.raises(zermelo.Error, match="another game"):
        batch.start(zermelo.load("connect-four").initial_state())
    with pytest.raises(zermelo.Error, match="no states"):
        tic_tac_toe.batch(0)
