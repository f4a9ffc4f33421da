#!/usr/bin/env python3
"""How fast the Python module is, as parts of what the machine below it does in the same run.

    PYTHONPATH=build/python python3 bench/python.py [GAME] [--seconds S]

apply        states that State.apply() makes in a second, one after another
batch        states that Batch.step() makes in a second, of the machine's random playouts with actions drawn inside
batch, own   the same with actions that were drawn before
playouts     random playouts of Game.playouts(), of those of `zermelo gdl simulate`
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import time

import zermelo


def apply_per_second(game: zermelo.Game, seconds: float) -> float:
    """Plays that were drawn before are made again: only apply() counts."""
    plays = []
    for number in range(200):
        draw = random.Random(number)
        state = game.initial_state()
        actions = []
        while not state.is_terminal():
            actions.append(draw.choice(state.legal_actions()))
            state.apply(actions[-1])
        plays.append(actions)
    made, spent = 0, 0.0
    while spent < seconds:
        for actions in plays:
            state = game.initial_state()
            begin = time.process_time()
            for action in actions:
                state.apply(action)
            spent += time.process_time() - begin
            made += len(actions)
    return made / spent


def batch_per_second(game: zermelo.Game, states: int, seconds: float, outside: bool) -> float:
    """With `outside`, actions come from arrays that were drawn before, along plays of one batch."""
    batch = game.batch(states)
    made, spent = 0, 0.0
    while spent < seconds:
        tape, running = [], 0
        if outside:
            other = game.batch(states, seed=made + 2)
            while not other.is_terminal().all():
                tape.append(other.random_actions())
                running += int((tape[-1] >= 0).sum())
                other.step(tape[-1])
            batch.start()
        begin = time.process_time()
        if outside:
            for actions in tape:
                batch.step(actions)
        else:
            for _ in range(64):
                batch.step(batch.random_actions())
                batch.restart()
        spent += time.process_time() - begin
        made += running if outside else states * 64
    return made / spent


def simulate(file: str, seconds: float) -> dict[str, float]:
    """What the program says, where it is beside the module."""
    program = os.path.join(os.path.dirname(zermelo.__file__), "..", "..", "zermelo")
    told = subprocess.run(
        [program, "gdl", "simulate", file, "--seconds", str(seconds), "--json"], capture_output=True, check=True
    )
    found: dict[str, float] = json.loads(told.stdout)
    return found


def main() -> None:
    words = argparse.ArgumentParser(description="How fast the Python module is.")
    words.add_argument("game", nargs="?", default="tic-tac-toe")
    words.add_argument("--seconds", type=float, default=1.0, help="for each measurement")
    words.add_argument("--states", type=int, default=4096, help="of a batch")
    given = words.parse_args()
    game = zermelo.load(given.game)
    bare = game.playouts(seconds=given.seconds, engine="sliced")["states_per_second"]
    print(f"{game.title}, each {given.seconds} s")
    print(f"apply        {apply_per_second(game, given.seconds):14,.0f} /s")
    print(f"bare machine {bare:14,.0f} states/s")
    for name, outside in (("batch", False), ("batch, own", True)):
        speed = batch_per_second(game, given.states, given.seconds, outside)
        print(f"{name:12} {speed:14,.0f} states/s, {speed / bare:.2f} of the bare machine")
    ours = game.playouts(seconds=given.seconds)["playouts_per_second"]
    try:
        theirs = simulate(game.file, given.seconds)["playouts_per_cpu_second"]
        print(f"playouts     {ours:14,.0f} /s, {ours / theirs:.2f} of gdl simulate")
    except (OSError, subprocess.CalledProcessError):
        print(f"playouts     {ours:14,.0f} /s (the program is not beside the module)")


if __name__ == "__main__":
    main()
