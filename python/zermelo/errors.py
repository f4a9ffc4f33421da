"""What can go wrong: what is wrong with an input, where, and what to do about it."""

from __future__ import annotations

from typing import Any, Optional


class Error(ValueError):
    """A complaint about something that was written: rules, a model, a move, an argument.

    ``str(error)`` is one line, ``file:line:col: what is wrong; what to do``.
    """

    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    problem: str = ""
    remedy: Optional[str] = None


class LimitReached(Error):
    """A deadline or a memory limit ended the work. What was found until then is in ``partial``, if anything was."""

    #: "time", "memory" or "interrupted".
    stop: str = ""
    #: A verdict without an outcome, or a report that did not get through; None where there is nothing.
    partial: Any = None
