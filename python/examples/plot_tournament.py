"""A tournament as a picture: the score of every player, with its 95 % interval.

Drawn by Matplotlib where it is installed; otherwise as lines of text.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any, Dict, List, Tuple

import zermelo


def scores(result: zermelo.Tournament) -> List[Tuple[str, float, float, float]]:
    """Player, score, and the ends of its interval."""
    players: List[Dict[str, Any]] = result.standings["players"]
    return [(one["player"], one["score"]["value"], one["score"]["low"], one["score"]["high"]) for one in players]


def draw(result: zermelo.Tournament, file: str) -> None:
    try:
        plt: Any = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        for player, score, low, high in scores(result):
            print(f"{player:24} {'█' * round(40 * score):40} {score:.2f} ({low:.2f} … {high:.2f})")
        return
    names, middles, lows, highs = zip(*scores(result))
    errors = [[m - low for m, low in zip(middles, lows)], [high - m for m, high in zip(middles, highs)]]
    figure, axes = plt.subplots()
    axes.barh(names, middles, xerr=errors)
    axes.set_xlabel("points per match")
    figure.savefig(file, bbox_inches="tight")


def main(file: str = "tournament.svg") -> None:
    players = ["uct:playouts=200", "uct:playouts=20,label=uct in a hurry", "greedy", "random"]
    draw(zermelo.tournament(["tic-tac-toe", "connect-four"], players, rounds=2, playouts=50), file)


if __name__ == "__main__":
    main(*sys.argv[1:])
