"""Progress of long calls, on a terminal or in a notebook."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import Callable, Iterator, Optional, Union

#: True or False; a function of a text and a count; None: where somebody is looking.
ProgressOption = Union[None, bool, Callable[[str, int], None]]

#: Seconds before the first line, and between lines.
_PATIENCE = 1.0
_PAUSE = 0.2


def _watched() -> bool:
    if hasattr(sys.stderr, "isatty") and sys.stderr.isatty():
        return True
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"


class _Line:
    """One line of the terminal that is written again and again."""

    def __init__(self, patience: float) -> None:
        self._next = time.monotonic() + patience
        self._width = 0

    def __call__(self, text: str, work: int) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _PAUSE
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def clear(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


@contextmanager
def listener(progress: ProgressOption) -> Iterator[Optional[Callable[[str, int], None]]]:
    """What long calls tell their progress to."""
    if callable(progress):
        yield progress
    elif progress or (progress is None and _watched()):
        line = _Line(0.0 if progress else _PATIENCE)
        try:
            yield line
        finally:
            line.clear()
    else:
        yield None
