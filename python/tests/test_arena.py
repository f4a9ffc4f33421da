"""Players, matches, tournaments, the protocol."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from pathlib import Path
from typing import List

import pytest
import zermelo


class First:
    """The first legal move."""

    def choose(self, state: zermelo.State, deadline: zermelo.Deadline) -> str:
        return state.legal_moves()[0]


class Winner:
    """Wins where it can at once, otherwise plays at random; by numbers."""

    name = "sees wins"

    def __init__(self) -> None:
        self.draw = random.Random(1)
        self.started = False

    def start(self, state: zermelo.State, player: int, deadline: zermelo.Deadline) -> None:
        self.started = not state.is_terminal() and player in (0, 1)

    def choose(self, state: zermelo.State, deadline: zermelo.Deadline) -> int:
        assert self.started and deadline.left() > 0 and not deadline.passed()
        me = state.me
        assert me == state.current_player()
        for action in state.legal_actions():
            after = state.clone()
            after.apply(action)
            if after.is_terminal() and after.returns()[me] == 100:
                return action
        return self.draw.choice(state.legal_actions())


def test_the_builtin_players_have_settings() -> None:
    known = {player["name"]: player for player in zermelo.players()}
    assert {"uct", "alpha-beta", "random", "perfect"} <= set(known) and "python" not in known
    assert "seconds" in known["uct"]["settings"] and known["uct"]["about"]


def test_a_builtin_player_answers_for_states_in_any_order(tic_tac_toe: zermelo.Game) -> None:
    player = zermelo.player("perfect", tic_tac_toe, "o")
    state = tic_tac_toe.initial_state()
    state.apply("(mark 1 1)")
    assert player.choose(state, seconds=5) == "(mark 2 2)"
    corner = tic_tac_toe.initial_state()
    corner.apply("(mark 2 2)")
    assert player.choose(corner, seconds=5) in ("(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 3 3)")
    uct = zermelo.player("uct:playouts=500", tic_tac_toe)
    assert uct.choose(tic_tac_toe.initial_state()) in tic_tac_toe.initial_state().legal_moves()
    assert uct.thought["playouts"] >= 500 and uct.thought["estimates"]
    with pytest.raises(zermelo.Error, match="no past"):
        player.choose(tic_tac_toe.state(state.facts()))
    with pytest.raises(zermelo.Error):
        zermelo.player("no such player", tic_tac_toe)


def test_players_in_python_play_a_tournament(tic_tac_toe: zermelo.Game) -> None:
    result = zermelo.tournament(tic_tac_toe, [Winner, First(), "random"], rounds=4, clock=5.0)
    assert len(result.rows) == 2 * 2 * 3 * 4 and result.scheduled == 24
    assert {row["player"] for row in result.rows} == {"sees wins", "First", "random"}
    assert all(row["illegal"] == 0 and row["late"] == 0 and not row["error"] for row in result.rows)
    assert result.scores["sees wins"] > result.scores["random"]
    assert "<svg" in result._repr_html_() and "sees wins" in str(result)


def test_the_same_seed_plays_the_same_match() -> None:
    def lines() -> List[str]:
        return [row["line"] for row in zermelo.match("connect-four", ["uct", "random"], games=2, playouts=50).rows]

    assert lines() == lines()


def test_a_player_in_python_meets_hidden_moves_and_simultaneous_ones() -> None:
    for game in ("kuhn-poker", "connect-four-simultaneous", "rock-paper-scissors"):
        rows = zermelo.match(game, [First, "random"], games=3, playouts=10).rows
        assert len(rows) == 6 and not any(row["error"] for row in rows)


class Wrong:
    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, state: zermelo.State, deadline: zermelo.Deadline) -> object:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_an_exception_in_a_player_comes_out_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError, match="oops"):
        zermelo.match("tic-tac-toe", [Wrong(ZeroDivisionError("oops")), "random"], playouts=1)
    for answer in ("nonsense", 10_000, None):
        with pytest.raises(ValueError):
            zermelo.match("tic-tac-toe", [Wrong(answer), "random"], playouts=1)
    with pytest.raises(zermelo.Error, match="neither a text nor an object"):
        zermelo.match("tic-tac-toe", [3, "random"])
    assert zermelo.match("tic-tac-toe", ["random", "random"], playouts=1).rows


class Endless:
    def choose(self, state: zermelo.State, deadline: zermelo.Deadline) -> str:
        while True:
            time.sleep(0.001)


def test_control_c_reaches_a_player_in_python() -> None:
    def press() -> None:
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        zermelo.match("tic-tac-toe", [Endless, "random"], playouts=1)
    thread.join()


def test_a_player_may_call_what_takes_long() -> None:
    class Solver:
        def choose(self, state: zermelo.State, deadline: zermelo.Deadline) -> str:
            return zermelo.analyse(state, seconds=max(0.01, deadline.left())).best[0]

    scores = zermelo.tournament("tic-tac-toe", [Solver, "random"], rounds=5, clock=20.0)
    assert scores.scores["Solver"] > 0.6
    assert not any(row["player"] == "random" and row["goal"] == 100 for row in scores.rows)


def test_a_tournament_that_was_stopped_goes_on(tmp_path: Path) -> None:
    played = zermelo.tournament("tic-tac-toe", ["random", "uct"], rounds=3, playouts=5, record=tmp_path / "record")
    again = zermelo.tournament("tic-tac-toe", ["random", "uct"], rounds=3, playouts=5, record=tmp_path / "record")
    assert again.rows == played.rows
    with pytest.raises(zermelo.LimitReached) as raised:
        zermelo.tournament("connect-four", ["random", "uct"], rounds=1000, clock=0.05, seconds=1.0)
    assert raised.value.stop == "time" and raised.value.partial.scheduled == 2000


@pytest.mark.parametrize("player", ["random", First, Winner])
def test_a_player_is_reached_over_the_protocol(player: object) -> None:
    with zermelo.PlayerServer(player, port=0) as server:
        assert server.port
        rows = zermelo.match("tic-tac-toe", [f"http://127.0.0.1:{server.port}", "random"], clock=2.0).rows
        assert len(rows) == 2 and rows[0]["illegal"] == rows[0]["late"] == 0 and not rows[0]["error"]
        if player is First:
            assert rows[0]["line"].startswith("(mark 1 1)") or "(mark 1 1)" in rows[0]["line"]
    assert server.port is None


def test_players_are_given_back() -> None:
    player = First()
    before = sys.getrefcount(player)
    for _ in range(3):
        zermelo.match("tic-tac-toe", [player, "random"], playouts=1)
    assert sys.getrefcount(player) == before
