"""Models written in Python, compared with what they mean."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import zermelo
from zermelo import models


def test_the_game_of_the_readme() -> None:
    m = zermelo.Model("small")
    x = m.some("x", 1, 3)
    y = m.every("y", 1, 3, rule=lambda y: y != x)
    m.win(x + y <= 4)
    verdict = zermelo.solve(m, all_first_moves=True)
    best = [a for a in (1, 2, 3) if all(a + b <= 4 for b in (1, 2, 3) if b != a)]
    assert verdict.outcome == "won" and verdict.best == [f"x = {a}" for a in best]
    assert verdict.verify() and zermelo.verify(m, verdict.certificate)


def test_fibonacci_nim_is_lost_exactly_for_fibonacci_numbers() -> None:
    for n in range(2, 22):
        m = zermelo.Model("nim")
        taken, last = 0, None
        for turn in range(1, n + 1):
            take = (m.some if turn % 2 else m.every)(f"take{turn}", 1, n - 1)
            taken = taken + take
            if last is not None:
                m.rule((take <= 2 * last) & (taken <= n))
            last = take
        m.win(False)
        assert zermelo.solve(m).outcome == ("lost" if n in (2, 3, 5, 8, 13, 21) else "won"), n


EXPRESSIONS = {
    "sums": (lambda x, y: 2 * x - y + 1, lambda x, y: 2 * x - y + 1),
    "division towards zero": (lambda x, y: x // 2 + 7 * (x % 3), lambda x, y: int(x / 2) + 7 * (x - 3 * int(x / 3))),
    "powers": (lambda x, y: x**2 + abs(y - 3), lambda x, y: x**2 + abs(y - 3)),
    "truths": (lambda x, y: (x < y) + 2 * ((x == 1) | ~(y >= 2)), lambda x, y: (x < y) + 2 * (x == 1 or y < 2)),
    "exclusive": (lambda x, y: 1 * ((x > 0) ^ (y > 1)), lambda x, y: int((x > 0) != (y > 1))),
    "functions": (
        lambda x, y: models.maximum([x, y, 2]) + models.minimum([x, y]) + models.total([x, y, 1]),
        lambda x, y: max(x, y, 2) + min(x, y) + x + y + 1,
    ),
    "choices": (
        lambda x, y: models.choose(x > y, x, 3) + models.element([5, 7, 9, 4], y) + models.count([x, y, 1], 1),
        lambda x, y: (x if x > y else 3) + [5, 7, 9, 4][y - 1] + [x, y, 1].count(1),
    ),
    "conditions": (
        lambda x, y: models.all_of([x > 0, True]) + 2 * models.any_of([x == y, False]) + 4 * models.member(x, [0, 2])
        + 8 * models.table([x, y], [[1, 1], [2, 3]]) + 16 * models.all_different([x, y]),
        lambda x, y: (x > 0) + 2 * (x == y) + 4 * (x in (0, 2)) + 8 * ((x, y) in ((1, 1), (2, 3))) + 16 * (x != y),
    ),
    "implications": (
        lambda x, y: 1 * (x > 1).implies(y > 1) + 2 * (x > 1).iff(y > 1),
        lambda x, y: int(not x > 1 or y > 1) + 2 * ((x > 1) == (y > 1)),
    ),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression_means_what_it_says(name: str) -> None:
    """∃ wins by naming the value of the expression, for all x and y; by another number it does not."""
    ours, plain = EXPRESSIONS[name]
    for off in (0, 1):
        m = zermelo.Model(name)
        x, y = m.every("x", -2, 3), m.every("y", 1, 4)
        z = m.some("z", -60, 80)
        m.win(z == ours(x, y))
        m.win(models.table([x, y, z], [[a, b, plain(a, b) + off] for a, b in itertools.product(range(-2, 4), range(1, 5))]))
        assert zermelo.solve(m).outcome == ("lost" if off else "won")


def test_a_chain_of_comparisons_is_refused() -> None:
    m = zermelo.Model()
    x = m.some("x", 1, 3)
    with pytest.raises(TypeError, match="no truth value"):
        m.win(1 <= x <= 2)
    with pytest.raises(TypeError, match="no truth value"):
        bool((x == 1) and True)


def test_variables_may_be_declared_first_and_arrays_made_at_once() -> None:
    m = zermelo.Model("declared")
    y, x = m.var("y", [1, 2, 4]), m.var("x", range(1, 4))
    assert m.some(x) is x
    m.every(y, rule=y <= x + 1)
    rest = m.some("z", 0, 1, count=2, rule=lambda z: z[0] != z[1])
    m.win((x + y + rest[0] <= 3) & (rest[1] == 1))
    assert zermelo.solve(m).outcome == "won"
    with pytest.raises(zermelo.Error, match="place already"):
        m.some(x)
    other = zermelo.Model()
    other.var("lonely", 1, 2)
    with pytest.raises(zermelo.Error, match="in no block"):
        other.problem()
    with pytest.raises(zermelo.Error, match="declared twice"):
        other.some("lonely", 1, 2)


def test_an_objective_is_guaranteed() -> None:
    m = zermelo.Model("auction")
    bid = m.some("bid", [1, 3, 5])
    answer = m.every("answer", 0, 6, rule=lambda answer: answer != bid)
    m.win((answer > bid).implies(bid >= 3))
    m.maximise(10 * bid - bid * answer)
    verdict = zermelo.solve(m)
    assert verdict.guarantee == max(min(10 * b - b * a for a in range(7) if a != b) for b in (3, 5))


def test_a_strategy_answers_move_by_move() -> None:
    m = zermelo.Model("copy")
    y = m.every("y", 1, 5)
    x = m.some("x", 1, 5)
    m.win(x == y)
    strategy = zermelo.solve(m).strategy
    assert strategy.owner == "∃" and strategy.move({}) is None
    assert [strategy.move({"y": value}) for value in range(1, 6)] == [("x", value) for value in range(1, 6)]
    with pytest.raises(zermelo.Error, match="may not be 9"):
        strategy.move({"y": 9})


def test_strategic_models_let_only_consistent_values_be_played() -> None:
    m = zermelo.Model("strategic")
    s = m.state("s", 1, 3)
    x = m.some("x", 1, 3)
    y = m.every_consistent("y", 1, 3)
    m.win(s > x)
    m.win(s != y)
    m.win(y < 3)
    assert zermelo.solve(m).outcome == "won"


def test_models_with_chance_have_exact_policies() -> None:
    m = zermelo.StochasticModel("example")
    x1, x2 = m.decide("x1", 0, 2), m.decide("x2", 0, 2)
    y = m.chance("y", 0, 2)
    m.hard(x1 == x2)
    m.worth(x1 + y >= 1)
    m.threshold("1/2")
    verdict = zermelo.solve(m, best_policy=True)
    assert verdict.outcome == "won" and verdict.exact[verdict.players[0]] == (Fraction(1), Fraction(1))
    assert verdict.verify()

    weighted = zermelo.StochasticModel("weighted")
    guess = weighted.decide("guess", 0, 1)
    coin = weighted.chance("coin", 0, 1, weights=[1, 3])
    echo = weighted.chance("echo", 0, 1, given=[coin], rows=[[1, 0], [1, 1]])
    weighted.worth_table([guess, echo], {(0, 0): [1], (1, 1): ["3/2"]})
    expected = max(Fraction(1, 4) + Fraction(3, 8), Fraction(3, 8) * Fraction(3, 2))
    assert zermelo.solve(weighted, best_policy=True).exact["player 1"][0] == expected


def test_models_in_minizinc_take_parameters(tmp_path: object) -> None:
    text = """include "zermelo.mzn"; int: n; var 1..n: x; var 1..n: y;
        constraint zermelo_exists(1, x, 1..n); constraint zermelo_forall(2, y, 1..n); constraint x >= y; solve satisfy;"""
    problem = zermelo.load("quantified/nim-fibonacci", parameters={"n": 8})
    assert problem.kind == "quantified" and zermelo.solve(problem).outcome == "lost"
    with pytest.raises(zermelo.Error) as raised:
        zermelo.parse(text + "nonsense", "minizinc", parameters={"n": 3}, name="bad.mzn")
    assert raised.value.line
