"""Strategies and graphs draw themselves in a notebook, by Graphviz."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any, Optional

from . import _zermelo
from .errors import Error

#: Larger pictures are no pictures any more.
MOST_NODES = 60


def svg(dot: str) -> str:
    """A text in DOT, drawn. Needs the program ``dot`` of Graphviz."""
    program = shutil.which("dot")
    if program is None:
        raise Error("the program dot is not there; install Graphviz (Debian: apt-get install graphviz)")
    done = subprocess.run([program, "-Tsvg"], input=dot, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise Error("dot could not draw the picture: " + done.stderr.strip() + "; draw fewer nodes")
    return done.stdout


def draw(thing: Any, most_nodes: int = MOST_NODES) -> str:
    """A strategy, an explicit graph or a constraint network as SVG."""
    if isinstance(thing, _zermelo.Strategy):
        return svg(thing.dot(most_nodes))
    if isinstance(thing, _zermelo.Network):
        return svg(thing.dot())
    if isinstance(thing, _zermelo.Certificate) and thing.strategies:
        return svg(thing.strategies[0].dot(most_nodes))
    if isinstance(thing, _zermelo.Problem):
        return svg(_zermelo._problem_dot(thing))
    raise Error(f"a {type(thing).__name__} has no picture; draw a strategy or a graph")


def _picture(self: Any) -> Optional[str]:
    try:
        return draw(self)
    except Error:
        return None  # a notebook shows the text then


for _kind in (_zermelo.Network, _zermelo.Strategy, _zermelo.Certificate, _zermelo.Problem):
    setattr(_kind, "_repr_svg_", _picture)
