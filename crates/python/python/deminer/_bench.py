"""Tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _deminer
from ._deminer import Rules
from ._progress import reporting
from ._tables import Table, flat
from ._types import Agent, AgentTotals, PairTotals, Progress


class BenchResult(Table):
    """What a tournament found: one row for each agent, and every two agents compared."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = dict(document)

    @property
    def agents(self) -> list[AgentTotals]:
        """What each agent did: games, won, lost, rate with its 95 % interval, speed."""
        agents: list[AgentTotals] = self._document["agents"]
        return agents

    @property
    def paired(self) -> list[PairTotals]:
        """Every two agents compared on the same boards."""
        paired: list[PairTotals] = self._document["paired"]
        return paired

    def to_dict(self) -> dict[str, Any]:
        """The document of `deminer bench --json`."""
        return self._document

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dict for each agent, without nested values."""
        return [flat(agent) for agent in self.agents]

    def __str__(self) -> str:
        rows = [
            f"{agent['agent']:<24} {100 * agent['rate']:6.2f} % "
            f"({100 * agent['low']:.2f} - {100 * agent['high']:.2f})"
            for agent in self.agents
        ]
        return "\n".join(rows)

    def __repr__(self) -> str:
        games = self.agents[0]["games"]
        return f"<BenchResult of {games} games: {', '.join(a['agent'] for a in self.agents)}>"


def bench(
    agents: Agent | Sequence[Agent],
    *,
    board: str = "beginner",
    shape: str = "rect",
    start: str = "safe",
    at: str = "corner",
    cascade: bool = True,
    clues: str = "exact",
    games: int = 1000,
    seed: int = 1,
    first_game: int = 0,
    estimator: str = "plain",
    measures: Iterable[str] = (),
    threads: int | None = None,
    progress: bool | Progress = False,
) -> BenchResult:
    """Play agents on the same boards and compare their win rates.

    The same games and results as `deminer bench` with the same settings, on all cores. An agent
    is a name with options, as in `"single-point:flag"`, or one of your own: a function
    `decide(position, rng)`, or a class or object with this method. It answers with the cell to
    open as `(row, column)` or as its number in the flattened board, with `("flag", row, column)`
    (or `open`, `unflag`, `chord`), or with `None` to give up. A class is built once for each
    thread; functions and objects play on one thread.

    `progress=True` shows a bar (tqdm), a callable gets `(finished, games, agents)`. Ctrl-C raises
    `KeyboardInterrupt`.

    >>> result = deminer.bench("single-point", games=500, seed=3)
    >>> result.agents[0]["games"]
    500

    >>> def first(position, rng):
    ...     return position.covered()[0]
    >>> result = deminer.bench([first, "best"], board="8x8x10", games=50)
    >>> result.paired[0]["difference"] > 0.5
    True
    """
    rules = Rules(board, shape=shape, start=start, cascade=cascade, clues=clues)
    players: list[Any] = list(agents) if isinstance(agents, (list, tuple)) else [agents]
    with reporting(progress, games) as report:
        document = _deminer.bench(
            players,
            rules,
            at=at,
            seed=seed,
            first_game=first_game,
            games=games,
            estimator=estimator,
            measures=list(measures),
            threads=threads,
            progress=report,
        )
    return BenchResult(document)
