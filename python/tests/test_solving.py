"""Verdicts, certificates, strategies, analysis."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest
import zermelo
from conftest import play


def test_a_verdict_is_certified(tic_tac_toe: zermelo.Game, tmp_path: Path) -> None:
    verdict = zermelo.solve(tic_tac_toe)
    assert (verdict.outcome, verdict.value, len(verdict.best)) == ("drawn", 50, 9)
    assert verdict.certificate.kind == "plan" and verdict.verify()
    verdict.certificate.save(tmp_path / "plan.json")
    report = zermelo.verify(tic_tac_toe, tmp_path / "plan.json")
    assert report.valid and report.positions > 100 and report.counterexample is None


def test_a_plan_is_followed_and_never_does_worse_than_it_promises(tic_tac_toe: zermelo.Game) -> None:
    for number, strategy in enumerate(zermelo.solve(tic_tac_toe).strategies):
        assert strategy.promise == 50 and strategy.owner == tic_tac_toe.players[number]
        for seed in range(50):
            state = tic_tac_toe.initial_state()
            while not state.is_terminal():
                own = state.current_player() == number
                move = strategy.move(state)
                assert (move is not None) == own
                state.apply(move if own else random.Random(seed).choice(state.legal_moves()))
            assert state.returns()[number] >= 50
        corner = zermelo.load("tic-tac-toe").initial_state()  # of another copy of the game
        assert (strategy.move(corner) is not None) == (number == 0)
        assert set(strategy.table().values()) <= {move for _, move in tic_tac_toe.actions}


def test_analysis_tells_what_moves_are_worth(tic_tac_toe: zermelo.Game) -> None:
    state = tic_tac_toe.initial_state()
    state.apply("(mark 1 1)")
    found = zermelo.analyse(state)
    assert found.best == ["(mark 2 2)"]
    assert {m["move"] for m in found.moves} == set(state.legal_moves())
    assert all((m["values"]["o"] == 50) == m["best"] for m in found.moves)
    with pytest.raises(zermelo.Error, match="no past"):
        zermelo.analyse(tic_tac_toe.state(state.facts()))


def test_analysis_agrees_with_search_in_python(tic_tac_toe: zermelo.Game) -> None:
    def value(state: zermelo.State) -> int:
        if state.is_terminal():
            return state.returns()[0]
        player, values = state.current_player(), []
        for action in state.legal_actions():
            state.apply(action)
            values.append(value(state))
            state.undo()
        return max(values) if player == 0 else min(values)

    for seed in range(5):
        states = [s.clone() for s in play(tic_tac_toe.initial_state(), random.Random(seed))]
        state = states[3]
        assert zermelo.analyse(state).value == value(state)


def test_games_with_chance_have_exact_values() -> None:
    game = zermelo.load("dice-race")
    verdict = zermelo.solve(game)
    low, high = verdict.exact[game.players[0]]
    assert low == high and isinstance(low, Fraction) and float(low) == pytest.approx(verdict.value)
    assert verdict.verify() and verdict.strategy.table()
    state = game.initial_state()
    assert zermelo.analyse(state).value == pytest.approx(verdict.value)
    while state.current_player() != 0:
        state.apply(state.legal_moves()[0] if state.current_player() != zermelo.CHANCE else state.chance_outcomes()[0][0])
    found = zermelo.analyse(state)
    assert {m["move"] for m in found.moves} == set(state.legal_moves())


def test_equilibria_are_dictionaries(kuhn: zermelo.Game) -> None:
    verdict = zermelo.solve(kuhn)
    assert verdict.engine == "equilibrium" and verdict.verify()
    low, high = verdict.exact[kuhn.players[0]]
    assert low == high and low.denominator > 1
    for number, strategy in enumerate(verdict.strategies):
        table = strategy.table()
        assert table and all(sum(mixture.values()) == 1 for mixture in table.values())
        for seed in range(20):
            for state in play(kuhn.initial_state(), random.Random(seed)):
                mixture = strategy.mixture(state)
                if mixture and state.current_player() == number:
                    assert set(mixture) <= set(state.legal_moves())


def test_analysis_of_hidden_moves_tells_mixtures(kuhn: zermelo.Game) -> None:
    state = kuhn.initial_state()
    while state.current_player() != 0:
        state.apply(state.chance_outcomes()[0][0])
    found = zermelo.analyse(state)
    assert found.moves and all(0 <= m["probability"] <= 1 for m in found.moves)
    assert {m["move"] for m in found.moves if m["player"] == kuhn.players[0]} <= set(state.legal_moves())


def test_both_mix_in_rock_paper_scissors() -> None:
    verdict = zermelo.solve(zermelo.load("rock-paper-scissors"))
    assert all(p == Fraction(1, 3) for mixture in verdict.mixture.values() for p in mixture.values())
    assert len(verdict.mixture) == 2


def test_graphs_and_models_are_solved_too() -> None:
    graph = zermelo.load("three-regions")
    assert zermelo.solve(graph).outcome in ("won", "lost", "drawn")
    nim = zermelo.load("nim-fibonacci", parameters={"n": 20})
    verdict = zermelo.solve(nim, all_first_moves=True)
    assert (verdict.outcome, verdict.best, verdict.all_best) == ("won", ["take[1] = 2"], True)
    assert verdict.verify()
    assert zermelo.solve(zermelo.load("nim-fibonacci", parameters={"n": 21})).outcome == "lost"


def test_a_turn_is_a_network(tic_tac_toe: zermelo.Game) -> None:
    any_turn = tic_tac_toe.network()
    state = tic_tac_toe.initial_state()
    state.apply("(mark 2 2)")
    this_turn = tic_tac_toe.network(state, seconds=60)
    assert any_turn.variables > 9 and 0 < this_turn.constraints <= any_turn.constraints
    assert "graph" in this_turn.dot() and "<svg" in zermelo.pictures.draw(this_turn) and str(this_turn)


def test_strategies_draw_themselves(tic_tac_toe: zermelo.Game) -> None:
    verdict = zermelo.solve(zermelo.load("nim-fibonacci", parameters={"n": 8}))
    assert verdict._repr_svg_().lstrip().startswith("<?xml") and "digraph" in verdict.strategy.dot()
    assert "<svg" in zermelo.pictures.draw(zermelo.load("three-regions"))
    assert "<svg" in zermelo.pictures.draw(zermelo.solve(tic_tac_toe).strategy, most_nodes=20)
    # A small board in each node, and moves in words.
    drawn = zermelo.solve(tic_tac_toe).strategy.dot(20)
    assert 'fontname="monospace"' in drawn and "\\l2  . [✕] .\\l" in drawn and '[label="mark 2 2"]' in drawn
    assert "<svg" in zermelo.pictures.draw(zermelo.solve(zermelo.load("kuhn-poker")).strategy)
