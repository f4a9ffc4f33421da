"""Verdicts, certificates, strategies, analysis."""

from __future__ import annotations

import gc
import json
import random
import resource
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List

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


def follows(strategy: zermelo.Strategy, game: zermelo.Game, seeds: range) -> List[List[int]]:
    """What players get where the owners play the strategy and all others at random."""
    returns = []
    for seed in seeds:
        state, draw = game.initial_state(), random.Random(seed)
        while not state.is_terminal():
            player = state.current_player()
            if player == zermelo.SIMULTANEOUS:
                drawn = {role: draw.choice(state.legal_actions(role)) for role in game.roles}
                own = strategy.move(state)
                state.apply({**drawn, **({} if own is None else {strategy.owner: own})})
                continue
            own = strategy.move(state)
            free = player >= 0 and len(state.legal_moves()) > 1
            assert own is None or own in state.legal_moves()
            if free:
                assert (own is not None) == (game.players[player] in strategy.owners)
            state.apply(own if own is not None else draw.choice(state.legal_actions()))
        returns.append(state.returns())
    return returns


@pytest.mark.parametrize("name", ["dice-race", "pig", "monty-hall"])
def test_policies_are_followed(name: str) -> None:
    game = zermelo.load(name)
    verdict = zermelo.solve(game)
    assert verdict.certificate.kind == "policy"
    assert any(strategy.owners for strategy in verdict.strategies)
    for strategy in verdict.strategies:
        returns = follows(strategy, game, range(300))
        if strategy.owners:  # otherwise it shows that nobody can do better
            player = game.players.index(strategy.owner)
            mean = sum(one[player] for one in returns) / len(returns)
            assert mean >= verdict.values[strategy.owner] - 12  # more than four times the deviation of a mean


def test_what_is_not_on_the_way_of_a_strategy_has_no_move(tic_tac_toe: zermelo.Game) -> None:
    race = zermelo.load("dice-race")
    strategy = zermelo.solve(race).strategy
    state = race.initial_state()
    other = zermelo.load("dice-race").state(state.facts())  # of another copy, without a past
    assert strategy.move(other) == strategy.move(state)
    with pytest.raises(zermelo.Error, match="no state of a game"):
        strategy.move("(mark 1 1)")
    poker = zermelo.load("kuhn-poker")
    with pytest.raises(zermelo.Error, match="no past"):
        equilibrium = zermelo.solve(poker).strategy
        state = poker.initial_state()
        while state.current_player() == zermelo.CHANCE:
            state.apply(state.chance_outcomes()[0][0])
        equilibrium.move(poker.state(state.facts()))


@pytest.mark.parametrize("threshold", [50, 100])
def test_answers_to_threshold_questions_are_followed(tic_tac_toe: zermelo.Game, threshold: int) -> None:
    """x can force 50 and cannot force 100: the strategy of x, or that of o, keeps what it claims."""
    verdict = zermelo.solve(tic_tac_toe, engine="quantified", role="x", threshold=threshold)
    (strategy,) = [one for one in verdict.strategies if f"{threshold}" in one.owner]
    assert strategy.owners == ["x" if threshold == 50 else "o"]
    for x, o in follows(strategy, tic_tac_toe, range(60)):
        assert x >= 50 if threshold == 50 else x < 100
    state = tic_tac_toe.initial_state()
    if threshold == 50:
        astray = next(move for move in state.legal_moves() if move != strategy.move(state))
        state.apply(astray)
        state.apply(state.legal_moves()[0])
        assert strategy.move(state) is None


def test_equilibria_are_dictionaries(kuhn: zermelo.Game) -> None:
    verdict = zermelo.solve(kuhn)
    assert verdict.engine == "equilibrium" and verdict.verify()
    low, high = verdict.exact[kuhn.players[0]]
    assert low == high and low.denominator > 1
    for number, strategy in enumerate(verdict.strategies):
        table = strategy.table()
        assert table and all(sum(mixture.values()) == 1 for mixture in table.values())
        met = set()
        for seed in range(60):
            for state in play(kuhn.initial_state(), random.Random(seed)):
                mixture = strategy.mixture(state)
                assert (strategy.move(state) in mixture) == bool(mixture)
                if mixture and state.current_player() == number:
                    assert set(mixture) <= set(state.legal_moves())
                    met.update(mixture)
        assert len(met) > 1


def test_equilibria_are_followed() -> None:
    game = zermelo.load("goofspiel-3")
    verdict = zermelo.solve(game)
    random.seed(5)
    for number, strategy in enumerate(verdict.strategies):
        returns = follows(strategy, game, range(300))
        mean = sum(one[number] for one in returns) / len(returns)
        assert mean >= verdict.values[strategy.owner] - 12


def test_graphs_are_followed_from_state_to_state() -> None:
    game = zermelo.load("subtraction-13")
    data = game_of(game)
    for strategy in zermelo.solve(game).strategies:
        table = strategy.table()
        assert table
        for state, move in table.items():
            assert strategy.move(state) == move
            assert data[state]["player"] == strategy.owner
            assert move in [one if isinstance(one, str) else one.get("name", one["to"]) for one in data[state]["moves"]]
        others = set(data) - set(table)
        assert others and all(strategy.move(state) is None for state in others)
        with pytest.raises(zermelo.Error, match="no state"):
            strategy.move("nowhere")


def test_policies_of_graphs_with_chance_are_followed() -> None:
    """Everybody plays for itself here, so there is one policy for both."""
    states = [
        {"name": "A", "player": "Alice", "moves": [{"to": "B", "name": "left"}, {"to": "C", "name": "right"}]},
        {"name": "B", "player": "Bob", "moves": [{"to": "both", "name": "share"}, {"to": "one", "name": "give"}]},
        {"name": "C", "player": "chance", "moves": [{"to": "one", "weight": 3}, {"to": "none"}]},
        {"name": "both", "payoffs": [80, 90]},
        {"name": "one", "payoffs": [100, 20]},
        {"name": "none", "payoffs": [0, 0]},
    ]
    rules = {"format": "zermelo-graph", "version": 1, "players": ["Alice", "Bob"], "initial": "A", "states": states}
    verdict = zermelo.solve(zermelo.parse(json.dumps(rules), "graph"))
    strategy = verdict.strategy
    assert verdict.certificate.kind == "policy" and strategy.owners == ["Alice", "Bob"]
    assert strategy.table() == {"A": "left", "B": "share"}
    assert [strategy.move(state) for state in ("A", "B", "C", "both")] == ["left", "share", None, None]
    assert strategy.mixture("B") == {"share": 1} and strategy.arrays().keys == ["A", "B"]


def game_of(graph: zermelo.Problem) -> Dict[str, Any]:
    return {one["name"]: one for one in json.loads(Path(graph.file).read_text(encoding="utf-8"))["states"]}


def test_policies_of_models_decide_by_what_has_happened() -> None:
    model = zermelo.StochasticModel("umbrella")
    forecast = model.chance("forecast", 0, 1, weights=[1, 1])
    take = model.decide("take", 0, 1)
    rain = model.chance("rain", 0, 1, given=[forecast], rows=[[9, 1], [1, 9]])
    model.worth((rain == 1) & (take == 0), -10)
    model.worth(take, -2)
    strategy = zermelo.solve(model, best_policy=True).strategy
    assert strategy.move({}) is None and strategy.mixture({}) == {}
    assert strategy.move({"forecast": 0}) == ("take", 0) and strategy.move({"forecast": 1}) == ("take", 1)
    assert strategy.move({"forecast": 1, "take": 0}) is None  # it never comes there
    assert strategy.table() == {(0,): 0, (1,): 1}
    keys, moves, actions, probabilities, states = strategy.arrays()
    assert (keys, moves, actions.tolist(), probabilities.tolist()) == ([(0,), (1,)], [0, 1], [[0], [1]], [[1], [1]])
    assert states is None


def test_plans_and_strategies_of_models_agree() -> None:
    """The forward view and quantified search follow their own certificates to a win."""
    nim = zermelo.load("nim-fibonacci", parameters={"n": 8 + 2})
    for engine in ("quantified", "forward"):
        verdict = zermelo.solve(nim, engine=engine)
        assert verdict.outcome == "won"
        (strategy,) = [one for one in verdict.strategies if one.owner == "∃"]
        name, value = strategy.move({})
        assert f"{name} = {value}" in zermelo.solve(nim, all_first_moves=True).best
        assert strategy.move({name: value}) is None
        with pytest.raises(zermelo.Error, match="may not be"):
            strategy.move({name: 99})
        assert strategy.mixture({}) == {(name, value): 1}


def test_strategies_are_arrays(tic_tac_toe: zermelo.Game, kuhn: zermelo.Game) -> None:
    strategy = zermelo.solve(tic_tac_toe).strategy
    keys, moves, actions, probabilities, states = strategy.arrays()
    assert actions.shape == probabilities.shape == (len(keys), 1) and (probabilities == 1).all()
    assert states is not None and states.shape == (len(keys), len(tic_tac_toe.fluents))
    first = [i for i in range(len(keys)) if (states[i] == tic_tac_toe.initial_state().tensor()).all()]
    assert [moves[actions[i, 0]] for i in first] == [strategy.move(tic_tac_toe.initial_state())]
    batch = tic_tac_toe.batch(len(first))
    batch.step(actions[first, 0])  # they are actions of the game
    mixed = zermelo.solve(kuhn).strategies[1]
    keys, moves, actions, probabilities, states = mixed.arrays()
    assert states is None and probabilities.sum(axis=1) == pytest.approx(1)
    assert (probabilities[:, :-1] >= probabilities[:, 1:]).all() and ((actions < 0) == (probabilities == 0)).all()
    for key, row, likely in zip(keys, actions, probabilities):
        told = {moves[a]: p for a, p in zip(row, likely) if a >= 0}
        assert told == pytest.approx({move: float(p) for move, p in mixed.table()[key].items()})
    for name in ("dice-race", "subtraction-13"):
        for strategy in zermelo.solve(zermelo.load(name)).strategies:
            found = strategy.arrays()
            assert {key: found.moves[found.actions[i, 0]] for i, key in enumerate(found.keys)} == strategy.table()


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


def test_a_long_solve_gives_its_memory_back() -> None:
    """Each time it is ended when it has taken this much."""
    much = 128 << 20

    class Enough(Exception):
        pass

    def resident() -> int:
        with open("/proc/self/statm", encoding="ascii") as told:
            return int(told.read().split()[1]) * resource.getpagesize()

    def tell(text: str, work: int) -> None:
        if resident() > before + much:
            raise Enough

    game = zermelo.load("connect-four")
    before = resident()
    for _ in range(2):
        with pytest.raises(Enough):
            zermelo.solve(game, seconds=100, engine="forward", threads=1, progress=tell)
        gc.collect()
        assert resident() < before + much // 2
