"""Models written in Python: quantified and strategic ones, and models with chance.

    >>> m = Model("small")
    >>> x = m.some("x", 1, 3)
    >>> y = m.every("y", 1, 3, rule=lambda y: y != x)
    >>> m.win(x + y <= 4)

Expressions have + - * // % ** abs, comparisons, & | ^ ~ for conditions, and the functions of this module. A condition
counts 0 or 1 where a number is wanted. An operation without a value (a division by zero, an index outside its array)
makes the smallest condition around it false, as in MiniZinc.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union, overload

from . import _zermelo
from ._zermelo import (
    BoolExpr,
    IntExpr,
    Problem,
    all_different,
    all_of,
    any_of,
    choose,
    count,
    element,
    maximum,
    member,
    minimum,
    table,
    total,
)
from .errors import Error

Condition = Union[BoolExpr, bool]
Number = Union[IntExpr, BoolExpr, int]
#: The least value, or all of them.
Values = Union[int, Iterable[int]]
Rule = Union[None, Condition, Callable[[IntExpr], Condition], Callable[[List[IntExpr]], Condition]]


def _ranges(low: Optional[Values], high: Optional[int]) -> List[Tuple[int, int]]:
    if isinstance(low, int):
        return [(low, low if high is None else high)]
    if low is None or high is not None:
        raise Error("the values of a variable are not clear; write 1, 3 or range(1, 4) or [1, 2, 3]")
    if isinstance(low, range) and low.step == 1:
        return [(low.start, low.stop - 1)]
    return [(value, value) for value in low]


class Model:
    """A game in which two players give values to variables: ∃ wants all conditions of ``win`` to hold, ∀ not.

    ``some`` and ``every`` open a block, which ∃ or ∀ plays, ``also`` widens it. A rule binds whoever plays a block: who
    has no value that obeys it has lost. ``state`` and ``every_consistent`` make the model a strategic CSP: then a value
    is legal while the state variables still have values with which all conditions that act by then hold.

    A block takes a name with values (1, 3; or range(1, 4); or a list), and with ``count`` an array of such variables;
    or variables that ``var`` has declared.
    """

    def __init__(self, name: str = "model") -> None:
        self._builder = _zermelo._Builder(name)

    def var(self, name: str, low: Values, high: Optional[int] = None) -> IntExpr:
        """A variable that a block takes later."""
        found = self._builder.add("var", name, _ranges(low, high), None)
        assert isinstance(found, IntExpr)
        return found

    def _block(
        self, role: str, what: Union[str, IntExpr], low: Optional[Values], high: Optional[int], count: Optional[int]
    ) -> Any:
        if isinstance(what, str):
            return self._builder.add(role, what, _ranges(low, high), count)
        if low is not None or count is not None:
            raise Error("a variable that was declared has its values already; name it alone")
        self._builder.take(role, [what])
        return what

    def _ruled(self, made: Any, rule: Rule) -> None:
        if rule is not None:
            self._builder.rule(rule(made) if callable(rule) else rule)

    @overload
    def some(self, what: Union[str, IntExpr], low: Optional[Values] = None, high: Optional[int] = None, *,
             rule: Rule = None) -> IntExpr: ...
    @overload
    def some(self, what: str, low: Values, high: Optional[int] = None, *, count: int,
             rule: Rule = None) -> List[IntExpr]: ...
    def some(self, what, low=None, high=None, *, count=None, rule=None):  # type: ignore[no-untyped-def]
        """∃ chooses: a block of its own."""
        made = self._block("some", what, low, high, count)
        self._ruled(made, rule)
        return made

    @overload
    def every(self, what: Union[str, IntExpr], low: Optional[Values] = None, high: Optional[int] = None, *,
              rule: Rule = None) -> IntExpr: ...
    @overload
    def every(self, what: str, low: Values, high: Optional[int] = None, *, count: int,
              rule: Rule = None) -> List[IntExpr]: ...
    def every(self, what, low=None, high=None, *, count=None, rule=None):  # type: ignore[no-untyped-def]
        """∀ chooses: a block of its own."""
        made = self._block("every", what, low, high, count)
        self._ruled(made, rule)
        return made

    @overload
    def also(self, what: Union[str, IntExpr], low: Optional[Values] = None, high: Optional[int] = None) -> IntExpr: ...
    @overload
    def also(self, what: str, low: Values, high: Optional[int] = None, *, count: int) -> List[IntExpr]: ...
    def also(self, what, low=None, high=None, *, count=None):  # type: ignore[no-untyped-def]
        """A further variable of the latest block."""
        return self._block("also", what, low, high, count)

    @overload
    def every_consistent(self, what: Union[str, IntExpr], low: Optional[Values] = None,
                         high: Optional[int] = None) -> IntExpr: ...
    @overload
    def every_consistent(self, what: str, low: Values, high: Optional[int] = None, *, count: int) -> List[IntExpr]: ...
    def every_consistent(self, what, low=None, high=None, *, count=None):  # type: ignore[no-untyped-def]
        """∀ chooses among the values that are consistent with what is known by then."""
        return self._block("every_consistent", what, low, high, count)

    @overload
    def state(self, what: Union[str, IntExpr], low: Optional[Values] = None, high: Optional[int] = None) -> IntExpr: ...
    @overload
    def state(self, what: str, low: Values, high: Optional[int] = None, *, count: int) -> List[IntExpr]: ...
    def state(self, what, low=None, high=None, *, count=None):  # type: ignore[no-untyped-def]
        """A variable that nobody chooses."""
        return self._block("state", what, low, high, count)

    def rule(self, condition: Condition) -> None:
        """What whoever plays the latest block has to obey; several rules hold together."""
        self._builder.rule(condition)

    def win(self, condition: Condition) -> None:
        """What ∃ wants at the end; several conditions hold together."""
        self._builder.win(condition)

    def require(self, condition: Condition) -> None:
        """Part of the winning condition, too; where no rule binds ∀, a constraint of its own, which propagates more."""
        self._builder.require(condition)

    def cut(self, when: Sequence[Condition], claim: Condition) -> None:
        """A promise: where all of ``when`` hold and ``claim`` does not, ∃ has won."""
        self._builder.cut(list(when), claim)

    def maximise(self, objective: Number) -> None:
        """What ∃ wants as much of as it can guarantee while it wins: Verdict.guarantee."""
        self._builder.maximise(objective)

    def problem(self) -> Problem:
        """The model as a problem for solve() and verify()."""
        return self._builder.problem()


class StochasticModel:
    """Decisions and chance in turns, in the order in which they are declared, and what outcomes are worth.

    Players are numbered from 1. A solution reaches every threshold; without one, the best policy is sought.
    """

    def __init__(self, name: str = "model") -> None:
        self._builder = _zermelo._StochasticBuilder(name)

    def decide(self, name: str, low: Values, high: Optional[int] = None, *, player: int = 1) -> IntExpr:
        """A decision of a player, who knows all that has come before."""
        return self._builder.decide(name, _ranges(low, high), player)

    def chance(
        self,
        name: str,
        low: Values,
        high: Optional[int] = None,
        *,
        weights: Sequence[int] = (),
        given: Sequence[IntExpr] = (),
        rows: Sequence[Sequence[int]] = (),
    ) -> IntExpr:
        """Falls by chance: evenly, or by ``weights``, one for each value; or, where it depends on the variables
        ``given``, by a row of weights for each combination of their values, the last of which varies fastest."""
        return self._builder.chance(
            name, _ranges(low, high), list(weights), list(given), [list(row) for row in rows]
        )

    def hard(self, condition: Condition) -> None:
        """What every play has to obey."""
        self._builder.hard(condition)

    def worth(self, amount: Number, factor: Union[int, str, float, Fraction] = 1, *, player: int = 1) -> None:
        """Adds amount × factor to what a player gets; a condition counts 1 where it holds."""
        self._builder.worth(amount, factor, player)

    def worth_table(self, scope: Sequence[IntExpr], rows: Dict[Tuple[int, ...], Sequence[Union[int, str, Fraction]]]) -> None:
        """By values of declared variables, what each player gets; rows that are not listed are worth nothing."""
        self._builder.worth_table(list(scope), rows)

    def satisfied(self, condition: Condition) -> None:
        """Together these conditions are worth the probability that all of them hold, to every player."""
        self._builder.satisfied(condition)

    def threshold(self, least: Union[int, str, float, Fraction], *, player: int = 1) -> None:
        """What a player wants at least."""
        self._builder.threshold(least, player)

    def problem(self) -> Problem:
        """The model as a problem for solve() and verify()."""
        return self._builder.problem()


__all__ = [
    "BoolExpr",
    "IntExpr",
    "Model",
    "StochasticModel",
    "all_different",
    "all_of",
    "any_of",
    "choose",
    "count",
    "element",
    "maximum",
    "member",
    "minimum",
    "table",
    "total",
]
