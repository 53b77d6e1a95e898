"""The types of results and arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypedDict

from ._deminer import Position, Rng

if TYPE_CHECKING:
    from typing_extensions import NotRequired

Cell: TypeAlias = tuple[int, int]
"""A cell: row and column, from 0."""

Action: TypeAlias = Cell | tuple[str, int, int] | int | None
"""A cell to open, a verb with a cell, the number of a cell to open, or None to give up."""


class AgentObject(Protocol):
    """An agent of your own. `begin(rules)` is called before each game if it exists."""

    def decide(self, position: Position, rng: Rng, /) -> Any:
        """The next action: see `Action`."""


Agent: TypeAlias = str | type[AgentObject] | AgentObject | Callable[[Position, Rng], Any]
"""An agent: its name with options, or one of your own."""


class Standing(TypedDict):
    """How an agent stands while a tournament runs; the interval is an approximation."""

    agent: str
    games: int
    rate: float
    low: float
    high: float


Progress: TypeAlias = Callable[[int, int, list[Standing]], object]
"""Gets the games finished, all games, and how the agents stand."""


class AgentTotals(TypedDict):
    """What the games of one agent add up to."""

    agent: str
    games: int
    won: int | None
    lost: int | None
    stuck: int
    undecided: int
    rate: float
    low: float
    high: float
    open_rate: float
    guesses_per_game: float
    unneeded_per_game: float | None
    unneeded_by_clues_per_game: float | None
    survival: dict[int, float]
    cpu_seconds: float
    games_per_cpu_second: float


class PairTotals(TypedDict):
    """How two agents compare on the same games: the second minus the first."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    only_first: int | None
    only_second: int | None
    p_value: float | None


class Alternative(TypedDict, total=False):
    """A move that was compared with the best one."""

    cell: Cell
    safety: float
    win: float | None
    progress: float
    next_safety: float
    settles: list[tuple[Cell, Cell]]
    avoids: float
    why: str


class BestMove(TypedDict):
    """The best move, and why."""

    cell: Cell
    safety: float
    win: float | None
    win_exact: bool
    why: str
    reasons: list[str]
    alternatives: list[Alternative]


class Proof(TypedDict):
    """Why a cell is safe or a mine."""

    cell: Cell
    fact: str
    rule: str
    clues: list[Cell]
    mine_total: bool
    minimum: bool
    depth: int
    why: str


class ReviewedMove(TypedDict):
    """A move, and what there is to say about it."""

    number: int
    action: str
    cell: Cell | None
    risk: float | None
    safest: float | None
    best: Cell | None
    win_before: float | None
    win: float | None
    win_after: float | None
    cost: float | None
    at_millis: float | None
    verdict: str
    sentence: str
    reasons: NotRequired[list[str]]


class Why(TypedDict, total=False):
    """The reason of a move."""

    kind: str
    rule: str
    name: str
    risk: float
    premises: list[Any]


class Move(TypedDict):
    """A move of a record."""

    by: str
    action: str
    cell: NotRequired[Cell]
    why: Why
    micros: NotRequired[int]


class Training(TypedDict):
    """A finished training."""

    learner: str
    run: str
    artifacts: list[str]
    report: str
    seconds: float
    provenance: dict[str, str]
    folder: NotRequired[str]
