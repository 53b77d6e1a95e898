"""Exact Minesweeper: odds, proofs, the best move, and thirty ways to play.

>>> import deminer
>>> position = deminer.Position("mines 3\\n####\\n#12#\\n####")
>>> analysis = deminer.analyze(position)
>>> analysis.safe
[(0, 1), (0, 2), (2, 1), (2, 2)]
>>> deminer.bench(["random", "single-point"], games=200).agents[1]["won"] > 40
True

Cells are `(row, column)` from 0 everywhere. Results are dicts and lists with the keys of the
command line's JSON, so pandas and polars take them as they are.
"""

from importlib.metadata import version

from ._analyze import analyze, analyze_many
from ._bench import BenchResult, bench
from ._boards import generate
from ._deminer import (
    AgentError,
    Analysis,
    Board,
    DeminerError,
    FormatError,
    LimitError,
    Position,
    Record,
    Rng,
    Rules,
    RunError,
    agents,
    formats,
    learners,
)
from ._formats import convert, read
from ._play import Review, coach, play
from ._runs import report, run, seal
from ._trainings import train

# As Python writes it: 1.0.0rc1, where the crates have 1.0.0-rc.1.
__version__ = version("deminer")
del version

__all__ = [
    "AgentError",
    "Analysis",
    "BenchResult",
    "Board",
    "DeminerError",
    "FormatError",
    "LimitError",
    "Position",
    "Record",
    "Review",
    "Rng",
    "Rules",
    "RunError",
    "__version__",
    "agents",
    "analyze",
    "analyze_many",
    "bench",
    "coach",
    "convert",
    "formats",
    "generate",
    "learners",
    "play",
    "read",
    "report",
    "run",
    "seal",
    "train",
]
