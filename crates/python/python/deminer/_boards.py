"""Boards from seeds."""

from __future__ import annotations

from . import _deminer
from ._deminer import Board, Rules


def generate(
    *,
    board: str = "beginner",
    shape: str = "rect",
    start: str = "safe",
    at: str = "corner",
    count: int = 1,
    seed: int = 1,
    first_game: int = 0,
    no_guess: bool = False,
    difficulty: str | None = None,
    tries: int | None = None,
) -> list[Board]:
    """Deal boards from a seed; with `no_guess`, boards that can be won without a guess.

    Board i of a seed is the one that `play(seed=S, game=i)` plays with the same rules. Boards
    without guesses differ: the first click opens an area, and from there on the clues and the
    mine total always prove some cell safe. `difficulty` (`easy`, `medium`, `hard`, `extreme`)
    implies `no_guess`.

    >>> board = deminer.generate(board="9x9x10", no_guess=True, seed=4)[0]
    >>> board.difficulty in ("easy", "medium", "hard", "extreme")
    True
    >>> print(deminer.generate(board="4x3x2", seed=1)[0], end="")
    mines 2
    . . . *
    * . . .
    . . . .
    """
    rules = Rules(board, shape=shape, start=start)
    return _deminer.generate(
        rules,
        at=at,
        seed=seed,
        first_game=first_game,
        count=count,
        no_guess=no_guess,
        difficulty=difficulty,
        tries=tries,
    )
