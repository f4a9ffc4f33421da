"""Loading games, the library, states one at a time."""

from __future__ import annotations

import copy
import gc
import random
import resource

import numpy as np
import pytest
import zermelo
from conftest import LONGEST_PLAY, names, play, random_move


def test_the_library_lists_games_by_tag_kind_and_seats() -> None:
    assert "tic-tac-toe" in names()
    dice = zermelo.games(tag="dice")
    assert dice and all("dice" in game["tags"] + game["themes"] for game in dice)
    assert all(len(game["seats"]) == 1 for game in zermelo.games(kind="gdl", players=1))
    assert zermelo.games(tag="no such tag") == []


def test_games_are_loaded_by_name_by_file_and_from_text(tic_tac_toe: zermelo.Game) -> None:
    assert isinstance(tic_tac_toe, zermelo.Game)
    assert zermelo.load("gdl/tic-tac-toe").players == ["x", "o"]
    assert zermelo.load(tic_tac_toe.file).fluents == tic_tac_toe.fluents
    with open(tic_tac_toe.file, encoding="utf-8") as file:
        game = zermelo.Game(text=file.read(), name="mine.kif")
    assert game.title == "mine.kif" and game.actions == tic_tac_toe.actions
    assert zermelo.load("three-regions").kind == "graph"


def test_a_play_is_made_and_taken_back(tic_tac_toe: zermelo.Game) -> None:
    state = tic_tac_toe.initial_state()
    assert state.current_player() == 0 and not state.is_terminal()
    assert state.legal_moves()[0] == "(mark 1 1)" and len(state.legal_moves()) == 9
    assert state.legal_moves("o") == ["wait"] and state.legal_moves(1) == ["wait"]
    state.apply("(MARK  1 1)")
    other = state.clone()
    state.apply(state.legal_actions()[-1])
    assert [joint[0] for joint in state.history()] == ["(mark 1 1)", "wait"]
    assert state.legal_moves() and "(cell 1 1 x)" in state.facts()
    state.undo()
    assert state == other and hash(state) == hash(other) and copy.deepcopy(state) == other
    state.undo()
    assert state == tic_tac_toe.initial_state() and state != other
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"):
        state.apply(move)
    assert state.is_terminal() and state.returns() == [100, 0]
    assert state.current_player() == zermelo.TERMINAL and state.legal_moves() == []
    assert str(state).splitlines()[:4] == ["   1  2  3", "1  ✕  ✕  ✕", "2  ◯  ◯  .", "3  .  .  ."]


def test_a_state_is_written_with_its_whole_board() -> None:
    connect_four = str(zermelo.load("connect-four").initial_state()).splitlines()
    assert connect_four[0].split() == list("1234567") and [line[0] for line in connect_four[1:7]] == list("654321")
    assert all(line.split()[1:] == ["."] * 7 for line in connect_four[1:7]) and "control" in connect_four[7]
    hex_board = str(zermelo.load("hex").initial_state()).splitlines()
    starts = [line.index(".") for line in hex_board if "." in line]
    assert len(starts) > 8 and starts == sorted(set(starts))  # each row stands a little further to the right


def test_players_may_move_at_once() -> None:
    state = zermelo.load("rock-paper-scissors").initial_state()
    assert state.current_player() == zermelo.SIMULTANEOUS
    with pytest.raises(zermelo.Error, match="say whose"):
        state.legal_moves()
    moves = [state.legal_moves(player)[0] for player in state.game.players]
    one, two = state.clone(), state.clone()
    one.apply(moves)
    two.apply(dict(zip(state.game.players, moves)))
    assert one == two
    with pytest.raises(zermelo.Error, match="in a list or dictionary"):
        state.apply(moves[0])


def test_chance_has_outcomes_that_add_up_to_one() -> None:
    state = zermelo.load("dice-race").initial_state()
    while state.current_player() != zermelo.CHANCE:
        state.apply(random_move(state, random.Random(1)))
    outcomes = state.chance_outcomes()
    assert len(outcomes) > 1 and sum(p for _, p in outcomes) == pytest.approx(1)
    state.apply(outcomes[0][0])
    assert state.history()


def test_what_is_hidden_is_not_observed(kuhn: zermelo.Game) -> None:
    """Plays that a role cannot tell apart are the same to it."""
    by_view = {}
    for seed in range(200):
        state = kuhn.initial_state()
        for _ in range(2):
            if not state.is_terminal():
                state.apply(random_move(state, random.Random(seed)))
        for player in (0, 1):
            view = str(state.observation(player))
            by_view.setdefault((player, view), set()).add(state.clone())
            assert state.tensor(player).shape == kuhn.observation_tensor_shape
    assert any(len(states) > 1 for states in by_view.values())
    open_game = zermelo.load("tic-tac-toe").initial_state()
    assert open_game.observation("x") == open_game.facts()


@pytest.mark.parametrize("name", names())
def test_a_random_play_of_every_game_is_the_machines(name: str) -> None:
    """To its end, unless that is far: each state is reached again by a batch of one, and undo() comes back to it."""
    game = zermelo.load(name)
    draw = random.Random(name)
    batch = game.batch(1)
    state = game.initial_state()
    for _ in range(LONGEST_PLAY):
        assert batch[0] == state and bool(batch.is_terminal()[0]) == state.is_terminal()
        assert batch.current_player()[0] == state.current_player()
        assert (batch.tensor()[0] == state.tensor()).all()
        if state.is_terminal():
            assert batch.returns()[0].tolist() == state.returns()
            break
        legal = [a for role in game.roles for a in state.legal_actions(role)]
        assert set(batch.legal()[0].nonzero()[0]) <= set(legal)
        before = state.clone()
        move = random_move(state, draw)
        state.apply(move)
        state.undo()
        assert state == before
        state.apply(move)
        joint = [-1] * len(game.roles)
        for action in move.values() if isinstance(move, dict) else [move]:
            joint[game.roles.index(game.actions[action][0])] = action
        batch.step(np.array([joint]))


def test_a_million_states_leave_memory_where_it_was(tic_tac_toe: zermelo.Game) -> None:
    def drop_states(count: int) -> int:
        for seed in range(count // 10):
            for _ in play(tic_tac_toe.initial_state(), random.Random(seed % 100)):
                pass
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = drop_states(20_000)
    assert drop_states(1_000_000) - before < 4096  # kilobytes


def test_a_long_play_is_dropped_without_recursion() -> None:
    game = zermelo.Game(
        text="(role a) (init (n 0)) (legal a go) (<= (next (n 0)) (true (n 1))) (<= (next (n 1)) (true (n 0)))"
        " (<= terminal (true (n 2))) (goal a 100)"
    )
    state = game.initial_state()
    for _ in range(300_000):
        state.apply("go")
    other = state.clone()
    del state
    other.undo()
    assert other.legal_moves() == ["go"]


def test_playouts_tell_what_roles_get(tic_tac_toe: zermelo.Game) -> None:
    found = tic_tac_toe.playouts(20_000, seed=3)
    assert found["playouts"] >= 20_000
    assert found["goals"]["x"] == pytest.approx(64.8, abs=2) and 5 <= found["mean_length"] <= 9
    assert found["goals"]["x"] + found["goals"]["o"] == pytest.approx(100)
