"""What goes wrong, and that the process lives on."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import List, Set

import pytest
import zermelo

LARGE = "connect-four"


def test_a_bad_file_is_told_with_place_and_remedy(tmp_path: Path) -> None:
    file = tmp_path / "bad.kif"
    file.write_text("(role x)\n(init (p 1)))\n")
    with pytest.raises(zermelo.Error) as raised:
        zermelo.load(file)
    error = raised.value
    assert (error.file, error.line) == (str(file), 2) and error.column and error.problem and error.remedy
    assert str(error).startswith(f"{file}:2:")
    with pytest.raises(zermelo.Error, match="no shipped game"):
        zermelo.load("no such game")
    with pytest.raises(ValueError):
        zermelo.load(tmp_path / "missing.kif")


def test_moves_that_are_none_are_refused(tic_tac_toe: zermelo.Game) -> None:
    state = tic_tac_toe.initial_state()
    state.apply("(mark 1 1)")
    for move in ("(mark 1 1)", "nonsense", 999, ["wait"], {"z": "wait"}, {"x": "wait"}):
        with pytest.raises(zermelo.Error):
            state.apply(move)
    with pytest.raises(zermelo.Error, match="not over"):
        state.returns()
    with pytest.raises(zermelo.Error, match="no engine"):
        zermelo.solve(tic_tac_toe, engine="steam")
    with pytest.raises(zermelo.Error, match="cannot be solved"):
        zermelo.solve(3)
    state.undo()
    with pytest.raises(zermelo.Error, match="no move has been made"):
        state.undo()


def test_a_deadline_is_an_exception_with_what_was_found() -> None:
    with pytest.raises(zermelo.LimitReached) as raised:
        zermelo.solve(zermelo.load(LARGE), seconds=0.3, threads=1)
    assert raised.value.stop == "time" and raised.value.partial.outcome == "unknown"
    assert zermelo.solve(zermelo.load("tic-tac-toe"), seconds=60).outcome == "drawn"


def interrupt_soon() -> threading.Thread:
    def press() -> None:
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    return thread


def test_control_c_ends_solving_and_nothing_else() -> None:
    game = zermelo.load(LARGE)
    pressed = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        zermelo.solve(game)
    pressed.join()
    assert zermelo.solve(zermelo.load("tic-tac-toe")).outcome == "drawn"
    pressed = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        game.playouts(seconds=1000)
    pressed.join()
    assert game.playouts(1000)["playouts"] >= 1000


def test_progress_is_told_and_its_exceptions_end_the_work() -> None:
    told = []
    with pytest.raises(zermelo.LimitReached):
        zermelo.solve(zermelo.load(LARGE), seconds=1.5, progress=lambda text, work: told.append((text, work)))
    assert told and all(isinstance(text, str) and work >= 0 for text, work in told)

    def complain(text: str, work: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        zermelo.solve(zermelo.load(LARGE), progress=complain)


def test_two_threads_search_at_once() -> None:
    """Both are inside a long call before either goes on, and then both get further, while neither has ended."""

    class Enough(Exception):
        pass

    both_inside = threading.Barrier(2)
    told: List[Set[int]] = [set(), set()]  # by thread: how much work it has done
    ended: List[str] = []

    def search(me: int) -> None:
        def tell(text: str, work: int) -> None:
            if not told[me]:
                both_inside.wait(timeout=60)
            told[me].add(work)
            if min(map(len, told)) >= 4:
                raise Enough

        try:
            zermelo.solve(zermelo.load(LARGE), seconds=120, threads=1, progress=tell)
        except Exception as reason:
            ended.append(type(reason).__name__)

    threads = [threading.Thread(target=search, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ended == ["Enough", "Enough"]
