"""Trainings in folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from . import _deminer
from ._types import Training


def train(
    learner: str,
    folder: str | os.PathLike[str],
    *,
    threads: int | None = None,
    progress: Callable[[dict[str, Any]], None] | None = None,
    **options: object,
) -> Training:
    """Train a learned agent into a folder; `deminer.learners()` lists learners and options.

    The same as `deminer train`: options have the same names, with `_` for `-`. The folder gets the
    artifact, its learning curve and `training.json`. The same call resumes a training that was
    stopped, and returns the result of one that is finished. The callable `progress` gets the
    events of `deminer train --events json`.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> made = deminer.train("q-table", folder, board="3x3x2", games=5000, trial=50, least=2)
    >>> made["artifacts"]
    ['q-table.q']
    >>> agents = [f"q-table:{folder}/q-table.q", "random"]
    >>> result = deminer.bench(agents, board="3x3x2", games=200)
    >>> result.agents[0]["won"] > result.agents[1]["won"]
    True
    """
    return _deminer.train(learner, folder, option_texts(options), threads, progress)


def option_texts(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """Options as the command line takes them; lists are given several times, flags are true."""
    texts: list[tuple[str, str]] = []
    for name, value in options.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        for item in values:
            if item is False or item is None:
                continue
            text = "true" if item is True else str(item)
            texts.append((name.replace("_", "-"), text))
    return texts
