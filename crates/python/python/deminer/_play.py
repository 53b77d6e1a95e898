"""Games and their reviews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _deminer
from ._deminer import Record, Rules
from ._tables import Table
from ._types import Agent, ReviewedMove


def play(
    agent: Agent,
    *,
    board: str = "beginner",
    shape: str = "rect",
    start: str = "safe",
    at: str = "corner",
    cascade: bool = True,
    clues: str = "exact",
    seed: int | None = None,
    game: int = 0,
) -> Record:
    """Let an agent play one game; notebooks show its end as a picture.

    The same seed gives the same game; game i of `bench(seed=S)` is `play(seed=S, game=i)`. Agents
    are those of `bench`.

    >>> deminer.play("single-point", seed=7).outcome
    'lost'

    >>> class Careful:
    ...     def decide(self, position, rng):
    ...         safe = deminer.analyze(position).safe
    ...         return rng.choice(safe) if safe else None
    >>> deminer.play(Careful, seed=3).outcome in ("won", "undecided")
    True
    """
    rules = Rules(board, shape=shape, start=start, cascade=cascade, clues=clues)
    return _deminer.play(agent, rules, at=at, seed=seed, game=game)


class Review(Table):
    """A game that the coach has looked at; notebooks show the risk of each move."""

    def __init__(self, document: Mapping[str, Any], picture: str) -> None:
        self._document = dict(document)
        self._picture = picture

    @property
    def moves(self) -> list[ReviewedMove]:
        """Every move with its risk, the least risk, the best cell, and a verdict in words."""
        moves: list[ReviewedMove] = self._document["moves"]
        return moves

    @property
    def summary(self) -> list[str]:
        """What there is to say about the game, a sentence each."""
        summary: list[str] = self._document["summary"]
        return summary

    def to_dict(self) -> dict[str, Any]:
        """The document of `deminer coach --json`."""
        return self._document

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dict for each move; cells are split into row and column."""
        return [_row(move) for move in self.moves]

    def svg(self) -> str:
        """The risk of each move and the win chance as a chart."""
        return self._picture

    def _repr_svg_(self) -> str:
        return self._picture

    def __repr__(self) -> str:
        return f"<Review of {self._document['player']}: {len(self.moves)} moves>"


def coach(game: Record | str | bytes) -> Review:
    """Review a game move by move: its risks, the better moves, and luck.

    >>> review = deminer.coach(deminer.play("single-point", board="expert", seed=1))
    >>> review.moves[0]["verdict"]
    'start'
    >>> len(review.summary) > 0
    True
    """
    record = game if isinstance(game, Record) else _deminer.read(game, None, None)
    if not isinstance(record, Record):
        raise _deminer.FormatError("the coach needs a game: a record or a replay")
    return Review(*_deminer.coach(record))


def _row(move: Mapping[str, Any]) -> dict[str, Any]:
    row, column = move["cell"] or (None, None)
    best_row, best_column = move["best"] or (None, None)
    return {
        "number": move["number"],
        "action": move["action"],
        "row": row,
        "column": column,
        "risk": move["risk"],
        "safest": move["safest"],
        "best_row": best_row,
        "best_column": best_column,
        "win_before": move["win_before"],
        "win": move["win"],
        "win_after": move["win_after"],
        "cost": move["cost"],
        "verdict": move["verdict"],
        "sentence": move["sentence"],
    }
