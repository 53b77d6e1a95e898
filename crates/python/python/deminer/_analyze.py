"""Analyses of positions."""

from __future__ import annotations

from collections.abc import Iterable

from . import _deminer
from ._deminer import Analysis, Position


def analyze(position: Position | str | bytes) -> Analysis:
    """Count a position: exact mine probabilities, certain cells, the best move, proofs.

    Odds are counted at once. `best` and `proofs` are worked out when they are first asked for.

    >>> analysis = deminer.analyze("mines 3\\n####\\n#12#\\n####")
    >>> analysis.mine_probability[0, 0]
    np.float64(0.3333333333333333)
    >>> analysis.best["cell"], analysis.best["safety"]
    ((0, 1), 1.0)
    >>> analysis.proofs[0]["why"]  # doctest: +ELLIPSIS
    '...'

    A position that no layout fits is an ordinary result:

    >>> deminer.analyze("mines 1\\n#2#").consistent
    False
    """
    return _deminer.analyze(_position(position))


def analyze_many(
    positions: Iterable[Position | str | bytes], *, threads: int | None = None
) -> list[Analysis]:
    """Analyze many positions on all cores, in order.

    >>> analyses = deminer.analyze_many(["mines 1\\n#1#", "mines 1\\n#1."])
    >>> [len(analysis.mines) for analysis in analyses]
    [0, 1]
    """
    return _deminer.analyze_many([_position(position) for position in positions], threads)


def _position(source: Position | str | bytes) -> Position:
    return source if isinstance(source, Position) else Position(source)
