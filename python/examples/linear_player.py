"""A small linear player, learned from random plays of a batch in ten lines.

What a state is worth is a sum of weights of the facts that hold: fitted by least squares to how thousands of random plays
from it end. The player makes the move after which that is greatest.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import zermelo


def learn(game: zermelo.Game, plays: int = 4096) -> npt.NDArray[np.float64]:
    """The weight of each fluent, for the first player."""
    batch, states = game.batch(plays), []
    while not batch.is_terminal().all():
        states.append((batch.tensor(), ~batch.is_terminal()))
        batch.step(batch.random_actions())
    goals = batch.returns()[:, 0] - 50.0
    facts = np.concatenate([tensor[running] for tensor, running in states])
    ends = np.concatenate([goals[running] for _, running in states])
    normal = facts.T @ facts + 10 * np.eye(facts.shape[1])
    weights: npt.NDArray[np.float64] = np.linalg.solve(normal, facts.T @ ends)
    return weights


class Linear:
    """Looks one move ahead."""

    def __init__(self, weights: npt.NDArray[np.float64]) -> None:
        self.weights = weights

    def choose(self, state: zermelo.State, deadline: zermelo.Deadline) -> int:
        side = 1 if state.current_player() == 0 else -1

        def worth(action: int) -> float:
            after = state.clone()
            after.apply(action)
            if after.is_terminal():
                return side * (after.returns()[0] - 50.0) * 100
            return float(side * (after.tensor() @ self.weights))

        return max(state.legal_actions(), key=worth)


def main() -> None:
    game = zermelo.load("connect-four")
    result = zermelo.tournament(game, [Linear(learn(game)), "random"], rounds=10, clock=10.0)
    print(result)
    assert result.scores["Linear"] > 0.75


if __name__ == "__main__":
    main()
